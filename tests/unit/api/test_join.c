/* Parts that do not belong together are refused, and the message names both. */
#include "data/dataset.h"

#include "support/check.h"
#include "support/model_checksums.h"
#include "support/random_data.h"

#include <math.h>
#include <string.h>

enum { ROWS = 80, TREES = 10 };

static sporf_params ten_trees(void) {
    return params_with("trees", "10", (char *)NULL);
}

static sporf_forest_part *grow(const sporf_dataset *data, const sporf_params *params,
                               uint32_t first, uint32_t count) {
    sporf_forest_part *part = NULL;
    assert_ok(sporf_forest_part_train(data, params, NULL, first, count, &part));
    return part;
}

/* Joins two parts, which are freed, and expects an error. */
static void refuse(sporf_forest_part *one, sporf_forest_part *other, sporf_status status,
                   const char *words) {
    static const char *const names[] = {"one.part", "other.part"};
    const sporf_forest_part *const parts[] = {one, other};
    sporf_forest *forest = NULL;
    assert_refused(sporf_forest_join(parts, names, 2, 1, &forest), status, words);
    assert_null(forest);
    sporf_forest_part_free(one);
    sporf_forest_part_free(other);
}

static void gaps_and_overlaps(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 1);
    sporf_params p = ten_trees();
    refuse(grow(data, &p, 0, 4), grow(data, &p, 6, 4), SPORF_ERROR_ARGUMENT,
           "trees 5 to 6 are missing, between one.part and other.part");
    refuse(grow(data, &p, 6, 4), grow(data, &p, 0, 7), SPORF_ERROR_ARGUMENT,
           "other.part and one.part both have tree 7");
    refuse(grow(data, &p, 2, 4), grow(data, &p, 6, 4), SPORF_ERROR_ARGUMENT,
           "trees 1 to 2 are missing: one.part begins with tree 3");
    refuse(grow(data, &p, 0, 4), grow(data, &p, 4, 3), SPORF_ERROR_ARGUMENT,
           "trees 8 to 10 are missing: other.part ends with tree 7");
    refuse(grow(data, &p, 0, 10), grow(data, &p, 0, 10), SPORF_ERROR_ARGUMENT,
           "one.part and other.part both have tree 1");
    sporf_dataset_free(data);
}

static void other_settings(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 1);
    sporf_params p = ten_trees(), seed = p, more = p, leaf = p;
    seed.seed = 2;
    more.trees = 20;
    leaf.min_leaf = 3;
    refuse(grow(data, &p, 0, 5), grow(data, &seed, 5, 5), SPORF_ERROR_ARGUMENT,
           "one.part was grown with seed 1, other.part with seed 2");
    refuse(grow(data, &p, 0, 5), grow(data, &more, 5, 5), SPORF_ERROR_ARGUMENT,
           "one.part was grown with trees 10, other.part with trees 20");
    refuse(grow(data, &p, 0, 5), grow(data, &leaf, 5, 5), SPORF_ERROR_ARGUMENT,
           "one.part was grown with min-leaf 1, other.part with min-leaf 3");
    sporf_dataset_free(data);
}

static void other_tables(void **state) {
    (void)state;
    sporf_params p = ten_trees();
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 1);
    sporf_dataset *values = random_data(DATA_SMOOTH, ROWS, 4, 2, 2);
    sporf_dataset *rows = random_data(DATA_SMOOTH, ROWS + 1, 4, 2, 1);
    sporf_dataset *columns = random_data(DATA_SMOOTH, ROWS, 5, 2, 1);
    sporf_dataset *weighted = random_data(DATA_SMOOTH, ROWS, 4, 2, 1);
    double weights[ROWS];
    for (size_t i = 0; i < ROWS; i++) weights[i] = 1 + (double)(i % 2);
    assert_ok(sporf_dataset_set_weights(weighted, weights, ROWS));
    refuse(grow(data, &p, 0, 5), grow(values, &p, 5, 5), SPORF_ERROR_DATA,
           "one.part and other.part were grown on different tables");
    refuse(grow(data, &p, 0, 5), grow(weighted, &p, 5, 5), SPORF_ERROR_DATA, "different tables");
    refuse(grow(data, &p, 0, 5), grow(rows, &p, 5, 5), SPORF_ERROR_DATA,
           "one.part was grown on 80 rows and 4 features, other.part on 81 rows and 4");
    refuse(grow(data, &p, 0, 5), grow(columns, &p, 5, 5), SPORF_ERROR_DATA, "80 rows and 5");
    sporf_dataset_free(data);
    sporf_dataset_free(values);
    sporf_dataset_free(rows);
    sporf_dataset_free(columns);
    sporf_dataset_free(weighted);
}

