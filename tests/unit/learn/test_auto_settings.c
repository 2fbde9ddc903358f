/* Settings that are left to the library: what it chooses, and that the forest is the one of these
 * settings.
 * Labels: full */
#include "support/check.h"
#include "support/preview.h"
#include "support/random_data.h"
#include "support/same_bytes.h"

#include "data/dataset.h"
#include "support/watch.h"

#include <math.h>

static sporf_params left_to_the_library(uint32_t trees) {
    sporf_params params;
    sporf_params_init(&params);
    params.trees = trees;
    return params;
}

static sporf_forest *grow(const sporf_dataset *data, const sporf_params *params) {
    sporf_forest *forest = NULL;
    assert_ok(sporf_forest_train(data, params, NULL, &forest));
    return forest;
}

static const char *setting(const sporf_forest *forest, const char *name) {
    const char *value = sporf_forest_setting(forest, name);
    if (!value) fail_msg("no setting %s", name);
    return value;
}

static double candidates(const sporf_forest *forest) {
    return atof(setting(forest, "projections"));
}

/* ---- what is chosen -------------------------------------------------------------------------- */

static void expect_many_candidates(uint64_t seed, uint32_t trees, sporf_effort effort) {
    enum { FEATURES = 12 };
    sporf_dataset *data = simulated("sparse-parity", 800, FEATURES, seed);
    sporf_params params = left_to_the_library(trees);
    params.effort = effort;
    sporf_forest *forest = grow(data, &params);
    assert_true(candidates(forest) >= 4 * FEATURES);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* Few candidates guess all alike here: that must not end the search. */
static void sums_that_are_hard_to_find_get_many_candidates(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= DRAWN(6); seed++)
        expect_many_candidates(seed, 48, SPORF_EFFORT_HIGH);
    for (uint64_t seed = 1; seed <= DRAWN(2); seed++)
        expect_many_candidates(seed, 500, SPORF_EFFORT_DEFAULT);
}

