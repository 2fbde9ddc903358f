/* Permutation importances: what they say of noise, of categories and of wide tables, and that
 * nothing but the seed changes them. That they are Breiman's is tests/property/test_measures.c.
 * Labels: threads */
#include "support/check.h"
#include "support/random_data.h"
#include "support/watch.h"

#include <time.h>

typedef struct {
    double *importance, *error;
} measured;

static measured measure(const sporf_forest *forest, const sporf_dataset *data, uint64_t seed,
                        unsigned threads) {
    size_t features = sporf_forest_features(forest);
    measured m = {need(features, sizeof *m.importance), need(features, sizeof *m.error)};
    sporf_measure_options options;
    sporf_measure_options_init(&options);
    options.seed = seed;
    options.threads = threads;
    assert_ok(
        sporf_forest_permutation_importances(forest, data, &options, NULL, m.importance, m.error));
    return m;
}

static void drop(measured *m) {
    free(m->importance);
    free(m->error);
}

static void noise_has_none_and_signal_has_some(void **state) {
    (void)state;
    sporf_dataset *data = simulated("sparse-parity", 1500, 6, 1);
    sporf_forest *forest = train_with(data, "trees", "100", (char *)NULL);
    measured m = measure(forest, data, 1, 0);
    for (size_t j = 0; j < 6; j++) {
        assert_true(m.error[j] > 0 && m.error[j] < 0.02);
        if (j < 3)
            assert_true(m.importance[j] > 0.1);
        else
            assert_near(m.importance[j], 0, 0.01);
    }
    drop(&m);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void a_feature_that_no_tree_looks_at_has_exactly_none(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_CONSTANT, 200, 6, 3, 1);
    sporf_forest *forest = train_with(data, "trees", "20", (char *)NULL);
    measured m = measure(forest, data, 1, 0);
    size_t constant = 0;
    for (size_t j = 0; j < 6; j++) {
        const float *column = sporf_dataset_feature(data, j);
        int varies = 0;
        for (size_t i = 1; i < 200; i++) varies |= column[i] != column[0];
        constant += !varies;
        if (!varies) assert_true(m.importance[j] == 0 && m.error[j] == 0);
    }
    assert_true(constant > 0);
    drop(&m);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* The class is whether the level is odd; no other feature helps. */
static void a_category_counts_as_one_feature(void **state) {
    (void)state;
    enum { ROWS = 400 };
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    static float values[2 * ROWS];
    static int64_t labels[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        values[i] = (float)(i * 7 % 6);
        values[ROWS + i] = (float)(i * 31 % 97);
        labels[i] = i * 7 % 6 % 2;
    }
    const sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, 2, 1, ROWS};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_levels(data, 0, SPORF_KIND_CATEGORY, names, 6));
    assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
    sporf_forest *forest = train_with(data, "trees", "50", (char *)NULL);
    measured m = measure(forest, data, 1, 0);
    assert_near(m.importance[0], 0.5, 0.05);
    assert_near(m.importance[1], 0, 0.05);
    drop(&m);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* A squared error in units of the target: x1 + 100 x2, say. */
static void numbers_are_in_units_of_the_target_squared(void **state) {
    (void)state;
    sporf_dataset *data = NULL;
    assert_ok(sporf_simulate("friedman1", 600, 8, 1, &(double){0}, &data));
    sporf_forest *forest = train_with(data, "trees", "50", (char *)NULL);
    measured small = measure(forest, data, 1, 0);
    sporf_dataset *scaled = NULL;
    assert_ok(sporf_simulate("friedman1", 600, 8, 1, &(double){0}, &scaled));
    double *target = need(600, sizeof *target);
    for (size_t i = 0; i < 600; i++) target[i] = 4.0 * sporf_dataset_target(data, 0)[i];
    const sporf_matrix matrix = {target, SPORF_FLOAT64, 600, 1, 1, 1};
    assert_ok(sporf_dataset_set_targets(scaled, &matrix, NULL));
    sporf_forest *large_forest = train_with(scaled, "trees", "50", (char *)NULL);
    measured large = measure(large_forest, scaled, 1, 0);
    for (size_t j = 0; j < 8; j++) {
        assert_near(large.importance[j], 16 * small.importance[j], 1e-3);
        assert_true(j < 5 ? small.importance[j] > 0.5 : fabs(small.importance[j]) < 0.5);
    }
    drop(&small);
    drop(&large);
    free(target);
    sporf_forest_free(forest);
    sporf_forest_free(large_forest);
    sporf_dataset_free(data);
    sporf_dataset_free(scaled);
}

