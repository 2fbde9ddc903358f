/* sporf: random forests with oblique splits, for classification and regression. It implements SPORF
 * (sparse projection oblique randomer forests; Tomita et al., JMLR 2020) and related methods.
 *
 * A complete program. It trains a forest on a CSV file and predicts the rows of another:
 *
 *     #include <sporf.h>
 *     #include <stdio.h>
 *     #include <stdlib.h>
 *
 *     static void check(sporf_status status) {
 *         if (status == SPORF_OK) return;
 *         fprintf(stderr, "%s\n", sporf_last_error());
 *         exit(1);
 *     }
 *
 *     int main(void) {
 *         sporf_dataset *train = NULL, *test = NULL;
 *         sporf_forest *forest = NULL;
 *         sporf_read_options options;
 *         sporf_read_options_init(&options);
 *         options.label = "last"; // the column to predict: a name, a number or "last"
 *         check(sporf_dataset_read("train.csv", &options, &train));
 *         check(sporf_forest_train(train, NULL, NULL, &forest));
 *         check(sporf_forest_save(forest, "forest.sporf"));
 *
 *         options.schema = sporf_forest_schema(forest); // columns as in training
 *         check(sporf_dataset_read("test.csv", &options, &test));
 *
 *         uint32_t *classes = calloc(sporf_dataset_rows(test), sizeof *classes);
 *         sporf_predictions out = {.struct_size = sizeof out, .classes = classes};
 *         check(sporf_forest_predict(forest, test, NULL, &out));
 *         for (size_t i = 0; i < sporf_dataset_rows(test); i++)
 *             puts(sporf_schema_class_name(sporf_forest_schema(forest), classes[i]));
 *         free(classes);
 *         sporf_forest_free(forest);
 *         sporf_dataset_free(train);
 *         sporf_dataset_free(test);
 *     }
 *
 * Contents, in order:
 *
 *     The eight calls that most programs need
 *     Data: from memory, from files, larger than memory; what is in a table; its schema
 *     Errors and notes as data, for programs that word messages themselves
 *     Options: settings and methods
 *     Training: progress, interruption, adding trees, memory
 *     Prediction and evaluation
 *     Model files
 *     Inspection: out-of-bag results, trees, importances
 *
 * and what few programs need:
 *
 *     Losses of your own
 *     Samplers of your own
 *     Folds, search for settings, cross-validation
 *     Proximity
 *     Explanations
 *     Strength, permutation importance, bags
 *     Importance by training again
 *     Dependence on features, interactions
 *     Pictures
 *     A report to look at
 *     Simulation
 *     Preparation of tables as in the paper
 *
 * Rules that hold throughout:
 *
 *  - A function that can fail returns a sporf_status. sporf_last_error() then says what is wrong,
 *    where, and what to do.
 *  - A pointer that a function returns belongs to the object that was asked: do not free it. An
 *    object that a function makes is written through a pointer argument and belongs to the caller,
 *    who frees it with the function that is named there. A call that fails leaves nothing to free.
 *  - A struct that begins with struct_size may grow in later versions. Fill it with its init macro
 *    before the first use: this notes the size that the program was compiled with, so that the
 *    program keeps working with a newer library. To set struct_size to its sizeof and everything
 *    else to 0 does the same, except for sporf_params, whose defaults are not 0.
 *  - A struct to which the library returns a pointer may get further members at the end, unless it
 *    is an element of an array. All other structs, such as sporf_matrix, sporf_oob and sporf_node,
 *    keep their layout until the interface changes.
 *  - Options, params and hooks may be NULL, which means the defaults; only sporf_forest_extend
 *    needs params.
 *  - Rows, features, classes, targets, levels and trees are numbered from 0. Messages count from 1,
 *    and so do columns that are given as text.
 *  - Several threads may use one object at the same time, as long as none of them changes it.
 *  - The library prints nothing, never exits and has no global state.
 *  - Results depend on the data, the settings and the seed; never on the number of threads, or on
 *    the device that grows the trees or walks down them. Floating-point arithmetic must work as it
 * does when a program starts: numbers are rounded to nearest, and denormal numbers are kept. If a
 * thread changes that (linking with -ffast-math does, for the whole process), the last bits may
 * differ, and so may the forest.
 */
#ifndef SPORF_H
#define SPORF_H

#include <stddef.h>
#include <stdint.h>

#define SPORF_VERSION_MAJOR 0
#define SPORF_VERSION_MINOR 1
#define SPORF_VERSION_PATCH 0
#define SPORF_VERSION "0.1.0"

#if defined(__GNUC__) && !defined(_WIN32) /* Windows takes a list of names */
#define SPORF_API __attribute__((visibility("default")))
#else
#define SPORF_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the eight calls that most programs need ------------------------------------------------- */

typedef enum sporf_status {
    SPORF_OK = 0,
    SPORF_ERROR_ARGUMENT = 1,  /* an argument or option is out of range */
    SPORF_ERROR_DATA = 2,      /* the data cannot be used as they are */
    SPORF_ERROR_MODEL = 3,     /* the model file is damaged, or does not fit the data */
    SPORF_ERROR_IO = 4,        /* the operating system refused to read or write */
    SPORF_ERROR_MEMORY = 5,    /* out of memory, or max_memory would be exceeded */
    SPORF_ERROR_CANCELLED = 6, /* the interrupt hook stopped the call before there was a result */
    SPORF_ERROR_DEVICE = 7,    /* the GPU failed, or there is none */
} sporf_status;

typedef struct sporf_dataset sporf_dataset;                 /* a table */
typedef struct sporf_forest sporf_forest;                   /* a trained model */
typedef struct sporf_schema sporf_schema;                   /* what the columns of a table are */
typedef struct sporf_read_options sporf_read_options;       /* how to read a file: see Data */
typedef struct sporf_params sporf_params;                   /* settings: see Options */
typedef struct sporf_hooks sporf_hooks;                     /* progress and more: see Training */
typedef struct sporf_predict_options sporf_predict_options; /* see Prediction */
typedef struct sporf_predictions sporf_predictions;         /* what to predict: see Prediction */

/* 1. Reads a table from a file: CSV or TSV, NumPy .npy, MNIST idx or svmlight, plain or gzipped;
 * "-" is standard input. docs/tables.md has the rules; see also sporf_read_options. Free with
 * sporf_dataset_free. To use a matrix in memory instead, see sporf_dataset_from_matrix. */
SPORF_API sporf_status sporf_dataset_read(const char *path, const sporf_read_options *options,
                                          sporf_dataset **out);

/* 2. Trains a forest: for regression if the data have targets, otherwise for classification, which
 * needs labels. If the interrupt hook stops the training, the result has the trees that were grown
 * so far, which are the first ones of the whole forest. Free with sporf_forest_free. */
SPORF_API sporf_status sporf_forest_train(const sporf_dataset *data, const sporf_params *params,
                                          const sporf_hooks *hooks, sporf_forest **out);

/* 3. Predicts the rows of a table into the arrays that predictions names. If both the forest and
 * the data have names for features, columns are matched by name, otherwise by position. What the
 * forest cannot predict is refused. */
SPORF_API sporf_status sporf_forest_predict(const sporf_forest *forest, const sporf_dataset *data,
                                            const sporf_predict_options *options,
                                            const sporf_predictions *predictions);

/* 4. Saves a forest. The file is written beside path, synced and renamed, so that path always holds
 * the whole old model or the whole new one. The permissions and, where allowed, the owner of the
 * old file are kept; a read-only file is not replaced; a link stays a link. docs/model-format.md
 * describes the format. */
SPORF_API sporf_status sporf_forest_save(const sporf_forest *forest, const char *path);

/* 5. Loads a forest from a file or a pipe and checks every byte of it. A file from an unknown
 * source is either refused or safe to use, and the cost of loading is proportional to its size.
 * Free with sporf_forest_free. */
SPORF_API sporf_status sporf_forest_load(const char *path, sporf_forest **out);

/* 6. Describes the last failure in this thread; "" if there was none. The text is valid until the
 * next failure in this thread. */
SPORF_API const char *sporf_last_error(void);

/* 7 and 8. Free what the calls above made; NULL is allowed. */
SPORF_API void sporf_dataset_free(sporf_dataset *data);
SPORF_API void sporf_forest_free(sporf_forest *forest);

/* What the init macros call, except that of sporf_params: sets struct_size, and everything else to
 * 0, which is the default there. */
SPORF_API void sporf_init_sized(void *options, size_t struct_size);

/* The version of the library that runs, which may be newer than SPORF_VERSION. */
SPORF_API const char *sporf_version(void);

/* The number of cores that this process may use: what threads = 0 stands for. */
SPORF_API unsigned sporf_cores(void);

/* ---- data: from memory ----------------------------------------------------------------------- */

/* A table holds features in single precision, column by column. It may have labels, which are the
 * classes to predict, or targets, which are the numbers to predict, and row weights. A missing
 * value is NaN. The value of a category is the number of its level. */

typedef enum sporf_dtype { SPORF_FLOAT32, SPORF_FLOAT64 } sporf_dtype;

/* A matrix in the caller's memory. Value (i, j) is values[i * row_stride + j * column_stride]; the
 * strides count elements: (columns, 1) is row-major, (1, rows) is column-major. */
typedef struct sporf_matrix {
    const void *values;
    sporf_dtype type;
    size_t rows, columns;
    size_t row_stride, column_stride;
} sporf_matrix;

/* Makes a dataset from a matrix. Single-precision columns with row_stride 1 are borrowed: they must
 * outlive the dataset and must not change meanwhile. Anything else is copied. NaN is a missing
 * value; infinities and magnitudes above 1e30 are refused. Free with sporf_dataset_free. */
SPORF_API sporf_status sporf_dataset_from_matrix(const sporf_matrix *matrix, sporf_dataset **out);

struct ArrowSchema;
struct ArrowArray;

/* Makes a dataset from an Arrow record batch (a struct array) through the Arrow C data interface.
 * Numbers and booleans become features. Text (including views) and dictionaries of text become
 * categories; ordered dictionaries become ordinal. The options label, weight and targets name
 * children: the label may be numbers or text, the others are numbers, and none may have nulls.
 * Elsewhere nulls are missing values; a child that has only nulls counts as numbers. Dates, times,
 * decimals, bytes, lists and structs are refused, and so are label_file and the options that say
 * what other columns are. Options about files have no effect. Single-precision children without
 * nulls are borrowed: schema and array stay the caller's, and the array must outlive the dataset
 * and must not change meanwhile. Free with sporf_dataset_free. */
SPORF_API sporf_status sporf_dataset_from_arrow(const struct ArrowSchema *schema,
                                                const struct ArrowArray *array,
                                                const sporf_read_options *options,
                                                sporf_dataset **out);

/* Sets the class labels, one for each row. Classes are sorted: by value if all labels are whole
 * numbers ("2", "2.0" and "2e0" are then one class, named 2), otherwise by bytes. */
SPORF_API sporf_status sporf_dataset_set_labels_int(sporf_dataset *data, const int64_t *labels,
                                                    size_t count);
SPORF_API sporf_status sporf_dataset_set_labels_text(sporf_dataset *data, const char *const *labels,
                                                     size_t count);

/* Sets the name of the label column, which is copied; NULL or "": no name. A forest keeps it, as it
 * keeps the name from the header of a file. */
SPORF_API sporf_status sporf_dataset_set_label_name(sporf_dataset *data, const char *name);

/* Makes the labels that were set, with their name, one of several labels of each row, and removes
 * them, so that the next can be set: a forest then predicts a class for each label column (also
 * called multi-output classification, or multi-label if the classes are yes and no). A column
 * without a name is called y1, y2 and so on. The targets of the data are then the indicators of all
 * classes of all columns, named "column=class": 1 in the rows of the class and 0 in the others. */
SPORF_API sporf_status sporf_dataset_add_label_column(sporf_dataset *data);

/* Sets the targets: numbers to predict instead of classes. The matrix has a row for each row of the
 * data and a column for each target, so {y, SPORF_FLOAT64, rows, 1, 1, 1} is a single target.
 * Values are copied, stored in single precision, and must be finite and at most 1e30.
 * names[columns] are all different, or names is NULL: a forest then calls its targets y, or y1, y2
 * and so on. targets NULL removes them. If the data have labels, too, the labels are ignored. */
SPORF_API sporf_status sporf_dataset_set_targets(sporf_dataset *data, const sporf_matrix *targets,
                                                 const char *const *names);

/* Sets the row weights: how much each row counts in the criterion, the leaves, the out-of-bag
 * results and the scores. They are copied, stored in single precision, and must be from 0 to 1e30.
 * A row of weight 0 has no effect at all. Only ratios matter, as far as single precision holds
 * them, and equal weights have no effect, unless the params say that weights are counts (see
 * sporf_weight_is). NULL: no weights. */
SPORF_API sporf_status sporf_dataset_set_weights(sporf_dataset *data, const double *weights,
                                                 size_t count);

/* Sets the name of the weight column, which is copied; NULL or "": no name, as after setting
 * weights. A forest keeps it as the setting "weight" if not all weights are equal. */
SPORF_API sporf_status sporf_dataset_set_weight_name(sporf_dataset *data, const char *name);

/* Sets the names of the features, which are copied. There must be one for each feature, and all
 * must be different. */
SPORF_API sporf_status sporf_dataset_set_feature_names(sporf_dataset *data,
                                                       const char *const *names, size_t count);

typedef enum sporf_kind {
    SPORF_KIND_NUMBER,
    SPORF_KIND_CATEGORY, /* levels without an order */
    SPORF_KIND_ORDINAL,  /* levels with an order: numbers with names */
} sporf_kind;

/* Makes a feature a category, or ordinal, with levels of these names. Its values must be the
 * numbers of levels, from 0 to count - 1, or NaN. Names and values are copied. */
SPORF_API sporf_status sporf_dataset_set_levels(sporf_dataset *data, size_t feature,
                                                sporf_kind kind, const char *const *names,
                                                size_t count);

/* Makes a dataset of some rows: in this order, and as often as they are listed. It has all classes
 * and levels of the whole, even those that its rows do not have, so that their numbers agree; a
 * forest that is trained on it knows them all. Notes about the file are not copied. Free with
 * sporf_dataset_free. */
SPORF_API sporf_status sporf_dataset_select(const sporf_dataset *data, const uint32_t *rows,
                                            size_t count, sporf_dataset **out);

/* ---- data: from files ------------------------------------------------------------------------ */

typedef enum sporf_format {
    SPORF_FORMAT_AUTO, /* recognised by content */
    SPORF_FORMAT_CSV,  /* also TSV, semicolons and other separators */
    SPORF_FORMAT_NPY,
    SPORF_FORMAT_IDX,
    SPORF_FORMAT_SVMLIGHT,
} sporf_format;

