/* How much rows and classes count. */
#ifndef SPF_DATA_WEIGHTS_H
#define SPF_DATA_WEIGHTS_H

#include "data/dataset.h"

/* Raises SPORF_ERROR_DATA for the first weight that is negative or not finite. */
sporf_status spf_weights_check(const float *weights, size_t rows);

static inline double spf_weight_of(const sporf_dataset *data, size_t row) {
    return data->weights ? data->weights[row] : 1;
}

/* Weights of classes, as text: "none", "balanced" or "NAME=WEIGHT,NAME=WEIGHT". */

/* Whether the text is one of these, whatever the names; NULL is none. */
int spf_class_weights_ok(const char *text);

/* factors[classes], for text that is: what the weights of a class's rows are multiplied by. Classes
 * that are not named have 1; "balanced" gives all classes the same weight, and all rows together
 * the one that they had. */
sporf_status spf_class_weights_read(const char *text, const sporf_dataset *data, double *factors);

#endif
