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

sporf_status spf_answers_open(const spf_reader *question, const spf_frame *frame,
                              spf_reader *answers, size_t count, uint32_t *first) {
    uint64_t checksum = spf_checksum_of(question->at, question->left), next = 0;
    for (size_t i = 0; i < count; i++) {
        answer_head head;
        SPF_TRY(spf_read(&answers[i], &head, sizeof head));
        if (head.question != checksum) return spf_raise_message();
        if (head.first != next) return raise_rows(next, frame->data->rows);
        if (first) first[i] = head.first;
        next += head.rows;
    }
    return next == frame->data->rows ? SPORF_OK : raise_rows(next, frame->data->rows);
}
