/* Parts of a forest, grown apart and joined in any order, are the forest that one training gives:
 * in every byte of the file, and in what is kept beside it.
 * Labels: full */
#include "support/check.h"
#include "support/every_forest.h"
#include "support/random_data.h"
#include "support/same_bytes.h"
#include "support/tmpfile.h"

enum { PARTS_MAX = 8 };

static sporf_forest_part *through_bytes(sporf_forest_part *part) {
    void *bytes;
    size_t size;
    sporf_forest_part *copy = NULL;
    assert_ok(sporf_forest_part_save_bytes(part, &bytes, &size));
    assert_ok(sporf_forest_part_load_bytes(bytes, size, &copy));
    sporf_free(bytes);
    sporf_forest_part_free(part);
    return copy;
}

static sporf_forest_part *through_file(sporf_forest_part *part) {
    tmp_file file = tmp_file_name("forest.part");
    sporf_forest_part *copy = NULL;
    assert_ok(sporf_forest_part_save(part, file.path));
    assert_ok(sporf_forest_part_load(file.path, &copy));
    sporf_forest_part_free(part);
    tmp_file_remove(&file);
    return copy;
}

/* Part i of n, as it was grown, from bytes or from a file. */
static sporf_forest_part *grown(const sporf_dataset *data, const sporf_params *params, size_t i,
                                size_t n) {
    uint32_t first = (uint32_t)(i * params->trees / n),
             end = (uint32_t)((i + 1) * params->trees / n);
    sporf_forest_part *part = NULL;
    assert_ok(sporf_forest_part_train(data, params, NULL, first, end - first, &part));
    return i % 3 == 0 ? part : i % 3 == 1 ? through_bytes(part) : through_file(part);
}

/* Parts that come one after the other, the last one first; takes them over. */
static sporf_forest *joined_as_they_come(sporf_forest_part *const *parts, size_t n,
                                         unsigned threads) {
    sporf_joining *joining = NULL;
    sporf_forest *forest = NULL;
    assert_ok(sporf_joining_create(threads, &joining));
    for (size_t i = 0; i < n; i++)
        assert_ok(sporf_joining_add(joining, parts[(i + n - 2) % n], NULL));
    assert_ok(sporf_joining_end(joining, 0, &forest));
    assert_int_equal(sporf_joining_trees(joining), sporf_forest_trees(forest));
    sporf_joining_free(joining);
    return forest;
}

/* The last part comes first. *other, unless that is NULL, is joined as they come. */
static sporf_forest *joined(const sporf_dataset *data, const sporf_params *params, size_t n,
                            unsigned threads, sporf_forest **other) {
    sporf_forest_part *parts[PARTS_MAX] = {NULL};
    sporf_forest *forest = NULL;
    for (size_t i = 0; i < n; i++) parts[(i + n - 1) % n] = grown(data, params, i, n);
    assert_ok(
        sporf_forest_join((const sporf_forest_part *const *)parts, NULL, n, threads, &forest));
    if (other)
        *other = joined_as_they_come(parts, n, threads);
    else
        for (size_t i = 0; i < n; i++) sporf_forest_part_free(parts[i]);
    return forest;
}

static void assert_joins(const sporf_dataset *data, const sporf_params *params,
                         const sporf_forest *whole, size_t n) {
    sporf_forest *forests[2];
    forests[0] = joined(data, params, n, (unsigned)n, &forests[1]);
    for (size_t i = 0; i < 2; i++) {
        assert_same_bytes(forests[i], whole);
        assert_same_oob(forests[i], whole);
        sporf_forest_free(forests[i]);
    }
}

static void joins_to_the_whole(const forest_case *c, const sporf_forest *forest) {
    sporf_params params = c->params;
    params.trees = (uint32_t)sporf_forest_trees(forest);
    assert_joins(c->data, &params, forest, 3);
}

static void parts_of_every_forest_join_to_it(void **state) {
    (void)state;
    for_every_forest(joins_to_the_whole, 4);
}

static void so_do_those_of_a_large_one(void **state) {
    (void)state;
    for_every_large_forest(joins_to_the_whole, 4);
}

