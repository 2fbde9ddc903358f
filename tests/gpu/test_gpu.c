/* The kernels of src/gpu, run by the CPU (emulated_cuda.h): the same bytes as the threads' forests.
 */
#include "api/api_train.h"
#include "gpu/gpu.h"
#include "learn/settings/auto_settings.h"

#include "support/check.h"
#include "support/random_data.h"
#include "support/same_bytes.h"

#include <math.h>
#include <stdarg.h>

extern size_t emulated_memory; /* of the device that is left */

static unsigned notes;
static char last_note[400];

static void take_note(void *payload, const char *text) {
    (void)payload;
    notes++;
    snprintf(last_note, sizeof last_note, "%s", text);
}

static sporf_forest *grow(const sporf_dataset *data, const sporf_params *params,
                          const spf_device *device) {
    spf_settings settings;
    sporf_forest *forest = NULL;
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.note = take_note;
    assert_ok(spf_settings_create(data, params, NULL, &settings));
    settings.device = device;
    assert_ok(spf_train_packed(&settings, &hooks, NULL, &forest));
    spf_settings_free(&settings);
    return forest;
}

/* Grows with the options, name and value in turn, on the threads and on the device; frees the data.
 * Returns how many notes there were. */
static unsigned compare(sporf_dataset *data, ...) {
    sporf_params params;
    const char *why, *name;
    va_list options;
    plain_params(&params);
    params.trees = 3;
    params.threads = 2; /* on a device one grows while the other takes over */
    va_start(options, data);
    while ((name = va_arg(options, const char *)))
        assert_ok(sporf_params_set(&params, name, va_arg(options, const char *)));
    va_end(options);
    notes = 0;
    params.device = SPORF_DEVICE_CPU;
    sporf_forest *wanted = grow(data, &params, NULL);
    params.device = SPORF_DEVICE_GPU;
    sporf_forest *grown = grow(data, &params, spf_gpu(&why));
    assert_same_bytes(grown, wanted);
    sporf_forest_free(grown);
    sporf_forest_free(wanted);
    sporf_dataset_free(data);
    return notes;
}

#define expect_same(...) assert_int_equal(compare(__VA_ARGS__, NULL), 0)

/* Every part of the numbers is missing, in turn. */
static sporf_dataset *with_gaps(size_t rows, size_t features, size_t classes, uint64_t seed) {
    sporf_dataset *whole = random_data(DATA_SMOOTH, rows, features, classes, seed);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < features; j++)
            if ((7 * i + 11 * j) % 9 < j % 3) ((float *)whole->columns[j])[i] = NAN;
    whole->has_missing = 1;
    return whole;
}

/* Most values become 0. */
static sporf_dataset *with_zeros(sporf_dataset *data) {
    for (size_t j = 0; j < data->features; j++)
        for (size_t i = 0; i < data->rows; i++) {
            float *value = (float *)data->columns[j] + i;
            if (*value == *value && (i + j) % 5 > 0) *value = 0;
        }
    return data;
}

/* Values that differ in their last bits only. */
static sporf_dataset *with_close_values(size_t rows, size_t features, size_t classes, float step) {
    sporf_dataset *data = random_data(DATA_SMOOTH, rows, features, classes, 3);
    for (size_t j = 0; j < features; j++)
        for (size_t i = 0; i < rows; i++) {
            float *value = (float *)data->columns[j] + i;
            *value = 1 + roundf(*value * 100) * step;
        }
    return data;
}

/* One row in fifty is far from all others: nearly all rows are in one bin. */
static sporf_dataset *with_outliers(sporf_dataset *data) {
    for (size_t j = 0; j < data->features; j++)
        for (size_t i = 0; i < data->rows; i += 50) ((float *)data->columns[j])[i] *= 1e4f;
    return data;
}

static void test_outliers(void **state) {
    (void)state;
    expect_same(with_outliers(random_data(DATA_SMOOTH, 900, 4, 2, 16)));
    expect_same(with_outliers(random_data(DATA_SMOOTH, 900, 4, 3, 16)));
    expect_same(with_outliers(with_gaps(900, 4, 2, 16)));
    expect_same(with_outliers(random_data(DATA_SMOOTH, 7000, 3, 2, 16)), "trees", "1", "max-depth",
                "2");
}

static void test_close_values(void **state) {
    (void)state;
    expect_same(with_close_values(600, 4, 2, 0x1p-23f));
    expect_same(with_close_values(300, 4, 5, 0x1p-20f), "criterion", "entropy");
}

static void test_two_classes(void **state) {
    (void)state;
    expect_same(random_data(DATA_SMOOTH, 700, 6, 2, 1));
    expect_same(random_data(DATA_TIED, 600, 5, 2, 2));
    expect_same(random_data(DATA_CONSTANT, 500, 6, 2, 3));
}

