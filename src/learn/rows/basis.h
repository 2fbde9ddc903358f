/* The basis of one tree: directions that its sampler made, and the data projected on them once.
 * Without directions the tree uses the table's columns. */
#ifndef SPF_LEARN_ROWS_BASIS_H
#define SPF_LEARN_ROWS_BASIS_H

#include "data/dataset.h"
#include "model/projection.h"

typedef struct spf_basis {
    sporf_projections directions;
    const float **columns; /* [directions.count], into values */
    float *values;
    uint32_t
        *number; /* [directions.count]: number among the tree's projections, UINT32_MAX if new */
} spf_basis;

/* Prepares an empty basis for directions. */
void spf_basis_start(spf_basis *basis, const sporf_dataset *data, const float *scale);
void spf_basis_free(spf_basis *basis);
/* Memory of directions with that many terms each, and of the projected rows. */
double spf_basis_bytes(double rows, double directions, double terms);

static inline int spf_basis_is_made(const spf_basis *basis) {
    return basis->directions.count > 0;
}

/* Allocates all rows for all directions, and fills them block by block. */
sporf_status spf_basis_allocate(spf_basis *basis, size_t rows);
void spf_basis_project(spf_basis *basis, const sporf_dataset *data, size_t begin, size_t end);

#endif
