/* Strength and correlation: cases known beforehand, and what is refused. That they are Breiman's is
 * tests/property/test_measures.c.
 * Labels: threads */
#include "support/check.h"
#include "support/random_data.h"
#include "support/tmpfile.h"
#include "support/watch.h"

static sporf_strength strength_of(const sporf_forest *forest, const sporf_dataset *data) {
    sporf_strength strength;
    assert_ok(sporf_forest_strength(forest, data, NULL, NULL, &strength));
    return strength;
}

/* Two classes with a gap between. */
static sporf_dataset *apart(size_t rows) {
    float *values = need(rows, sizeof *values);
    int64_t *labels = need(rows, sizeof *labels);
    for (size_t i = 0; i < rows; i++) {
        labels[i] = i % 2;
        values[i] = (float)(i % 7) / 10 + (i % 2 ? 5 : 0);
    }
    double *wide = need(rows, sizeof *wide);
    for (size_t i = 0; i < rows; i++) wide[i] = values[i];
    const sporf_matrix matrix = {wide, SPORF_FLOAT64, rows, 1, 1, rows};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data)); /* copies doubles */
    assert_ok(sporf_dataset_set_labels_int(data, labels, rows));
    free(values);
    free(wide);
    free(labels);
    return data;
}

static void where_every_tree_is_right_nothing_varies(void **state) {
    (void)state;
    sporf_dataset *data = apart(60);
    sporf_forest *forest = train_with(data, "trees", "20", (char *)NULL);
    sporf_strength strength = strength_of(forest, data);
    assert_true(strength.strength == 1);
    assert_true(isnan(strength.correlation));
    assert_true(strength.bound == 0);
    assert_int_equal(strength.rows, 60);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* Trees of labels by chance know nothing, and say it each in its own way. */
static void noise_has_no_strength_and_no_bound(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_NOISE, 400, 4, 2, 1);
    sporf_forest *forest = train_with(data, "trees", "100", (char *)NULL);
    sporf_strength strength = strength_of(forest, data);
    assert_near(strength.strength, 0, 0.1);
    assert_true(strength.correlation > 0 && strength.correlation < 0.3);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void fewer_candidates_make_weaker_and_less_similar_trees(void **state) {
    (void)state;
    sporf_dataset *data = simulated("sparse-parity", 1000, 5, 1);
    sporf_forest *few = train_with(data, "method", "rf", "trees", "100", "projections", "1",
                                   (char *)NULL),
                 *many = train_with(data, "method", "rf", "trees", "100", "projections", "5",
                                    (char *)NULL);
    sporf_strength weak = strength_of(few, data), strong = strength_of(many, data);
    assert_true(weak.strength < strong.strength);
    assert_true(weak.correlation < strong.correlation);
    sporf_oob oob;
    sporf_forest_oob(many, &oob);
    assert_true(strong.bound > oob.error);
    sporf_forest_free(few);
    sporf_forest_free(many);
    sporf_dataset_free(data);
}

static void threads_and_files_change_nothing(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_MIXED, 300, 5, 4, 1);
    sporf_forest *forest = train_with(data, "trees", "30", (char *)NULL), *read = NULL;
    sporf_strength wanted = strength_of(forest, data);
    void *bytes = NULL;
    size_t size = 0;
    assert_ok(sporf_forest_save_bytes(forest, &bytes, &size));
    assert_ok(sporf_forest_load_bytes(bytes, size, &read));
    sporf_free(bytes);
    for (unsigned threads = 1; threads <= 5; threads++) {
        sporf_measure_options options;
        sporf_strength strength;
        sporf_measure_options_init(&options);
        options.threads = threads;
        assert_ok(sporf_forest_strength(read, data, &options, NULL, &strength));
        assert_true(strength.strength == wanted.strength);
        assert_true(strength.correlation == wanted.correlation);
        assert_true(strength.bound == wanted.bound);
    }
    sporf_forest_free(read);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void other_data_are_refused(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 200, 4, 2, 1);
    sporf_dataset *others = random_data(DATA_SMOOTH, 200, 4, 2, 2);
    sporf_dataset *fewer = random_data(DATA_SMOOTH, 150, 4, 2, 1);
    sporf_dataset *narrow = random_data(DATA_SMOOTH, 200, 3, 2, 1);
    sporf_dataset *numbers = with_targets(DATA_SMOOTH, 200, 4, 1, 1);
    sporf_forest *forest = train_with(data, "trees", "9", (char *)NULL);
    sporf_forest *of_numbers = train_with(numbers, "trees", "3", (char *)NULL);
    sporf_strength strength;
    assert_refused(sporf_forest_strength(forest, others, NULL, NULL, &strength), SPORF_ERROR_DATA,
                   "are not those that the forest was trained on");
    assert_refused(sporf_forest_strength(forest, fewer, NULL, NULL, &strength), SPORF_ERROR_DATA,
                   "are not those that the forest was trained on");
    assert_refused(sporf_forest_strength(forest, narrow, NULL, NULL, &strength), SPORF_ERROR_DATA,
                   "the data have 3 features, but the forest has 4");
    assert_refused(sporf_forest_strength(forest, numbers, NULL, NULL, &strength), SPORF_ERROR_DATA,
                   "predicts classes");
    assert_refused(sporf_forest_strength(of_numbers, numbers, NULL, NULL, &strength),
                   SPORF_ERROR_ARGUMENT, "regression forest");
    assert_refused(sporf_forest_strength(NULL, data, NULL, NULL, &strength), SPORF_ERROR_ARGUMENT,
                   "needs a forest");
    assert_refused(sporf_forest_strength(forest, data, NULL, NULL, NULL), SPORF_ERROR_ARGUMENT,
                   "a place");
    sporf_forest_free(forest);
    sporf_forest_free(of_numbers);
    sporf_dataset_free(data);
    sporf_dataset_free(others);
    sporf_dataset_free(fewer);
    sporf_dataset_free(narrow);
    sporf_dataset_free(numbers);
}

static void a_forest_without_bags_is_refused(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 100, 4, 2, 1);
    sporf_forest *forest = train_with(data, "method", "ccf", "trees", "3", (char *)NULL);
    sporf_strength strength;
    assert_refused(sporf_forest_strength(forest, data, NULL, NULL, &strength), SPORF_ERROR_ARGUMENT,
                   "grown without bags");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void options_must_be_initialised(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 100, 4, 2, 1);
    sporf_forest *forest = train_with(data, "trees", "3", (char *)NULL);
    sporf_measure_options options = {0};
    sporf_strength strength;
    assert_refused(sporf_forest_strength(forest, data, &options, NULL, &strength),
                   SPORF_ERROR_ARGUMENT, "sporf_measure_options_init");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void it_can_be_interrupted(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 100, 4, 2, 1);
    sporf_forest *forest = train_with(data, "trees", "9", (char *)NULL);
    watch w = watch_for(0);
    sporf_hooks hooks = watch_hooks(&w);
    sporf_strength strength;
    assert_refused(sporf_forest_strength(forest, data, NULL, &hooks, &strength),
                   SPORF_ERROR_CANCELLED, "interrupted");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_every_tree_is_right_nothing_varies),
        cmocka_unit_test(noise_has_no_strength_and_no_bound),
        cmocka_unit_test(fewer_candidates_make_weaker_and_less_similar_trees),
        cmocka_unit_test(threads_and_files_change_nothing),
        cmocka_unit_test(other_data_are_refused),
        cmocka_unit_test(a_forest_without_bags_is_refused),
        cmocka_unit_test(options_must_be_initialised),
        cmocka_unit_test(it_can_be_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
