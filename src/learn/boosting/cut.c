/* Scans of histograms. */
#include "learn/boosting/cut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLACK (1 - 0x1p-40)

/* A scan of one column. */
typedef struct {
    const spf_cut_rules *rules;
    const spf_cut_node *node;
    const spf_bin_column *column;
    const uint64_t *bins;
    const uint32_t *counts; /* rows of each bin; NULL: not counted */
    double l2, parent;      /* parent: the score of the node itself */
    double needed;          /* the score of both sides that the best cut has */
    uint32_t number;
    spf_cut *best;
} scan;

static double score_of(uint64_t pair, double l2) {
    double g = spf_pair_gradient(pair);
    return g * g / (spf_pair_hessian(pair) + l2);
}

double spf_cut_value(const spf_cut_rules *rules, const spf_cut_node *node, uint64_t pair) {
    const spf_gradients *g = rules->gradients;
    double value = -spf_pair_gradient(pair) * g->gradient_unit /
                   ((spf_pair_hessian(pair) + rules->l2) * g->hessian_unit);
    return fmin(fmax(value, node->low), node->high);
}

/* With bounds, a side may not have its best value: what it gains then. */
static double bounded_score(const scan *s, uint64_t pair, double value) {
    const spf_gradients *g = s->rules->gradients;
    double per_unit = value * g->hessian_unit / g->gradient_unit;
    return -(2 * spf_pair_gradient(pair) * per_unit +
             (spf_pair_hessian(pair) + s->l2) * per_unit * per_unit);
}

static double bounded_gain(const scan *s, uint64_t left, uint64_t right) {
    double a = spf_cut_value(s->rules, s->node, left), b = spf_cut_value(s->rules, s->node, right);
    if (s->column->monotone * (b - a) < 0) return 0;
    double whole = spf_cut_value(s->rules, s->node, s->node->total);
    return bounded_score(s, left, a) + bounded_score(s, right, b) -
           bounded_score(s, s->node->total, whole);
}

/* Whether a side surely has enough rows, by its hessian. */
static int surely_fills(const spf_cut_rules *rules, uint64_t pair) {
    return spf_pair_hessian(pair) >= (double)rules->min_leaf * rules->gradients->most_hessian;
}

/* Takes a cut that gains more than the best one so far. Most cuts are refused without a division,
 * by a comparison with a little slack for rounding. */
