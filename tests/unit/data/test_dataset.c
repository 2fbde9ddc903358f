/* Datasets made of matrices, opened from files of all kinds, and written as CSV. */
#include "read/reader.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/random_data.h"
#include "support/same_bytes.h"
#include "support/same_dataset.h"
#include "support/tmpfile.h"

static void assert_said(const char *words) {
    if (!strstr(sporf_last_error(), words))
        fail_msg("expected '%s' in '%s'", words, sporf_last_error());
}

static sporf_dataset *make(const void *values, sporf_dtype type, size_t rows, size_t columns,
                           size_t row_stride, size_t column_stride) {
    const sporf_matrix matrix = {values, type, rows, columns, row_stride, column_stride};
    sporf_dataset *data = NULL;
    if (sporf_dataset_from_matrix(&matrix, &data) != SPORF_OK) fail_msg("%s", sporf_last_error());
    return data;
}

/* Value (i, j) of a table that shows every mix-up of rows and columns. */
static float value_of(size_t i, size_t j) {
    return (float)i - 0.25f * (float)j;
}

static void assert_table(const sporf_dataset *data, size_t rows, size_t columns) {
    assert_int_equal(sporf_dataset_rows(data), rows);
    assert_int_equal(sporf_dataset_features(data), columns);
    for (size_t j = 0; j < columns; j++)
        for (size_t i = 0; i < rows; i++)
            assert_true(sporf_dataset_feature(data, j)[i] == value_of(i, j));
}

static void any_strides_and_types_give_the_same_table(void **state) {
    (void)state;
    enum { ROWS = 150, COLUMNS = 7, GAP = 3 };
    static const size_t strides[][2] = {{COLUMNS, 1},    {1, ROWS},        {COLUMNS + GAP, 1},
                                        {1, ROWS + GAP}, {2 * COLUMNS, 2}, {2, 2 * ROWS}};
    float *single = calloc(2 * ROWS * COLUMNS + 2 * ROWS * GAP, sizeof *single);
    double *twice = calloc(2 * ROWS * COLUMNS + 2 * ROWS * GAP, sizeof *twice);
    assert_true(single && twice);
    for (size_t s = 0; s < sizeof strides / sizeof *strides; s++) {
        for (size_t i = 0; i < ROWS; i++)
            for (size_t j = 0; j < COLUMNS; j++) {
                size_t at = i * strides[s][0] + j * strides[s][1];
                single[at] = value_of(i, j);
                twice[at] = value_of(i, j);
            }
        sporf_dataset *a = make(single, SPORF_FLOAT32, ROWS, COLUMNS, strides[s][0], strides[s][1]);
        sporf_dataset *b = make(twice, SPORF_FLOAT64, ROWS, COLUMNS, strides[s][0], strides[s][1]);
        assert_table(a, ROWS, COLUMNS);
        assert_true(same_dataset(a, b));
        sporf_dataset_free(a);
        sporf_dataset_free(b);
    }
    free(single);
    free(twice);
}

static void single_columns_are_borrowed_and_all_else_is_copied(void **state) {
    (void)state;
    float values[6] = {1, 2, 3, 4, 5, 6};
    sporf_dataset *columns = make(values, SPORF_FLOAT32, 3, 2, 1, 3);
    sporf_dataset *rows = make(values, SPORF_FLOAT32, 3, 2, 2, 1);
    assert_ptr_equal(sporf_dataset_feature(columns, 1), values + 3);
    assert_null(columns->storage);
    values[2] = 30;
    assert_true(sporf_dataset_feature(columns, 0)[2] == 30);
    assert_true(sporf_dataset_feature(rows, 0)[1] == 3);
    sporf_dataset_free(columns);
    sporf_dataset_free(rows);
}

