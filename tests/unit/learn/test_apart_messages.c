/* Messages between machines that are cut off, changed or mixed up: shards and crowns refuse them,
 * or answer where nothing shows the change, and a training ends whatever answers say. The
 * sanitizers see what is read beyond a message. */
#include "support/check.h"
#include "support/random_data.h"
#include "support/two_shards.h"

#include "base/rng.h"
#include "data/dataset.h"

enum { ROWS = 1700, TREES = 2, ROUNDS_MAX = 4 * ROWS };

/* ---- trainings ------------------------------------------------------------------------------- */

/* Every kind of ask occurs in one of them. */
enum { TRAININGS = 8 };

/* Most values of a column are close to each other, and some are missing. */
static void make_heavy(sporf_dataset *data) {
    float *column = spf_dataset_column(data, 1);
    for (size_t i = 0; i < ROWS; i++)
        column[i] = i % 7 == 3 ? NAN : i % 200 == 1 ? 1e6f : column[i];
    assert_ok(spf_dataset_check_values(data));
}

/* Some predict numbers, of which one has leaves above all branches; the last two have categories.
 */
static sporf_dataset *make_data(int training) {
    static const data_kind kinds[] = {DATA_SMOOTH, DATA_BYTES,  DATA_SMOOTH, DATA_TIED,
                                      DATA_SMOOTH, DATA_SMOOTH, DATA_MIXED,  DATA_MIXED};
    static const size_t classes[] = {2, 3, 3, 2, 0, 0, 3, 2}; /* 0: regression */
    uint64_t seed = 5 + (uint64_t)training;
    sporf_dataset *data = classes[training] > 0
                              ? random_data(kinds[training], ROWS, 4, classes[training], seed)
                              : with_targets(kinds[training], ROWS, 4, 1, seed);
    if (training == 2 || training == 5 || training == 7) weigh_rows(data, 0.3);
    if (training == 2 || training == 3) make_heavy(data);
    return data;
}

static sporf_params make_params(int training) {
    sporf_params params =
        params_with("trees", "2", "scale", training == 0 ? "sd" : "none", "criterion",
                    training == 1 ? "entropy" : "gini", (char *)NULL);
    if (training == 2 || training == 7) params.min_leaf = 30;
    if (training == 2 || training == 5 || training == 7) params.weight_is = SPORF_WEIGHT_RELATIVE;
    if (training == 5) params.max_depth = 2;
    return params;
}

typedef struct {
    sporf_dataset *data;
    two_shards both;
    apart_talk talk;
} training;

static void start(two_shards *both) {
    two_shards_start(both, NULL, 1, TREES);
}

static void open_training(int number, training *t) {
    t->data = make_data(number);
    sporf_params params = make_params(number);
    two_shards_open(t->data, &params, &t->both);
    start(&t->both);
    t->talk = apart_record(&t->both);
}

static void close_training(training *t) {
    apart_talk_free(&t->talk);
    two_shards_close(&t->both);
    sporf_dataset_free(t->data);
}

static void with_each(void (*run)(training *)) {
    for (int number = 0; number < TRAININGS; number++) {
        training t;
        open_training(number, &t);
        run(&t);
        close_training(&t);
    }
}

/* A new crown that has heard the first rounds. */
static void replay(training *t, size_t rounds) {
    start(&t->both);
    for (size_t i = 0; i < rounds; i++) assert_ok(apart_hear(&t->both, &t->talk.round[i]));
}

/* ---- damage ---------------------------------------------------------------------------------- */

static message copy_of(const message *from, size_t size) {
    message copy = {need(size, 1), size};
    memcpy(copy.bytes, from->bytes, size < from->size ? size : from->size);
    return copy;
}

static uint32_t below(sporf_random *random, size_t bound) {
    return spf_random_below(random, (uint32_t)bound);
}

/* A bit, or a number of four or eight bytes that is often a trap. */
static void change(message *m, sporf_random *random) {
    static const uint64_t traps[] = {0,
                                     1,
                                     2,
                                     UINT32_MAX,
                                     UINT64_MAX,
                                     0x7fc00000,         /* NaN */
                                     0x7f800000,         /* infinity */
                                     0xff800000,         /* and below all */
                                     0x7ff8000000000000, /* the same in double precision */
                                     0x7ff0000000000000,
                                     0x8000000000000000,
                                     0x80000000,
                                     0x7fffffff};
    size_t at = below(random, m->size), wide = below(random, 2) ? 8 : 4;
    if (below(random, 2)) at = at / 4 * 4;
    if (below(random, 3) == 0 || at + wide > m->size)
        m->bytes[at] ^= (unsigned char)(1u << below(random, 8));
    else
        memcpy(m->bytes + at, &traps[below(random, sizeof traps / sizeof *traps)], wide);
}