/* A checksum that claims to be the same does not make tables the same. */
static void forged_checksums(void **state) {
    (void)state;
    sporf_params p = ten_trees();
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 1);
    sporf_dataset *values = random_data(DATA_NOISE, ROWS, 4, 2, 2);
    sporf_forest_part *parts[] = {grow(data, &p, 0, 5), grow(values, &p, 5, 5)}, *forged = NULL;
    sporf_forest_part_info info;
    uint64_t table[2];
    void *bytes;
    size_t size;
    for (int i = 0; i < 2; i++) {
        sporf_forest_part_info_init(&info);
        assert_ok(sporf_forest_part_describe(parts[i], &info));
        table[i] = info.table;
    }
    assert_ok(sporf_forest_part_save_bytes(parts[1], &bytes, &size));
    for (size_t at = 0; at + 8 <= size; at += 8)
        if (memcmp((char *)bytes + at, &table[1], 8) == 0) memcpy((char *)bytes + at, table, 8);
    fix_model_checksums(bytes, size);
    assert_ok(sporf_forest_part_load_bytes(bytes, size, &forged));
    assert_ok(sporf_forest_part_describe(forged, &info));
    assert_true(info.table == table[0]);
    sporf_forest_part_free(parts[1]);
    sporf_free(bytes);
    refuse(parts[0], forged, SPORF_ERROR_DATA, "were grown on different tables");
    sporf_dataset_free(data);
    sporf_dataset_free(values);
}

static void other_versions(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 1);
    sporf_params p = ten_trees();
    sporf_forest_part *part = grow(data, &p, 0, 10), *older = NULL;
    sporf_forest *forest = NULL;
    void *bytes;
    size_t size;
    assert_ok(sporf_forest_part_save_bytes(part, &bytes, &size));
    char *version = NULL;
    for (char *at = bytes; !version && at + sizeof SPORF_VERSION <= (char *)bytes + size; at++)
        if (memcmp(at, SPORF_VERSION, sizeof SPORF_VERSION) == 0) version = at;
    assert_non_null(version);
    version[0] = '9';
    fix_model_checksums(bytes, size);
    assert_ok(sporf_forest_part_load_bytes(bytes, size, &older));
    assert_refused(
        sporf_forest_join((const sporf_forest_part *const[]){older}, NULL, 1, 1, &forest),
        SPORF_ERROR_MODEL, "part 1 was grown by sporf 9");
    sporf_forest_part_free(older);
    sporf_forest_part_free(part);
    sporf_free(bytes);
    sporf_dataset_free(data);
}

