/* Memory runs out at every single allocation of a training whose rows are apart, one after the
 * other: the call says so, nothing leaks (which the address sanitizer sees), and a shard that
 * failed answers when it is asked again. Labels: threads */
#include "support/check.h"
#include "support/failing_alloc.h"
#include "support/random_data.h"
#include "support/two_shards.h"

/* Under the thread sanitizer, which looks for races and not for leaks, one in five has to do. */
#if defined(__SANITIZE_THREAD__)
enum { STEP = 5 };
#else
enum { STEP = 1 };
#endif

enum { ROWS = 1000 };

typedef struct {
    two_shards both;
    apart_talk talk;
    const apart_round *round; /* of the call */
    unsigned threads;
} subject;

static void start(two_shards *both) {
    two_shards_start(both, NULL, 1, 2);
}

/* Makes allocation 1, 2, ... fail until a run has fewer than that. */
static void run_out_everywhere(subject *s, void (*prepare)(subject *),
                               sporf_status (*run)(subject *), long step) {
    for (long k = 1;; k += step) {
        if (prepare) prepare(s);
        failing_alloc_after(k);
        sporf_status status = run(s);
        int hit = failing_alloc_hit();
        failing_alloc_off();
        if (!hit) {
            assert_ok(status);
            break;
        }
        if (status == SPORF_OK) continue;
        assert_int_equal(status, SPORF_ERROR_MEMORY);
        if (!strstr(sporf_last_error(), "memory"))
            fail_msg("allocation %ld: \"%s\"", k, sporf_last_error());
    }
}

/* ---- shards ---------------------------------------------------------------------------------- */

static void drop_shard(subject *s) {
    sporf_shard_free(s->both.shard[0]);
    s->both.shard[0] = NULL;
}

static sporf_status create_shard(subject *s) {
    return sporf_shard_create(s->both.data, s->both.rows[0], 0, &s->both.params, &s->both.shard[0]);
}

static sporf_status answer(subject *s) {
    const message *question = &s->round->question, *wanted = &s->round->answer[0];
    void *bytes = NULL;
    size_t size = 0;
    sporf_status status = sporf_shard_answer(s->both.shard[0], question->bytes, question->size,
                                             s->threads, &bytes, &size);
    if (status != SPORF_OK) return bytes ? SPORF_ERROR_MODEL : status; /* must be left alone */
    int same = size == wanted->size && memcmp(bytes, wanted->bytes, size) == 0;
    sporf_free(bytes);
    return same ? SPORF_OK : SPORF_ERROR_MODEL;
}

static sporf_status grow(subject *s) {
    const apart_round *round = s->round;
    const void *rows[] = {round->answer[0].bytes, round->answer[1].bytes};
    const size_t sizes[] = {round->answer[0].size, round->answer[1].size};
    void *bytes = NULL;
    size_t size;
    sporf_status status = sporf_shard_grow(s->both.shard[0], round->question.bytes,
                                           round->question.size, rows, sizes, 2, &bytes, &size);
    if (status != SPORF_OK) return bytes ? SPORF_ERROR_MODEL : status;
    sporf_free(bytes);
    return SPORF_OK;
}

static sporf_status add_up(subject *s) {
    const apart_round *round = s->round;
    const void *answers[] = {round->answer[0].bytes, round->answer[1].bytes};
    const size_t sizes[] = {round->answer[0].size, round->answer[1].size};
    void *sum = NULL;
    size_t size;
    sporf_status status = sporf_shard_add_up(s->both.shard[0], round->question.bytes,
                                             round->question.size, answers, sizes, 2, &sum, &size);
    if (status != SPORF_OK) return sum ? SPORF_ERROR_MODEL : status;
    sporf_free(sum);
    return SPORF_OK;
}

/* A shard that has lost everything, and starts again with this question. */
static void forget(subject *s) {
    drop_shard(s);
    assert_ok(create_shard(s));
}

/* ---- crowns ---------------------------------------------------------------------------------- */

static void drop_crown(subject *s) {
    sporf_crown_free(s->both.crown);
    s->both.crown = NULL;
}

static sporf_status create_crown(subject *s) {
    return sporf_crown_create(s->both.data, s->both.rows[0], &s->both.params, NULL, 1, 2,
                              &s->both.crown);
}

/* The crown hears all rounds before. */
static void replay(subject *s) {
    start(&s->both);
    for (const apart_round *round = s->talk.round; round < s->round; round++)
        assert_ok(apart_hear(&s->both, round));
}

static sporf_status hear(subject *s) {
    return apart_hear(&s->both, s->round);
}

