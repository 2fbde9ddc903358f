/* Same seed, same forest: whatever the number of threads, however many trees follow, and wherever
 * the training is stopped.
 * Labels: threads */
#include "learn/splitting/split.h"

#include "support/check.h"
#include "support/every_forest.h"
#include "support/plain_tree.h"
#include "support/same_bytes.h"
#include "support/watch.h"

static sporf_forest *train(const sporf_dataset *data, const sporf_params *params,
                           const sporf_hooks *hooks) {
    sporf_forest *forest = NULL;
    assert_ok(sporf_forest_train(data, params, hooks, &forest));
    return forest;
}

/* ---- threads --------------------------------------------------------------------------------- */

static void same_for_threads(const forest_case *c, const sporf_forest *forest) {
    static const uint32_t threads[] = {8, 2, 3, 1};
    size_t tried =
        c->params.criterion == SPORF_GINI && c->params.bag == SPORF_BAG_BOOTSTRAP ? 4 : 1;
    for (size_t i = 0; i < tried; i++) {
        sporf_params params = c->params;
        params.threads = threads[i];
        sporf_forest *other = train(c->data, &params, NULL);
        assert_same_bytes(forest, other);
        assert_same_oob(forest, other);
        sporf_forest_free(other);
    }
}

static void threads_do_not_change_a_byte(void **state) {
    (void)state;
    for_every_forest(same_for_threads, 5);
}

/* ---- seeds ----------------------------------------------------------------------------------- */

static void another_seed_gives_another_forest(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rf", "frc", "rr-rf", "ccf", "patch"};
    static const char *const seeds[] = {"0", "1", "2", "4294967296", "4294967297"};
    sporf_dataset *data = random_data(DATA_SMOOTH, 120, 6, 3, 1);
    for (size_t m = 0; m < 6; m++) {
        sporf_forest *forests[5];
        for (size_t s = 0; s < 5; s++) {
            forests[s] = train_with(data, "method", methods[m], "seed", seeds[s], "trees", "3",
                                    (char *)NULL);
            for (size_t t = 0; t < 3; t++)
                for (size_t u = 0; u < s; u++)
                    assert_false(same_tree(plain_tree(forests[s], t), plain_tree(forests[u], t)));
            assert_false(same_tree(plain_tree(forests[s], 0), plain_tree(forests[s], 1)));
        }
        for (size_t s = 0; s < 5; s++) sporf_forest_free(forests[s]);
    }
    sporf_dataset_free(data);
}

/* ---- prefixes -------------------------------------------------------------------------------- */

static void begins_larger_forests(const forest_case *c, const sporf_forest *forest) {
    sporf_params params = c->params;
    params.trees = 9;
    params.threads = 2;
    sporf_forest *larger = train(c->data, &params, NULL);
    assert_int_equal(sporf_forest_trees(larger), 9);
    for (size_t t = 0; t < sporf_forest_trees(forest); t++) {
        assert_true(same_tree(plain_tree(forest, t), plain_tree(larger, t)));
        if (forest->oob_curve)
            assert_memory_equal(&forest->oob_curve[t], &larger->oob_curve[t], sizeof(double));
    }
    sporf_forest_free(larger);
}

static void a_larger_forest_begins_with_the_smaller(void **state) {
    (void)state;
    for_every_forest(begins_larger_forests, 4);
}

/* ---- search ---------------------------------------------------------------------------------- */

static void same_if_cut_exactly(const forest_case *c, const sporf_forest *forest) {
    sporf_params params = c->params;
    int tiny = sporf_dataset_rows(c->data) <= SPF_LANES_ROWS_BINNED;
    int many =
        sporf_dataset_classes(c->data) > 100 && sporf_dataset_rows(c->data) <= SPF_LANES_ROWS;
    if (!tiny && !many) return; /* large nodes of few classes are searched between bins */
    params.split = params.split == SPORF_SPLIT_AUTO ? SPORF_SPLIT_EXACT : SPORF_SPLIT_AUTO;
    sporf_forest *other = train(c->data, &params, NULL);
    for (size_t t = 0; t < forest->trees_count; t++)
        assert_true(same_tree(plain_tree(forest, t), plain_tree(other, t)));
    sporf_forest_free(other);
}