typedef enum sporf_header { SPORF_HEADER_AUTO, SPORF_HEADER_YES, SPORF_HEADER_NO } sporf_header;

/* The decimal mark of a CSV file. The other mark may separate thousands; so may blanks and
 * apostrophes. Auto: the numbers of the file show it. */
typedef enum sporf_decimal {
    SPORF_DECIMAL_AUTO,
    SPORF_DECIMAL_POINT,
    SPORF_DECIMAL_COMMA,
} sporf_decimal;

/* What becomes of columns of dates in a CSV file. The features of a column "when" are "when.year",
 * "when.month", "when.weekday" (1 is Monday), "when.days" (days since 1970-01-01, with the fraction
 * of the day) and, if there are times, "when.hour". With a schema that has such features, they are
 * made from the column "when", whatever this says. */
typedef enum sporf_dates {
    SPORF_DATES_NO,   /* left out */
    SPORF_DATES_AUTO, /* features; the dates of the column tell whether 3/4/24 has the day first */
    SPORF_DATES_DMY,  /* features; the day is first */
    SPORF_DATES_MDY,  /* features; the month is first */
} sporf_dates;

struct sporf_read_options {
    size_t struct_size;
    sporf_format format;
    sporf_header header;        /* whether a CSV file has one */
    const char *label;          /* label column: a name, a number from 1 or "last"; NULL for none */
    const char *label_file;     /* labels from a file of their own instead; NULL for none */
    const char *const *columns; /* the features to read, if a header names them; NULL for all */
    size_t columns_count;
    int zero_based;           /* svmlight: feature numbers start at 0 */
    size_t svmlight_features; /* svmlight: the least number of features; 0: what the file has */
    unsigned threads;         /* 0: one for each core */
    uint64_t max_memory;      /* bytes for table and file; 0: the memory of machine or container */
    /* What columns are, by name or by number from 1, instead of what their cells suggest. In
     * categorical and ignored, "cat_*" stands for all columns that begin so and are named nowhere
     * else. */
    const char *const *categorical; /* categories: every text is a level */
    size_t categorical_count;
    const char *const *ignored; /* not read */
    size_t ignored_count;
    const char *const *ordinal; /* "size=small<medium<large", or "grade" for whole numbers */
    size_t ordinal_count;
    const char *weight;         /* the column that holds the row weights; NULL for none */
    const char *const *targets; /* regression: the columns to predict, in this order */
    size_t targets_count;
    const sporf_schema
        *schema; /* read what a forest was trained on; NULL: find out what there is */
    /* Columns whose cells are kept beside the table as they are written, by name or number. They
     * may be features as well. svmlight files have none. */
    const char *const *kept;
    size_t kept_count;
    /* How a CSV file is written. */
    const char *separator; /* one character, "comma", "semicolon", "tab", "bar" or "blanks"; NULL:
                              as the first lines suggest */
    const char *comment;   /* lines that begin with this character are ignored; NULL: those with #
                              before the table */
    size_t skip_lines;     /* lines to ignore at the start of the file */
    const char *const *missing; /* spellings of missing values, in addition to the usual ones */
    size_t missing_count;
    sporf_decimal decimal;
    /* Files of the same shape whose rows follow, as if all were one file: CSV with the same columns
     * in the same order, each with a header if the first has one; svmlight; or row-major matrices
     * of the same type and width. A sporf_reader needs the paths as long as it lives. */
    const char *const *more_files;
    size_t more_files_count;
    sporf_dates dates;
    /* Several label columns, in this order, instead of label: see sporf_dataset_add_label_column.
     * Every text is a class. */
    const char *const *labels;
    size_t labels_count;
};

#define sporf_read_options_init(options) sporf_init_sized((options), sizeof *(options))

/* How sporf_dataset_read understands a file:
 *
 * Text may be UTF-8 or UTF-16. If the file changes while it is read, the result is SPORF_ERROR_IO.
 * An svmlight file always has its own labels; these are numbers to predict if targets names
 * "label".
 *
 * A CSV column is a category if at least half of its cells that are not missing are text, otherwise
 * it holds numbers. Empty cells, NA, ?, NaN, null and the like (docs/tables.md) are missing values,
 * as NaN is in .npy. Levels are the distinct texts, sorted as classes are. Unless the options say
 * what they are, these columns are left out: dates, texts that differ in all rows, row numbers with
 * a name such as "id", and columns without values. Titles, comments and blank lines around the rows
 * are ignored. Two columns of the same name are refused if one of them is a feature.
 *
 * Numbers may have separators of thousands, parentheses around negative ones, and a sign or unit
 * that is the same in the whole column; h:mm:ss and mm:ss are seconds. Whether point or comma is
 * the decimal mark must follow from the numbers of the file, from the options, or from the schema:
 * a forest records that its table had decimal commas.
 *
 * With a schema, its columns are looked up by name (by position if it has no names) and all others
 * are ignored. Texts become the numbers of its levels; an unknown level is a missing value. */

/* ---- data: files larger than memory ---------------------------------------------------------- */

/* A file that is read block by block. */
typedef struct sporf_reader sporf_reader;

/* Opens a file as sporf_dataset_read does. Options that need the whole file are refused:
 * label_file, categorical, ordinal, weight, targets and labels. All columns are numbers unless a
 * schema says otherwise. path and what the options point to must outlive the reader. A .npy file in
 * Fortran order that is gzipped or comes from a pipe is held in memory; everything else is read as
 * it is needed, and a fault in the file is reported when its block is read. Free with
 * sporf_reader_free. */
SPORF_API sporf_status sporf_reader_open(const char *path, const sporf_read_options *options,
                                         sporf_reader **out);

/* Reads the next rows: at most `rows`, or fewer if these take more than some tens of megabytes.
 * *out is NULL after the last row; if a CSV file has a header and no rows, at the first call. The
 * blocks have the rows that sporf_dataset_read gives, in order, but classes are those of the block,
 * and the features of an svmlight file are those seen so far. Free *out with sporf_dataset_free. */
SPORF_API sporf_status sporf_reader_next(sporf_reader *reader, size_t rows, sporf_dataset **out);

/* The name of a kept column in the header of a CSV file, even if no row follows; NULL without a
 * header. */
SPORF_API const char *sporf_reader_kept_name(const sporf_reader *reader, size_t index);

/* How many bytes of the file have been read, of how many; *total is 0 if unknown, as for a pipe. */
SPORF_API void sporf_reader_progress(const sporf_reader *reader, uint64_t *done, uint64_t *total);

/* Frees a reader; NULL is allowed. */
SPORF_API void sporf_reader_free(sporf_reader *reader);

/* ---- data: what is in a table ---------------------------------------------------------------- */

SPORF_API size_t sporf_dataset_rows(const sporf_dataset *data);
SPORF_API size_t sporf_dataset_features(const sporf_dataset *data);
SPORF_API size_t sporf_dataset_classes(const sporf_dataset *data); /* 0 without labels */
SPORF_API size_t sporf_dataset_targets(const sporf_dataset *data); /* 0 without targets */

/* The values of a feature, the class of each row, the values of a target, and the row weights, each
 * for all rows; NULL if there are none. */
SPORF_API const float *sporf_dataset_feature(const sporf_dataset *data, size_t feature);
SPORF_API const uint32_t *sporf_dataset_labels(const sporf_dataset *data);
SPORF_API const float *sporf_dataset_target(const sporf_dataset *data, size_t target);
SPORF_API const float *sporf_dataset_weights(const sporf_dataset *data);

/* How many values of a feature are missing, and how many of these were read as missing because the
 * schema does not have their level. *example, unless example is NULL, is the first such level,
 * shortened if it is long, or NULL; it lives as long as the data. */
SPORF_API size_t sporf_dataset_missing(const sporf_dataset *data, size_t feature);
SPORF_API size_t sporf_dataset_unknown_levels(const sporf_dataset *data, size_t feature,
                                              const char **example);

/* The columns that the option `kept` named, in its order: their names (column1 and so on if they
 * have none), NULL past the last; and a cell as it is written between the separators of a CSV file,
 * in quotes if it was or has to be. Datasets made in other ways have none, nor do parts of this
 * one. */
SPORF_API const char *sporf_dataset_kept_name(const sporf_dataset *data, size_t index);
SPORF_API const char *sporf_dataset_kept_field(const sporf_dataset *data, size_t row, size_t index);

/* Writes features and, as the last columns, labels and targets as CSV with a header; "-" is
 * standard output. Missing values are empty cells, levels are written by name, weights are not
 * written. The file is replaced as by sporf_forest_save; a pipe, a device or an open file such as
 * /dev/stdout is written directly. */
SPORF_API sporf_status sporf_dataset_write_csv(const sporf_dataset *data, const char *path);

/* Whether a text must be quoted in a CSV file (inner quotes doubled) to be read back unchanged: if
 * it has separators, quotes, line ends or blanks around it, or stands for a missing value. */
SPORF_API int sporf_csv_needs_quotes(const char *text);

/* ---- data: the schema ------------------------------------------------------------------------ */

/* A schema holds the names, kinds and levels of features, and the names of the label, the classes
 * and the targets. It belongs to a dataset or a forest and lives as long. Read new data with the
 * schema of the forest (sporf_read_options.schema), so that columns and levels mean the same. */
SPORF_API const sporf_schema *sporf_dataset_schema(const sporf_dataset *data);
SPORF_API const sporf_schema *sporf_forest_schema(const sporf_forest *forest);

/* Names are NULL if there are none, or past the last. Numbers have 0 levels. */
SPORF_API const char *sporf_schema_feature_name(const sporf_schema *schema, size_t feature);
SPORF_API sporf_kind sporf_schema_kind(const sporf_schema *schema, size_t feature);
SPORF_API size_t sporf_schema_levels(const sporf_schema *schema, size_t feature);
SPORF_API const char *sporf_schema_level_name(const sporf_schema *schema, size_t feature,
                                              size_t level);
SPORF_API const char *sporf_schema_label_name(const sporf_schema *schema);
SPORF_API const char *sporf_schema_class_name(const sporf_schema *schema, size_t class_index);
SPORF_API const char *sporf_schema_target_name(const sporf_schema *schema, size_t target);

/* The label columns, if a row has several labels; otherwise there are none. Classes of a column are
 * numbered from 0, and class k is the target sporf_schema_label_column_target() + k. */
SPORF_API size_t sporf_schema_label_columns(const sporf_schema *schema);
SPORF_API const char *sporf_schema_label_column_name(const sporf_schema *schema, size_t column);
SPORF_API size_t sporf_schema_label_column_classes(const sporf_schema *schema, size_t column);
SPORF_API const char *sporf_schema_label_column_class(const sporf_schema *schema, size_t column,
                                                      size_t class_index);
SPORF_API size_t sporf_schema_label_column_target(const sporf_schema *schema, size_t column);

/* ---- errors and notes as data ---------------------------------------------------------------- */

/* A message in parts. A program whose options have other names, or which counts rows and columns
 * from 0, writes these parts in its own way and all others as they are: see sporf_error_details. */
typedef enum sporf_part_kind {
    SPORF_PART_TEXT,     /* words */
    SPORF_PART_HINT,     /* "; ": the parts after it say what to do */
    SPORF_PART_OPTION,   /* the name of an option, and the value to give it, or NULL */
    SPORF_PART_FILE,     /* the name of a file */
    SPORF_PART_LINE,     /* "line" and its number */
    SPORF_PART_ROW,      /* "row" and its number */
    SPORF_PART_COLUMN,   /* "column" and its number */
    SPORF_PART_NUMBERED, /* "feature", "class", "target" or "level", and its number */
    SPORF_PART_CELL,     /* ", " between the row and the column or feature of a cell */
} sporf_part_kind;

typedef struct sporf_part {
    sporf_part_kind kind;
    const char *text;
    const char *value; /* of an option; NULL: none */
    size_t number;     /* counts from 1; 0: none */
} sporf_part;

/* The last failing call as data. What does not apply is NULL or 0. */
typedef struct sporf_error {
    sporf_status status;
    const char *option;       /* the option at fault */
    const char *file;         /* the file that has the fault */
    size_t line, row, column; /* where the fault is, counted from 1 */
    const sporf_part *parts;  /* the message of sporf_last_error */
    size_t parts_count;
} sporf_error;

/* Everything belongs to the thread, until its next failing call. */
SPORF_API const sporf_error *sporf_error_details(void);

/* What is worth knowing about a table that was read or prepared. */
typedef enum sporf_note_kind {
    SPORF_NOTE_LEFT_OUT,   /* a column is left out; the text is the reason in words */
    SPORF_NOTE_IDENTIFIER, /* numbers that may be identifiers */
    SPORF_NOTE_ROUNDED,    /* whole numbers with more digits than single precision has */
    SPORF_NOTE_CATEGORY,   /* a column with numbers in it was read as a category */
    SPORF_NOTE_LEVELS,     /* a category that has nearly as many levels as rows */
    SPORF_NOTE_NUMBERS,    /* how numbers with commas, points, signs or units were read */
    SPORF_NOTE_LINES,      /* lines that were ignored, or may be a header */
    SPORF_NOTE_FILLED,     /* missing values that were filled in */
    SPORF_NOTE_ENCODING,   /* texts that are not UTF-8 */
} sporf_note_kind;

/* Why a column is left out. */
typedef enum sporf_left_out {
    SPORF_LEFT_OUT_NONE,       /* it is not left out */
    SPORF_LEFT_OUT_EMPTY,      /* it has no values */
    SPORF_LEFT_OUT_CONSTANT,   /* it has one value */
    SPORF_LEFT_OUT_IDENTIFIER, /* it counts the rows, or its values are all different */
    SPORF_LEFT_OUT_DATES,      /* dates, and the options do not ask for features of them */
    SPORF_LEFT_OUT_UNITS,      /* numbers of several units, all different as texts */
    SPORF_LEFT_OUT_ROW_NAMES,  /* the first column, which the header does not name */
} sporf_left_out;

typedef struct sporf_note {
    sporf_note_kind kind;
    sporf_left_out left_out;
    const char *column; /* the name of the column, or its number from 1; NULL: the whole table */
    const char *text;   /* in words */
    const sporf_part *parts; /* the same in parts */
    size_t parts_count;
} sporf_note;

/* The notes on a table, columns that are left out among them; NULL past the last. */
SPORF_API const sporf_note *sporf_dataset_note(const sporf_dataset *data, size_t index);

/* ---- options --------------------------------------------------------------------------------- */

/* In this section p is the number of features, d the number of candidate projections in a node, and
 * lambda the density: the share of features that a projection has. docs/settings.md explains which
 * settings matter. */

typedef enum sporf_method {
    SPORF_METHOD_SPORF,
    SPORF_METHOD_RF,
    SPORF_METHOD_FRC,
    SPORF_METHOD_RR_RF,
    SPORF_METHOD_CCF,
    SPORF_METHOD_PATCH, /* windows of a series, rectangles of an image */
} sporf_method;

