/* Weights of rows: how much each counts. */
#ifndef SPF_DATA_WEIGHTS_H
#define SPF_DATA_WEIGHTS_H

#include "data/dataset.h"

/* Raises SPORF_ERROR_DATA for the first weight that is negative or not finite. */
sporf_status spf_weights_check(const float *weights, size_t rows);

static inline double spf_weight_of(const sporf_dataset *data, size_t row) {
    return data->weights ? data->weights[row] : 1;
}

#endif
