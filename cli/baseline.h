/* What the same class for every row would reach, beside which scores are read; and what errors cost
 * if the model was trained with --cost. */
#ifndef SPORF_CLI_BASELINE_H
#define SPORF_CLI_BASELINE_H

#include "json.h"
#include "sporf.h"

#include <stdio.h>

typedef struct baseline {
    uint32_t class_index; /* the class of the largest weight */
    double error;         /* if it is predicted for every row; NaN without rows */
    int has_cost;
    double cost;             /* of the predictions, for a row */
    uint32_t cheapest_class; /* the class that costs least if it is predicted for every row */
    double cheapest_cost;
} baseline;

/* Costs are those of the forest; NULL: there are none. rows->predicted must be given. Rows with a
 * class that the model does not know are errors. Returns 0 if memory runs out. */
int baseline_find(const sporf_forest *forest, const sporf_scored_rows *rows, baseline *found);

void baseline_lines(FILE *stream, const sporf_schema *schema, const baseline *found);

/* Adds the keys "baseline" and "cost", which is null without --cost, each with the prefix. */
void baseline_json(json *writer, const sporf_schema *schema, const char *prefix,
                   const baseline *found);

#endif