static void assert_matrix_refused(double value, size_t row_stride, const char *words) {
    double twice[6] = {1, 2, 3, 4, 5, 6};
    float single[6] = {1, 2, 3, 4, 5, 6};
    size_t column_stride = row_stride == 1 ? 3 : 1, at = 2 * row_stride + column_stride;
    twice[at] = value;
    single[at] = (float)value;
    sporf_matrix matrix = {twice, SPORF_FLOAT64, 3, 2, row_stride, column_stride};
    sporf_dataset *data = NULL;
    assert_int_equal(sporf_dataset_from_matrix(&matrix, &data), SPORF_ERROR_DATA);
    assert_null(data);
    assert_said(words);
    matrix.values = single;
    matrix.type = SPORF_FLOAT32;
    assert_int_equal(sporf_dataset_from_matrix(&matrix, &data), SPORF_ERROR_DATA);
    assert_null(data);
    assert_said("row 3, column 2: ");
}

static void values_that_cannot_be_used_are_named(void **state) {
    (void)state;
    for (size_t stride = 1; stride <= 2; stride++) {
        assert_matrix_refused(INFINITY, stride, "row 3, column 2: 'inf' is not finite");
        assert_matrix_refused(-2e30, stride, "row 3, column 2: -2e+30 is beyond 1e30");
    }
}

static void not_a_number_is_a_missing_value(void **state) {
    (void)state;
    double twice[4] = {1, 2, NAN, 4};
    float single[4] = {1, 2, NAN, 4};
    for (size_t i = 0; i < 4; i++) {
        sporf_matrix matrix = {twice, SPORF_FLOAT64, 2, 2, 1 + i % 2, 2 - i % 2};
        if (i >= 2) matrix.values = single;
        if (i >= 2) matrix.type = SPORF_FLOAT32;
        sporf_dataset *data = NULL;
        assert_int_equal(sporf_dataset_from_matrix(&matrix, &data), SPORF_OK);
        assert_true(data->has_missing);
        assert_true(isnan(i % 2 ? data->columns[0][1] : data->columns[1][0]));
        assert_true(data->columns[0][0] == 1 && data->columns[1][1] == 4);
        sporf_dataset_free(data);
    }
}

static void a_double_beyond_single_precision_is_refused(void **state) {
    (void)state;
    const double value = 1e300;
    const sporf_matrix matrix = {&value, SPORF_FLOAT64, 1, 1, 1, 1};
    sporf_dataset *data = NULL;
    assert_int_equal(sporf_dataset_from_matrix(&matrix, &data), SPORF_ERROR_DATA);
    assert_said("row 1: 1e+300 is beyond 1e30");
}

static void arguments_that_make_no_sense_are_refused(void **state) {
    (void)state;
    float value = 1;
    sporf_matrix matrix = {&value, SPORF_FLOAT32, 1, 1, 1, 1};
    sporf_dataset *data = NULL;
    assert_int_equal(sporf_dataset_from_matrix(NULL, &data), SPORF_ERROR_ARGUMENT);
    assert_int_equal(sporf_dataset_from_matrix(&matrix, NULL), SPORF_ERROR_ARGUMENT);
    matrix.rows = 0;
    assert_int_equal(sporf_dataset_from_matrix(&matrix, &data), SPORF_ERROR_DATA);
    matrix.rows = 1;
    matrix.values = NULL;
    assert_int_equal(sporf_dataset_from_matrix(&matrix, &data), SPORF_ERROR_ARGUMENT);
    matrix.values = &value;
    matrix.type = (sporf_dtype)9;
    assert_int_equal(sporf_dataset_from_matrix(&matrix, &data), SPORF_ERROR_ARGUMENT);
    assert_int_equal(sporf_dataset_read(NULL, NULL, &data), SPORF_ERROR_ARGUMENT);
    assert_int_equal(sporf_dataset_write_csv(NULL, "x"), SPORF_ERROR_ARGUMENT);
    sporf_dataset_free(NULL);
}

