/* The table of criteria, and that of x ln x. */
#include "learn/splitting/criterion.h"

#include <stdlib.h>

#define PLACE(value, name) [value] = &spf_criterion_##name,
static const spf_criterion *const table[] = {SPF_CRITERIA(PLACE)};

const spf_criterion *spf_criterion_of(sporf_criterion criterion) {
    return table[criterion];
}

enum { XLOGX_TABLE_MAX = 1 << 16, XLOGX_BITS = 51 };

sporf_status spf_xlogx_create(uint64_t largest, spf_xlogx *xlogx) {
    xlogx->size = (largest < XLOGX_TABLE_MAX ? largest : XLOGX_TABLE_MAX) + 1;
    xlogx->table = spf_alloc(xlogx->size, sizeof *xlogx->table);
    if (!xlogx->table) return spf_raise_memory();
    int exponent;
    frexp((double)largest * spf_log((double)largest), &exponent);
    xlogx->unit = ldexp(1, exponent - XLOGX_BITS);
    for (uint64_t i = 0; i < xlogx->size; i++) xlogx->table[i] = spf_xlogx_of(i, xlogx->unit);
    return SPORF_OK;
}

void spf_xlogx_free(spf_xlogx *xlogx) {
    free(xlogx->table);
    *xlogx = (spf_xlogx){0};
}

double spf_xlogx_bytes(double largest) {
    return spf_alloc_bytes(fmin(largest, XLOGX_TABLE_MAX) + 1, sizeof(double));
}
