/* sporf: sparse projection oblique randomer forests (Tomita et al., JMLR 2020) and the forests
 * that paper compares with.
 *
 * The whole public interface, in the order of use: errors, data, parameters, training, prediction,
 * model files, inspection, your own sampler, choosing settings, simulation.
 *
 * Rules that hold throughout:
 *  - A function that can fail returns a sporf_status; sporf_last_error() then says what, where and
 *    what to do, per thread, until the next failing call of that thread.
 *  - A pointer returned by a function is borrowed from its object. A pointer written through an
 *    argument is the caller's to free, with the function named there.
 *  - Structs with a struct_size are filled by their init before use (a macro that passes the size
 * the program was compiled with), so that programs keep working with a newer library.
 *  - Arithmetic is that of IEEE 754 as programs start with it: rounded to nearest, with denormal
 *    numbers. A thread that flushes these to zero (as objects linked with -ffast-math make the
 * whole process do) or rounds otherwise may get other last bits, and so another forest from tables
 * that hold such numbers.
 *  - The library prints nothing, never exits and keeps no global state. Objects may be shared
 *    between threads as long as nobody changes them.
 */
#ifndef SPORF_H
#define SPORF_H

#include <stddef.h>
#include <stdint.h>

#define SPORF_VERSION_MAJOR 0
#define SPORF_VERSION_MINOR 1
#define SPORF_VERSION_PATCH 0
#define SPORF_VERSION "0.1.0"

#if defined(__GNUC__)
#define SPORF_API __attribute__((visibility("default")))
#else
#define SPORF_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors ---------------------------------------------------------------------------------- */

typedef enum sporf_status {
    SPORF_OK = 0,
    SPORF_ERROR_ARGUMENT = 1,  /* an argument or option is out of range */
    SPORF_ERROR_DATA = 2,      /* the data cannot be used as they are */
    SPORF_ERROR_MODEL = 3,     /* the model file is damaged, or does not fit the data */
    SPORF_ERROR_IO = 4,        /* the operating system refused to read or write */
    SPORF_ERROR_MEMORY = 5,    /* memory ran out, or max_memory would be exceeded */
    SPORF_ERROR_CANCELLED = 6, /* the interrupt hook asked to stop before the first tree was done */
} sporf_status;

/* What the last failing call of this thread had to say; "" if none failed. */
SPORF_API const char *sporf_last_error(void);

/* The version of the library that runs, which may be newer than SPORF_VERSION. */
SPORF_API const char *sporf_version(void);

/* The cores that this process may use: what 0 threads stand for. */
SPORF_API unsigned sporf_cores(void);

/* ---- data ------------------------------------------------------------------------------------ */

/* A table: features in single precision, by column, with optional class labels, or targets: numbers
 * to be predicted. A missing value is NaN; the value of a category is the number of its level. */
typedef struct sporf_dataset sporf_dataset;

typedef enum sporf_kind {
    SPORF_KIND_NUMBER,
    SPORF_KIND_CATEGORY, /* levels without an order */
    SPORF_KIND_ORDINAL,  /* levels with an order: numbers with names */
} sporf_kind;

/* What the columns of a table are: names, kinds, levels. It belongs to a dataset or a forest. */
typedef struct sporf_schema sporf_schema;

typedef enum sporf_dtype { SPORF_FLOAT32, SPORF_FLOAT64 } sporf_dtype;

/* A matrix in the caller's memory. Value (i, j) lies at values[i * row_stride + j * column_stride],
 * strides counted in elements: (columns, 1) is row-major, (1, rows) is column-major. */
typedef struct sporf_matrix {
    const void *values;
    sporf_dtype type;
    size_t rows, columns;
    size_t row_stride, column_stride;
} sporf_matrix;

/* Makes a dataset of a matrix. Single-precision columns with row_stride 1 are borrowed: they must
 * outlive the dataset and must not change meanwhile; anything else is copied. NaN is a missing
 * value; infinities and magnitudes above 1e30 are refused. Free with sporf_dataset_free. */
SPORF_API sporf_status sporf_dataset_from_matrix(const sporf_matrix *matrix, sporf_dataset **out);

/* Class labels, one for each row. Classes are sorted: where all labels are whole numbers by value
 * ("2", "2.0" and "2e0" are then one class, named 2), otherwise by bytes. */
SPORF_API sporf_status sporf_dataset_set_labels_int(sporf_dataset *data, const int64_t *labels,
                                                    size_t count);
SPORF_API sporf_status sporf_dataset_set_labels_text(sporf_dataset *data, const char *const *labels,
                                                     size_t count);

/* What the column of class labels is called, copied; NULL or "": nothing. A forest keeps it as one
 * that was trained on a file with a header does. */
SPORF_API sporf_status sporf_dataset_set_label_name(sporf_dataset *data, const char *name);

/* How much each row counts in the criterion, the leaves, the out-of-bag results and the scores,
 * copied and held in single precision: finite numbers from 0, up to 1e30. A row of weight 0 takes
 * part in nothing. Multiplying all weights by a number changes nothing, as far as single precision
 * holds their ratios, and equal ones are none, unless the parameters say that they are counts of
 * repeated rows: see sporf_weight_is. NULL: all rows count alike. */
SPORF_API sporf_status sporf_dataset_set_weights(sporf_dataset *data, const double *weights,
                                                 size_t count);

/* What the column of weights is called, copied; NULL or "": nothing, as after setting weights. A
 * forest whose rows do not all weigh the same keeps it as the setting "weight". */
SPORF_API sporf_status sporf_dataset_set_weight_name(sporf_dataset *data, const char *name);

/* Numbers to be predicted instead of classes, copied and held in single precision: a matrix of a
 * row for each row of the data and a column for each target, so {y, SPORF_FLOAT64, rows, 1, 1, 1}
 * for one. All must be finite and at most 1e30. names[columns], all different, may be NULL; a
 * forest then calls its targets y, or y1, y2 and so on. targets NULL: none. Data with labels and
 * targets are for numbers: labels are not looked at. */
SPORF_API sporf_status sporf_dataset_set_targets(sporf_dataset *data, const sporf_matrix *targets,
                                                 const char *const *names);

/* Names for the features, copied; count must be the number of features, and all must differ. */
SPORF_API sporf_status sporf_dataset_set_feature_names(sporf_dataset *data,
                                                       const char *const *names, size_t count);

/* Makes a feature a category, or an order, of levels with these names, which are copied. Its values
 * must be the numbers of levels, from 0 to count - 1, or NaN; they are copied. */
SPORF_API sporf_status sporf_dataset_set_levels(sporf_dataset *data, size_t feature,
                                                sporf_kind kind, const char *const *names,
                                                size_t count);

typedef enum sporf_format {
    SPORF_FORMAT_AUTO, /* recognised by content */
    SPORF_FORMAT_CSV,  /* also TSV and semicolons */
    SPORF_FORMAT_NPY,
    SPORF_FORMAT_IDX,
    SPORF_FORMAT_SVMLIGHT,
} sporf_format;

typedef enum sporf_header { SPORF_HEADER_AUTO, SPORF_HEADER_YES, SPORF_HEADER_NO } sporf_header;

/* What stands before the fraction of a number in a CSV file; the other one of point and comma, a
 * blank or an apostrophe may stand between thousands. Auto: what the numbers of the file prove. */
typedef enum sporf_decimal {
    SPORF_DECIMAL_AUTO,
    SPORF_DECIMAL_POINT,
    SPORF_DECIMAL_COMMA,
} sporf_decimal;

/* What becomes of columns of dates in a CSV file. Features of a column "when": "when.year",
 * "when.month", "when.weekday" (1 is Monday), "when.days" (since 1970-01-01, with the fraction of
 * the day) and, where there are times, "when.hour". With a schema that has such features they are
 * made of the column "when", whatever this says. */
typedef enum sporf_dates {
    SPORF_DATES_NO,   /* left out */
    SPORF_DATES_AUTO, /* features; the dates of the column tell whether 3/4/24 has the day first */
    SPORF_DATES_DMY,  /* features; it has */
    SPORF_DATES_MDY,  /* features; it has the month first */
} sporf_dates;

