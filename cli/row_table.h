/* Rows of a table one by one, as a program with single predictions would hold them. */
#ifndef SPORF_CLI_ROW_TABLE_H
#define SPORF_CLI_ROW_TABLE_H

#include "sporf.h"

typedef struct row_table {
    size_t rows, features;
    float *values; /* row by row, features in the order of the forest */
} row_table;

/* Draws random rows of the data, as many as there are or as fit into some tens of megabytes. The
 * forest must be able to predict the data. Returns 0 if memory runs out. Free with
 * row_table_free. */
int row_table_draw(row_table *table, const sporf_forest *forest, const sporf_dataset *data);
int row_table_copy(row_table *copy, const row_table *table);
void row_table_free(row_table *table);

#endif