typedef enum sporf_criterion { SPORF_GINI, SPORF_ENTROPY } sporf_criterion;

typedef enum sporf_split {
    SPORF_SPLIT_AUTO,  /* in large nodes between bins, then exactly near the best of these */
    SPORF_SPLIT_EXACT, /* every cut of every candidate */
} sporf_split;

typedef enum sporf_bag {
    /* None for ccf, bootstrap for every other method. For sporf, if projections are auto, a
     * subsample for the classes of more than 10,000 rows: not with several labels, weights that are
     * counts, or a bag_fraction. */
    SPORF_BAG_AUTO,
    SPORF_BAG_BOOTSTRAP,
    SPORF_BAG_STRATIFIED, /* a bootstrap within each class */
    SPORF_BAG_SUBSAMPLE,  /* without replacement */
    SPORF_BAG_NONE,
} sporf_bag;

typedef enum sporf_scale {
    SPORF_SCALE_NONE,
    SPORF_SCALE_SD,
    SPORF_SCALE_RANGE,
    SPORF_SCALE_IQR,
    /* Regression: sd. Classification: sd if standard deviations differ by a factor above 100, not
     * counting the 5% of the features at either end; otherwise none. */
    SPORF_SCALE_AUTO,
} sporf_scale;

/* How much time the choice of settings is worth. */
typedef enum sporf_effort {
    SPORF_EFFORT_LOW,     /* none: no pilot forests, but the settings that a search starts with */
    SPORF_EFFORT_DEFAULT, /* an eighth of the work; costly settings only if they gain much */
    SPORF_EFFORT_HIGH,    /* a longer search, and costly settings if they gain at all */
} sporf_effort;

typedef enum sporf_weights {
    SPORF_WEIGHTS_AUTO,    /* sign for sporf, uniform for frc, one for patch */
    SPORF_WEIGHTS_SIGN,    /* -1 or +1 */
    SPORF_WEIGHTS_ONE,     /* +1 */
    SPORF_WEIGHTS_UNIFORM, /* U(-1, 1) */
    SPORF_WEIGHTS_NORMAL,  /* N(0, 1) */
} sporf_weights;

typedef enum sporf_nonzeros {
    SPORF_NONZEROS_GRID,    /* ceil(lambda p d) cells of the p x d grid, without replacement */
    SPORF_NONZEROS_POISSON, /* Poisson(lambda p) features in each projection */
} sporf_nonzeros;

typedef enum sporf_samples {
    SPORF_SAMPLES_KEEP, /* regression: quantiles and intervals can be predicted */
    SPORF_SAMPLES_DROP, /* the model is smaller */
} sporf_samples;

/* Classification: the shares of votes are believed too much, most of all a share of 0. Training
 * learns from the out-of-bag rows how far they can be trusted, and the forest's probabilities
 * follow that: see sporf_forest_calibration. */
typedef enum sporf_calibrate {
    SPORF_CALIBRATE_AUTO, /* if there are out-of-bag rows */
    SPORF_CALIBRATE_NONE, /* probabilities are shares of votes, or of leaves */
} sporf_calibrate;

typedef enum sporf_weight_is {
    /* Only ratios of weights matter. Bags, min_split and min_leaf count rows whatever their weight
     * (rows of weight 0 excepted, which have no effect); the criterion, leaves and out-of-bag
     * errors count rows by weight. */
    SPORF_WEIGHT_RELATIVE,
    /* A weight is the number of equal rows that a row stands for: the forest is that of the table
     * in which each row is repeated as often. For regression this is exact with exact splits. */
    SPORF_WEIGHT_COUNT,
} sporf_weight_is;

/* What is trained. Options that a learner does not use are ignored: see sporf_learner_uses. */
typedef enum sporf_learner {
    SPORF_LEARNER_FOREST,   /* trees that do not know each other, and are averaged */
    SPORF_LEARNER_BOOSTING, /* trees that each correct the sum of those before */
} sporf_learner;

/* What boosting minimises, on average over the rows, by weight. */
typedef enum sporf_loss {
    SPORF_LOSS_AUTO,     /* log for classification, squared for regression */
    SPORF_LOSS_SQUARED,  /* half the squared error */
    SPORF_LOSS_ABSOLUTE, /* the absolute error: medians are predicted */
    SPORF_LOSS_QUANTILE, /* the pinball loss of sporf_params.quantile: that quantile is predicted */
    SPORF_LOSS_POISSON,  /* for counts and rates, not negative: the logarithm of the mean is boosted
                          */
    SPORF_LOSS_LOG,      /* the negative logarithm of the probability of the true class */
} sporf_loss;

/* What grows the trees of a forest, or walks down them. It never changes the forest or a
 * prediction, and is not recorded. */
typedef enum sporf_device {
    SPORF_DEVICE_AUTO, /* the GPU if there is one, it can do the work and is expected to be faster;
                          otherwise the CPU */
    SPORF_DEVICE_CPU,
    /* The GPU; SPORF_ERROR_DEVICE if there is none. The CPU does what the GPU does not support, or
     * could not finish, and the note hook tells why. Not for growing boosted models and rows apart.
     */
    SPORF_DEVICE_GPU,
} sporf_device;

/* An amount that depends on p: factor * p^exponent. {1, 1} is p, {1, .5} its root, {400, 0} the
 * number 400, {3, -1} is 3/p. {0, 0} is auto. */
typedef struct sporf_amount {
    double factor, exponent;
} sporf_amount;

struct sporf_params {
    size_t struct_size;
    sporf_method method;
    /* 0: auto, as many as help, judged by out-of-bag rows after each tenth tree, from 50 to
     * SPORF_TREES_MOST. The trees are the first ones of a larger number. A search for settings
     * reckons with 200. */
    uint32_t trees;
    /* d; for ccf the number of features in a node. Auto: for sporf, if trees leave rows out, pilot
     * forests choose d by out-of-bag error, together with lambda and min_leaf if these are auto, as
     * far as effort allows; otherwise sqrt(p) for rf and p for all others. What is chosen depends
     * on the number of trees, too: a search takes a share of the work of the forest. The forest
     * records what was chosen. */
    sporf_amount projections;
    /* lambda; for frc the number of features is lambda p. Auto: chosen with d; if d is given or not
     * chosen, 3/p, but for sporf 1/p below ten features and for regression. */
    sporf_amount density;
    sporf_weights weights;
    sporf_nonzeros nonzeros;
    uint32_t image_width;          /* patch: features in one line of the image; 0: a series of p */
    uint32_t patch_min, patch_max; /* patch: least and largest side, in features */
    sporf_criterion criterion;
    uint32_t
        max_depth; /* 0: no limit; boosting without max_leaves: 3 to 6, by the number of rows */
    /* A node with fewer rows of the bag, repeats included, is not split. 0: auto, 5 for regression,
     * otherwise 2. */
    uint32_t min_split;
    uint32_t min_leaf; /* fewest rows of a child, counted alike; 0: auto, 1 or chosen with d */
    sporf_bag bag;
    /* The share of the rows that a bag draws, with replacement except for subsample; stratified
     * takes it from each class. 0: 0.632 for subsample, 0.8 for that of bag auto, otherwise 1. */
    double bag_fraction;
    sporf_scale scale;
    uint64_t seed;
    uint32_t threads;    /* 0: one for each core */
    uint64_t max_memory; /* bytes; a training that may need more is refused; 0: no limit */
    sporf_split split;
    /* Factors for the weights of a class's rows: "balanced", or "NAME=WEIGHT,NAME=WEIGHT", where
     * the other classes have 1; NULL for none. The text is borrowed and must live until the
     * training is done, also if sporf_params_set took it. */
    const char *class_weights;
    sporf_samples samples; /* whether leaves keep the targets of their rows */
    /* The share of each bag's rows that fill the leaves of a tree and do not choose its splits,
     * from 0 to below 1. 0: all rows do both. */
    double honest;
    sporf_weight_is weight_is; /* what the weights of rows and classes mean */
    /* The least share of a tree's weight in each child, from 0 to 0.5: of the weight of the rows
     * that choose its splits, or of their number if there are no weights. It holds in addition to
     * min_leaf. */
    double min_leaf_weight;
    sporf_calibrate calibration; /* whether out-of-bag votes calibrate the probabilities */
    sporf_effort effort;         /* how much time the choice of settings is worth; not recorded */
    sporf_learner learner;
    /* Boosting */
    uint32_t rounds;     /* at most; each round adds a tree for each output and bag */
    double rate;         /* factor of every leaf, above 0, up to 1; 0: auto */
    uint32_t max_leaves; /* of a tree, which then grows where it gains most; 0: no limit */
    double valid;        /* share of the rows that are held out to stop by; 0: none */
    uint32_t patience;   /* rounds without a smaller loss after which boosting stops */
    sporf_loss loss;
    double quantile; /* of the loss quantile, above 0, below 1 */
    double l2; /* added to the hessian of every leaf; leaves of absolute and quantile have none */
    double subsample; /* share of the rows that a tree is grown on, above 0, up to 1; 0: auto */
    /* Boosters with different held-out rows, grown side by side, whose scores are averaged; 0:
     * auto, more for small tables. */
    uint32_t bags;
    /* "NAME=+,NAME=-": predictions never fall, or never rise, with a feature; NULL for none.
     * Borrowed like class_weights. */
    const char *monotone;
    /* Seconds after which training ends with what was grown so far, in order, at least one tree or
     * round; choosing settings takes at most half of them. 0: no limit. Not recorded. */
    double time;
    /* Classification: costs of errors, "TRUE:PREDICTED=COST,...", where all others cost 1. The
     * class with the least expected cost is predicted, by the probabilities. NULL for none.
     * Borrowed like class_weights. */
    const char *cost;
    /* Two classes, forests: "CLASS=SHARE". CLASS is predicted if its probability reaches a
     * threshold, the one with the highest precision of all that find at least this share of its
     * out-of-bag rows. NULL for none. Borrowed like class_weights. */
    const char *recall;
    sporf_device device; /* what grows the trees; not recorded */
};

/* The trees of a forest whose number is auto are at most so many. */
enum { SPORF_TREES_MOST = 2000 };

#define sporf_params_init(params) sporf_params_init_sized((params), sizeof *(params))
SPORF_API void sporf_params_init_sized(sporf_params *params, size_t struct_size);

/* Sets one setting from text, as on the command line: ("projections", "p^0.5"). The names are those
 * of sporf_option_at; '-' and '_' in them are the same. Only a value of type "text" is borrowed. */
SPORF_API sporf_status sporf_params_set(sporf_params *params, const char *name, const char *value);

/* Writes one setting as text that sporf_params_set reads back. */
SPORF_API sporf_status sporf_params_get(const sporf_params *params, const char *name, char *buffer,
                                        size_t size);

/* A row of the table of settings, which defaults, range checks, the command, the bindings and the
 * reference pages share. */
typedef struct sporf_option {
    const char *name;    /* as for sporf_params_set */
    const char *type;    /* "integer", "real", "amount", "choice", "bytes", "duration" or "text" */
    const char *choices; /* the values of a choice, separated by '|'; otherwise the range */
    const char *default_value; /* as text */
    const char *help;
} sporf_option;

SPORF_API const sporf_option *sporf_option_at(size_t index); /* NULL past the last */

/* What a method or a sampler does and does not do. All zero is safe for every sampler. */
typedef struct sporf_traits {
    size_t struct_size; /* sizeof(sporf_traits); 0: the other fields are not read */
    /* It uses tree, depth, features, scale and classes of the view only; pointers to rows may be
     * NULL. Training may then copy rows, which is faster. */
    int ignores_rows;
    /* The view counts a category of more than two levels as that many features, at most 3, as in
     * one-hot coding, so that it is drawn more often; in sums of features the mean stands for a
     * missing value. Only together with ignores_rows. */
    int draws_slots;
    int makes_basis;    /* prepare adds directions to the basis */
    int mixes_features; /* it adds features, so their units matter: see scale */
    int needs_numbers;  /* it takes neither categories nor missing values */
    int classes_only;   /* it cannot be used for regression */
    double terms;       /* features of all candidates of a node together, on average; 0: unknown */
} sporf_traits;

/* A row of the table of methods, in the order of sporf_method. */
typedef struct sporf_method_info {
    const char *name;    /* as the option "method" takes it */
    const char *title;   /* in words */
    const char *options; /* the options it uses among those that not all methods use: names
                            separated by '|' */
    sporf_bag bag;       /* what the option "bag" is if it is auto */
    int equal_terms;     /* all projections have the same number of features */
    sporf_traits traits; /* terms is 0: it depends on the options */
} sporf_method_info;

SPORF_API const sporf_method_info *sporf_method_at(size_t index); /* NULL past the last */

/* Whether a method uses an option: one in its row, or one that is in no row. */
SPORF_API int sporf_method_uses(sporf_method method, const char *option);

/* Whether a learner uses an option. */
SPORF_API int sporf_learner_uses(sporf_learner learner, const char *option);

/* ---- training -------------------------------------------------------------------------------- */

typedef enum sporf_phase {
    SPORF_PHASE_SAMPLE,    /* drawing candidates */
    SPORF_PHASE_PROJECT,   /* projecting the rows of a node on them */
    SPORF_PHASE_SPLIT,     /* finding the best cut */
    SPORF_PHASE_PARTITION, /* sending rows left and right */
    SPORF_PHASE_OTHER,     /* counting classes, copying rows, storing nodes, waiting for helpers */
    SPORF_PHASES
} sporf_phase;

/* Where the time of a training went, over all threads. Index s is for nodes of 2^s to 2^(s+1) - 1
 * different rows. */
enum { SPORF_PROFILE_SIZES = 32 };
typedef struct sporf_profile {
    double seconds[SPORF_PHASES][SPORF_PROFILE_SIZES];
    uint64_t nodes[SPORF_PROFILE_SIZES];           /* splits and leaves */
    uint64_t row_projections[SPORF_PROFILE_SIZES]; /* rows times candidates */
} sporf_profile;

typedef struct sporf_sampler sporf_sampler;     /* see Samplers of your own */
typedef struct sporf_user_loss sporf_user_loss; /* see Losses of your own */

/* Where boosting stands after a round. Losses are means over rows, by weight. */
typedef struct sporf_boost_round {
    size_t round, rounds; /* this one, from 1 on, and the most there may be */
    double train_loss;    /* of the rows that trees are grown on */
    double valid_loss;    /* of the rows that are held out; NaN without any */
    size_t best_round;    /* the one with the least loss so far; without held-out rows, the last */
} sporf_boost_round;

