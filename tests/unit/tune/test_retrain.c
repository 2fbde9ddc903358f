/* Importances by training again: what they say of noise with many values, that they are what plain
 * trainings give, and that nothing but the seed changes them.
 * Labels: threads */
#include "base/rng.h"
#include "data/dataset.h"

#include "support/check.h"
#include "support/random_data.h"
#include "support/watch.h"

enum { ROWS = 120, FEATURES = 4 };

static sporf_retrain_options options_of(uint64_t seed, size_t repeats, unsigned threads) {
    sporf_retrain_options options;
    sporf_retrain_options_init(&options);
    options.seed = seed;
    options.repeats = repeats;
    options.threads = threads;
    return options;
}

/* ---- corrected importances ------------------------------------------------------------------- */

/* Two signals, a coin, and a category of many levels; only the first two matter. */
static sporf_dataset *with_many_levels(uint64_t seed, double signal) {
    static char text[30][8];
    const char *names[30];
    double values[FEATURES * ROWS];
    int64_t labels[ROWS];
    sporf_random random = spf_random_start(seed, 0, SPF_USE_SIMULATE);
    for (size_t i = 0; i < ROWS; i++) {
        double one = spf_random_normal(&random), other = spf_random_normal(&random);
        values[i] = one;
        values[ROWS + i] = other;
        values[2 * ROWS + i] = spf_random_below(&random, 2);
        values[3 * ROWS + i] = spf_random_below(&random, 30);
        labels[i] = spf_random_uniform(&random) < 1 / (1 + exp(-signal * (one + other)));
    }
    for (size_t k = 0; k < 30; k++) {
        snprintf(text[k], sizeof text[k], "l%zu", k);
        names[k] = text[k];
    }
    const sporf_matrix matrix = {values, SPORF_FLOAT64, ROWS, FEATURES, 1, ROWS}; /* is copied */
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_levels(data, 3, SPORF_KIND_CATEGORY, names, 30));
    assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
    return data;
}

static void noise_with_many_levels_has_about_none(void **state) {
    (void)state;
    enum { TABLES = 20 };
    double plain[FEATURES], corrected[FEATURES], mean[FEATURES] = {0}, biased[FEATURES] = {0};
    for (uint64_t t = 0; t < TABLES; t++) {
        sporf_dataset *data = with_many_levels(t, 1.5);
        sporf_forest *forest = train_with(data, "trees", "20", (char *)NULL);
        sporf_retrain_options options = options_of(t, 2, 1);
        assert_ok(sporf_forest_importances(forest, plain));
        assert_ok(
            sporf_corrected_importances(forest, data, &options, NULL, NULL, 0, corrected, NULL));
        for (size_t j = 0; j < FEATURES; j++) mean[j] += corrected[j] / TABLES;
        for (size_t j = 0; j < FEATURES; j++) biased[j] += plain[j] / TABLES;
        sporf_forest_free(forest);
        sporf_dataset_free(data);
    }
    assert_true(biased[3] > 0.15);
    assert_near(mean[3], 0, 0.03);
    assert_near(mean[2], 0, 0.01);
    assert_true(mean[0] > 0.05 && mean[1] > 0.05);
}

