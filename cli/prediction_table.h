/* The predictions for the rows of a block as columns of a CSV file: the class and, if asked for,
 * probabilities; or the class of each of several labels; or for each target its mean and, if asked
 * for, quantiles and an interval. Then scores, if these are asked for. */
#ifndef SPORF_CLI_PREDICTION_TABLE_H
#define SPORF_CLI_PREDICTION_TABLE_H

#include "header.h"
#include "quantile_levels.h"
#include "sporf.h"

#include <stdio.h>

/* In classification there are no targets, in regression no classes. */
typedef struct prediction_table {
    const sporf_forest *forest;
    quantiles asked;
    int proba;  /* probabilities are asked for */
    int scores; /* so are the scores of a boosted model */
    size_t capacity;
    uint32_t *classes;       /* [capacity] */
    uint32_t *label_classes; /* [capacity x label columns]: of several labels */
    double *probabilities;   /* [capacity x classes] */
    double *means;           /* [capacity x targets] */
    double *quantiles;       /* [capacity x targets x count] */
    double *bounds;          /* [capacity x targets x 2] */
    double *raw;             /* [capacity x outputs]: scores */
} prediction_table;

/* Bytes per row, if these may be many. */
size_t prediction_table_row_bytes(const prediction_table *table);

/* Makes room for that many rows; returns 0 if memory runs out. Free with prediction_table_free. */
int prediction_table_reserve(prediction_table *table, size_t rows);
void prediction_table_free(prediction_table *table);

sporf_status prediction_table_fill(const prediction_table *table, const sporf_dataset *data,
                                   const sporf_predict_options *how);

/* Adds the names of the columns. */
void prediction_table_header(header *line, const prediction_table *table);

void prediction_table_row(FILE *stream, const prediction_table *table, size_t row);

#endif