struct sporf_hooks {
    size_t struct_size;
    void *payload; /* passed to progress, interrupt, choosing, round and note */
    /* Called after each tree, by any thread of the training, one call at a time; may be NULL. */
    void (*progress)(void *payload, size_t trees_done, size_t trees);
    /* Called often, by all threads at once; any result but 0 stops the training; may be NULL. */
    int (*interrupt)(void *payload);
    /* Replaces the sampler of the method; may be NULL. */
    const sporf_sampler *sampler;
    /* Filled unless the training is refused before it starts; may be NULL. Measuring slows the
     * training down a little. */
    sporf_profile *profile;
    /* Called while pilot forests choose settings, after each of their trees, with the number of
     * these so far and the share of the work allowed to them; called like progress; may be NULL. */
    void (*choosing)(void *payload, size_t pilot_trees, double share);
    /* Set to the seconds that choosing settings took, if pilot forests choose; may be NULL. */
    double *search_seconds;
    /* Boosting: called after each round, by any thread of the training, one call at a time; may be
     * NULL. progress counts rounds, and profile is not filled. */
    void (*round)(void *payload, const sporf_boost_round *round);
    /* Boosting: rows to stop by, instead of a share of the training rows; may be NULL. Columns are
     * matched as in prediction. */
    const sporf_dataset *valid;
    /* Boosting: replaces the loss; may be NULL. */
    const sporf_user_loss *loss;
    /* Called with a sentence for the user, such as why the CPU grows a forest and not the GPU, by
     * the thread that trains; may be NULL. The text is valid during the call. */
    void (*note)(void *payload, const char *text);
};

#define sporf_hooks_init(hooks) sporf_init_sized((hooks), sizeof *(hooks))

/* Adds trees (warm start): makes a new forest of params->trees trees, whose first ones are those of
 * the given forest, which does not change. With the data that it was trained on, rows in the same
 * order, the result equals a training of that many trees with the settings that the forest records,
 * in every byte of its file and in its votes, and takes the time of the added trees. Nothing is
 * chosen again, although a search for more trees might choose other settings. All settings other
 * than trees must be auto or those that the forest records; sporf_forest_params gives the latter.
 * params must not be NULL. Columns, classes and targets must be the same; other rows are refused if
 * the out-of-bag errors reveal them. A sampler of your own is recognised by its name. progress
 * counts the added trees. If the interrupt hook stops, the result has the trees so far, at least
 * the given ones. Free with sporf_forest_free. */
SPORF_API sporf_status sporf_forest_extend(const sporf_forest *forest, const sporf_dataset *data,
                                           const sporf_params *params, const sporf_hooks *hooks,
                                           sporf_forest **out);

/* Writes the recorded settings of a forest into params, which must be initialised. min_leaf_weight
 * becomes 0 if it is not recorded. Others that are not stay as they were, such as weight_is if all
 * rows had the same weight. class_weights is borrowed from the forest. */
SPORF_API sporf_status sporf_forest_params(const sporf_forest *forest, sporf_params *params);

/* What a training with these data and params would do. */
typedef struct sporf_preview {
    size_t struct_size;
    sporf_bag bag; /* params->bag, or what is taken if that is auto */
    /* Whether pilot forests choose settings: projections, and density and min_leaf if these are
     * auto, too. Not if effort is low, nor by default if there are too few trees. */
    int chooses;
    /* Whether trees leave rows out of their bags, so that there is an out-of-bag error. There is
     * none if weights are counts and those of most rows of a class are so large that nearly every
     * bag has them. */
    int leaves_rows_out;
    uint64_t memory;      /* an upper estimate of the bytes that it takes beside the dataset */
    size_t features;      /* p */
    uint32_t projections; /* d; 0 if pilot forests choose it */
    double nonzeros;      /* mean number of features of a candidate; NaN if chosen */
} sporf_preview;

#define sporf_preview_init(preview) sporf_init_sized((preview), sizeof *(preview))

/* Fills *preview, which must be initialised. What training refuses is refused here, too. */
SPORF_API sporf_status sporf_train_preview(const sporf_dataset *data, const sporf_params *params,
                                           sporf_preview *preview);

/* ---- prediction and evaluation --------------------------------------------------------------- */

typedef enum sporf_combine {
    SPORF_COMBINE_VOTES,      /* each tree votes for the largest class of its leaf */
    SPORF_COMBINE_POSTERIORS, /* the class shares of the trees' leaves are averaged */
} sporf_combine;

/* Which class is predicted. */
typedef enum sporf_decide {
    SPORF_DECIDE_MODEL, /* by the cost or the recall of training, if there was one */
    SPORF_DECIDE_PLAIN, /* the one with most votes, or the most probable one */
} sporf_decide;

struct sporf_predict_options {
    size_t struct_size;
    sporf_combine combine; /* how trees are combined into classes and probabilities */
    unsigned threads;      /* 0: one for each core */
    /* NONE: probabilities are the plain shares of votes, or of leaves, whatever training learned.
     * It changes no class, unless the model decides by cost. A model that decides by recall names
     * no class from them: its threshold is for calibrated probabilities. */
    sporf_calibrate calibration;
    sporf_decide decision;
    /* sporf_forest_predict: what walks down the trees. It never changes a prediction. Each call
     * copies the forest to the GPU; AUTO does so for batches that are large enough. The GPU is not
     * used for quantiles, intervals and results of single trees. */
    sporf_device device;
    /* Called with a sentence for the user if the CPU predicts what the GPU was to predict, by the
     * thread that predicts; may be NULL. The text is valid during the call. */
    void (*note)(void *payload, const char *text);
    void *note_payload;
};

#define sporf_predict_options_init(options) sporf_init_sized((options), sizeof *(options))

/* What sporf_forest_predict is to predict: arrays of the caller, each NULL if it is not wanted.
 * They are filled row by row. */
struct sporf_predictions {
    size_t struct_size;
    /* Classification */
    uint32_t *classes;      /* [rows]: the class, the lowest one in a tie; see sporf_decide */
    double *probabilities;  /* [rows x classes]: calibrated if training learned how */
    uint32_t *votes;        /* [rows x classes]: how many trees vote for each class */
    uint32_t *tree_classes; /* [rows x trees]: the vote of each tree */
    /* Regression */
    double *values; /* [rows x targets]: the mean over the trees */
    /* Both: the leaf of each tree that a row ends in. Leaves are numbered from 0 in each tree, in
     * the order of its nodes, as in sporf_node.leaf. */
    uint32_t *leaves; /* [rows x trees] */
    /* Quantiles (quantile regression forests, Meinshausen 2006), from forests that keep samples.
     * The quantile 0.9 is the smallest number such that 0.9 of the weight of the training values in
     * the leaves of the row are not above it; each tree counts the same. */
    const double *quantiles; /* [quantiles_count]: which ones, from 0 to 1 */
    size_t quantiles_count;
    double *quantile_values; /* [rows x targets x quantiles_count] */
    /* Prediction intervals, from forests that keep samples: a share `interval` (above 0, below 1)
     * of new values is expected to be within. Both bounds are quantiles. Training chose which ones
     * so that the intervals contain that share of the out-of-bag rows; without such rows they are
     * (1 - interval) / 2 and (1 + interval) / 2. */
    double interval;
    double *bounds; /* [rows x targets x 2]: the lower bound, then the upper one */
    /* Boosting: the sums of the trees before they become probabilities or values. With two classes
     * the log odds of the second. */
    double *scores; /* [rows x outputs] */
    /* Several labels: the class of each label column, the one with the largest share, the lowest in
     * a tie. The shares are in `values`: the target of each class is its mean share in the leaves.
     */
    uint32_t *label_classes; /* [rows x label columns] */
    /* Both: the leaf of one tree that a row ends in. If nothing else is wanted, no other tree is
     * looked at. */
    size_t tree;
    uint32_t *tree_leaves; /* [rows] */
};

#define sporf_predictions_init(predictions) sporf_init_sized((predictions), sizeof *(predictions))

/* Predicts one row of sporf_forest_features() values; the value of a category is the number of its
 * level, NaN is missing. Probabilities are calibrated if training learned how. There is no
 * allocation and no lock, arguments are not checked, and any number of threads may call it at the
 * same time. Classification: writes the probabilities into out[classes] and returns the class, by
 * the cost or the recall of training. Regression: writes the values into out[targets] and returns
 * 0. If a model that was mapped with sporf_forest_map turns out to be damaged, the result is
 * SPORF_NO_CLASS, also in regression. */
SPORF_API uint32_t sporf_forest_predict_row(const sporf_forest *forest, const float *row,
                                            sporf_combine combine, double *out);
#define SPORF_NO_CLASS UINT32_MAX

/* Counts the rows of the data that have a level of a feature (of the forest) that the forest does
 * not know. Prediction takes them as missing. *example, unless example is NULL, is the first such
 * level, or NULL. Levels that were missing in the schema when a file was read are not counted here,
 * see sporf_dataset_unknown_levels. */
SPORF_API sporf_status sporf_forest_unknown_levels(const sporf_forest *forest,
                                                   const sporf_dataset *data, size_t feature,
                                                   size_t *rows, const char **example);

enum { SPORF_CALIBRATION_BINS = 10 };

/* Predictions of similar confidence, which is the probability of the predicted class. Bin k has
 * confidences from k/10 up to, but not including, (k + 1)/10; the last bin includes 1. Means are
 * weighted if rows have weights, and NaN if a bin has no weight. */
typedef struct sporf_calibration_bin {
    size_t rows;
    double weight;     /* of the rows; their number if they have no weights */
    double confidence; /* mean */
    double accuracy;   /* share of right predictions */
} sporf_calibration_bin;

/* How far probabilities can be trusted. */
typedef struct sporf_calibration {
    double brier; /* mean over rows of the sum over classes of (probability - truth)^2: 0 to 2 */
    double error; /* expected calibration error: the mean of |confidence - accuracy| over the bins,
                     each with its share of the weight */
    sporf_calibration_bin bins[SPORF_CALIBRATION_BINS];
} sporf_calibration;

/* How well a target is predicted. */
typedef struct sporf_target_scores {
    double rmse, mae; /* root of the mean squared error, mean absolute error */
    double r2;        /* share of the variance that is explained; NaN if nothing varies */
} sporf_target_scores;

/* How good quantiles and intervals are. */
typedef struct sporf_quantile_scores {
    /* Mean pinball loss: q times the excess of the true value over the quantile q, or 1 - q times
     * the excess of the quantile over the true value. */
    double pinball;
    double below; /* share of rows whose true value is at or below the quantile: ideally q */
} sporf_quantile_scores;

typedef struct sporf_interval_scores {
    double coverage; /* share of rows in their interval: ideally that of the interval */
    double width;    /* mean */
} sporf_interval_scores;

/* What sporf_forest_evaluate finds. Scores count rows by weight if the data have weights; scores
 * that do not apply are NaN. Pointers are arrays of the caller, each NULL if it is not wanted. */
typedef struct sporf_evaluation {
    size_t struct_size;
    size_t rows;
    /* Classification */
    size_t unknown_labels; /* rows whose label the forest does not know; they count as errors */
    double error;          /* the error rate */
    double kappa;          /* Cohen's kappa; NaN if truth and prediction are a single class */
    double kappa_paper;    /* 1 - error / c as in the paper's UCI table: c is 1 less the largest
                              share of a class, the first class not considered */
    double log_loss;
    /* Counts [(classes + 1) x classes]: row = true class of the forest, the last row for unknown
     * labels; column = predicted class. */
    size_t *confusion;
    sporf_calibration *calibration; /* an unknown label counts as a class with probability 0 */
    /* Regression: over all targets; rmse is the root of the mean of squares, r2 the mean over the
     * targets that vary. The targets of the data are matched by name, or by position if they have
     * no names or other ones. */
    double rmse, mae, r2;
    sporf_target_scores *targets; /* [targets]: of each */
    const double *quantiles;      /* [quantiles_count]: which ones, from 0 to 1 */
    size_t quantiles_count;
    sporf_quantile_scores *quantile_scores; /* [targets x quantiles_count] */
    double interval;                        /* as in sporf_predictions */
    sporf_interval_scores *interval_scores; /* [targets] */
    /* Classification: what sporf_score_classes needs, each NULL if it is not wanted. The true class
     * is its number in the forest, or the number of classes if the forest does not know it. */
    double *probabilities; /* [rows x classes] */
    uint32_t *predicted;   /* [rows] */
    uint32_t *labels;      /* [rows] */
    /* Several labels: error is the share of wrong labels (the Hamming loss), and unknown_labels
     * counts the rows that have some. Label columns are matched by name, or by position if the data
     * have as many under other names. */
    double subset_error;  /* share of rows with some wrong label: 1 less the subset accuracy */
    double *label_errors; /* [label columns]: the error rate of each */
} sporf_evaluation;

#define sporf_evaluation_init(evaluation) sporf_init_sized((evaluation), sizeof *(evaluation))

/* Compares predictions with the labels or the targets of the data. *evaluation must be initialised.
 */
SPORF_API sporf_status sporf_forest_evaluate(const sporf_forest *forest, const sporf_dataset *data,
                                             const sporf_predict_options *options,
                                             sporf_evaluation *evaluation);

/* ---- scores of classification ---------------------------------------------------------------- */

/* Predicted probabilities and true classes: of a table (sporf_forest_evaluate), out of bag
 * (sporf_forest_oob_probabilities), out of fold (sporf_crossval), or from elsewhere. */
typedef struct sporf_scored_rows {
    size_t struct_size;
    size_t rows, classes;
    const double *probabilities; /* [rows x classes]; a row with a NaN is ignored */
    /* [rows]: the true class; `classes` or more if it has no probability: one that was given 0, and
     * is never predicted */
    const uint32_t *labels;
    const double *weights;     /* [rows], from 0 to 1e100; rows of weight 0 are ignored; NULL: 1 */
    const uint32_t *predicted; /* [rows]; NULL: the most probable class, the lowest one in a tie */
} sporf_scored_rows;

#define sporf_scored_rows_init(scored) sporf_init_sized((scored), sizeof *(scored))

typedef struct sporf_score_options {
    size_t struct_size;
    double confidence; /* of intervals, from 0.5 to 0.9999; 0: 0.95 */
    /* How often rows are drawn for intervals by the bootstrap, at most 100,000; 0: no such
     * intervals. Time is that for scores times the number; memory is 4 bytes for each row and
     * class. */
    uint32_t replicates;
    uint64_t seed;            /* of these draws */
    uint32_t top_k;           /* 0: 2 with up to ten classes, otherwise 5 */
    unsigned threads;         /* 0: one for each core */
    const sporf_hooks *hooks; /* `interrupt` is asked before each draw; NULL: none */
} sporf_score_options;

#define sporf_score_options_init(options) sporf_init_sized((options), sizeof *(options))

/* A score with its confidence interval, which is NaN if there is none. A score without a value,
 * such as an area with rows of a single class, is NaN. */
