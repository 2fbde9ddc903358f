/* A forest that is grown further is the one that training all its trees at once gives: in every
 * byte of the file, and in what is kept beside it.
 * Labels: full */
#include "support/check.h"
#include "support/every_forest.h"
#include "support/random_data.h"
#include "support/same_bytes.h"
#include "support/tmpfile.h"

static sporf_forest *train(const sporf_dataset *data, const sporf_params *params, uint32_t trees) {
    sporf_params so_many = *params;
    sporf_forest *forest = NULL;
    so_many.trees = trees;
    assert_ok(sporf_forest_train(data, &so_many, NULL, &forest));
    return forest;
}

/* From the settings of the forest, and nothing else. */
static sporf_forest *extend(const sporf_forest *forest, const sporf_dataset *data, uint32_t trees,
                            uint32_t threads) {
    sporf_params params;
    sporf_forest *extended = NULL;
    sporf_params_init(&params);
    assert_ok(sporf_forest_params(forest, &params));
    assert_int_equal(params.trees, sporf_forest_trees(forest));
    params.trees = trees;
    params.threads = threads;
    assert_ok(sporf_forest_extend(forest, data, &params, NULL, &extended));
    return extended;
}

static void assert_extends_to(const sporf_forest *forest, const sporf_dataset *data,
                              const sporf_forest *whole, uint32_t threads) {
    sporf_forest *extended = extend(forest, data, (uint32_t)sporf_forest_trees(whole), threads);
    assert_same_bytes(extended, whole);
    assert_same_oob(extended, whole);
    sporf_forest_free(extended);
}

static sporf_forest *loaded(const sporf_forest *forest) {
    image i = image_of(forest);
    sporf_forest *copy = NULL;
    assert_ok(sporf_forest_load_bytes(i.bytes, i.size, &copy));
    sporf_free(i.bytes);
    return copy;
}

static void assert_opened_extends(const sporf_forest *forest, const sporf_dataset *data,
                                  const sporf_forest *whole) {
    tmp_file file = tmp_file_name("extended.sporf");
    sporf_forest *opened = NULL;
    assert_ok(sporf_forest_save(forest, file.path));
    assert_ok(sporf_forest_map(file.path, &opened));
    assert_extends_to(opened, data, whole, 2);
    sporf_forest_free(opened);
    tmp_file_remove(&file);
}

/* From memory and from a file, to more trees and to as many. Of the criterion nothing is left once
 * a tree is grown: one bag has to do for entropy. */
static void grows_to_the_whole(const forest_case *c, const sporf_forest *forest) {
    if (c->params.criterion != SPORF_GINI && c->params.bag != SPORF_BAG_BOOTSTRAP) return;
    uint32_t trees = (uint32_t)sporf_forest_trees(forest);
    sporf_forest *whole = train(c->data, &c->params, trees + 2), *copy = loaded(forest);
    image before = image_of(forest);
    assert_extends_to(forest, c->data, whole, 1);
    assert_extends_to(copy, c->data, c->params.criterion == SPORF_GINI ? whole : forest, 3);
    image after = image_of(forest);
    assert_int_equal(before.size, after.size);
    assert_memory_equal(before.bytes, after.bytes, before.size);
    sporf_free(before.bytes);
    sporf_free(after.bytes);
    sporf_forest_free(copy);
    sporf_forest_free(whole);
}

static void a_forest_grown_further_is_the_one_grown_at_once(void **state) {
    (void)state;
    for_every_forest(grows_to_the_whole, 2);
}

static void so_is_a_large_one(void **state) {
    (void)state;
    for_every_large_forest(grows_to_the_whole, 2);
}

/* ---- what else there is ---------------------------------------------------------------------- */

static void check(const sporf_dataset *data, sporf_params params) {
    sporf_forest *forest = NULL;
    params.trees = 5;
    assert_ok(sporf_forest_train(data, &params, NULL, &forest));
    grows_to_the_whole(&(forest_case){data, params}, forest);
    sporf_forest *whole = train(data, &params, 7);
    assert_opened_extends(forest, data, whole);
    sporf_forest_free(whole);
    sporf_forest_free(forest);
}

