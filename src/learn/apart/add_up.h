/* The answers of shards whose rows follow each other become one, as if they were one shard: what
 * travels from a machine does not depend on how many shards it has. */
#ifndef SPF_LEARN_APART_ADD_UP_H
#define SPF_LEARN_APART_ADD_UP_H

#include "learn/apart/frame.h"

/* Answers in the order of their rows, and the question with its head. That about the rows of a
 * branch is refused. The frame is settled as the question says. */
sporf_status spf_answers_add_up(spf_frame *frame, spf_reader *question, spf_reader *answers,
                                size_t count, spf_writer *sum);

#endif