typedef struct sporf_read_options {
    size_t struct_size;
    sporf_format format;
    sporf_header header;    /* of a CSV file */
    const char *label;      /* label column: a name, a 1-based number or "last"; NULL for none */
    const char *label_file; /* labels from a file of their own instead; NULL for none */
    const char *const *columns; /* the features to read where a header names them; NULL for all */
    size_t columns_count;
    int zero_based;           /* svmlight feature numbers start at 0 */
    size_t svmlight_features; /* least number of features of an svmlight file; 0: what it holds */
    unsigned threads;         /* 0: one for each core */
    uint64_t max_memory;      /* bytes for table and file; 0: the memory of machine or container */
    /* Columns by name or by number, from 1, instead of what their cells suggest. In the first two
     * lists "cat_*" names all columns that begin so and are named nowhere else. */
    const char *const *categorical; /* read as categories: every text is a level */
    size_t categorical_count;
    const char *const *ignored; /* not read */
    size_t ignored_count;
    const char *const *ordinal; /* "size=small<medium<large", or "grade" for whole numbers */
    size_t ordinal_count;
    const char *weight;         /* how much each row counts: a column; NULL for none */
    const char *const *targets; /* numbers to be predicted: columns, in this order */
    size_t targets_count;
    const sporf_schema *schema; /* read what a model was trained on; NULL: find out what there is */
    /* Columns whose cells are kept beside the table as they are written, by name or number; they
     * may be features as well. Files in the svmlight format have none. */
    const char *const *kept;
    size_t kept_count;
    /* How a CSV file is written. */
    const char *separator; /* one character, "comma", "semicolon", "tab", "bar", "blanks"; NULL:
                              as the first lines tell */
    const char *comment;   /* lines that begin with this character are ignored; NULL: those with #
                              in front of the table */
    size_t skip_lines;     /* lines to ignore at the start of the file */
    const char *const *missing; /* spellings of missing values, beside the usual ones */
    size_t missing_count;
    sporf_decimal decimal;
    /* Files of the same shape whose rows follow, as if all were one file: CSV with the same columns
     * in the same order, each with a header where the first has one; svmlight; or matrices by row
     * of one type and width. A reader of blocks needs the paths as long as it lives. */
    const char *const *more_files;
    size_t more_files_count;
    sporf_dates dates;
} sporf_read_options;

#define sporf_read_options_init(options) sporf_read_options_init_sized((options), sizeof *(options))
SPORF_API void sporf_read_options_init_sized(sporf_read_options *options, size_t struct_size);

/* Reads a file: CSV or TSV, NumPy .npy, MNIST idx, svmlight; plain or gzip; "-" is standard input.
 * Text may be UTF-8 or UTF-16. A file that is changed meanwhile is SPORF_ERROR_IO. options may be
 * NULL. An svmlight file always carries its own labels, which are numbers to be
 * predicted where "label" is its target. Free with sporf_dataset_free.
 *
 * In CSV a column is a category if at least half of its cells are text, and otherwise numbers;
 * empty cells, NA, ?, NaN, null and the like (docs/tables.md) are missing values, as NaN is in
 * .npy. Levels are the distinct texts, sorted as classes are. Columns of dates, of texts that are
 * all different, of numbers that count the rows and are called so, and of nothing are left out,
 * unless the options say what they are. Titles, comments and blank lines around the rows are
 * ignored. Two columns of one name are refused, if one
 * of them is a feature. Numbers may have marks between thousands, parentheses around negative ones,
 * and a sign or unit that is the same in the whole column; h:mm:ss and mm:ss are seconds. Which of
 * point and comma is decimal must show in the numbers of the file, or be said in the options; where
 * it does not, the comma is if the table of the schema was read so.
 *
 * With a schema, its columns are looked for by name (by place without names) and all others passed
 * over; texts get the numbers of its levels, and an unknown one counts as missing. */
SPORF_API sporf_status sporf_dataset_read(const char *path, const sporf_read_options *options,
                                          sporf_dataset **out);

struct ArrowSchema;
struct ArrowArray;

/* Makes a dataset of an Arrow record batch (a struct array) through the Arrow C data interface.
 * Numbers and booleans become features, text (also as views) and dictionaries of text categories,
 * those with an order ordinal. label, weight and targets of the options name children: the label
 * may be numbers or text, the others are numbers. Nulls are missing values, but not in these;
 * children of nulls alone are numbers. Dates, times, decimals, bytes, lists and structs are
 * refused, and so are label_file and options that say what other columns are; those about files
 * mean nothing here. options may be NULL. Single-precision children without nulls are borrowed:
 * schema and array stay the caller's, and the array must outlive the dataset and must not change
 * meanwhile. Free with sporf_dataset_free. */
SPORF_API sporf_status sporf_dataset_from_arrow(const struct ArrowSchema *schema,
                                                const struct ArrowArray *array,
                                                const sporf_read_options *options,
                                                sporf_dataset **out);

/* A file read block by block, so that it may be larger than memory. */
typedef struct sporf_reader sporf_reader;

/* Opens a file as sporf_dataset_read does, but what only a whole file could tell is refused:
 * label_file, categorical, ordinal, weight and targets; all columns are numbers unless a schema
 * says otherwise. path and what options point to must outlive the reader. A .npy file in Fortran's
 * order that is packed or comes from a pipe is held in memory as it is; all else is read as it is
 * needed, and a fault of the file shows when its block is read. Free with sporf_reader_free. */
SPORF_API sporf_status sporf_reader_open(const char *path, const sporf_read_options *options,
                                         sporf_reader **out);

/* Reads the next rows, at most `rows` and no more than take some tens of megabytes; *out is NULL
 * after the last, and at once where a CSV file has a header and no rows. The blocks are the rows
 * that sporf_dataset_read gives, in order, but classes are those of the block, and features of an
 * svmlight file those up to its end. Free *out with sporf_dataset_free. */
SPORF_API sporf_status sporf_reader_next(sporf_reader *reader, size_t rows, sporf_dataset **out);

/* The name of a kept column in the header of a CSV file, also where no row follows; NULL without a
 * header. */
SPORF_API const char *sporf_reader_kept_name(const sporf_reader *reader, size_t index);

/* How many bytes of the file have been read, of how many: 0 where nobody knows, as of a pipe. */
SPORF_API void sporf_reader_progress(const sporf_reader *reader, uint64_t *done, uint64_t *total);

/* Frees a reader; NULL is allowed. */
SPORF_API void sporf_reader_free(sporf_reader *reader);

/* Writes features and, as the last columns, labels and targets as CSV with a header; "-" is
 * standard output. Missing values are empty cells, levels are written by name; weights are not
 * written. The file is replaced as by sporf_forest_save; a pipe, a device or what is open already,
 * such as /dev/stdout, is written as it is. */
SPORF_API sporf_status sporf_dataset_write_csv(const sporf_dataset *data, const char *path);

/* Whether a text has to stand in quotes in a CSV file, inner ones doubled, to be read back as it
 * is: where it has separators, quotes or line ends, blanks around it, or stands for a missing
 * value. */
SPORF_API int sporf_csv_needs_quotes(const char *text);

SPORF_API size_t sporf_dataset_rows(const sporf_dataset *data);
SPORF_API size_t sporf_dataset_features(const sporf_dataset *data);
SPORF_API size_t sporf_dataset_classes(const sporf_dataset *data); /* 0 without labels */
SPORF_API const float *sporf_dataset_column(const sporf_dataset *data, size_t feature);
SPORF_API const uint32_t *sporf_dataset_labels(const sporf_dataset *data); /* NULL without */
SPORF_API const float *sporf_dataset_weights(const sporf_dataset *data);   /* NULL without */

/* Columns that the options of reading kept, in their order, NULL past the last; none for tables
 * made in other ways, also from parts of this one. A field is the cell as it is written in a CSV
 * file between commas: in quotes if it was in quotes or has to be. A column without a name is
 * called column1 or the like.
 */
