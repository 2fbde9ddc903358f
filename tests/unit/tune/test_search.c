/* The search of settings: the paper's grid, the choice that brute force makes, ties, folds where
 * there is no bag, and what happens when it is stopped.
 * Labels: threads */
#include "data/dataset.h"
#include "tune/grid.h"

#include "support/check.h"
#include "support/preview.h"
#include "support/random_data.h"
#include "support/same_bytes.h"
#include "support/watch.h"

/* ---- the grid -------------------------------------------------------------------------------- */

typedef struct {
    const char *method;
    size_t features;
    size_t d[9];     /* closed with 0 */
    double from, to; /* of lambda p */
} grid_case;

static int tries(const spf_grid *grid, size_t d, double nonzeros) {
    int found = 0;
    for (size_t i = 0; i < grid->count; i++)
        found += grid->settings[i].d == d && grid->settings[i].nonzeros == nonzeros;
    return found;
}

static void the_default_grid_is_the_papers(void **state) {
    (void)state;
    static const grid_case cases[] = {
        {"sporf", 1, {1}, 1, 1},
        {"sporf", 3, {1, 2, 3, 9}, 1, 2},
        {"sporf", 4, {1, 2, 3, 4, 16}, 1, 3},
        {"sporf", 5, {2, 3, 4, 5, 25}, 1, 4},
        {"sporf", 16, {2, 4, 8, 16, 256}, 1, 5},
        {"sporf", 20, {3, 5, 10, 20, 400}, 1, 5},
        {"sporf", 100, {4, 10, 32, 100, 10000}, 1, 5},
        {"sporf", 144, {4, 12, 42, 144, 1728}, 1, 5},
        {"frc", 1, {1}, 1, 1},
        {"frc", 3, {1, 2, 3, 9}, 2, 3},
        {"frc", 20, {3, 5, 10, 20, 400}, 2, 5},
        {"rf", 3, {1, 2, 3}, 1, 1},
        {"rf", 20, {3, 5, 10, 20}, 1, 1},
        {"rr-rf", 20, {3, 5, 10, 20}, 1, 1},
        {"ccf", 20, {3, 5, 10, 20}, 1, 1},
    };
    sporf_search_options options;
    sporf_search_options_init(&options);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        sporf_dataset *data = random_data(DATA_SMOOTH, 9, cases[c].features, 2, 1);
        sporf_params params = params_with("method", cases[c].method, (char *)NULL);
        spf_grid grid;
        size_t expected = 0;
        assert_ok(spf_grid_create(data, &params, &options, &grid));
        for (size_t i = 0; cases[c].d[i] > 0; i++)
            for (double k = cases[c].from; k <= cases[c].to; k++, expected++)
                assert_int_equal(tries(&grid, cases[c].d[i], k), 1);
        assert_int_equal(grid.count, expected);
        spf_grid_free(&grid);
        sporf_dataset_free(data);
    }
}

static void settings_of_the_same_numbers_are_tried_once(void **state) {
    (void)state;
    const sporf_amount projections[] = {{1, 0.5}, {4, 0}, {1, 1}, {16, 0}};
    const sporf_amount densities[] = {{2, -1}, {0.125, 0}, {40, -1}, {50, -1}};
    sporf_dataset *data = random_data(DATA_SMOOTH, 9, 16, 2, 1);
    sporf_params params = params_with("method", "sporf", (char *)NULL);
    sporf_search_options options;
    spf_grid grid;
    sporf_search_options_init(&options);
    options.projections = projections;
    options.projections_count = 4;
    options.densities = densities;
    options.densities_count = 4;
    assert_ok(spf_grid_create(data, &params, &options, &grid));
    assert_int_equal(grid.count, 4); /* d of 4 and 16, with 2 or all 16 features */
    assert_true(grid.settings[0].projections.exponent == 0.5); /* the first stays */
    assert_int_equal(
        tries(&grid, 4, 2) + tries(&grid, 4, 16) + tries(&grid, 16, 2) + tries(&grid, 16, 16), 4);
    spf_grid_free(&grid);
    params = params_with("method", "rf", (char *)NULL);
    assert_ok(spf_grid_create(data, &params, &options, &grid));
    assert_int_equal(grid.count, 2); /* without lambda */
    spf_grid_free(&grid);
    sporf_dataset_free(data);
}

/* ---- the choice ------------------------------------------------------------------------------ */

static sporf_search *search(const sporf_dataset *data, const sporf_params *params,
                            sporf_search_way way) {
    sporf_search_options options;
    sporf_search *result = NULL;
    sporf_search_options_init(&options);
    options.way = way;
    assert_ok(sporf_search_run(data, params, &options, &result));
    return result;
}

