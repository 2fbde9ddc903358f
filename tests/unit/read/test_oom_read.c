/* Memory that runs out while data are read, made or written: each allocation fails once in turn,
 * and every time there is a clear error or a right result, and nothing leaks. */
#include "read/arrow_abi.h"
#include "read/blocks.h"
#include "read/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/failing_alloc.h"
#include "support/tmpfile.h"

typedef sporf_status (*action)(const void *material);

/* Fails allocation 1, 2, ... of the action until it gets by with none failing. */
static void exhaust(action act, const void *material) {
    for (long k = 1;; k++) {
        failing_alloc_after(k);
        sporf_status status = act(material);
        failing_alloc_off();
        if (!failing_alloc_hit()) {
            if (status != SPORF_OK) fail_msg("%s", sporf_last_error());
            assert_true(k > 1);
            return;
        }
        if (status == SPORF_OK) continue;
        assert_int_equal(status, SPORF_ERROR_MEMORY);
        assert_non_null(strstr(sporf_last_error(), "out of memory"));
    }
}

typedef struct {
    const char *path;
    sporf_read_options options;
} reading;

static sporf_status read_file(const void *material) {
    const reading *r = material;
    sporf_dataset *data = NULL;
    sporf_status status = sporf_dataset_read(r->path, &r->options, &data);
    assert_int_equal(status == SPORF_OK, data != NULL);
    sporf_dataset_free(data);
    return status;
}

static sporf_status add_noise(const void *material) {
    const reading *r = material;
    return sporf_file_add_noise(r->path, &r->options, 3, 1, "/dev/null");
}

static sporf_status prepare(const void *material) {
    sporf_dataset *made = NULL;
    size_t *feature = NULL;
    sporf_status status = sporf_dataset_prepare(material, NULL, &made, &feature);
    assert_int_equal(status == SPORF_OK, made != NULL);
    assert_int_equal(status == SPORF_OK, feature != NULL);
    sporf_free(feature);
    sporf_dataset_free(made);
    return status;
}

static void preparing_survives_every_failed_allocation(void **state) {
    (void)state;
    static const char text[] = "a,b,c,d\n1,x,0,p\n2,,0,q\n,y,0,p\n4,y,0,q\n";
    tmp_file file = tmp_file_of("raw.csv", text, strlen(text));
    sporf_read_options options;
    sporf_dataset *data = NULL;
    sporf_read_options_init(&options);
    options.label = "d";
    assert_int_equal(sporf_dataset_read(file.path, &options, &data), SPORF_OK);
    exhaust(prepare, data);
    sporf_dataset_free(data);
    tmp_file_remove(&file);
}

static void adding_noise_survives_every_failed_allocation(void **state) {
    (void)state;
    static const char *const texts[] = {"a,b\n1,x\n2,y\n3,z\n", "1 1:2\n0 1:3 2:4\n"};
    for (size_t i = 0; i < 2; i++) {
        tmp_file file = tmp_file_of("noise.csv", texts[i], strlen(texts[i]));
        reading r = {.path = file.path};
        sporf_read_options_init(&r.options);
        r.options.threads = 1;
        exhaust(add_noise, &r);
        tmp_file_remove(&file);
    }
}

static void exhaust_reading(const tmp_file *file, const char *label, const char *label_file) {
    reading r = {.path = file->path};
    sporf_read_options_init(&r.options);
    r.options.threads = 2;
    r.options.label = label;
    r.options.label_file = label_file;
    exhaust(read_file, &r);
    tmp_file_remove(file);
}

static const char table_text[] = "x,\"say \"\"y\"\"\",kind\n1,2,\"a \"\"b\"\"\"\n3,4,c\n5,6,d\n";

static void memory_may_run_out_in_csv(void **state) {
    (void)state;
    tmp_file file = tmp_file_of("a.csv", table_text, strlen(table_text));
    exhaust_reading(&file, "kind", NULL);
}

static void memory_may_run_out_in_gzip(void **state) {
    (void)state;
    tmp_file file = tmp_file_gzip("a.csv.gz", table_text, strlen(table_text));
    exhaust_reading(&file, "kind", NULL);
}

