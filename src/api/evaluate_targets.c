/* Predicted values, quantiles and intervals compared with targets, one target after the other. */
#include "api/evaluate_targets.h"

#include "api/match.h"
#include "score/regression_metric.h"

#include <math.h>
#include <stdlib.h>

/* A forest, rows with targets, and memory for predictions. */
typedef struct {
    const sporf_forest *forest;
    const sporf_dataset *data;
    const sporf_predict_options *options;
    double *predicted;      /* [rows x columns] */
    double *column, *other; /* [rows]: one or two of the columns */
} work;

static void release(work *w) {
    free(w->predicted);
    free(w->column);
}

static sporf_status allocate(work *w, size_t columns) {
    size_t rows = w->data->rows;
    w->predicted = spf_alloc(rows, columns * sizeof *w->predicted);
    w->column = spf_alloc(rows, 2 * sizeof *w->column);
    w->other = w->column ? w->column + rows : NULL;
    return w->predicted && w->column ? SPORF_OK : spf_raise_memory();
}

static void pick(const work *w, size_t columns, size_t place, double *column) {
    for (size_t i = 0; i < w->data->rows; i++) column[i] = w->predicted[i * columns + place];
}

static sporf_status predict(const work *w, sporf_predictions out) {
    out.struct_size = sizeof out;
    return sporf_forest_predict(w->forest, w->data, w->options, &out);
}

/* ---- means ----------------------------------------------------------------------------------- */

static sporf_status score_means(work *w, sporf_target_scores *scores) {
    const sporf_dataset *data = w->data;
    size_t targets = w->forest->targets;
    SPF_TRY(allocate(w, targets));
    SPF_TRY(predict(w, (sporf_predictions){.values = w->predicted}));
    for (size_t t = 0; t < targets; t++) {
        const float *truth;
        SPF_TRY(spf_match_target(w->forest, data, t, &truth));
        pick(w, targets, t, w->column);
        scores[t] = (sporf_target_scores){
            .rmse = spf_rmse(data->rows, truth, w->column, data->weights),
            .mae = spf_mae(data->rows, truth, w->column, data->weights),
            .r2 = spf_r2(data->rows, truth, w->column, data->weights),
        };
    }
    return SPORF_OK;
}

/* Over all targets; r2 over those that vary. */
static void join_targets(const sporf_target_scores *each, size_t targets,
                         sporf_evaluation *scores) {
    double square = 0, absolute = 0, explained = 0;
    size_t varying = 0;
    for (size_t t = 0; t < targets; t++) {
        square += each[t].rmse * each[t].rmse;
        absolute += each[t].mae;
        if (isnan(each[t].r2)) continue;
        explained += each[t].r2;
        varying++;
    }
    scores->rmse = targets == 1 ? each[0].rmse : sqrt(square / (double)targets);
    scores->mae = absolute / (double)targets;
    scores->r2 = varying > 0 ? explained / (double)varying : NAN;
}

static sporf_status evaluate_means(work w, sporf_evaluation *scores) {
    sporf_target_scores *each = spf_alloc(w.forest->targets, sizeof *each);
    if (!each) return spf_raise_memory();
    sporf_status status = score_means(&w, each);
    if (status == SPORF_OK) join_targets(each, w.forest->targets, scores);
    for (size_t t = 0; status == SPORF_OK && scores->targets && t < w.forest->targets; t++)
        scores->targets[t] = each[t];
    free(each);
    release(&w);
    return status;
}

/* ---- quantiles and intervals ----------------------------------------------------------------- */

static sporf_status score_quantiles(work *w, const sporf_evaluation *asked) {
    const sporf_dataset *data = w->data;
    size_t count = asked->quantiles_count, columns = w->forest->targets * count;
    SPF_TRY(allocate(w, columns));
    SPF_TRY(predict(w, (sporf_predictions){.quantiles = asked->quantiles,
                                           .quantiles_count = count,
                                           .quantile_values = w->predicted}));
    for (size_t i = 0; i < columns; i++) {
        const float *truth;
        SPF_TRY(spf_match_target(w->forest, data, i / count, &truth));
        pick(w, columns, i, w->column);
        asked->quantile_scores[i] = (sporf_quantile_scores){
            .pinball = spf_pinball_loss(data->rows, truth, w->column, asked->quantiles[i % count],
                                        data->weights),
            .below = spf_share_below(data->rows, truth, w->column, data->weights),
        };
    }
    return SPORF_OK;
}

static sporf_status score_intervals(work *w, const sporf_evaluation *asked) {
    const sporf_dataset *data = w->data;
    size_t columns = 2 * w->forest->targets;
    SPF_TRY(allocate(w, columns));
    SPF_TRY(predict(w, (sporf_predictions){.interval = asked->interval, .bounds = w->predicted}));
    for (size_t t = 0; t < w->forest->targets; t++) {
        const float *truth;
        SPF_TRY(spf_match_target(w->forest, data, t, &truth));
        pick(w, columns, 2 * t, w->column);
        pick(w, columns, 2 * t + 1, w->other);
        asked->interval_scores[t] = (sporf_interval_scores){
            .coverage = spf_coverage(data->rows, truth, w->column, w->other, data->weights),
            .width = spf_mean_width(data->rows, w->column, w->other, data->weights),
        };
    }
    return SPORF_OK;
}

static sporf_status evaluate_each(work w, const sporf_evaluation *asked,
                                  sporf_status (*score)(work *, const sporf_evaluation *)) {
    sporf_status status = score(&w, asked);
    release(&w);
    return status;
}

sporf_status spf_evaluate_targets(const sporf_forest *forest, const sporf_dataset *data,
                                  const sporf_predict_options *options, sporf_evaluation *scores) {
    const work w = {.forest = forest, .data = data, .options = options};
    SPF_TRY(spf_check_targets(data));
    scores->rows = data->rows;
    SPF_TRY(evaluate_means(w, scores));
    if (scores->quantile_scores) SPF_TRY(evaluate_each(w, scores, score_quantiles));
    if (scores->interval_scores) SPF_TRY(evaluate_each(w, scores, score_intervals));
    return SPORF_OK;
}