static double trained_error(const sporf_dataset *data, const sporf_params *params,
                            const sporf_trial *setting) {
    sporf_params tried = *params;
    sporf_forest *forest = NULL;
    sporf_oob oob;
    tried.projections = setting->projections;
    tried.density = setting->density;
    assert_ok(sporf_forest_train(data, &tried, NULL, &forest));
    sporf_forest_oob(forest, &oob);
    sporf_forest_free(forest);
    return oob.error;
}

static void all_picks_what_brute_force_picks(void **state) {
    (void)state;
    for (int numbers = 0; numbers <= 1; numbers++) {
        sporf_dataset *data = numbers ? with_targets(DATA_SMOOTH, 150, 6, 2, 1)
                                      : random_data(DATA_SMOOTH, 150, 6, 3, 1);
        sporf_params params = params_with("trees", "12", (char *)NULL);
        sporf_search *result = search(data, &params, SPORF_SEARCH_ALL);
        const sporf_trial *best = &result->trials[result->best];
        assert_int_equal(result->count, 25);
        for (size_t i = 0; i < 25; i++) {
            const sporf_trial *other = &result->trials[i];
            assert_int_equal(other->trees, 12);
            assert_true(other->error == trained_error(data, &params, other));
            assert_true(best->error <= other->error);
            if (!numbers && best->error == other->error) assert_true(best->auc >= other->auc);
            assert_int_equal(isnan(other->auc), numbers);
        }
        assert_false(result->interrupted);
        sporf_search_free(result);
        sporf_dataset_free(data);
    }
}

/* The race may end with another one, but with a full forest whose error it tells. */
static void the_race_ends_with_a_full_forest(void **state) {
    (void)state;
    static const char *const trees[] = {"1", "40", "100"};
    sporf_dataset *data = random_data(DATA_SMOOTH, 200, 6, 3, 1);
    for (size_t t = 0; t < 3; t++) {
        sporf_params params = params_with("trees", trees[t], (char *)NULL);
        sporf_search *result = search(data, &params, SPORF_SEARCH_RACE);
        const sporf_trial *best = &result->trials[result->best];
        sporf_oob oob;
        sporf_forest_oob(result->forest, &oob);
        assert_int_equal(sporf_forest_trees(result->forest), params.trees);
        assert_int_equal(best->trees, params.trees);
        assert_true(best->error == oob.error);
        sporf_forest *taken = result->forest;
        result->forest = NULL;
        assert_int_equal(sporf_forest_trees(taken), params.trees);
        sporf_forest_free(taken);
        for (size_t i = 0; i < result->count; i++) {
            const sporf_trial *other = &result->trials[i];
            assert_true(other->trees >= 1 && other->trees <= params.trees);
        }
        sporf_search_free(result);
    }
    sporf_dataset_free(data);
}

/* One feature that tells all: every setting is right in every row. */
static void equal_settings_have_equal_chances(void **state) {
    (void)state;
    enum { ROWS = 40, SEEDS = 300 };
    size_t chosen[4] = {0};
    const sporf_amount projections[] = {{1, 0}, {2, 0}, {3, 0}, {4, 0}};
    float values[4 * ROWS];
    int64_t labels[ROWS];
    sporf_dataset *data = NULL;
    for (size_t i = 0; i < ROWS; i++) {
        labels[i] = i % 2;
        for (size_t j = 0; j < 4; j++) values[j * ROWS + i] = (float)(i % 2);
    }
    const sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, 4, 1, ROWS};
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
    sporf_params params = params_with("method", "rf", "trees", "20", "threads", "1", (char *)NULL);
    sporf_search_options options;
    sporf_search_options_init(&options);
    options.way = SPORF_SEARCH_ALL;
    options.projections = projections;
    options.projections_count = 4;
    for (params.seed = 0; params.seed < SEEDS; params.seed++) {
        sporf_search *result = NULL;
        assert_ok(sporf_search_run(data, &params, &options, &result));
        chosen[result->best]++;
        sporf_search_free(result);
    }
    assert_equally_likely(chosen, 4, SEEDS / 4.0);
    sporf_dataset_free(data);
}

/* ---- folds ----------------------------------------------------------------------------------- */

