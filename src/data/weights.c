/* Setting, asking and checking weights of rows. */
#include "data/weights.h"

#include "base/number.h"

#include <stdlib.h>

sporf_status spf_weights_check(const float *weights, size_t rows) {
    for (size_t i = 0; i < rows; i++) {
        char text[SPF_NUMBER_TEXT_MAX];
        if (weights[i] >= 0 && weights[i] <= SPF_VALUE_MAX) continue;
        spf_number_write_float(weights[i], text);
        return spf_raise(SPORF_ERROR_DATA,
                         "the weight of row %zu is %s: weights are numbers from 0, which say how "
                         "much a row counts",
                         i + 1, text);
    }
    return SPORF_OK;
}

sporf_status sporf_dataset_set_weight_name(sporf_dataset *data, const char *name) {
    if (!data) return spf_raise(SPORF_ERROR_ARGUMENT, "weight name: data is NULL");
    char *copy = name && *name ? spf_strdup(name) : NULL;
    if (name && *name && !copy) return spf_raise_memory();
    free(data->weight_name);
    data->weight_name = copy;
    return SPORF_OK;
}

sporf_status sporf_dataset_set_weights(sporf_dataset *data, const double *weights, size_t count) {
    if (!data) return spf_raise(SPORF_ERROR_ARGUMENT, "weights: data is NULL");
    if (!weights) {
        free(data->weights);
        data->weights = NULL;
        return sporf_dataset_set_weight_name(data, NULL);
    }
    if (count != data->rows)
        return spf_raise(SPORF_ERROR_ARGUMENT, "%zu weights for %zu rows", count, data->rows);
    float *copy = spf_alloc(count, sizeof *copy);
    if (!copy) return spf_raise_memory();
    for (size_t i = 0; i < count; i++) copy[i] = (float)weights[i];
    sporf_status status = spf_weights_check(copy, count);
    if (status != SPORF_OK) {
        free(copy);
        return status;
    }
    free(data->weights);
    data->weights = copy;
    return sporf_dataset_set_weight_name(data, NULL);
}

const float *sporf_dataset_weights(const sporf_dataset *data) {
    return data->weights;
}