/* Enough rows for several chunks, and enough classes for the dictionaries to grow. */
static void memory_may_run_out_in_any_thread(void **state) {
    (void)state;
    enum { ROWS = 12000 };
    char *text = malloc(ROWS * 32);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "x,kind\n");
    for (int i = 0; i < ROWS; i++)
        used += (size_t)sprintf(text + used, "%d.25000000,class-%d\n", i, i % 100);
    tmp_file file = tmp_file_of("a.csv", text, used);
    exhaust_reading(&file, "kind", NULL);
    free(text);
}

static const char mixed_text[] =
    "id,day,size,colour,x,w,t,none,kind\n"
    "a1,1.2.2020,small,\"re\"\"d\",1,1,2,,k\na2,2.2.2020,large,blue,,1,2,,l\n"
    "a3,3.2.2020,small,red,3,1,2,,k\na4,4.2.2020,,red,4,1,2,,l\n"
    "a5,5.2.2020,small,blue,5,1,2,,k\na6,6.2.2020,large,,z,1,2,,l\n";

static void memory_may_run_out_with_categories_weights_and_targets(void **state) {
    (void)state;
    static const char *const ordinal[] = {"size=small<large"}, *const targets[] = {"t"};
    static const char *const categorical[] = {"x", "co*"}, *const ignored[] = {"id"};
    static const char *const kept[] = {"id", "last"};
    tmp_file file = tmp_file_of("a.csv", mixed_text, strlen(mixed_text));
    reading r = {.path = file.path};
    sporf_read_options_init(&r.options);
    r.options.threads = 2;
    r.options.label = "kind";
    r.options.ordinal = ordinal;
    r.options.targets = targets;
    r.options.categorical = categorical;
    r.options.ignored = ignored;
    r.options.ordinal_count = r.options.targets_count = r.options.ignored_count = 1;
    r.options.categorical_count = 2;
    r.options.weight = "w";
    r.options.kept = kept;
    r.options.kept_count = 2;
    exhaust(read_file, &r);
    tmp_file_remove(&file);
}

static void memory_may_run_out_in_numbers_to_predict(void **state) {
    (void)state;
    static const char *const label[] = {"label"}, *const numbers[] = {"3", "last"};
    static const char svmlight[] = "1.5 1:2 3:4\n2.5 2:1\n", csv[] = "1,2,3,4\n5,6,7,8\n";
    tmp_file file = tmp_file_of("a.svm", svmlight, strlen(svmlight));
    reading r = {.path = file.path};
    sporf_read_options_init(&r.options);
    r.options.threads = 1;
    r.options.targets = label;
    r.options.targets_count = 1;
    exhaust(read_file, &r);
    tmp_file_remove(&file);
    file = tmp_file_of("a.csv", csv, strlen(csv));
    r.path = file.path;
    r.options.targets = numbers;
    r.options.targets_count = 2;
    r.options.weight = "1";
    exhaust(read_file, &r);
    tmp_file_remove(&file);
}

static void memory_may_run_out_with_a_schema(void **state) {
    (void)state;
    static const char *const categorical[] = {"x"};
    tmp_file file = tmp_file_of("a.csv", mixed_text, strlen(mixed_text));
    reading r = {.path = file.path};
    sporf_dataset *known = NULL;
    sporf_read_options_init(&r.options);
    r.options.categorical = categorical;
    r.options.categorical_count = 1;
    if (sporf_dataset_read(file.path, &r.options, &known) != SPORF_OK)
        fail_msg("%s", sporf_last_error());
    r.options.categorical_count = 0;
    r.options.schema = sporf_dataset_schema(known);
    r.options.threads = 1;
    exhaust(read_file, &r);
    sporf_dataset_free(known);
    tmp_file_remove(&file);
}

/* Text after many numbers, so that the kinds have to be settled. */
static void memory_may_run_out_with_late_text(void **state) {
    (void)state;
    char *text = malloc(40000);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "x,y\n");
    for (int i = 0; i < 2400; i++)
        used += (size_t)sprintf(text + used, "%d,%s\n", i, i < 1200 ? "1" : "a");
    tmp_file file = tmp_file_of("a.csv", text, used);
    exhaust_reading(&file, NULL, NULL);
    free(text);
}