static void ranges_and_arguments(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 1);
    sporf_params p = ten_trees(), boosting = p;
    sporf_forest_part *part = NULL;
    sporf_forest *forest = NULL;
    boosting.learner = SPORF_LEARNER_BOOSTING;
    static const uint32_t wrong[][2] = {{0, 0}, {10, 1}, {9, 2}, {0, 11}, {5, UINT32_MAX}};
    for (size_t i = 0; i < 5; i++)
        assert_refused(sporf_forest_part_train(data, &p, NULL, wrong[i][0], wrong[i][1], &part),
                       SPORF_ERROR_ARGUMENT, "does not lie within a forest of 10");
    assert_refused(sporf_forest_part_train(data, &boosting, NULL, 0, 1, &part),
                   SPORF_ERROR_ARGUMENT, "cannot be grown in parts");
    assert_refused(sporf_train_settle(data, &boosting, NULL, &p), SPORF_ERROR_ARGUMENT,
                   "cannot be grown in parts");
    assert_refused(sporf_forest_join(NULL, NULL, 0, 1, &forest), SPORF_ERROR_ARGUMENT,
                   "needs parts");
    assert_refused(sporf_forest_join((const sporf_forest_part *const[]){NULL}, NULL, 1, 1, &forest),
                   SPORF_ERROR_ARGUMENT, "part 1 to join is NULL");
    assert_null(part);
    sporf_dataset_free(data);
}

static sporf_joining *joining_of(sporf_forest_part *part) {
    sporf_joining *joining = NULL;
    assert_ok(sporf_joining_create(1, &joining));
    assert_ok(sporf_joining_add(joining, part, "one.part"));
    return joining;
}

/* Refused parts leave the others as they were, which were joined and freed, or wait. */
static void parts_that_come_later_are_refused(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 1);
    sporf_dataset *values = random_data(DATA_SMOOTH, ROWS, 4, 2, 2);
    sporf_params p = ten_trees(), seed = p;
    seed.seed = 2;
    for (uint32_t first = 0; first <= 5; first += 5) {
        sporf_joining *joining = joining_of(grow(data, &p, first, 5));
        sporf_forest *forest = NULL;
        assert_refused(sporf_joining_add(joining, grow(values, &p, 5 - first, 5), "other.part"),
                       SPORF_ERROR_DATA, "one.part and other.part were grown on different tables");
        assert_refused(sporf_joining_add(joining, grow(data, &seed, 5 - first, 5), NULL),
                       SPORF_ERROR_ARGUMENT, "one.part was grown with seed 1, part 3 with seed 2");
        assert_refused(sporf_joining_add(joining, grow(data, &p, 4, 2), "both.part"),
                       SPORF_ERROR_ARGUMENT,
                       first == 0 ? "one.part and both.part both have tree 5"
                                  : "both.part and one.part both have tree 6");
        assert_refused(sporf_joining_end(joining, 0, &forest), SPORF_ERROR_ARGUMENT,
                       first == 0 ? "trees 6 to 10 are missing: one.part ends with tree 5"
                                  : "trees 1 to 5 are missing: one.part begins with tree 6");
        assert_int_equal(sporf_joining_trees(joining), 5 - first);
        assert_ok(sporf_joining_add(joining, grow(data, &p, 5 - first, 5), NULL));
        assert_int_equal(sporf_joining_trees(joining), 10);
        assert_ok(sporf_joining_end(joining, 0, &forest));
        assert_int_equal(sporf_forest_trees(forest), 10);
        sporf_forest_free(forest);
        sporf_joining_free(joining);
    }
    sporf_dataset_free(data);
    sporf_dataset_free(values);
}

static void a_joining_ends_once(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 1);
    sporf_params p = ten_trees();
    sporf_joining *joining = joining_of(grow(data, &p, 0, 4));
    sporf_forest *forest = NULL, *again = NULL;
    assert_ok(sporf_joining_end(joining, 1, &forest));
    assert_int_equal(sporf_forest_trees(forest), 4);
    assert_string_equal(sporf_forest_setting(forest, "trees"), "4");
    assert_refused(sporf_joining_end(joining, 1, &again), SPORF_ERROR_ARGUMENT, "has ended");
    assert_refused(sporf_joining_add(joining, grow(data, &p, 4, 6), NULL), SPORF_ERROR_ARGUMENT,
                   "has ended");
    assert_null(again);
    sporf_forest_free(forest);
    sporf_joining_free(joining);
    sporf_dataset_free(data);
}