static void check_trees(const sporf_dataset *data, sporf_params params, uint32_t trees) {
    sporf_forest *whole = NULL;
    params.trees = trees;
    assert_ok(sporf_forest_train(data, &params, NULL, &whole));
    for (size_t n = 1; n <= trees && n <= 4; n *= 2) assert_joins(data, &params, whole, n);
    sporf_forest_free(whole);
}

static void check(const sporf_dataset *data, sporf_params params) {
    check_trees(data, params, 5);
}

static void parts_of_numbers(void **state) {
    (void)state;
    static const data_kind kinds[] = {DATA_SMOOTH, DATA_TIED, DATA_BYTES, DATA_MIXED};
    static const char *const methods[] = {"sporf", "rf", "frc", "rr-rf", "patch"};
    static const char *const bags[] = {"bootstrap", "subsample", "none"};
    static const double steps[] = {0, 1, 0.3};
    size_t cases = 0;
    for (size_t k = 0; k < 4; k++)
        for (size_t m = 0; m < 5; m++)
            for (size_t b = 0; b < 3; b++, cases++) {
                if (kinds[k] == DATA_MIXED && m == 3) continue;
                sporf_dataset *data = with_targets(kinds[k], 240, 5, 1 + cases % 3, cases + 1);
                if (cases % 3 > 0) weigh_rows(data, steps[cases % 3]);
                check(data, params_with("method", methods[m], "bag", bags[b], "honest",
                                        cases % 2 ? "0.5" : "0", "samples",
                                        cases % 5 ? "keep" : "drop", "weight-is",
                                        cases % 3 == 1 ? "count" : "relative", (char *)NULL));
                sporf_dataset_free(data);
            }
}

static void parts_of_weighted_rows_and_classes(void **state) {
    (void)state;
    static const char *const bags[] = {"bootstrap", "stratified", "subsample", "none"};
    static const char *const class_weights[] = {"none", "balanced", "0=2.5,1=1"};
    for (size_t b = 0; b < 4; b++)
        for (size_t w = 0; w < 3; w++) {
            sporf_dataset *data = random_data(w == 1 ? DATA_MIXED : DATA_SMOOTH, 200, 5, 3, w + b);
            weigh_rows(data, w == 0 ? 1 : 0.3);
            check(data, params_with("bag", bags[b], "class-weights", class_weights[w], "honest",
                                    b % 2 ? "0.4" : "0", (char *)NULL));
            sporf_dataset_free(data);
        }
}

/* Trees that are one leaf, rows that are never out of bag, more leaves than a byte and than two
 * count. */
static void parts_of_next_to_nothing_and_of_much(void **state) {
    (void)state;
    sporf_dataset *two = random_data(DATA_SMOOTH, 2, 3, 2, 1), *one = with_targets(0, 1, 2, 1, 1);
    sporf_dataset *some = random_data(DATA_NOISE, 2000, 3, 2, 1);
    sporf_dataset *much = random_data(DATA_NOISE, 130000, 2, 60, 1);
    check(two, params_with("honest", "0.5", (char *)NULL));
    check(two, params_with("bag", "subsample", "bag-fraction", "0.1", (char *)NULL));
    check(one, params_with("samples", "drop", (char *)NULL));
    check(some, params_with("trees", "5", (char *)NULL));
    sporf_params rf = params_with("method", "rf", "projections", "1", "trees", "1", (char *)NULL);
    sporf_forest *tree = NULL;
    assert_ok(sporf_forest_train(much, &rf, NULL, &tree));
    assert_true(sporf_forest_nodes(tree, 0) > 2 * 65536);
    check_trees(much, rf, 2);
    sporf_forest_free(tree);
    sporf_dataset_free(two);
    sporf_dataset_free(one);
    sporf_dataset_free(some);
    sporf_dataset_free(much);
}

/* ---- settings -------------------------------------------------------------------------------- */