static void names_are_copied_and_counted(void **state) {
    (void)state;
    const float values[2] = {1, 2};
    char first[] = "first";
    const char *names[] = {first, "second"};
    sporf_dataset *data = make(values, SPORF_FLOAT32, 1, 2, 2, 1);
    assert_null(sporf_schema_feature_name(sporf_dataset_schema(data), 0));
    assert_int_equal(sporf_dataset_set_feature_names(data, names, 1), SPORF_ERROR_ARGUMENT);
    assert_said("1 feature names for 2 features");
    assert_int_equal(sporf_dataset_set_feature_names(data, names, 2), SPORF_OK);
    first[0] = 'X';
    assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(data), 0), "first");
    names[1] = NULL;
    assert_int_equal(sporf_dataset_set_feature_names(data, names, 2), SPORF_ERROR_ARGUMENT);
    assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(data), 1), "second");
    assert_null(sporf_schema_feature_name(sporf_dataset_schema(data), 2));
    assert_null(sporf_dataset_feature(data, 2));
    assert_null(sporf_schema_class_name(sporf_dataset_schema(data), 0));
    sporf_dataset_free(data);
}

/* ---- columns that whoever lent them changes ---- */

enum { LENT_ROWS = 40 };

static sporf_dataset *of_lent_columns(float values[2 * LENT_ROWS]) {
    static const char *const levels[] = {"a", "b", "c"};
    int64_t labels[LENT_ROWS];
    for (size_t i = 0; i < LENT_ROWS; i++) {
        values[i] = (float)(i % 3);
        values[LENT_ROWS + i] = (float)(i % 7);
        labels[i] = i % 3 == 1;
    }
    sporf_dataset *data = make(values, SPORF_FLOAT32, LENT_ROWS, 2, 1, LENT_ROWS);
    assert_true(sporf_dataset_feature(data, 1) == values + LENT_ROWS);
    assert_int_equal(sporf_dataset_set_levels(data, 0, SPORF_KIND_CATEGORY, levels, 3), SPORF_OK);
    assert_int_equal(sporf_dataset_set_labels_int(data, labels, LENT_ROWS), SPORF_OK);
    return data;
}

/* Levels are places in arrays: they stay what they were when they were looked at. */
static void levels_do_not_change_with_a_borrowed_column(void **state) {
    (void)state;
    static float values[2 * LENT_ROWS];
    sporf_dataset *data = of_lent_columns(values);
    sporf_forest *before = train_with(data, "trees", "3", (char *)NULL);
    for (size_t i = 0; i < LENT_ROWS; i++) values[i] = i % 2 ? 1e9f : -1e9f;
    sporf_forest *after = train_with(data, "trees", "3", (char *)NULL);
    assert_same_bytes(before, after);
    sporf_forest_free(before);
    sporf_forest_free(after);
    sporf_dataset_free(data);
}

static void numbers_that_change_into_none_are_refused_in_training(void **state) {
    (void)state;
    static float values[2 * LENT_ROWS];
    const float bad[] = {NAN, INFINITY, 2e30f};
    sporf_params params;
    for (size_t k = 0; k < 3; k++) {
        sporf_dataset *data = of_lent_columns(values);
        sporf_forest *forest = NULL;
        sporf_params_init(&params);
        values[LENT_ROWS + 5] = bad[k];
        assert_int_equal(sporf_forest_train(data, &params, NULL, &forest), SPORF_ERROR_DATA);
        assert_said("feature 2 has changed");
        sporf_dataset_free(data);
    }
}

static void features_of_one_name_are_refused(void **state) {
    (void)state;
    const float values[3] = {1, 2, 3};
    const char *names[] = {"x", "1", "1"};
    sporf_dataset *data = make(values, SPORF_FLOAT32, 1, 3, 3, 1);
    assert_int_equal(sporf_dataset_set_feature_names(data, names, 3), SPORF_ERROR_ARGUMENT);
    assert_said("features 2 and 3 are both named '1'");
    assert_null(sporf_schema_feature_name(sporf_dataset_schema(data), 0));
    sporf_dataset_free(data);
}

/* ---- reading files ---- */

static const char table_text[] = "x,y,kind\n1,2.5,a\n3,-4,b\n";

static sporf_status read_path(const char *path, const char *label, sporf_dataset **out) {
    sporf_read_options options;
    sporf_read_options_init(&options);
    options.label = label;
    return sporf_dataset_read(path, &options, out);
}

