/* What the fuzz targets of rows apart share: small trainings with two shards, and all their
 * messages. */
#ifndef FUZZ_APART_TARGET_H
#define FUZZ_APART_TARGET_H

#include "sporf.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { APART_ROWS = 600, APART_FIRST = 200, APART_FEATURES = 2, APART_ROUNDS = 64 };
enum { APART_TRAINING_BYTES = 8, APART_ANSWER_BYTES = 16 }; /* of the heads: heads.c */

static inline void require(int condition) {
    if (!condition) abort();
}

typedef struct apart_message {
    uint8_t *bytes;
    size_t size;
} apart_message;

typedef struct apart_round {
    int is_branch;
    apart_message question, answer[2], grown;
} apart_round;

typedef struct apart_training {
    sporf_params params;
    sporf_dataset *outcomes, *rows[2];
    sporf_shard *shard[2];
    sporf_crown *crown;
    apart_round round[APART_ROUNDS];
    size_t count;
} apart_training;

/* ---- tables ---------------------------------------------------------------------------------- */

/* Any of these together: weighted with missing values, regression, a category. */
enum { APART_WEIGHTED = 1, APART_REGRESSION = 2, APART_CATEGORY = 4, APART_KINDS = 8 };

/* One column is smooth, the other has outliers, equal values and perhaps missing ones. */
static inline sporf_dataset *apart_table(size_t begin, size_t end, int kind) {
    static const char *const levels[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    const int missing = kind & APART_WEIGHTED, category = kind & APART_CATEGORY;
    const int classes = missing || category ? 3 : 2;
    static float values[APART_ROWS * APART_FEATURES];
    static int64_t labels[APART_ROWS];
    static double weights[APART_ROWS];
    static float targets[APART_ROWS];
    static uint32_t rows[APART_ROWS];
    sporf_matrix matrix = {values, SPORF_FLOAT32, APART_ROWS, APART_FEATURES, 1, APART_ROWS};
    sporf_matrix numbers = {targets, SPORF_FLOAT32, APART_ROWS, 1, 1, APART_ROWS};
    sporf_dataset *all = NULL, *some = NULL;
    uint32_t state = 1;
    for (uint32_t i = 0; i < APART_ROWS; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = (float)(state >> 8);
        values[APART_ROWS + i] = i % 50 == 1 && !category              ? 1e6f
                                 : (missing || category) && i % 9 == 2 ? NAN
                                                                       : (float)(state >> 20 & 7);
        labels[i] = (int64_t)(state >> 30) % classes;
        weights[i] = 0.5 + (double)(i % 4);
        targets[i] = (float)(state >> 24) * values[i];
        rows[i] = i;
    }
    require(sporf_dataset_from_matrix(&matrix, &all) == SPORF_OK);
    if (kind & APART_REGRESSION)
        require(sporf_dataset_set_targets(all, &numbers, NULL) == SPORF_OK);
    else
        require(sporf_dataset_set_labels_int(all, labels, APART_ROWS) == SPORF_OK);
    if (missing) require(sporf_dataset_set_weights(all, weights, APART_ROWS) == SPORF_OK);
    if (category)
        require(sporf_dataset_set_levels(all, 1, SPORF_KIND_CATEGORY, levels, 8) == SPORF_OK);
    require(sporf_dataset_select(all, rows + begin, end - begin, &some) == SPORF_OK);
    sporf_dataset_free(all);
    return some;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static inline sporf_shard *apart_shard(const apart_training *t, int number) {
    sporf_shard *shard = NULL;
    require(sporf_shard_create(t->outcomes, t->rows[number], number ? APART_FIRST : 0, &t->params,
                               &shard) == SPORF_OK);
    return shard;
}

static inline void apart_start(apart_training *t) {
    sporf_crown_free(t->crown);
    require(sporf_crown_create(t->outcomes, t->rows[0], &t->params, NULL, 1, 1, &t->crown) ==
            SPORF_OK);
}

/* The next question; *branch becomes the number behind that of the branch. Returns 0 at the end. */
static inline int apart_ask(const apart_training *t, size_t *branch, apart_round *round) {
    size_t size;
    uint64_t rows;
    void *about = NULL;
    const void *question = sporf_crown_ask(t->crown, &size);
    *round = (apart_round){.is_branch = !question};
    if (question) *branch = 0;
    if (!question && *branch >= sporf_crown_branches(t->crown)) return 0;
    if (!question)
        require(sporf_crown_branch(t->crown, (*branch)++, &about, &size, &rows) == SPORF_OK);
    round->question = (apart_message){malloc(size), size};
    require(round->question.bytes != NULL);
    memcpy(round->question.bytes, question ? question : about, size);
    sporf_free(about);
    return 1;
}

static inline sporf_status apart_grow(const apart_training *t, apart_round *round) {
    const void *rows[] = {round->answer[0].bytes, round->answer[1].bytes};
    const size_t sizes[] = {round->answer[0].size, round->answer[1].size};
    return sporf_shard_grow(t->shard[0], round->question.bytes, round->question.size, rows, sizes,
                            2, (void **)&round->grown.bytes, &round->grown.size);
}

static inline sporf_status apart_answer(const apart_training *t, apart_round *round) {
    sporf_status status = SPORF_OK;
    for (int i = 0; status == SPORF_OK && i < 2; i++)
        status = sporf_shard_answer(t->shard[i], round->question.bytes, round->question.size, 1,
                                    (void **)&round->answer[i].bytes, &round->answer[i].size);
    return status == SPORF_OK && round->is_branch ? apart_grow(t, round) : status;
}

static inline sporf_status apart_hear(const apart_training *t, size_t branch,
                                      const apart_round *round) {
    const void *answers[] = {round->answer[0].bytes, round->answer[1].bytes};
    const size_t sizes[] = {round->answer[0].size, round->answer[1].size};
    return round->is_branch
               ? sporf_crown_take(t->crown, branch, round->grown.bytes, round->grown.size)
               : sporf_crown_hear(t->crown, answers, sizes, 2);
}

static inline void apart_round_free(apart_round *round) {
    free(round->question.bytes);
    for (int i = 0; i < 2; i++) sporf_free(round->answer[i].bytes);
    sporf_free(round->grown.bytes);
}

/* ---- trainings ------------------------------------------------------------------------------- */

static inline void apart_open(apart_training *t, int kind) {
    size_t branch = 0;
    sporf_params_init(&t->params);
    require(sporf_params_set(&t->params, "trees", "1") == SPORF_OK);
    require(sporf_params_set(&t->params, "projections", "2") == SPORF_OK);
    require(sporf_params_set(&t->params, "density", "0.5") == SPORF_OK);
    require(sporf_params_set(&t->params, "bag", "none") == SPORF_OK);
    require(sporf_params_set(&t->params, "min-leaf", kind & APART_WEIGHTED ? "9" : "1") ==
            SPORF_OK);
    t->outcomes = apart_table(0, APART_ROWS, kind);
    t->rows[0] = apart_table(0, APART_FIRST, kind);
    t->rows[1] = apart_table(APART_FIRST, APART_ROWS, kind);
    for (int i = 0; i < 2; i++) t->shard[i] = apart_shard(t, i);
    apart_start(t);
    for (; apart_ask(t, &branch, &t->round[t->count]); t->count++) {
        require(t->count + 1 < APART_ROUNDS);
        require(apart_answer(t, &t->round[t->count]) == SPORF_OK);
        require(apart_hear(t, branch - 1, &t->round[t->count]) == SPORF_OK);
    }
}

/* The one of that kind, opened once. */
static inline apart_training *apart_training_of(uint8_t kind) {
    static apart_training trainings[APART_KINDS];
    apart_training *t = &trainings[kind % APART_KINDS];
    if (!t->outcomes) apart_open(t, kind % APART_KINDS);
    return t;
}

#endif