/* No sum of the few candidates of a wide table holds both of two features that tell. */
static void two_of_very_many_features_are_found(void **state) {
    (void)state;
    enum { ROWS = 240, FEATURES = 3000 };
    sporf_dataset *data = simulated("trunk", ROWS, FEATURES, 1);
    int64_t labels[ROWS];
    const float *one = data->columns[2001], *other = data->columns[2900];
    for (size_t i = 0; i < ROWS; i++) labels[i] = one[i] > other[i];
    assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
    sporf_params params = left_to_the_library(48);
    params.effort = SPORF_EFFORT_HIGH;
    sporf_forest *forest = grow(data, &params);
    assert_true(candidates(forest) == FEATURES);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* A fifth of the labels is wrong. */
static void noise_gets_large_leaves(void **state) {
    (void)state;
    enum { ROWS = 1000, FEATURES = 9 };
    sporf_dataset *data = simulated("trunk", ROWS, FEATURES, 1);
    int64_t labels[ROWS];
    for (size_t i = 0; i < ROWS; i++) labels[i] = (data->columns[4][i] > 0) != (i % 5 == 0);
    assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
    sporf_params params = left_to_the_library(60);
    sporf_forest *forest = grow(data, &params);
    assert_string_equal(setting(forest, "min-leaf"), "5");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void edges_along_the_axes_get_single_features(void **state) {
    (void)state;
    sporf_dataset *data = simulated("consistency", 1000, 2, 1);
    sporf_params params = left_to_the_library(60);
    sporf_forest *forest = grow(data, &params);
    assert_string_equal(setting(forest, "density"), "1/p");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void what_is_given_stays(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 150, 6, 2, 1);
    sporf_params params = left_to_the_library(50);
    assert_ok(sporf_params_set(&params, "density", "0.5"));
    assert_ok(sporf_params_set(&params, "min-leaf", "3"));
    sporf_forest *forest = grow(data, &params);
    assert_string_equal(setting(forest, "density"), "0.5");
    assert_string_equal(setting(forest, "min-leaf"), "3");
    sporf_forest_free(forest);
    assert_ok(sporf_params_set(&params, "projections", "p"));
    assert_ok(sporf_params_set(&params, "density", "auto"));
    forest = grow(data, &params);
    assert_string_equal(setting(forest, "projections"), "p");
    assert_string_equal(setting(forest, "density"), "1/p");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void other_methods_have_their_usual_candidates(void **state) {
    (void)state;
    static const char *const usual[][2] = {
        {"rf", "p^0.5"}, {"frc", "p"}, {"rr-rf", "p"}, {"ccf", "p"}, {"patch", "p"}};
    sporf_dataset *data = random_data(DATA_SMOOTH, 60, 6, 2, 1);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        sporf_params params = left_to_the_library(2);
        assert_ok(sporf_params_set(&params, "method", usual[i][0]));
        sporf_forest *forest = grow(data, &params);
        assert_string_equal(setting(forest, "projections"), usual[i][1]);
        assert_string_equal(setting(forest, "min-leaf"), "1");
        sporf_forest_free(forest);
    }
    sporf_dataset_free(data);
}

static const char *scale_of(float factor, const char *method) {
    static char text[16];
    enum { ROWS = 80 };
    float values[2 * ROWS];
    int64_t labels[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        values[i] = (float)(i % 7);
        values[ROWS + i] = factor * (float)(i % 7);
        labels[i] = i % 7 > 3;
    }
    sporf_dataset *data = NULL;
    const sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, 2, 1, ROWS};
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
    sporf_params params = left_to_the_library(2);
    assert_ok(sporf_params_set(&params, "method", method));
    sporf_forest *forest = grow(data, &params);
    snprintf(text, sizeof text, "%s", setting(forest, "scale"));
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    return text;
}

static void units_that_differ_by_more_than_a_hundred_times_are_scaled(void **state) {
    (void)state;
    assert_string_equal(scale_of(99, "sporf"), "none");
    assert_string_equal(scale_of(101, "sporf"), "sd");
    assert_string_equal(scale_of(1e-4f, "frc"), "sd");
    assert_string_equal(scale_of(1e-4f, "rf"), "none");
    assert_string_equal(scale_of(0, "sporf"), "none"); /* constant */
}

/* ---- bags ------------------------------------------------------------------------------------ */

enum { MANY_ROWS = 10001 };

static void expect_bag(const sporf_dataset *data, const sporf_params *params, const char *bag,
                       const char *fraction) {
    sporf_forest *forest = grow(data, params);
    assert_string_equal(setting(forest, "bag"), bag);
    assert_string_equal(setting(forest, "bag-fraction"), fraction);
    sporf_forest_free(forest);
}

static void many_rows_are_drawn_without_replacement(void **state) {
    (void)state;
    sporf_dataset *many = random_data(DATA_SMOOTH, MANY_ROWS, 3, 3, 1);
    sporf_dataset *fewer = random_data(DATA_SMOOTH, MANY_ROWS - 1, 3, 3, 1);
    sporf_params params = left_to_the_library(8);
    params.effort = SPORF_EFFORT_LOW;
    assert_int_equal(preview_of(many, &params).bag, SPORF_BAG_SUBSAMPLE);
    expect_bag(many, &params, "subsample", "0.8");
    expect_bag(fewer, &params, "auto", "1");
    params.effort = SPORF_EFFORT_DEFAULT;
    assert_int_equal(preview_of(many, &params).bag, SPORF_BAG_SUBSAMPLE);
    expect_bag(many, &params, "subsample", "0.8");
    sporf_dataset_free(many);
    sporf_dataset_free(fewer);
}

static void what_is_given_and_numbers_keep_bootstraps(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, MANY_ROWS, 3, 3, 1);
    sporf_dataset *numbers = with_targets(DATA_SMOOTH, MANY_ROWS, 3, 1, 1);
    sporf_params params = left_to_the_library(8), changed = params;
    expect_bag(numbers, &params, "auto", "1");
    changed.min_leaf = 5;
    expect_bag(data, &changed, "subsample", "0.8");
    changed = params;
    changed.bag = SPORF_BAG_BOOTSTRAP;
    expect_bag(data, &changed, "bootstrap", "1");
    changed = params;
    changed.bag_fraction = 0.5;
    expect_bag(data, &changed, "auto", "0.5");
    changed = params;
    changed.projections = (sporf_amount){2, 0};
    expect_bag(data, &changed, "auto", "1");
    changed = params;
    changed.method = SPORF_METHOD_RF;
    expect_bag(data, &changed, "auto", "1");
    sporf_dataset_free(data);
    sporf_dataset_free(numbers);
}