static void assert_table_file(const tmp_file *file) {
    sporf_dataset *data = NULL;
    if (read_path(file->path, "kind", &data) != SPORF_OK) fail_msg("%s", sporf_last_error());
    assert_int_equal(sporf_dataset_rows(data), 2);
    assert_true(sporf_dataset_feature(data, 1)[1] == -4);
    assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), 1), "b");
    sporf_dataset_free(data);
    tmp_file_remove(file);
}

/* As one that was trained on the same table with a header does. */
static void a_forest_keeps_the_name_of_the_labels(void **state) {
    (void)state;
    static const char csv[] = "x,kind\n1,a\n2,b\n3,a\n4,b\n";
    static const float values[] = {1, 2, 3, 4};
    static const char *const labels[] = {"a", "b", "a", "b"}, *const names[] = {"x"};
    const sporf_matrix matrix = {values, SPORF_FLOAT32, 4, 1, 1, 4};
    sporf_dataset *data = NULL, *file_data = NULL;
    sporf_read_options options;
    char name[] = "kind";
    tmp_file file = tmp_file_of("labels.csv", csv, strlen(csv));
    sporf_read_options_init(&options);
    options.label = "kind";
    assert_int_equal(sporf_dataset_read(file.path, &options, &file_data), SPORF_OK);
    assert_int_equal(sporf_dataset_from_matrix(&matrix, &data), SPORF_OK);
    assert_int_equal(sporf_dataset_set_labels_text(data, labels, 4), SPORF_OK);
    assert_int_equal(sporf_dataset_set_feature_names(data, names, 1), SPORF_OK);
    assert_int_equal(sporf_dataset_set_label_name(data, name), SPORF_OK);
    name[0] = '?';
    sporf_forest *a = train_with(data, "trees", "2", (char *)NULL),
                 *b = train_with(file_data, "trees", "2", (char *)NULL);
    assert_string_equal(sporf_schema_label_name(sporf_forest_schema(a)), "kind");
    assert_same_bytes(a, b);
    sporf_forest_free(a);
    static const char *const none[] = {NULL, ""};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(sporf_dataset_set_label_name(data, "again"), SPORF_OK);
        assert_int_equal(sporf_dataset_set_label_name(data, none[i]), SPORF_OK);
        a = train_with(data, "trees", "2", (char *)NULL);
        assert_null(sporf_schema_label_name(sporf_forest_schema(a)));
        sporf_forest_free(a);
    }
    assert_int_equal(sporf_dataset_set_label_name(NULL, "a"), SPORF_ERROR_ARGUMENT);
    sporf_forest_free(b);
    sporf_dataset_free(data);
    sporf_dataset_free(file_data);
    tmp_file_remove(&file);
}

static void plain_and_gzip_files_read_alike(void **state) {
    (void)state;
    tmp_file plain = tmp_file_of("a.csv", table_text, strlen(table_text));
    tmp_file packed = tmp_file_gzip("a.csv.gz", table_text, strlen(table_text));
    assert_table_file(&plain);
    assert_table_file(&packed);
}

static void gzip_members_follow_each_other(void **state) {
    (void)state;
    tmp_file first = tmp_file_gzip("1.gz", table_text, 10),
             second = tmp_file_gzip("2.gz", table_text + 10, strlen(table_text) - 10);
    size_t a, b;
    char *start = tmp_file_read(&first, &a), *rest = tmp_file_read(&second, &b);
    char *joined = calloc(a + b + 100, 1); /* the zeros at the end are padding */
    assert_non_null(joined);
    memcpy(joined, start, a);
    memcpy(joined + a, rest, b);
    tmp_file both = tmp_file_of("both.gz", joined, a + b),
             padded = tmp_file_of("padded.gz", joined, a + b + 100);
    assert_table_file(&both);
    assert_table_file(&padded);
    tmp_file_remove(&first);
    tmp_file_remove(&second);
    free(joined);
    free(start);
    free(rest);
}

