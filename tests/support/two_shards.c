/* Two shards and a crown in one process. */
#include "support/two_shards.h"

#include "support/check.h"

/* ---- shards ---------------------------------------------------------------------------------- */

static sporf_dataset *rows_between(const sporf_dataset *data, size_t begin, size_t end) {
    sporf_dataset *part = NULL;
    uint32_t *numbers = need(end - begin, sizeof *numbers);
    for (size_t i = begin; i < end; i++) numbers[i - begin] = (uint32_t)i;
    assert_ok(sporf_dataset_select(data, numbers, end - begin, &part));
    free(numbers);
    return part;
}

void two_shards_open(const sporf_dataset *data, const sporf_params *params, two_shards *both) {
    size_t rows = sporf_dataset_rows(data), first[] = {0, rows / 3, rows};
    *both = (two_shards){.data = data, .params = *params};
    for (int i = 0; i < 2; i++) {
        both->rows[i] = rows_between(data, first[i], first[i + 1]);
        assert_ok(sporf_shard_create(data, both->rows[i], first[i], params, &both->shard[i]));
    }
}

void two_shards_close(two_shards *both) {
    sporf_crown_free(both->crown);
    for (int i = 0; i < 2; i++) {
        sporf_shard_free(both->shard[i]);
        sporf_dataset_free(both->rows[i]);
    }
}

void two_shards_start(two_shards *both, const sporf_hooks *hooks, uint64_t branch_rows,
                      uint32_t trees) {
    sporf_crown_free(both->crown);
    both->crown = NULL;
    assert_ok(sporf_crown_create(both->data, both->rows[0], &both->params, hooks, branch_rows,
                                 trees, &both->crown));
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static message copy_of(const void *bytes, size_t size) {
    message copy = {need(size, 1), size};
    memcpy(copy.bytes, bytes, size);
    return copy;
}

int apart_ask(two_shards *both, apart_round *round) {
    size_t size = 0;
    uint64_t rows;
    const void *question = sporf_crown_ask(both->crown, &size);
    void *about = NULL;
    *round = (apart_round){0};
    if (question) {
        both->branch = 0;
        round->question = copy_of(question, size);
        return 1;
    }
    if (both->branch >= sporf_crown_branches(both->crown)) return 0;
    round->is_branch = 1;
    round->branch = both->branch++;
    assert_ok(sporf_crown_branch(both->crown, round->branch, &about, &size, &rows));
    round->question = copy_of(about, size);
    sporf_free(about);
    return 1;
}

/* Takes over what the library returned. */
static sporf_status keep(sporf_status status, void *bytes, size_t size, message *out) {
    if (status != SPORF_OK) return status;
    *out = copy_of(bytes, size);
    sporf_free(bytes);
    return SPORF_OK;
}

sporf_status apart_answer(two_shards *both, apart_round *round) {
    sporf_status status = SPORF_OK;
    for (int i = 0; status == SPORF_OK && i < 2; i++) {
        void *bytes = NULL;
        size_t size = 0;
        status = sporf_shard_answer(both->shard[i], round->question.bytes, round->question.size, 1,
                                    &bytes, &size);
        status = keep(status, bytes, size, &round->answer[i]);
    }
    return status;
}

sporf_status apart_grow(two_shards *both, apart_round *round) {
    const void *rows[] = {round->answer[0].bytes, round->answer[1].bytes};
    const size_t sizes[] = {round->answer[0].size, round->answer[1].size};
    void *bytes = NULL;
    size_t size = 0;
    if (!round->is_branch) return SPORF_OK;
    sporf_status status = sporf_shard_grow(both->shard[round->branch % 2], round->question.bytes,
                                           round->question.size, rows, sizes, 2, &bytes, &size);
    return keep(status, bytes, size, &round->grown);
}

sporf_status apart_hear(two_shards *both, const apart_round *round) {
    const void *answers[] = {round->answer[0].bytes, round->answer[1].bytes};
    const size_t sizes[] = {round->answer[0].size, round->answer[1].size};
    return round->is_branch
               ? sporf_crown_take(both->crown, round->branch, round->grown.bytes, round->grown.size)
               : sporf_crown_hear(both->crown, answers, sizes, 2);
}

void apart_round_free(apart_round *round) {
    free(round->question.bytes);
    free(round->answer[0].bytes);
    free(round->answer[1].bytes);
    free(round->grown.bytes);
    *round = (apart_round){0};
}

static sporf_status go_through(two_shards *both, apart_round *round) {
    sporf_status status = apart_answer(both, round);
    if (status == SPORF_OK) status = apart_grow(both, round);
    return status == SPORF_OK ? apart_hear(both, round) : status;
}

sporf_status apart_go_on(two_shards *both, size_t rounds) {
    sporf_status status = SPORF_OK;
    apart_round round;
    for (; status == SPORF_OK && rounds > 0 && apart_ask(both, &round); rounds--) {
        status = go_through(both, &round);
        apart_round_free(&round);
    }
    return status;
}

apart_talk apart_record(two_shards *both) {
    apart_talk talk = {0};
    apart_round round;
    while (apart_ask(both, &round)) {
        assert_ok(go_through(both, &round));
        talk.round = realloc(talk.round, (talk.count + 1) * sizeof round);
        assert_non_null(talk.round);
        talk.round[talk.count++] = round;
    }
    return talk;
}

void apart_talk_free(apart_talk *talk) {
    for (size_t i = 0; i < talk->count; i++) apart_round_free(&talk->round[i]);
    free(talk->round);
}