/* Counts are repeated rows, and a subsample would take all of them or none. */
static void only_counts_keep_bootstraps(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, MANY_ROWS, 3, 3, 1);
    double weights[MANY_ROWS];
    for (size_t i = 0; i < MANY_ROWS; i++) weights[i] = 1 + (double)(i % 2);
    assert_ok(sporf_dataset_set_weights(data, weights, MANY_ROWS));
    sporf_params params = left_to_the_library(8);
    params.min_leaf = 1;
    expect_bag(data, &params, "subsample", "0.8");
    params.weight_is = SPORF_WEIGHT_COUNT;
    expect_bag(data, &params, "auto", "1");
    sporf_dataset_free(data);
}

/* Weights of 0 leave rows out, and what remains is no count. */
static void rows_of_weight_0_do_not_change_the_bag(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, MANY_ROWS + 1, 3, 3, 1);
    double weights[MANY_ROWS + 1];
    for (size_t i = 0; i <= MANY_ROWS; i++) weights[i] = i > 1;
    sporf_params params = left_to_the_library(8);
    weights[1] = 1;
    assert_ok(sporf_dataset_set_weights(data, weights, MANY_ROWS + 1));
    expect_bag(data, &params, "subsample", "0.8");
    weights[1] = 0;
    assert_ok(sporf_dataset_set_weights(data, weights, MANY_ROWS + 1));
    expect_bag(data, &params, "auto", "1");
    sporf_dataset_free(data);
}

/* ---- that it is the forest of these settings ------------------------------------------------- */

static void expect_the_recorded_settings(const sporf_dataset *data, uint32_t trees) {
    sporf_params params = left_to_the_library(trees), recorded;
    sporf_forest *chosen = grow(data, &params);
    assert_int_equal(sporf_forest_trees(chosen), trees);
    sporf_params_init(&recorded);
    assert_ok(sporf_forest_params(chosen, &recorded));
    recorded.threads = 3;
    sporf_forest *again = grow(data, &recorded);
    assert_same_bytes(chosen, again);
    assert_same_oob(chosen, again);
    sporf_forest_free(chosen);
    sporf_forest_free(again);
}

static void the_forest_is_that_of_the_settings_it_records(void **state) {
    (void)state;
    for (data_kind kind = DATA_SMOOTH; kind <= DATA_MIXED; kind++) {
        sporf_dataset *data = random_data(kind, 120, 5, 3, 2);
        sporf_dataset *numbers = with_targets(kind, 120, 5, 2, 2);
        for (uint32_t trees = 20; trees <= 70; trees += 50) {
            expect_the_recorded_settings(data, trees);
            expect_the_recorded_settings(numbers, trees);
        }
        sporf_dataset_free(data);
        sporf_dataset_free(numbers);
    }
}

/* Of which some rows choose. */
static void so_it_is_of_tall_tables(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 10500, 2, 2, 4);
    sporf_params params = left_to_the_library(10);
    assert_true(preview_of(data, &params).chooses);
    for (uint32_t trees = 1; trees <= 10; trees += 9) expect_the_recorded_settings(data, trees);
    sporf_dataset_free(data);
}

static void the_number_of_threads_changes_no_choice(void **state) {
    (void)state;
    sporf_dataset *tables[] = {random_data(DATA_TIED, 200, 6, 2, 3),
                               with_targets(DATA_TIED, 200, 6, 1, 3)};
    for (size_t i = 0; i < 2; i++) {
        sporf_params params = left_to_the_library(90);
        params.threads = 1;
        sporf_forest *one = grow(tables[i], &params);
        params.threads = 4;
        sporf_forest *many = grow(tables[i], &params);
        assert_same_bytes(one, many);
        sporf_forest_free(one);
        sporf_forest_free(many);
        sporf_dataset_free(tables[i]);
    }
}

/* A search for more trees may choose other settings: those of the first trees are kept. */
static void more_trees_have_the_settings_of_the_first_ones(void **state) {
    (void)state;
    sporf_dataset *tables[] = {random_data(DATA_TIED, 200, 6, 2, 3),
                               with_targets(DATA_TIED, 200, 6, 1, 3),
                               random_data(DATA_SMOOTH, MANY_ROWS, 3, 3, 1)};
    for (size_t i = 0; i < 3; i++) {
        sporf_params params = left_to_the_library(10), recorded;
        sporf_forest *few = grow(tables[i], &params), *more = NULL;
        sporf_params_init(&recorded);
        assert_ok(sporf_forest_params(few, &recorded));
        params.trees = recorded.trees = 90;
        assert_ok(sporf_forest_extend(few, tables[i], &params, NULL, &more));
        sporf_forest *at_once = grow(tables[i], &recorded);
        assert_same_bytes(more, at_once);
        assert_same_oob(more, at_once);
        sporf_forest_free(few);
        sporf_forest_free(more);
        sporf_forest_free(at_once);
        sporf_dataset_free(tables[i]);
    }
}