/* What pilot forests choose is settled once; parts without that choose again, and the same. */
static void settled_settings_give_the_same_forest(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        sporf_dataset *data = i == 0   ? random_data(DATA_SMOOTH, 900, 12, 3, 3)
                              : i == 1 ? with_targets(DATA_MIXED, 900, 12, 1, 3)
                                       : random_data(DATA_SMOOTH, 10001, 3, 3, 3);
        sporf_params params, settled;
        sporf_forest *whole = NULL;
        char value[32];
        sporf_params_init(&params);
        sporf_params_init(&settled);
        params.trees = i < 2 ? 60 : 8;
        assert_ok(sporf_forest_train(data, &params, NULL, &whole));
        assert_ok(sporf_train_settle(data, &params, NULL, &settled));
        assert_ok(sporf_params_get(&settled, "projections", value, sizeof value));
        assert_string_equal(value, sporf_forest_setting(whole, "projections"));
        assert_string_equal(sporf_forest_setting(whole, "bag"), i < 2 ? "auto" : "subsample");
        sporf_forest *chosen_once = joined(data, &settled, 3, 2, NULL);
        sporf_forest *chosen_again = joined(data, &params, 2, 1, NULL);
        assert_same_bytes(chosen_once, whole);
        assert_same_bytes(chosen_again, whole);
        sporf_forest_free(chosen_once);
        sporf_forest_free(chosen_again);
        sporf_forest_free(whole);
        sporf_dataset_free(data);
    }
}

/* ---- first trees ----------------------------------------------------------------------------- */

typedef struct {
    uint32_t trees, most;
} progress;

static void note(void *payload, size_t done, size_t all) {
    (void)all;
    ((progress *)payload)->trees = (uint32_t)done;
}

static int stop(void *payload) {
    const progress *p = payload;
    return p->trees >= p->most;
}

/* What a training keeps that is interrupted. Threads could finish more trees meanwhile. */
static sporf_forest *interrupted(const sporf_dataset *data, const sporf_params *params,
                                 uint32_t trees) {
    sporf_params one = *params;
    progress state = {.most = trees};
    sporf_hooks hooks;
    sporf_forest *forest = NULL;
    one.threads = 1;
    sporf_hooks_init(&hooks);
    hooks.payload = &state;
    hooks.progress = note;
    hooks.interrupt = stop;
    assert_ok(sporf_forest_train(data, &one, &hooks, &forest));
    assert_int_equal(sporf_forest_trees(forest), trees);
    return forest;
}

/* Parts 0, 2, 3 and 1 of 5 with two trees each: after each, as many trees are joined as an
 * interrupted training has. */
static void first_trees_are_those_of_an_interrupted_training(void **state) {
    (void)state;
    static const size_t order[] = {0, 2, 3, 1};
    static const uint32_t trees[] = {2, 2, 2, 8};
    for (int kind = 0; kind < 4; kind++) {
        sporf_dataset *data = kind % 2 ? with_targets(DATA_MIXED, 200, 5, 2, 1)
                                       : random_data(DATA_MIXED, 200, 5, 3, 1);
        sporf_params params =
            params_with("trees", "10", "bag", kind < 2 ? "bootstrap" : "none", (char *)NULL);
        for (size_t n = 1; n <= 4; n++) {
            sporf_joining *joining = NULL;
            sporf_forest *forest = NULL, *kept = interrupted(data, &params, trees[n - 1]);
            assert_ok(sporf_joining_create(2, &joining));
            for (size_t i = 0; i < n; i++)
                assert_ok(sporf_joining_add(joining, grown(data, &params, order[i], 5), NULL));
            assert_int_equal(sporf_joining_trees(joining), trees[n - 1]);
            assert_refused(sporf_joining_end(joining, 0, &forest), SPORF_ERROR_ARGUMENT,
                           "are missing");
            assert_ok(sporf_joining_end(joining, 1, &forest));
            assert_same_bytes(forest, kept);
            assert_same_oob(forest, kept);
            sporf_joining_free(joining);
            sporf_forest_free(forest);
            sporf_forest_free(kept);
        }
        sporf_dataset_free(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(parts_of_every_forest_join_to_it, name_broken_case),
        cmocka_unit_test_teardown(so_do_those_of_a_large_one, name_broken_case),
        cmocka_unit_test(parts_of_numbers),
        cmocka_unit_test(parts_of_weighted_rows_and_classes),
        cmocka_unit_test(parts_of_next_to_nothing_and_of_much),
        cmocka_unit_test(settled_settings_give_the_same_forest),
        cmocka_unit_test(first_trees_are_those_of_an_interrupted_training),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
