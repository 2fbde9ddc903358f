/* The public functions for scores of classification: checks, which rows count, and results. */
#include "base/memory.h"
#include "base/versioned.h"
#include "score/bootstrap.h"
#include "score/calibration.h"
#include "score/class_scores.h"
#include "score/delong.h"
#include "score/ranking.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { REPLICATES_MAX = 100000 };

/* Weights whose products still fit a double. */
#define WEIGHT_MAX 1e100

/* ---- rows ------------------------------------------------------------------------------------ */

/* The rows that count, in own memory except probabilities. */
typedef struct {
    spf_scored scored;
    uint32_t *row;
    double *weight; /* [rows] */
} counted_rows;

static void release(counted_rows *rows) {
    free(rows->row);
    free(rows->weight);
    free(rows->scored.label);
    free(rows->scored.predicted);
}

static sporf_status check_scored(const sporf_scored_rows *given) {
    if (!given->probabilities || !given->labels || given->classes == 0 ||
        given->classes >= UINT32_MAX || given->rows >= UINT32_MAX)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "scores need probabilities and labels of fewer than 2^32 - 1 rows, and "
                         "at least one class");
    return SPORF_OK;
}

/* Whether a row has probabilities and a weight; what cannot be either is an error. */
static sporf_status look_at(const sporf_scored_rows *given, size_t row, int *counts) {
    double weight = given->weights ? given->weights[row] : 1;
    *counts = weight > 0;
    if (!(weight >= 0 && weight <= WEIGHT_MAX))
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "row %zu has the weight %g, not a number from 0 to %g", row + 1, weight,
                         WEIGHT_MAX);
    for (size_t k = 0; k < given->classes; k++) {
        double probability = given->probabilities[row * given->classes + k];
        if (isnan(probability)) *counts = 0;
        if (probability < 0 || probability > 1 + 1e-6)
            return spf_raise(SPORF_ERROR_ARGUMENT,
                             "row %zu has the probability %g, not one from 0 to 1", row + 1,
                             probability);
    }
    if (*counts && given->predicted && given->predicted[row] >= given->classes)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "row %zu is predicted as none of the classes that have probabilities",
                         row + 1);
    return SPORF_OK;
}

static sporf_status fill_rows(const sporf_scored_rows *given, counted_rows *rows) {
    size_t classes = given->classes;
    for (size_t i = 0; i < given->rows; i++) {
        int counts;
        SPF_TRY(look_at(given, i, &counts));
        if (!counts) continue;
        rows->row[rows->scored.count++] = (uint32_t)i;
        rows->weight[i] = given->weights ? given->weights[i] : 1;
        rows->scored.label[i] = given->labels[i] < classes ? given->labels[i] : (uint32_t)classes;
        rows->scored.predicted[i] =
            given->predicted ? given->predicted[i]
                             : spf_most_probable(given->probabilities + i * classes, classes);
    }
    if (rows->scored.count == 0)
        return spf_raise(SPORF_ERROR_DATA,
                         "there is no row to score: each has a missing probability or weight 0");
    return SPORF_OK;
}

/* Free with release, also after a failure. */
static sporf_status count_rows(const sporf_scored_rows *theirs, counted_rows *rows) {
    sporf_scored_rows given = {.struct_size = sizeof given};
    *rows = (counted_rows){0};
    if (!theirs) return spf_raise(SPORF_ERROR_ARGUMENT, "scores need probabilities and labels");
    SPF_TRY(spf_versioned_read(theirs, &given, sizeof given, "sporf_scored_rows_init"));
    SPF_TRY(check_scored(&given));
    rows->row = spf_alloc(given.rows, sizeof *rows->row);
    rows->weight = spf_alloc(given.rows, sizeof *rows->weight);
    rows->scored.label = spf_alloc(given.rows, sizeof *rows->scored.label);
    rows->scored.predicted = spf_alloc(given.rows, sizeof *rows->scored.predicted);
    if (!rows->row || !rows->weight || !rows->scored.label || !rows->scored.predicted)
        return spf_raise_memory();
    rows->scored.classes = given.classes;
    rows->scored.row = rows->row;
    rows->scored.probabilities = given.probabilities;
    return fill_rows(&given, rows);
}

/* ---- scores ---------------------------------------------------------------------------------- */

#define SCORE(member)                                                                              \
    { #member, offsetof(sporf_class_scores, member) }
static const struct {
    const char *name;
    size_t at;
} list[SPF_SCORES] = {
    [SPF_SCORE_ACCURACY] = SCORE(accuracy),
    [SPF_SCORE_BALANCED_ACCURACY] = SCORE(balanced_accuracy),
    [SPF_SCORE_F1] = SCORE(f1_macro),
    [SPF_SCORE_MCC] = SCORE(mcc),
    [SPF_SCORE_LOG_LOSS] = SCORE(log_loss),
    [SPF_SCORE_BRIER] = SCORE(brier),
    [SPF_SCORE_TOP_K] = SCORE(top_k_accuracy),
    [SPF_SCORE_AUC] = SCORE(auc),
    [SPF_SCORE_HAND_TILL] = SCORE(auc_hand_till),
    [SPF_SCORE_AVERAGE_PRECISION] = SCORE(average_precision),
};

const char *sporf_class_scores_at(const sporf_class_scores *scores, size_t i, sporf_score *score) {
    if (i >= SPF_SCORES) return NULL;
    if (score) memcpy(score, (const char *)scores + list[i].at, sizeof *score);
    return list[i].name;
}

static sporf_status read_options(const sporf_score_options *given, sporf_score_options *options) {
    *options = (sporf_score_options){.struct_size = sizeof *options};
    SPF_TRY(spf_versioned_read(given, options, sizeof *options, "sporf_score_options_init"));
    if (options->confidence == 0) options->confidence = 0.95;
    if (!(options->confidence >= 0.5 && options->confidence <= 0.9999))
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "the confidence of intervals must be from 0.5 to 0.9999, not %g",
                         options->confidence);
    if (options->replicates > REPLICATES_MAX)
        return spf_raise(SPORF_ERROR_ARGUMENT, "intervals take at most %d replicates, not %lu",
                         REPLICATES_MAX, (unsigned long)options->replicates);
    return SPORF_OK;
}