/* ---- odd tables ---------------------------------------------------------------------------------
 */

static void tables_of_few_rows_have_leaves_of_one(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 8, 3, 8, 1);
    sporf_params params = left_to_the_library(60);
    sporf_forest *forest = grow(data, &params);
    assert_string_equal(setting(forest, "min-leaf"), "1");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    data = with_targets(DATA_SMOOTH, 12, 3, 1, 1);
    for (params.trees = 2; params.trees <= 60; params.trees += 58) {
        forest = grow(data, &params);
        assert_string_equal(setting(forest, "min-leaf"), "1");
        sporf_forest_free(forest);
    }
    sporf_dataset_free(data);
}

static void without_rows_out_of_bag_the_authors_decide(void **state) {
    (void)state;
    for (size_t features = 9; features <= 10; features++) {
        sporf_dataset *data = random_data(DATA_SMOOTH, 50, features, 2, 1);
        sporf_params params = left_to_the_library(10);
        params.bag = SPORF_BAG_SUBSAMPLE;
        params.bag_fraction = 1;
        sporf_forest *forest = grow(data, &params);
        assert_string_equal(setting(forest, "projections"), "p");
        assert_string_equal(setting(forest, "density"), features < 10 ? "1/p" : "3/p");
        assert_string_equal(setting(forest, "min-leaf"), "1");
        sporf_forest_free(forest);
        sporf_dataset_free(data);
    }
}

static void equal_weights_change_no_choice(void **state) {
    (void)state;
    enum { ROWS = 1000 };
    sporf_dataset *data = simulated("sparse-parity", ROWS, 10, 1);
    sporf_params params = left_to_the_library(50);
    sporf_forest *forest = grow(data, &params);
    double weights[ROWS], chosen = candidates(forest);
    for (size_t i = 0; i < ROWS; i++) weights[i] = 1.0 / 1024;
    assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
    sporf_forest_free(forest);
    forest = grow(data, &params);
    assert_true(candidates(forest) == chosen && chosen > 10);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void targets_keep_their_own_defaults(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, 60, 5, 1, 1);
    sporf_params params = left_to_the_library(3);
    sporf_forest *forest = grow(data, &params);
    assert_string_equal(setting(forest, "scale"), "sd");
    assert_string_equal(setting(forest, "min-split"), "5");
    sporf_forest_free(forest);
    assert_ok(sporf_params_set(&params, "projections", "p"));
    forest = grow(data, &params);
    assert_string_equal(setting(forest, "projections"), "p");
    assert_string_equal(setting(forest, "density"), "1/p");
    assert_string_equal(setting(forest, "min-leaf"), "1");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* Targets that nothing explains. */
static void noise_in_targets_gets_large_leaves(void **state) {
    (void)state;
    enum { ROWS = 400 };
    sporf_dataset *data = simulated("friedman1", ROWS, 10, 1);
    sporf_dataset *other = simulated("friedman1", ROWS, 10, 2);
    const sporf_matrix noise = {other->columns[3], SPORF_FLOAT32, ROWS, 1, 1, ROWS};
    assert_ok(sporf_dataset_set_targets(data, &noise, NULL));
    sporf_params params = left_to_the_library(200);
    sporf_forest *forest = grow(data, &params);
    assert_true(atoi(setting(forest, "min-leaf")) >= 5);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    sporf_dataset_free(other);
}

/* Multiplied by a power of two, all sums stay exact. */
static void the_unit_of_a_target_changes_no_choice(void **state) {
    (void)state;
    enum { ROWS = 1500, UNITS = 3, SETTINGS = 3 };
    static const char *const name[SETTINGS] = {"projections", "density", "min-leaf"};
    static const float unit[UNITS] = {1, 0x1p-6f, 0x1p6f};
    double chosen[SETTINGS] = {0};
    for (uint64_t seed = 1; seed <= DRAWN(3); seed++) {
        for (size_t u = 0; u < UNITS; u++) {
            sporf_dataset *data = simulated("friedman1", ROWS, 10, seed);
            float target[ROWS];
            for (size_t i = 0; i < ROWS; i++) target[i] = spf_target_of(data, 0)[i] * unit[u];
            set_targets(data, target, 1);
            sporf_params params = left_to_the_library(100);
            sporf_forest *forest = grow(data, &params);
            for (size_t k = 0; k < SETTINGS; k++) {
                if (u == 0) chosen[k] = atof(setting(forest, name[k]));
                assert_true(atof(setting(forest, name[k])) == chosen[k]);
            }
            sporf_forest_free(forest);
            sporf_dataset_free(data);
        }
    }
}

/* ---- hooks ----------------------------------------------------------------------------------- */

static void progress_ends_with_all_trees(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 100, 4, 2, 1);
    sporf_params params = left_to_the_library(70);
    watch w = watch_always();
    sporf_hooks hooks = watch_hooks(&w);
    hooks.interrupt = NULL;
    sporf_forest *forest = NULL;
    assert_ok(sporf_forest_train(data, &params, &hooks, &forest));
    assert_int_equal(w.faults, 0);
    assert_int_equal(w.done, 70);
    assert_int_equal(w.total, 70);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* Stopped anywhere, it leaves what can be grown further to the whole forest, or nothing at all. */
static void stopping_leaves_a_forest_or_none(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 60, 4, 2, 1);
    sporf_params params = left_to_the_library(70);
    params.threads = 1;
    size_t forests = 0, none = 0;
    sporf_forest *whole = grow(data, &params);
    for (size_t stop_at = 0; stop_at < 6000; stop_at += stop_at / 3 + 1) {
        watch w = watch_for(stop_at);
        sporf_hooks hooks = watch_hooks(&w);
        sporf_forest *forest = NULL;
        sporf_status status = sporf_forest_train(data, &params, &hooks, &forest);
        assert_int_equal(w.faults, 0);
        assert_true(status == SPORF_OK || status == SPORF_ERROR_CANCELLED);
        assert_int_equal(status == SPORF_OK, forest != NULL);
        if (forest) { /* the settings were chosen for all trees */
            sporf_forest *more = NULL;
            assert_ok(sporf_forest_extend(forest, data, &params, NULL, &more));
            assert_same_bytes(more, whole);
            sporf_forest_free(more);
        }
        forests += forest != NULL;
        none += forest == NULL;
        sporf_forest_free(forest);
    }
    assert_true(forests > 0 && none > 0);
    sporf_forest_free(whole);
    sporf_dataset_free(data);
}

