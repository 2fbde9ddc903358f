/* A forest grown from rows that are apart is the one that a training on the whole table gives, in
 * every byte of the file and in what is kept beside it, wherever the table is cut. */
#include "support/check.h"
#include "support/random_data.h"
#include "support/rows_apart.h"
#include "support/same_bytes.h"

#include "data/dataset.h"

#include <math.h>
#include <stdio.h>

enum { ROWS = 4000 };

static void check_cut(const sporf_dataset *data, const sporf_params *params,
                      const sporf_forest *whole, const rows_apart *how) {
    sporf_forest *apart = grow_apart(data, params, how);
    assert_same_bytes(apart, whole);
    assert_same_oob(apart, whole);
    sporf_forest_free(apart);
}

/* In one piece and in several, with branches small and large, one tree at a time and more, with
 * shards that are lost on the way. */
static void check(const sporf_dataset *data, sporf_params params, uint64_t seed) {
    sporf_forest *whole = NULL;
    params.trees = 3;
    assert_ok(sporf_forest_train(data, &params, NULL, &whole));
    check_cut(data, &params, whole, &(rows_apart){1, 1, 3, 1, 0, seed, 0});
    check_cut(data, &params, whole, &(rows_apart){2, 900, 1, 2, 0, seed + 1, 0});
    check_cut(data, &params, whole, &(rows_apart){7, 2000, 2, 1, 4, seed + 2, 1});
    sporf_forest_free(whole);
}

static void every_kind_of_column(void **state) {
    (void)state;
    static const data_kind kinds[] = {DATA_SMOOTH, DATA_TIED, DATA_CONSTANT, DATA_NOISE,
                                      DATA_BYTES};
    static const char *const methods[] = {"sporf", "rf", "frc", "patch"};
    static const char *const scales[] = {"none", "sd", "range", "auto"};
    static const char *const criteria[] = {"gini", "entropy"};
    static const size_t classes[] = {2, 3, 40};
    size_t cases = 0;
    for (size_t k = 0; k < 5; k++)
        for (size_t m = 0; m < 4; m++, cases++) {
            sporf_dataset *data = random_data(kinds[k], ROWS, 6, classes[cases % 3], cases + 1);
            check(data,
                  params_with("method", methods[m], "scale", scales[(cases + k) % 4], "criterion",
                              criteria[cases / 3 % 2], (char *)NULL),
                  cases);
            assert_true(rows_apart_counted.branches > 3);
            sporf_dataset_free(data);
        }
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Numbers from 0 to 1. */
static float uniform(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) / 0x1p24f;
}

typedef float (*awkward)(uint32_t *state, size_t row, size_t feature);

/* A table whose labels depend on the first feature that is not missing. */
static sporf_dataset *table_of(awkward value, size_t features, size_t classes) {
    static float values[ROWS * 8];
    static int64_t labels[ROWS];
    uint32_t state = 7;
    sporf_dataset *data = NULL;
    for (size_t i = 0; i < ROWS; i++) {
        float sum = 0, noise = uniform(&state);
        for (size_t j = 0; j < features; j++) {
            float v = value(&state, i, j);
            values[j * ROWS + i] = v;
            sum += isnan(v) ? 0.3f : v > 0 ? 0.5f : 0;
        }
        labels[i] = (int64_t)((sum + noise) * 1.7f) % (int64_t)classes;
    }
    sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, features, 1, ROWS};
    sporf_dataset *borrowed = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &borrowed));
    assert_ok(sporf_dataset_set_labels_int(borrowed, labels, ROWS));
    uint32_t rows[ROWS];
    for (uint32_t i = 0; i < ROWS; i++) rows[i] = i;
    assert_ok(sporf_dataset_select(borrowed, rows, ROWS, &data));
    sporf_dataset_free(borrowed);
    return data;
}

