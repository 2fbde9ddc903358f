/* Gradients and hessians of the rows as integers, so that sums are exact and do not depend on the
 * order of additions. One number holds both: the gradient in its upper half, which may be negative,
 * the hessian in its lower. */
#ifndef SPF_LEARN_BOOSTING_GRADIENTS_H
#define SPF_LEARN_BOOSTING_GRADIENTS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct spf_gradients {
    uint64_t *pair;                       /* [rows of the table] */
    double gradient_unit, hessian_unit;   /* the values of 1 */
    uint32_t least_hessian, most_hessian; /* of a row, in units */
    uint64_t total;                       /* of all rows */
} spf_gradients;

static inline double spf_pair_gradient(uint64_t pair) {
    return (double)((int64_t)pair >> 32);
}

static inline double spf_pair_hessian(uint64_t pair) {
    return (double)(uint32_t)pair;
}

/* Fills the pairs of some rows from the gradients and hessians of all. Units are as small as the
 * sums of these rows allow. */
void spf_gradients_fill(spf_gradients *gradients, const float *gradient, const float *hessian,
                        const uint32_t *rows, size_t count);

#endif
