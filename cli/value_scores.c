/* Scores of predicted numbers, target by target. */
#include "value_scores.h"

#include "printed.h"
#include "summary.h"

#include <stdlib.h>

int value_scores_allocate(value_scores *scores, size_t targets) {
    scores->means = calloc(targets, sizeof *scores->means);
    scores->quantiles = calloc(targets, (scores->asked.count + 1) * sizeof *scores->quantiles);
    scores->intervals = calloc(targets, sizeof *scores->intervals);
    return scores->means && scores->quantiles && scores->intervals;
}

void value_scores_free(value_scores *scores) {
    free(scores->means);
    free(scores->quantiles);
    free(scores->intervals);
}

sporf_status value_scores_find(value_scores *scores, const sporf_forest *forest,
                               const sporf_dataset *data, const sporf_predict_options *how) {
    const quantiles *asked = &scores->asked;
    sporf_evaluation out = {.struct_size = sizeof out,
                            .targets = scores->means,
                            .quantiles = asked->level,
                            .quantiles_count = asked->count,
                            .quantile_scores = asked->count > 0 ? scores->quantiles : NULL,
                            .interval = asked->interval,
                            .interval_scores = asked->interval > 0 ? scores->intervals : NULL};
    return sporf_forest_evaluate(forest, data, how, &out);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void quantiles_json(json *writer, const value_scores *scores, size_t target) {
    const quantiles *asked = &scores->asked;
    json_list(writer, "quantiles");
    for (size_t i = 0; i < asked->count; i++) {
        const sporf_quantile_scores *score = &scores->quantiles[target * asked->count + i];
        json_object(writer, NULL);
        json_line(writer);
        json_double(writer, "quantile", asked->level[i]);
        json_double(writer, "pinball", score->pinball);
        json_double(writer, "below", score->below);
        json_end(writer);
    }
    json_end(writer);
}

static void interval_json(json *writer, const value_scores *scores, size_t target) {
    json_object(writer, "interval");
    json_line(writer);
    json_double(writer, "level", scores->asked.interval);
    json_double(writer, "coverage", scores->intervals[target].coverage);
    json_double(writer, "width", scores->intervals[target].width);
    json_end(writer);
}

void value_scores_json(json *writer, const value_scores *scores, const sporf_forest *forest) {
    int plain = scores->asked.count == 0 && scores->asked.interval == 0;
    json_list(writer, "targets");
    for (size_t t = 0; t < sporf_forest_targets(forest); t++) {
        json_object(writer, NULL);
        if (plain) json_line(writer);
        json_text(writer, "name", sporf_schema_target_name(sporf_forest_schema(forest), t));
        json_double(writer, "rmse", scores->means[t].rmse);
        json_double(writer, "mae", scores->means[t].mae);
        json_double(writer, "r2", scores->means[t].r2);
        if (scores->asked.count > 0) quantiles_json(writer, scores, t);
        if (scores->asked.interval > 0) interval_json(writer, scores, t);
        json_end(writer);
    }
    json_end(writer);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void quantiles_text(FILE *stream, const value_scores *scores, size_t target) {
    const quantiles *asked = &scores->asked;
    char pinball[TEXT_NUMBER], below[TEXT_NUMBER];
    for (size_t i = 0; i < asked->count; i++) {
        const sporf_quantile_scores *score = &scores->quantiles[target * asked->count + i];
        summary_line(stream, "", "quantile %s: share below %s, pinball loss %s", asked->text[i],
                     text_rate(below, score->below), text_score(pinball, score->pinball));
    }
}

static void interval_text(FILE *stream, const value_scores *scores, size_t target) {
    char level[TEXT_NUMBER], coverage[TEXT_NUMBER], width[TEXT_NUMBER];
    const sporf_interval_scores *score = &scores->intervals[target];
    summary_line(stream, "", "interval %s: coverage %s, mean width %s",
                 text_double(level, scores->asked.interval), text_rate(coverage, score->coverage),
                 text_score(width, score->width));
}

void value_scores_text(FILE *stream, const value_scores *scores, const sporf_forest *forest) {
    char rmse[TEXT_NUMBER], mae[TEXT_NUMBER], r2[TEXT_NUMBER];
    for (size_t t = 0; t < sporf_forest_targets(forest); t++) {
        const sporf_target_scores *score = &scores->means[t];
        summary_line(stream, sporf_schema_target_name(sporf_forest_schema(forest), t),
                     "RMSE %s, MAE %s, R2 %s", text_score(rmse, score->rmse),
                     text_score(mae, score->mae), text_rate(r2, score->r2));
        quantiles_text(stream, scores, t);
        if (scores->asked.interval > 0) interval_text(stream, scores, t);
    }
}
