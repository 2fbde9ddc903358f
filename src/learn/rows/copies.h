/* Copies of the data that are faster to read than its columns of floats: row by row, for nodes
 * whose few rows lie far apart, so that what a row's projections read shares cache lines; and where
 * all values are whole numbers from 0 to 255, as bytes, row by row and column by column. */
#ifndef SPF_LEARN_ROWS_COPIES_H
#define SPF_LEARN_ROWS_COPIES_H

#include "data/dataset.h"
#include "learn/rows/table.h"

typedef struct spf_copies {
    spf_table by_row;    /* rows is 0 if there is none */
    spf_table by_column; /* the same, and only as bytes */
    void *row_storage, *column_storage;
    void *row_pointers, *column_pointers;
} spf_copies;

/* Makes the copies, as bytes if that is what the values are, unless one would take more than `most`
 * bytes. */
sporf_status spf_copies_create(const sporf_dataset *data, int bytes, double most, unsigned threads,
                               spf_copies *copies);
void spf_copies_free(spf_copies *copies);

#endif
