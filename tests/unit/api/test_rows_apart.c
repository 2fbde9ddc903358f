/* The calls for rows apart: what they need, what they refuse, in which order they may come, and
 * what is left if one stops early. */
#include "support/check.h"
#include "support/random_data.h"
#include "support/same_bytes.h"
#include "support/two_shards.h"
#include "support/watch.h"

#include "data/dataset.h"

enum { ROWS = 1500 };

#define assert_needed(call) assert_refused(call, SPORF_ERROR_ARGUMENT, "rows apart: ")

static sporf_params some_params(void) {
    return params_with("trees", "4", (char *)NULL);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void outcomes_need_rows(void **state) {
    (void)state;
    sporf_dataset *outcomes = NULL;
    assert_refused(sporf_dataset_of_outcomes(0, &outcomes), SPORF_ERROR_ARGUMENT, "1 to");
    assert_refused(sporf_dataset_of_outcomes(SIZE_MAX, &outcomes), SPORF_ERROR_ARGUMENT, "1 to");
    assert_refused(sporf_dataset_of_outcomes(5, NULL), SPORF_ERROR_ARGUMENT, "a place");
    assert_null(outcomes);
    assert_ok(sporf_dataset_of_outcomes(5, &outcomes));
    assert_int_equal(sporf_dataset_rows(outcomes), 5);
    assert_int_equal(sporf_dataset_features(outcomes), 0);
    sporf_dataset_free(outcomes);
}

static void shards_need_their_arguments(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 50, 3, 2, 1);
    sporf_params params = some_params();
    sporf_shard *shard = NULL;
    void *bytes = NULL;
    size_t size = 0;
    const void *rows[] = {""};
    assert_needed(sporf_shard_create(NULL, data, 0, &params, &shard));
    assert_needed(sporf_shard_create(data, NULL, 0, &params, &shard));
    assert_needed(sporf_shard_create(data, data, 0, &params, NULL));
    assert_null(shard);
    assert_ok(sporf_shard_create(data, data, 0, NULL, &shard)); /* the default settings */
    sporf_shard *second = NULL;
    assert_needed(sporf_shard_create_beside(NULL, data, 0, &second));
    assert_needed(sporf_shard_create_beside(shard, NULL, 0, &second));
    assert_needed(sporf_shard_create_beside(shard, data, 0, NULL));
    assert_refused(sporf_shard_create_beside(shard, data, 1, &second), SPORF_ERROR_ARGUMENT,
                   "from row 2 on, but there are outcomes for");
    assert_null(second);
    assert_needed(sporf_shard_answer(NULL, "", 0, 1, &bytes, &size));
    assert_needed(sporf_shard_answer(shard, NULL, 0, 1, &bytes, &size));
    assert_needed(sporf_shard_answer(shard, "", 0, 1, NULL, &size));
    assert_needed(sporf_shard_answer(shard, "", 0, 1, &bytes, NULL));
    assert_refused(sporf_shard_answer(shard, "", 0, 4097, &bytes, &size), SPORF_ERROR_ARGUMENT,
                   "threads must be at most 4096, got 4097");
    assert_refused(sporf_shard_answer(shard, "", 0, 1, &bytes, &size), SPORF_ERROR_DATA, "damaged");
    assert_needed(sporf_shard_add_up(NULL, "", 0, rows, &size, 1, &bytes, &size));
    assert_needed(sporf_shard_add_up(shard, NULL, 0, rows, &size, 1, &bytes, &size));
    assert_needed(sporf_shard_add_up(shard, "", 0, NULL, &size, 1, &bytes, &size));
    assert_needed(sporf_shard_add_up(shard, "", 0, rows, NULL, 1, &bytes, &size));
    assert_needed(sporf_shard_add_up(shard, "", 0, rows, &size, 1, NULL, &size));
    assert_needed(sporf_shard_add_up(shard, "", 0, rows, &size, 1, &bytes, NULL));
    assert_refused(sporf_shard_add_up(shard, "", 0, rows, &size, 0, &bytes, &size),
                   SPORF_ERROR_ARGUMENT, "rows that follow each other");
    assert_needed(sporf_shard_grow(NULL, "", 0, rows, &size, 1, &bytes, &size));
    assert_needed(sporf_shard_grow(shard, NULL, 0, rows, &size, 1, &bytes, &size));
    assert_needed(sporf_shard_grow(shard, "", 0, NULL, &size, 1, &bytes, &size));
    assert_needed(sporf_shard_grow(shard, "", 0, rows, NULL, 1, &bytes, &size));
    assert_needed(sporf_shard_grow(shard, "", 0, rows, &size, 1, NULL, &size));
    assert_needed(sporf_shard_grow(shard, "", 0, rows, &size, 1, &bytes, NULL));
    rows[0] = NULL;
    assert_needed(sporf_shard_add_up(shard, "", 0, rows, &size, 1, &bytes, &size));
    assert_needed(sporf_shard_grow(shard, "", 0, rows, &size, 1, &bytes, &size));
    assert_null(bytes);
    sporf_shard_free(NULL);
    sporf_shard_free(shard);
    sporf_dataset_free(data);
}