/* Every third column lacks a third of its values, one has none at all, one only few. */
static float holes(uint32_t *state, size_t row, size_t feature) {
    float value = uniform(state) - 0.5f;
    if (feature == 5) return NAN;
    if (feature == 4) return row % 400 == 3 ? NAN : value;
    return feature % 3 == 0 && uniform(state) < 0.3f ? NAN : value;
}

/* One value in most rows, far outliers, numbers too close for bins, and both zeros. */
static float heavy(uint32_t *state, size_t row, size_t feature) {
    float value = uniform(state);
    if (feature == 0) return value < 0.7f ? 0 : value;
    if (feature == 1) return row % 1000 == 1 ? 1e6f * value : value;
    if (feature == 2) return 1e-42f * floorf(value * 5000);
    if (feature == 3) return value < 0.5f ? -0.0f : value < 0.8f ? 0.0f : 1;
    return row % 500 == 2 ? 1e9f : value < 0.4f ? 1e-3f * value : value;
}

static void missing_values_and_heavy_ones(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rf", "frc", "patch"};
    for (size_t m = 0; m < 4; m++) {
        sporf_dataset *lacking = table_of(holes, 7, 2 + m % 2), *odd = table_of(heavy, 5, 2 + m);
        check(lacking, params_with("method", methods[m], "scale", "sd", (char *)NULL), m);
        check(odd, params_with("method", methods[m], (char *)NULL), m);
        sporf_dataset_free(lacking);
        sporf_dataset_free(odd);
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void every_bag_and_kind_of_weight(void **state) {
    (void)state;
    static const char *const bags[] = {"bootstrap", "stratified", "subsample", "none"};
    static const char *const class_weights[] = {"none", "balanced", "0=2.5,1=1"};
    for (size_t b = 0; b < 4; b++)
        for (size_t w = 0; w < 3; w++) {
            sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 5, 3, w + b);
            if (w > 0) weigh_rows(data, w == 1 ? 1 : 0.3);
            check(data,
                  params_with("bag", bags[b], "class-weights", class_weights[(w + b) % 3],
                              "weight-is", w == 1 ? "count" : "relative", "max-depth",
                              w == 2 ? "6" : "0", (char *)NULL),
                  w + b);
            sporf_dataset_free(data);
        }
}

static void leaves_that_are_not_pure(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 5, 4, 3);
    check(data, params_with("min-leaf", "40", "min-split", "300", (char *)NULL), 1);
    check(data, params_with("min-leaf-weight", "0.02", (char *)NULL), 2);
    sporf_dataset_free(data);
    /* with relative weights rows are counted, and ends of a node are closed */
    static const char *const leaves[] = {"2", "30", "700"};
    for (size_t i = 0; i < 6; i++) {
        sporf_dataset *weighted = i < 3 ? random_data(DATA_SMOOTH, ROWS, 5, 2 + i, i)
                                        : table_of(i == 3 ? heavy : holes, 5, i - 1);
        weigh_rows(weighted, 0.3);
        check(weighted,
              params_with("min-leaf", leaves[i % 3], "weight-is", "relative", (char *)NULL), i);
        sporf_dataset_free(weighted);
    }
}

/* Sorted by class, so that most shards have rows of one class only. */
static void rows_sorted_by_class(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 5, 3, 5), *sorted = NULL;
    const uint32_t *labels = sporf_dataset_labels(data);
    uint32_t rows[ROWS], count = 0;
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t i = 0; i < ROWS; i++)
            if (labels[i] == k) rows[count++] = i;
    assert_ok(sporf_dataset_select(data, rows, ROWS, &sorted));
    check(sorted, params_with("method", "sporf", (char *)NULL), 3);
    check(sorted, params_with("method", "rf", "criterion", "entropy", (char *)NULL), 4);
    sporf_dataset_free(sorted);
    sporf_dataset_free(data);
}

/* ---- regression ------------------------------------------------------------------------------ */

