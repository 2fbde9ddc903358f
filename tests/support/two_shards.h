/* A training whose rows are on two shards, round by round, so that a test can look at messages and
 * change them. */
#ifndef TEST_TWO_SHARDS_H
#define TEST_TWO_SHARDS_H

#include "sporf.h"

typedef struct message {
    unsigned char *bytes;
    size_t size;
} message;

typedef struct two_shards {
    const sporf_dataset *data;
    sporf_params params;
    sporf_dataset *rows[2];
    sporf_shard *shard[2];
    sporf_crown *crown;
    size_t branch; /* the next one to grow */
} two_shards;

/* The first third of the rows is one shard, the rest the other. A failure ends the test; `crown` is
 * not made yet. */
void two_shards_open(const sporf_dataset *data, const sporf_params *params, two_shards *both);
void two_shards_close(two_shards *both);

/* Starts a crown, or starts again. Nodes up to branch_rows become branches. */
void two_shards_start(two_shards *both, const sporf_hooks *hooks, uint64_t branch_rows,
                      uint32_t trees);

/* A question, the answers and, if it is about a branch, what was grown of them. */
typedef struct apart_round {
    int is_branch;
    size_t branch;
    message question, answer[2], grown;
} apart_round;

/* Takes the next question; returns 0 if there is none. Free with apart_round_free. */
int apart_ask(two_shards *both, apart_round *round);
sporf_status apart_answer(two_shards *both, apart_round *round);
sporf_status apart_grow(two_shards *both, apart_round *round); /* if it is about a branch */
sporf_status apart_hear(two_shards *both, const apart_round *round);
void apart_round_free(apart_round *round);

/* Goes on until the crown asks nothing more, for at most so many rounds, or something fails. */
sporf_status apart_go_on(two_shards *both, size_t rounds);

/* All rounds of a training, from a new crown on; a failure ends the test. */
typedef struct apart_talk {
    apart_round *round;
    size_t count;
} apart_talk;

apart_talk apart_record(two_shards *both);
void apart_talk_free(apart_talk *talk);

#endif