/* Rows that weigh much are in every bag, so that the others would choose alone. */
static void heavy_classes_leave_no_choice(void **state) {
    (void)state;
    enum { ROWS = 400 };
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 1);
    int64_t labels[ROWS];
    double weights[ROWS];
    for (size_t i = 0; i < ROWS; i++) labels[i] = i % 40 == 0;
    for (size_t i = 0; i < ROWS; i++) weights[i] = i % 40 == 0 ? 9 : 1;
    assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
    sporf_params params = left_to_the_library(20);
    assert_true(preview_of(data, &params).chooses);
    params.class_weights = "balanced";
    assert_true(preview_of(data, &params).leaves_rows_out); /* relative weights draw no rows */
    assert_true(preview_of(data, &params).chooses);
    params.weight_is = SPORF_WEIGHT_COUNT;
    assert_false(preview_of(data, &params).leaves_rows_out);
    assert_false(preview_of(data, &params).chooses);
    sporf_forest *forest = grow(data, &params);
    assert_string_equal(setting(forest, "projections"), "p");
    sporf_forest_free(forest);
    params.bag = SPORF_BAG_SUBSAMPLE;
    assert_true(preview_of(data, &params).chooses);
    params = left_to_the_library(20);
    params.weight_is = SPORF_WEIGHT_COUNT;
    assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
    assert_false(preview_of(data, &params).leaves_rows_out);
    for (size_t i = 0; i < ROWS; i++) weights[i] = 1 + (double)(i % 3);
    assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
    assert_true(preview_of(data, &params).leaves_rows_out);
    sporf_dataset_free(data);
}

/* More classes than half of the 5000 rows that choose. Few rows are out of bag, because to learn
 * from the votes for each class takes long. */
