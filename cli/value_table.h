/* What is predicted for the rows of a block where that is numbers: means, and on request quantiles
 * and intervals, as columns of a CSV file. */
#ifndef SPORF_CLI_VALUE_TABLE_H
#define SPORF_CLI_VALUE_TABLE_H

#include "header.h"
#include "quantile_levels.h"
#include "sporf.h"

#include <stdio.h>

typedef struct value_table {
    const sporf_forest *forest;
    const quantiles *asked;
    double *means;     /* [rows x targets] */
    double *quantiles; /* [rows x targets x count] */
    double *bounds;    /* [rows x targets x 2]; NULL where no interval is asked for */
} value_table;

/* Bytes for each row. */
size_t value_table_row_bytes(const sporf_forest *forest, const quantiles *asked);

/* Makes room for so many rows; returns 0 where memory runs out. Free with value_table_free. */
int value_table_allocate(value_table *table, const sporf_forest *forest, const quantiles *asked,
                         size_t rows);
void value_table_free(value_table *table);

sporf_status value_table_predict(value_table *table, const sporf_dataset *data,
                                 const sporf_predict_options *how);

/* Adds the names of the columns. */
void value_table_header(header *line, const sporf_forest *forest, const quantiles *asked);

void value_table_row(FILE *stream, const value_table *table, size_t row);

#endif
