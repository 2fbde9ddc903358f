/* Scores from classes, from losses of rows and from rankings. */
#include "score/class_scores.h"

#include "base/memory.h"
#include "score/delong.h"
#include "score/ranking.h"

#include <math.h>
#include <stdlib.h>

/* ---- what does not depend on weights --------------------------------------------------------- */

static size_t rows_end(const spf_scored *scored) {
    return scored->count > 0 ? scored->row[scored->count - 1] + (size_t)1 : 0;
}

static sporf_status allocate(const spf_scored *scored, spf_row_scores *rows) {
    size_t end = rows_end(scored), orders = rows->keeps_orders ? scored->classes : 1;
    rows->log_loss = spf_alloc(end, sizeof *rows->log_loss);
    rows->brier = spf_alloc(end, sizeof *rows->brier);
    rows->in_top = spf_alloc(end, sizeof *rows->in_top);
    rows->order = spf_alloc(scored->count, orders * sizeof *rows->order);
    rows->spare = spf_alloc(scored->count, 2 * sizeof *rows->spare);
    return rows->log_loss && rows->brier && rows->in_top && rows->order && rows->spare
               ? SPORF_OK
               : spf_raise_memory();
}

sporf_status spf_row_scores_create(const spf_scored *scored, size_t top_k, int keeps_orders,
                                   spf_row_scores *rows) {
    *rows = (spf_row_scores){.scored = scored, .keeps_orders = keeps_orders};
    SPF_TRY(allocate(scored, rows));
    for (size_t i = 0; i < scored->count; i++) {
        size_t row = scored->row[i];
        rows->log_loss[row] = spf_row_log_loss(scored, row);
        rows->brier[row] = spf_row_brier(scored, row);
        rows->in_top[row] = (unsigned char)spf_row_in_top(scored, row, top_k);
    }
    for (size_t k = 0; keeps_orders && k < scored->classes; k++)
        spf_ranking(scored, k, rows->order + k * scored->count, rows->spare);
    return SPORF_OK;
}

void spf_row_scores_free(spf_row_scores *rows) {
    free(rows->log_loss);
    free(rows->brier);
    free(rows->in_top);
    free(rows->order);
    free(rows->spare);
}

const uint32_t *spf_row_scores_order(const spf_row_scores *rows, size_t class) {
    if (rows->keeps_orders) return rows->order + class * rows->scored->count;
    spf_ranking(rows->scored, class, rows->order, rows->spare);
    return rows->order;
}

/* ---- scores ---------------------------------------------------------------------------------- */

size_t spf_scores_memory(size_t classes) {
    return 4 * (classes + 1);
}

static void add_losses(const spf_row_scores *rows, const double *weights, double total,
                       double *values) {
    double log_loss = 0, brier = 0, in_top = 0;
    for (size_t i = 0; i < rows->scored->count; i++) {
        uint32_t row = rows->scored->row[i];
        log_loss += weights[row] * rows->log_loss[row];
        brier += weights[row] * rows->brier[row];
        if (rows->in_top[row]) in_top += weights[row];
    }
    values[SPF_SCORE_LOG_LOSS] = log_loss / total;
    values[SPF_SCORE_BRIER] = brier / total;
    values[SPF_SCORE_TOP_K] = in_top / total;
}

/* The first class whose areas count: with two, only the second. */
static size_t first_class(const spf_scored *scored) {
    return scored->classes == 2 ? 1 : 0;
}

typedef struct {
    double auc, average_precision, pairs;
    size_t aucs, precisions, pairs_count;
} area_sums;

static void add_areas(area_sums *sums, const spf_areas *areas) {
    sums->pairs += areas->pairs_sum;
    sums->pairs_count += areas->pairs;
    if (!isnan(areas->auc)) {
        sums->auc += areas->auc;
        sums->aucs++;
    }
    if (!isnan(areas->average_precision)) {
        sums->average_precision += areas->average_precision;
        sums->precisions++;
    }
}