SPORF_API const char *sporf_dataset_kept_name(const sporf_dataset *data, size_t index);
SPORF_API const char *sporf_dataset_kept_field(const sporf_dataset *data, size_t row, size_t index);

/* What the columns are. It is borrowed from the dataset and follows its changes; reading with it
 * makes another file alike. */
SPORF_API const sporf_schema *sporf_dataset_schema(const sporf_dataset *data);

/* Names, kinds and levels of a schema. A name that there is none of, or past the end, is NULL; the
 * number of levels of a number is 0. */
SPORF_API const char *sporf_schema_feature_name(const sporf_schema *schema, size_t feature);
SPORF_API sporf_kind sporf_schema_kind(const sporf_schema *schema, size_t feature);
SPORF_API size_t sporf_schema_levels(const sporf_schema *schema, size_t feature);
SPORF_API const char *sporf_schema_level_name(const sporf_schema *schema, size_t feature,
                                              size_t level);
SPORF_API const char *sporf_schema_label_name(const sporf_schema *schema);
SPORF_API const char *sporf_schema_class_name(const sporf_schema *schema, size_t class_index);
SPORF_API const char *sporf_schema_target_name(const sporf_schema *schema, size_t target);

SPORF_API size_t sporf_dataset_missing(const sporf_dataset *data, size_t feature); /* cells */

/* Cells of a feature that were read as missing because the schema does not have their level. */
SPORF_API size_t sporf_dataset_unknown_levels(const sporf_dataset *data, size_t feature);

/* Columns of the file that were left out, and why; and what else to know about columns, such as
 * numbers that may be identifiers, as sentences. */
SPORF_API size_t sporf_dataset_left_out(const sporf_dataset *data);
SPORF_API const char *sporf_dataset_left_out_name(const sporf_dataset *data, size_t index);
SPORF_API const char *sporf_dataset_left_out_reason(const sporf_dataset *data, size_t index);
SPORF_API const char *sporf_dataset_note(const sporf_dataset *data, size_t index); /* or NULL */

/* What the target columns hold: NULL and 0 without. */
SPORF_API size_t sporf_dataset_targets(const sporf_dataset *data);
SPORF_API const float *sporf_dataset_target(const sporf_dataset *data, size_t target);

/* Frees a dataset; NULL is allowed. */
SPORF_API void sporf_dataset_free(sporf_dataset *data);

/* ---- parameters ------------------------------------------------------------------------------ */

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
    SPORF_SPLIT_AUTO,  /* between bins in large nodes, and then exactly near the best of these */
    SPORF_SPLIT_EXACT, /* every cut of every candidate */
} sporf_split;

typedef enum sporf_bag {
    SPORF_BAG_AUTO, /* none for ccf, bootstrap for every other method */
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
    SPORF_SCALE_AUTO, /* sd where standard deviations differ by more than 100 times, or none */
} sporf_scale;

typedef enum sporf_weights {
    SPORF_WEIGHTS_AUTO,    /* sign for sporf, uniform for frc, one for patch */
    SPORF_WEIGHTS_SIGN,    /* -1 or +1 */
    SPORF_WEIGHTS_ONE,     /* +1 */
    SPORF_WEIGHTS_UNIFORM, /* U(-1, 1) */
    SPORF_WEIGHTS_NORMAL,  /* N(0, 1) */
} sporf_weights;

typedef enum sporf_nonzeros {
    SPORF_NONZEROS_GRID,    /* ceil(density p d) cells of the p x d grid without replacement */
    SPORF_NONZEROS_POISSON, /* Poisson(density p) features in each projection */
} sporf_nonzeros;

typedef enum sporf_samples {
    SPORF_SAMPLES_KEEP, /* where numbers are predicted: quantiles and intervals can be, too */
    SPORF_SAMPLES_DROP, /* the model is smaller */
} sporf_samples;

typedef enum sporf_weight_is {
    /* Only ratios of weights matter. Bags draw and count rows whatever they weigh (but for those of
     * weight 0, which take no part), and so do min_split and min_leaf; the criterion, leaves and
     * out-of-bag errors count them by weight. */
    SPORF_WEIGHT_RELATIVE,
    /* How often a row was seen: a forest of weighted rows is that of rows repeated that many times,
     * for regression exactly so with exact splits. */
    SPORF_WEIGHT_COUNT,
} sporf_weight_is;

/* An amount that follows the number of features p: factor * p^exponent. {1, 1} is p, {1, .5} its
 * root, {400, 0} the number 400, {3, -1} is 3/p. {0, 0} is auto: left to the library. */
typedef struct sporf_power {
    double factor, exponent;
} sporf_power;

typedef struct sporf_params {
    size_t struct_size;
    sporf_method method;
    uint32_t trees;
    /* d: candidates per node; for ccf features per node. Auto: where sporf predicts classes, small
     * forests choose d, and lambda and min_leaf as far as they are auto; otherwise sqrt for rf and
     * p for all else. The forest records what was chosen. */
    sporf_power projections;
    /* lambda: share of non-zeros; for frc L = lambda p. Auto: 3/p; for sporf 1/p below ten features
     * and for targets. */
    sporf_power density;
    sporf_weights weights;
    sporf_nonzeros nonzeros;
    uint32_t image_width;          /* patch: features in one image line; 0: a series of p */
    uint32_t patch_min, patch_max; /* patch: least and largest side, in features */
    sporf_criterion criterion;
    uint32_t max_depth; /* 0: unbounded */
    uint32_t min_split; /* a node of fewer rows of the bag, with repeats, stays whole */
    uint32_t min_leaf;  /* fewest rows of a child, counted alike; 0: auto, 1 or chosen with d */
    sporf_bag bag;
    /* Share of the rows that a bag draws, with replacement but for subsample; stratified takes it
     * of each class. 0: 0.632 for subsample and 1 otherwise. */
    double bag_fraction;
    sporf_scale scale;
    uint64_t seed;
    uint32_t threads;    /* 0: one for each core; never changes the forest */
    uint64_t max_memory; /* bytes; training that may need more is refused; 0: no limit */
    sporf_split split;
    /* Times the weights of a class's rows: "balanced", or "NAME=WEIGHT,NAME=WEIGHT" where classes
     * that are not named have 1; NULL for none. The text is borrowed and must live until training
     * is done, also where sporf_params_set took it. */
    const char *class_weights;
    sporf_samples samples; /* the targets of the rows in each leaf */
    /* Share of each bag's rows that fill the leaves of a tree and choose none of its splits, from 0
     * up to less than 1; 0: all rows do both. */
    double honest;
    sporf_weight_is weight_is; /* what the weights of rows and classes say */
    /* Least share of a tree's weight that each child keeps, from 0 to 0.5: of the weight of the
     * rows that choose its splits, or of their number if there are no weights. It holds in addition
     * to min_leaf. */
    double min_leaf_weight;
} sporf_params;

#define sporf_params_init(params) sporf_params_init_sized((params), sizeof *(params))
SPORF_API void sporf_params_init_sized(sporf_params *params, size_t struct_size);

/* Sets what serves better where numbers are predicted: scale sd, min_split 5 and, if the method is
 * sporf, density 1/p. So set the method before, and these three after. NULL is allowed. */
SPORF_API void sporf_params_for_targets(sporf_params *params);

/* One row of the table that defaults, range checks, flags, bindings and reference pages share. */
typedef struct sporf_option {
    const char *name;          /* as in sporf_params_set and, with dashes, on the command line */
    const char *type;          /* "integer", "real", "amount", "choice", "bytes", "text" */
    const char *choices;       /* values of a choice, parted by '|'; otherwise the range in words */
    const char *default_value; /* as text */
    const char *help;
} sporf_option;

SPORF_API const sporf_option *sporf_option_at(size_t index); /* NULL past the end */

/* Sets one parameter from text, as the command line does: ("projections", "p^0.5"). Of a "text" the
 * pointer is kept, otherwise nothing. */