static void damaged_gzip_is_refused(void **state) {
    (void)state;
    size_t size;
    tmp_file file = tmp_file_gzip("a.csv.gz", table_text, strlen(table_text));
    char *bytes = tmp_file_read(&file, &size);
    sporf_dataset *data = NULL;
    for (size_t cut = 2; cut < size; cut++) {
        tmp_file_write(&file, bytes, cut);
        assert_int_equal(read_path(file.path, "kind", &data), SPORF_ERROR_DATA);
        assert_said("the gzip data end too early");
    }
    bytes[size - 6] ^= 1; /* in the checksum */
    tmp_file_write(&file, bytes, size);
    assert_int_equal(read_path(file.path, "kind", &data), SPORF_ERROR_DATA);
    assert_said("damaged gzip data");
    assert_null(data);
    tmp_file_remove(&file);
    free(bytes);
}

static void standard_input_can_be_a_table(void **state) {
    (void)state;
    tmp_file file = tmp_file_of("a.csv", table_text, strlen(table_text));
    sporf_dataset *data = NULL;
    int kept = dup(STDIN_FILENO);
    assert_non_null(freopen(file.path, "r", stdin));
    sporf_status status = read_path("-", "kind", &data);
    dup2(kept, STDIN_FILENO);
    close(kept);
    if (status != SPORF_OK) fail_msg("%s", sporf_last_error());
    assert_int_equal(sporf_dataset_rows(data), 2);
    sporf_dataset_free(data);
    tmp_file_remove(&file);
}

static void files_that_cannot_be_opened_say_why(void **state) {
    (void)state;
    sporf_dataset *data = NULL;
    assert_int_equal(read_path("/no/such/file.csv", NULL, &data), SPORF_ERROR_IO);
    assert_said("cannot open /no/such/file.csv: No such file");
    assert_int_equal(read_path("/", NULL, &data), SPORF_ERROR_IO);
    assert_said("is a directory");
    assert_null(data);
}

static void files_of_other_kinds_are_recognised(void **state) {
    (void)state;
    static const char *const starts[] = {"PK\x03\x04....", "PAR1....", "BZh91AY", "\3757zXZ"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        tmp_file file = tmp_file_of("x", starts[i], strlen(starts[i]));
        sporf_dataset *data = NULL;
        assert_int_equal(read_path(file.path, NULL, &data), SPORF_ERROR_DATA);
        assert_said("give CSV, .npy, idx or svmlight");
        tmp_file_remove(&file);
    }
}

static void options_are_checked(void **state) {
    (void)state;
    tmp_file file = tmp_file_of("a.csv", table_text, strlen(table_text));
    sporf_read_options options;
    sporf_dataset *data = NULL;
    sporf_read_options_init(&options);
    options.struct_size = 0;
    assert_int_equal(sporf_dataset_read(file.path, &options, &data), SPORF_ERROR_ARGUMENT);
    assert_said("sporf_read_options_init");
    sporf_read_options_init(&options);
    options.label = "kind";
    options.label_file = file.path;
    assert_int_equal(sporf_dataset_read(file.path, &options, &data), SPORF_ERROR_ARGUMENT);
    sporf_read_options_init(&options);
    options.format = (sporf_format)77;
    assert_int_equal(sporf_dataset_read(file.path, &options, &data), SPORF_ERROR_ARGUMENT);
    /* an older program knows only the first members */
    sporf_read_options_init(&options);
    options.struct_size = offsetof(sporf_read_options, label_file);
    options.label = "kind";
    options.label_file = "/no/such/file";
    assert_int_equal(sporf_dataset_read(file.path, &options, &data), SPORF_OK);
    assert_int_equal(sporf_dataset_classes(data), 2);
    sporf_dataset_free(data);
    tmp_file_remove(&file);
}

static void a_table_of_labels_alone_is_refused(void **state) {
    (void)state;
    tmp_file file = tmp_file_of("a.csv", "kind\n1\n2\n", 9);
    sporf_dataset *data = NULL;
    assert_int_equal(read_path(file.path, "kind", &data), SPORF_ERROR_DATA);
    assert_said("one column, the label, and no features");
    tmp_file_remove(&file);
}

