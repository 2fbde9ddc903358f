/* Bags drawn again: they have the rows that they should, and the trees that leave a row out give
 * its out-of-bag votes. Labels: threads */
#include "support/check.h"
#include "support/random_data.h"

#include <string.h>

enum { ROWS = 200, TREES = 20 };

static uint32_t *bags_of(const sporf_forest *forest, const sporf_dataset *data, unsigned threads) {
    sporf_measure_options options;
    sporf_measure_options_init(&options);
    options.threads = threads;
    uint32_t *counts = need((size_t)ROWS * TREES, sizeof *counts);
    assert_ok(sporf_forest_bags(forest, data, &options, NULL, counts));
    return counts;
}

static uint32_t sum_of(const uint32_t *counts, size_t tree, uint32_t *most) {
    uint32_t sum = 0;
    for (size_t i = 0; i < ROWS; i++) {
        uint32_t count = counts[tree * ROWS + i];
        sum += count;
        if (count > *most) *most = count;
    }
    return sum;
}

static void check_bag(const char *bag, const char *fraction, uint32_t rows, int repeats) {
    sporf_dataset *data = random_data(DATA_MIXED, ROWS, 5, 3, 1);
    sporf_forest *forest =
        train_with(data, "trees", "20", "bag", bag, "bag-fraction", fraction, (char *)NULL);
    uint32_t *counts = bags_of(forest, data, 1), most = 0;
    for (size_t t = 0; t < TREES; t++) assert_int_equal(sum_of(counts, t, &most), rows);
    assert_true(repeats ? most > 1 : most == 1);
    assert_true(memcmp(counts, counts + ROWS, ROWS * sizeof *counts) != 0);
    free(counts);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void bags_have_as_many_rows_as_the_settings_say(void **state) {
    (void)state;
    check_bag("bootstrap", "1", 200, 1);
    check_bag("bootstrap", "0.5", 100, 1);
    check_bag("subsample", "0.5", 100, 0);
    check_bag("stratified", "1", 200, 1);
}

static void check_votes(const char *honest) {
    sporf_dataset *data = random_data(DATA_MIXED, ROWS, 5, 3, 1);
    sporf_forest *forest = train_with(data, "trees", "20", "honest", honest, (char *)NULL);
    uint32_t *counts = bags_of(forest, data, 2), votes[3];
    uint32_t *classes = need((size_t)ROWS * TREES, sizeof *classes);
    sporf_predictions wanted = {.struct_size = sizeof wanted, .tree_classes = classes};
    assert_ok(sporf_forest_predict(forest, data, NULL, &wanted));
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    for (size_t i = 0; i < ROWS; i++) {
        memset(votes, 0, sizeof votes);
        for (size_t t = 0; t < TREES; t++)
            if (counts[t * ROWS + i] == 0) votes[classes[i * TREES + t]]++;
        for (size_t k = 0; k < 3; k++) assert_int_equal(votes[k], oob.votes[i * 3 + k]);
    }
    free(counts);
    free(classes);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void trees_without_a_row_give_its_out_of_bag_votes(void **state) {
    (void)state;
    check_votes("0");
    check_votes("0.5");
}

static void threads_and_files_change_nothing(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 1);
    sporf_forest *forest = train_with(data, "trees", "20", (char *)NULL), *read = NULL;
    uint32_t *one = bags_of(forest, data, 1);
    void *bytes = NULL;
    size_t size = 0;
    assert_ok(sporf_forest_save_bytes(forest, &bytes, &size));
    assert_ok(sporf_forest_load_bytes(bytes, size, &read));
    sporf_free(bytes);
    uint32_t *three = bags_of(read, data, 3);
    assert_memory_equal(one, three, (size_t)ROWS * TREES * sizeof *one);
    free(one);
    free(three);
    sporf_forest_free(read);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void other_data_and_forests_without_bags_are_refused(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 1);
    sporf_dataset *others = random_data(DATA_SMOOTH, ROWS, 4, 2, 2);
    sporf_forest *forest = train_with(data, "trees", "20", (char *)NULL);
    sporf_forest *whole = train_with(data, "trees", "3", "bag", "none", (char *)NULL);
    uint32_t *counts = need((size_t)ROWS * TREES, sizeof *counts);
    assert_refused(sporf_forest_bags(forest, others, NULL, NULL, counts), SPORF_ERROR_DATA,
                   "are not those that the forest was trained on");
    assert_refused(sporf_forest_bags(whole, data, NULL, NULL, counts), SPORF_ERROR_ARGUMENT,
                   "without bags");
    assert_refused(sporf_forest_bags(forest, data, NULL, NULL, NULL), SPORF_ERROR_ARGUMENT,
                   "a place");
    free(counts);
    sporf_forest_free(forest);
    sporf_forest_free(whole);
    sporf_dataset_free(data);
    sporf_dataset_free(others);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bags_have_as_many_rows_as_the_settings_say),
        cmocka_unit_test(trees_without_a_row_give_its_out_of_bag_votes),
        cmocka_unit_test(threads_and_files_change_nothing),
        cmocka_unit_test(other_data_and_forests_without_bags_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