static void crowns_need_their_arguments(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 50, 3, 2, 1);
    sporf_params params = some_params();
    sporf_crown *crown = NULL;
    sporf_forest *forest = NULL;
    void *bytes = NULL;
    size_t size = 7;
    uint64_t rows;
    const void *answers[] = {NULL};
    assert_needed(sporf_crown_create(NULL, data, &params, NULL, 1, 1, &crown));
    assert_needed(sporf_crown_create(data, NULL, &params, NULL, 1, 1, &crown));
    assert_needed(sporf_crown_create(data, data, &params, NULL, 0, 1, &crown));
    assert_needed(sporf_crown_create(data, data, &params, NULL, 1, 0, &crown));
    assert_needed(sporf_crown_create(data, data, &params, NULL, 1, 1, NULL));
    assert_null(crown);
    assert_ok(sporf_crown_create(data, data, &params, NULL, 1, 1, &crown));
    assert_null(sporf_crown_ask(NULL, &size));
    assert_null(sporf_crown_ask(crown, NULL));
    assert_needed(sporf_crown_hear(NULL, answers, &size, 1));
    assert_needed(sporf_crown_hear(crown, NULL, &size, 1));
    assert_needed(sporf_crown_hear(crown, answers, NULL, 1));
    assert_needed(sporf_crown_hear(crown, answers, &size, 1));
    assert_int_equal(sporf_crown_branches(NULL), 0);
    assert_int_equal(sporf_crown_branches(crown), 0);
    assert_needed(sporf_crown_branch(NULL, 0, &bytes, &size, &rows));
    assert_needed(sporf_crown_branch(crown, 0, &bytes, &size, &rows));
    assert_needed(sporf_crown_take(NULL, 0, "", 0));
    assert_needed(sporf_crown_take(crown, 0, NULL, 0));
    assert_needed(sporf_crown_take(crown, 0, "", 0));
    assert_needed(sporf_crown_finish(NULL, &forest));
    assert_needed(sporf_crown_finish(crown, NULL));
    assert_null(forest);
    sporf_crown_free(NULL);
    sporf_crown_free(crown);
    sporf_dataset_free(data);
}

static void shards_are_within_the_outcomes(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 50, 3, 2, 1);
    sporf_dataset *more = random_data(DATA_SMOOTH, 60, 3, 2, 1);
    sporf_shard *shard = NULL;
    assert_refused(sporf_shard_create(data, more, 0, NULL, &shard), SPORF_ERROR_ARGUMENT,
                   "60 rows from row 1 on, but there are outcomes for 50");
    assert_refused(sporf_shard_create(more, data, 11, NULL, &shard), SPORF_ERROR_ARGUMENT,
                   "50 rows from row 12 on, but there are outcomes for 60");
    assert_refused(sporf_shard_create(more, data, SIZE_MAX, NULL, &shard), SPORF_ERROR_ARGUMENT,
                   "outcomes for 60");
    assert_null(shard);
    assert_ok(sporf_shard_create(more, data, 10, NULL, &shard));
    sporf_shard_free(shard);
    sporf_dataset_free(more);
    sporf_dataset_free(data);
}

/* ---- what cannot be grown -------------------------------------------------------------------- */