static void memory_may_run_out_in_svmlight(void **state) {
    (void)state;
    tmp_file file = tmp_file_of("a.svm", "1 1:2 3:4\n-1 2:5\n", 17);
    exhaust_reading(&file, NULL, NULL);
}

static void memory_may_run_out_in_npy(void **state) {
    (void)state;
    static const char bytes[] =
        "\x93NUMPY\x01\0\x38\0{'descr': '|i1', 'fortran_order': False, 'shape': (3,2)}\1\2\3\4\5\6";
    tmp_file file = tmp_file_of("a.npy", bytes, sizeof bytes - 1);
    exhaust_reading(&file, "last", NULL);
    static const char *const kept[] = {"1"};
    file = tmp_file_of("kept.npy", bytes, sizeof bytes - 1);
    reading r = {.path = file.path};
    sporf_read_options_init(&r.options);
    r.options.kept = kept;
    r.options.kept_count = 1;
    exhaust(read_file, &r);
    tmp_file_remove(&file);
}

static void memory_may_run_out_in_idx_and_label_files(void **state) {
    (void)state;
    static const char images[] = "\0\0\x08\x02\0\0\0\x03\0\0\0\x02"
                                 "123456";
    tmp_file file = tmp_file_of("a.idx", images, sizeof images - 1);
    tmp_file labels = tmp_file_of("labels.txt", "a\nb\na\n", 6);
    exhaust_reading(&file, NULL, labels.path);
    tmp_file_remove(&labels);
}

static sporf_status read_in_blocks(const void *material) {
    enum { BLOCK_BYTES = 8 };
    const reading *r = material;
    sporf_reader *reader = NULL;
    sporf_dataset *block = NULL;
    sporf_status status = spf_reader_open(r->path, &r->options, BLOCK_BYTES, &reader);
    assert_int_equal(status == SPORF_OK, reader != NULL);
    while (status == SPORF_OK) {
        status = sporf_reader_next(reader, 2, &block);
        assert_true(status == SPORF_OK || !block);
        if (!block) break;
        sporf_dataset_free(block);
    }
    sporf_reader_free(reader);
    return status;
}

static void exhaust_blocks(const tmp_file *file, sporf_format format, const char *label) {
    reading r = {.path = file->path};
    sporf_read_options_init(&r.options);
    r.options.format = format;
    r.options.label = label;
    r.options.threads = 1;
    exhaust(read_in_blocks, &r);
    tmp_file_remove(file);
}

static void memory_may_run_out_in_blocks(void **state) {
    (void)state;
    static const char matrix[] =
        "\x93NUMPY\x01\0\x37\0{'descr': '|i1', 'fortran_order': True, 'shape': (3,2)}\1\2\3\4\5\6";
    tmp_file plain = tmp_file_of("a.csv", table_text, strlen(table_text));
    exhaust_blocks(&plain, SPORF_FORMAT_CSV, "kind");
    tmp_file packed = tmp_file_gzip("a.csv.gz", table_text, strlen(table_text));
    exhaust_blocks(&packed, SPORF_FORMAT_CSV, "kind");
    tmp_file sparse = tmp_file_gzip("a.svm", "1 1:2 3:4\n-1 2:5\n1 1:1\n", 23);
    exhaust_blocks(&sparse, SPORF_FORMAT_AUTO, NULL);
    tmp_file by_column = tmp_file_of("a.npy", matrix, sizeof matrix - 1);
    exhaust_blocks(&by_column, SPORF_FORMAT_AUTO, "last");
}

static sporf_status use_matrix(const void *material) {
    static const char *const names[] = {"x", "y"}, *const words[] = {"a", "b", "a"};
    static const int64_t numbers[] = {3, 2, 1};
    const sporf_matrix matrix = {material, SPORF_FLOAT64, 3, 2, 2, 1};
    sporf_dataset *data = NULL;
    sporf_status status = sporf_dataset_from_matrix(&matrix, &data);
    if (status == SPORF_OK) status = sporf_dataset_set_feature_names(data, names, 2);
    if (status == SPORF_OK) status = sporf_dataset_set_labels_int(data, numbers, 3);
    if (status == SPORF_OK) status = sporf_dataset_set_labels_text(data, words, 3);
    if (status == SPORF_OK) status = sporf_dataset_set_targets(data, &matrix, names);
    sporf_dataset_free(data);
    return status;
}