static void threads_change_nothing_and_the_seed_does(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_MIXED, 400, 6, 3, 1);
    sporf_forest *forest = train_with(data, "trees", "40", (char *)NULL);
    measured one = measure(forest, data, 7, 1), other = measure(forest, data, 8, 1);
    assert_memory_not_equal(one.importance, other.importance, 6 * sizeof(double));
    for (unsigned threads = 2; threads <= 7; threads++) {
        measured more = measure(forest, data, 7, threads);
        assert_memory_equal(one.importance, more.importance, 6 * sizeof(double));
        assert_memory_equal(one.error, more.error, 6 * sizeof(double));
        drop(&more);
    }
    drop(&one);
    drop(&other);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static double seconds_of(const sporf_forest *forest, const sporf_dataset *data) {
    struct timespec start, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    measured m = measure(forest, data, 1, 1);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    drop(&m);
    return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

/* 100,000 columns: work that grew with columns times rows, or with their square, would take
 * minutes. */
static void wide_tables_take_little_longer(void **state) {
    (void)state;
    enum { ROWS = 60, WIDE = 100000 };
    float *values = need((size_t)ROWS * WIDE, sizeof *values);
    int64_t labels[ROWS];
    for (size_t i = 0; i < (size_t)ROWS * WIDE; i++)
        values[i] = (float)((i * 2654435761u) % 1000003);
    for (size_t i = 0; i < ROWS; i++) labels[i] = values[i] > 500000;
    const sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, WIDE, 1, ROWS};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
    sporf_forest *forest =
        train_with(data, "trees", "50", "projections", "300", "method", "rf", (char *)NULL);
    double seconds = seconds_of(forest, data);
    if (seconds > 5) fail_msg("it took %g s", seconds);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    free(values);
}

static void hooks_see_every_tree_and_can_stop(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 200, 5, 2, 1);
    sporf_forest *forest = train_with(data, "trees", "20", (char *)NULL);
    double importances[5];
    watch w = watch_always();
    sporf_hooks hooks = watch_hooks(&w);
    assert_ok(sporf_forest_permutation_importances(forest, data, NULL, &hooks, importances, NULL));
    assert_int_equal(w.faults, 0);
    assert_int_equal(w.calls, 20);
    assert_int_equal(w.done, 20);
    assert_int_equal(w.total, 20);
    assert_int_equal(w.totals, 1);
    for (size_t k = 0; k < w.asked; k += 7) {
        watch again = watch_for(k);
        hooks.payload = &again;
        assert_refused(
            sporf_forest_permutation_importances(forest, data, NULL, &hooks, importances, NULL),
            SPORF_ERROR_CANCELLED, "interrupted");
        assert_int_equal(again.faults, 0);
        assert_int_equal(again.done, again.calls);
    }
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void what_is_missing_is_named(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 50, 4, 2, 1);
    sporf_forest *forest = train_with(data, "trees", "3", (char *)NULL);
    double importances[4];
    assert_refused(sporf_forest_permutation_importances(NULL, data, NULL, NULL, importances, NULL),
                   SPORF_ERROR_ARGUMENT, "a forest");
    assert_refused(
        sporf_forest_permutation_importances(forest, NULL, NULL, NULL, importances, NULL),
        SPORF_ERROR_ARGUMENT, "its data");
    assert_refused(sporf_forest_permutation_importances(forest, data, NULL, NULL, NULL, NULL),
                   SPORF_ERROR_ARGUMENT, "a place");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_has_none_and_signal_has_some),
        cmocka_unit_test(a_feature_that_no_tree_looks_at_has_exactly_none),
        cmocka_unit_test(a_category_counts_as_one_feature),
        cmocka_unit_test(numbers_are_in_units_of_the_target_squared),
        cmocka_unit_test(threads_change_nothing_and_the_seed_does),
        cmocka_unit_test(wide_tables_take_little_longer),
        cmocka_unit_test(hooks_see_every_tree_and_can_stop),
        cmocka_unit_test(what_is_missing_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
