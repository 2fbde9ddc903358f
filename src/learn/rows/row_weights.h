/* How much each row counts while a forest grows: its own weight times that of its class, in whole
 * numbers, so that sums over rows carry no rounding. Weights are relative, or say how often a row
 * was seen (sporf_weight_is). Relative ones that are all the same are none. */
#ifndef SPF_LEARN_ROWS_ROW_WEIGHTS_H
#define SPF_LEARN_ROWS_ROW_WEIGHTS_H

#include "data/dataset.h"

#include <math.h>

typedef struct spf_row_weights {
    uint32_t *units; /* [rows of the data]; NULL: each row counts once */
    size_t rows;     /* of weight above 0 */
    uint64_t total;  /* of all units, below 2^31 */
    int exponent;    /* a weight of 1 is 2^exponent units; of relative weights 0 */
    int whole;       /* all weights are whole numbers: rows count as if repeated */
    /* Weights differ and are relative: rows are drawn and counted alike, and then weigh so much.
     * A row counts `most` times at most, so that a bag weighs less than 2^31 units. */
    int relative;
    int counts;             /* weights are not relative */
    uint32_t most, largest; /* of relative weights; largest is that of a row's units */
} spf_row_weights;

/* Raises what makes weights unusable: negative, not finite, all 0, too large, of one class only. */
sporf_status spf_row_weights_create(const sporf_dataset *data, const char *class_weights,
                                    sporf_weight_is is, spf_row_weights *weights);
void spf_row_weights_free(spf_row_weights *weights);
/* What they take, and the draw by weight that they ask for. */
double spf_row_weights_bytes(double rows);

static inline uint32_t spf_row_units(const spf_row_weights *weights, size_t row) {
    return weights->units ? weights->units[row] : 1;
}

/* The weight of an average row, in units; of counts that of 1. */
static inline double spf_units_of_row(const spf_row_weights *weights) {
    return weights->relative ? (double)weights->total / (double)weights->rows
                             : ldexp(1, weights->exponent);
}

#endif
