/* Rows in bins: their range, the bin of each, and the counts. */

/* Elements of a vector that are used one by one: NEON has instructions for it, x86-64 is faster
 * through memory, which compilers have to be told. */
#ifdef __ARM_NEON
#define UNPACK(name, vector) const i32v name = (i32v)(vector)
#else
#define UNPACK(name, vector)                                                                       \
    int32_t name[LANES];                                                                           \
    store((uint32_t *)(name), (u32v)(vector));                                                     \
    __asm__("" : "+m"(name))
#endif

/* ---- ranges ---------------------------------------------------------------------------------- */

/* Several least and most values side by side, so that a row need not wait for the one before. */
enum { STRANDS = 4 };

typedef struct {
    f32v least[STRANDS], most[STRANDS];
} strands;

INLINE strands strands_empty(void) {
    strands s;
    for (size_t k = 0; k < STRANDS; k++) {
        s.least[k] = (f32v){0} + INFINITY;
        s.most[k] = -s.least[k];
    }
    return s;
}

INLINE spf_range range_over(const strands *s) {
    spf_range all = {INFINITY, -INFINITY};
    for (size_t k = 0; k < STRANDS; k++) {
        for (size_t c = 0; c < LANES; c++) {
            all.low = s->least[k][c] < all.low ? s->least[k][c] : all.low;
            all.high = s->most[k][c] > all.high ? s->most[k][c] : all.high;
        }
    }
    return all;
}

static spf_range range(const float *values, size_t rows) {
    strands s = strands_empty();
    size_t i = 0;
    for (; i + STRANDS * LANES <= rows; i += STRANDS * LANES) {
        for (size_t k = 0; k < STRANDS; k++) {
            f32v next = load_floats(values + i + k * LANES);
            s.least[k] = smaller(next, s.least[k]);
            s.most[k] = larger(next, s.most[k]);
        }
    }
    spf_range all = range_over(&s);
    for (; i < rows; i++) {
        all.low = values[i] < all.low ? values[i] : all.low;
        all.high = values[i] > all.high ? values[i] : all.high;
    }
    return all;
}

