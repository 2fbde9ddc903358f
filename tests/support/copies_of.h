/* The copies that training makes of a table: as bytes where its values allow them. */
#ifndef TEST_COPIES_OF_H
#define TEST_COPIES_OF_H

#include "learn/rows/copies.h"

static inline sporf_status copies_of(const sporf_dataset *data, double most, unsigned threads,
                                     spf_copies *copies) {
    int bytes = 0;
    SPF_TRY(spf_dataset_holds_bytes(data, threads, &bytes));
    return spf_copies_create(data, bytes, most, threads, copies);
}

#endif