static void too_many_forests_are_refused(void **state) {
    (void)state;
    double found[FEATURES], p[FEATURES];
    sporf_dataset *data = with_many_levels(1, 1);
    sporf_forest *forest = train_with(data, "trees", "2", (char *)NULL);
    for (int i = 0; i < 2; i++) {
        sporf_retrain_options options =
            options_of(1, i == 0 ? 1000001 : SIZE_MAX / sizeof *found + 2, 1);
        assert_int_equal(
            sporf_corrected_importances(forest, data, &options, NULL, NULL, 0, found, p),
            SPORF_ERROR_ARGUMENT);
        assert_non_null(strstr(sporf_last_error(), "at most 1000000 forests"));
    }
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* p-values of noise are at most as often small as they say; those of signals are small. */
static void p_values_hold_under_the_null_hypothesis(void **state) {
    (void)state;
    enum { TABLES = 40, REPEATS = 9 };
    double p[FEATURES], found[FEATURES];
    size_t small = 0, half = 0;
    for (uint64_t t = 0; t < TABLES; t++) {
        sporf_dataset *data = with_many_levels(100 + t, 0);
        sporf_forest *forest = train_with(data, "trees", "5", (char *)NULL);
        sporf_retrain_options options = options_of(t, REPEATS, 1);
        assert_ok(sporf_corrected_importances(forest, data, &options, NULL, NULL, 0, found, p));
        for (size_t j = 0; j < FEATURES; j++) {
            assert_true(p[j] >= 0.1 - 1e-12 && p[j] <= 1);
            small += p[j] <= 0.1 + 1e-12;
            half += p[j] <= 0.5 + 1e-12;
        }
        sporf_forest_free(forest);
        sporf_dataset_free(data);
    }
    assert_true(small <= TABLES * FEATURES * 0.16);
    assert_true(half >= TABLES * FEATURES * 0.3 && half <= TABLES * FEATURES * 0.65);
    sporf_dataset *data = with_many_levels(1, 3);
    sporf_forest *forest = train_with(data, "trees", "20", (char *)NULL);
    sporf_retrain_options options = options_of(1, REPEATS, 1);
    assert_ok(sporf_corrected_importances(forest, data, &options, NULL, NULL, 0, found, p));
    assert_near(p[0], 0.1, 1e-12);
    assert_near(p[1], 0.1, 1e-12);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* The same from a table with twice the columns, made by hand. */
static void corrected_importances_are_as_defined(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, FEATURES, 3, 1), *doubled = NULL;
    sporf_forest *forest = train_with(data, "trees", "10", (char *)NULL), *larger = NULL;
    sporf_retrain_options options = options_of(7, 1, 2);
    double found[FEATURES], shares[2 * FEATURES];
    float values[2 * FEATURES * ROWS];
    int64_t labels[ROWS];
    uint32_t from[ROWS];
    sporf_random random = spf_random_start(7, 0, SPF_USE_SHUFFLED_COPY);
    for (uint32_t i = 0; i < ROWS; i++) from[i] = i;
    for (uint32_t i = ROWS - 1; i > 0; i--) {
        uint32_t with = spf_random_below(&random, i + 1), taken = from[with];
        from[with] = from[i];
        from[i] = taken;
    }
    for (size_t j = 0; j < FEATURES; j++)
        for (size_t i = 0; i < ROWS; i++) {
            values[j * ROWS + i] = data->columns[j][i];
            values[(FEATURES + j) * ROWS + i] = data->columns[j][from[i]];
            labels[i] = data->labels[i];
        }
    const sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, 2 * FEATURES, 1, ROWS};
    assert_ok(sporf_dataset_from_matrix(&matrix, &doubled));
    assert_ok(sporf_dataset_set_labels_int(doubled, labels, ROWS));
    sporf_params params = params_with("trees", "10", "projections", "8", (char *)NULL);
    params.seed = spf_tree_key(7, 0);
    assert_ok(sporf_forest_train(doubled, &params, NULL, &larger));
    assert_ok(sporf_forest_importances(larger, shares));
    assert_ok(sporf_corrected_importances(forest, data, &options, NULL, NULL, 0, found, NULL));
    for (size_t j = 0; j < FEATURES; j++)
        assert_near(found[j], shares[j] - shares[FEATURES + j], 1e-15);
    sporf_forest_free(larger);
    sporf_forest_free(forest);
    sporf_dataset_free(doubled);
    sporf_dataset_free(data);
}

static void a_group_has_the_sum_of_its_features(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_MIXED, ROWS, FEATURES, 2, 1);
    sporf_forest *forest = train_with(data, "trees", "10", (char *)NULL);
    const size_t all[FEATURES] = {3, 1, 0, 2};
    const sporf_feature_group groups[] = {{all, 2}, {all + 1, 3}, {all, 1}};
    sporf_retrain_options options = options_of(3, 2, 1);
    double single[FEATURES], grouped[3], p[3];
    assert_ok(sporf_corrected_importances(forest, data, &options, NULL, NULL, 0, single, NULL));
    assert_ok(sporf_corrected_importances(forest, data, &options, NULL, groups, 3, grouped, p));
    assert_near(grouped[0], single[3] + single[1], 1e-12);
    assert_near(grouped[1], single[1] + single[0] + single[2], 1e-12);
    assert_near(grouped[2], single[3], 1e-12);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- drop-column ----------------------------------------------------------------------------- */

