/* Shares are sorted; each group of equal ones beats the groups below it and half of itself. With
 * many classes most shares of a row are 0: these are counted, not sorted. */
#include "score/auc.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    double right, wrong; /* total weights of true and of false shares */
} group;

typedef struct {
    size_t classes;
    const uint32_t *labels;
    const double *weights;
    group none;     /* shares of 0 */
    uint64_t *keys; /* the others: the share in the upper half, its index in the lower */
    size_t count;
} shares;

static int is_true(const shares *s, size_t cell) {
    return s->labels[cell / s->classes] == cell % s->classes;
}

static void add_cell(const shares *s, size_t cell, group *to) {
    *(is_true(s, cell) ? &to->right : &to->wrong) += s->weights[cell / s->classes];
}

static void add_row(shares *s, const uint32_t *votes, size_t row) {
    uint64_t all = 0;
    size_t first = s->classes == 2 ? 1 : 0;
    for (size_t k = 0; k < s->classes; k++) all += votes[row * s->classes + k];
    if (all == 0 || !(s->weights[row] > 0)) return;
    for (size_t cell = row * s->classes + first; cell < (row + 1) * s->classes; cell++) {
        if (votes[cell] == 0) {
            add_cell(s, cell, &s->none);
            continue;
        }
        float share = (float)((double)votes[cell] / (double)all);
        s->keys[s->count++] = (uint64_t)spf_float_order(share) << 32 | cell;
    }
}

static void beat(const group *these, double below, double *won) {
    *won += these->right * (below + these->wrong / 2);
}

static double area(const shares *s) {
    double below = s->none.wrong, above = s->none.right, won = 0;
    beat(&s->none, 0, &won);
    for (size_t i = 0; i < s->count;) {
        group these = {0};
        uint64_t share = s->keys[i] >> 32;
        for (; i < s->count && s->keys[i] >> 32 == share; i++)
            add_cell(s, (uint32_t)s->keys[i], &these);
        beat(&these, below, &won);
        below += these.wrong;
        above += these.right;
    }
    return above > 0 && below > 0 ? won / (above * below) : NAN;
}

static size_t count_votes(const uint32_t *votes, size_t cells) {
    size_t count = 0;
    for (size_t i = 0; i < cells; i++) count += votes[i] > 0;
    return count;
}

sporf_status spf_auc(size_t rows, size_t classes, const uint32_t *votes, const uint32_t *labels,
                     const double *weights, double *auc) {
    shares s = {.classes = classes, .labels = labels, .weights = weights};
    *auc = NAN;
    if (classes < 2 || rows > UINT32_MAX / classes) return SPORF_OK;
    size_t most = count_votes(votes, rows * classes);
    s.keys = spf_alloc(2 * most, sizeof *s.keys);
    if (!s.keys) return spf_raise_memory();
    for (size_t i = 0; i < rows; i++) add_row(&s, votes, i);
    spf_sort_keys(s.keys, s.keys + most, s.count);
    *auc = area(&s);
    free(s.keys);
    return SPORF_OK;
}
