/* Chooses the report for a forest. */
#include "scores.h"

#include <stdlib.h>

const scores_report *scores_report_of(const sporf_forest *forest) {
    if (sporf_schema_label_columns(sporf_forest_schema(forest)) > 0) return &label_scores;
    return sporf_forest_targets(forest) > 0 ? &target_scores : &class_scores;
}

void scores_free(scores *s) {
    free(s->found.confusion);
    free(s->found.targets);
    free(s->found.quantile_scores);
    free(s->found.interval_scores);
    free(s->found.probabilities);
    free(s->found.predicted);
    free(s->found.labels);
    free(s->found.label_errors);
    class_report_free(&s->classes);
}