SPORF_API sporf_status sporf_params_set(sporf_params *params, const char *name, const char *value);

/* Writes one parameter as text that sporf_params_set reads back. */
SPORF_API sporf_status sporf_params_get(const sporf_params *params, const char *name, char *buffer,
                                        size_t size);

/* What bags are drawn by: bag, or where that is AUTO what the method takes. */
SPORF_API sporf_bag sporf_params_bag(const sporf_params *params);

/* ---- your own sampler ------------------------------------------------------------------------ */

/* A stream of random numbers that depends on (seed, tree, node) alone. */
typedef struct sporf_random sporf_random;
SPORF_API uint32_t sporf_random_below(sporf_random *random, uint32_t bound); /* 0 .. bound-1 */
SPORF_API double sporf_random_uniform(sporf_random *random);                 /* [0, 1) */
SPORF_API double sporf_random_normal(sporf_random *random);                  /* N(0, 1) */

/* A list of sparse projections under construction. Adding returns SPORF_ERROR_ARGUMENT for features
 * out of range or repeated and for weights that are not finite. A projection stands for a line: it
 * is kept with its features ascending, its first weight positive and its largest weight 1. Terms of
 * weight 0 are left out, and a projection without terms is passed over. */
typedef struct sporf_projections sporf_projections;
SPORF_API sporf_status sporf_projections_add(sporf_projections *list, size_t count,
                                             const uint32_t *features, const float *weights);

/* The part of the data that a sampler may look at: the rows of the tree's bag in prepare, those of
 * the node in draw; of an honest tree only rows that choose splits. Row i of the view is row row[i]
 * of the columns and counts weight[i] times; where rows have relative weights, or counts that are
 * no whole numbers without a bootstrap, weight[i] is its share in units that are the same for all
 * rows.
 */
typedef struct sporf_view {
    uint32_t tree;
    uint32_t depth;
    size_t features;             /* of the data, or of the basis that prepare made */
    const float *const *columns; /* [features] */
    const float *scale; /* [features]: times a column gives scaled units; 0 for a constant one;
                           NULL: all 1 */
    size_t rows;
    const uint32_t *row;    /* [rows] */
    const uint32_t *weight; /* [rows] */
    const uint32_t *label;  /* [rows]; all 0 where numbers are to be predicted, */
    size_t classes;         /* and this 0, too: targets are not shown */
} sporf_view;

/* How candidate projections come about. Weights are in scaled units; the library turns them into
 * raw ones. All functions may run in several threads at once, each with a state of its own. A
 * status other than SPORF_OK ends the training; SPORF_ERROR_CANCELLED ends it as the interrupt hook
 * does. */
typedef struct sporf_sampler {
    const char *name;
    void *payload;
    /* For each tree, and again for each thread that comes to help with it, or comes back to it,
     * with equal random numbers; may be NULL. It may leave a state for draw, and may add directions
     * to basis: the data are then projected on those of the first call, and draw picks single basis
     * directions. */
    sporf_status (*prepare)(void *payload, const sporf_view *view, sporf_random *random,
                            sporf_projections *basis, void **state);
    /* Once for each node that may be split: adds the candidates. */
    sporf_status (*draw)(void *payload, void *state, const sporf_view *view, sporf_random *random,
                         sporf_projections *candidates);
    /* Once for each prepare that succeeded; may be NULL. */
    void (*finish)(void *payload, void *state);
} sporf_sampler;

/* ---- training -------------------------------------------------------------------------------- */

typedef struct sporf_forest sporf_forest;

typedef enum sporf_phase {
    SPORF_PHASE_SAMPLE,    /* drawing candidates */
    SPORF_PHASE_PROJECT,   /* projecting the node's rows on them */
    SPORF_PHASE_SPLIT,     /* looking for the best cut */
    SPORF_PHASE_PARTITION, /* sending rows left and right */
    SPORF_PHASE_OTHER,     /* counting classes, copying rows, storing nodes, waiting for helpers */
    SPORF_PHASES
} sporf_phase;

/* Where the time of a training went, over all threads. Index s stands for nodes of 2^s to
 * 2^(s+1) - 1 different rows. Its layout will not change. */
enum { SPORF_PROFILE_SIZES = 32 };
typedef struct sporf_profile {
    double seconds[SPORF_PHASES][SPORF_PROFILE_SIZES];
    uint64_t nodes[SPORF_PROFILE_SIZES];           /* splits and leaves */
    uint64_t row_projections[SPORF_PROFILE_SIZES]; /* rows times candidates looked at */
} sporf_profile;

typedef struct sporf_hooks {
    size_t struct_size;
    void *payload;
    /* After each tree, one call at a time, from any thread of the training; may be NULL. */
    void (*progress)(void *payload, size_t trees_done, size_t trees);
    /* Asked often, from every thread at once; anything but 0 stops the training; may be NULL. */
    int (*interrupt)(void *payload);
    /* Replaces the method's own sampler; may be NULL. */
    const sporf_sampler *sampler;
    /* Set to where the time went, unless training is refused before it starts; may be NULL. Keeping
     * it slows training down a little. */
    sporf_profile *profile;
} sporf_hooks;

#define sporf_hooks_init(hooks) sporf_hooks_init_sized((hooks), sizeof *(hooks))
SPORF_API void sporf_hooks_init_sized(sporf_hooks *hooks, size_t struct_size);

/* Trains a forest on data with labels, or with targets: numbers that it then predicts, whether or
 * not there are labels, too. params and hooks may be NULL for the defaults, those of
 * sporf_params_for_targets where the data have targets. When the interrupt hook stops it, the
 * forest holds the trees grown so far, the first ones of the full forest. Free with
 * sporf_forest_free. */
SPORF_API sporf_status sporf_forest_train(const sporf_dataset *data, const sporf_params *params,
                                          const sporf_hooks *hooks, sporf_forest **out);

/* Grows a forest further: a new one of params->trees trees, of which the first are those of the
 * given forest, which stays as it is. With the data that it was trained on, rows in the same order,
 * this is the forest that training so many trees at once gives, in every byte of its file and with
 * its votes; in the time of the trees that are added. All settings but trees must be those that the
 * forest records, so start from sporf_forest_params; columns, classes and targets must be the same,
 * and other rows are refused where the out-of-bag errors show it. A sampler of one's own is told by
 * its name. progress counts the trees that are added; when the interrupt hook stops, the forest
 * holds the trees so far, at least the given ones. Free with sporf_forest_free. */
SPORF_API sporf_status sporf_forest_extend(const sporf_forest *forest, const sporf_dataset *data,
                                           const sporf_params *params, const sporf_hooks *hooks,
                                           sporf_forest **out);

/* Sets what a forest records of the parameters it was trained with, and min_leaf_weight, which it
 * records unless it is 0; others stay as they are, such as weight_is where all rows weighed the
 * same. params were initialised before. class_weights is
 * borrowed from the forest. */
SPORF_API sporf_status sporf_forest_params(const sporf_forest *forest, sporf_params *params);

/* Whether such a training leaves settings to small forests: projections, and density and min_leaf
 * where they are auto, too. */
SPORF_API int sporf_train_chooses(const sporf_dataset *data, const sporf_params *params);

/* Whether it leaves rows out of the bags of its trees, which then tell its error. Not where weights
 * are counts, and those of most of a class so large that nearly every bag has it. */
SPORF_API int sporf_train_leaves_rows_out(const sporf_dataset *data, const sporf_params *params);

/* An upper estimate, in bytes, of what such a training takes beside the dataset itself. */
SPORF_API sporf_status sporf_train_memory(const sporf_dataset *data, const sporf_params *params,
                                          uint64_t *bytes);

/* Frees a forest; NULL is allowed. */
SPORF_API void sporf_forest_free(sporf_forest *forest);

/* ---- prediction ------------------------------------------------------------------------------ */