/* The n-th damaged copy: cut off at every early length, then anywhere, then changed. */
static message damaged(const message *from, size_t n, uint64_t seed) {
    enum { EARLY = 60, CUTS = 90 };
    sporf_random random = spf_random_start(seed, n, 1);
    if (n < EARLY && n < from->size) return copy_of(from, n);
    if (n < CUTS) return copy_of(from, below(&random, from->size + 9));
    message copy = copy_of(from, from->size);
    for (uint32_t times = 1 + below(&random, 3); times > 0; times--) change(&copy, &random);
    return copy;
}

static void assert_survived(sporf_status status) {
    if (status == SPORF_OK || status == SPORF_ERROR_DATA || status == SPORF_ERROR_ARGUMENT) return;
    fail_msg("status %d: %s", (int)status, sporf_last_error());
}

/* ---- questions ------------------------------------------------------------------------------- */

static void remake_shard(two_shards *both, int number) {
    size_t first = number ? sporf_dataset_rows(both->rows[0]) : 0;
    sporf_shard_free(both->shard[number]);
    both->shard[number] = NULL;
    assert_ok(sporf_shard_create(both->data, both->rows[number], first, &both->params,
                                 &both->shard[number]));
}

static void ask_damaged(training *t, const apart_round *round, size_t n, uint64_t seed) {
    message question = damaged(&round->question, n, seed);
    void *answer = NULL;
    size_t size;
    if (n % 2) remake_shard(&t->both, 0);
    sporf_status status =
        sporf_shard_answer(t->both.shard[0], question.bytes, question.size, 1, &answer, &size);
    assert_survived(status);
    if (status == SPORF_OK) sporf_free(answer);
    free(question.bytes);
}

static void ask_all_damaged(training *t) {
    for (size_t i = 0; i < t->talk.count; i++)
        for (size_t n = 0; n < 150; n++) ask_damaged(t, &t->talk.round[i], i < 6 ? n : 90 + n, i);
}

static void shards_survive_any_question(void **state) {
    (void)state;
    no_threads_meet();
    with_each(ask_all_damaged);
}

static void ask_in_any_order(training *t) {
    for (size_t n = 0; n < 3 * t->talk.count; n++) {
        apart_round round = t->talk.round[n * 7 % t->talk.count];
        message wanted[] = {round.answer[0], round.answer[1]};
        assert_ok(apart_answer(&t->both, &round));
        for (int i = 0; i < 2; i++) {
            assert_int_equal(round.answer[i].size, wanted[i].size);
            assert_memory_equal(round.answer[i].bytes, wanted[i].bytes, wanted[i].size);
            free(round.answer[i].bytes);
        }
    }
}

/* Also those that come again after later ones: what a shard keeps follows from the question. */
static void questions_are_answered_in_any_order(void **state) {
    (void)state;
    with_each(ask_in_any_order);
}

/* ---- answers --------------------------------------------------------------------------------- */

/* A crown that hears a damaged answer and, if it took it, goes on with good ones. */
static void hear_damaged(training *t, size_t i, size_t n, uint64_t seed) {
    apart_round round = t->talk.round[i];
    message *changed = round.is_branch ? &round.grown : &round.answer[n % 2];
    message bad = damaged(changed, n, seed);
    *changed = bad;
    replay(t, i);
    sporf_status status = apart_hear(&t->both, &round);
    assert_survived(status);
    if (status == SPORF_OK) assert_survived(apart_go_on(&t->both, ROUNDS_MAX));
    sporf_forest *forest = NULL;
    status = sporf_crown_finish(t->both.crown, &forest);
    assert_true(status == SPORF_OK || status == SPORF_ERROR_CANCELLED);
    sporf_forest_free(forest);
    free(bad.bytes);
}

static void hear_all_damaged(training *t) {
    for (size_t i = 0; i < t->talk.count; i++)
        for (size_t n = 0; n < (i < 8 ? 120 : 30); n++)
            hear_damaged(t, i, i < 8 ? n : 90 + n, 1000 + i);
}

