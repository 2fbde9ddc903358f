/* Trainings and questions are known by their checksums. */
#include "learn/apart/heads.h"

#include "base/checksum.h"

typedef struct {
    uint64_t training;
    uint32_t kind, unused;
} question_head;

typedef struct {
    uint64_t question;
    uint32_t first, rows;
} answer_head;

sporf_status spf_question_start(const spf_frame *frame, spf_question_kind kind, spf_writer *w) {
    question_head head = {.training = frame->training, .kind = kind};
    return spf_write(w, &head, sizeof head);
}

sporf_status spf_question_open(const spf_frame *frame, spf_reader *question, uint32_t *kind) {
    question_head head;
    SPF_TRY(spf_read(question, &head, sizeof head));
    if (head.training != frame->training) return spf_raise_message();
    *kind = head.kind;
    return SPORF_OK;
}

sporf_status spf_answer_start(const spf_reader *question, const spf_some_rows *rows,
                              spf_writer *w) {
    answer_head head = {spf_checksum_of(question->at, question->left), rows->first,
                        (uint32_t)rows->data->rows};
    return spf_write(w, &head, sizeof head);
}

static sporf_status raise_rows(uint64_t here, size_t all) {
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "rows apart: the answers are about %llu of %zu rows" SPF_HINT
                     "give those of all shards, in the order of their rows",
                     (unsigned long long)here, all);
}

/* Reads the heads of answers; rows[count] become theirs. *follow: each begins where the last one
 * ends. */
static sporf_status read_heads(uint64_t question, spf_reader *answers, size_t count,
                               spf_extent *rows, int *follow) {
    *follow = 1;
    for (size_t i = 0; i < count; i++) {
        answer_head head;
        SPF_TRY(spf_read(&answers[i], &head, sizeof head));
        if (head.question != question || head.rows > UINT32_MAX - head.first)
            return spf_raise_message();
        rows[i] = (spf_extent){head.first, head.first + head.rows};
        *follow &= i == 0 || rows[i].begin == rows[i - 1].end;
    }
    return SPORF_OK;
}

sporf_status spf_answers_open(const spf_reader *question, const spf_frame *frame,
                              spf_reader *answers, size_t count, spf_extent *rows) {
    uint64_t all = frame->data->rows, here = 0;
    int follow;
    SPF_TRY(
        read_heads(spf_checksum_of(question->at, question->left), answers, count, rows, &follow));
    for (size_t i = 0; i < count; i++) here += rows[i].end - rows[i].begin;
    if (count > 0 && follow && rows[0].begin == 0 && here == all) return SPORF_OK;
    return raise_rows(here, all);
}

sporf_status spf_answers_start(const spf_reader *question, spf_reader *answers, size_t count,
                               spf_extent *rows, spf_writer *sum) {
    int follow;
    answer_head head = {.question = spf_checksum_of(question->at, question->left)};
    SPF_TRY(read_heads(head.question, answers, count, rows, &follow));
    if (count == 0 || !follow)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "rows apart: only answers of rows that follow each other are added up");
    head.first = rows[0].begin;
    head.rows = rows[count - 1].end - rows[0].begin;
    return spf_write(sum, &head, sizeof head);
}
