/* Projects the whole table on a tree's directions. */
#include "learn/rows/basis.h"

#include "learn/rows/project.h"

#include <stdlib.h>

static void free_columns(spf_basis *basis) {
    free(basis->columns);
    free(basis->values);
    free(basis->number);
    basis->columns = NULL;
    basis->values = NULL;
    basis->number = NULL;
}

void spf_basis_start(spf_basis *basis, const sporf_dataset *data, const float *scale) {
    basis->directions.features = data->features;
    basis->directions.scale = scale;
}

void spf_basis_free(spf_basis *basis) {
    free_columns(basis);
    spf_projections_free(&basis->directions);
}

sporf_status spf_basis_allocate(spf_basis *basis, size_t rows) {
    size_t count = basis->directions.count;
    basis->values = spf_alloc(count, rows * sizeof *basis->values);
    basis->columns = spf_alloc(count, sizeof *basis->columns);
    basis->number = spf_alloc(count, sizeof *basis->number);
    if (!basis->values || !basis->columns || !basis->number) return spf_raise_memory();
    for (size_t i = 0; i < count; i++) {
        basis->columns[i] = basis->values + i * rows;
        basis->number[i] = UINT32_MAX;
    }
    return SPORF_OK;
}

void spf_basis_project(spf_basis *basis, const sporf_dataset *data, size_t begin, size_t end) {
    for (size_t i = 0; i < basis->directions.count; i++)
        spf_project_range(&basis->directions, i, data->columns, begin, end,
                          basis->values + i * data->rows);
}

double spf_basis_bytes(double rows, double directions, double terms) {
    return spf_alloc_bytes(directions * rows, sizeof(float)) +
           spf_alloc_bytes(directions, sizeof(float *)) +
           spf_alloc_bytes(directions, sizeof(uint32_t)) +
           spf_projections_bytes(directions, directions * terms);
}
