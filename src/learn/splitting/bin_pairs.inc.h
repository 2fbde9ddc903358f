/* The walk through bins that count two classes. Products, several bins at a time, exclude most
 * cuts, so that few need the division of a score. */

enum { BINS_AT_ONCE = LANES / 2 };

/* The bins that are not empty, and what is left of each, and some more numbers, so that vectors may
 * be read and written behind the last one. */
typedef struct {
    uint32_t count;
    uint32_t bin[SPF_VALUES_MAX + LANES];
    uint64_t left[SPF_VALUES_MAX + BINS_AT_ONCE];
} listed_bins;

/* Lists the bins without a branch that is hard to predict. */
INLINE void list_bins(const uint64_t *pairs, uint32_t bins, listed_bins *list) {
    uint32_t listed = 0, b = 0;
#if defined(NATIVE) && defined(__x86_64__) && LANES == 8
    const __m256i numbers = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    for (; b + LANES <= bins; b += LANES) {
        __m256 low = _mm256_loadu_ps((const float *)(pairs + b));
        __m256 high = _mm256_loadu_ps((const float *)(pairs + b + LANES / 2));
        /* weights of bins 0, 1, 4, 5, 2, 3, 6 and 7 */
        __m256i mixed = _mm256_castps_si256(_mm256_shuffle_ps(low, high, 0x88));
        __m256i weights = _mm256_permute4x64_epi64(mixed, 0xd8);
        __m256i empty = _mm256_cmpeq_epi32(weights, _mm256_setzero_si256());
        unsigned mask = ~(unsigned)_mm256_movemask_ps((__m256)empty) & 0xff;
        store(list->bin + listed, (u32v)in_order(numbers, chosen[mask]) + b);
        listed += (uint32_t)__builtin_popcount(mask);
    }
#endif
    for (; b < bins; b++) {
        list->bin[listed] = b;
        listed += (uint32_t)((uint32_t)pairs[b] > 0);
    }
    list->count = listed;
}

/* What is left of the listed bins; returns whether one is heavy. */
INLINE int sum_bins(const spf_bin_walk *walk, listed_bins *list) {
    const uint64_t *pairs = walk->histogram->pairs;
    uint64_t sum = pairs[0];
    uint32_t most = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint64_t pair = pairs[list->bin[i] + 1];
        list->left[i] = sum;
        most = (uint32_t)pair > most ? (uint32_t)pair : most;
        sum += pair;
    }
    for (uint32_t i = 0; i < BINS_AT_ONCE; i++) list->left[list->count + i] = 0;
    return most > walk->node->total / SPF_HEAVY_SHARE;
}

/* Offers the cut before a listed bin, unless it is the first one. */
INLINE void offer_pair(spf_bin_walk *walk, const listed_bins *list, uint32_t i) {
    uint64_t left = list->left[i];
    if (i == 0 || !spf_leaves_allow(walk->node, (uint32_t)left)) return;
    walk->last_bin = (int32_t)list->bin[i - 1];
    spf_walk_offer(walk, spf_score_pair(walk->node, left), list->bin[i]);
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
    const uint64_t *pairs = walk->histogram->pairs + 1;
    const int exact = node->total <= (node->numeric ? SPF_NUMBERS_TOTAL : SPF_NUMBERED_TOTAL);
    listed_bins list;
    assert(walk->histogram->bins.count <= SPF_VALUES_MAX);
    list_bins(pairs, walk->histogram->bins.count, &list);
    int heavy = sum_bins(walk, &list);
    for (uint32_t first = 0; first < list.count; first += BINS_AT_ONCE) {
        double best = walk->best->found ? walk->best->score : -1;
        if (exact && !any_may_exceed(node, list.left + first, best)) continue;
        for (uint32_t i = first; i < first + BINS_AT_ONCE && i < list.count; i++)
            offer_pair(walk, &list, i);
    }
    for (uint32_t i = 0; heavy && i < list.count; i++)
        spf_walk_leave(walk, list.bin[i], (uint32_t)pairs[list.bin[i]]);
}
