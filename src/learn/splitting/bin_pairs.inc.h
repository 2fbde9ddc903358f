/* The walk through bins that count two classes. Products, several bins at a time, exclude most
 * cuts, so that few need the division of a score. */

enum { BINS_AT_ONCE = LANES / 2 };

/* What is left of each bin, and some more numbers, so that vectors may be read behind the last one.
 * Returns whether a bin is heavy. */
INLINE int sum_bins(const spf_bin_walk *walk, uint64_t *left) {
    const uint64_t *pairs = walk->histogram->pairs;
    const uint32_t bins = walk->histogram->bins.count;
    uint64_t sum = pairs[0];
    uint32_t most = 0;
    for (uint32_t b = 0; b < bins; b++) {
        uint32_t weight = (uint32_t)pairs[b + 1];
        left[b] = sum;
        most = weight > most ? weight : most;
        sum += pairs[b + 1];
    }
    for (uint32_t i = 0; i < BINS_AT_ONCE; i++) left[bins + i] = 0;
    return most > walk->node->total / SPF_HEAVY_SHARE;
}

/* Offers the cut before a bin, if that and one before it are not empty. */
INLINE void offer_pair(spf_bin_walk *walk, uint64_t left, uint32_t bin) {
    const spf_split_node *node = walk->node;
    const uint64_t *pairs = walk->histogram->pairs + 1;
    int32_t before = (int32_t)bin - 1;
    if (pairs[bin] == 0 || !spf_leaves_allow(node, (uint32_t)left)) return;
    while (before >= 0 && pairs[before] == 0) before--;
    if (before < 0) return;
    walk->last_bin = before;
    spf_walk_offer(walk, spf_score_pair(node, left), bin);
}

/* Whether a cut before one of some bins may be the best, with a margin for the rounding of
 * products; the excess itself must be exact. */
INLINE int any_may_exceed(const spf_split_node *node, const uint64_t *left, double best) {
    u64v sums;
    memcpy(&sums, left, sizeof sums);
    const double total = (double)node->total;
    f64v weight = behind_exponent(sums & UINT32_MAX), ones = behind_exponent(sums >> 32);
    f64v excess = ones * total - (double)node->class_total[1] * weight;
    f64v least = best * weight * (total - weight) * (1 - 0x1p-50);
    return any_of(excess * excess >= least);
}

static void walk_pairs(spf_bin_walk *walk) {
    const spf_split_node *node = walk->node;
    const uint32_t bins = walk->histogram->bins.count;
    const int exact = node->total <= (node->numeric ? SPF_NUMBERS_TOTAL : SPF_NUMBERED_TOTAL);
    uint64_t left[SPF_VALUES_MAX + BINS_AT_ONCE];
    assert(bins <= SPF_VALUES_MAX);
    int heavy = sum_bins(walk, left);
    for (uint32_t b = 0; b < bins; b += BINS_AT_ONCE) {
        double best = walk->best->found ? walk->best->score : -1;
        if (exact && !any_may_exceed(node, left + b, best)) continue;
        for (uint32_t i = b; i < b + BINS_AT_ONCE && i < bins; i++) offer_pair(walk, left[i], i);
    }
    for (uint32_t b = 0; heavy && b < bins; b++)
        if (walk->histogram->pairs[b + 1] != 0)
            spf_walk_leave(walk, b, (uint32_t)walk->histogram->pairs[b + 1]);
}