static void very_many_classes_are_no_mistake_of_a_part(void **state) {
    (void)state;
    enum { ROWS = 10500, CLASSES = 2600 };
    static int64_t labels[ROWS];
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 1, 2, 1);
    for (size_t i = 0; i < ROWS; i++) labels[i] = (int64_t)(i % CLASSES);
    assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
    sporf_params params = left_to_the_library(4);
    params.max_depth = 1;
    params.bag = SPORF_BAG_SUBSAMPLE;
    params.bag_fraction = 0.9;
    assert_true(preview_of(data, &params).chooses);
    sporf_forest *forest = grow(data, &params);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void whether_there_is_a_choice_can_be_asked(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 60, 4, 2, 1);
    sporf_dataset *numbers = with_targets(DATA_SMOOTH, 60, 4, 1, 1);
    static const struct {
        const char *name, *value, *fraction;
        int chooses, leaves_out;
    } cases[] = {{"method", "sporf", "auto", 1, 1},    {"method", "rf", "auto", 0, 1},
                 {"method", "ccf", "auto", 0, 0},      {"bag", "none", "auto", 0, 0},
                 {"bag", "subsample", "auto", 1, 1},   {"bag", "subsample", "1", 0, 0},
                 {"bag", "subsample", "0.99", 0, 0},   {"bag", "bootstrap", "1", 1, 1},
                 {"projections", "p", "auto", 0, 1},   {"density", "2/p", "auto", 1, 1},
                 {"projections", "auto", "auto", 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sporf_params params = left_to_the_library(20);
        assert_ok(sporf_params_set(&params, cases[i].name, cases[i].value));
        assert_ok(sporf_params_set(&params, "bag-fraction", cases[i].fraction));
        sporf_forest *forest = grow(data, &params);
        sporf_oob oob;
        sporf_forest_oob(forest, &oob);
        assert_int_equal(preview_of(data, &params).chooses, cases[i].chooses);
        assert_int_equal(preview_of(data, &params).leaves_rows_out, cases[i].leaves_out);
        assert_int_equal(oob.rows > 0, cases[i].leaves_out);
        sporf_forest_free(forest);
    }
    assert_true(preview_of(data, NULL).chooses && preview_of(numbers, NULL).chooses);
    sporf_params given = left_to_the_library(8);
    sporf_preview open = preview_of(data, &given);
    assert_int_equal(open.features, data->features);
    assert_true(open.projections == 0 && isnan(open.nonzeros));
    given.density = (sporf_amount){2, -1};
    assert_true(preview_of(data, &given).nonzeros == 2);
    given.projections = (sporf_amount){2, 1};
    assert_int_equal(preview_of(data, &given).projections, 2 * data->features);
    sporf_dataset_free(data);
    sporf_dataset_free(numbers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_that_are_hard_to_find_get_many_candidates),
        cmocka_unit_test(two_of_very_many_features_are_found),
        cmocka_unit_test(noise_gets_large_leaves),
        cmocka_unit_test(edges_along_the_axes_get_single_features),
        cmocka_unit_test(what_is_given_stays),
        cmocka_unit_test(other_methods_have_their_usual_candidates),
        cmocka_unit_test(units_that_differ_by_more_than_a_hundred_times_are_scaled),
        cmocka_unit_test(the_forest_is_that_of_the_settings_it_records),
        cmocka_unit_test(many_rows_are_drawn_without_replacement),
        cmocka_unit_test(what_is_given_and_numbers_keep_bootstraps),
        cmocka_unit_test(only_counts_keep_bootstraps),
        cmocka_unit_test(rows_of_weight_0_do_not_change_the_bag),
        cmocka_unit_test(so_it_is_of_tall_tables),
        cmocka_unit_test(the_number_of_threads_changes_no_choice),
        cmocka_unit_test(more_trees_have_the_settings_of_the_first_ones),
        cmocka_unit_test(tables_of_few_rows_have_leaves_of_one),
        cmocka_unit_test(without_rows_out_of_bag_the_authors_decide),
        cmocka_unit_test(equal_weights_change_no_choice),
        cmocka_unit_test(targets_keep_their_own_defaults),
        cmocka_unit_test(noise_in_targets_gets_large_leaves),
        cmocka_unit_test(the_unit_of_a_target_changes_no_choice),
        cmocka_unit_test(progress_ends_with_all_trees),
        cmocka_unit_test(stopping_leaves_a_forest_or_none),
        cmocka_unit_test(heavy_classes_leave_no_choice),
        cmocka_unit_test(very_many_classes_are_no_mistake_of_a_part),
        cmocka_unit_test(whether_there_is_a_choice_can_be_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