static inline int offer(scan *s, uint64_t left, unsigned after, int missing_left,
                        const int bounded) {
    uint64_t right = s->node->total - left;
    double gl = spf_pair_gradient(left), gr = spf_pair_gradient(right);
    double hl = spf_pair_hessian(left) + s->l2, hr = spf_pair_hessian(right) + s->l2;
    double score = gl * gl * hr + gr * gr * hl, divisor = hl * hr;
    if (!bounded && !(score > s->needed * divisor * SLACK)) return 0;
    double gain = bounded ? bounded_gain(s, left, right) : score / divisor - s->parent;
    if (!(gain > s->best->gain)) return 0;
    *s->best = (spf_cut){.gain = gain,
                         .column = s->number,
                         .after = (uint16_t)after,
                         .missing_left = (uint8_t)missing_left,
                         .left = left};
    s->needed = gain + s->parent;
    return 1;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Cuts with missing values on one side. Among cuts with the same rows on either side the one in the
 * middle is taken. */
static inline void scan_bins(scan *s, uint64_t missing, uint32_t missing_rows, int missing_left,
                             const int counted, const int bounded) {
    const spf_cut_rules *rules = s->rules;
    uint64_t left = missing_left ? missing : 0;
    uint32_t rows = missing_left ? missing_rows : 0, all = (uint32_t)s->node->count;
    const double least = rules->least_hessian;
    int taken = 0;
    unsigned last = missing && !missing_left ? s->column->bins : s->column->bins - 1u;
    for (unsigned b = 0; b < s->column->bins; b++) {
        if (s->bins[b] == 0) continue;
        if (taken) s->best->after = (uint16_t)((s->best->after + b - 1) / 2);
        taken = 0;
        if (b >= last) break;
        left += s->bins[b];
        if (counted) rows += s->counts[b];
        if (counted && rows < rules->min_leaf) continue;
        if (counted && all - rows < rules->min_leaf) break;
        if (spf_pair_hessian(left) < least) continue;
        if (spf_pair_hessian(s->node->total - left) < least) break;
        taken = offer(s, left, b, missing_left, bounded);
    }
}

static void scan_side(scan *s, uint64_t missing, uint32_t missing_rows, int missing_left) {
    if (s->counts || s->rules->bounded)
        scan_bins(s, missing, missing_rows, missing_left, s->counts != NULL, s->rules->bounded);
    else
        scan_bins(s, missing, missing_rows, missing_left, 0, 0);
}

static void scan_numbers(scan *s) {
    unsigned bins = s->column->bins;
    uint64_t missing = s->column->missing ? s->bins[bins] : 0;
    uint32_t rows = missing && s->counts ? s->counts[bins] : 0;
    scan_side(s, missing, rows, 0);
    if (missing) scan_side(s, missing, rows, 1);
}

/* ---- categories ------------------------------------------------------------------------------ */

/* A level by the value that its rows alone would get. */
typedef struct {
    double value;
    unsigned bin;
} level;

static int compare_levels(const void *a, const void *b) {
    const level *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return x->bin < y->bin ? -1 : 1;
}

static size_t sort_levels(const scan *s, level *levels) {
    size_t count = 0;
    for (unsigned b = 0; b < s->column->bins; b++) {
        if (s->bins[b] == 0) continue;
        levels[count++] =
            (level){-spf_pair_gradient(s->bins[b]) / (spf_pair_hessian(s->bins[b]) + s->l2), b};
    }
    qsort(levels, count, sizeof *levels, compare_levels);
    return count;
}

/* Levels that the node has not seen go with the heavier side. */
static void take_levels(const scan *s, const level *levels, size_t count) {
    uint32_t *set = s->best->set;
    uint64_t left = s->best->left;
    int heavy = spf_pair_hessian(left) > spf_pair_hessian(s->node->total - left);
    memset(set, 0, sizeof s->best->set);
    for (unsigned b = 0; heavy && b < s->column->bins; b++)
        if (s->bins[b] == 0) set[b / 32] |= 1u << b % 32;
    for (size_t i = 0; i < count; i++) set[levels[i].bin / 32] |= 1u << levels[i].bin % 32;
}

static void scan_level_side(scan *s, const level *levels, size_t count, int missing_left) {
    const spf_cut_rules *rules = s->rules;
    uint64_t missing = s->column->missing ? s->bins[s->column->bins] : 0;
    uint64_t left = missing_left ? missing : 0;
    uint32_t rows = missing_left && s->counts ? s->counts[s->column->bins] : 0;
    size_t last = missing && !missing_left ? count : count - 1;
    for (size_t i = 0; i < last; i++) {
        left += s->bins[levels[i].bin];
        if (s->counts) rows += s->counts[levels[i].bin];
        if (s->counts && rows < rules->min_leaf) continue;
        if (s->counts && s->node->count - rows < rules->min_leaf) break;
        if (spf_pair_hessian(left) < rules->least_hessian) continue;
        if (spf_pair_hessian(s->node->total - left) < rules->least_hessian) break;
        if (offer(s, left, 0, missing_left, rules->bounded)) take_levels(s, levels, i + 1);
    }
}

static void scan_levels(scan *s) {
    level levels[SPF_BINS_MOST];
    size_t count = sort_levels(s, levels);
    if (count == 0) return;
    scan_level_side(s, levels, count, 0);
    if (s->column->missing && s->bins[s->column->bins]) scan_level_side(s, levels, count, 1);
}

/* ---- all ------------------------------------------------------------------------------------- */

static void scan_column(scan *s) {
    (s->column->category ? scan_levels : scan_numbers)(s);
}

static void count_rows(const spf_cut_node *node, const uint8_t *bytes, size_t stride,
                       uint32_t counts[SPF_BINS_MOST]) {
    memset(counts, 0, SPF_BINS_MOST * sizeof *counts);
    for (size_t i = 0; i < node->count; i++) counts[bytes[(size_t)node->rows[i] * stride]]++;
}

/* Missing values that the node has not seen go with the heavier side. */
static void place_unseen(const scan *s) {
    spf_cut *cut = s->best;
    if (!s->column->missing || s->bins[s->column->bins] != 0) return;
    cut->missing_left = spf_pair_hessian(cut->left) > spf_pair_hessian(s->node->total - cut->left);
}

/* Rows are counted only if the hessians of the best cut leave a doubt: then the column is scanned
 * again with counts. */
void spf_cut_search(const spf_cut_rules *rules, const spf_cut_node *node,
                    const spf_bin_column *column, uint32_t number, const uint64_t *bins,
                    const uint8_t *bytes, size_t stride, spf_cut *best) {
    uint32_t counts[SPF_BINS_MOST];
    spf_cut found = *best;
    scan s = {.rules = rules,
              .node = node,
              .column = column,
              .bins = bins,
              .l2 = rules->l2,
              .parent = score_of(node->total, rules->l2),
              .number = number,
              .best = &found};
    s.needed = found.gain + s.parent;
    scan_column(&s);
    if (!(found.gain > best->gain)) return;
    if (rules->min_leaf > 1 &&
        !(surely_fills(rules, found.left) && surely_fills(rules, node->total - found.left))) {
        count_rows(node, bytes, stride, counts);
        found = *best;
        s.needed = found.gain + s.parent;
        s.counts = counts;
        scan_column(&s);
        if (!(found.gain > best->gain)) return;
    }
    place_unseen(&s);
    *best = found;
}