static void crowns_end_whatever_answers_say(void **state) {
    (void)state;
    no_threads_meet();
    with_each(hear_all_damaged);
}

/* ---- sums ------------------------------------------------------------------------------------ */

static sporf_status add_up(training *t, const message *question, const message *answer,
                           message *sum) {
    const void *bytes[] = {answer[0].bytes, answer[1].bytes};
    const size_t sizes[] = {answer[0].size, answer[1].size};
    void *made = NULL;
    sporf_status status = sporf_shard_add_up(t->both.shard[1], question->bytes, question->size,
                                             bytes, sizes, 2, &made, &sum->size);
    sum->bytes = made;
    return status;
}

/* What is added up is heard like the answers themselves; a damaged part is refused, or is a sum
 * like any damaged answer. */
static void add_up_damaged(training *t) {
    for (size_t i = 0; i < t->talk.count; i++) {
        const apart_round *round = &t->talk.round[i];
        message sum = {0}, whole[] = {round->answer[0], round->answer[1]};
        replay(t, i);
        sporf_status status = add_up(t, &round->question, whole, &sum);
        if (round->is_branch) {
            assert_refused(status, SPORF_ERROR_ARGUMENT, "cannot be added up");
            continue;
        }
        assert_ok(status);
        const void *bytes = sum.bytes;
        assert_ok(sporf_crown_hear(t->both.crown, &bytes, &sum.size, 1));
        sporf_free(sum.bytes);
        for (size_t n = 0; n < 150; n++) {
            size_t which = n % 3; /* an answer, or the question */
            message some[] = {whole[0], whole[1], round->question}, bad;
            bad = some[which] = damaged(&some[which], i < 6 ? n : 90 + n, 3000 + i);
            status = add_up(t, &some[2], some, &sum);
            assert_survived(status);
            if (status == SPORF_OK) sporf_free(sum.bytes);
            free(bad.bytes);
        }
    }
}

static void damaged_answers_are_added_up(void **state) {
    (void)state;
    no_threads_meet();
    with_each(add_up_damaged);
}

/* Values for the choice of settings. */
static void pilot_forests_grow_of_possible_values(void **state) {
    (void)state;
    no_threads_meet();
    enum { PILOT_ROWS = 300, BEFORE = 2 }; /* facts and spread are asked before */
    training t = {.data = random_data(DATA_SMOOTH, PILOT_ROWS, 4, 2, 1)};
    apart_round round;
    sporf_params params;
    sporf_params_init(&params);
    params.threads = 1;
    two_shards_open(t.data, &params, &t.both);
    start(&t.both);
    t.talk = (apart_talk){need(BEFORE + 1, sizeof round), BEFORE + 1};
    for (size_t i = 0; i < t.talk.count; i++) {
        assert_true(apart_ask(&t.both, &t.talk.round[i]));
        assert_ok(apart_answer(&t.both, &t.talk.round[i]));
        if (i < BEFORE) assert_ok(apart_hear(&t.both, &t.talk.round[i]));
    }
    assert_true(t.talk.round[BEFORE].question.size > 4 * PILOT_ROWS);
    for (size_t n = 0; n < 150; n++) ask_damaged(&t, &t.talk.round[BEFORE], n, 1);
    for (size_t n = 50; n < 110; n++) {
        round = t.talk.round[BEFORE];
        message bad = round.answer[n % 2] = damaged(&round.answer[n % 2], n, 1);
        replay(&t, BEFORE);
        assert_survived(apart_hear(&t.both, &round));
        free(bad.bytes);
    }
    close_training(&t);
}

/* ---- rows of branches ------------------------------------------------------------------------ */

static void grow_damaged(training *t, size_t i, size_t n) {
    apart_round round = t->talk.round[i];
    message *changed = &round.answer[n % 2], bad = damaged(changed, n, 7);
    *changed = bad;
    round.grown = (message){0};
    sporf_status status = apart_grow(&t->both, &round);
    assert_survived(status);
    free(round.grown.bytes);
    free(bad.bytes);
}

static void grow_all_damaged(training *t) {
    for (size_t i = 0; i < t->talk.count; i++)
        for (size_t n = 0; t->talk.round[i].is_branch && n < 150; n++) grow_damaged(t, i, n);
}

