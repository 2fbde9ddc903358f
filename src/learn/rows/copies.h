/* Copies of the data that are faster to read than columns of floats. Row by row, for nodes with few
 * scattered rows, so that a row's values share cache lines. As bytes, by row and by column, if all
 * values are integers from 0 to 255. */
#ifndef SPF_LEARN_ROWS_COPIES_H
#define SPF_LEARN_ROWS_COPIES_H

#include "data/dataset.h"
#include "learn/rows/table.h"

typedef struct spf_copies {
    spf_table by_row;    /* rows is 0 if there is none */
    spf_table by_column; /* the same, but only as bytes */
    void *row_storage, *column_storage;
    void *row_pointers, *column_pointers;
} spf_copies;

/* Makes the copies, as bytes if `bytes` is set, unless one would take more than `most` bytes. */
sporf_status spf_copies_create(const sporf_dataset *data, int bytes, double most, unsigned threads,
                               spf_copies *copies);
void spf_copies_free(spf_copies *copies);

#endif