typedef struct sporf_score {
    double value, low, high;
} sporf_score;

/* How well one class is told from the others. */
typedef struct sporf_by_class {
    size_t rows;                     /* of the class */
    double weight, predicted_weight; /* of rows of the class, and of rows predicted as it */
    double precision; /* share of right ones among rows predicted as the class; NaN if none is */
    double recall;    /* share of rows predicted as the class among its rows; NaN if it has none */
    double f1;        /* harmonic mean of both; NaN if no row is of the class or predicted as it */
    double auc, auc_low, auc_high; /* against the rest, with the interval of DeLong et al. (1988) */
    double average_precision;      /* likewise against the rest */
} sporf_by_class;

/* Scores of classification, equal to those of scikit-learn. Rows count by weight. Intervals are
 * percentiles of the bootstrap over rows, but that of auc is DeLong's. */
typedef struct sporf_class_scores {
    size_t struct_size;
    sporf_by_class *by_class;       /* [classes], of the caller; NULL: not wanted */
    sporf_calibration *calibration; /* of the caller; NULL: not wanted */
    size_t rows;                    /* that count */
    double weight;                  /* of them */
    uint32_t top_k;
    sporf_score accuracy;
    sporf_score balanced_accuracy; /* mean recall of the classes that have rows */
    sporf_score f1_macro;          /* mean F1 of the classes that are true or predicted */
    sporf_score mcc;               /* Matthews' correlation; for more classes by Gorodkin (2004) */
    sporf_score log_loss;          /* a probability of 0 for the true class counts as 2^-52 */
    sporf_score brier;             /* over all classes, as in sporf_calibration */
    sporf_score top_k_accuracy;    /* share of rows whose class is among the top_k most probable;
                                      in a tie the higher class is taken first */
    /* The area under the ROC curve: with two classes that of the second; with more the mean over
     * the classes against the rest. Then the mean over pairs of classes (Hand and Till 2001), and
     * the average precision, like auc. */
    sporf_score auc, auc_hand_till, average_precision;
} sporf_class_scores;

#define sporf_class_scores_init(scores) sporf_init_sized((scores), sizeof *(scores))

/* Fills *scores, which must be initialised. */
SPORF_API sporf_status sporf_score_classes(const sporf_scored_rows *scored,
                                           const sporf_score_options *options,
                                           sporf_class_scores *scores);

/* The scores one after the other, for reports: the name of score i, like its member, and its value;
 * NULL after the last. score may be NULL. */
SPORF_API const char *sporf_class_scores_at(const sporf_class_scores *scores, size_t i,
                                            sporf_score *score);

/* A point of the ROC curve and of the precision-recall curve of a class: the rows whose probability
 * of the class is at least the threshold are predicted as that class. */
typedef struct sporf_curve_point {
    double threshold;
    double false_positive_rate; /* share of these rows among those of other classes */
    double recall;              /* and among those of the class: the true positive rate */
    double precision;           /* share of the class among these rows */
} sporf_curve_point;

/* Fills points[rows + 1], the largest threshold first, and sets *count to their number. The first
 * point has an infinite threshold, no row, and the precision 1. Rates are NaN if there are no rows
 * to divide by. */
SPORF_API sporf_status sporf_score_curve(const sporf_scored_rows *scored, uint32_t class_index,
                                         sporf_curve_point *points, size_t *count);

/* ---- model files ----------------------------------------------------------------------------- */

/* The bytes that sporf_forest_save would write. Free *bytes with sporf_free. */
SPORF_API sporf_status sporf_forest_save_bytes(const sporf_forest *forest, void **bytes,
                                               size_t *size);
SPORF_API void sporf_free(void *bytes); /* NULL is allowed */

/* Loads a forest from the bytes of a model file, which are copied. */
SPORF_API sporf_status sporf_forest_load_bytes(const void *bytes, size_t size, sporf_forest **out);

/* Maps a model file instead of loading it: the forest is ready at once, whatever its size. Trees
 * are read from the file when they are needed, and each step is checked, so prediction is several
 * times slower. Names and tables are checked, trees are not: damage that leads out of a tree is an
 * error, but a changed threshold goes unnoticed until sporf_forest_check. The file must not change
 * while the forest lives; if it becomes shorter, the process gets the signal SIGBUS. Replacing the
 * file, as sporf_forest_save does, is no change. Free with sporf_forest_free. */
SPORF_API sporf_status sporf_forest_map(const char *path, sporf_forest **out);

/* Reads and checks the whole of a forest that was opened with sporf_forest_map. Prediction is then
 * as fast as with a loaded one. No other thread may use the forest meanwhile. */
SPORF_API sporf_status sporf_forest_check(sporf_forest *forest);

/* ---- parts of a forest: several processes or machines grow it -------------------------------- */

/* Some trees of a forest, with what they say out of bag. Parts of the same data, params and version
 * of the library are joined, in any order and without the data, to the forest that one training
 * gives, byte for byte. Boosted models have no parts: each of their rounds needs the one before. */
typedef struct sporf_forest_part sporf_forest_part;

/* The settings as a training with these data, params and hooks chooses them: nothing that depends
 * on the data stays auto. Training with them gives the same forest without choosing again.
 * *settled may be *params; class_weights stays borrowed. */
SPORF_API sporf_status sporf_train_settle(const sporf_dataset *data, const sporf_params *params,
                                          const sporf_hooks *hooks, sporf_params *settled);

/* Grows the trees `first` .. first + count - 1, counted from 0, of a forest of params->trees trees.
 * Settings that are auto are chosen first, in every part anew: settle them before. A part is grown
 * whole or, if the interrupt hook stops, not at all. Free with sporf_forest_part_free. */
SPORF_API sporf_status sporf_forest_part_train(const sporf_dataset *data,
                                               const sporf_params *params, const sporf_hooks *hooks,
                                               uint32_t first, uint32_t count,
                                               sporf_forest_part **out);
SPORF_API void sporf_forest_part_free(sporf_forest_part *part); /* NULL is allowed */

/* Like those of forests. A part is no model: sporf_forest_load refuses it, and these refuse
 * models. */
SPORF_API sporf_status sporf_forest_part_save(const sporf_forest_part *part, const char *path);
SPORF_API sporf_status sporf_forest_part_load(const char *path, sporf_forest_part **out);
SPORF_API sporf_status sporf_forest_part_save_bytes(const sporf_forest_part *part, void **bytes,
                                                    size_t *size);
SPORF_API sporf_status sporf_forest_part_load_bytes(const void *bytes, size_t size,
                                                    sporf_forest_part **out);

typedef struct sporf_forest_part_info {
    size_t struct_size;
    uint32_t first, trees; /* the number of its first tree, from 0 on, and how many it has */
    uint32_t whole;        /* trees of the whole forest */
    size_t rows;           /* of the training data */
    uint64_t table;        /* their checksum: sporf_dataset_checksum */
} sporf_forest_part_info;

#define sporf_forest_part_info_init(info) sporf_init_sized((info), sizeof *(info))

/* *info must be initialised. */
SPORF_API sporf_status sporf_forest_part_describe(const sporf_forest_part *part,
                                                  sporf_forest_part_info *info);

/* Joins all parts of a forest, given in any order. Gaps, overlaps and parts of other data, settings
 * or versions are refused; messages call the parts by names[count], or by number if that is NULL.
 * threads as in sporf_params. Free with sporf_forest_free. */
SPORF_API sporf_status sporf_forest_join(const sporf_forest_part *const *parts,
                                         const char *const *names, size_t count, unsigned threads,
                                         sporf_forest **out);

/* Parts that are joined as they come, in any order, so that this takes place while others are still
 * grown: what is needed of a part is taken from it as soon as those before it are there, and the
 * rest of its memory is freed. One thread at a time may use it. Free with sporf_joining_free. */
typedef struct sporf_joining sporf_joining;
SPORF_API sporf_status sporf_joining_create(unsigned threads, sporf_joining **out);
SPORF_API void sporf_joining_free(sporf_joining *joining); /* NULL is allowed */

/* Takes over the part, also if it fails. Messages call it by the name, or by number if that is
 * NULL. A part that does not belong to those before is refused, and others can still be added;
 * after a failure of another kind the joining can only be freed. */
SPORF_API sporf_status sporf_joining_add(sporf_joining *joining, sporf_forest_part *part,
                                         const char *name);

/* The first trees of the forest that are joined: those before the first missing one. */
SPORF_API uint32_t sporf_joining_trees(const sporf_joining *joining);

/* The forest. If trees are missing, it is refused or, with first_trees, made of those before the
 * first missing one: the forest that a training keeps which is interrupted there. Afterwards the
 * joining can only be freed. Free the forest with sporf_forest_free. */
SPORF_API sporf_status sporf_joining_end(sporf_joining *joining, int first_trees,
                                         sporf_forest **out);

/* One number for all that training sees of the data: columns, labels, targets, weights, names and
 * levels. */
SPORF_API sporf_status sporf_dataset_checksum(const sporf_dataset *data, unsigned threads,
                                              uint64_t *checksum);

/* ---- rows apart: a table that no machine can hold ---------------------------------------------
 */

/* Shards have some rows of a table each, on several machines or in one process; a crown has the
 * tops of the trees and asks all shards. When the rows of a node are few enough, they are brought
 * together and the rest is grown there as a branch. The forest is the one that a training on the
 * whole table gives, byte for byte, however the rows are divided.
 *
 * Questions, answers, rows and branches are bytes, to be carried by whatever connects the machines;
 * free those that are returned with sporf_free. Nothing else has to survive: a question says all
 * that was decided before, so that a shard made anew answers it, too.
 *
 *     while ((question = sporf_crown_ask(crown, &size)))
 *         ... every shard: sporf_shard_answer; then sporf_crown_hear with all answers; and while
 *         there are sporf_crown_branches: sporf_crown_branch, every shard: sporf_shard_answer, any
 *         one: sporf_shard_grow, then sporf_crown_take
 *     sporf_crown_finish
 *
 * It takes classification, and regression with one target, with numbers and categories, weights and
 * missing values, and the methods sporf, rf, frc and patch; the rest is refused. Levels of
 * categories must have the same names and numbers in all shards. Rows stay in the shard they are
 * in: one that is made anew has the same first row. */
typedef struct sporf_shard sporf_shard;
typedef struct sporf_crown sporf_crown;

/* A table of so many rows without columns, to be given labels or a target, and weights. Free with
 * sporf_dataset_free. */
SPORF_API sporf_status sporf_dataset_of_outcomes(size_t rows, sporf_dataset **out);

/* Makes a shard of the rows first_row .. of the table; `rows` has their columns. `outcomes` has the
 * labels or targets, and the weights, of all rows of the table; its columns are ignored. Both are
 * borrowed. Free with sporf_shard_free. */
SPORF_API sporf_status sporf_shard_create(const sporf_dataset *outcomes, const sporf_dataset *rows,
                                          size_t first_row, const sporf_params *params,
                                          sporf_shard **out);
/* The same with the outcomes and settings of another shard, which must outlive this one. Shards of
 * one process then share the weights of all rows. */
SPORF_API sporf_status sporf_shard_create_beside(const sporf_shard *other,
                                                 const sporf_dataset *rows, size_t first_row,
                                                 sporf_shard **out);
SPORF_API void sporf_shard_free(sporf_shard *shard); /* NULL is allowed */

/* Answers a question. threads as in sporf_params. */
SPORF_API sporf_status sporf_shard_answer(sporf_shard *shard, const void *question, size_t size,
                                          unsigned threads, void **answer, size_t *answer_size);

/* Makes one answer of those of shards whose rows follow each other, in the order of their rows, as
 * if they were one shard, so that what a machine sends hardly depends on how many shards it has.
 * Any shard can; several threads take turns. Answers to questions about the rows of a branch are
 * refused. */
SPORF_API sporf_status sporf_shard_add_up(sporf_shard *shard, const void *question, size_t size,
                                          const void *const *answers, const size_t *sizes,
                                          size_t count, void **sum, size_t *sum_size);

/* Grows the branch of a question from the answers of all shards, in the order of their rows. Any
 * shard can; several threads may at the same time. */
SPORF_API sporf_status sporf_shard_grow(sporf_shard *shard, const void *question, size_t size,
                                        const void *const *rows, const size_t *rows_sizes,
                                        size_t count, void **branch, size_t *branch_size);

/* Starts a forest. `like` has the columns of the table, and any rows. A node with at most
 * branch_rows rows, out-of-bag rows included, becomes a branch; `trees` grow at a time, for each of
 * which a shard needs up to 16 bytes for each of its rows. The interrupt hook is asked when answers
 * are heard. `outcomes` is borrowed. Free with sporf_crown_free. */
SPORF_API sporf_status sporf_crown_create(const sporf_dataset *outcomes, const sporf_dataset *like,
                                          const sporf_params *params, const sporf_hooks *hooks,
                                          uint64_t branch_rows, uint32_t trees, sporf_crown **out);
SPORF_API void sporf_crown_free(sporf_crown *crown); /* NULL is allowed */

/* The next question to all shards, which belongs to the crown; NULL if branches have to be grown
 * first, or if all trees are grown. */
SPORF_API const void *sporf_crown_ask(const sporf_crown *crown, size_t *size);

/* Takes the answers of all shards, in the order of their rows. Answers to another question, or not
 * of all rows, are refused and can be given again; after any other error, such as damaged bytes or
 * the interrupt hook, the crown asks nothing more and can only be finished. */
SPORF_API sporf_status sporf_crown_hear(sporf_crown *crown, const void *const *answers,
                                        const size_t *sizes, size_t count);

/* How many branches have to be grown now, and the question about the rows of one of them; *rows is
 * how many it has. They may be grown and taken in any order; one that is taken twice counts once,
 * and one that arrived damaged can be given again. */
SPORF_API size_t sporf_crown_branches(const sporf_crown *crown);
SPORF_API sporf_status sporf_crown_branch(const sporf_crown *crown, size_t branch, void **question,
                                          size_t *size, uint64_t *rows);
SPORF_API sporf_status sporf_crown_take(sporf_crown *crown, size_t branch, const void *grown,
                                        size_t size);

/* The forest of all trees or, before they are grown, of the first ones; SPORF_ERROR_CANCELLED if
 * there is none yet. The crown can only be freed afterwards. Free with sporf_forest_free. */
SPORF_API sporf_status sporf_crown_finish(sporf_crown *crown, sporf_forest **out);

/* ---- inspection: sizes and settings ---------------------------------------------------------- */

SPORF_API size_t sporf_forest_trees(const sporf_forest *forest);
SPORF_API size_t sporf_forest_features(const sporf_forest *forest);
SPORF_API size_t sporf_forest_classes(const sporf_forest *forest); /* 0 for regression */
SPORF_API size_t sporf_forest_targets(const sporf_forest *forest); /* 0 for classification */