typedef enum sporf_combine {
    SPORF_COMBINE_VOTES,      /* each tree votes for the largest class of its leaf */
    SPORF_COMBINE_POSTERIORS, /* the trees' leaf class shares are averaged */
} sporf_combine;

typedef struct sporf_predict_options {
    size_t struct_size;
    sporf_combine combine;
    unsigned threads; /* 0: one for each core */
} sporf_predict_options;

#define sporf_predict_options_init(options)                                                        \
    sporf_predict_options_init_sized((options), sizeof *(options))
SPORF_API void sporf_predict_options_init_sized(sporf_predict_options *options, size_t struct_size);

/* What to predict: arrays of the caller's, each of which may be NULL where it is not wanted. Set
 * struct_size to sizeof(sporf_predictions) and all else to 0 first. All are filled row by row. */
typedef struct sporf_predictions {
    size_t struct_size;
    /* classification */
    uint32_t *classes;      /* [rows]: the class of each row; the lower index in a tie */
    double *probabilities;  /* [rows x classes] */
    uint32_t *votes;        /* [rows x classes]: how many trees vote for each class */
    uint32_t *tree_classes; /* [rows x trees]: the vote of each tree */
    /* regression */
    double *values; /* [rows x targets]: means over the trees */
    /* Both: the leaf of each tree that a row ends in. Leaves count from 0 in each tree, in the
     * order of its nodes; sporf_node.leaf is the same number. */
    uint32_t *leaves; /* [rows x trees] */
    /* Regression, by forests that keep samples. A quantile of 0.9 is the smallest number up to
     * which 0.9 of the weight lies of the training values in the leaves of a row, each tree
     * counting the same (quantile regression forests, Meinshausen 2006). */
    const double *quantiles; /* [quantiles_count]: which ones, from 0 to 1 */
    size_t quantiles_count;
    double *quantile_values; /* [rows x targets x quantiles_count] */
    /* An interval that holds a share `interval` (above 0, below 1) of new values, the lower bound
     * first. Its ends are quantiles; which ones was found in training, from how often those of the
     * trees without a row held its value. A forest without out-of-bag rows takes those of
     * (1 - interval) / 2 and (1 + interval) / 2. */
    double interval;
    double *bounds; /* [rows x targets x 2] */
} sporf_predictions;

/* Predicts the rows of a table. Where model and data both name their features, columns are matched
 * by name. What the model does not predict is refused. options may be NULL. */
SPORF_API sporf_status sporf_forest_predict(const sporf_forest *forest, const sporf_dataset *data,
                                            const sporf_predict_options *options,
                                            const sporf_predictions *predictions);

/* How many rows of the data hold a level of a feature, by its number in the forest, that the forest
 * does not know, and the first such level in *example, which may be NULL: prediction takes them as
 * missing. 0 and NULL where there are none. What the reader of a file took as missing because its
 * schema has no such level, sporf_dataset_unknown_levels counts. */
SPORF_API sporf_status sporf_forest_unknown_levels(const sporf_forest *forest,
                                                   const sporf_dataset *data, size_t feature,
                                                   size_t *rows, const char **example);

/* Predicts one row of sporf_forest_features() values, numbers of levels among them, NaN where one
 * is missing: no allocation, no lock, no checks, from as many threads at once as you like. Writes
 * the probabilities into out[classes] and returns the class; or the values into out[targets] and
 * returns 0. Returns SPORF_NO_CLASS where a model that was opened with sporf_forest_open turns out
 * to be damaged. */
SPORF_API uint32_t sporf_forest_predict_row(const sporf_forest *forest, const float *row,
                                            sporf_combine combine, double *out);
#define SPORF_NO_CLASS UINT32_MAX

/* The proximity of rows: the share of trees in which two rows end in the same leaf. Pair i is row
 * first_rows[i] of first and row second_rows[i] of second, which may be the same table. */
SPORF_API sporf_status sporf_forest_proximities(const sporf_forest *forest,
                                                const sporf_dataset *first,
                                                const sporf_dataset *second,
                                                const sporf_predict_options *options, size_t pairs,
                                                const uint32_t *first_rows,
                                                const uint32_t *second_rows, double *proximities);

/* For each row of data the `count` rows of reference (as a rule the training data) that are
 * nearest: rows[data rows * count] and proximities[data rows * count], the nearest first, the lower
 * row number in a tie. Takes memory for reference rows x trees, never rows x rows. */
SPORF_API sporf_status sporf_forest_nearest(const sporf_forest *forest,
                                            const sporf_dataset *reference,
                                            const sporf_dataset *data,
                                            const sporf_predict_options *options, size_t count,
                                            uint32_t *rows, double *proximities);

enum { SPORF_CALIBRATION_BINS = 10 };

/* Predictions made with nearly the same confidence: the probability given to the class that was
 * predicted. Bin k has confidences from k/10 up to (k + 1)/10, the last one 1 as well. Means are
 * weighted where rows have weights, and NaN for a bin of no weight. */
typedef struct sporf_calibration_bin {
    size_t rows;
    double weight;     /* of the rows; their number where they have none */
    double confidence; /* mean */
    double accuracy;   /* share of right predictions */
} sporf_calibration_bin;

/* How far probabilities can be trusted. Its layout will not change. */
typedef struct sporf_calibration {
    double brier; /* mean over rows of the sum over classes of (probability - truth)^2: 0 to 2 */
    double error; /* expected calibration error: mean of |confidence - accuracy| over the bins,
                     each with its share of the weight */
    sporf_calibration_bin bins[SPORF_CALIBRATION_BINS];
} sporf_calibration;

/* How well a target is predicted. Its layout will not change. */
typedef struct sporf_target_scores {
    double rmse, mae; /* root of the mean squared error, mean absolute error */
    double r2;        /* share of the variance that is explained; NaN where nothing varies */
} sporf_target_scores;

/* How good quantiles and intervals are. The layout of both will not change. */
typedef struct sporf_quantile_scores {
    double pinball; /* mean of q times what lies above, and 1 - q times what lies below */
    double below;   /* share of rows at or below it: q, if it is right */
} sporf_quantile_scores;

typedef struct sporf_interval_scores {
    double coverage; /* share of rows in their interval: its level, if it is right */
    double width;    /* mean */
} sporf_interval_scores;

/* Scores, which weigh rows where the data have weights; those that do not apply are NaN. Set
 * struct_size to sizeof(sporf_evaluation) and all else to 0 first, then what is wanted beside them:
 * arrays of the caller's, each of which may be NULL. */
typedef struct sporf_evaluation {
    size_t struct_size;
    size_t rows;
    /* classification */
    size_t unknown_labels; /* rows whose label the model has never seen; they count as errors */
    double error;
    double kappa;       /* Cohen's kappa; NaN where truth and prediction are one class */
    double kappa_paper; /* 1 - error / c, as in the paper's UCI table */
    double log_loss;
    /* Cells [(classes + 1) x classes]: row = true class of the model, the last row for unknown
     * labels; column = predicted. */
    size_t *confusion;
    sporf_calibration *calibration; /* an unknown label is a class of its own, which was given 0 */
    /* Regression: over all targets, the root of the mean of squares, and means; r2 over those that
     * vary. Targets of the data are found by name, or in their order where they have no names or
     * others. */
    double rmse, mae, r2;
    sporf_target_scores *targets; /* [targets]: each of them */
    const double *quantiles;      /* [quantiles_count]: which ones, from 0 to 1 */
    size_t quantiles_count;
    sporf_quantile_scores *quantile_scores; /* [targets x quantiles_count] */
    double interval;                        /* as in sporf_predictions */
    sporf_interval_scores *interval_scores; /* [targets] */
} sporf_evaluation;

/* Compares predictions with the labels or the targets of the data. options may be NULL. */
SPORF_API sporf_status sporf_forest_evaluate(const sporf_forest *forest, const sporf_dataset *data,
                                             const sporf_predict_options *options,
                                             sporf_evaluation *evaluation);

/* ---- model files ----------------------------------------------------------------------------- */

