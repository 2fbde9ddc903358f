/* Out-of-bag predictions of regression, added tree by tree: sums of predictions, the errors of
 * their means and, if samples are stored, quantile levels. */
#include "learn/outcome/enough.h"
#include "learn/outcome/regression.h"
#include "learn/outcome/regression_levels.h"
#include "model/combine.h"
#include "score/regression_metric.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    spf_tally tally;
    const spf_outcome *outcome;
    double *sums;      /* [rows x targets]: sums of the trees' predictions */
    double *squares;   /* [rows]: sums of the trees' squared errors, over the targets; or NULL */
    uint32_t *trees;   /* [rows]: number of trees */
    double *predicted; /* [rows]: the mean of one target; 0 while no tree predicts it */
    float *weights;    /* [rows]: row weights, or 0 while no tree predicts the row */
    spf_oob_levels levels;
} means;

static void predict(means *m, size_t target) {
    size_t targets = m->outcome->targets;
    const double *sums = m->sums + target;
    for (size_t i = 0; i < m->outcome->rows; i++)
        if (m->trees[i] > 0) m->predicted[i] = spf_combined(sums[i * targets], m->trees[i]);
}

static double squared_error(means *m, size_t target) {
    predict(m, target);
    return spf_mean_square(m->outcome->rows, spf_outcome_values(m->outcome, target), m->predicted,
                           m->weights);
}

/* Counts as given; relative weights in units, so that their scale does not matter. */
static float weight_of(const spf_outcome *outcome, uint32_t row) {
    const float *counts = ((const spf_regression_state *)outcome->state)->counts;
    return counts ? counts[row] : (float)spf_row_units(outcome->weights, row);
}

static double squared_errors(const means *m, uint32_t row, const float *value) {
    double sum = 0;
    for (size_t t = 0; t < m->outcome->targets; t++) {
        double error = (double)value[t] - spf_outcome_values(m->outcome, t)[row];
        sum += error * error;
    }
    return sum;
}

static void add_values(means *m, const spf_grown *grown) {
    size_t targets = m->outcome->targets;
    for (size_t i = 0; i < grown->oob_count; i++) {
        const float *value = grown->tree.leaf_value + grown->oob_leaf[i] * targets;
        uint32_t row = grown->oob_row[i];
        for (size_t t = 0; t < targets; t++) m->sums[row * targets + t] += value[t];
        if (m->squares) m->squares[row] += squared_errors(m, row, value);
        m->trees[row]++;
        m->weights[row] = weight_of(m->outcome, row);
    }
}

/* The error is the root mean squared error over rows and targets. */
static double add_means(spf_tally *tally, const spf_grown *grown) {
    means *m = (means *)tally;
    double error = 0;
    add_values(m, grown);
    if (m->outcome->samples) spf_oob_levels_add(&m->levels, grown);
    for (size_t t = 0; t < m->outcome->targets; t++) error += squared_error(m, t);
    return sqrt(error / (double)m->outcome->targets);
}

/* The mean squared error of single trees is that of their mean plus their distance from it. */
static void weigh_row(const means *m, uint32_t row, spf_evidence *evidence) {
    uint32_t trees = m->trees[row];
    size_t targets = m->outcome->targets;
    double loss = 0;
    if (trees < 2) return;
    for (size_t t = 0; t < targets; t++) {
        double mean = spf_combined(m->sums[row * targets + t], trees);
        double error = mean - spf_outcome_values(m->outcome, t)[row];
        loss += error * error;
    }
    double distance = fmax(m->squares[row] / trees - loss, 0);
    spf_evidence_add(evidence, weight_of(m->outcome, row), loss, distance, trees);
}

static void weigh_means(const spf_tally *tally, spf_evidence *evidence) {
    const means *m = (const means *)tally;
    for (size_t i = 0; i < m->outcome->rows; i++) weigh_row(m, (uint32_t)i, evidence);
}

spf_means_view spf_means_so_far(const spf_tally *tally) {
    const means *m = (const means *)tally;
    return (spf_means_view){m->sums, m->trees, m->weights};
}

