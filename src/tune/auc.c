/* Shares are sorted; each group of equal ones beats what lies below it and half of itself. */
#include "tune/auc.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    size_t classes;
    const uint32_t *labels;
    const double *weights;
    uint64_t *keys; /* a share in the upper half, its place among the votes in the lower */
    size_t count;
} shares;

static void add_row(shares *s, const uint32_t *votes, size_t row) {
    uint64_t all = 0;
    size_t first = s->classes == 2 ? 1 : 0;
    for (size_t k = 0; k < s->classes; k++) all += votes[row * s->classes + k];
    if (all == 0 || !(s->weights[row] > 0)) return;
    for (size_t cell = row * s->classes + first; cell < (row + 1) * s->classes; cell++) {
        float share = (float)((double)votes[cell] / (double)all);
        s->keys[s->count++] = (uint64_t)spf_float_order(share) << 32 | cell;
    }
}

static int is_true(const shares *s, size_t cell) {
    return s->labels[cell / s->classes] == cell % s->classes;
}

static double area(const shares *s) {
    double below = 0, above = 0, won = 0; /* weights of false shares so far, of true ones */
    for (size_t i = 0; i < s->count;) {
        double right = 0, wrong = 0;
        uint64_t share = s->keys[i] >> 32;
        for (; i < s->count && s->keys[i] >> 32 == share; i++) {
            size_t cell = (uint32_t)s->keys[i];
            *(is_true(s, cell) ? &right : &wrong) += s->weights[cell / s->classes];
        }
        won += right * (below + wrong / 2);
        below += wrong;
        above += right;
    }
    return above > 0 && below > 0 ? won / (above * below) : NAN;
}

sporf_status spf_auc(size_t rows, size_t classes, const uint32_t *votes, const uint32_t *labels,
                     const double *weights, double *auc) {
    shares s = {.classes = classes, .labels = labels, .weights = weights};
    *auc = NAN;
    if (classes < 2 || rows > UINT32_MAX / classes) return SPORF_OK;
    size_t most = rows * classes;
    s.keys = spf_alloc(2 * most, sizeof *s.keys);
    if (!s.keys) return spf_raise_memory();
    for (size_t i = 0; i < rows; i++) add_row(&s, votes, i);
    spf_sort_keys(s.keys, s.keys + most, s.count);
    *auc = area(&s);
    free(s.keys);
    return SPORF_OK;
}