/* Whether the forest keeps samples, so that it can predict quantiles and intervals. */
SPORF_API int sporf_forest_has_samples(const sporf_forest *forest);

/* The settings of the training, as text: the value of the one with this name, or NULL; and all of
 * them by index: returns the name and sets *value, or returns NULL past the last. */
SPORF_API const char *sporf_forest_setting(const sporf_forest *forest, const char *name);
SPORF_API const char *sporf_forest_setting_at(const sporf_forest *forest, size_t index,
                                              const char **value);

/* Why training ended before all trees, or all rounds, were grown: "enough", as many as help (trees
 * were auto); "time", the time was over; "interrupt", the hook has asked to stop, which is not
 * stored in files. NULL: it did not, or it is not known. Boosting that stops by held-out rows has
 * grown all rounds. */
SPORF_API const char *sporf_forest_stopped(const sporf_forest *forest);

typedef struct sporf_forest_summary {
    uint64_t nodes, leaves;
    double mean_depth; /* of a leaf, over the leaves of all trees */
    uint32_t max_depth;
    double mean_nonzeros; /* features in a split */
} sporf_forest_summary;

SPORF_API sporf_status sporf_forest_summarise(const sporf_forest *forest,
                                              sporf_forest_summary *summary);

/* ---- inspection: out-of-bag results ---------------------------------------------------------- */

/* Out-of-bag results. Rows count by weight, times the weights of their classes. Pointers are
 * borrowed from the forest. */
typedef struct sporf_oob {
    size_t rows; /* that were out of bag in some tree; if there are none, all else is NaN or NULL */
    /* The error rate. Regression: the root of the mean squared error over all targets in their own
     * units, so that targets of large numbers count most. */
    double error;
    double kappa; /* Cohen's kappa; NaN for regression */
    double r2;    /* share of the variance that is explained, on average over the targets that vary,
                     NaN if none does; NaN for classification */
    const double *curve; /* [trees]: the error of the first t + 1 trees, NaN while there is none */
    const sporf_target_scores *targets; /* [targets]; NULL for classification */
    /* Only after training, not in model files: the votes of the trees that a row was out of bag in,
     * or the mean of their predictions, NaN for a row that never was. */
    const uint32_t *votes;     /* [training_rows x classes]; NULL for regression */
    const double *predictions; /* [training_rows x targets]; NULL for classification */
    size_t training_rows;
} sporf_oob;

SPORF_API void sporf_forest_oob(const sporf_forest *forest, sporf_oob *oob);

/* Several labels, of which `error` above is the share that is wrong: the out-of-bag error rate of
 * each label column and, behind them, the share of rows with some wrong label. NULL if there is
 * none; borrowed from the forest. */
SPORF_API const double *sporf_forest_oob_labels(const sporf_forest *forest);

/* Classification, only after training: probabilities[training_rows x classes] from the votes of the
 * trees that a row was out of bag in, calibrated like predictions from as many votes if training
 * learned how. NaN for a row that never was. */
SPORF_API sporf_status sporf_forest_oob_probabilities(const sporf_forest *forest,
                                                      double *probabilities);

/* The threshold on the probability of a class that training chose for a recall. Returns 0 if there
 * is none. */
SPORF_API int sporf_forest_threshold(const sporf_forest *forest, uint32_t *class_index,
                                     double *threshold);

/* Classification: what it costs to predict a class for a row of another: 1, unless the costs of
 * training say otherwise; 0 if both are the same. */
SPORF_API double sporf_forest_cost(const sporf_forest *forest, uint32_t truth, uint32_t predicted);

/* Classification: the classes[rows] that the forest predicts for probabilities[rows x classes], of
 * its own, such as those out of bag; SPORF_NO_CLASS for a row with a NaN. */
SPORF_API sporf_status sporf_forest_decide(const sporf_forest *forest, const double *probabilities,
                                           size_t rows, uint32_t *classes);

/* How probabilities follow from votes, or from the summed class shares of leaves: n of T votes
 * weigh (n + 1/4 + smoothing T)^power, and the probability of a class is its share of the weights
 * of all classes. The more votes, the more probable: the order of the classes of a row is that of
 * their votes. */
typedef struct sporf_calibration_map {
    double smoothing, power;
    const double *weights; /* [trees + 1]: of 0, 1, ... votes, where all votes weigh 1; between
                              whole numbers, weights are on a line. Borrowed from the forest */
    /* Of the calibrated out-of-bag probabilities, weighted as in sporf_oob; for large tables over
     * some of the rows. */
    double log_loss, brier;
} sporf_calibration_map;

/* Fills *map with what training has learned; returns 0 if it learned nothing: the probabilities are
 * then shares of votes, or of leaves. */
SPORF_API int sporf_forest_calibration(const sporf_forest *forest, sporf_combine combine,
                                       sporf_calibration_map *map);

/* ---- inspection: boosting -------------------------------------------------------------------- */

/* What is known of a boosted model. Pointers are borrowed from it. Its trees are those of round 1,
 * then of round 2 and so on; in a round those of bag 1, then of bag 2; in a bag one for each
 * output. The score of an output is base plus the sum of its leaves, divided by the number of bags.
 */
typedef struct sporf_boosting {
    const char *loss; /* its name, also that of a user's loss */
    /* What scores are: "identity": the values themselves; "log": their logarithms; "logit": the log
     * odds of the second class; "softmax": logarithms of the shares of classes, up to a constant.
     */
    const char *link;
    size_t outputs; /* scores of a row: targets, classes, or 1 for two classes */
    size_t bags;
    size_t rounds;      /* that the model has: up to the best one */
    const double *base; /* [outputs] */
    /* The losses after each round, also of those after the best one, which were dropped. */
    size_t tried;
    const double *train_losses; /* [tried] */
    const double *valid_losses; /* [tried]; NULL if no rows were held out */
    size_t valid_rows;          /* how many rows were held out, counted once for each bag */
} sporf_boosting;

/* Fills *boosting and returns 1; returns 0 for a forest. */
SPORF_API int sporf_forest_boosting(const sporf_forest *forest, sporf_boosting *boosting);

/* ---- inspection: trees ----------------------------------------------------------------------- */

typedef struct sporf_node {
    int is_leaf;
    /* A split: a row goes left if the sum of its terms, weights[i] times the value of features[i],
     * is at most threshold. If a value is missing, it goes left if missing_left is not 0. If
     * features[i] is not below sporf_forest_features(), the difference is the number of a level
     * set, which says what the value is, also if it is missing: see sporf_level_set. */
    float threshold;
    int missing_left;
    uint32_t left, right; /* nodes */
    size_t terms;
    const uint32_t *features; /* [terms], ascending; level sets come last */
    const float *weights;     /* [terms] */
    /* A leaf: its number, and the training weight of each class in it. */
    uint32_t leaf;
    size_t classes;
    const uint32_t *class_index; /* [classes], ascending */
    const float *class_weight;   /* [classes] */
    /* Regression: the means of the targets, [targets]; boosting: the value that is added to the
     * score, [1]. Then classes is 0, class_index is NULL, and class_weight[0] is the training
     * weight of the leaf, in boosting the sum of the hessians. NULL in forests for classification.
     */
    const float *values;
} sporf_node;

/* The number of nodes of a tree, and one of them. Node 0 is the root. Numbers out of range are
 * refused. Pointers in *out are borrowed from the forest. */
SPORF_API size_t sporf_forest_nodes(const sporf_forest *forest, size_t tree);
SPORF_API sporf_status sporf_forest_node(const sporf_forest *forest, size_t tree, size_t node,
                                         sporf_node *out);

/* The nodes of a tree that are its leaves, by the numbers of these, in nodes[]: there are
 * (sporf_forest_nodes() + 1) / 2. */
SPORF_API sporf_status sporf_forest_leaf_nodes(const sporf_forest *forest, size_t tree,
                                               uint32_t *nodes);

/* A set of levels of one feature, which a term of a split may name. */
typedef struct sporf_level_set {
    size_t feature;
    int has_levels; /* 0: there are no levels, the term is the value of the feature */
    float fill;     /* what the term is if the value is missing; NaN: missing, too */
} sporf_level_set;

/* The number of level sets of a forest, one of them, and whether it has a level. The number of the
 * set must be in range. */
SPORF_API size_t sporf_forest_level_sets(const sporf_forest *forest);
SPORF_API sporf_level_set sporf_forest_level_set(const sporf_forest *forest, size_t set);
SPORF_API int sporf_forest_level_set_has(const sporf_forest *forest, size_t set, size_t level);

/* ---- inspection: importances ----------------------------------------------------------------- */

/* Impurity importance of each feature, in importances[features]: the sum over the splits of all
 * trees of the weight of the node times the decrease of its Gini impurity, whatever the criterion,
 * or of its variance for regression (several targets each in units of their spread over the leaves
 * of a tree). A split shares its decrease among its features in proportion to their weights, in
 * scaled units if features were scaled; sets of levels count for their feature. Importances sum to
 * 1, or are 0 if nothing decreases. They come from the leaves, so for honest trees from the rows
 * that fill them. sporf_forest_permutation_importances measures importance on out-of-bag rows. */
SPORF_API sporf_status sporf_forest_importances(const sporf_forest *forest, double *importances);

/* A projection, as in sporf_node. */
typedef struct sporf_ranked {
    double importance; /* the share of all decreases that its splits have */
    uint64_t splits;   /* of all trees with exactly this projection, w and -w being the same */
    size_t terms;
    const uint32_t *features; /* [terms] */
    const float *weights;     /* [terms] */
} sporf_ranked;

/* The projections of the splits, the most important first. The library makes it. */
typedef struct sporf_ranking {
    size_t count;                    /* how many are listed */
    size_t distinct;                 /* how many the forest has */
    const sporf_ranked *projections; /* [count] */
} sporf_ranking;

/* Ranks the projections of a forest and lists the first `count`; in a tie, the one that comes first
 * in the trees is first. Sets of the same levels are one here, with the number of the first. Free
 * with sporf_ranking_free. */
SPORF_API sporf_status sporf_ranking_create(const sporf_forest *forest, size_t count,
                                            sporf_ranking **out);

/* Frees a ranking; NULL is allowed. */
SPORF_API void sporf_ranking_free(sporf_ranking *ranking);

/* ==== what few programs need ================================================================== */

/* ---- losses of your own ---------------------------------------------------------------------- */

/* Scores of the rows of a table, training or held out, with what is to be predicted. */
typedef struct sporf_scored {
    size_t rows, outputs, targets;
    const double *scores;       /* [rows x outputs] */
    const uint32_t *labels;     /* [rows]; NULL for regression */
    const float *const *target; /* [targets][rows]; NULL for classification */
} sporf_scored;

/* A loss for boosting. Pass it to training in sporf_hooks.loss; examples/custom_loss.c is a
 * complete program. Row weights are applied by the library. Both functions are called by one thread
 * at a time; a status other than SPORF_OK ends the training. */
struct sporf_user_loss {
    const char *name;
    void *payload;
    const double *base; /* [outputs]: scores before the first tree; NULL: 0 */
    /* First and second derivatives of each row's loss by its scores, [rows x outputs]. They must be
     * finite, and hessians not negative. */
    sporf_status (*derive)(void *payload, const sporf_scored *scored, double *gradients,
                           double *hessians);
    /* The loss of each row, [rows], which must not be NaN. */
    sporf_status (*measure)(void *payload, const sporf_scored *scored, double *losses);
};

/* ---- samplers of your own -------------------------------------------------------------------- */

/* A sampler draws the candidate projections of each node. Pass it to training in
 * sporf_hooks.sampler; examples/custom_sampler.c is a complete program. */

/* A stream of random numbers that depends on (seed, tree, node) alone. */
typedef struct sporf_random sporf_random;
SPORF_API uint32_t sporf_random_below(sporf_random *random, uint32_t bound); /* 0 .. bound - 1 */
SPORF_API double sporf_random_uniform(sporf_random *random);                 /* [0, 1) */
SPORF_API double sporf_random_normal(sporf_random *random);                  /* N(0, 1) */

/* A list of sparse projections. Adding one returns SPORF_ERROR_ARGUMENT if a feature is out of
 * range or repeated, or if a weight is not finite. A projection stands for a line: it is stored
 * with its features ascending, its first weight positive and its largest weight 1. Terms of weight
 * 0 are omitted, and a projection without terms is ignored. */
typedef struct sporf_projections sporf_projections;
SPORF_API sporf_status sporf_projections_add(sporf_projections *list, size_t count,
                                             const uint32_t *features, const float *weights);

/* The data that a sampler may look at: in prepare the rows of the tree's bag, in draw those of the
 * node; for honest trees only the rows that choose splits. Row i of the view is row row[i] of the
 * columns and counts weight[i] times. If rows have relative weights, or non-integer counts without
 * a bootstrap, weight[i] is a share in units that are the same for all rows. */
typedef struct sporf_view {
    uint32_t tree;
    uint32_t depth;
    size_t features;             /* of the data, or of the basis that prepare made */
    const float *const *columns; /* [features] */
    const float *scale;     /* [features]: factors that give scaled units; 0 for a constant column;
                               NULL: all 1 */
    size_t rows;            /* of the view */
    const uint32_t *row;    /* [rows] */
    const uint32_t *weight; /* [rows] */
    const uint32_t *label;  /* [rows]; all 0 for regression */
    size_t classes;         /* 0 for regression; targets are not shown */
} sporf_view;

/* Weights of projections are in scaled units; the library converts them into raw ones. All
 * functions may run in several threads at once, each with a state of its own. A status other than
 * SPORF_OK ends the training; SPORF_ERROR_CANCELLED ends it as the interrupt hook does. */
struct sporf_sampler {
    const char *name;
    void *payload;
    /* Called when a thread starts to work on a tree; may be NULL. Several threads may work on a
     * tree in turn or together, and each call for it gets the same random numbers. It may leave a
     * state for draw. It may add directions to basis: the data are then projected on those of the
     * first call, and draw picks single directions. With the trait ignores_rows, basis is NULL in
     * all calls but the first. */
    sporf_status (*prepare)(void *payload, const sporf_view *view, sporf_random *random,
                            sporf_projections *basis, void **state);
    /* Called once for each node that may be split: adds the candidates. */
    sporf_status (*draw)(void *payload, void *state, const sporf_view *view, sporf_random *random,
                         sporf_projections *candidates);
    /* Called once for each prepare that succeeded; may be NULL. */
    void (*finish)(void *payload, void *state);
    sporf_traits traits; /* may be omitted */
};

/* ---- folds ----------------------------------------------------------------------------------- */

/* The test rows of a fold, ascending. */
typedef struct sporf_fold {
    size_t count;
    const uint32_t *rows; /* [count] */
} sporf_fold;

/* Rows divided into folds: each row is a test row of one fold and a training row of all others. The
 * library makes it. */