static void regression_of_every_kind(void **state) {
    (void)state;
    static const data_kind kinds[] = {DATA_SMOOTH, DATA_TIED, DATA_CONSTANT, DATA_NOISE,
                                      DATA_BYTES};
    static const char *const methods[] = {"sporf", "rf", "frc", "patch"};
    static const char *const bags[] = {"bootstrap", "subsample", "none"};
    static const char *const scales[] = {"auto", "none", "sd", "range"};
    size_t cases = 0;
    for (size_t k = 0; k < 5; k++)
        for (size_t m = k % 2; m < 4; m += 2, cases++) {
            sporf_dataset *data = with_targets(kinds[k], ROWS, 6, 1, cases + 1);
            if (cases % 3 > 0) weigh_rows(data, cases % 3 == 1 ? 1 : 0.3);
            check(data,
                  params_with("method", methods[m], "bag", bags[cases % 3], "scale",
                              scales[(cases + k) % 4], "weight-is",
                              cases % 3 == 1 ? "count" : "relative", "samples",
                              cases % 2 ? "keep" : "drop", (char *)NULL),
                  cases);
            assert_true(rows_apart_counted.branches > 3);
            sporf_dataset_free(data);
        }
}

/* Leaves above all branches, whose rows are never brought together. */
static void leaves_of_regression(void **state) {
    (void)state;
    static const char *const weights[] = {"count", "relative"};
    for (size_t i = 0; i < 4; i++) {
        sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, 5, 1, i);
        weigh_rows(data, i < 2 ? 1 : 0.3);
        check(data,
              params_with("max-depth", "2", "samples", i % 2 ? "keep" : "drop", "weight-is",
                          weights[i / 2], (char *)NULL),
              i);
        check(data,
              params_with("min-leaf", "300", "min-split", "700", "weight-is", weights[i / 2],
                          "min-leaf-weight", i % 2 ? "0.05" : "0", (char *)NULL),
              i);
        sporf_dataset_free(data);
    }
}

/* A node may draw no candidate at all, if its only one is a constant column. */
static void nodes_without_candidates(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rf", "frc", "patch"};
    for (size_t m = 0; m < 4; m++) {
        sporf_dataset *data = with_targets(DATA_CONSTANT, ROWS, 6, 1, m);
        check(data, params_with("method", methods[m], "projections", "1", (char *)NULL), m);
        sporf_dataset_free(data);
    }
}

static float far_apart(uint32_t *state, size_t row, size_t feature) {
    return feature == 0 && row % 100 == 7 ? 1e9f * uniform(state) : holes(state, row, feature);
}

static void regression_with_missing_values(void **state) {
    (void)state;
    static float targets[ROWS];
    static const awkward values[] = {holes, heavy, far_apart};
    for (size_t i = 0; i < 3; i++) {
        sporf_dataset *data = table_of(values[i], 5, 2);
        uint32_t random = 3;
        for (size_t r = 0; r < ROWS; r++)
            targets[r] = i == 2 && r % 50 == 0 ? -1e20f * uniform(&random) : uniform(&random);
        set_targets(data, targets, 1);
        check(data, params_with("method", i == 1 ? "rf" : "sporf", (char *)NULL), i);
        sporf_dataset_free(data);
    }
}

/* ---- categories ------------------------------------------------------------------------------ */

static void every_kind_of_category(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rf", "frc", "patch"};
    static const char *const criteria[] = {"gini", "entropy"};
    static const char *const scales[] = {"auto", "none", "sd", "range"};
    static const size_t classes[] = {2, 3, 40};
    size_t cases = 0;
    for (size_t c = 0; c < 3; c++)
        for (size_t m = 0; m < 4; m++, cases++) {
            sporf_dataset *data = random_data(DATA_MIXED, ROWS, 6, classes[c], cases + 1);
            if (cases % 3 > 0) weigh_rows(data, cases % 3 == 1 ? 1 : 0.3);
            check(data,
                  params_with("method", methods[m], "criterion", criteria[cases / 2 % 2], "scale",
                              scales[(cases + c) % 4], "min-leaf", cases % 5 == 2 ? "30" : "1",
                              "weight-is", cases % 3 == 1 ? "count" : "relative", (char *)NULL),
                  cases);
            assert_true(rows_apart_counted.branches > 3);
            sporf_dataset_free(data);
        }
}

