/* The walk through bins that count classes, by Gini. The sums of a cut are found four classes at a
 * time, since more lanes would be empty with few classes; they are below 2^32. Then products,
 * several cuts at a time, exclude most of them, so that few need the division of a score. */

/* The sums of neighbours: a[0] + a[1], a[2] + a[3], and those of b. */
INLINE u32x4 add_neighbours(u32x4 a, u32x4 b) {
    return SPF_SHUFFLE(a, b, 0, 2, 4, 6) + SPF_SHUFFLE(a, b, 1, 3, 5, 7);
}

/* The sum of each of four vectors. */
INLINE u32x4 add_across(const u32x4 v[4]) {
    return add_neighbours(add_neighbours(v[0], v[1]), add_neighbours(v[2], v[3]));
}

/* The slots that are not empty, their weights, and what is left of each: weight, sum of squared
 * class weights, and their products with the totals. Some more numbers follow, so that vectors may
 * be read and written behind the last one. */
enum { SLOTS_MAX = SPF_VALUES_MAX + 1 + SPF_SLOTS_TOGETHER };
typedef struct {
    uint32_t count;
    uint32_t slot[SLOTS_MAX], weight[SLOTS_MAX], before[SLOTS_MAX], squares[SLOTS_MAX],
        cross[SLOTS_MAX];
} listed_slots;

/* The weights of four slots; `vectors` is a compile-time constant. */
INLINE u32x4 weigh_slots(const uint32_t *counts, const size_t vectors) {
    u32x4 all[4] = {{0}}, next;
    for (size_t i = 0; i < 4; i++)
        for (size_t v = 0; v < vectors; v++, counts += 4) {
            memcpy(&next, counts, sizeof next);
            all[i] += next;
        }
    return add_across(all);
}

#if defined(NATIVE) && defined(__x86_64__) && LANES == 8

/* Adds those of eight slots to the list that are not empty; only the first ones count. */
INLINE void list_some(const uint32_t *counts, uint32_t first, uint32_t valid, listed_slots *list,
                      const size_t vectors) {
    const __m256i numbers = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m128i low = (__m128i)weigh_slots(counts, vectors);
    __m128i high = (__m128i)weigh_slots(counts + 16 * vectors, vectors);
    __m256i weights = _mm256_set_m128i(high, low);
    __m256i empty = _mm256_cmpeq_epi32(weights, _mm256_setzero_si256());
    unsigned mask = ~(unsigned)_mm256_movemask_ps((__m256)empty) & 0xff;
    if (valid < 8) mask &= (1u << valid) - 1;
    store(list->weight + list->count, (u32v)in_order(weights, chosen[mask]));
    store(list->slot + list->count, (u32v)in_order(numbers, chosen[mask]) + first);
    list->count += (uint32_t)__builtin_popcount(mask);
}

#else

INLINE void list_some(const uint32_t *counts, uint32_t first, uint32_t valid, listed_slots *list,
                      const size_t vectors) {
    for (uint32_t i = 0; i < SPF_SLOTS_TOGETHER; i += 4) {
        u32x4 weights = weigh_slots(counts + (size_t)i * 4 * vectors, vectors);
        for (uint32_t k = 0; k < 4; k++) {
            list->slot[list->count] = first + i + k;
            list->weight[list->count] = weights[k];
            list->count += (weights[k] > 0) & (i + k < valid);
        }
    }
}

#endif

/* Lists the slots that are not empty, without a branch that is hard to predict. */
INLINE void list_slots(const uint32_t *counts, uint32_t slots, listed_slots *list,
                       const size_t vectors) {
    list->count = 0;
    for (uint32_t first = 0; first < slots; first += SPF_SLOTS_TOGETHER)
        list_some(counts + (size_t)first * 4 * vectors, first, slots - first, list, vectors);
    for (uint32_t i = 0; i < 4; i++)
        list->slot[list->count + i] = list->weight[list->count + i] = 0;
}