typedef struct sporf_folds {
    size_t count;
    const sporf_fold *test; /* [count] */
    size_t rows;
    const uint32_t *fold; /* [rows]: the fold in which a row is tested */
} sporf_folds;

/* Draws `count` folds, at least 2, from the seed. If the data have targets, rows are dealt out
 * evenly in the order of the first target. If they have labels, the rows of each class are dealt
 * out evenly: sizes of folds differ by at most one, in each class and in all.
 * Without either, rows are dealt out at random. Free with sporf_folds_free. */
SPORF_API sporf_status sporf_folds_draw(const sporf_dataset *data, size_t count, uint64_t seed,
                                        sporf_folds **out);

/* Makes folds of your own: fold[rows] is the fold that a row is tested in. Every fold up to the
 * largest number must have rows. Free with sporf_folds_free. */
SPORF_API sporf_status sporf_folds_create(const uint32_t *fold, size_t rows, sporf_folds **out);

/* Reads a file whose line k has the numbers, from 1, of the test rows of fold k, separated by
 * commas. Each of `rows` rows must be in exactly one. "-" is standard input. Free with
 * sporf_folds_free. */
SPORF_API sporf_status sporf_folds_read(const char *path, size_t rows, sporf_folds **out);

/* Writes such a file; "-" is standard output. */
SPORF_API sporf_status sporf_folds_write(const sporf_folds *folds, const char *path);

/* The training and the test rows of a fold as datasets; train or test may be NULL. Free both with
 * sporf_dataset_free. */
SPORF_API sporf_status sporf_folds_split(const sporf_folds *folds, const sporf_dataset *data,
                                         size_t fold, sporf_dataset **train, sporf_dataset **test);

/* Frees folds; NULL is allowed. */
SPORF_API void sporf_folds_free(sporf_folds *folds);

/* ---- search for settings --------------------------------------------------------------------- */

typedef enum sporf_search_way {
    SPORF_SEARCH_RACE, /* grow all settings in rounds and drop what is clearly worse */
    SPORF_SEARCH_ALL,  /* grow all settings to the full number of trees, as in the paper */
} sporf_search_way;

typedef struct sporf_search_options {
    size_t struct_size;
    sporf_search_way way;
    /* Values of d and lambda; all pairs are tried. A count of 0 takes those of the paper: d of
     * p^(1/4), p^(1/2), p^(3/4) and p, or 1 to p below 5 features; for sporf and frc also p^2, or
     * p^1.5 above 100 features; lambda of 1/p to min(p - 1, 5)/p, for frc 2/p to min(p, 5)/p. Other
     * methods have no lambda. */
    const sporf_amount *projections;
    size_t projections_count;
    const sporf_amount *densities;
    size_t densities_count;
    /* If trees leave no rows out, settings are compared by cross-validation: with these folds, or
     * if NULL with folds_count ones, drawn with the seed. */
    const sporf_folds *folds;
    size_t folds_count; /* 0: 5 */
    void *payload;      /* passed to the hooks */
    /* Called after each tree, by any thread, one call at a time, with the trees grown and the most
     * there may be; may be NULL. */
    void (*progress)(void *payload, size_t trees_done, size_t trees);
    /* Called often, by all threads at once; a result other than 0 stops the search; may be NULL. */
    int (*interrupt)(void *payload);
    int all_or_nothing; /* a search that is stopped has no result: SPORF_ERROR_CANCELLED */
    /* As in sporf_hooks, for each training; may be NULL. */
    void (*note)(void *payload, const char *text);
} sporf_search_options;

#define sporf_search_options_init(options) sporf_init_sized((options), sizeof *(options))

/* One of the settings that a search tries. */
typedef struct sporf_trial {
    sporf_amount projections, density; /* as in sporf_params */
    uint32_t d;                        /* what they come to */
    double nonzeros;                   /* as in sporf_preview */
    size_t trees;   /* that it was compared with, in each fold if there are folds; 0: never */
    double error;   /* of these trees: out of bag as in sporf_oob, or out of fold; NaN: unknown */
    double auc;     /* area under the curve of their vote shares; NaN for regression */
    double seconds; /* spent on it */
} sporf_trial;

/* What a search found. The library makes it. */
typedef struct sporf_search {
    size_t count;
    const sporf_trial *trials; /* [count] */
    size_t best;               /* the index of the best one */
    int interrupted;
    /* The forest of the best settings, which is freed with the search. To keep it, take the pointer
     * and set this one to NULL; then free it with sporf_forest_free. */
    sporf_forest *forest;
} sporf_search;

/* Searches for the settings whose forest has the least out-of-bag error; in a tie the largest AUC;
 * then one at random, from the seed. The AUC is that of the second of two classes, or of all rows
 * and classes together. If trees leave no rows out (ccf, bag none, subsamples of all rows), errors
 * are those of cross-validation. params gives everything else, such as the number of trees.
 * Settings that come to the same numbers are tried once.
 *
 * The forest is the one that training with its settings gives, in every byte of its file. If the
 * interrupt hook stops the search, it is the best so far (in a race after the last whole round),
 * perhaps with fewer trees; SPORF_ERROR_CANCELLED if there is none. A search by folds that is
 * stopped still grows the winner on all rows, with as many trees as it was compared with. Free with
 * sporf_search_free. */
SPORF_API sporf_status sporf_search_run(const sporf_dataset *data, const sporf_params *params,
                                        const sporf_search_options *options, sporf_search **out);

/* An upper estimate, in bytes, of what comparing all settings and training the largest one takes
 * beside the dataset. The forests that are still compared and the rows of folds are not included:
 * how many a race keeps is not known before. */
SPORF_API sporf_status sporf_search_memory(const sporf_dataset *data, const sporf_params *params,
                                           const sporf_search_options *options, uint64_t *bytes);

/* Frees a search and its forest; NULL is allowed. */
SPORF_API void sporf_search_free(sporf_search *search);

/* ---- cross-validation ------------------------------------------------------------------------ */

typedef struct sporf_crossval_options {
    size_t struct_size;
    sporf_combine combine;
    /* Searches for settings on the training rows of each fold, as in the paper; NULL: the settings
     * are those of params. Its hooks and folds must be NULL. */
    const sporf_search_options *search;
    void *payload; /* passed to the hooks */
    void (*progress)(void *payload, size_t trees_done,
                     size_t trees);                /* as in sporf_search_options */
    int (*interrupt)(void *payload);               /* likewise */
    void (*note)(void *payload, const char *text); /* likewise */
} sporf_crossval_options;

#define sporf_crossval_options_init(options) sporf_init_sized((options), sizeof *(options))

/* Scores of a fold, their means over folds, or their standard errors. What does not apply, or has
 * no value, is NaN; so are the scores of a fold whose test rows all have weight 0. */
typedef struct sporf_crossval_scores {
    double error, kappa, kappa_paper, log_loss; /* classification, as in sporf_evaluation */
    double rmse, mae, r2;                       /* regression, likewise */
    double seconds;                             /* to train and predict */
} sporf_crossval_scores;

/* The result of a cross-validation. The library makes it. */
typedef struct sporf_crossval {
    size_t folds; /* that were done */
    int interrupted;
    const sporf_crossval_scores *scores; /* [folds] */
    /* Means over the folds that have a value, and sd / sqrt(their number). Those of kappa and
     * kappa_paper are over the folds that test several classes. */
    sporf_crossval_scores mean, se;
    /* The settings of the forest of each fold, [folds]: the params that were given, with what was
     * chosen for those that are auto or searched. */
    const sporf_params *const *params;
    const sporf_trial *trials; /* [folds]: the settings that were found; NULL without a search */
    /* What the forest that was trained without a row predicts for it; NULL for the other task. Rows
     * of folds that were not done have SPORF_NO_CLASS, or NaN. */
    const uint32_t *classes;     /* [rows] */
    const double *probabilities; /* [rows x classes] */
    const double *values;        /* [rows x targets] */
} sporf_crossval;

/* Trains a forest without each fold in turn and evaluates it on the fold, as with
 * sporf_folds_split, sporf_forest_train (or sporf_search_run) and sporf_forest_evaluate. If the
 * interrupt hook stops it, the result has the folds done so far; SPORF_ERROR_CANCELLED if there is
 * none. Free with sporf_crossval_free. */
SPORF_API sporf_status sporf_crossval_run(const sporf_dataset *data, const sporf_folds *folds,
                                          const sporf_params *params,
                                          const sporf_crossval_options *options,
                                          sporf_crossval **out);

/* Frees a result; NULL is allowed. */
SPORF_API void sporf_crossval_free(sporf_crossval *result);

/* ---- proximity ------------------------------------------------------------------------------- */

/* The proximity of two rows is the share of trees in which they end in the same leaf. */

/* The proximities of pairs: pair i is row first_rows[i] of first and row second_rows[i] of second,
 * which may be the same dataset. */
SPORF_API sporf_status sporf_forest_proximities(const sporf_forest *forest,
                                                const sporf_dataset *first,
                                                const sporf_dataset *second,
                                                const sporf_predict_options *options, size_t pairs,
                                                const uint32_t *first_rows,
                                                const uint32_t *second_rows, double *proximities);

/* For each row of data the `count` nearest rows of reference, usually the training data:
 * rows[data rows * count] and proximities[data rows * count], the nearest first, the lower row
 * number in a tie. Takes memory for reference rows x trees, never rows x rows. */
SPORF_API sporf_status sporf_forest_nearest(const sporf_forest *forest,
                                            const sporf_dataset *reference,
                                            const sporf_dataset *data,
                                            const sporf_predict_options *options, size_t count,
                                            uint32_t *rows, double *proximities);

/* ---- explanations ---------------------------------------------------------------------------- */

/* Shapley values: how much each feature of a row adds to what the forest predicts for it, compared
 * with background rows (interventional, Janzing, Minorics and Bloebaum 2020). A feature is given
 * the mean change of the prediction if it takes the row's value after some of the other features
 * have, which otherwise have those of a background row: the mean over these rows and over all
 * orders of the features. The values of a row add up to its prediction less the mean prediction of
 * the background, which is the base.
 *
 * What is explained are sums over trees: the plain shares of votes or leaves, not calibrated
 * probabilities; values of targets; the scores of a boosted model. Values are exact, splits of
 * several features, categories and missing values included. Where a tree takes more than `steps`
 * steps for a row and up to 64 background rows, or decides on more than 64 features on one path,
 * they are estimated there from random orders; they still add up, and have standard errors. All
 * background rows count the same, whatever their weights. */

typedef struct sporf_explain_options {
    size_t struct_size;
    sporf_combine combine; /* whether shares are those of votes or of leaves */
    unsigned threads;      /* 0: one for each core */
    uint64_t steps;        /* at most a billion; 0: a million */
    uint32_t pairs;        /* of random orders and their reverses, at least 2; 0: 8 */
    uint64_t seed;         /* of these orders */
    /* The number of the first row, if the data are part of a larger table: its rows are then
     * explained as if all were given at once. */
    uint64_t first_row;
} sporf_explain_options;

#define sporf_explain_options_init(options) sporf_init_sized((options), sizeof *(options))

/* What is to be explained: arrays of the caller, each NULL if it is not wanted, except values.
 * Outputs are classes or targets; of a boosted model, its scores. */
typedef struct sporf_explanation {
    size_t struct_size;
    double *values;      /* [rows x features x outputs] */
    double *errors;      /* the same: standard errors of values, 0 if they are exact */
    double *base;        /* [outputs] */
    double *predictions; /* [rows x outputs] */
    double *estimated; /* [1]: the share of trees, rows and background rows without exact values */
} sporf_explanation;

#define sporf_explanation_init(explanation) sporf_init_sized((explanation), sizeof *(explanation))

/* How many outputs a row has. */
SPORF_API size_t sporf_forest_explained_outputs(const sporf_forest *forest);

/* Explains the rows of data. A hundred background rows, drawn from the training data, are often
 * enough. Of hooks progress and interrupt are used. */
SPORF_API sporf_status sporf_forest_explain(const sporf_forest *forest, const sporf_dataset *data,
                                            const sporf_dataset *background,
                                            const sporf_explain_options *options,
                                            const sporf_hooks *hooks, const sporf_explanation *out);

/* The same with projections in place of features: each takes its value from the row, or from the
 * background row. There are ranking->count + 1 values for each row and output: those of the
 * projections in the ranking, and the sum of all others. */
SPORF_API sporf_status sporf_forest_explain_projections(
    const sporf_forest *forest, const sporf_dataset *data, const sporf_dataset *background,
    const sporf_ranking *ranking, const sporf_explain_options *options, const sporf_hooks *hooks,
    const sporf_explanation *out);

/* ---- strength, permutation importance, bags -------------------------------------------------- */

/* Measures that need the data of the training, rows in the same order; other data are refused as by
 * sporf_forest_extend. The trees must have been trained with bags. The forest may have been loaded
 * from a file: which rows were out of bag follows from its settings. */

typedef struct sporf_measure_options {
    size_t struct_size;
    uint64_t seed;    /* of shuffles */
    unsigned threads; /* 0: one for each core */
} sporf_measure_options;

#define sporf_measure_options_init(options) sporf_init_sized((options), sizeof *(options))

/* How good the trees of a forest are, and how much they are alike (Breiman 2001), from their
 * out-of-bag rows, by weight. */
typedef struct sporf_strength {
    size_t rows; /* that were out of bag in some tree */
    /* The mean margin of the rows: the share of out-of-bag votes for the true class, less the
     * largest share of another one. From -1 to 1. */
    double strength;
    /* The variance of that margin, divided by the square of the mean over trees of the standard
     * deviation of their raw margins: 1 at a row where the tree votes for its class, -1 where it
     * votes for the other class that the forest is nearest to, otherwise 0. NaN if no margin
     * varies, for example if every tree is right at every row. */
    double correlation;
    /* An upper bound on the error of ever larger forests of such trees: correlation (1 - s^2) / s^2
     * for the strength s. 0 if s is 1, NaN if it is not above 0; it may exceed 1. */
    double bound;
} sporf_strength;

/* Measures strength and correlation of a forest for classification. Of hooks only interrupt is
 * used. */
SPORF_API sporf_status sporf_forest_strength(const sporf_forest *forest, const sporf_dataset *data,
                                             const sporf_measure_options *options,
                                             const sporf_hooks *hooks, sporf_strength *strength);

/* Permutation importance of each feature (Breiman 2001): how much the error of a tree at its
 * out-of-bag rows grows if the values of the feature are shuffled among these, on average over the
 * trees, in importances[features]; and its standard error over the trees, in
 * standard_errors[features], which may be NULL. The error is the share of rows, by weight, that the
 * tree misclassifies. In regression it is the mean squared error, or with several targets the mean
 * of their mean squared errors, each divided by the target's variance. A category is one feature.
 * For a tree that does not use a feature the growth is 0. The shuffles depend on seed, tree and
 * feature alone. Of hooks progress and interrupt are used. sporf_forest_importances needs no data.
 */
