/* Exact cuts of small nodes, several columns side by side: lane c of line i holds a key of column
 * c. A key is the upper bits of a value's order, with the row's weight and class in the bits below,
 * so that a sorting network of plain minima and maxima orders all lanes at once and the scan reads
 * nothing but keys. Columns whose values those upper bits do not tell apart, and nodes whose
 * classes take too many bits, are sorted with the numbers of rows below instead. */
#include "base/sort.h"
#include "learn/split_scan.h"
#include "learn/vectors.h"

#include <string.h>

enum { TAG_BITS_MAX = 8, NOWHERE = UINT32_MAX };

/* Scores are fractions, compared without dividing: a numerator times another's denominator is at
 * most N^6 / 64, which is exact in 32 bits while the node's weight N is small and in a double while
 * it is not large. */
enum { NARROW_TOTAL_MAX = 80, WIDE_TOTAL_MAX = 900 };

/* The lowest bits of a key, which hold weight and class; 0 where the columns are better searched
 * one by one. */
static uint32_t tag_mask(const spf_split_node *node) {
    unsigned bits = node->weight_bits;
    if (spf_split_is_pair(node) && node->total > WIDE_TOTAL_MAX) return 0;
    for (size_t classes = node->classes - 1; classes > 0; classes /= 2) bits++;
    return bits > TAG_BITS_MAX ? 0 : (1u << bits) - 1;
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* spf_float_order of four values of a column, without the bits of the mask; `lost` gathers those
 * that were not 0. */
static inline u32x4 order_values(const float *values, uint32_t mask, u32x4 *lost) {
    f32x4 value;
    memcpy(&value, values, sizeof value);
    u32x4 bits = (u32x4)(value + 0.0f), sign = (u32x4)((i32x4)bits >> 31);
    *lost |= bits & mask;
    return (bits ^ (sign | 0x80000000u)) & ~mask;
}

/* Four rows of four columns become four lines. */
static inline void fill_lines(const float *const *columns, size_t row, const uint32_t *tags,
                              uint32_t mask, uint32_t *lines, u32x4 *lost) {
    u32x4 a = order_values(columns[0] + row, mask, &lost[0]);
    u32x4 b = order_values(columns[1] + row, mask, &lost[1]);
    u32x4 c = order_values(columns[2] + row, mask, &lost[2]);
    u32x4 d = order_values(columns[3] + row, mask, &lost[3]);
    u32x4 ab = SPF_SHUFFLE(a, b, 0, 4, 1, 5);
    u32x4 cd = SPF_SHUFFLE(c, d, 0, 4, 1, 5);
    u32x4 high_ab = SPF_SHUFFLE(a, b, 2, 6, 3, 7);
    u32x4 high_cd = SPF_SHUFFLE(c, d, 2, 6, 3, 7);
    u32x4 line[4] = {SPF_SHUFFLE(ab, cd, 0, 1, 4, 5) | tags[0],
                     SPF_SHUFFLE(ab, cd, 2, 3, 6, 7) | tags[1],
                     SPF_SHUFFLE(high_ab, high_cd, 0, 1, 4, 5) | tags[2],
                     SPF_SHUFFLE(high_ab, high_cd, 2, 3, 6, 7) | tags[3]};
    memcpy(lines, line, sizeof line);
}

/* Fills the lines, the last column's where there are less than four; lossy[c] becomes whether some
 * value of column c has bits that its key lacks. */
static void fill_lanes(const float *values, size_t columns, const uint32_t *tags, size_t rows,
                       uint32_t mask, uint32_t *lines, int *lossy) {
    const float *column[SPF_LANES];
    u32x4 lost[SPF_LANES] = {{0}};
    size_t whole = rows / 4 * 4;
    for (size_t c = 0; c < SPF_LANES; c++)
        column[c] = values + (c < columns ? c : columns - 1) * SPF_LANES_ROWS;
    for (size_t i = 0; i < whole; i += 4)
        fill_lines(column, i, tags + i, mask, lines + i * SPF_LANES, lost);
    if (whole < rows) {
        uint32_t last_tags[4] = {0};
        for (size_t i = whole; i < rows; i++) last_tags[i - whole] = tags[i];
        fill_lines(column, whole, last_tags, mask, lines + whole * SPF_LANES, lost);
    }
    for (size_t c = 0; c < SPF_LANES; c++)
        lossy[c] = (lost[c][0] | lost[c][1] | lost[c][2] | lost[c][3]) != 0;
}

/* The best cut of one lane: behind the line `line`, with the score top / bottom. */
typedef struct {
    uint32_t line; /* or NOWHERE */
    double top, bottom;
    int tied; /* neighbours agree above the mask */
} lane_cut;

/* ---- two classes: four lanes at once --------------------------------------------------------- */

/* What has moved to the left, lane by lane. */
typedef struct {
    u32x4 key, weight, ones;
    i32x4 line, tied;
} progress;

/* The cut behind a line. */
typedef struct {
    i32x4 excess;  /* its square is the score's numerator */
    u32x4 bottom;  /* the denominator */
    i32x4 allowed; /* all bits set or none */
} lane_cuts;

/* Moves one line to the left. */
static inline lane_cuts move_line(const spf_split_node *node, const uint32_t *next_keys,
                                  uint32_t mask, progress *p) {
    const uint32_t total = (uint32_t)node->total, least = node->min_leaf;
    u32x4 next, w = p->key & ((1u << node->weight_bits) - 1), rest;
    memcpy(&next, next_keys, sizeof next);
    p->weight += w;
    p->ones += w & -(p->key >> node->weight_bits & 1);
    rest = total - p->weight;
    i32x4 apart = (p->key ^ next) > mask;
    p->tied |= ~apart;
    p->line += 1;
    p->key = next;
    return (lane_cuts){(i32x4)(p->ones * total - p->weight * node->class_total[1]),
                       p->weight * rest, apart & (p->weight >= least) & (rest >= least)};
}

/* The best cut of some lines, in 32 bits. */
typedef struct {
    u32x4 top, bottom;
    i32x4 line; /* 0 for none: lines count from 1 here */
} narrow_front;

static inline void advance_narrow(narrow_front *f, const lane_cuts *cut, i32x4 line) {
    u32x4 top = (u32x4)(cut->excess * cut->excess);
    i32x4 better = (top * f->bottom > f->top * cut->bottom) | (f->line == 0);
    better &= cut->allowed;
    f->top = ((u32x4)better & top) | (~(u32x4)better & f->top);
    f->bottom = ((u32x4)better & cut->bottom) | (~(u32x4)better & f->bottom);
    f->line = (better & line) | (~better & f->line);
}

/* The same in doubles. */
typedef struct {
    f64x2 low, high;
} f64x4;

typedef struct {
    f64x4 top, bottom;
    i32x4 line;
} wide_front;

/* Four numbers below 2^31 in size, as doubles: put behind the exponent of 2^52, they are the last
 * bits of 2^52 + 2^31 + number. */
static inline f64x4 to_doubles(i32x4 numbers) {
    const u32x4 exponent = {0x43300000, 0x43300000, 0x43300000, 0x43300000};
    u32x4 shifted = (u32x4)numbers ^ 0x80000000u;
    f64x2 low = (f64x2)SPF_SHUFFLE(shifted, exponent, 0, 4, 1, 5);
    f64x2 high = (f64x2)SPF_SHUFFLE(shifted, exponent, 2, 6, 3, 7);
    return (f64x4){low - (0x1p52 + 0x1p31), high - (0x1p52 + 0x1p31)};
}

static inline f64x2 choose(i64x2 mask, f64x2 a, f64x2 b) {
    return (f64x2)((mask & (i64x2)a) | (~mask & (i64x2)b));
}

static inline void advance_wide(wide_front *f, const lane_cuts *cut, i32x4 line) {
    f64x4 top = to_doubles(cut->excess), bottom = to_doubles((i32x4)cut->bottom);
    top.low *= top.low;
    top.high *= top.high;
    i64x2 low = top.low * f->bottom.low > f->top.low * bottom.low;
    i64x2 high = top.high * f->bottom.high > f->top.high * bottom.high;
    i32x4 better = SPF_SHUFFLE((i32x4)low, (i32x4)high, 0, 2, 4, 6);
    better = (better | (f->line == 0)) & cut->allowed;
    low = (i64x2)SPF_SHUFFLE(better, better, 0, 0, 1, 1);
    high = (i64x2)SPF_SHUFFLE(better, better, 2, 2, 3, 3);
    f->top = (f64x4){choose(low, top.low, f->top.low), choose(high, top.high, f->top.high)};
    f->bottom =
        (f64x4){choose(low, bottom.low, f->bottom.low), choose(high, bottom.high, f->bottom.high)};
    f->line = (better & line) | (~better & f->line);
}

/* Even and odd lines have a front each, so that one need not wait for the other. */
static void scan_narrow(const spf_split_node *node, const uint32_t *keys, uint32_t mask,
                        lane_cut *cuts) {
    narrow_front odd = {{0}, {1, 1, 1, 1}, {0}}, even = odd;
    progress p = {0};
    size_t i = 1;
    memcpy(&p.key, keys, sizeof p.key);
    for (; i + 1 < node->rows; i += 2) {
        lane_cuts first = move_line(node, keys + i * SPF_LANES, mask, &p);
        advance_narrow(&odd, &first, p.line);
        lane_cuts second = move_line(node, keys + (i + 1) * SPF_LANES, mask, &p);
        advance_narrow(&even, &second, p.line);
    }
    if (i < node->rows) {
        lane_cuts last = move_line(node, keys + i * SPF_LANES, mask, &p);
        advance_narrow(&odd, &last, p.line);
    }
    u32x4 gain = even.top * odd.bottom, other = odd.top * even.bottom;
    i32x4 take = (even.line != 0) &
                 ((odd.line == 0) | (gain > other) | ((gain == other) & (even.line < odd.line)));
    for (size_t c = 0; c < SPF_LANES; c++) {
        const narrow_front *f = take[c] ? &even : &odd;
        cuts[c] = (lane_cut){(uint32_t)f->line[c] - 1, f->top[c], f->bottom[c], p.tied[c] != 0};
    }
}

static void scan_wide(const spf_split_node *node, const uint32_t *keys, uint32_t mask,
                      lane_cut *cuts) {
    wide_front odd = {{{0}, {0}}, {{1, 1}, {1, 1}}, {0}}, even = odd;
    progress p = {0};
    size_t i = 1;
    memcpy(&p.key, keys, sizeof p.key);
    for (; i + 1 < node->rows; i += 2) {
        lane_cuts first = move_line(node, keys + i * SPF_LANES, mask, &p);
        advance_wide(&odd, &first, p.line);
        lane_cuts second = move_line(node, keys + (i + 1) * SPF_LANES, mask, &p);
        advance_wide(&even, &second, p.line);
    }
    if (i < node->rows) {
        lane_cuts last = move_line(node, keys + i * SPF_LANES, mask, &p);
        advance_wide(&odd, &last, p.line);
    }
    for (size_t c = 0; c < SPF_LANES; c++) {
        double top[2] = {c < 2 ? odd.top.low[c] : odd.top.high[c - 2],
                         c < 2 ? even.top.low[c] : even.top.high[c - 2]};
        double bottom[2] = {c < 2 ? odd.bottom.low[c] : odd.bottom.high[c - 2],
                            c < 2 ? even.bottom.low[c] : even.bottom.high[c - 2]};
        uint32_t line[2] = {(uint32_t)odd.line[c], (uint32_t)even.line[c]};
        double gain = top[1] * bottom[0], other = top[0] * bottom[1];
        int take =
            line[1] != 0 && (line[0] == 0 || gain > other || (gain == other && line[1] < line[0]));
        cuts[c] = (lane_cut){line[take] - 1, top[take], bottom[take], p.tied[c] != 0};
    }
}

/* ---- any classes: lane by lane --------------------------------------------------------------- */

static inline __attribute__((always_inline)) void scan_lane(const spf_split_node *node,
                                                            const uint32_t *lane, uint32_t mask,
                                                            uint32_t *left, lane_cut *cut,
                                                            const int entropy) {
    spf_sums sums = spf_sums_start(node);
    uint32_t weight_mask = (1u << node->weight_bits) - 1;
    *cut = (lane_cut){.line = NOWHERE, .bottom = 1};
    for (size_t i = 0; i + 1 < node->rows; i++) {
        uint32_t key = lane[i * SPF_LANES], next = lane[(i + 1) * SPF_LANES];
        uint32_t k = (key & mask) >> node->weight_bits, weight = key & weight_mask;
        spf_sums_move(node, &sums, k, left[k], weight, entropy);
        left[k] += weight;
        int tied = (key ^ next) <= mask;
        cut->tied |= tied;
        if (tied || !spf_leaves_allow(node, sums.weight)) continue;
        double score = spf_score_sums(node, &sums, entropy);
        if (cut->line != NOWHERE && !(score > cut->top)) continue;
        cut->line = (uint32_t)i;
        cut->top = score;
    }
    memset(left, 0, node->classes * sizeof *left);
}

static void scan_lanes(const spf_split_node *node, size_t columns, uint32_t mask,
                       spf_split_scratch *scratch, lane_cut *cuts) {
    if (spf_split_is_pair(node)) {
        (node->total <= NARROW_TOTAL_MAX ? scan_narrow : scan_wide)(node, scratch->lanes, mask,
                                                                    cuts);
        return;
    }
    for (size_t c = 0; c < columns; c++)
        if (node->criterion == SPORF_GINI)
            scan_lane(node, scratch->lanes + c, mask, scratch->left, &cuts[c], 0);
        else
            scan_lane(node, scratch->lanes + c, mask, scratch->left, &cuts[c], 1);
}

/* ---- the threshold --------------------------------------------------------------------------- */

/* The threshold of a cut behind the key `last`. */
static float threshold_behind(const float *values, size_t rows, uint32_t mask, uint32_t last) {
    uint32_t a = 0, b = UINT32_MAX;
    for (size_t i = 0; i < rows; i++) {
        uint32_t order = spf_float_order(values[i]), stays = order > (last | mask) ? UINT32_MAX : 0;
        uint32_t left = order & ~stays, right = order | ~stays;
        a = left > a ? left : a;
        b = right < b ? right : b;
    }
    return spf_threshold_between(spf_float_unorder(a), spf_float_unorder(b));
}

/* ---- columns that keys cannot tell apart ----------------------------------------------------- */

/* Orders rows whose keys agree above the mask by their values; 0 where that would take too long. */
static int settle_lane(const float *values, size_t rows, uint32_t mask, uint32_t *lane) {
    size_t moves = 0;
    for (size_t i = 1; i < rows; i++) {
        uint32_t key = lane[i * SPF_LANES];
        size_t j = i;
        for (; j > 0; j--) {
            uint32_t before = lane[(j - 1) * SPF_LANES];
            if ((before ^ key) > mask || values[before & mask] <= values[key & mask]) break;
            lane[j * SPF_LANES] = before;
        }
        lane[j * SPF_LANES] = key;
        if ((moves += i - j) > 8 * rows) return 0;
    }
    return 1;
}

static void order_rows(const float *values, size_t rows, uint32_t *order) {
    uint64_t keys[SPF_LANES_ROWS], spare[SPF_LANES_ROWS];
    for (size_t i = 0; i < rows; i++) keys[i] = (uint64_t)spf_float_order(values[i]) << 32 | i;
    spf_sort_keys(keys, spare, rows);
    for (size_t i = 0; i < rows; i++) order[i] = (uint32_t)keys[i];
}

/* The same lanes with the numbers of rows in the lowest bits: what is lost there is settled by
 * looking at the values, and the scan looks up classes and weights. */
static void number_lanes(const float *values, size_t columns, size_t rows, uint32_t mask,
                         spf_split_scratch *scratch) {
    int lossy[SPF_LANES];
    fill_lanes(values, columns, scratch->numbers, rows, mask, scratch->lanes, lossy);
    spf_lane_sort(scratch->lanes, rows);
}

static void search_numbered(const spf_split_node *node, const float *values, uint32_t mask,
                            uint32_t *lane, spf_split_scratch *scratch, spf_split *best) {
    uint32_t order[SPF_LANES_ROWS];
    if (settle_lane(values, node->rows, mask, lane))
        for (size_t i = 0; i < node->rows; i++) order[i] = lane[i * SPF_LANES] & mask;
    else
        order_rows(values, node->rows, order);
    spf_order by_value = {order, node->rows};
    spf_scan_from(node, values, &by_value, 0, scratch->left, best);
}

/* ---- the node -------------------------------------------------------------------------------- */

/* Replaces *best by a lane's cut of higher score. Most are not: a product, with a little room for
 * its rounding, tells these from the few that are worth the division. */
static void take_cut(const lane_cut *cut, spf_split *best) {
    if (cut->line == NOWHERE) return;
    double most = best->score * cut->bottom;
    if (best->found && cut->top < most - fabs(most) * 0x1p-50) return;
    double score = cut->top / cut->bottom;
    if (best->found && !(score > best->score)) return;
    *best = (spf_split){.found = 1, .score = score};
}

void spf_split_lanes(const spf_split_node *node, const float *values, size_t columns,
                     spf_split_scratch *scratch, spf_split *best, size_t *winner) {
    uint32_t mask = tag_mask(node), numbers_mask = 1, last[SPF_LANES] = {0};
    size_t rows = node->rows,
           behind = SPF_LANES; /* the column whose tagged lane has the best cut */
    int lossy[SPF_LANES] = {0}, numbered = !mask;
    lane_cut cuts[SPF_LANES] = {0};
    if (mask) {
        fill_lanes(values, columns, node->tag, rows, mask, scratch->lanes, lossy);
        spf_lane_sort(scratch->lanes, rows);
        scan_lanes(node, columns, mask, scratch, cuts);
    }
    for (size_t c = 0; c < columns; c++) {
        lossy[c] = !mask || (lossy[c] && cuts[c].tied);
        numbered |= lossy[c];
        if (mask && cuts[c].line != NOWHERE) last[c] = scratch->lanes[cuts[c].line * SPF_LANES + c];
    }
    while (numbers_mask < rows - 1) numbers_mask = 2 * numbers_mask + 1;
    if (numbered) number_lanes(values, columns, rows, numbers_mask, scratch);
    for (size_t c = 0; c < columns; c++) {
        const float *column = values + c * SPF_LANES_ROWS;
        spf_split before = *best;
        if (lossy[c])
            search_numbered(node, column, numbers_mask, scratch->lanes + c, scratch, best);
        else
            take_cut(&cuts[c], best);
        if (best->found == before.found && best->score == before.score) continue;
        behind = lossy[c] ? SPF_LANES : c;
        *winner = c;
    }
    if (behind < SPF_LANES)
        best->threshold =
            threshold_behind(values + behind * SPF_LANES_ROWS, rows, mask, last[behind]);
}
