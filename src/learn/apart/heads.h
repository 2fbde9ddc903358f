/* The first bytes of questions and answers: which training a question is of, and which question and
 * rows an answer is of. So nothing that was mixed up on the way is taken for an answer. */
#ifndef SPF_LEARN_APART_HEADS_H
#define SPF_LEARN_APART_HEADS_H

#include "learn/apart/asks.h"
#include "learn/apart/facts.h"
#include "learn/growing/workspace.h"

/* A question without its head is read by the functions of its kind. */
sporf_status spf_question_start(const spf_frame *frame, spf_question_kind kind, spf_writer *writer);
sporf_status spf_question_open(const spf_frame *frame, spf_reader *question, uint32_t *kind);

/* `question` is the whole of it, head included. */
sporf_status spf_answer_start(const spf_reader *question, const spf_some_rows *rows,
                              spf_writer *writer);
/* Reads the heads of all answers, which must be those of the whole table in the order of its rows.
 * rows[count] become those of each. */
sporf_status spf_answers_open(const spf_reader *question, const spf_frame *frame,
                              spf_reader *answers, size_t count, spf_extent *rows);
/* The same for answers of some rows that follow each other: writes the head of their sum. */
sporf_status spf_answers_start(const spf_reader *question, spf_reader *answers, size_t count,
                               spf_extent *rows, spf_writer *sum);

#endif