static void without_a_bag_errors_are_those_of_folds(void **state) {
    (void)state;
    static const char *const methods[] = {"ccf", "rf", "rf"}, *const bags[] = {"none", "none",
                                                                               "subsample"};
    sporf_dataset *data = random_data(DATA_SMOOTH, 120, 6, 3, 1);
    sporf_folds *folds = NULL;
    assert_ok(sporf_folds_draw(data, 4, 9, &folds));
    for (size_t m = 0; m < 3; m++) {
        sporf_params params = params_with("method", methods[m], "bag", bags[m], "bag-fraction", "1",
                                          "trees", "8", (char *)NULL);
        sporf_search_options options;
        sporf_search *result = NULL;
        sporf_search_options_init(&options);
        options.way = SPORF_SEARCH_ALL;
        options.folds = folds;
        assert_ok(sporf_search_run(data, &params, &options, &result));
        for (size_t i = 0; i < result->count; i++) {
            const sporf_trial *setting = &result->trials[i];
            sporf_params tried = params;
            sporf_crossval *checked = NULL;
            size_t wrong = 0;
            tried.projections = setting->projections;
            assert_ok(sporf_crossval_run(data, folds, &tried, NULL, &checked));
            for (size_t row = 0; row < 120; row++)
                wrong += checked->classes[row] != data->labels[row];
            assert_near(setting->error, (double)wrong / 120, 1e-12);
            assert_true(setting->error >= result->trials[result->best].error);
            sporf_crossval_free(checked);
        }
        assert_int_equal(sporf_forest_trees(result->forest), 8);
        sporf_search_free(result);
    }
    sporf_folds_free(folds);
    sporf_dataset_free(data);
}

/* Rows that weigh double count double when settings are compared. */
static void weights_count_in_folds(void **state) {
    (void)state;
    enum { ROWS = 80 };
    double weights[ROWS];
    sporf_dataset *data = random_data(DATA_NOISE, ROWS, 5, 2, 1);
    for (size_t i = 0; i < ROWS; i++) weights[i] = 1 + (double)data->labels[i];
    assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
    sporf_params weighted = params_with("method", "rf", "bag", "none", "trees", "4", (char *)NULL);
    sporf_search *one = search(data, &weighted, SPORF_SEARCH_ALL);
    assert_ok(sporf_dataset_set_weights(data, NULL, 0));
    sporf_params classes = weighted;
    classes.class_weights = "0=1,1=2";
    sporf_search *other = search(data, &classes, SPORF_SEARCH_ALL);
    for (size_t i = 0; i < one->count; i++)
        assert_near(one->trials[i].error, other->trials[i].error, 1e-12);
    sporf_search_free(one);
    sporf_search_free(other);
    sporf_dataset_free(data);
}

/* ---- hooks and mistakes ---------------------------------------------------------------------- */

static sporf_status watched(const sporf_dataset *data, const sporf_params *params,
                            sporf_search_way way, watch *w, sporf_search **out) {
    sporf_search_options options;
    sporf_search_options_init(&options);
    options.way = way;
    options.payload = w;
    options.progress = watch_progress;
    options.interrupt = watch_interrupt;
    sporf_status status = sporf_search_run(data, params, &options, out);
    assert_int_equal(w->faults, 0);
    return status;
}

static void progress_ends_at_the_total(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rf", "ccf"};
    sporf_dataset *data = random_data(DATA_SMOOTH, 90, 6, 3, 1);
    for (size_t m = 0; m < 3; m++)
        for (sporf_search_way way = SPORF_SEARCH_RACE; way <= SPORF_SEARCH_ALL; way++) {
            sporf_params params = params_with("method", methods[m], "trees", "16", (char *)NULL);
            watch w = watch_always();
            sporf_search *result = NULL;
            assert_ok(watched(data, &params, way, &w, &result));
            assert_int_equal(w.done, w.calls);
            if (way == SPORF_SEARCH_ALL) assert_int_equal(w.done, w.total);
            sporf_search_free(result);
        }
    sporf_dataset_free(data);
}

/* Whenever it is stopped: nothing, or a forest that training gives for some settings. */
static void a_stopped_search_keeps_the_best_so_far(void **state) {
    (void)state;
    no_threads_meet();
    sporf_dataset *data = random_data(DATA_SMOOTH, 90, 4, 3, 1);
    sporf_params params = params_with("trees", "64", "threads", "1", (char *)NULL);
    for (sporf_search_way way = SPORF_SEARCH_RACE; way <= SPORF_SEARCH_ALL; way++)
        for (size_t after = 0; after < 700; after += 29) {
            watch w = watch_until(after);
            sporf_search *result = NULL;
            sporf_status status = watched(data, &params, way, &w, &result);
            if (status != SPORF_OK) {
                assert_int_equal(status, SPORF_ERROR_CANCELLED);
                assert_true(after < 64);
                continue;
            }
            const sporf_trial *best = &result->trials[result->best];
            assert_int_equal(best->trees, sporf_forest_trees(result->forest));
            assert_true(result->interrupted || w.done <= after);
            sporf_params tried = params;
            tried.trees = (uint32_t)best->trees;
            assert_true(best->error == trained_error(data, &tried, best));
            sporf_search_free(result);
        }
    sporf_dataset_free(data);
}