static void refuse(const sporf_dataset *data, const sporf_params *params, const char *words) {
    sporf_shard *shard = NULL;
    sporf_crown *crown = NULL;
    assert_refused(sporf_shard_create(data, data, 0, params, &shard), SPORF_ERROR_ARGUMENT, words);
    assert_refused(sporf_crown_create(data, data, params, NULL, 1, 1, &crown), SPORF_ERROR_ARGUMENT,
                   words);
    assert_null(shard);
    assert_null(crown);
}

static void tables_that_cannot_be_grown_are_refused(void **state) {
    (void)state;
    sporf_params params = some_params();
    sporf_dataset *numbers = with_targets(DATA_SMOOTH, 50, 3, 2, 1);
    refuse(numbers, &params, "cannot be used with several targets");
    sporf_dataset_free(numbers);
}

/* Levels are numbers in messages, so a shard whose levels have other names is of another training.
 */
static void levels_are_those_of_all_shards(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b"}, *const others[] = {"a", "c"};
    sporf_params params = some_params();
    sporf_dataset *data = random_data(DATA_TIED, 50, 2, 2, 1), *other = NULL;
    float *column = spf_dataset_column(data, 1);
    for (size_t i = 0; i < 50; i++) column[i] = (float)(i % 2);
    other = random_data(DATA_TIED, 50, 2, 2, 1);
    memcpy(spf_dataset_column(other, 1), column, 50 * sizeof *column);
    assert_ok(sporf_dataset_set_levels(data, 1, SPORF_KIND_CATEGORY, names, 2));
    assert_ok(sporf_dataset_set_levels(other, 1, SPORF_KIND_CATEGORY, others, 2));
    sporf_shard *shard = NULL;
    sporf_crown *crown = NULL;
    void *answer = NULL;
    size_t size = 0, answer_size = 0;
    assert_ok(sporf_shard_create(data, data, 0, &params, &shard));
    sporf_shard *beside = NULL;
    assert_refused(sporf_shard_create_beside(shard, other, 0, &beside), SPORF_ERROR_ARGUMENT,
                   "the same columns and levels");
    sporf_shard_free(shard);
    assert_ok(sporf_shard_create(data, other, 0, &params, &shard));
    assert_ok(sporf_crown_create(data, data, &params, NULL, 1, 1, &crown));
    const void *question = sporf_crown_ask(crown, &size);
    assert_refused(sporf_shard_answer(shard, question, size, 1, &answer, &answer_size),
                   SPORF_ERROR_DATA, "from another training");
    sporf_crown_free(crown);
    sporf_shard_free(shard);
    sporf_dataset_free(other);
    sporf_dataset_free(data);
}

static void settings_that_cannot_be_grown_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *option, *value, *words;
    } refused[] = {
        {"method", "ccf", "cannot be used with this method"},
        {"method", "rr-rf", "cannot be used with this method"},
        {"honest", "0.5", "cannot be used with honest trees"},
        {"split", "exact", "cannot be used with exact splits"},
        {"scale", "iqr", "cannot be used with scale 'iqr'"},
        {"learner", "boosting", "a boosted model cannot be grown from rows apart"},
    };
    sporf_dataset *data = random_data(DATA_SMOOTH, 50, 3, 2, 1);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        sporf_params params = some_params();
        assert_ok(sporf_params_set(&params, refused[i].option, refused[i].value));
        refuse(data, &params, refused[i].words);
    }
    sporf_dataset_free(data);
}

static sporf_status draw_nothing(void *payload, void *state, const sporf_view *view,
                                 sporf_random *random, sporf_projections *candidates) {
    (void)payload, (void)state, (void)view, (void)random, (void)candidates;
    return SPORF_OK;
}

static void samplers_of_ones_own_are_refused(void **state) {
    (void)state;
    const sporf_sampler sampler = {.name = "mine", .draw = draw_nothing};
    sporf_dataset *data = random_data(DATA_SMOOTH, 50, 3, 2, 1);
    sporf_crown *crown = NULL;
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.sampler = &sampler;
    assert_refused(sporf_crown_create(data, data, NULL, &hooks, 1, 1, &crown), SPORF_ERROR_ARGUMENT,
                   "a sampler of one's own");
    assert_null(crown);
    sporf_dataset_free(data);
}