static void unpacked_bytes_count_as_memory(void **state) {
    (void)state;
    size_t size = 1 << 22;
    char *zeros = malloc(size);
    assert_non_null(zeros);
    for (size_t i = 0; i < size; i++) zeros[i] = i % 2 ? '\n' : '0';
    tmp_file file = tmp_file_gzip("zeros.csv.gz", zeros, size);
    sporf_read_options options;
    sporf_dataset *data = NULL;
    sporf_read_options_init(&options);
    options.max_memory = 1 << 20;
    assert_int_equal(sporf_dataset_read(file.path, &options, &data), SPORF_ERROR_MEMORY);
    assert_said("its contents, unpacked, take more than the memory allowed, 1.0 MiB");
    options.max_memory = 10 << 20;
    assert_int_equal(sporf_dataset_read(file.path, &options, &data), SPORF_ERROR_MEMORY);
    assert_said("with the file itself");
    options.max_memory = 64 << 20;
    assert_int_equal(sporf_dataset_read(file.path, &options, &data), SPORF_OK);
    sporf_dataset_free(data);
    tmp_file_remove(&file);
    free(zeros);
}

/* ---- writing ---- */

static void csv_is_written_with_header_and_labels(void **state) {
    (void)state;
    const float values[] = {1, 0.1f, -2.5f, 1e-7f};
    const char *labels[] = {"say \"hi\"", "NA"}, *names[] = {"width, cm", ""};
    sporf_dataset *data = make(values, SPORF_FLOAT32, 2, 2, 2, 1);
    tmp_file file = tmp_file_name("out.csv");
    size_t size;
    assert_int_equal(sporf_dataset_write_csv(data, file.path), SPORF_OK);
    char *text = tmp_file_read(&file, &size);
    assert_string_equal(text, "x1,x2\n1,0.1\n-2.5,1e-07\n");
    free(text);
    assert_int_equal(sporf_dataset_set_labels_text(data, labels, 2), SPORF_OK);
    assert_int_equal(sporf_dataset_set_feature_names(data, names, 2), SPORF_OK);
    assert_int_equal(sporf_dataset_write_csv(data, file.path), SPORF_OK);
    text = tmp_file_read(&file, &size);
    assert_string_equal(text,
                        "\"width, cm\",\"\",class\n1,0.1,\"say \"\"hi\"\"\"\n-2.5,1e-07,\"NA\"\n");
    free(text);
    assert_int_equal(tmp_file_count(&file), 1);
    sporf_dataset_free(data);
    tmp_file_remove(&file);
}

static void a_full_disk_leaves_the_old_file_and_no_other(void **state) {
    (void)state;
    enum { ROWS = 5000 };
    float *values = calloc(ROWS, sizeof *values);
    assert_non_null(values);
    sporf_dataset *data = make(values, SPORF_FLOAT32, ROWS, 1, 1, 1);
    tmp_file file = tmp_file_of("out.csv", "old", 3);
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 4096;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    sporf_status status = sporf_dataset_write_csv(data, file.path);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    size_t size;
    assert_int_equal(status, SPORF_ERROR_IO);
    assert_said("cannot write ");
    char *text = tmp_file_read(&file, &size);
    assert_string_equal(text, "old");
    assert_int_equal(tmp_file_count(&file), 1);
    free(text);
    tmp_file_remove(&file);
    assert_int_equal(sporf_dataset_write_csv(data, "/no/such/folder/x.csv"), SPORF_ERROR_IO);
    assert_int_equal(sporf_dataset_write_csv(data, "/"), SPORF_ERROR_IO);
    sporf_dataset_free(data);
    free(values);
}

static void devices_are_written_and_not_replaced(void **state) {
    (void)state;
    const float value = 1;
    sporf_dataset *data = make(&value, SPORF_FLOAT32, 1, 1, 1, 1);
    struct stat about;
    assert_int_equal(sporf_dataset_write_csv(data, "/dev/null"), SPORF_OK);
    assert_int_equal(stat("/dev/null", &about), 0);
    assert_true(S_ISCHR(about.st_mode));
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(sporf_dataset_write_csv(data, "/dev/full"), SPORF_ERROR_IO);
        assert_said("No space left");
    }
    sporf_dataset_free(data);
}