static spf_range range_inside(const float *values, size_t rows, const spf_bin_range *bins) {
    const spf_bin_range w = *bins;
    strands s = strands_empty();
    size_t i = 0;
    for (; i + STRANDS * LANES <= rows; i += STRANDS * LANES) {
        for (size_t k = 0; k < STRANDS; k++) {
            f32v value = load_floats(values + i + k * LANES);
            f32v place = (value - w.low) * w.per_unit;
            i32v inside = (place >= w.first) & (place < w.behind) & (value <= w.high);
            s.least[k] = either(inside & (value < s.least[k]), value, s.least[k]);
            s.most[k] = either(inside & (value > s.most[k]), value, s.most[k]);
        }
    }
    spf_range all = range_over(&s);
    for (; i < rows; i++) {
        if (!spf_is_inside(&w, values[i])) continue;
        all.low = values[i] < all.low ? values[i] : all.low;
        all.high = values[i] > all.high ? values[i] : all.high;
    }
    return all;
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* spf_bin_of for as many values as a vector has; `partial` is a compile-time constant. */
INLINE i32v bins_of(const spf_bins *bins, const float *values, const int partial) {
    f32v value = load_floats(values), place = (value - bins->low) * bins->per_unit;
    if (partial) place = smaller(larger(place, (f32v){0} - 1), (f32v){0} + (float)bins->count);
    i32v bin = __builtin_convertvector(place, i32v);
    bin += bin > (int32_t)bins->count - 1; /* true is -1 */
    if (!partial) return bin;
    i32v below = value<bins->low, above = value> bins->high;
    bin = (~above & bin) | (above & (int32_t)bins->count);
    return bin | below;
}

INLINE void count_pairs_in(const spf_split_node *node, const float *values, const spf_bins bins,
                           uint64_t *pairs, uint64_t *odd, const int partial) {
    const uint64_t *pair = node->pair;
    const size_t rows = node->rows;
    size_t i = 0;
    for (; i + LANES <= rows; i += LANES) {
        UNPACK(bin, bins_of(&bins, values + i, partial));
        for (size_t c = 0; c < LANES; c += 2) {
            pairs[bin[c]] += pair[i + c];
            odd[bin[c + 1]] += pair[i + c + 1];
        }
    }
    for (; i < rows; i++) pairs[spf_bin_of(&bins, values[i])] += pair[i];
}

static void count_pairs(const spf_split_node *node, const float *values, const spf_bins *bins,
                        uint64_t *pairs, uint64_t *odd) {
    if (bins->partial)
        count_pairs_in(node, values, *bins, pairs, odd, 1);
    else
        count_pairs_in(node, values, *bins, pairs, odd, 0);
}

INLINE void count_classes_in(const spf_split_node *node, const float *values, const spf_bins bins,
                             size_t width, uint32_t *counts, uint32_t *odd, const int partial) {
    const uint32_t *tag = node->tag;
    const unsigned weight_bits = node->weight_bits;
    const uint32_t weight_mask = (1u << weight_bits) - 1;
    const size_t rows = node->rows;
    size_t i = 0;
    for (; i + LANES <= rows; i += LANES) {
        u32v tags = load(tag + i);
        i32v cell = bins_of(&bins, values + i, partial) * (int32_t)width;
        cell += (i32v)(tags >> weight_bits);
        UNPACK(place, cell);
        UNPACK(weight, tags & weight_mask);
        for (size_t c = 0; c < LANES; c += 2) {
            counts[place[c]] += (uint32_t)weight[c];
            odd[place[c + 1]] += (uint32_t)weight[c + 1];
        }
    }
    for (; i < rows; i++)
        counts[spf_bin_of(&bins, values[i]) * (ptrdiff_t)width + (tag[i] >> weight_bits)] +=
            tag[i] & weight_mask;
}

static void count_classes(const spf_split_node *node, const float *values, const spf_bins *bins,
                          size_t width, uint32_t *counts, uint32_t *odd) {
    if (bins->partial)
        count_classes_in(node, values, *bins, width, counts, odd, 1);
    else
        count_classes_in(node, values, *bins, width, counts, odd, 0);
}

/* Sorts the rows' tags by slot; end[slot] becomes the end of a slot's tags. */
INLINE void order_tags_in(const spf_split_node *node, const float *values, const spf_bins bins,
                          uint32_t *end, uint32_t *tags, const int partial) {
    const size_t rows = node->rows, whole = rows / LANES * LANES;
    uint32_t begin = 0;
    memset(end, 0, (bins.count + 2) * sizeof *end);
    for (size_t i = 0; i < whole; i += LANES) {
        UNPACK(slot, bins_of(&bins, values + i, partial) + 1);
        for (size_t c = 0; c < LANES; c++) end[slot[c]]++;
    }
    for (size_t i = whole; i < rows; i++) end[spf_bin_of(&bins, values[i]) + 1]++;
    for (uint32_t slot = 0; slot < bins.count + 2; slot++) {
        uint32_t count = end[slot];
        end[slot] = begin;
        begin += count;
    }
    for (size_t i = 0; i < whole; i += LANES) {
        UNPACK(slot, bins_of(&bins, values + i, partial) + 1);
        for (size_t c = 0; c < LANES; c++) tags[end[slot[c]]++] = node->tag[i + c];
    }
    for (size_t i = whole; i < rows; i++)
        tags[end[spf_bin_of(&bins, values[i]) + 1]++] = node->tag[i];
}

static void order_tags(const spf_split_node *node, const float *values, const spf_bins *bins,
                       uint32_t *end, uint32_t *tags) {
    if (bins->partial)
        order_tags_in(node, values, *bins, end, tags, 1);
    else
        order_tags_in(node, values, *bins, end, tags, 0);
}
