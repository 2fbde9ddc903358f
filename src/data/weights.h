/* Row weights and class weights. */
#ifndef SPF_DATA_WEIGHTS_H
#define SPF_DATA_WEIGHTS_H

#include "data/dataset.h"

/* Raises SPORF_ERROR_DATA for the first weight that is negative or not finite. */
sporf_status spf_weights_check(const float *weights, size_t rows);

static inline double spf_weight_of(const sporf_dataset *data, size_t row) {
    return data->weights ? data->weights[row] : 1;
}

/* Weights of classes, as text: "none", "balanced" or "NAME=WEIGHT,NAME=WEIGHT". */

/* Whether the text has one of these forms, with any names; NULL means "none". */
int spf_class_weights_ok(const char *text);

/* Parses such a text into factors[classes], which multiply the weights of each class's rows.
 * Classes that are not named have 1; "balanced" gives all classes the same weight and keeps the
 * total. */
sporf_status spf_class_weights_read(const char *text, const sporf_dataset *data, double *factors);

#endif
