/* The table of sporf importance, as text, CSV and JSON. */
#ifndef SPORF_CLI_IMPORTANCE_TABLE_H
#define SPORF_CLI_IMPORTANCE_TABLE_H

#include "feature_lines.h"
#include "out.h"
#include "sporf.h"

typedef enum importance_column {
    COLUMN_IMPURITY,
    COLUMN_CORRECTED,
    COLUMN_P_VALUE,
    COLUMN_PERMUTATION,
    COLUMN_PERMUTATION_ERROR,
    COLUMN_DROP,
    COLUMN_DROP_ERROR,
    IMPORTANCE_COLUMNS
} importance_column;

typedef struct importance_table {
    const char *path; /* of the model */
    const sporf_forest *forest;
    feature_lines lines;
    double *values[IMPORTANCE_COLUMNS]; /* [lines] each; NULL: not asked for */
    size_t *order;                      /* [lines]: the most important first */
    size_t top;                         /* how many lines and projections to print */
    const sporf_ranking *ranking;       /* NULL if projections were not asked for */
} importance_table;

/* Sorts the lines by the last of drop-column, permutation, corrected and impurity importance that
 * there is; lines without it come last, by the others. Returns 0 if memory runs out. */
int importance_table_sort(importance_table *table);

void importance_table_text(out_file *file, const importance_table *table);
void importance_table_json(out_file *file, const importance_table *table);

/* Returns 0, or an exit code after a message. */
int importance_table_csv(out_file *file, const importance_table *table);

#endif