static void tables_need_columns_and_labels(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 50, 3, 2, 1), *bare = NULL;
    sporf_crown *crown = NULL;
    assert_ok(sporf_dataset_of_outcomes(50, &bare));
    assert_refused(sporf_crown_create(bare, data, NULL, NULL, 1, 1, &crown), SPORF_ERROR_DATA,
                   "the data have no labels");
    assert_int_not_equal(sporf_crown_create(data, bare, NULL, NULL, 1, 1, &crown), SPORF_OK);
    assert_null(crown);
    sporf_dataset_free(bare);
    sporf_dataset_free(data);
}

/* A matrix that is borrowed may have changed since it was looked at. */
static void values_of_a_shard_are_checked(void **state) {
    (void)state;
    float values[] = {1, 2, 3, 4};
    int64_t labels[] = {0, 1, 0, 1};
    sporf_matrix matrix = {values, SPORF_FLOAT32, 4, 1, 1, 4};
    sporf_dataset *data = NULL;
    sporf_shard *shard = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, 4));
    values[2] = INFINITY;
    assert_int_not_equal(sporf_shard_create(data, data, 0, NULL, &shard), SPORF_OK);
    assert_null(shard);
    sporf_dataset_free(data);
}

/* ---- in which order -------------------------------------------------------------------------- */

/* Goes on until there are branches to grow. */
static void reach_branches(two_shards *both) {
    while (sporf_crown_branches(both->crown) == 0) assert_ok(apart_go_on(both, 1));
}

static void branches_are_grown_before_more_is_heard(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 3, 2);
    sporf_params params = some_params();
    two_shards both;
    apart_round round, again;
    void *question = NULL;
    size_t size;
    uint64_t rows;
    two_shards_open(data, &params, &both);
    two_shards_start(&both, NULL, 600, 2);
    reach_branches(&both);
    size_t count = sporf_crown_branches(both.crown);
    assert_true(count > 1);
    assert_null(sporf_crown_ask(both.crown, &size));
    const void *answers[] = {""};
    size = 0;
    assert_refused(sporf_crown_hear(both.crown, answers, &size, 1), SPORF_ERROR_ARGUMENT,
                   "nothing was asked");
    assert_refused(sporf_crown_branch(both.crown, count, &question, &size, &rows),
                   SPORF_ERROR_ARGUMENT, "there is no branch");
    assert_refused(sporf_crown_take(both.crown, count, "", 0), SPORF_ERROR_ARGUMENT,
                   "there is no branch");
    assert_needed(sporf_crown_branch(both.crown, 0, NULL, &size, &rows));
    assert_needed(sporf_crown_branch(both.crown, 0, &question, NULL, &rows));
    assert_needed(sporf_crown_branch(both.crown, 0, &question, &size, NULL));
    assert_true(apart_ask(&both, &round));
    assert_ok(apart_answer(&both, &round));
    assert_ok(apart_grow(&both, &round));
    again = round;
    again.grown.size--;
    assert_refused(apart_hear(&both, &again), SPORF_ERROR_DATA, "damaged");
    assert_ok(apart_hear(&both, &round)); /* a branch that arrived damaged may come again */
    assert_ok(apart_hear(&both, &round)); /* and one that was grown twice is taken once */
    assert_int_equal(sporf_crown_branches(both.crown), count);
    apart_round_free(&round);
    assert_ok(apart_go_on(&both, SIZE_MAX));
    sporf_forest *whole = NULL, *apart = NULL;
    assert_ok(sporf_forest_train(data, &params, NULL, &whole));
    assert_ok(sporf_crown_finish(both.crown, &apart));
    assert_same_bytes(whole, apart);
    sporf_forest_free(whole);
    sporf_forest_free(apart);
    two_shards_close(&both);
    sporf_dataset_free(data);
}

static void a_forest_is_taken_once(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 60, 3, 2, 2);
    sporf_params params = some_params();
    sporf_forest *forest = NULL, *second = NULL;
    two_shards both;
    size_t size;
    two_shards_open(data, &params, &both);
    two_shards_start(&both, NULL, 600, 2);
    assert_ok(apart_go_on(&both, SIZE_MAX));
    assert_ok(sporf_crown_finish(both.crown, &forest));
    assert_refused(sporf_crown_finish(both.crown, &second), SPORF_ERROR_ARGUMENT, "already taken");
    assert_null(second);
    assert_null(sporf_crown_ask(both.crown, &size));
    sporf_forest_free(forest);
    two_shards_close(&both);
    sporf_dataset_free(data);
}