/* Saves to a temporary file beside path, syncs and renames: path holds the old model or the new
 * one, never a part. Permissions and, where allowed, the owner of the old file are kept; a
 * read-only file is not replaced; a link stays a link. The format is described in
 * docs/model-format.md. */
SPORF_API sporf_status sporf_forest_save(const sporf_forest *forest, const char *path);

/* Reads a model, from a file or a pipe, into memory and checks every byte of it: one from anywhere
 * is refused or fit for use, and what it costs to load is in proportion to its size. Free with
 * sporf_forest_free. */
SPORF_API sporf_status sporf_forest_load(const char *path, sporf_forest **out);

/* The same from the bytes of such a file, which are copied. */
SPORF_API sporf_status sporf_forest_load_bytes(const void *bytes, size_t size, sporf_forest **out);

/* Maps a model file and uses it where it lies, at once and whatever its size: trees are read from
 * the file as rows come by, each step checked, which makes prediction several times slower. Names
 * and tables are checked, trees are not: damage that leads out of a tree is an error, but a changed
 * threshold goes unnoticed until sporf_forest_check. The file must not be changed while the forest
 * lives: where it becomes shorter, the process gets the signal SIGBUS. Replacing it, as
 * sporf_forest_save does, is no change. Free with sporf_forest_free. */
SPORF_API sporf_status sporf_forest_open(const char *path, sporf_forest **out);

/* Reads and checks the whole of a forest that was opened with sporf_forest_open; prediction is then
 * as fast as that of a loaded one. No other thread may use the forest meanwhile. */
SPORF_API sporf_status sporf_forest_check(sporf_forest *forest);

/* The bytes that sporf_forest_save would write. Free *bytes with sporf_free. */
SPORF_API sporf_status sporf_forest_save_bytes(const sporf_forest *forest, void **bytes,
                                               size_t *size);
SPORF_API void sporf_free(void *bytes);

/* ---- inspection ------------------------------------------------------------------------------ */

SPORF_API size_t sporf_forest_trees(const sporf_forest *forest);
SPORF_API size_t sporf_forest_features(const sporf_forest *forest);
SPORF_API size_t sporf_forest_classes(const sporf_forest *forest); /* 0 where it predicts numbers */
SPORF_API size_t sporf_forest_targets(const sporf_forest *forest); /* 0 where it predicts classes */
SPORF_API int sporf_forest_has_samples(const sporf_forest *forest); /* to predict quantiles from */

/* What the columns were in training, borrowed; the schema is for reading data to predict. */
SPORF_API const sporf_schema *sporf_forest_schema(const sporf_forest *forest);

/* What the forest was trained with, as text: the value of a setting, NULL where it has none of that
 * name; and one after the other, the name returned and its value in *value, NULL past the end. */
SPORF_API const char *sporf_forest_setting(const sporf_forest *forest, const char *name);
SPORF_API const char *sporf_forest_setting_at(const sporf_forest *forest, size_t index,
                                              const char **value);

typedef struct sporf_forest_summary {
    uint64_t nodes, leaves;
    double mean_depth; /* of a leaf, over the leaves of all trees */
    uint32_t max_depth;
    double mean_nonzeros; /* features in a split */
} sporf_forest_summary;

SPORF_API sporf_status sporf_forest_summarise(const sporf_forest *forest,
                                              sporf_forest_summary *summary);

/* Out-of-bag results; they count rows as they weigh, times the weights of their classes. What is
 * kept after training only, and not in model files, is NULL after loading. Its layout will not
 * change. */
typedef struct sporf_oob {
    size_t rows; /* with at least one vote; 0 where no row was ever out of bag, and all else NaN */
    /* The error rate; for regression the root of the mean squared error over all targets, in the
     * units they have, so that those of large numbers count for most. */
    double error;
    /* Cohen's kappa; for regression the share of the variance that is explained, the mean over the
     * targets that vary, and NaN where none does. */
    double kappa;
    /* The error of the first t + 1 trees over the rows they left out, NaN while there are none. */
    const double *curve; /* [trees], or NULL */
    /* After training: how often each row was voted for each class by the trees that it was out of
     * bag in; or what these predict on average, NaN for a row that was never out of bag. */
    const uint32_t *votes;              /* [training_rows x classes], or NULL */
    const double *predictions;          /* [training_rows x targets], or NULL */
    size_t training_rows;               /* 0 after loading */
    const sporf_target_scores *targets; /* regression: [targets], or NULL */
} sporf_oob;

/* Everything that it points to is borrowed from the forest. */
SPORF_API void sporf_forest_oob(const sporf_forest *forest, sporf_oob *oob);

typedef struct sporf_node {
    int is_leaf;
    /* a split: rows with sum(weights * features) <= threshold go left. A feature from the number of
     * the forest's on stands for a set of levels, numbered from there: it is 1 where a row's level
     * is in the set, otherwise 0. Where a value is missing the row goes left or not by
     * missing_left.
     */
    float threshold;
    int missing_left;
    uint32_t left, right;
    size_t terms;
    const uint32_t *features; /* [terms], ascending; sets come last */
    const float *weights;     /* [terms] */
    /* a leaf: its number, and the training weight of each class in it */
    uint32_t leaf;
    size_t classes;
    const uint32_t *class_index; /* [classes], ascending */
    const float *class_weight;   /* [classes] */
    /* Where numbers are predicted: their means, [targets]; classes is then 0, class_index NULL, and
     * class_weight[0] the training weight of the whole leaf. Otherwise NULL. */
    const float *values;
} sporf_node;

/* A set of levels of one feature, which a term of a split may name. Its layout will not change. */
typedef struct sporf_set {
    size_t feature;
    int is_levels; /* 0: it stands for the feature's own value */
    float fill;    /* of a term that names it, where the value is missing; NaN: missing, too */
} sporf_set;

/* The sets of a forest, numbered from 0, and whether one holds a level. Numbers must be in range.
 */
SPORF_API size_t sporf_forest_sets(const sporf_forest *forest);
SPORF_API sporf_set sporf_forest_set(const sporf_forest *forest, size_t set);
SPORF_API int sporf_forest_set_has(const sporf_forest *forest, size_t set, size_t level);

SPORF_API size_t sporf_forest_nodes(const sporf_forest *forest, size_t tree);
/* Node 0 is the root. Fails on indices out of range. */
SPORF_API sporf_status sporf_forest_node(const sporf_forest *forest, size_t tree, size_t node,
                                         sporf_node *out);

/* How much the splits of all trees that look at a feature take away of the impurity: the sum of the
 * weight of a node times the decrease of its Gini impurity, whatever criterion chose its splits, or
 * of its variance where numbers are predicted (several targets each in units of their spread over
 * the leaves of a tree). Each split shares its decrease out among its features in proportion to
 * their weights, with scale in scaled units; sets of levels count for the feature that they are
 * about. importances[features], which sum to 1, or are 0 where nothing is taken away. All is found
 * from the leaves, and so for honest trees from the rows that fill them. */
SPORF_API sporf_status sporf_forest_importances(const sporf_forest *forest, double *importances);

/* A projection as in sporf_node. Its layout will not change. */
typedef struct sporf_ranked {
    double importance; /* its splits' share of all decreases */
    uint64_t splits;   /* of all trees that use exactly it, w and -w being the same */
    size_t terms;
    const uint32_t *features; /* [terms] */
    const float *weights;     /* [terms] */
} sporf_ranked;

/* The projections that splits use, the most important first. The library makes it, and later
 * versions may add members at the end. */
typedef struct sporf_ranking {
    size_t count;                    /* kept */
    size_t distinct;                 /* in the forest */
    const sporf_ranked *projections; /* [count] */
} sporf_ranking;

/* Ranks the projections of a forest and keeps the first `count` of them; in a tie the one that
 * comes first in the trees. Sets of the same levels are one here, with the number of the first.
 * Free with sporf_ranking_free. */
SPORF_API sporf_status sporf_ranking_create(const sporf_forest *forest, size_t count,
                                            sporf_ranking **out);

