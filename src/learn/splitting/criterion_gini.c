/* The Gini impurity. The score of a cut is the sum over both children of (sum of squared class
 * weights / weight). Two classes are scanned as pairs instead: see split_scan.h. */
#include "base/vectors.h"
#include "learn/splitting/criterion_scans.h"

static void gini_open(spf_split_node *node) {
    node->sums.squares = 0;
    for (size_t k = 0; k < node->classes; k++)
        node->sums.squares += (uint64_t)node->class_total[k] * node->class_total[k];
}

static double gini_perfect(const spf_split_node *node) {
    if (!spf_split_is_pair(node)) return (double)node->total;
    return (double)node->class_total[0] * (double)node->class_total[1];
}

static inline spf_sums gini_start(const spf_split_node *node) {
    (void)node;
    return (spf_sums){0};
}

static inline void gini_move(const spf_split_node *node, spf_sums *sums, uint32_t k, uint64_t left,
                             uint64_t weight) {
    sums->squares += weight * (2 * left + weight);
    sums->cross += weight * node->class_total[k];
}

/* The score times the weights of both children. */
static inline double gini_top(const spf_split_node *node, const spf_sums *sums) {
    uint64_t squares_right = node->sums.squares - 2 * sums->cross + sums->squares;
    return (double)sums->squares * (double)(node->total - sums->weight) +
           (double)squares_right * (double)sums->weight;
}

static inline double gini_bottom(const spf_split_node *node, const spf_sums *sums) {
    return (double)sums->weight * (double)(node->total - sums->weight);
}

static inline double gini_score(const spf_split_node *node, const spf_sums *sums,
                                const uint32_t *left) {
    (void)left;
    return gini_top(node, sums) / gini_bottom(node, sums);
}

/* A product decides, without the division of a score and with a margin for its rounding. */
static inline int gini_may_exceed(const spf_split_node *node, const spf_sums *sums, double best) {
    return gini_top(node, sums) >= best * gini_bottom(node, sums) * (1 - 0x1p-50);
}

static const spf_rules gini_rules = {gini_start, gini_move, gini_score, gini_may_exceed};

static void gini_scan_rows(const spf_split_node *node, const float *values, const spf_order *order,
                           uint32_t *left, spf_split *best) {
    spf_scan_rows(node, values, order, left, best, &gini_rules);
}

static void gini_scan_lane(const spf_split_node *node, const uint32_t *lane, uint32_t mask,
                           uint32_t *left, spf_lane_cut *cut) {
    spf_scan_lane(node, lane, mask, left, cut, &gini_rules);
}

static void gini_walk_tags(spf_bin_walk *walk) {
    spf_walk_tags(walk, &gini_rules);
}

/* ---- bins, four classes at a time ------------------------------------------------------------ */

/* The sums of neighbours: a[0] + a[1], a[2] + a[3], and those of b. */
static inline u32x4 add_neighbours(u32x4 a, u32x4 b) {
    return SPF_SHUFFLE(a, b, 0, 2, 4, 6) + SPF_SHUFFLE(a, b, 1, 3, 5, 7);
}

/* Lists the slots that are not empty, and their weights, without a branch that is hard to predict;
 * returns their number. Slots are read four at a time. */
static SPF_INSTANCE uint32_t list_slots(const uint32_t *counts, uint32_t slots, uint16_t *slot,
                                        uint32_t *weight, const size_t vectors) {
    uint32_t listed = 0;
    for (uint32_t first = 0; first < slots; first += 4) {
        u32x4 all[4] = {{0}}, next;
        for (size_t i = 0; i < 4; i++)
            for (size_t v = 0; v < vectors; v++, counts += 4) {
                memcpy(&next, counts, sizeof next);
                all[i] += next;
            }
        u32x4 weights =
            add_neighbours(add_neighbours(all[0], all[1]), add_neighbours(all[2], all[3]));
        for (uint32_t i = 0; i < 4; i++) {
            slot[listed] = (uint16_t)(first + i);
            weight[listed] = weights[i];
            listed += (weights[i] > 0) & (first + i < slots);
        }
    }
    return listed;
}

/* For sums below 2^32; `vectors` is a compile-time constant. */
static SPF_INSTANCE void walk_narrow(spf_bin_walk *walk, const size_t vectors) {
    const spf_split_node *node = walk->node;
    const uint32_t *counts = walk->histogram->counts;
    u32x4 left[SPF_COUNTED_VECTORS], totals[SPF_COUNTED_VECTORS], bin;
    uint32_t padded[4 * SPF_COUNTED_VECTORS] = {0}, weight[SPF_VALUES_MAX + 5];
    uint16_t slot[SPF_VALUES_MAX + 5];
    uint32_t listed = list_slots(counts, walk->histogram->bins.count + 1, slot, weight, vectors);
    spf_sums sums = {0};
    memcpy(padded, node->class_total, node->classes * sizeof *padded);
    for (size_t v = 0; v < vectors; v++) {
        memcpy(&totals[v], padded + 4 * v, sizeof *totals);
        left[v] = (u32x4){0};
    }
    for (uint32_t i = 0; i < listed; i++) {
        const uint32_t *own = counts + slot[i] * 4 * vectors;
        u32x4 squares = {0}, cross = {0};
        spf_walk_try(walk, &sums, slot[i], &gini_rules);
        for (size_t v = 0; v < vectors; v++) {
            memcpy(&bin, own + 4 * v, sizeof bin);
            left[v] += bin;
            squares += left[v] * left[v];
            cross += left[v] * totals[v];
        }
        u32x4 pairs = add_neighbours(squares, cross);
        sums.squares = pairs[0] + pairs[1];
        sums.cross = pairs[2] + pairs[3];
        sums.weight += weight[i];
        if (slot[i] > 0) spf_walk_leave(walk, slot[i] - 1u, weight[i]);
    }
}

static void gini_walk_counts(spf_bin_walk *walk) {
    size_t vectors = walk->histogram->width / 4;
    if (walk->node->total >= 1 << 16)
        spf_walk_counts(walk, &gini_rules);
    else if (vectors == 1)
        walk_narrow(walk, 1);
    else if (vectors == 2)
        walk_narrow(walk, 2);
    else if (vectors == 3)
        walk_narrow(walk, 3);
    else
        walk_narrow(walk, vectors);
}

const spf_criterion spf_criterion_gini = {
    .name = "gini",
    .pairs = 1,
    .open = gini_open,
    .perfect = gini_perfect,
    .scan_rows = gini_scan_rows,
    .scan_lane = gini_scan_lane,
    .walk_counts = gini_walk_counts,
    .walk_tags = gini_walk_tags,
};