/* ---- stopping early -------------------------------------------------------------------------- */

static void progress_counts_trees(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 3, 2);
    sporf_params params = some_params();
    two_shards both;
    two_shards_open(data, &params, &both);
    for (uint32_t trees = 1; trees < 6; trees += 2) {
        watch w = watch_always();
        sporf_hooks hooks = watch_hooks(&w);
        two_shards_start(&both, &hooks, 300, trees);
        assert_ok(apart_go_on(&both, SIZE_MAX));
        assert_int_equal(w.calls, 4);
        assert_int_equal(w.done, 4);
        assert_int_equal(w.total, 4);
        assert_int_equal(w.faults, 0);
    }
    two_shards_close(&both);
    sporf_dataset_free(data);
}

static void there_is_no_forest_without_a_tree(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 3, 2);
    sporf_params params = some_params();
    sporf_forest *forest = NULL;
    two_shards both;
    apart_round round;
    two_shards_open(data, &params, &both);
    two_shards_start(&both, NULL, 1, 2);
    while (apart_ask(&both, &round)) {
        assert_ok(apart_answer(&both, &round));
        if (round.is_branch) break;
        assert_refused(sporf_crown_finish(both.crown, &forest), SPORF_ERROR_CANCELLED, "no tree");
        assert_ok(apart_hear(&both, &round));
        apart_round_free(&round);
    }
    assert_refused(sporf_crown_finish(both.crown, &forest), SPORF_ERROR_CANCELLED, "no tree");
    assert_null(forest);
    apart_round_free(&round);
    two_shards_close(&both);
    sporf_dataset_free(data);
}

/* What an interrupted training on one machine gives. */
static sporf_forest *first_trees(const sporf_dataset *data, sporf_params params, size_t count) {
    watch w = watch_until(count);
    sporf_hooks hooks = watch_hooks(&w);
    sporf_forest *forest = NULL;
    params.threads = 1;
    assert_ok(sporf_forest_train(data, &params, &hooks, &forest));
    assert_int_equal(sporf_forest_trees(forest), count);
    return forest;
}

/* Whether the hook stops it, or one simply stops asking. */
static void the_first_trees_are_those_of_an_interrupted_training(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 3, 2);
    sporf_params params = some_params();
    two_shards both;
    two_shards_open(data, &params, &both);
    for (size_t count = 1; count < 4; count++) {
        sporf_forest *whole = first_trees(data, params, count);
        for (int hooked = 0; hooked < 2; hooked++) {
            watch w = hooked ? watch_until(count) : watch_always();
            sporf_hooks hooks = watch_hooks(&w);
            sporf_forest *apart = NULL;
            sporf_status status = SPORF_OK;
            two_shards_start(&both, &hooks, 300, 1);
            while (status == SPORF_OK && w.done < count) status = apart_go_on(&both, 1);
            assert_int_equal(status, hooked ? SPORF_ERROR_CANCELLED : SPORF_OK);
            assert_ok(sporf_crown_finish(both.crown, &apart));
            assert_same_bytes(whole, apart);
            assert_same_oob(whole, apart);
            sporf_forest_free(apart);
        }
        sporf_forest_free(whole);
    }
    two_shards_close(&both);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_need_rows),
        cmocka_unit_test(shards_need_their_arguments),
        cmocka_unit_test(crowns_need_their_arguments),
        cmocka_unit_test(shards_are_within_the_outcomes),
        cmocka_unit_test(tables_that_cannot_be_grown_are_refused),
        cmocka_unit_test(levels_are_those_of_all_shards),
        cmocka_unit_test(settings_that_cannot_be_grown_are_refused),
        cmocka_unit_test(samplers_of_ones_own_are_refused),
        cmocka_unit_test(tables_need_columns_and_labels),
        cmocka_unit_test(values_of_a_shard_are_checked),
        cmocka_unit_test(branches_are_grown_before_more_is_heard),
        cmocka_unit_test(a_forest_is_taken_once),
        cmocka_unit_test(progress_counts_trees),
        cmocka_unit_test(there_is_no_forest_without_a_tree),
        cmocka_unit_test(the_first_trees_are_those_of_an_interrupted_training),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
