/* Tables in which rows are repeated instead of weighted. */
#ifndef TEST_REPEATED_H
#define TEST_REPEATED_H

#include "sporf.h"

/* Each row as often as its whole weight says, in place; classes keep their names. Ends the test
 * when memory runs out. Free with sporf_dataset_free. */
sporf_dataset *repeated_rows(const sporf_dataset *data, const double *times);

/* Whole weights from 0 to 5; the first `classes` rows have at least 1, so that in tables of
 * random_data each class keeps a row. */
double *whole_weights(size_t rows, size_t classes, uint64_t seed);

#endif