static size_t count_rows(const means *m) {
    size_t rows = 0;
    for (size_t i = 0; i < m->outcome->rows; i++) rows += m->trees[i] > 0;
    return rows;
}

static sporf_status find_scores(means *m, sporf_target_scores **scores) {
    size_t rows = m->outcome->rows, targets = m->outcome->targets;
    *scores = spf_alloc(targets, sizeof **scores);
    if (!*scores) return spf_raise_memory();
    for (size_t t = 0; t < targets; t++) {
        const float *truth = spf_outcome_values(m->outcome, t);
        predict(m, t);
        (*scores)[t] = (sporf_target_scores){
            .rmse = spf_rmse(rows, truth, m->predicted, m->weights),
            .mae = spf_mae(rows, truth, m->predicted, m->weights),
            .r2 = spf_r2(rows, truth, m->predicted, m->weights),
        };
    }
    return SPORF_OK;
}

/* The mean R2 over the targets that vary; NaN if none does. */
static double mean_r2(const sporf_target_scores *scores, size_t targets) {
    double sum = 0, varying = 0;
    for (size_t t = 0; t < targets; t++) {
        if (isnan(scores[t].r2)) continue;
        sum += scores[t].r2;
        varying++;
    }
    return varying > 0 ? sum / varying : NAN;
}

/* NaN if no tree predicts a row. */
static void make_means(means *m) {
    size_t targets = m->outcome->targets;
    for (size_t i = 0; i < m->outcome->rows; i++)
        for (size_t t = 0; t < targets; t++) {
            double *sum = &m->sums[i * targets + t];
            *sum = m->trees[i] > 0 ? spf_combined(*sum, m->trees[i]) : NAN;
        }
}

static sporf_status hand_over_means(spf_tally *tally, unsigned threads, sporf_forest *forest) {
    (void)threads;
    means *m = (means *)tally;
    SPF_TRY(find_scores(m, &forest->oob_targets));
    forest->oob_score = mean_r2(forest->oob_targets, m->outcome->targets);
    forest->oob_rows = count_rows(m);
    make_means(m);
    forest->oob_predictions = m->sums;
    forest->training_rows = m->outcome->rows;
    m->sums = NULL;
    return m->outcome->samples ? spf_oob_levels_result(&m->levels, &forest->oob_levels) : SPORF_OK;
}

static void free_means(spf_tally *tally) {
    means *m = (means *)tally;
    free(m->sums);
    free(m->squares);
    free(m->trees);
    free(m->predicted);
    free(m->weights);
    spf_oob_levels_free(&m->levels);
    free(m);
}

double spf_means_bytes(size_t rows, const spf_leaf_size *leaf, int calibrates) {
    double targets = (double)leaf->targets;
    double row = (targets + 1) * sizeof(double) + 2 * sizeof(uint32_t) + sizeof(float);
    return (double)rows * row + (calibrates ? spf_oob_levels_bytes((double)rows, targets) : 0);
}

sporf_status spf_means_create(const spf_outcome *outcome, spf_tally **tally) {
    means *m = spf_alloc_zero(1, sizeof *m);
    if (!m) return spf_raise_memory();
    *tally = &m->tally;
    m->tally = (spf_tally){
        .add = add_means, .weigh = weigh_means, .hand_over = hand_over_means, .free = free_means};
    m->outcome = outcome;
    m->sums = spf_alloc_zero(outcome->rows * outcome->targets, sizeof *m->sums);
    m->trees = spf_alloc_zero(outcome->rows, sizeof *m->trees);
    m->predicted = spf_alloc_zero(outcome->rows, sizeof *m->predicted);
    m->weights = spf_alloc_zero(outcome->rows, sizeof *m->weights);
    if (outcome->judged) m->squares = spf_alloc_zero(outcome->rows, sizeof *m->squares);
    if (!m->sums || !m->trees || !m->predicted || !m->weights || (outcome->judged && !m->squares))
        return spf_raise_memory();
    return outcome->samples ? spf_oob_levels_create(outcome, &m->levels) : SPORF_OK;
}