static void find_areas(const spf_row_scores *rows, const double *weights,
                       const spf_confusion_sums *confusion, double *won, double *values,
                       sporf_by_class *by_class) {
    const spf_scored *scored = rows->scored;
    area_sums sums = {0};
    for (size_t k = by_class ? 0 : first_class(scored); k < scored->classes; k++) {
        spf_areas areas;
        spf_areas_of(scored, k, spf_row_scores_order(rows, k), weights, confusion->is_true, won,
                     &areas);
        if (k >= first_class(scored)) add_areas(&sums, &areas);
        if (!by_class) continue;
        by_class[k].auc = areas.auc;
        by_class[k].average_precision = areas.average_precision;
    }
    values[SPF_SCORE_AUC] = sums.auc / (double)sums.aucs;
    values[SPF_SCORE_HAND_TILL] = sums.pairs / (double)sums.pairs_count;
    values[SPF_SCORE_AVERAGE_PRECISION] = sums.average_precision / (double)sums.precisions;
}

static void describe_classes(const spf_scored *scored, const spf_confusion_sums *confusion,
                             sporf_by_class *by_class) {
    for (size_t k = 0; k < scored->classes; k++)
        by_class[k] = (sporf_by_class){.weight = confusion->is_true[k],
                                       .predicted_weight = confusion->is_predicted[k],
                                       .precision = spf_precision(confusion, k),
                                       .recall = spf_recall(confusion, k),
                                       .f1 = spf_f1(confusion, k),
                                       .auc_low = NAN,
                                       .auc_high = NAN};
    for (size_t i = 0; i < scored->count; i++) {
        uint32_t label = scored->label[scored->row[i]];
        if (label < scored->classes) by_class[label].rows++;
    }
}

void spf_scores_find(const spf_row_scores *rows, const double *weights, double *memory,
                     double *values, sporf_by_class *by_class) {
    spf_confusion_sums confusion;
    spf_confusion_add_up(rows->scored, weights, memory, &confusion);
    values[SPF_SCORE_ACCURACY] = spf_accuracy(&confusion);
    values[SPF_SCORE_BALANCED_ACCURACY] = spf_balanced_accuracy(&confusion);
    values[SPF_SCORE_F1] = spf_macro_f1(&confusion);
    values[SPF_SCORE_MCC] = spf_mcc(&confusion);
    add_losses(rows, weights, confusion.total, values);
    if (by_class) describe_classes(rows->scored, &confusion, by_class);
    find_areas(rows, weights, &confusion, memory + 3 * confusion.classes, values, by_class);
}

/* ---- intervals of areas ---------------------------------------------------------------------- */

/* Areas are within 0 and 1. */
static void reach_out(double area, double variance, double reach, double *low, double *high) {
    double far = reach * sqrt(variance);
    *low = isnan(far) ? far : fmax(area - far, 0);
    *high = isnan(far) ? far : fmin(area + far, 1);
}

/* Adds the influences of a class to those of the mean, and returns the sum of their squares. */
static double add_influence(const spf_scored *scored, const double *own, double *all) {
    double squares = 0;
    for (size_t i = 0; i < scored->count; i++) {
        uint32_t row = scored->row[i];
        squares += own[row] * own[row];
        if (all) all[row] += own[row];
    }
    return squares;
}

static double sum_of_squares(const spf_scored *scored, const double *values) {
    double squares = 0;
    for (size_t i = 0; i < scored->count; i++)
        squares += values[scored->row[i]] * values[scored->row[i]];
    return squares;
}

sporf_status spf_scores_area_intervals(const spf_row_scores *rows, const double *weights,
                                       double reach, sporf_by_class *by_class, sporf_score *auc) {
    const spf_scored *scored = rows->scored;
    size_t end = rows_end(scored), averaged = 0;
    double *own = spf_alloc_zero(end, 2 * sizeof *own), *all = own + end;
    if (!own) return spf_raise_memory();
    for (size_t k = 0; k < scored->classes; k++) {
        int counts = k >= first_class(scored);
        if (isnan(by_class[k].auc)) continue;
        spf_delong(scored, k, spf_row_scores_order(rows, k), weights, by_class[k].auc, own);
        double variance = add_influence(scored, own, counts ? all : NULL);
        reach_out(by_class[k].auc, variance, reach, &by_class[k].auc_low, &by_class[k].auc_high);
        averaged += (size_t)counts;
    }
    double variance = sum_of_squares(scored, all) / ((double)averaged * (double)averaged);
    reach_out(auc->value, variance, reach, &auc->low, &auc->high);
    free(own);
    return SPORF_OK;
}
