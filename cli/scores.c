/* Chooses the report for a forest. */
#include "scores.h"

#include <stdlib.h>

const scores_report *scores_report_of(const sporf_forest *forest) {
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
    class_report_free(&s->classes);
}