/* The out-of-bag error of a forest without a column, or without any if drop is FEATURES. */
static double error_without(const sporf_dataset *data, size_t drop) {
    float values[FEATURES * ROWS];
    size_t columns = 0;
    int64_t labels[ROWS];
    sporf_dataset *others = NULL;
    for (size_t j = 0; j < FEATURES; j++)
        if (j != drop) memcpy(values + columns++ * ROWS, data->columns[j], ROWS * sizeof *values);
    for (size_t i = 0; i < ROWS; i++) labels[i] = data->labels[i];
    const sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, columns, 1, ROWS};
    assert_ok(sporf_dataset_from_matrix(&matrix, &others));
    assert_ok(sporf_dataset_set_labels_int(others, labels, ROWS));
    sporf_forest *forest = train_with(others, "trees", "30", (char *)NULL);
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    assert_int_equal(oob.rows, ROWS);
    double error = oob.error;
    sporf_forest_free(forest);
    sporf_dataset_free(others);
    return error;
}

static void dropping_a_column_is_training_without_it(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, FEATURES, 2, 5);
    sporf_forest *forest = train_with(data, "trees", "30", (char *)NULL);
    double found[FEATURES], errors[FEATURES], whole = error_without(data, FEATURES);
    assert_ok(sporf_drop_column(forest, data, NULL, NULL, NULL, 0, found, errors));
    for (size_t j = 0; j < FEATURES; j++) {
        assert_near(found[j], error_without(data, j) - whole, 1e-12);
        assert_true(errors[j] >= 0 && errors[j] < 0.1);
    }
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void without_bags_folds_take_their_place(void **state) {
    (void)state;
    sporf_dataset *data = NULL;
    const size_t signal[] = {0, 1, 2, 3, 4}, noise[] = {5, 6, 7};
    const sporf_feature_group groups[] = {{signal, 5}, {noise, 3}};
    double found[2], errors[2];
    assert_ok(sporf_simulate("friedman1", 200, 8, 1, &(double){0}, &data));
    static const char *const learners[][2] = {{"bag", "none"}, {"learner", "boosting"}};
    for (size_t k = 0; k < 2; k++) {
        sporf_forest *forest = train_with(data, "trees", "20", "rounds", "20", learners[k][0],
                                          learners[k][1], (char *)NULL);
        assert_ok(sporf_drop_column(forest, data, NULL, NULL, groups, 2, found, errors));
        assert_true(found[0] > 5 && fabs(found[1]) < 3);
        assert_ok(sporf_corrected_importances(forest, data, NULL, NULL, groups, 2, found, NULL));
        assert_true(found[0] > 0.3 && fabs(found[1]) < 0.02);
        sporf_forest_free(forest);
    }
    sporf_dataset_free(data);
}

/* ---- both ------------------------------------------------------------------------------------ */