/* In folds the best has no forest of all rows yet: that is grown after the stop. */
static void so_does_one_that_is_judged_by_folds(void **state) {
    (void)state;
    no_threads_meet();
    sporf_dataset *data = random_data(DATA_SMOOTH, 60, 4, 3, 1);
    sporf_params params = params_with("method", "ccf", "trees", "40", "threads", "1", (char *)NULL);
    size_t kept = 0;
    for (sporf_search_way way = SPORF_SEARCH_RACE; way <= SPORF_SEARCH_ALL; way++)
        for (size_t after = 0; after < 900; after += 37) {
            watch w = watch_until(after);
            sporf_search *result = NULL;
            sporf_forest *plain = NULL;
            sporf_status status = watched(data, &params, way, &w, &result);
            if (status != SPORF_OK) {
                assert_int_equal(status, SPORF_ERROR_CANCELLED);
                assert_true(after < 5 * 40);
                continue;
            }
            const sporf_forest *forest = result->forest;
            const sporf_trial *best = &result->trials[result->best];
            sporf_params tried = params;
            assert_true(result->interrupted || w.done <= after);
            tried.projections = best->projections;
            tried.trees = (uint32_t)sporf_forest_trees(forest);
            assert_ok(sporf_forest_train(data, &tried, NULL, &plain));
            assert_same_bytes(forest, plain);
            kept += (size_t)result->interrupted;
            sporf_forest_free(plain);
            sporf_search_free(result);
        }
    assert_true(kept > 10);
    sporf_dataset_free(data);
}

/* Stopped within a later round, the leader of the one before stays, wherever it is in the list. */
static void a_stopped_race_keeps_the_leader_of_its_last_whole_round(void **state) {
    (void)state;
    no_threads_meet();
    static const sporf_amount d[] = {{2, 0}, {6, 0}, {36, 0}};
    sporf_dataset *data = simulated("sparse-parity", 300, 6, 1);
    sporf_params params = params_with("trees", "256", "threads", "1", (char *)NULL);
    size_t later = 0;
    for (size_t after = 3 * 32 + 8; after < 3 * 64 + 8; after += 16) {
        sporf_search_options options;
        sporf_search *result = NULL;
        watch w = watch_until(after);
        sporf_search_options_init(&options);
        options.projections = d;
        options.projections_count = 3;
        options.densities = (const sporf_amount[]){{1, -1}};
        options.densities_count = 1;
        options.payload = &w;
        options.progress = watch_progress;
        options.interrupt = watch_interrupt;
        assert_ok(sporf_search_run(data, &params, &options, &result));
        if (result->interrupted) {
            size_t best = result->best, least = 0;
            double errors[3];
            for (size_t i = 0; i < 3; i++) {
                sporf_params tried = params;
                tried.trees = 32;
                errors[i] = trained_error(data, &tried, &result->trials[i]);
                if (errors[i] < errors[least]) least = i;
            }
            assert_true(errors[best] == errors[least]);
            later += result->trials[best].trees == 32;
        }
        sporf_search_free(result);
    }
    assert_true(later > 0);
    sporf_dataset_free(data);
}

static void all_or_nothing_keeps_nothing(void **state) {
    (void)state;
    no_threads_meet();
    static const char *const methods[] = {"rf", "ccf"};
    sporf_dataset *data = random_data(DATA_SMOOTH, 60, 4, 3, 1);
    for (size_t m = 0; m < 2; m++)
        for (size_t after = 0; after < 2000; after += 97) {
            sporf_params params =
                params_with("method", methods[m], "trees", "40", "threads", "1", (char *)NULL);
            watch w = watch_until(after);
            sporf_search_options options;
            sporf_search *result = NULL;
            sporf_search_options_init(&options);
            options.payload = &w;
            options.progress = watch_progress;
            options.interrupt = watch_interrupt;
            options.all_or_nothing = 1;
            if (sporf_search_run(data, &params, &options, &result) == SPORF_OK) {
                assert_false(result->interrupted);
                assert_int_equal(sporf_forest_trees(result->forest), 40);
            } else {
                assert_null(result);
                assert_in_range(w.done, after, after + 1);
            }
            sporf_search_free(result);
        }
    sporf_dataset_free(data);
}

