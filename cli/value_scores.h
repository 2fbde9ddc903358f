/* How well numbers are predicted: means, and on request quantiles and intervals, as text and
 * JSON. */
#ifndef SPORF_CLI_VALUE_SCORES_H
#define SPORF_CLI_VALUE_SCORES_H

#include "json.h"
#include "quantile_levels.h"
#include "sporf.h"

typedef struct value_scores {
    quantiles asked;
    sporf_target_scores *means;       /* [targets] */
    sporf_quantile_scores *quantiles; /* [targets x count] */
    sporf_interval_scores *intervals; /* [targets] */
} value_scores;

/* Makes room; returns 0 where memory runs out. Free with value_scores_free. */
int value_scores_allocate(value_scores *scores, size_t targets);
void value_scores_free(value_scores *scores);

sporf_status value_scores_find(value_scores *scores, const sporf_forest *forest,
                               const sporf_dataset *data, const sporf_predict_options *how);

/* Adds the key "targets"; prints a line, or some, for each. */
void value_scores_json(json *writer, const value_scores *scores, const sporf_forest *forest);
void value_scores_text(FILE *stream, const value_scores *scores, const sporf_forest *forest);

#endif
