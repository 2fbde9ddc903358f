/* Two classes are scanned in four lanes at once, more classes lane by lane, by their criterion. */
#include "learn/splitting/lane_scan.h"

#include "base/vectors.h"
#include "learn/splitting/split_scan.h"

#include <string.h>

/* Up to this weight of a node the products of its scores are exact in 32 bits: see
 * SPF_LANES_TOTAL. */
enum { NARROW_TOTAL_MAX = 80 };

/* ---- two classes: four lanes at once --------------------------------------------------------- */

/* The sums on the left, lane by lane. */
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
    i32x4 line; /* 0 for none: lines are numbered from 1 here */
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

/* Four integers below 2^31 in magnitude, as doubles: put behind the exponent of 2^52, they are the
 * last bits of 2^52 + 2^31 + number. */
static inline f64x4 to_doubles(i32x4 numbers) {
    const u32x4 exponent = {0x43300000, 0x43300000, 0x43300000, 0x43300000};
    u32x4 shifted = (u32x4)numbers ^ 0x80000000u;
    f64x2 low = (f64x2)SPF_SHUFFLE(shifted, exponent, 0, 4, 1, 5);
    f64x2 high = (f64x2)SPF_SHUFFLE(shifted, exponent, 2, 6, 3, 7);
    return (f64x4){low - (0x1p52 + 0x1p31), high - (0x1p52 + 0x1p31)};
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
    f->top = (f64x4){spf_either_double(low, top.low, f->top.low),
                     spf_either_double(high, top.high, f->top.high)};
    f->bottom = (f64x4){spf_either_double(low, bottom.low, f->bottom.low),
                        spf_either_double(high, bottom.high, f->bottom.high)};
    f->line = (better & line) | (~better & f->line);
}

/* The best cuts of every other line, in one of the two forms. */
typedef struct {
    narrow_front narrow;
    wide_front wide;
} front;
static const front NO_CUTS = {{{0}, {1, 1, 1, 1}, {0}}, {{{0}, {0}}, {{1, 1}, {1, 1}}, {0}}};

static inline __attribute__((always_inline)) void advance(const spf_split_node *node,
                                                          const uint32_t *next_keys, uint32_t mask,
                                                          progress *p, front *f, const int wide) {
    lane_cuts cut = move_line(node, next_keys, mask, p);
    if (wide)
        advance_wide(&f->wide, &cut, p->line);
    else
        advance_narrow(&f->narrow, &cut, p->line);
}

/* Even and odd lines have a front each, so that neither waits for the other. Returns the lanes with
 * equal neighbours. */
static inline __attribute__((always_inline)) i32x4 scan_lines(const spf_split_node *node,
                                                              const uint32_t *keys, uint32_t mask,
                                                              front *odd, front *even,
                                                              const int wide) {
    progress p = {0};
    size_t i = 1;
    memcpy(&p.key, keys, sizeof p.key);
    for (; i + 1 < node->rows; i += 2) {
        advance(node, keys + i * SPF_LANES, mask, &p, odd, wide);
        advance(node, keys + (i + 1) * SPF_LANES, mask, &p, even, wide);
    }
    if (i < node->rows) advance(node, keys + i * SPF_LANES, mask, &p, odd, wide);
    return p.tied;
}

/* A lane's cut of one front. */
static inline spf_lane_cut cut_of(const front *f, size_t lane, const int wide) {
    const narrow_front *n = &f->narrow;
    const wide_front *w = &f->wide;
    if (!wide) return (spf_lane_cut){(uint32_t)n->line[lane] - 1, n->top[lane], n->bottom[lane], 0};
    return (spf_lane_cut){(uint32_t)w->line[lane] - 1,
                          lane < 2 ? w->top.low[lane] : w->top.high[lane - 2],
                          lane < 2 ? w->bottom.low[lane] : w->bottom.high[lane - 2], 0};
}

/* The better of two cuts; in a tie the one with the first line. */
static const spf_lane_cut *better_cut(const spf_lane_cut *a, const spf_lane_cut *b) {
    if (b->line == SPF_NOWHERE) return a;
    if (a->line == SPF_NOWHERE) return b;
    double gain = b->top * a->bottom, other = a->top * b->bottom;
    return gain > other || (gain == other && b->line < a->line) ? b : a;
}

static inline __attribute__((always_inline)) void scan_pair(const spf_split_node *node,
                                                            const uint32_t *keys, uint32_t mask,
                                                            spf_lane_cut *cuts, const int wide) {
    front odd = NO_CUTS, even = NO_CUTS;
    i32x4 tied = scan_lines(node, keys, mask, &odd, &even, wide);
    for (size_t c = 0; c < SPF_LANES; c++) {
        spf_lane_cut a = cut_of(&odd, c, wide), b = cut_of(&even, c, wide);
        cuts[c] = *better_cut(&a, &b);
        cuts[c].tied = tied[c] != 0;
    }
}

static void scan_narrow(const spf_split_node *node, const uint32_t *keys, uint32_t mask,
                        spf_lane_cut *cuts) {
    scan_pair(node, keys, mask, cuts, 0);
}

static void scan_wide(const spf_split_node *node, const uint32_t *keys, uint32_t mask,
                      spf_lane_cut *cuts) {
    scan_pair(node, keys, mask, cuts, 1);
}

/* ---- the node -------------------------------------------------------------------------------- */

void spf_scan_lanes(const spf_split_node *node, size_t columns, uint32_t mask,
                    spf_split_scratch *scratch, spf_lane_cut *cuts) {
    if (spf_split_is_pair(node)) {
        (node->total <= NARROW_TOTAL_MAX ? scan_narrow : scan_wide)(node, scratch->lanes, mask,
                                                                    cuts);
        return;
    }
    for (size_t c = 0; c < columns; c++)
        node->criterion->scan_lane(node, scratch->lanes + c, mask, scratch->left, &cuts[c]);
}