static void regression_with_categories(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rf", "frc"};
    for (size_t m = 0; m < 3; m++) {
        sporf_dataset *data = with_targets(DATA_MIXED, ROWS, 6, 1, m);
        if (m > 0) weigh_rows(data, m == 1 ? 1 : 0.3);
        check(data,
              params_with("method", methods[m], "min-leaf", m == 2 ? "40" : "1", "weight-is",
                          m == 1 ? "count" : "relative", (char *)NULL),
              m);
        sporf_dataset_free(data);
    }
}

/* Many levels, most of them rare, in one column; few in the others; none is missing. */
static void many_levels(void **state) {
    (void)state;
    enum { LEVELS = 700, FEATURES = 4 };
    static char text[LEVELS][8];
    const char *names[LEVELS];
    for (size_t k = 0; k < LEVELS; k++) {
        snprintf(text[k], sizeof text[k], "l%zu", k);
        names[k] = text[k];
    }
    for (size_t c = 0; c < 3; c++) {
        sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, FEATURES, 2 + c, c);
        uint32_t random = 9;
        for (size_t j = 0; j < FEATURES; j++) {
            size_t levels = j == 0 ? LEVELS : 3 + j;
            float *column = spf_dataset_column(data, j);
            for (size_t i = 0; i < ROWS; i++) {
                float share = uniform(&random);
                column[i] = floorf(share * share * share * (float)levels);
            }
            assert_ok(sporf_dataset_set_levels(data, j, SPORF_KIND_CATEGORY, names, levels));
        }
        check(data, params_with("density", "0.6", (char *)NULL), c);
        check(data, params_with("method", "rf", (char *)NULL), c);
        sporf_dataset_free(data);
    }
}

/* ---- settings -------------------------------------------------------------------------------- */

/* Pilot forests choose on all rows of a small table, and on some rows of a tall one. */
static void settings_that_are_chosen(void **state) {
    (void)state;
    static const size_t rows[] = {900, 12000, 900, 12000, 12000};
    for (size_t i = 0; i < 5; i++)
        for (uint32_t trees = 2; trees < 40; trees += 30) {
            sporf_dataset *data =
                i % 4 < 2 ? random_data(i < 4 ? DATA_SMOOTH : DATA_MIXED, rows[i], 12, 3, 3)
                          : with_targets(DATA_SMOOTH, rows[i], 12, 1, 3);
            sporf_forest *whole = NULL;
            sporf_params params;
            sporf_params_init(&params);
            sporf_hooks hooks;
            double seconds = 0;
            params.trees = trees;
            sporf_hooks_init(&hooks);
            hooks.search_seconds = &seconds;
            assert_ok(sporf_forest_train(data, &params, &hooks, &whole));
            if (trees > 2) assert_true(seconds > 0);
            if (i == 1) assert_string_equal(sporf_forest_setting(whole, "bag"), "subsample");
            check_cut(data, &params, whole, &(rows_apart){3, 2000, 20, 1, 9, 5, 1});
            sporf_forest_free(whole);
            sporf_dataset_free(data);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_column),
        cmocka_unit_test(missing_values_and_heavy_ones),
        cmocka_unit_test(every_bag_and_kind_of_weight),
        cmocka_unit_test(leaves_that_are_not_pure),
        cmocka_unit_test(rows_sorted_by_class),
        cmocka_unit_test(regression_of_every_kind),
        cmocka_unit_test(leaves_of_regression),
        cmocka_unit_test(nodes_without_candidates),
        cmocka_unit_test(regression_with_missing_values),
        cmocka_unit_test(every_kind_of_category),
        cmocka_unit_test(regression_with_categories),
        cmocka_unit_test(many_levels),
        cmocka_unit_test(settings_that_are_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
