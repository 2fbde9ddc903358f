/* How the data lie in memory never changes the forest. A user's sampler without traits sees the
 * data's own columns, so for it nothing is copied: given the built-in samplers as a user's own,
 * training must grow the very same trees as with all copies and blocks.
 * Labels: full */
#include "learn/growing/layout.h"
#include "learn/rows/copies.h"
#include "learn/sampling/method.h"

#include "support/check.h"
#include "support/copies_of.h"
#include "support/every_forest.h"
#include "support/plain_tree.h"

enum { ROWS = 14000, FEATURES = 40, FEATURES_OF_BYTES = 160 };

static size_t features_of(data_kind kind) {
    return kind == DATA_BYTES ? FEATURES_OF_BYTES : FEATURES;
}

static const char *const methods[][3] = {
    {"rf", "projections", "sqrt"},    {"rf", "projections", "p"},
    {"sporf", "projections", "sqrt"}, {"sporf", "projections", "p"},
    {"sporf", "nonzeros", "poisson"}, {"frc", "projections", "sqrt"},
    {"patch", "projections", "sqrt"}, {"sporf", "density", "0.5/p"},
};
enum { METHODS = sizeof methods / sizeof *methods };

static sporf_params params_of(const char *const *method, const char *split, const char *criterion) {
    return params_with("method", method[0], method[1], method[2], "split", split, "criterion",
                       criterion, "patch-max", "3", "trees", "2", "seed", "5", (char *)NULL);
}

/* Trains with the method's sampler as if it were the user's. */
static sporf_forest *train_by_user(const sporf_dataset *data, const sporf_params *params,
                                   int has_traits) {
    spf_sampler_settings settings;
    sporf_hooks hooks;
    sporf_forest *forest = NULL;
    const spf_method *method = spf_method_of(params->method);
    size_t slots = method->info.traits.draws_slots ? spf_slots_count(data) : data->features;
    assert_ok(spf_method_resolve(params, data->features, slots, &settings));
    sporf_sampler sampler = spf_method_sampler(method, &settings);
    if (!has_traits) sampler.traits = (sporf_traits){0}; /* it might look at rows */
    sporf_hooks_init(&hooks);
    hooks.sampler = &sampler;
    assert_ok(sporf_forest_train(data, params, &hooks, &forest));
    return forest;
}

static void assert_same_trees(const sporf_forest *a, const sporf_forest *b,
                              const char *const *method, const char *rest) {
    assert_int_equal(a->trees_count, b->trees_count);
    for (size_t t = 0; t < a->trees_count; t++)
        if (!same_tree(plain_tree(a, t), plain_tree(b, t)))
            fail_msg("tree %zu of %s, %s %s, %s depends on how the data lie", t, method[0],
                     method[1], method[2], rest);
}

static void compare(data_kind kind, size_t classes, const char *split, const char *criterion) {
    sporf_dataset *data = random_data(kind, ROWS, features_of(kind), classes, 1);
    size_t step = strcmp(split, "exact") == 0 ? 3 : 1;
    for (size_t m = 0; m < METHODS; m += step) {
        sporf_params params = params_of(methods[m], split, criterion);
        if (IS_SANITIZED) params.trees = 1;
        sporf_forest *copied = NULL, *uncopied = train_by_user(data, &params, 0);
        assert_ok(sporf_forest_train(data, &params, NULL, &copied));
        assert_same_trees(copied, uncopied, methods[m], split);
        if (copied->oob_curve)
            assert_memory_equal(copied->oob_curve, uncopied->oob_curve,
                                copied->trees_count * sizeof *copied->oob_curve);
        sporf_forest_free(copied);
        sporf_forest_free(uncopied);
    }
    sporf_dataset_free(data);
}

static void floats_of_two_classes(void **state) {
    (void)state;
    compare(DATA_SMOOTH, 2, "auto", "gini");
    compare(DATA_SMOOTH, 2, "exact", "gini");
}

static void floats_of_ten_classes(void **state) {
    (void)state;
    compare(DATA_SMOOTH, 10, "auto", "gini");
    compare(DATA_SMOOTH, 10, "exact", "entropy");
}

static void bytes_of_two_classes(void **state) {
    (void)state;
    compare(DATA_BYTES, 2, "auto", "gini");
}

static void bytes_of_ten_classes(void **state) {
    (void)state;
    compare(DATA_BYTES, 10, "auto", "entropy");
}

static void bytes_cut_exactly(void **state) {
    (void)state;
    compare(DATA_BYTES, 2, "exact", "gini");
    compare(DATA_BYTES, 10, "exact", "gini");
}

