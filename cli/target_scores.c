/* Scores of regression, target by target. */
#include "scores.h"

#include "printed.h"
#include "summary.h"

#include <stdlib.h>

static int reserve(scores *s) {
    size_t targets = sporf_forest_targets(s->forest), count = s->asked.count;
    sporf_evaluation *found = &s->found;
    int intervals = s->asked.interval > 0;
    found->quantiles = s->asked.level;
    found->quantiles_count = count;
    found->interval = s->asked.interval;
    found->targets = calloc(targets, sizeof *found->targets);
    if (count > 0) found->quantile_scores = calloc(targets, count * sizeof *found->quantile_scores);
    if (intervals) found->interval_scores = calloc(targets, sizeof *found->interval_scores);
    return found->targets && (found->quantile_scores || count == 0) &&
           (found->interval_scores || !intervals);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void quantiles_json(json *writer, const scores *s, size_t target) {
    const quantiles *asked = &s->asked;
    json_list(writer, "quantiles");
    for (size_t i = 0; i < asked->count; i++) {
        const sporf_quantile_scores *score = &s->found.quantile_scores[target * asked->count + i];
        json_object(writer, NULL);
        json_line(writer);
        json_double(writer, "quantile", asked->level[i]);
        json_double(writer, "pinball", score->pinball);
        json_double(writer, "below", score->below);
        json_end(writer);
    }
    json_end(writer);
}

static void interval_json(json *writer, const scores *s, size_t target) {
    json_object(writer, "interval");
    json_line(writer);
    json_double(writer, "level", s->asked.interval);
    json_double(writer, "coverage", s->found.interval_scores[target].coverage);
    json_double(writer, "width", s->found.interval_scores[target].width);
    json_end(writer);
}

static void targets_json(json *writer, const scores *s) {
    const sporf_forest *forest = s->forest;
    int plain = s->asked.count == 0 && s->asked.interval == 0;
    json_list(writer, "targets");
    for (size_t t = 0; t < sporf_forest_targets(forest); t++) {
        json_object(writer, NULL);
        if (plain) json_line(writer);
        json_text(writer, "name", sporf_schema_target_name(sporf_forest_schema(forest), t));
        json_double(writer, "rmse", s->found.targets[t].rmse);
        json_double(writer, "mae", s->found.targets[t].mae);
        json_double(writer, "r2", s->found.targets[t].r2);
        if (s->asked.count > 0) quantiles_json(writer, s, t);
        if (s->asked.interval > 0) interval_json(writer, s, t);
        json_end(writer);
    }
    json_end(writer);
}

static void report_json(json *writer, const scores *s) {
    json_count(writer, "rows", s->found.rows);
    summary_weights_json(writer, s->data, s->weight);
    targets_json(writer, s);
    json_count(writer, "trees", sporf_forest_trees(s->forest));
    json_double(writer, "seconds", s->seconds);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void quantiles_text(FILE *stream, const scores *s, size_t target) {
    const quantiles *asked = &s->asked;
    char pinball[TEXT_NUMBER], below[TEXT_NUMBER];
    for (size_t i = 0; i < asked->count; i++) {
        const sporf_quantile_scores *score = &s->found.quantile_scores[target * asked->count + i];
        summary_line(stream, "", "quantile %s: share below %s, pinball loss %s", asked->text[i],
                     text_rate(below, score->below), text_score(pinball, score->pinball));
    }
}

static void interval_text(FILE *stream, const scores *s, size_t target) {
    char level[TEXT_NUMBER], coverage[TEXT_NUMBER], width[TEXT_NUMBER];
    const sporf_interval_scores *score = &s->found.interval_scores[target];
    summary_line(stream, "", "interval %s: coverage %s, mean width %s",
                 text_double(level, s->asked.interval), text_rate(coverage, score->coverage),
                 text_score(width, score->width));
}

static void targets_text(FILE *stream, const scores *s) {
    const sporf_forest *forest = s->forest;
    char rmse[TEXT_NUMBER], mae[TEXT_NUMBER], r2[TEXT_NUMBER];
    for (size_t t = 0; t < sporf_forest_targets(forest); t++) {
        const sporf_target_scores *score = &s->found.targets[t];
        summary_line(stream, sporf_schema_target_name(sporf_forest_schema(forest), t),
                     "RMSE %s, MAE %s, R2 %s", text_score(rmse, score->rmse),
                     text_score(mae, score->mae), text_rate(r2, score->r2));
        quantiles_text(stream, s, t);
        if (s->asked.interval > 0) interval_text(stream, s, t);
    }
}

static void report_text(FILE *stream, const scores *s) {
    char rows[TEXT_NUMBER];
    summary_line(stream, "rows", "%s", text_count(rows, s->found.rows));
    summary_weights_line(stream, s->data, s->weight);
    targets_text(stream, s);
}

const scores_report target_scores = {reserve, NULL, report_json, report_text};