static void test_large_nodes(void **state) {
    (void)state;
    expect_same(random_data(DATA_SMOOTH, 7000, 3, 2, 4), "trees", "1", "max-depth", "3");
    expect_same(random_data(DATA_BYTES, 7000, 3, 3, 4), "trees", "1", "max-depth", "3");
}

/* More values than are loaded at once. */
static void test_large_table(void **state) {
    (void)state;
    expect_same(random_data(DATA_SMOOTH, 1800, 300, 2, 17), "trees", "1", "projections", "4",
                "max-depth", "2");
}

static void test_many_classes(void **state) {
    (void)state;
    expect_same(random_data(DATA_SMOOTH, 500, 6, 3, 5));
    expect_same(random_data(DATA_NOISE, 400, 4, 32, 6), "trees", "2");
    expect_same(random_data(DATA_TIED, 500, 6, 7, 7), "criterion", "entropy");
}

static void test_bytes(void **state) {
    (void)state;
    expect_same(random_data(DATA_BYTES, 500, 9, 2, 8));
    expect_same(random_data(DATA_BYTES, 500, 9, 5, 8), "density", "0.5");
}

static void test_methods(void **state) {
    (void)state;
    expect_same(random_data(DATA_SMOOTH, 500, 8, 2, 9), "method", "rf");
    expect_same(random_data(DATA_SMOOTH, 500, 8, 3, 9), "method", "frc");
    expect_same(random_data(DATA_SMOOTH, 400, 8, 2, 9), "weights", "uniform");
    expect_same(random_data(DATA_SMOOTH, 400, 8, 2, 9), "scale", "range");
}

/* Candidates that a thread draws, with few cells and more, and that a block draws. */
static void test_candidates(void **state) {
    (void)state;
    expect_same(random_data(DATA_SMOOTH, 200, 8, 2, 10), "projections", "3", "density", "0.2");
    expect_same(random_data(DATA_SMOOTH, 200, 60, 2, 10), "projections", "40", "density", "0.04");
    expect_same(random_data(DATA_SMOOTH, 150, 20, 2, 10), "projections", "60", "density", "0.2");
    expect_same(random_data(DATA_CONSTANT, 150, 20, 2, 10), "projections", "90", "density", "0.01",
                "weights", "uniform");
}

static void test_missing_values(void **state) {
    (void)state;
    expect_same(with_gaps(500, 6, 2, 11));
    expect_same(with_gaps(400, 6, 4, 11), "method", "rf", "criterion", "entropy");
    expect_same(with_zeros(with_gaps(900, 5, 2, 11)), "method", "rf");
    expect_same(with_zeros(with_gaps(900, 5, 3, 11)));
    sporf_dataset *zeros = with_gaps(400, 6, 2, 11);
    for (size_t j = 0; j < zeros->features; j++)
        for (size_t i = 0; i < zeros->rows; i++) {
            float *value = (float *)zeros->columns[j] + i;
            if (*value == *value && (j < 3 || i % 2)) *value = -0.0f;
        }
    expect_same(zeros, "bag", "none", "density", "0.2");
}

static void test_bags_and_leaves(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 300, 5, 3, 12);
    weigh_rows(data, 1);
    expect_same(data);
    expect_same(random_data(DATA_SMOOTH, 300, 5, 3, 12), "bag", "subsample", "min-leaf", "4");
    expect_same(random_data(DATA_SMOOTH, 300, 5, 3, 12), "bag", "none", "max-depth", "5");
    expect_same(random_data(DATA_SMOOTH, 300, 5, 3, 12), "bag", "stratified", "min-split", "20");
    expect_same(random_data(DATA_SMOOTH, 300, 5, 3, 12), "class-weights", "balanced");
    expect_same(random_data(DATA_SMOOTH, 300, 5, 3, 12), "bag-fraction", "0.3", "trees", "9");
}

static void test_small_tables(void **state) {
    (void)state;
    for (size_t rows = 2; rows < 9; rows++) expect_same(random_data(DATA_TIED, rows, 3, 2, rows));
    expect_same(random_data(DATA_SMOOTH, 40, 400, 2, 13), "trees", "1", "projections", "20");
    expect_same(random_data(DATA_SMOOTH, 200, 1, 2, 13), "projections", "3", "density", "0.5");
    expect_same(random_data(DATA_SMOOTH, 200, 1, 3, 13), "projections", "40", "density", "1");
    expect_same(random_data(DATA_SMOOTH, 100, 1, 2, 13), "projections", "200", "density", "1");
}

