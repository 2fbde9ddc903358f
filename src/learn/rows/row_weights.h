/* Row weights while a forest grows: the row's weight times that of its class, as integers, so that
 * sums over rows are exact. Weights are relative, or count how often a row was seen
 * (sporf_weight_is). Equal relative weights count as no weights. */
#ifndef SPF_LEARN_ROWS_ROW_WEIGHTS_H
#define SPF_LEARN_ROWS_ROW_WEIGHTS_H

#include "data/dataset.h"

#include <math.h>

/* The classes of rows, for those who treat them differently by class. */
typedef struct spf_row_classes {
    const uint32_t *label; /* [rows]; NULL where rows have none */
    size_t rows, count;
} spf_row_classes;

/* Those of a table. */
static inline spf_row_classes spf_row_classes_of(const sporf_dataset *data) {
    return (spf_row_classes){data->labels, data->rows, data->schema.classes.count};
}

typedef struct spf_row_weights {
    uint32_t *units; /* [rows of the data]; NULL: all are 1 */
    size_t rows;     /* rows with positive weight */
    uint64_t total;  /* sum of units, below 2^31 */
    int exponent;    /* a weight of 1 is 2^exponent units; 0 for relative weights */
    int whole;       /* all weights are integers: rows count as if repeated */
    /* Weights differ and are relative: rows are drawn and counted without weights, and weighed
     * afterwards. A row counts at most `most` times, so that a bag has less than 2^31 units. */
    int relative;
    int counts;             /* weights are not relative */
    uint32_t most, largest; /* of relative weights: draws, and units, of a row at most */
} spf_row_weights;

/* Raises an error if weights are negative, not finite, all 0, too large, or of one class only. */
sporf_status spf_row_weights_create(const sporf_dataset *data, spf_row_classes classes,
                                    const char *class_weights, sporf_weight_is is,
                                    spf_row_weights *weights);
void spf_row_weights_free(spf_row_weights *weights);
double spf_row_weights_bytes(const spf_row_weights *weights, double rows);

static inline uint32_t spf_row_units(const spf_row_weights *weights, size_t row) {
    return weights->units ? weights->units[row] : 1;
}

/* The units of an average row or, for counts, of 1. */
static inline double spf_units_of_row(const spf_row_weights *weights) {
    return weights->relative ? (double)weights->total / (double)weights->rows
                             : ldexp(1, weights->exponent);
}

#endif
