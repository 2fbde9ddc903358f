/* libFuzzer target for answers to a crown of rows apart, and for branches. The first byte chooses
 * the training, the second the round; the rest is what the second shard answers behind the head or,
 * if the round is about a branch, the grown branch. A crown that takes it goes on with good
 * answers, and ends. */
#include "apart_target.h"

static void require_known(sporf_status status) {
    require(status == SPORF_OK || status == SPORF_ERROR_DATA || status == SPORF_ERROR_ARGUMENT);
}

/* The crown hears all that came before; returns the number of the branch, if it is about one. */
static size_t replay(apart_training *t, size_t rounds) {
    size_t branch = 0;
    apart_start(t);
    for (size_t i = 0; i < rounds; i++) {
        if (!t->round[i].is_branch) branch = 0;
        require(apart_hear(t, branch, &t->round[i]) == SPORF_OK);
        branch += (size_t)t->round[i].is_branch;
    }
    return branch;
}

static void go_on(const apart_training *t, size_t branch) {
    apart_round round;
    sporf_status status = SPORF_OK;
    for (size_t rounds = 0; status == SPORF_OK && apart_ask(t, &branch, &round); rounds++) {
        require(rounds < 10 * APART_ROWS);
        status = apart_answer(t, &round);
        if (status == SPORF_OK) status = apart_hear(t, branch - 1, &round);
        require_known(status);
        apart_round_free(&round);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    apart_training *t = apart_training_of(data[0]);
    apart_round round = t->round[data[1] % t->count];
    apart_message *changed = round.is_branch ? &round.grown : &round.answer[1];
    size_t head = round.is_branch ? 0 : APART_ANSWER_BYTES;
    apart_message made = {malloc(head + size - 2 + 1), head + size - 2};
    require(made.bytes != NULL);
    memcpy(made.bytes, changed->bytes, head);
    memcpy(made.bytes + head, data + 2, size - 2);
    *changed = made;
    size_t branch = replay(t, data[1] % t->count);
    sporf_status status = apart_hear(t, branch, &round);
    require_known(status);
    if (status == SPORF_OK) go_on(t, branch + (size_t)round.is_branch);
    free(made.bytes);
    sporf_forest *forest = NULL;
    status = sporf_crown_finish(t->crown, &forest);
    require(status == SPORF_OK || status == SPORF_ERROR_CANCELLED);
    sporf_forest_free(forest);
    return 0;
}