static void a_users_sampler_with_traits_is_as_good_as_a_method(void **state) {
    (void)state;
    static const data_kind kinds[] = {DATA_BYTES, DATA_MIXED};
    for (size_t k = 0; k < 2; k++) {
        sporf_dataset *data = random_data(kinds[k], 3000, 8, 3, 1);
        for (size_t m = 0; m < METHODS; m++) {
            sporf_params params = params_of(methods[m], "auto", "gini");
            sporf_forest *forest = NULL, *users = train_by_user(data, &params, 1);
            assert_ok(sporf_forest_train(data, &params, NULL, &forest));
            assert_same_trees(forest, users, methods[m], "by the user");
            sporf_forest_free(forest);
            sporf_forest_free(users);
        }
        sporf_dataset_free(data);
    }
}

/* Repeated values, and columns that take no part. */
static void tied_and_constant_columns(void **state) {
    (void)state;
    compare(DATA_TIED, 3, "auto", "gini");
    compare(DATA_CONSTANT, 2, "auto", "entropy");
}

/* Sixteen threads share what one has, unless there is spare memory. Two never get more. */
static void assert_blocks_of_many_threads(spf_plan *plan, size_t alone) {
    double spare = spf_layout_spare_bytes(plan->data, 16);
    assert_true(spare > 0 && spf_layout_spare_bytes(plan->data, 2) == 0);
    spf_layout_choose(plan, 3 * FEATURES, 16, 16, 0);
    assert_true(plan->block_rows < alone / 15);
    spf_layout_choose(plan, 3 * FEATURES, 16, 16, spare);
    assert_true(plan->block_rows > alone / 15 * 3);
}

static uint64_t memory_of(const sporf_dataset *data, const sporf_params *params) {
    sporf_preview preview = {.struct_size = sizeof preview};
    assert_ok(sporf_train_preview(data, params, &preview));
    return preview.memory;
}

/* One thread, two, and sixteen with all the memory they can use, with some of it and with none to
 * spare. */
static void threads_and_memory_change_the_layout_only(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, FEATURES, 3, 1);
    for (size_t m = 2; m < 4; m++) {
        sporf_params params = params_of(methods[m], "auto", "gini");
        sporf_forest *alone = NULL;
        params.threads = 1;
        assert_ok(sporf_forest_train(data, &params, NULL, &alone));
        params.threads = 16;
        uint64_t most = memory_of(data, &params);
        params.max_memory = 1;
        uint64_t least = memory_of(data, &params);
        assert_true(least < most);
        const struct {
            uint32_t threads;
            uint64_t limit;
        } cases[] = {{2, 0}, {16, 0}, {16, (least + most) / 2}, {16, least}};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            sporf_forest *forest = NULL;
            params.threads = cases[i].threads;
            params.max_memory = cases[i].limit;
            if (cases[i].limit > 0) assert_true(memory_of(data, &params) <= cases[i].limit);
            assert_ok(sporf_forest_train(data, &params, NULL, &forest));
            assert_same_trees(forest, alone, methods[m], "by threads and memory");
            sporf_forest_free(forest);
        }
        sporf_forest_free(alone);
    }
    sporf_dataset_free(data);
}

/* The tests above mean something only if the tables are copied and blocks are made. */
static void tables_of_this_size_are_copied(void **state) {
    (void)state;
    for (data_kind kind = DATA_SMOOTH; kind <= DATA_BYTES; kind++) {
        sporf_dataset *data = random_data(kind, ROWS, features_of(kind), 2, 1);
        spf_copies copies;
        assert_ok(copies_of(data, spf_layout_copy_bytes(data), 1, &copies));
        assert_int_equal(copies.by_row.rows, ROWS);
        assert_int_equal(copies.by_column.rows, kind == DATA_BYTES ? ROWS : 0);
        spf_plan plan = {.data = data,
                         .table = copies.by_column,
                         .by_row = copies.by_row,
                         .sampler.traits.ignores_rows = 1};
        if (kind != DATA_BYTES)
            plan.table = (spf_table){
                .rows = ROWS, .features = FEATURES, .stride = 1, .columns = data->columns};
        spf_layout_choose(&plan, 3 * (double)features_of(kind), 2, 1, 0);
        assert_true(plan.block_least < plan.block_rows);
        assert_true(plan.cached_rows < ROWS);
        assert_blocks_of_many_threads(&plan, plan.block_rows);
        spf_copies_free(&copies);
        sporf_dataset_free(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_of_this_size_are_copied),
        cmocka_unit_test(floats_of_two_classes),
        cmocka_unit_test(floats_of_ten_classes),
        cmocka_unit_test(bytes_of_two_classes),
        cmocka_unit_test(bytes_of_ten_classes),
        cmocka_unit_test(bytes_cut_exactly),
        cmocka_unit_test(tied_and_constant_columns),
        cmocka_unit_test(threads_and_memory_change_the_layout_only),
        cmocka_unit_test(a_users_sampler_with_traits_is_as_good_as_a_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