/* Frees a ranking; NULL is allowed. */
SPORF_API void sporf_ranking_free(sporf_ranking *ranking);

/* ---- choosing settings ----------------------------------------------------------------------- */

/* Some rows of a dataset, by number from 0, in this order and as often as they are named, as a
 * dataset of its own. Classes are those of the whole, whether or not the rows hold them all, so
 * that numbers of classes and levels agree; a forest trained on it knows them all. What reading
 * left out or noted is not kept. Free with sporf_dataset_free. */
SPORF_API sporf_status sporf_dataset_select(const sporf_dataset *data, const uint32_t *rows,
                                            size_t count, sporf_dataset **out);

/* What projections and density come to for some data. Its layout will not change. */
typedef struct sporf_amounts {
    size_t features;      /* p: what candidates are drawn from; a category counts as up to 5 */
    uint32_t projections; /* d */
    double nonzeros;      /* lambda p; 1 for methods that take features as they are */
} sporf_amounts;

SPORF_API sporf_status sporf_train_amounts(const sporf_dataset *data, const sporf_params *params,
                                           sporf_amounts *amounts);

/* Rows parted into folds: each row is a test row of one fold and a training row of all others. */
typedef struct sporf_folds sporf_folds;

/* Draws `count` folds, 2 or more, as a function of the data's labels, count and seed. The rows of
 * each class are dealt out evenly, so that their numbers differ by at most one between folds, as
 * those of all rows do. Targets instead of labels are dealt out evenly in the order of the first
 * one; without either, rows are by chance alone. Free with sporf_folds_free. */
SPORF_API sporf_status sporf_folds_draw(const sporf_dataset *data, size_t count, uint64_t seed,
                                        sporf_folds **out);

/* Folds of one's own: fold[rows], the number, from 0, of the fold that a row is tested in. Every
 * fold up to the largest number must have rows. Free with sporf_folds_free. */
SPORF_API sporf_status sporf_folds_create(const uint32_t *fold, size_t rows, sporf_folds **out);

/* Reads a file whose line k holds the numbers, from 1, of the test rows of fold k, parted by
 * commas; each of so many rows must be in exactly one. "-" is standard input. Free with
 * sporf_folds_free. */
SPORF_API sporf_status sporf_folds_read(const char *path, size_t rows, sporf_folds **out);

/* Writes such a file; "-" is standard output. */
SPORF_API sporf_status sporf_folds_write(const sporf_folds *folds, const char *path);

SPORF_API size_t sporf_folds_count(const sporf_folds *folds);
SPORF_API size_t sporf_folds_rows(const sporf_folds *folds);
/* The fold of each row, [rows]; and the test rows of a fold, ascending, with their number in
 * *count. NULL past the end. */
SPORF_API const uint32_t *sporf_folds_of_rows(const sporf_folds *folds);
SPORF_API const uint32_t *sporf_folds_test(const sporf_folds *folds, size_t fold, size_t *count);

/* The training and the test rows of a fold as datasets; either place may be NULL. Free both with
 * sporf_dataset_free. */
SPORF_API sporf_status sporf_folds_split(const sporf_folds *folds, const sporf_dataset *data,
                                         size_t fold, sporf_dataset **train, sporf_dataset **test);

/* Frees folds; NULL is allowed. */
SPORF_API void sporf_folds_free(sporf_folds *folds);

typedef enum sporf_search_way {
    SPORF_SEARCH_RACE, /* grow all to a part of the trees, drop what is clearly worse, and so on */
    SPORF_SEARCH_ALL,  /* grow all to the full number of trees, as the paper does */
} sporf_search_way;

typedef struct sporf_search_options {
    size_t struct_size;
    sporf_search_way way;
    /* Values of d and lambda; every one of both is tried together. A count of 0 takes those of the
     * paper: d of p^1/4, p^1/2, p^3/4 and p, or 1 to p below 5 features; for sporf and frc also
     * p^2, or p^1.5 above 100 features, and lambda of 1/p to min(p - 1, 5)/p, for frc 2/p to
     * min(p, 5)/p. Other methods have no lambda. */
    const sporf_power *projections;
    size_t projections_count;
    const sporf_power *densities;
    size_t densities_count;
    /* Where trees leave no rows out: folds to compare settings by; NULL: folds_count ones, drawn
     * with the seed. */
    const sporf_folds *folds;
    size_t folds_count;
    void *payload; /* for both hooks */
    /* After each tree, one call at a time, from any thread: trees grown, and how many there will be
     * at most. May be NULL. */
    void (*progress)(void *payload, size_t trees_done, size_t trees);
    /* Asked often, from every thread at once; anything but 0 stops the search; may be NULL. */
    int (*interrupt)(void *payload);
    int all_or_nothing; /* a search that is stopped keeps nothing: SPORF_ERROR_CANCELLED */
} sporf_search_options;

#define sporf_search_options_init(options)                                                         \
    sporf_search_options_init_sized((options), sizeof *(options))
SPORF_API void sporf_search_options_init_sized(sporf_search_options *options, size_t struct_size);

/* One of the settings that a search tries. Its layout will not change. */
typedef struct sporf_trial {
    sporf_power projections, density; /* as in sporf_params */
    uint32_t d;                       /* what they come to */
    double nonzeros;                  /* as in sporf_amounts */
    size_t trees;   /* that it was compared with, in each fold where there are folds; 0: never */
    double error;   /* of these trees: out of bag, or out of fold; as in sporf_oob; NaN: unknown */
    double auc;     /* area under the curve of their vote shares; NaN where numbers are predicted */
    double seconds; /* spent on it */
} sporf_trial;

/* What a search found. The library makes it, and later versions may add members at the end. */
typedef struct sporf_search {
    size_t count;
    const sporf_trial *trials; /* [count] */
    size_t best;               /* which of them */
    int interrupted;
    /* Of the best, freed with the search. To keep it longer, take it and set this to NULL: it is
     * then yours to free with sporf_forest_free. */
    sporf_forest *forest;
} sporf_search;

/* Searches the settings whose forest has the least out-of-bag error; the greatest AUC in a tie; one
 * by chance, from the seed, where this is the same, too. The AUC is that of the second of two
 * classes, or of all rows and classes together. Where trees leave no rows out (ccf, bag none,
 * subsamples of all rows) errors are those of cross-validation. params say all else, among it how
 * many trees; NULL for the defaults. Settings that come to the same numbers are tried once. options
 * may be NULL.
 *
 * The forest that results is the one that training with its settings gives, in every byte of its
 * file. When the interrupt hook stops the search, it is the best so far, of a race after its last
 * whole round, perhaps of fewer trees; SPORF_ERROR_CANCELLED where there is none. One
 * that was compared by folds is still grown then, on all rows, with the trees it was compared with.
 * Nothing depends on the number of threads. Free with sporf_search_free. */
SPORF_API sporf_status sporf_search_run(const sporf_dataset *data, const sporf_params *params,
                                        const sporf_search_options *options, sporf_search **out);

/* An upper estimate, in bytes, of what the training of the setting that takes most and comparing
 * all of them take beside the dataset itself. The forests of settings that are still compared, and
 * the rows of folds, come on top: how many a race keeps is not known before. */
SPORF_API sporf_status sporf_search_memory(const sporf_dataset *data, const sporf_params *params,
                                           const sporf_search_options *options, uint64_t *bytes);

/* Frees a search, its forest with it; NULL is allowed. */
SPORF_API void sporf_search_free(sporf_search *search);

typedef struct sporf_crossval_options {
    size_t struct_size;
    sporf_combine combine;
    /* Searches settings anew on the training rows of each fold, as the paper does; NULL: settings
     * are those of params. Its hooks and folds must be NULL. */
    const sporf_search_options *search;
    void *payload; /* for both hooks */
    void (*progress)(void *payload, size_t trees_done,
                     size_t trees);  /* as in sporf_search_options */
    int (*interrupt)(void *payload); /* likewise */
} sporf_crossval_options;

#define sporf_crossval_options_init(options)                                                       \
    sporf_crossval_options_init_sized((options), sizeof *(options))
