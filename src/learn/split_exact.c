/* Exact cuts: sort the projected values, then move the rows from right to left one by one and keep
 * running sums. Class weights are whole numbers and x ln x a multiple of one unit, so the sums
 * carry no rounding. */
#include "base/portable_math.h"
#include "base/sort.h"
#include "learn/split.h"

#include <math.h>
#include <stdlib.h>

enum { XLOGX_TABLE_MAX = 1 << 16, XLOGX_BITS = 51 };

static double xlogx_of(uint64_t number, double unit) {
    return number < 2 ? 0 : rint((double)number * spf_log((double)number) / unit) * unit;
}

sporf_status spf_xlogx_create(uint64_t largest, spf_xlogx *xlogx) {
    xlogx->size = (largest < XLOGX_TABLE_MAX ? largest : XLOGX_TABLE_MAX) + 1;
    xlogx->table = spf_alloc(xlogx->size, sizeof *xlogx->table);
    if (!xlogx->table) return spf_raise_memory();
    int exponent;
    frexp((double)largest * spf_log((double)largest), &exponent);
    xlogx->unit = ldexp(1, exponent - XLOGX_BITS);
    for (uint64_t i = 0; i < xlogx->size; i++) xlogx->table[i] = xlogx_of(i, xlogx->unit);
    return SPORF_OK;
}

void spf_xlogx_free(spf_xlogx *xlogx) {
    free(xlogx->table);
    *xlogx = (spf_xlogx){0};
}

static inline double xlogx_at(const spf_xlogx *xlogx, uint64_t number) {
    return number < xlogx->size ? xlogx->table[number] : xlogx_of(number, xlogx->unit);
}

sporf_status spf_split_scratch_create(size_t rows, size_t classes, spf_split_scratch *scratch) {
    scratch->keys = spf_alloc(rows, sizeof *scratch->keys);
    scratch->spare = spf_alloc(rows, sizeof *scratch->spare);
    scratch->left = spf_alloc_zero(classes, sizeof *scratch->left);
    return scratch->keys && scratch->spare && scratch->left ? SPORF_OK : spf_raise_memory();
}

void spf_split_scratch_free(spf_split_scratch *scratch) {
    free(scratch->keys);
    free(scratch->spare);
    free(scratch->left);
    *scratch = (spf_split_scratch){0};
}

double spf_split_perfect(const spf_split_node *node) {
    return node->criterion == SPORF_GINI ? (double)node->total : 0;
}

/* The midpoint of a < b in single precision, but never b itself. */
static float threshold_between(float a, float b) {
    float middle = (float)(((double)a + (double)b) * 0.5);
    return middle < b ? middle : a;
}

/* Running sums over the classes on either side of the cut. */
typedef struct {
    uint64_t weight_left, weight_right;
    uint64_t squares_left, squares_right; /* Gini */
    double xlogx_left, xlogx_right;       /* entropy */
} sums;

static inline void move_gini(sums *s, uint64_t left, uint64_t right, uint64_t weight) {
    s->squares_left += weight * (2 * left + weight);
    s->squares_right -= weight * (2 * right - weight);
}

static inline void move_entropy(sums *s, const spf_xlogx *xlogx, uint64_t left, uint64_t right,
                                uint64_t weight) {
    s->xlogx_left += xlogx_at(xlogx, left + weight) - xlogx_at(xlogx, left);
    s->xlogx_right -= xlogx_at(xlogx, right) - xlogx_at(xlogx, right - weight);
}

static inline double score_gini(const sums *s) {
    return (double)s->squares_left / (double)s->weight_left +
           (double)s->squares_right / (double)s->weight_right;
}

static inline double score_entropy(const sums *s, const spf_xlogx *xlogx) {
    return (s->xlogx_left - xlogx_at(xlogx, s->weight_left)) +
           (s->xlogx_right - xlogx_at(xlogx, s->weight_right));
}

static sums sums_at_start(const spf_split_node *node) {
    sums s = {.weight_right = node->total};
    for (size_t i = 0; i < node->present_count; i++) {
        uint64_t count = node->class_total[node->present[i]];
        if (node->criterion == SPORF_GINI)
            s.squares_right += count * count;
        else
            s.xlogx_right += xlogx_at(node->xlogx, count);
    }
    return s;
}

/* The one scan body; `entropy` is a constant in each of its two instances. */
static inline __attribute__((always_inline)) void scan(const spf_split_node *node,
                                                       const uint64_t *keys, uint32_t *left,
                                                       spf_split *best, const int entropy) {
    sums s = sums_at_start(node);
    for (size_t i = 0; i + 1 < node->rows; i++) {
        uint32_t row = (uint32_t)keys[i], weight = node->weight[row], class = node->label[row];
        uint32_t right = node->class_total[class] - left[class];
        if (entropy)
            move_entropy(&s, node->xlogx, left[class], right, weight);
        else
            move_gini(&s, left[class], right, weight);
        left[class] += weight;
        s.weight_left += weight;
        s.weight_right -= weight;
        if (keys[i] >> 32 == keys[i + 1] >> 32) continue;
        if (s.weight_left < node->min_leaf || s.weight_right < node->min_leaf) continue;
        double score = entropy ? score_entropy(&s, node->xlogx) : score_gini(&s);
        if (best->found && !(score > best->score)) continue;
        *best = (spf_split){
            .found = 1,
            .score = score,
            .threshold = threshold_between(spf_float_unorder((uint32_t)(keys[i] >> 32)),
                                           spf_float_unorder((uint32_t)(keys[i + 1] >> 32)))};
    }
    for (size_t i = 0; i < node->present_count; i++) left[node->present[i]] = 0;
}

void spf_split_exact(const spf_split_node *node, const float *values, spf_split_scratch *scratch,
                     spf_split *best) {
    for (size_t i = 0; i < node->rows; i++)
        scratch->keys[i] = (uint64_t)spf_float_order(values[i]) << 32 | i;
    spf_sort_keys(scratch->keys, scratch->spare, node->rows);
    if (node->criterion == SPORF_GINI)
        scan(node, scratch->keys, scratch->left, best, 0);
    else
        scan(node, scratch->keys, scratch->left, best, 1);
}