SPORF_API sporf_status sporf_forest_permutation_importances(
    const sporf_forest *forest, const sporf_dataset *data, const sporf_measure_options *options,
    const sporf_hooks *hooks, double *importances, double *standard_errors);

/* Features that are shuffled, or left out, together. */
typedef struct sporf_feature_group {
    const size_t *features; /* [count], each once */
    size_t count;           /* at least 1 */
} sporf_feature_group;

/* The same for groups[count] of features, whose values move together from row to row; NULL stands
 * for each feature by itself, and count is then not read. A feature may be in several groups.
 * importances and standard_errors, which may be NULL, have a number for each group. A group of one
 * feature has the importance of this feature. */
SPORF_API sporf_status sporf_forest_group_importances(
    const sporf_forest *forest, const sporf_dataset *data, const sporf_measure_options *options,
    const sporf_hooks *hooks, const sporf_feature_group *groups, size_t count, double *importances,
    double *standard_errors);

/* How often each row was drawn into the bag of each tree, in counts[trees x rows]: 0 if it is out
 * of bag, or has no weight. Both parts of an honest tree's bag count. Forests without any
 * out-of-bag row are refused, as above. Of hooks only interrupt is used. */
SPORF_API sporf_status sporf_forest_bags(const sporf_forest *forest, const sporf_dataset *data,
                                         const sporf_measure_options *options,
                                         const sporf_hooks *hooks, uint32_t *counts);

/* ---- importance by training again ------------------------------------------------------------ */

/* Measures that train more forests, with the settings that a forest or a boosted model records, on
 * its data. Forests of a sampler or loss of your own, of the method patch and for several labels
 * are refused. Groups are as for sporf_forest_group_importances. */

typedef struct sporf_retrain_options {
    size_t struct_size;
    uint64_t seed;    /* of shuffles and forests; sporf_drop_column has the seed of the forest */
    unsigned threads; /* 0: one for each core */
    /* Corrected importances: forests to train, up to a million. 0: 99 for p-values, otherwise 1. */
    size_t repeats;
    /* Seconds after which no further training begins; what is not measured is NaN. 0: no limit. */
    double time;
} sporf_retrain_options;

#define sporf_retrain_options_init(options) sporf_init_sized((options), sizeof *(options))

/* Impurity importance without its bias towards features with many values (Nembrini, Koenig and
 * Wright 2018, as ranger's "impurity_corrected"). A forest is trained on the data and a shuffled
 * copy of every feature, with twice as many candidates in a node; all copies share one permutation
 * of the rows. The corrected importance is the impurity importance of a feature, as
 * sporf_forest_importances has it, minus that of its copy: about 0 for noise, which may be
 * negative. Several forests, each with another permutation, give the mean.
 *
 * p_values, which may be NULL: the null hypothesis is that the features of a group are independent
 * of the outcome and of all other features together. The importance of the group, averaged over the
 * forests, is compared with that of its K = repeats copies (docs/decisions/0061): with k copies
 * that are as important it is (1 + k) / (1 + K), and so never below 1 / (1 + K). The result is the
 * same for any number of threads. Of hooks progress, which counts trees or rounds, interrupt and
 * note are used. */
SPORF_API sporf_status sporf_corrected_importances(const sporf_forest *forest,
                                                   const sporf_dataset *data,
                                                   const sporf_retrain_options *options,
                                                   const sporf_hooks *hooks,
                                                   const sporf_feature_group *groups, size_t count,
                                                   double *importances, double *p_values);

/* Drop-column importance: how much the error grows if the forest is trained without the features of
 * a group, with the same settings and seed. For classification it is the error rate, for regression
 * the mean squared error over all targets. It is measured on out-of-bag rows; without any, and for
 * boosted models, in 5 folds. Standard errors come from the differences between rows;
 * standard_errors may be NULL. A forest with all features is trained first, then one for each
 * group, in their order. The hooks progress, which counts trees or rounds, interrupt and note are
 * used. */
SPORF_API sporf_status sporf_drop_column(const sporf_forest *forest, const sporf_dataset *data,
                                         const sporf_retrain_options *options,
                                         const sporf_hooks *hooks,
                                         const sporf_feature_group *groups, size_t count,
                                         double *importances, double *standard_errors);

/* ---- dependence on features, interactions ---------------------------------------------------- */

/* How predictions change with one or two features, on the rows of any table with the features of
 * the model; their weights count, if they have any. The results are the same for any number of
 * threads. */

typedef enum sporf_dependence_kind {
    /* Partial dependence (Friedman 2001): the mean prediction of all rows, with the features
     * replaced by each point of a grid. */
    SPORF_DEPENDENCE_PDP,
    /* The predictions of the single rows, too (individual conditional expectation; Goldstein et al.
     * 2015): rows x points x outputs numbers. They have the bits that sporf_forest_predict gives.
     */
    SPORF_DEPENDENCE_ICE,
    /* Accumulated local effects (Apley and Zhu 2020) of one number or ordinal: rows only take
     * values near their own, so that correlated features do not make up rows that cannot exist.
     * Their mean over the rows is 0. */
    SPORF_DEPENDENCE_ALE,
} sporf_dependence_kind;

typedef struct sporf_dependence_options {
    size_t struct_size;
    sporf_dependence_kind kind;
    /* Values of each feature: all that the rows have if they are fewer, or levels; otherwise at
     * equal distances between two quantiles. For ALE the most bins, each with about the same number
     * of rows. 0: 100 for one feature, 20 for each of two, 40 bins. */
    size_t grid;
    double from, to; /* these quantiles; both 0: 0.05 and 0.95 */
    /* Values to take instead, for the first and the second feature; NULL: none given. For ALE the
     * ends of bins, ascending. A category has the numbers of levels, NaN is missing. */
    const double *values[2];
    size_t values_count[2];
    size_t sample; /* the most rows to use, drawn by chance; 0: all, or 200 for interactions */
    uint64_t seed; /* of this draw */
    sporf_combine combine;
    sporf_calibrate calibration;
    int scores;       /* of a boosted model, instead of probabilities or values */
    unsigned threads; /* 0: one for each core */
} sporf_dependence_options;

#define sporf_dependence_options_init(options) sporf_init_sized((options), sizeof *(options))

/* A point is a value of each feature; those of the second feature run fastest. */
typedef struct sporf_dependence {
    size_t features_count;
    const size_t *features;      /* [features_count] */
    const size_t *values_count;  /* [features_count] */
    const double *const *values; /* [features_count], each of values_count numbers */
    size_t points, outputs;      /* outputs: classes or targets, or scores */
    const double *mean;          /* [points x outputs]; for ALE the effects */
    size_t rows_count;
    const uint32_t *rows;     /* [rows_count]: those that were used, ascending */
    const double *individual; /* [rows_count x points x outputs] for ICE, otherwise NULL */
} sporf_dependence;

/* Finds the dependence on `count` features of the forest, 1 or 2 (ALE: 1). Of hooks progress, which
 * counts rows, and interrupt are used. Free with sporf_dependence_free. */
SPORF_API sporf_status sporf_dependence_create(const sporf_forest *forest,
                                               const sporf_dataset *data,
                                               const sporf_dependence_options *options,
                                               const sporf_hooks *hooks, const size_t *features,
                                               size_t count, sporf_dependence **out);
SPORF_API void sporf_dependence_free(sporf_dependence *dependence);

typedef struct sporf_interaction {
    size_t first, second; /* features */
    /* Friedman's H (Friedman and Popescu 2008): the root of the share of the variance of their
     * joint partial dependence that the sum of the single ones does not explain. 0: none; 1: the
     * features act only together. Two features that hardly matter may have a large H. */
    double h;
    double strength; /* the root mean square of that part, in units of the outputs */
} sporf_interaction;

typedef struct sporf_interactions {
    size_t count;
    const sporf_interaction *pairs; /* [count]: the strongest first */
    size_t features_count;
    const size_t *features; /* [features_count]: those given */
    const double *total;    /* [features_count]: H of a feature with all others together */
    size_t rows_count;      /* that were used */
} sporf_interactions;

/* Finds the interactions of all pairs of `count` different features, at least 2. The time grows
 * with the square of the rows, so that a sample is used. Several outputs are summed. Of options
 * sample, seed, combine, calibration, scores and threads are used, of hooks progress, which counts
 * features and pairs, and interrupt. Free with sporf_interactions_free. */
SPORF_API sporf_status sporf_interactions_create(const sporf_forest *forest,
                                                 const sporf_dataset *data,
                                                 const sporf_dependence_options *options,
                                                 const sporf_hooks *hooks, const size_t *features,
                                                 size_t count, sporf_interactions **out);
SPORF_API void sporf_interactions_free(sporf_interactions *interactions);

/* ---- pictures -------------------------------------------------------------------------------- */

/* Pictures as SVG, and trees as text, in UTF-8 and with a NUL. Free them with sporf_free. Names may
 * hold anything: they are escaped, and characters that control terminals are shown as others. */

/* A tree down to `depth` splits from the root, SIZE_MAX for all of it: the conditions of splits
 * with names and levels, rows that fulfil them go left; the weight of the training rows in each
 * node (boosting: the sum of hessians); the shares of classes, or the mean of the first target. */
SPORF_API sporf_status sporf_forest_draw_tree(const sporf_forest *forest, size_t tree, size_t depth,
                                              char **svg);
SPORF_API sporf_status sporf_forest_write_tree(const sporf_forest *forest, size_t tree,
                                               size_t depth, char **text);

/* The out-of-bag error by the number of trees; a boosted model has the losses of its rounds. Models
 * with neither are refused. */
SPORF_API sporf_status sporf_forest_draw_oob(const sporf_forest *forest, char **svg);

/* What the model predicts where two numeric features vary, over their range in the data. All other
 * features are at their median, or most frequent level, in the data. Up to 1,000 rows are points,
 * in the colours of their classes if the data have labels. */
SPORF_API sporf_status sporf_forest_draw_boundary(const sporf_forest *forest,
                                                  const sporf_dataset *data, size_t across,
                                                  size_t up, char **svg);

/* ---- a report to look at --------------------------------------------------------------------- */

typedef struct sporf_report_options {
    size_t struct_size;
    const char *title;           /* NULL: made of the names */
    const char *const *names;    /* [count]: of the models, such as their files; NULL: none */
    const char *data_name;       /* of the table, such as its file; NULL: none */
    const char *command;         /* that makes this report; NULL: not shown */
    const char *const *commands; /* [count]: that train the models, each may be NULL; NULL: none */
    uint64_t seed;               /* of samples and intervals */
    unsigned threads;            /* 0: one for each core */
    sporf_combine combine;       /* as in sporf_predict_options, as far as models are forests */
    sporf_calibrate calibration; /* likewise */
    int timing; /* shows how long predictions took, which is another number each time */
} sporf_report_options;

#define sporf_report_options_init(options) sporf_init_sized((options), sizeof *(options))

/* Makes a report on a model, or a comparison of 1 to 8 models that predict the same classes or
 * targets, as a page of HTML in UTF-8: settings, out-of-bag error, importances and projections; and
 * with data their distributions, scores with curves, calibration, dependence and single rows, as
 * far as the data have labels or targets. If the data are those of the training, rows are scored by
 * the trees that did not see them. Large tables are scored on a sample, and long lists are cut; the
 * page says so. It has no scripts and refers to nothing outside, and all names in it are escaped.
 * The same models, data and options give the same bytes, unless timing is asked for. Of hooks
 * progress, which counts chapters, and interrupt are used. Free *html, which has a NUL after its
 * size bytes, with sporf_free. */
SPORF_API sporf_status sporf_report_html(const sporf_forest *const *forests, size_t count,
                                         const sporf_dataset *data,
                                         const sporf_report_options *options,
                                         const sporf_hooks *hooks, char **html, size_t *size);

/* ---- simulation ------------------------------------------------------------------------------ */

/* Draws one of the paper's problems, with classes: "sparse-parity", "orthant", "trunk" or
 * "consistency"; or one of Friedman's (1991), with a target "y": "friedman1", "friedman2" or
 * "friedman3". features 0 takes the usual number (20, 6, 10, 2; 10, 4, 4). *noise is the standard
 * deviation of the noise of Friedman's problems; NULL takes the usual one (1, 125 and 0.1).
 * Features do not depend on it. Free with sporf_dataset_free. */
SPORF_API sporf_status sporf_simulate(const char *problem, size_t rows, size_t features,
                                      uint64_t seed, const double *noise, sporf_dataset **out);

/* Copies a dataset and adds columns of noise after its features: numbers from N(0, 1), each a
 * function of seed, row and column alone, so that asking for more columns leaves the first ones
 * unchanged. If features have names, the new ones are noise1, noise2 and so on. Free with
 * sporf_dataset_free. */
SPORF_API sporf_status sporf_dataset_add_noise(const sporf_dataset *data, size_t columns,
                                               uint64_t seed, sporf_dataset **out);

/* Does the same to a file and writes another one as CSV; "-" is standard input or output. The rest
 * of a CSV file does not change by a byte. The noise comes after the last column, or before it if
 * the options name it as label or target. Numbers with decimal commas are refused. Files of other
 * formats are read as sporf_dataset_read does. The output may be the file that is read: it is
 * replaced as by sporf_dataset_write_csv. */
SPORF_API sporf_status sporf_file_add_noise(const char *path, const sporf_read_options *options,
                                            size_t columns, uint64_t seed, const char *output);

/* ---- preparation of tables as in the paper --------------------------------------------------- */

typedef struct sporf_prepare_options {
    size_t struct_size;
    int standardise; /* subtract the mean of each column, divide by its standard deviation */
} sporf_prepare_options;

#define sporf_prepare_options_init(options) sporf_init_sized((options), sizeof *(options))

/* Prepares a table as the appendix of the paper describes. This is for those who need its protocol;
 * forests do better with tables as they are. Columns that are constant or look like identifiers are
 * left out (sporf_dataset_note names them). Missing values are filled with the median of their
 * column, or its most frequent level, whatever the labels. Ordinal features become the
 * numbers 1, 2 and so on. Categories become a column of 0 and 1 for each level, named colour=red;
 * these come last. No two columns may get the same name. Classes are named 0, 1 and so on; targets
 * are kept, weights are not. *feature[columns], unless feature is NULL, says which feature each
 * column was made from: free it with sporf_free. Rows to train with and rows to predict have to be
 * prepared together. Free *out with sporf_dataset_free. */
SPORF_API sporf_status sporf_dataset_prepare(const sporf_dataset *data,
                                             const sporf_prepare_options *options,
                                             sporf_dataset **out, size_t **feature);

#ifdef __cplusplus
}
#endif

#endif