static void mistakes_are_refused(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 30, 4, 3, 1);
    sporf_dataset *more = random_data(DATA_SMOOTH, 31, 4, 3, 1);
    sporf_search_options options;
    sporf_search *result = NULL;
    sporf_folds *folds = NULL;
    const sporf_amount many[] = {{9, 0}};
    sporf_params params = params_with("method", "rf", "trees", "2", (char *)NULL);
    sporf_search_options_init(&options);
    options.projections_count = 1;
    assert_refused(sporf_search_run(data, &params, &options, &result), SPORF_ERROR_ARGUMENT,
                   "NULL");
    options.projections = many;
    assert_refused(sporf_search_run(data, &params, &options, &result), SPORF_ERROR_ARGUMENT,
                   "at most that many");
    sporf_search_options_init(&options);
    options.way = (sporf_search_way)7;
    assert_refused(sporf_search_run(data, &params, &options, &result), SPORF_ERROR_ARGUMENT,
                   "race or all");
    sporf_search_options_init(&options);
    assert_ok(sporf_folds_draw(more, 3, 1, &folds));
    options.folds = folds;
    params.bag = SPORF_BAG_NONE;
    assert_refused(sporf_search_run(data, &params, &options, &result), SPORF_ERROR_ARGUMENT,
                   "31 rows");
    options.struct_size = 3;
    assert_refused(sporf_search_run(data, &params, &options, &result), SPORF_ERROR_ARGUMENT,
                   "sporf_search_options_init");
    assert_refused(sporf_search_run(NULL, &params, NULL, &result), SPORF_ERROR_ARGUMENT, "data");
    assert_null(result);
    sporf_folds_free(folds);
    sporf_dataset_free(data);
    sporf_dataset_free(more);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static uint64_t memory_of(const sporf_dataset *data, const sporf_params *params,
                          const sporf_amount *projections, size_t count) {
    sporf_search_options options;
    uint64_t bytes = 0;
    sporf_search_options_init(&options);
    options.projections = projections;
    options.projections_count = count;
    assert_ok(sporf_search_memory(data, params, &options, &bytes));
    return bytes;
}

static void memory_counts_the_largest_setting_and_the_shares_of_classes(void **state) {
    (void)state;
    enum { ROWS = 300, CLASSES = 5 };
    const sporf_amount few[] = {{1, 0}, {2, 0}}, many[] = {{1, 0}, {5000, 0}};
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 6, CLASSES, 1);
    sporf_params params = params_with("trees", "3", "threads", "1", (char *)NULL), largest = params;
    uint64_t one = 0, bytes = 0;
    largest.projections = many[1];
    largest.density = (sporf_amount){5, -1};
    one = preview_of(data, &largest).memory;
    uint64_t of_few = memory_of(data, &params, few, 2), of_many = memory_of(data, &params, many, 2);
    assert_true(of_many >= one + ROWS * CLASSES * 2 * sizeof(uint64_t));
    assert_true(of_few < one);
    sporf_search_options options;
    sporf_search_options_init(&options);
    assert_refused(sporf_search_memory(NULL, &params, &options, &bytes), SPORF_ERROR_ARGUMENT,
                   "data");
    options.way = (sporf_search_way)9;
    assert_refused(sporf_search_memory(data, &params, &options, &bytes), SPORF_ERROR_ARGUMENT,
                   "race");
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_grid_is_the_papers),
        cmocka_unit_test(settings_of_the_same_numbers_are_tried_once),
        cmocka_unit_test(all_picks_what_brute_force_picks),
        cmocka_unit_test(the_race_ends_with_a_full_forest),
        cmocka_unit_test(equal_settings_have_equal_chances),
        cmocka_unit_test(without_a_bag_errors_are_those_of_folds),
        cmocka_unit_test(weights_count_in_folds),
        cmocka_unit_test(progress_ends_at_the_total),
        cmocka_unit_test(a_stopped_search_keeps_the_best_so_far),
        cmocka_unit_test(so_does_one_that_is_judged_by_folds),
        cmocka_unit_test(a_stopped_race_keeps_the_leader_of_its_last_whole_round),
        cmocka_unit_test(all_or_nothing_keeps_nothing),
        cmocka_unit_test(mistakes_are_refused),
        cmocka_unit_test(memory_counts_the_largest_setting_and_the_shares_of_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
