/* Projecting rows: the learner's side of spf_project_column, one term at a time over many rows. The
 * sum of each row is built in the same order, so both give the same bits. */
#ifndef SPF_LEARN_PROJECT_H
#define SPF_LEARN_PROJECT_H

#include "model/projection.h"

/* value[i] = projection of row rows[i]. */
static inline void spf_project_rows(const sporf_projections *list, size_t index,
                                    const float *const *columns, const uint32_t *rows, size_t count,
                                    float *value) {
    uint32_t start = list->start[index], end = list->start[index + 1];
    const float *first = columns[list->feature[start]];
    float first_weight = list->weight[start];
    for (size_t i = 0; i < count; i++) value[i] = first_weight * first[rows[i]];
    for (uint32_t t = start + 1; t < end; t++) {
        const float *column = columns[list->feature[t]];
        float weight = list->weight[t];
        for (size_t i = 0; i < count; i++) value[i] += weight * column[rows[i]];
    }
}

/* value[i] = projection of row i, for the rows begin .. end-1. */
static inline void spf_project_range(const sporf_projections *list, size_t index,
                                     const float *const *columns, size_t begin, size_t end,
                                     float *value) {
    uint32_t start = list->start[index], stop = list->start[index + 1];
    const float *first = columns[list->feature[start]];
    float first_weight = list->weight[start];
    for (size_t i = begin; i < end; i++) value[i] = first_weight * first[i];
    for (uint32_t t = start + 1; t < stop; t++) {
        const float *column = columns[list->feature[t]];
        float weight = list->weight[t];
        for (size_t i = begin; i < end; i++) value[i] += weight * column[i];
    }
}

#endif