static sporf_status ask_about_branch(subject *s) {
    void *question = NULL;
    size_t size;
    uint64_t rows;
    sporf_status status =
        sporf_crown_branch(s->both.crown, s->round->branch, &question, &size, &rows);
    if (status != SPORF_OK) return question ? SPORF_ERROR_MODEL : status;
    sporf_free(question);
    return SPORF_OK;
}

static sporf_status finish(subject *s) {
    sporf_forest *forest = NULL;
    sporf_status status = sporf_crown_finish(s->both.crown, &forest);
    if (status != SPORF_OK && forest) return SPORF_ERROR_MODEL;
    sporf_forest_free(forest);
    return status;
}

/* ---- everything ------------------------------------------------------------------------------ */

static void run_out_in_round(subject *s) {
    run_out_everywhere(s, NULL, answer, STEP);
    run_out_everywhere(s, forget, answer, STEP);
    if (!s->round->is_branch) run_out_everywhere(s, NULL, add_up, STEP);
    if (s->round->is_branch) {
        run_out_everywhere(s, NULL, grow, STEP);
        replay(s);
        run_out_everywhere(s, NULL, ask_about_branch, STEP);
    }
    run_out_everywhere(s, replay, hear, STEP);
}

static void run_out(const sporf_dataset *data, sporf_params params, unsigned threads) {
    subject s = {.threads = threads};
    two_shards_open(data, &params, &s.both);
    run_out_everywhere(&s, drop_shard, create_shard, STEP);
    run_out_everywhere(&s, drop_crown, create_crown, STEP);
    start(&s.both);
    s.talk = apart_record(&s.both);
    for (size_t i = 0; i < s.talk.count; i++) {
        s.round = &s.talk.round[i];
        run_out_in_round(&s);
    }
    s.round = s.talk.round + s.talk.count;
    run_out_everywhere(&s, replay, finish, STEP);
    apart_talk_free(&s.talk);
    two_shards_close(&s.both);
}

static void memory_runs_out_while_rows_are_apart(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++) {
        sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 3, 1 + threads, 1);
        if (threads == 2) weigh_rows(data, 0.3);
        run_out(data,
                params_with("trees", "2", "scale", "sd", "max-depth", "3", "class-weights",
                            "balanced", "min-leaf", "5", "weight-is",
                            threads == 2 ? "relative" : "count", (char *)NULL),
                threads);
        sporf_dataset_free(data);
    }
}

static void memory_runs_out_in_regression(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, 3, 1, 1);
    run_out(data, params_with("trees", "2", "max-depth", "2", (char *)NULL), 1);
    run_out(data, params_with("trees", "1", "min-leaf", "50", (char *)NULL), 1);
    sporf_dataset_free(data);
}

static void memory_runs_out_with_categories(void **state) {
    (void)state;
    for (size_t classes = 2; classes <= 3; classes++) {
        sporf_dataset *data = random_data(DATA_MIXED, ROWS, 4, classes, 1);
        run_out(data, params_with("trees", "1", "max-depth", "2", (char *)NULL), 1);
        sporf_dataset_free(data);
    }
}

/* Pilot forests have allocations of their own, which are tried elsewhere: some have to do. */
static void memory_runs_out_while_settings_are_chosen(void **state) {
    (void)state;
    enum { SOME = 97, BEFORE = 2 };
    sporf_dataset *data = random_data(DATA_SMOOTH, 100, 3, 2, 1);
    subject s = {.threads = 1};
    sporf_params params;
    sporf_params_init(&params);
    params.threads = 1;
    two_shards_open(data, &params, &s.both);
    start(&s.both);
    s.talk = (apart_talk){need(BEFORE + 1, sizeof *s.talk.round), BEFORE + 1};
    for (size_t i = 0; i <= BEFORE; i++) {
        apart_round *round = &s.talk.round[i];
        assert_true(apart_ask(&s.both, round));
        assert_ok(apart_answer(&s.both, round));
        if (i < BEFORE) assert_ok(apart_hear(&s.both, round));
    }
    s.round = &s.talk.round[BEFORE];
    run_out_everywhere(&s, NULL, answer, STEP);
    run_out_everywhere(&s, replay, hear, SOME * STEP);
    apart_talk_free(&s.talk);
    two_shards_close(&s.both);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_runs_out_while_rows_are_apart),
        cmocka_unit_test(memory_runs_out_in_regression),
        cmocka_unit_test(memory_runs_out_with_categories),
        cmocka_unit_test(memory_runs_out_while_settings_are_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