static void small_nodes_are_cut_exactly_unasked(void **state) {
    (void)state;
    for_every_forest(same_if_cut_exactly, 3);
}

/* The settings say which it was, and only they differ. */
static void a_forest_says_how_its_cuts_were_searched(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 100, 4, 2, 1);
    static const char *const splits[] = {"auto", "exact"};
    for (size_t i = 0; i < 2; i++) {
        sporf_forest *forest = train_with(data, "trees", "1", "split", splits[i], (char *)NULL);
        assert_string_equal(sporf_forest_setting(forest, "split"), splits[i]);
        sporf_forest_free(forest);
    }
    sporf_dataset_free(data);
}

/* ---- interruption ---------------------------------------------------------------------------- */

static void an_interrupted_forest_is_the_beginning_of_the_whole(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rf", "rr-rf", "ccf"};
    sporf_dataset *data = random_data(DATA_SMOOTH, 120, 6, 3, 1);
    size_t partial = 0;
    for (size_t m = 0; m < 4; m++)
        for (size_t patience = 1; patience < 3000; patience = patience * 5 / 3 + 1)
            for (uint32_t threads = 1; threads <= 4; threads += 3) {
                sporf_params params =
                    params_with("method", methods[m], "trees", "25", (char *)NULL);
                watch w = watch_for(patience);
                sporf_hooks hooks = watch_hooks(&w);
                sporf_forest *forest = NULL;
                params.threads = threads;
                sporf_status status = sporf_forest_train(data, &params, &hooks, &forest);
                assert_int_equal(w.faults, 0);
                if (status != SPORF_OK) {
                    assert_int_equal(status, SPORF_ERROR_CANCELLED);
                    assert_int_equal(w.done, 0);
                    assert_null(forest);
                    continue;
                }
                assert_int_equal(sporf_forest_trees(forest), w.done);
                assert_int_equal(w.done, w.calls);
                assert_int_equal(w.total, 25);
                partial += w.done < 25;
                params.trees = (uint32_t)w.done;
                sporf_forest *brief = train(data, &params, NULL);
                assert_same_bytes(forest, brief);
                sporf_forest_free(brief);
                sporf_forest_free(forest);
            }
    assert_true(partial > 10);
    sporf_dataset_free(data);
}

static void progress_is_told_after_each_tree(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 60, 4, 2, 1);
    sporf_params params = params_with("trees", "40", "threads", "4", (char *)NULL);
    watch w = watch_always();
    sporf_hooks hooks = watch_hooks(&w);
    hooks.interrupt = NULL;
    sporf_forest_free(train(data, &params, &hooks));
    assert_int_equal(w.done, 40);
    assert_int_equal(w.calls, 40);
    assert_int_equal(w.total, 40);
    assert_int_equal(w.faults, 0);
    sporf_dataset_free(data);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void survives_its_bytes(const forest_case *c, const sporf_forest *forest) {
    (void)c;
    image i = image_of(forest);
    sporf_forest *loaded = NULL;
    assert_ok(sporf_forest_load_bytes(i.bytes, i.size, &loaded));
    assert_same_bytes(forest, loaded);
    for (size_t t = 0; t < forest->trees_count; t++)
        assert_true(same_tree(plain_tree(forest, t), plain_tree(loaded, t)));
    sporf_forest_free(loaded);
    sporf_free(i.bytes);
}

static void every_trained_forest_loads_as_it_was_saved(void **state) {
    (void)state;
    for_every_forest(survives_its_bytes, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(threads_do_not_change_a_byte, name_broken_case),
        cmocka_unit_test(another_seed_gives_another_forest),
        cmocka_unit_test_teardown(a_larger_forest_begins_with_the_smaller, name_broken_case),
        cmocka_unit_test_teardown(small_nodes_are_cut_exactly_unasked, name_broken_case),
        cmocka_unit_test(a_forest_says_how_its_cuts_were_searched),
        cmocka_unit_test(an_interrupted_forest_is_the_beginning_of_the_whole),
        cmocka_unit_test(progress_is_told_after_each_tree),
        cmocka_unit_test_teardown(every_trained_forest_loads_as_it_was_saved, name_broken_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
