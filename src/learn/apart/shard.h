/* Some rows of a table, on the machine that has them, while trees of the whole table grow: it
 * answers questions about its rows, and nothing else. What it keeps between questions only saves
 * time: it follows from the question. */
#ifndef SPF_LEARN_APART_SHARD_H
#define SPF_LEARN_APART_SHARD_H

#include "learn/apart/facts.h"

typedef struct spf_shard spf_shard;

/* `outcomes` as in spf_frame_create; the rows are borrowed. */
sporf_status spf_shard_create(const sporf_dataset *outcomes, const spf_some_rows *rows,
                              const sporf_params *params, spf_shard **out);
/* With the outcomes and settings of another one, which must outlive it. */
sporf_status spf_shard_create_beside(const spf_shard *other, const spf_some_rows *rows,
                                     spf_shard **out);
void spf_shard_free(spf_shard *shard);

/* The rows of the whole table. */
size_t spf_shard_all_rows(const spf_shard *shard);

/* Appends the answer to a question of asks.h. Several threads may call this; they take turns. */
sporf_status spf_shard_answer(spf_shard *shard, spf_reader *question, unsigned threads,
                              spf_writer *answer);

/* Adds up answers of rows that follow each other: see add_up.h. */
sporf_status spf_shard_add_up(spf_shard *shard, spf_reader *question, spf_reader *answers,
                              size_t count, spf_writer *sum);

/* Grows a branch from the answers of all shards to the question about its rows, in their order, and
 * appends it. Several threads may do so at the same time. */
sporf_status spf_shard_grow(spf_shard *shard, spf_reader *question, spf_reader *rows, size_t count,
                            spf_writer *grown);

#endif