static void a_joining_needs_the_first_tree(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 1);
    sporf_params p = ten_trees();
    sporf_joining *joining = NULL;
    sporf_forest *forest = NULL;
    assert_ok(sporf_joining_create(1, &joining));
    assert_refused(sporf_joining_end(joining, 1, &forest), SPORF_ERROR_ARGUMENT, "needs parts");
    assert_ok(sporf_joining_add(joining, grow(data, &p, 1, 9), NULL));
    assert_refused(sporf_joining_end(joining, 1, &forest), SPORF_ERROR_ARGUMENT,
                   "trees 1 to 1 are missing: part 1 begins with tree 2");
    assert_int_equal(sporf_joining_trees(joining), 0);
    assert_int_equal(sporf_joining_trees(NULL), 0);
    assert_refused(sporf_joining_create(1, NULL), SPORF_ERROR_ARGUMENT, "needs a place");
    assert_refused(sporf_joining_add(joining, NULL, NULL), SPORF_ERROR_ARGUMENT, "and a part");
    assert_refused(sporf_joining_add(NULL, grow(data, &p, 0, 1), NULL), SPORF_ERROR_ARGUMENT,
                   "needs a joining");
    assert_refused(sporf_joining_end(joining, 0, NULL), SPORF_ERROR_ARGUMENT, "needs a joining");
    sporf_joining_free(joining);
    sporf_joining_free(NULL);
    sporf_dataset_free(data);
}

static int stop(void *payload) {
    (void)payload;
    return 1;
}

static void an_interrupted_part_is_none(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 1);
    sporf_params p = ten_trees();
    sporf_forest_part *part = NULL;
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.interrupt = stop;
    assert_int_equal(sporf_forest_part_train(data, &p, &hooks, 0, 5, &part), SPORF_ERROR_CANCELLED);
    assert_null(part);
    sporf_dataset_free(data);
}

/* The checksum sees every cell and every name, but not which NaN is missing. */
static void checksums_tell_tables_apart(void **state) {
    (void)state;
    uint64_t of_data, again, changed;
    sporf_dataset *data = random_data(DATA_MIXED, 300, 6, 3, 1);
    assert_ok(sporf_dataset_checksum(data, 1, &of_data));
    assert_ok(sporf_dataset_checksum(data, 3, &again));
    assert_true(of_data == again);
    data->labels[299] = (data->labels[299] + 1) % 3;
    assert_ok(sporf_dataset_checksum(data, 1, &changed));
    assert_true(of_data != changed);
    sporf_dataset_free(data);
    for (size_t cell = 0; cell < 3; cell++) {
        float values[] = {1, 2, 3, 4};
        sporf_matrix matrix = {values, SPORF_FLOAT32, 2, 2, 2, 1};
        const uint32_t other_nan = 0x7fc00001;
        assert_ok(sporf_dataset_from_matrix(&matrix, &data));
        assert_ok(sporf_dataset_checksum(data, 1, &of_data));
        sporf_dataset_free(data);
        values[cell] = NAN;
        assert_ok(sporf_dataset_from_matrix(&matrix, &data));
        assert_ok(sporf_dataset_checksum(data, 1, &changed));
        sporf_dataset_free(data);
        memcpy(&values[cell], &other_nan, sizeof other_nan);
        assert_ok(sporf_dataset_from_matrix(&matrix, &data));
        assert_ok(sporf_dataset_checksum(data, 1, &again));
        sporf_dataset_free(data);
        assert_true(changed != of_data && changed == again);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_and_overlaps),
        cmocka_unit_test(other_settings),
        cmocka_unit_test(other_tables),
        cmocka_unit_test(other_versions),
        cmocka_unit_test(forged_checksums),
        cmocka_unit_test(ranges_and_arguments),
        cmocka_unit_test(parts_that_come_later_are_refused),
        cmocka_unit_test(a_joining_ends_once),
        cmocka_unit_test(a_joining_needs_the_first_tree),
        cmocka_unit_test(an_interrupted_part_is_none),
        cmocka_unit_test(checksums_tell_tables_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