SPORF_API void sporf_crossval_options_init_sized(sporf_crossval_options *options,
                                                 size_t struct_size);

/* Scores of a fold, means over folds, or their standard errors. What does not apply, or has no
 * value, is NaN; so are the scores of a fold whose test rows all weigh 0. Its layout will not
 * change. */
typedef struct sporf_crossval_scores {
    double error, kappa, kappa_paper, log_loss; /* of classes, as in sporf_evaluation */
    double rmse, mae, r2;                       /* of numbers, as in sporf_evaluation */
    double seconds;                             /* to train and predict */
} sporf_crossval_scores;

/* The result of a cross-validation. The library makes it, and later versions may add members at the
 * end. */
typedef struct sporf_crossval {
    size_t folds; /* that were done */
    int interrupted;
    const sporf_crossval_scores *scores; /* [folds] */
    /* Means over the folds that have a value, and sd / sqrt(their number). Those of kappa and
     * kappa_paper are over the folds that test several classes. */
    sporf_crossval_scores mean, se;
    /* What the forest of each fold was grown with, [folds]: the params that were given, with what
     * was chosen where they are auto or searched. */
    const sporf_params *const *params;
    const sporf_trial
        *trials; /* [folds]: the settings that were found; NULL where none were searched */
    /* What the forest without it predicts for each row; NULL where the other is predicted. Rows of
     * folds that were not done have SPORF_NO_CLASS, or NaN. */
    const uint32_t *classes;     /* [rows] */
    const double *probabilities; /* [rows x classes] */
    const double *values;        /* [rows x targets] */
} sporf_crossval;

/* Trains a forest without each fold in turn and scores it on the fold. Every forest is that of
 * sporf_folds_split, sporf_forest_train (or sporf_search_run) and sporf_forest_evaluate. params and
 * options may be NULL. When the interrupt hook stops it, the result is that of the folds done so
 * far; SPORF_ERROR_CANCELLED where there is none. Free with sporf_crossval_free. */
SPORF_API sporf_status sporf_crossval_run(const sporf_dataset *data, const sporf_folds *folds,
                                          const sporf_params *params,
                                          const sporf_crossval_options *options,
                                          sporf_crossval **out);

/* Frees a result; NULL is allowed. */
SPORF_API void sporf_crossval_free(sporf_crossval *result);
/* How measures that look at the training data again are taken. */
typedef struct sporf_measure_options {
    size_t struct_size;
    uint64_t seed;    /* of shuffles; 1 */
    unsigned threads; /* 0: one for each core; never changes a measure */
} sporf_measure_options;

#define sporf_measure_options_init(options)                                                        \
    sporf_measure_options_init_sized((options), sizeof *(options))
SPORF_API void sporf_measure_options_init_sized(sporf_measure_options *options, size_t struct_size);

/* How good the trees of a forest are, and how much they are alike (Breiman 2001), from the rows out
 * of their bags, as these weigh. Its layout will not change. */
typedef struct sporf_strength {
    size_t rows; /* that were out of the bag of some tree */
    /* Mean margin of the rows: the share of their out-of-bag votes for their class, less the
     * largest share of another one. From -1 to 1. */
    double strength;
    /* Variance of that margin over the square of the mean over trees of the standard deviation of
     * their raw margins: 1, -1 or 0 at a row where the tree votes for its class, for the other one
     * that the forest is nearest to, or for none of both. NaN where no margin varies, as where
     * every tree is right at every row. */
    double correlation;
    /* No forest of ever more such trees errs more often: correlation (1 - s^2) / s^2 for the
     * strength s. 0 where s is 1, and NaN where it is not above 0; it may pass 1. */
    double bound;
} sporf_strength;

/* Measures strength and correlation of a forest that predicts classes with the data that it was
 * trained on, rows in the same order: other data are refused as sporf_forest_extend does. The trees
 * have bags. options and hooks may be NULL; of hooks only interrupt is used. */
SPORF_API sporf_status sporf_forest_strength(const sporf_forest *forest, const sporf_dataset *data,
                                             const sporf_measure_options *options,
                                             const sporf_hooks *hooks, sporf_strength *strength);

/* How much a forest needs each feature (Breiman 2001): the mean over trees of how much their error
 * at the rows out of their bags grows where the values of the feature are shuffled among these, in
 * importances[features]; and its standard error over the trees in errors[features], which may be
 * NULL. The error is the share of rows, as they weigh, whose class is not the tree's; where numbers
 * are predicted the mean squared error, of several targets the mean of these, each in units of its
 * variance. A category is one feature. A tree that does not look at a feature needs it not: 0. Data
 * as for sporf_forest_strength, or with targets. The shuffles are a function of seed, tree and
 * feature. options and hooks may be NULL; of hooks progress and interrupt are used. */
SPORF_API sporf_status sporf_forest_permutation_importances(const sporf_forest *forest,
                                                            const sporf_dataset *data,
                                                            const sporf_measure_options *options,
                                                            const sporf_hooks *hooks,
                                                            double *importances, double *errors);

/* ---- simulation ------------------------------------------------------------------------------ */

/* Draws one of the paper's problems: "sparse-parity", "orthant", "trunk" or "consistency", with
 * classes; or one of Friedman's (1991): "friedman1", "friedman2" or "friedman3", with a target "y"
 * and the usual noise (a standard deviation of 1, 125 and 0.1). features 0 takes the usual ones
 * (20, 6, 10, 2; 10, 4, 4). *noise, unless NULL, is another standard deviation for one of
 * Friedman's; features do not depend on it. Free with sporf_dataset_free. */
SPORF_API sporf_status sporf_simulate(const char *problem, size_t rows, size_t features,
                                      uint64_t seed, const double *noise, sporf_dataset **out);

typedef struct sporf_prepare_options {
    size_t struct_size;
    int standardise; /* each column by the mean and the standard deviation of all rows */
} sporf_prepare_options;

#define sporf_prepare_options_init(options)                                                        \
    sporf_prepare_options_init_sized((options), sizeof *(options))
SPORF_API void sporf_prepare_options_init_sized(sporf_prepare_options *options, size_t struct_size);

/* Prepares a table as the paper's appendix describes, for those who need its protocol; forests do
 * better with tables as they are. Columns that are the same in every row, or look like identifiers,
 * are left out (sporf_dataset_left_out names them). Missing values are filled with the median of
 * their column, or its most frequent level; labels are not looked at. Orders become whole numbers
 * from 1, categories a column of 0 and 1 for each level, named colour=red; these come last. No two
 * columns may get one name. Classes are called 0, 1 and so on; targets stay, weights do not.
 * *feature[columns], unless NULL, says which feature each column was made of: free it with
 * sporf_free. options may be NULL. Rows to train with and rows to predict have to be prepared
 * together. Free *out with sporf_dataset_free. */
SPORF_API sporf_status sporf_dataset_prepare(const sporf_dataset *data,
                                             const sporf_prepare_options *options,
                                             sporf_dataset **out, size_t **feature);

/* A copy of the data with columns of noise after its features: numbers from N(0, 1), each a
 * function of seed, row and column alone, so that more columns extend fewer. Where features have
 * names they are called noise1, noise2 and so on. Free with sporf_dataset_free. */
SPORF_API sporf_status sporf_dataset_add_noise(const sporf_dataset *data, size_t columns,
                                               uint64_t seed, sporf_dataset **out);

/* The same for a file, written to another as CSV; "-" is standard input or output. All else of a
 * CSV file stays as it is, to the byte. The noise comes after the last column, or before it where
 * options name it as label or target. Numbers with decimal commas are refused. Files of other
 * formats are read as sporf_dataset_read does. options may be NULL. The output may lead to the file
 * that is read: it is replaced as by sporf_dataset_write_csv. */
SPORF_API sporf_status sporf_add_noise(const char *path, const sporf_read_options *options,
                                       size_t columns, uint64_t seed, const char *output);

#ifdef __cplusplus
}
#endif

#endif