/* What is left of the listed slots; `vectors` is a compile-time constant. */
INLINE void sum_left(const spf_bin_walk *walk, listed_slots *list, const size_t vectors) {
    const spf_split_node *node = walk->node;
    const uint32_t *counts = walk->histogram->counts;
    u32x4 left[SPF_COUNTED_VECTORS], totals[SPF_COUNTED_VECTORS], bin;
    uint32_t padded[4 * SPF_COUNTED_VECTORS] = {0}, weight = 0;
    memcpy(padded, node->class_total, node->classes * sizeof *padded);
    for (size_t v = 0; v < vectors; v++) {
        memcpy(&totals[v], padded + 4 * v, sizeof *totals);
        left[v] = (u32x4){0};
    }
    for (uint32_t first = 0; first < list->count; first += 4) {
        u32x4 squares[4] = {{0}}, cross[4] = {{0}};
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t *own = counts + list->slot[first + i] * 4 * vectors;
            for (size_t v = 0; v < vectors; v++) {
                squares[i] += left[v] * left[v];
                cross[i] += left[v] * totals[v];
                memcpy(&bin, own + 4 * v, sizeof bin);
                left[v] += bin;
            }
            list->before[first + i] = weight;
            weight += list->weight[first + i];
        }
        u32x4 all_squares = add_across(squares), all_cross = add_across(cross);
        memcpy(list->squares + first, &all_squares, sizeof all_squares);
        memcpy(list->cross + first, &all_cross, sizeof all_cross);
    }
}

enum { CUTS_AT_ONCE = LANES / 2 };

INLINE u32half load_half(const uint32_t *from) {
    u32half some;
    memcpy(&some, from, sizeof some);
    return some;
}

INLINE f64v half_to_doubles(u32half numbers) {
    return behind_exponent(__builtin_convertvector(numbers, u64v));
}

/* Whether one of some cuts may be the best: as spf_gini_may_exceed. */
INLINE int any_square_may_exceed(const spf_split_node *node, const listed_slots *list,
                                 uint32_t first, double best) {
    u32half squares = load_half(list->squares + first), cross = load_half(list->cross + first);
    u32half right = (uint32_t)node->sums.squares - 2 * cross + squares;
    f64v weight = half_to_doubles(load_half(list->before + first));
    f64v other = (double)node->total - weight;
    f64v top = half_to_doubles(squares) * other + half_to_doubles(right) * weight;
    return any_of(top >= best * (weight * other) * (1 - 0x1p-50));
}

/* Offers the cut before a listed slot. */
INLINE void offer_listed(spf_bin_walk *walk, const listed_slots *list, uint32_t i) {
    spf_sums sums = {
        .squares = list->squares[i], .cross = list->cross[i], .weight = list->before[i]};
    walk->last_bin = i > 0 ? (int32_t)list->slot[i - 1] - 1 : -1;
    spf_walk_try(walk, &sums, list->slot[i], &spf_gini_narrow_rules);
}

/* `vectors` is a compile-time constant. */
INLINE void walk_vectors(spf_bin_walk *walk, const size_t vectors) {
    const spf_split_node *node = walk->node;
    const spf_bins *bins = &walk->histogram->bins;
    listed_slots list;
    assert(bins->count <= SPF_VALUES_MAX);
    list_slots(walk->histogram->counts, bins->count + 1, &list, vectors);
    sum_left(walk, &list, vectors);
    for (uint32_t first = 0; first < list.count; first += CUTS_AT_ONCE) {
        double best = walk->best->found ? walk->best->score : -1;
        if (!any_square_may_exceed(node, &list, first, best)) continue;
        for (uint32_t i = first; i < first + CUTS_AT_ONCE && i < list.count; i++)
            offer_listed(walk, &list, i);
    }
    for (uint32_t i = 0; i < list.count && !bins->exact; i++)
        if (list.slot[i] > 0) spf_walk_leave(walk, list.slot[i] - 1u, list.weight[i]);
}

static void walk_squares(spf_bin_walk *walk) {
    size_t vectors = walk->histogram->width / 4;
    if (vectors == 1)
        walk_vectors(walk, 1);
    else if (vectors == 2)
        walk_vectors(walk, 2);
    else if (vectors == 3)
        walk_vectors(walk, 3);
    else
        walk_vectors(walk, vectors);
}
