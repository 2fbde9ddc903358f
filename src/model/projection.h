/* A list of sparse projections: the candidates of a node, or the basis of a tree. */
#ifndef SPF_MODEL_PROJECTION_H
#define SPF_MODEL_PROJECTION_H

#include "model/sets.h"

#include <string.h>

struct sporf_projections {
    size_t features;    /* feature numbers are below this */
    const float *scale; /* [features]: converts weights to raw units; NULL for none */
    size_t count, terms;
    uint32_t *start; /* [count + 1] into the terms; NULL until something is added */
    uint32_t *feature;
    float *weight;
    uint64_t *sorting;        /* scratch memory for two sets of keys */
    const spf_set_list *sets; /* sets that terms beyond the table's features name; NULL for none */
    size_t start_capacity, feature_capacity, weight_capacity, sorting_capacity;
};

void spf_projections_clear(sporf_projections *list);
void spf_projections_free(sporf_projections *list);
/* Memory of a list of projections with that many terms in total. */
double spf_projections_bytes(double projections, double terms);

/* sporf_projections_add for terms that are known to be sorted, with features in range and finite
 * weights. */
sporf_status spf_projections_put(sporf_projections *list, size_t count, const uint32_t *features,
                                 const float *weights);

static inline size_t spf_projection_terms(const sporf_projections *list, size_t index) {
    return list->start[index + 1] - list->start[index];
}

/* Whether every weight is 1 or -1. */
static inline int spf_are_signs(const float *weights, size_t count) {
    const uint32_t sign = 0x80000000u, one = 0x3f800000u;
    uint32_t differ = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &weights[i], sizeof bits);
        differ |= (bits & ~sign) ^ one;
    }
    return differ == 0;
}

#endif
