/* How much each row counts while a forest grows: its own weight times that of its class, in whole
 * numbers, so that sums over rows carry no rounding. */
#ifndef SPF_LEARN_ROW_WEIGHTS_H
#define SPF_LEARN_ROW_WEIGHTS_H

#include "data/dataset.h"

typedef struct spf_row_weights {
    uint32_t *units; /* [rows of the data]; NULL: each row counts once */
    size_t rows;     /* of weight above 0 */
    uint64_t total;  /* of all units, below 2^31 */
    int exponent;    /* a weight of 1 is 2^exponent units */
    int whole;       /* all weights are whole numbers: rows count as if repeated */
} spf_row_weights;

/* Raises what makes weights unusable: negative, not finite, all 0, too large, of one class only. */
sporf_status spf_row_weights_create(const sporf_dataset *data, const char *class_weights,
                                    spf_row_weights *weights);
void spf_row_weights_free(spf_row_weights *weights);

static inline uint32_t spf_row_units(const spf_row_weights *weights, size_t row) {
    return weights->units ? weights->units[row] : 1;
}

#endif