/* In nodes of more than 128 rows: rows that a warp copies, that several share, and that are read
 * where they are; and candidates with more terms than are staged at once. */
#define expect_same_rows(data, ...)                                                                \
    expect_same(data, "bag", "none", "max-depth", "2", "trees", "1", __VA_ARGS__)

static void test_long_rows(void **state) {
    (void)state;
    expect_same_rows(random_data(DATA_SMOOTH, 300, 30, 2, 17), "projections", "20");
    expect_same_rows(random_data(DATA_SMOOTH, 300, 100, 2, 17), "projections", "20");
    expect_same_rows(random_data(DATA_SMOOTH, 300, 500, 3, 17), "projections", "20");
    expect_same_rows(random_data(DATA_SMOOTH, 300, 900, 2, 17), "projections", "20");
    expect_same_rows(random_data(DATA_BYTES, 300, 100, 2, 17), "projections", "20");
    expect_same_rows(random_data(DATA_BYTES, 300, 400, 2, 17), "projections", "20");
    expect_same_rows(random_data(DATA_BYTES, 300, 1700, 3, 17), "projections", "20");
    expect_same_rows(with_gaps(300, 100, 2, 17), "projections", "20");
    expect_same_rows(with_gaps(300, 200, 2, 17), "projections", "6", "density", "1");
    expect_same_rows(with_gaps(300, 200, 3, 17), "projections", "9", "density", "0.4");
    expect_same_rows(with_gaps(300, 500, 2, 17), "projections", "4", "density", "0.5");
}

/* What the device lacks is grown by the threads, and told. */
static void test_what_it_lacks(void **state) {
    (void)state;
    assert_int_equal(compare(random_data(DATA_SMOOTH, 60, 5, 40, 14), NULL), 1);
    assert_non_null(strstr(last_note, "more than 32 classes"));
    assert_int_equal(compare(random_data(DATA_MIXED, 60, 6, 2, 14), NULL), 1);
    assert_non_null(strstr(last_note, "categories"));
}

/* Without enough memory for all trees they grow in batches; with too little, the threads grow them.
 */
static void test_little_memory(void **state) {
    (void)state;
    size_t all = emulated_memory;
    emulated_memory = 4 << 20;
    expect_same(random_data(DATA_SMOOTH, 400, 5, 2, 15), "trees", "20");
    expect_same(random_data(DATA_SMOOTH, 400, 5, 2, 15), "trees", "20", "threads", "1");
    expect_same(random_data(DATA_SMOOTH, 400, 5, 2, 15), "trees", "20", "threads", "20");
    emulated_memory = 10000;
    assert_int_equal(compare(random_data(DATA_SMOOTH, 400, 5, 2, 15), NULL), 1);
    assert_non_null(strstr(last_note, "memory"));
    assert_int_equal(emulated_memory, 10000); /* all was given back */
    emulated_memory = all;
}

static size_t joined; /* trees */

static void count_trees(void *payload, size_t done, size_t trees) {
    (void)payload;
    (void)trees;
    joined = done;
}

static int wants_to_stop(void *payload) {
    (void)payload;
    return joined > 0;
}

/* A batch is handed over while the next one grows: it is kept if that is interrupted. */
static void test_interrupted(void **state) {
    (void)state;
    const char *why;
    sporf_params params;
    spf_settings settings;
    sporf_forest *forest = NULL;
    sporf_hooks hooks;
    sporf_dataset *data = random_data(DATA_SMOOTH, 400, 5, 2, 15);
    size_t all = emulated_memory;
    plain_params(&params);
    sporf_hooks_init(&hooks);
    hooks.progress = count_trees;
    hooks.interrupt = wants_to_stop;
    params.trees = 300; /* more than a batch has */
    params.threads = 2;
    assert_ok(spf_settings_create(data, &params, NULL, &settings));
    settings.device = spf_gpu(&why);
    joined = 0;
    assert_ok(spf_train_packed(&settings, &hooks, NULL, &forest));
    assert_in_range(forest->trees_count, 1, 256);
    sporf_forest_free(forest);
    spf_settings_free(&settings);
    sporf_dataset_free(data);
    assert_int_equal(emulated_memory, all); /* all was given back */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_classes),    cmocka_unit_test(test_large_nodes),
        cmocka_unit_test(test_large_table),    cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_many_classes),   cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_methods),        cmocka_unit_test(test_candidates),
        cmocka_unit_test(test_missing_values), cmocka_unit_test(test_bags_and_leaves),
        cmocka_unit_test(test_small_tables),   cmocka_unit_test(test_what_it_lacks),
        cmocka_unit_test(test_little_memory),  cmocka_unit_test(test_close_values),
        cmocka_unit_test(test_outliers),       cmocka_unit_test(test_long_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