/* Whole numbers, and no whole ones. */
static const double steps[] = {0, 1, 0.3};

static void forests_of_numbers(void **state) {
    (void)state;
    static const data_kind kinds[] = {DATA_SMOOTH, DATA_TIED, DATA_BYTES, DATA_MIXED};
    static const char *const methods[] = {"sporf", "rf", "frc", "rr-rf", "patch"};
    static const char *const bags[] = {"bootstrap", "subsample", "none"};
    static const char *const honest[] = {"0", "0.5"};
    size_t cases = 0;
    for (size_t k = 0; k < 4; k++)
        for (size_t m = 0; m < 5; m++)
            for (size_t b = 0; b < 3; b++, cases++) {
                if (kinds[k] == DATA_MIXED && m == 3) continue;
                sporf_dataset *data = with_targets(kinds[k], 240, 5, 1 + cases % 3, cases + 1);
                if (cases % 3 > 0) weigh_rows(data, steps[cases % 3]);
                check(data, params_with("method", methods[m], "bag", bags[b], "honest",
                                        honest[cases % 2], "samples", cases % 5 ? "keep" : "drop",
                                        "min-leaf", cases % 3 ? "4" : "1", (char *)NULL));
                sporf_dataset_free(data);
            }
}

static void forests_of_weighted_rows_and_classes(void **state) {
    (void)state;
    static const char *const bags[] = {"bootstrap", "stratified", "subsample", "none"};
    static const char *const class_weights[] = {"none", "balanced", "0=2.5,1=1"};
    for (size_t s = 1; s < 3; s++)
        for (size_t b = 0; b < 4; b++)
            for (size_t w = 0; w < 3; w++) {
                sporf_dataset *data =
                    random_data(w == 1 ? DATA_MIXED : DATA_SMOOTH, 200, 5, 3, s + b);
                weigh_rows(data, steps[s]);
                check(data, params_with("bag", bags[b], "class-weights", class_weights[w], "honest",
                                        b % 2 ? "0.4" : "0", (char *)NULL));
                sporf_dataset_free(data);
            }
}

/* A tree of an honest bag of one row, trees that are one leaf, rows that are never out of bag. */
static void forests_of_next_to_nothing(void **state) {
    (void)state;
    sporf_dataset *two = random_data(DATA_SMOOTH, 2, 3, 2, 1), *one = with_targets(0, 1, 2, 1, 1);
    check(two, params_with("honest", "0.5", (char *)NULL));
    check(two, params_with("bag", "subsample", "bag-fraction", "0.1", (char *)NULL));
    check(one, params_with("honest", "0.5", (char *)NULL));
    check(one, params_with("samples", "drop", (char *)NULL));
    sporf_dataset_free(two);
    sporf_dataset_free(one);
}

/* 1 + 1 + ... = all: whatever happens on the way. */
static void a_forest_grown_tree_by_tree(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_MIXED, 300, 6, 2, 1);
    sporf_params params = params_with("min-leaf", "3", (char *)NULL);
    sporf_forest *grown = train(data, &params, 1), *whole = train(data, &params, 20);
    for (uint32_t trees = 2; trees <= 20; trees++) {
        sporf_forest *next = extend(grown, data, trees, 2);
        sporf_forest_free(grown);
        grown = next;
    }
    assert_same_bytes(grown, whole);
    assert_same_oob(grown, whole);
    sporf_forest_free(grown);
    sporf_forest_free(whole);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_forest_grown_further_is_the_one_grown_at_once,
                                  name_broken_case),
        cmocka_unit_test_teardown(so_is_a_large_one, name_broken_case),
        cmocka_unit_test(forests_of_numbers),
        cmocka_unit_test(forests_of_weighted_rows_and_classes),
        cmocka_unit_test(forests_of_next_to_nothing),
        cmocka_unit_test(a_forest_grown_tree_by_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