static void set_scores(const double *values, const double *low, const double *high,
                       sporf_class_scores *scores) {
    for (size_t i = 0; i < SPF_SCORES; i++) {
        sporf_score score = {values[i], low[i], high[i]};
        memcpy((char *)scores + list[i].at, &score, sizeof score);
    }
}

static void calibrate(const counted_rows *rows, sporf_calibration *calibration) {
    const spf_scored *scored = &rows->scored;
    spf_calibration sums = {0};
    for (size_t i = 0; i < scored->count; i++) {
        uint32_t row = scored->row[i];
        spf_calibration_add(&sums, scored->probabilities + row * scored->classes, scored->classes,
                            scored->predicted[row], scored->label[row], rows->weight[row]);
    }
    spf_calibration_result(&sums, calibration);
}

static sporf_status find_scores(const counted_rows *rows, const spf_row_scores *of_rows,
                                const sporf_score_options *options, double *memory,
                                sporf_by_class *by_class, sporf_class_scores *scores) {
    double values[SPF_SCORES], low[SPF_SCORES], high[SPF_SCORES];
    spf_bootstrap how = {options->replicates, options->confidence, options->seed, options->threads,
                         options->hooks};
    for (size_t i = 0; i < SPF_SCORES; i++) low[i] = high[i] = NAN;
    spf_scores_find(of_rows, rows->weight, memory, values, by_class);
    if (how.replicates > 0) SPF_TRY(spf_bootstrap_scores(of_rows, rows->weight, &how, low, high));
    set_scores(values, low, high, scores);
    return spf_scores_area_intervals(of_rows, rows->weight, spf_normal_reach(how.confidence),
                                     by_class, &scores->auc);
}

static sporf_status score_rows(const counted_rows *rows, const sporf_score_options *options,
                               sporf_class_scores *scores) {
    size_t classes = rows->scored.classes;
    spf_row_scores of_rows = {0};
    sporf_by_class *by_class = spf_alloc(classes, sizeof *by_class);
    double *memory = spf_alloc(spf_scores_memory(classes), sizeof *memory);
    sporf_status status = by_class && memory ? SPORF_OK : spf_raise_memory();
    scores->top_k = options->top_k ? options->top_k : classes <= 10 ? 2 : 5;
    if (status == SPORF_OK)
        status =
            spf_row_scores_create(&rows->scored, scores->top_k, options->replicates > 0, &of_rows);
    if (status == SPORF_OK) status = find_scores(rows, &of_rows, options, memory, by_class, scores);
    if (status == SPORF_OK && scores->by_class)
        memcpy(scores->by_class, by_class, classes * sizeof *by_class);
    spf_row_scores_free(&of_rows);
    free(by_class);
    free(memory);
    return status;
}

sporf_status sporf_score_classes(const sporf_scored_rows *scored, const sporf_score_options *given,
                                 sporf_class_scores *out) {
    sporf_class_scores scores = {.struct_size = sizeof scores};
    sporf_score_options options;
    counted_rows rows = {0};
    if (!out) return spf_raise(SPORF_ERROR_ARGUMENT, "scores need a place for the result");
    SPF_TRY(spf_versioned_read(out, &scores, sizeof scores, "sporf_class_scores_init"));
    SPF_TRY(read_options(given, &options));
    sporf_status status = count_rows(scored, &rows);
    if (status == SPORF_OK) status = score_rows(&rows, &options, &scores);
    if (status == SPORF_OK) {
        if (scores.calibration) calibrate(&rows, scores.calibration);
        scores.rows = rows.scored.count;
        scores.weight = 0;
        for (size_t i = 0; i < rows.scored.count; i++) scores.weight += rows.weight[rows.row[i]];
        spf_versioned_write(&scores, out);
    }
    release(&rows);
    return status;
}

/* ---- curves ---------------------------------------------------------------------------------- */

sporf_status sporf_score_curve(const sporf_scored_rows *scored, uint32_t class_index,
                               sporf_curve_point *points, size_t *count) {
    counted_rows rows;
    spf_row_scores of_rows = {0};
    if (!points || !count) return spf_raise(SPORF_ERROR_ARGUMENT, "a curve needs a place for it");
    sporf_status status = count_rows(scored, &rows);
    if (status == SPORF_OK && class_index >= rows.scored.classes)
        status = spf_raise(SPORF_ERROR_ARGUMENT, "there is no class %lu, only %zu",
                           (unsigned long)class_index, rows.scored.classes);
    if (status == SPORF_OK) status = spf_row_scores_create(&rows.scored, 1, 0, &of_rows);
    if (status == SPORF_OK)
        *count = spf_curve_of(&rows.scored, class_index,
                              spf_row_scores_order(&of_rows, class_index), rows.weight, points);
    spf_row_scores_free(&of_rows);
    release(&rows);
    return status;
}