static void memory_may_run_out_in_matrices_and_labels(void **state) {
    (void)state;
    static const double values[] = {1, 2, 3, 4, 5, 6};
    exhaust(use_matrix, values);
}

static void release_schema(struct ArrowSchema *schema) {
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array) {
    array->release = NULL;
}

static sporf_status use_arrow(const void *material) {
    static const double x[] = {1, 2};
    static const int32_t starts[] = {0, 1, 2};
    const void *x_buffers[] = {NULL, x}, *text_buffers[] = {NULL, starts, "ab"}, *none[] = {NULL};
    struct ArrowSchema schemas[] = {{.format = "g", .name = "x", .release = release_schema},
                                    {.format = "u", .name = "kind", .release = release_schema}};
    struct ArrowArray arrays[] = {
        {.length = 2, .n_buffers = 2, .buffers = x_buffers, .release = release_array},
        {.length = 2, .n_buffers = 3, .buffers = text_buffers, .release = release_array}};
    struct ArrowSchema *schema_list[] = {&schemas[0], &schemas[1]};
    struct ArrowArray *array_list[] = {&arrays[0], &arrays[1]};
    struct ArrowSchema schema = {
        .format = "+s", .n_children = 2, .children = schema_list, .release = release_schema};
    struct ArrowArray array = {.length = 2,
                               .n_buffers = 1,
                               .n_children = 2,
                               .buffers = none,
                               .children = array_list,
                               .release = release_array};
    sporf_dataset *data = NULL;
    sporf_status status = sporf_dataset_from_arrow(&schema, &array, material, &data);
    assert_int_equal(status == SPORF_OK, data != NULL);
    sporf_dataset_free(data);
    return status;
}

static void memory_may_run_out_in_arrow(void **state) {
    (void)state;
    sporf_read_options options;
    sporf_read_options_init(&options);
    options.label = "kind";
    exhaust(use_arrow, &options);
    static const char *const targets[] = {"x"};
    options.label = NULL;
    options.targets = targets;
    options.targets_count = 1;
    exhaust(use_arrow, &options);
    options.weight = "x";
    options.targets_count = 0;
    exhaust(use_arrow, &options);
}

typedef struct {
    const sporf_dataset *data;
    const char *path;
} writing;

static sporf_status write_file(const void *material) {
    const writing *w = material;
    return sporf_dataset_write_csv(w->data, w->path);
}

static void memory_may_run_out_in_writing(void **state) {
    (void)state;
    const float value = 1;
    const sporf_matrix matrix = {&value, SPORF_FLOAT32, 1, 1, 1, 1};
    tmp_file file = tmp_file_name("out.csv");
    sporf_dataset *data = NULL;
    assert_int_equal(sporf_dataset_from_matrix(&matrix, &data), SPORF_OK);
    exhaust(write_file, &(writing){data, file.path});
    assert_int_equal(tmp_file_count(&file), 1);
    tmp_file_remove(&file);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adding_noise_survives_every_failed_allocation),
        cmocka_unit_test(preparing_survives_every_failed_allocation),
        cmocka_unit_test(memory_may_run_out_in_csv),
        cmocka_unit_test(memory_may_run_out_in_gzip),
        cmocka_unit_test(memory_may_run_out_in_any_thread),
        cmocka_unit_test(memory_may_run_out_with_categories_weights_and_targets),
        cmocka_unit_test(memory_may_run_out_in_numbers_to_predict),
        cmocka_unit_test(memory_may_run_out_with_a_schema),
        cmocka_unit_test(memory_may_run_out_with_late_text),
        cmocka_unit_test(memory_may_run_out_in_svmlight),
        cmocka_unit_test(memory_may_run_out_in_npy),
        cmocka_unit_test(memory_may_run_out_in_idx_and_label_files),
        cmocka_unit_test(memory_may_run_out_in_blocks),
        cmocka_unit_test(memory_may_run_out_in_matrices_and_labels),
        cmocka_unit_test(memory_may_run_out_in_arrow),
        cmocka_unit_test(memory_may_run_out_in_writing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