static void branches_are_grown_of_possible_rows(void **state) {
    (void)state;
    no_threads_meet();
    with_each(grow_all_damaged);
}

/* ---- messages that are good, but not these --------------------------------------------------- */

static void answers_of_another_question_are_refused(void **state) {
    (void)state;
    training t;
    open_training(0, &t);
    for (size_t i = 0; i < t.talk.count; i++) {
        apart_round round = t.talk.round[i];
        replay(&t, i);
        for (size_t j = 0; j < t.talk.count; j++) {
            const apart_round *other = &t.talk.round[j];
            if (j == i || other->is_branch != round.is_branch) continue;
            round.answer[1] = other->answer[1];
            round.grown = other->grown;
            assert_refused(apart_hear(&t.both, &round), SPORF_ERROR_DATA, "from another training");
        }
        assert_ok(apart_hear(&t.both, &t.talk.round[i])); /* nothing has changed */
    }
    close_training(&t);
}

/* One of two shards, both in the wrong order, and one twice. */
static void answers_of_some_shards_are_refused(void **state) {
    (void)state;
    static const struct {
        size_t count;
        int shard[3];
    } wrong[] = {{0, {0}}, {1, {0}}, {1, {1}}, {2, {1, 0}}, {2, {0, 0}}, {3, {0, 1, 1}}};
    training t;
    open_training(0, &t);
    for (size_t i = 0; i < t.talk.count; i++) {
        const apart_round *round = &t.talk.round[i];
        replay(&t, i);
        for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
            const void *bytes[3];
            size_t sizes[3], size;
            void *grown = NULL;
            for (size_t k = 0; k < wrong[w].count; k++) {
                bytes[k] = round->answer[wrong[w].shard[k]].bytes;
                sizes[k] = round->answer[wrong[w].shard[k]].size;
            }
            sporf_status status =
                round->is_branch
                    ? sporf_shard_grow(t.both.shard[0], round->question.bytes, round->question.size,
                                       bytes, sizes, wrong[w].count, &grown, &size)
                    : sporf_crown_hear(t.both.crown, bytes, sizes, wrong[w].count);
            assert_refused(status, SPORF_ERROR_ARGUMENT, "of all shards");
        }
    }
    close_training(&t);
}

static void trainings_are_not_mixed_up(void **state) {
    (void)state;
    training t;
    open_training(0, &t);
    for (int change = 0; change < 3; change++) {
        sporf_params params = t.both.params;
        sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, change == 2 ? 6 : 5);
        void *answer;
        size_t size;
        two_shards other;
        params.seed += change == 0;
        params.trees += change == 1;
        two_shards_open(data, &params, &other);
        for (size_t i = 0; i < t.talk.count; i++)
            assert_refused(sporf_shard_answer(other.shard[0], t.talk.round[i].question.bytes,
                                              t.talk.round[i].question.size, 1, &answer, &size),
                           SPORF_ERROR_DATA, "from another training");
        two_shards_close(&other);
        sporf_dataset_free(data);
    }
    close_training(&t);
}

static void a_failed_crown_asks_nothing(void **state) {
    (void)state;
    training t;
    open_training(0, &t);
    apart_round round = t.talk.round[0];
    size_t size;
    message bad = copy_of(&round.answer[1], round.answer[1].size - 1);
    round.answer[1] = bad;
    start(&t.both);
    assert_refused(apart_hear(&t.both, &round), SPORF_ERROR_DATA, "damaged");
    assert_null(sporf_crown_ask(t.both.crown, &size));
    assert_int_equal(sporf_crown_branches(t.both.crown), 0);
    assert_refused(apart_hear(&t.both, &t.talk.round[0]), SPORF_ERROR_ARGUMENT,
                   "nothing was asked");
    free(bad.bytes);
    close_training(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shards_survive_any_question),
        cmocka_unit_test(questions_are_answered_in_any_order),
        cmocka_unit_test(crowns_end_whatever_answers_say),
        cmocka_unit_test(damaged_answers_are_added_up),
        cmocka_unit_test(pilot_forests_grow_of_possible_values),
        cmocka_unit_test(branches_are_grown_of_possible_rows),
        cmocka_unit_test(answers_of_another_question_are_refused),
        cmocka_unit_test(answers_of_some_shards_are_refused),
        cmocka_unit_test(trainings_are_not_mixed_up),
        cmocka_unit_test(a_failed_crown_asks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
