/* A table that boosting stops by, instead of rows that are held out. */
#ifndef SPF_LEARN_BOOSTING_VALID_TABLE_H
#define SPF_LEARN_BOOSTING_VALID_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* Columns are in the order of the training table and labels are its
 * classes. */
typedef struct spf_boost_valid {
    size_t rows; /* 0: a share of the training rows is held out */
    const float *const *columns;
    const uint32_t *labels;
    const float *const *target; /* [targets] */
    const float *weight;        /* NULL: all 1 */
} spf_boost_valid;

#endif
