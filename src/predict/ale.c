/* Each row is predicted twice, with the feature at either end of its bin. The mean difference of a
 * bin is the effect of crossing it; these are added up from the first bin on, and centred. */
#include "predict/ale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE_CELLS = 1 << 20 }; /* rows x outputs that are predicted at once */

typedef struct {
    const sporf_forest *forest;
    const spf_values *values;
    const float *weights;
    uint32_t feature;
    const double *ends;
    size_t count, outputs;
    const spf_curve_options *options;
    const float **columns; /* [features]: of a piece of the rows */
    float *replaced;       /* [piece] */
    size_t piece;
    double *low, *high; /* [piece x outputs]: predictions at both ends */
    double *weight;     /* [count]: of the rows in the bin that ends there */
    double *effects;    /* [count x outputs] */
} making;

/* The bin of a value, by the number of its upper end: the first that is not below it. */
static size_t bin_of(const making *m, float value) {
    size_t low = 1, high = m->count - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (m->ends[middle] < (double)value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Predicts rows [begin, begin + rows) at one end of their bins: back is 1 for the lower one. */
static sporf_status predict_ends(const making *m, size_t begin, size_t rows, size_t back,
                                 double *outputs) {
    const float *column = m->values->columns[m->feature] + begin;
    for (size_t j = 0; j < m->forest->features; j++) m->columns[j] = m->values->columns[j] + begin;
    for (size_t i = 0; i < rows; i++)
        m->replaced[i] = isnan(column[i]) ? NAN : (float)m->ends[bin_of(m, column[i]) - back];
    m->columns[m->feature] = m->replaced;
    spf_predictions out = {.outputs = outputs};
    if (m->options->scores) out = (spf_predictions){.scores = outputs};
    return spf_predict(m->forest, &(spf_values){m->columns, rows, m->values->has_missing},
                       m->options->how, m->options->threads, &out);
}

/* Adds the differences of a piece of the rows to the bins. */
static sporf_status add_piece(const making *m, size_t begin, size_t rows) {
    const float *column = m->values->columns[m->feature] + begin;
    SPF_TRY(predict_ends(m, begin, rows, 1, m->low));
    SPF_TRY(predict_ends(m, begin, rows, 0, m->high));
    for (size_t i = 0; i < rows; i++) {
        if (isnan(column[i])) continue;
        size_t bin = bin_of(m, column[i]);
        double weight = m->weights ? (double)m->weights[begin + i] : 1;
        m->weight[bin] += weight;
        for (size_t k = 0; k < m->outputs; k++)
            m->effects[bin * m->outputs + k] +=
                weight * (m->high[i * m->outputs + k] - m->low[i * m->outputs + k]);
    }
    return SPORF_OK;
}

/* From sums of differences to effects; a bin without weight has none. */
static void accumulate(const making *m) {
    size_t outputs = m->outputs;
    double total = 0;
    for (size_t b = 1; b < m->count; b++) total += m->weight[b];
    for (size_t k = 0; k < outputs; k++) {
        double *effects = m->effects + k, sum = 0;
        for (size_t b = 1; b < m->count; b++) {
            double step = m->weight[b] > 0 ? effects[b * outputs] / m->weight[b] : 0;
            effects[b * outputs] = effects[(b - 1) * outputs] + step;
            sum += m->weight[b] * (effects[b * outputs] + effects[(b - 1) * outputs]) / 2;
        }
        for (size_t b = 0; total > 0 && b < m->count; b++) effects[b * outputs] -= sum / total;
    }
}

static sporf_status add_pieces(const making *m) {
    const sporf_hooks *hooks = m->options->hooks;
    size_t rows = m->values->rows;
    for (size_t begin = 0; begin < rows; begin += m->piece) {
        size_t count = rows - begin < m->piece ? rows - begin : m->piece;
        SPF_TRY(spf_curve_check_interrupt(hooks));
        SPF_TRY(add_piece(m, begin, count));
        if (hooks->progress) hooks->progress(hooks->payload, begin + count, rows);
    }
    return SPORF_OK;
}

sporf_status spf_ale(const sporf_forest *forest, const spf_values *values, const float *weights,
                     uint32_t feature, const double *ends, size_t count,
                     const spf_curve_options *options, double *effects) {
    size_t outputs = spf_curve_outputs(forest, options), cells = PIECE_CELLS / outputs + 1;
    making m = {forest,
                values,
                weights,
                feature,
                ends,
                count,
                outputs,
                options,
                .piece = cells < values->rows ? cells : values->rows,
                .effects = effects};
    memset(effects, 0, count * outputs * sizeof *effects);
    if (count < 2) return SPORF_OK;
    m.columns = spf_alloc(forest->features, sizeof *m.columns);
    m.replaced = spf_alloc(m.piece, sizeof *m.replaced);
    m.low = spf_alloc(m.piece, outputs * sizeof *m.low);
    m.high = spf_alloc(m.piece, outputs * sizeof *m.high);
    m.weight = spf_alloc_zero(count, sizeof *m.weight);
    sporf_status status = SPORF_OK;
    if (!m.columns || !m.replaced || !m.low || !m.high || !m.weight) status = spf_raise_memory();
    if (status == SPORF_OK) status = add_pieces(&m);
    if (status == SPORF_OK) accumulate(&m);
    free(m.columns);
    free(m.replaced);
    free(m.low);
    free(m.high);
    free(m.weight);
    return status;
}