static void threads_change_nothing(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_MIXED, ROWS, FEATURES, 3, 1);
    sporf_forest *forest = train_with(data, "trees", "10", (char *)NULL);
    double first[4 * FEATURES], found[4 * FEATURES];
    for (unsigned threads = 1; threads <= 3; threads++) {
        sporf_retrain_options options = options_of(7, 3, threads);
        double *to = threads == 1 ? first : found;
        assert_ok(
            sporf_corrected_importances(forest, data, &options, NULL, NULL, 0, to, to + FEATURES));
        assert_ok(sporf_drop_column(forest, data, &options, NULL, NULL, 0, to + 2 * FEATURES,
                                    to + 3 * FEATURES));
        if (threads > 1) assert_memory_equal(first, found, sizeof first);
    }
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void hooks_see_every_tree_and_can_stop(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, FEATURES, 2, 1);
    sporf_forest *forest = train_with(data, "trees", "6", (char *)NULL);
    sporf_retrain_options options = options_of(1, 3, 1);
    double found[FEATURES];
    watch w = watch_always();
    sporf_hooks hooks = watch_hooks(&w);
    assert_ok(sporf_corrected_importances(forest, data, &options, &hooks, NULL, 0, found, NULL));
    assert_int_equal(w.done, 18);
    assert_int_equal(w.total, 18);
    assert_int_equal(w.faults, 0);
    watch d = watch_always();
    hooks.payload = &d;
    assert_ok(sporf_drop_column(forest, data, &options, &hooks, NULL, 0, found, NULL));
    assert_int_equal(d.done, 30);
    assert_int_equal(d.total, 30);
    for (size_t trees = 0; trees < 18; trees += 4) {
        watch stop = watch_until(trees);
        hooks.payload = &stop;
        assert_refused(
            sporf_corrected_importances(forest, data, &options, &hooks, NULL, 0, found, NULL),
            SPORF_ERROR_CANCELLED, "interrupted");
        watch other = watch_until(trees);
        hooks.payload = &other;
        assert_refused(sporf_drop_column(forest, data, &options, &hooks, NULL, 0, found, NULL),
                       SPORF_ERROR_CANCELLED, "interrupted");
    }
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void when_the_time_is_over_the_rest_is_unknown(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, FEATURES, 2, 1);
    sporf_forest *forest = train_with(data, "trees", "6", (char *)NULL);
    sporf_retrain_options options = options_of(1, 50, 1);
    double found[FEATURES], p[FEATURES];
    options.time = 1e-9;
    assert_ok(sporf_drop_column(forest, data, &options, NULL, NULL, 0, found, p));
    for (size_t j = 0; j < FEATURES; j++) assert_true(isnan(found[j]) && isnan(p[j]));
    assert_ok(sporf_corrected_importances(forest, data, &options, NULL, NULL, 0, found, p));
    for (size_t j = 0; j < FEATURES; j++) assert_true(p[j] == 0.5 || p[j] == 1);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void what_is_wrong_is_named(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 50, FEATURES, 2, 1);
    sporf_dataset *other = random_data(DATA_SMOOTH, 50, 5, 2, 1);
    sporf_forest *forest = train_with(data, "trees", "3", (char *)NULL);
    sporf_forest *patches = train_with(data, "trees", "3", "method", "patch", (char *)NULL);
    const size_t all[] = {0, 1, 2, 3, 3, 4};
    const sporf_feature_group whole = {all, 4}, twice = {all, 5}, far = {all + 4, 2},
                              none = {all, 0};
    double found[FEATURES];
    assert_refused(sporf_drop_column(forest, data, NULL, NULL, &whole, 1, found, NULL),
                   SPORF_ERROR_ARGUMENT, "nothing would be left");
    assert_refused(sporf_drop_column(forest, data, NULL, NULL, &twice, 1, found, NULL),
                   SPORF_ERROR_ARGUMENT, "feature 3 twice");
    assert_refused(sporf_drop_column(forest, data, NULL, NULL, &far, 1, found, NULL),
                   SPORF_ERROR_ARGUMENT, "from 0 to 3");
    assert_refused(sporf_drop_column(forest, data, NULL, NULL, &none, 1, found, NULL),
                   SPORF_ERROR_ARGUMENT, "empty");
    assert_refused(sporf_drop_column(forest, other, NULL, NULL, NULL, 0, found, NULL),
                   SPORF_ERROR_DATA, "5 features");
    assert_refused(sporf_corrected_importances(patches, data, NULL, NULL, NULL, 0, found, NULL),
                   SPORF_ERROR_ARGUMENT, "patch");
    assert_refused(sporf_drop_column(NULL, data, NULL, NULL, NULL, 0, found, NULL),
                   SPORF_ERROR_ARGUMENT, "a forest");
    assert_refused(sporf_corrected_importances(forest, NULL, NULL, NULL, NULL, 0, found, NULL),
                   SPORF_ERROR_ARGUMENT, "its data");
    sporf_forest_free(patches);
    sporf_forest_free(forest);
    sporf_dataset_free(other);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_with_many_levels_has_about_none),
        cmocka_unit_test(too_many_forests_are_refused),
        cmocka_unit_test(p_values_hold_under_the_null_hypothesis),
        cmocka_unit_test(corrected_importances_are_as_defined),
        cmocka_unit_test(a_group_has_the_sum_of_its_features),
        cmocka_unit_test(dropping_a_column_is_training_without_it),
        cmocka_unit_test(without_bags_folds_take_their_place),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(hooks_see_every_tree_and_can_stop),
        cmocka_unit_test(when_the_time_is_over_the_rest_is_unknown),
        cmocka_unit_test(what_is_wrong_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