static void a_link_stays_a_link(void **state) {
    (void)state;
    const float value = 1;
    sporf_dataset *data = make(&value, SPORF_FLOAT32, 1, 1, 1, 1);
    tmp_file target = tmp_file_of("target.csv", "old", 3), link = tmp_file_name("link.csv");
    struct stat about;
    size_t size;
    assert_int_equal(symlink(target.path, link.path), 0);
    assert_int_equal(sporf_dataset_write_csv(data, link.path), SPORF_OK);
    assert_int_equal(lstat(link.path, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    char *text = tmp_file_read(&target, &size);
    assert_string_equal(text, "x1\n1\n");
    free(text);
    tmp_file_remove(&link);
    tmp_file_remove(&target);
    sporf_dataset_free(data);
}

static void standard_output_can_be_written(void **state) {
    (void)state;
    const float value = 2.5f;
    sporf_dataset *data = make(&value, SPORF_FLOAT32, 1, 1, 1, 1);
    tmp_file file = tmp_file_of("out.csv", "", 0);
    size_t size;
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    FILE *out = fopen(file.path, "w");
    assert_non_null(out);
    dup2(fileno(out), STDOUT_FILENO);
    sporf_status status = sporf_dataset_write_csv(data, "-");
    dup2(kept, STDOUT_FILENO);
    close(kept);
    fclose(out);
    assert_int_equal(status, SPORF_OK);
    char *text = tmp_file_read(&file, &size);
    assert_string_equal(text, "x1\n2.5\n");
    free(text);
    tmp_file_remove(&file);
    sporf_dataset_free(data);
}

static void forgotten_strides_are_refused(void **state) {
    (void)state;
    const float values[] = {1, 2, 3, 4};
    sporf_dataset *data = NULL;
    const sporf_matrix matrix = {.values = values, .type = SPORF_FLOAT32, .rows = 2, .columns = 2};
    assert_int_equal(sporf_dataset_from_matrix(&matrix, &data), SPORF_ERROR_ARGUMENT);
    assert_non_null(strstr(sporf_last_error(), "stride"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forgotten_strides_are_refused),
        cmocka_unit_test(any_strides_and_types_give_the_same_table),
        cmocka_unit_test(single_columns_are_borrowed_and_all_else_is_copied),
        cmocka_unit_test(values_that_cannot_be_used_are_named),
        cmocka_unit_test(not_a_number_is_a_missing_value),
        cmocka_unit_test(a_double_beyond_single_precision_is_refused),
        cmocka_unit_test(arguments_that_make_no_sense_are_refused),
        cmocka_unit_test(names_are_copied_and_counted),
        cmocka_unit_test(levels_do_not_change_with_a_borrowed_column),
        cmocka_unit_test(numbers_that_change_into_none_are_refused_in_training),
        cmocka_unit_test(features_of_one_name_are_refused),
        cmocka_unit_test(a_forest_keeps_the_name_of_the_labels),
        cmocka_unit_test(plain_and_gzip_files_read_alike),
        cmocka_unit_test(gzip_members_follow_each_other),
        cmocka_unit_test(damaged_gzip_is_refused),
        cmocka_unit_test(standard_input_can_be_a_table),
        cmocka_unit_test(files_that_cannot_be_opened_say_why),
        cmocka_unit_test(files_of_other_kinds_are_recognised),
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(a_table_of_labels_alone_is_refused),
        cmocka_unit_test(unpacked_bytes_count_as_memory),
        cmocka_unit_test(csv_is_written_with_header_and_labels),
        cmocka_unit_test(a_full_disk_leaves_the_old_file_and_no_other),
        cmocka_unit_test(devices_are_written_and_not_replaced),
        cmocka_unit_test(a_link_stays_a_link),
        cmocka_unit_test(standard_output_can_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
