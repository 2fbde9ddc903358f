/* Two classes, all lanes at once: scores are fractions, which are compared without a division. */

/* Up to this weight of a node the products of its scores are exact in 31 bits: see
 * SPF_LANES_TOTAL. */
enum { NARROW_TOTAL_MAX = 71 };

/* The sums on the left, lane by lane. */
typedef struct {
    u32v key, weight, ones;
    i32v tied;
} pair_sums;

/* The cut behind a line. */
typedef struct {
    i32v excess;  /* its square is the score's numerator */
    u32v bottom;  /* the denominator */
    i32v allowed; /* all bits set or none */
} pair_cuts;

/* Moves one line to the left. Weights are small, so that they may be compared as signed numbers,
 * which more processors can. */
INLINE pair_cuts move_line(const spf_split_node *node, const uint32_t *next_keys, uint32_t mask,
                           pair_sums *p) {
    const uint32_t total = (uint32_t)node->total;
    const int32_t least = (int32_t)(node->min_leaf < total ? node->min_leaf : total);
    u32v next = load(next_keys), w = p->key & ((1u << node->weight_bits) - 1), rest;
    p->weight += w;
    p->ones += w & -(p->key >> node->weight_bits & 1);
    rest = total - p->weight;
    i32v tied = ((p->key ^ next) & ~mask) == 0;
    p->tied |= tied;
    p->key = next;
    return (pair_cuts){(i32v)(p->ones * total - p->weight * node->class_total[1]), p->weight * rest,
                       ~tied & ((i32v)p->weight >= least) & ((i32v)rest >= least)};
}

/* The best cut of some lines, in 32 bits. */
typedef struct {
    u32v top, bottom;
    i32v line; /* 0 for none: lines are numbered from 1 here */
} narrow_front;

INLINE void advance_narrow(narrow_front *f, const pair_cuts *cut, int32_t line) {
    u32v top = (u32v)(cut->excess * cut->excess);
    i32v better = ((i32v)(top * f->bottom) > (i32v)(f->top * cut->bottom)) | (f->line == 0);
    better &= cut->allowed;
    f->top = ((u32v)better & top) | (~(u32v)better & f->top);
    f->bottom = ((u32v)better & cut->bottom) | (~(u32v)better & f->bottom);
    f->line = (better & line) | (~better & f->line);
}

/* The same in doubles; a numerator of -1 is none. */
typedef struct {
    f64v top[2], bottom[2];
    i64v line[2];
} wide_front;

INLINE void advance_wide(wide_front *f, const pair_cuts *cut, int64_t line) {
    doubles excess = to_doubles(cut->excess), bottom = to_doubles((i32v)cut->bottom);
    wide_mask allowed = widen(cut->allowed);
    for (size_t h = 0; h < 2; h++) {
        f64v top = excess.half[h] * excess.half[h];
        i64v better = top * f->bottom[h] > f->top[h] * bottom.half[h];
        better &= allowed.half[h];
        f->top[h] = either_double(better, top, f->top[h]);
        f->bottom[h] = either_double(better, bottom.half[h], f->bottom[h]);
        f->line[h] = (better & line) | (~better & f->line[h]);
    }
}

/* The best cuts of every other line, in one of the two forms. */
typedef struct {
    narrow_front narrow;
    wide_front wide;
} front;

INLINE front no_cuts(void) {
    const f64v none = (f64v){0} - 1, one = (f64v){0} + 1;
    return (front){{{0}, (u32v){0} + 1, {0}}, {{none, none}, {one, one}, {{0}, {0}}}};
}

INLINE void advance(const spf_split_node *node, const uint32_t *next_keys, uint32_t mask,
                    pair_sums *p, front *f, size_t line, const int wide) {
    pair_cuts cut = move_line(node, next_keys, mask, p);
    if (wide)
        advance_wide(&f->wide, &cut, (int64_t)line);
    else
        advance_narrow(&f->narrow, &cut, (int32_t)line);
}

/* Even and odd lines have a front each, so that neither waits for the other. Returns the lanes with
 * equal neighbours. */
INLINE i32v scan_lines(const spf_split_node *node, const uint32_t *keys, uint32_t mask, front *odd,
                       front *even, const int wide) {
    pair_sums p = {.key = load(keys)};
    size_t i = 1;
    for (; i + 1 < node->rows; i += 2) {
        advance(node, keys + i * LANES, mask, &p, odd, i, wide);
        advance(node, keys + (i + 1) * LANES, mask, &p, even, i + 1, wide);
    }
    if (i < node->rows) advance(node, keys + i * LANES, mask, &p, odd, i, wide);
    return p.tied;
}

/* A lane's cut. */
INLINE spf_lane_cut cut_of(const front *f, size_t lane, int tied, const int wide) {
    const narrow_front *n = &f->narrow;
    const wide_front *w = &f->wide;
    const size_t h = lane / (LANES / 2), i = lane % (LANES / 2);
    if (!wide)
        return (spf_lane_cut){(uint32_t)n->line[lane] - 1, n->top[lane], n->bottom[lane], tied};
    return (spf_lane_cut){(uint32_t)w->line[h][i] - 1, w->top[h][i], w->bottom[h][i], tied};
}

/* The better of the cuts of two fronts, lane by lane; in a tie the one with the first line. */
INLINE void join_narrow(narrow_front *a, const narrow_front *b) {
    i32v gain = (i32v)(b->top * a->bottom), other = (i32v)(a->top * b->bottom);
    i32v better = (gain > other) | ((gain == other) & (b->line < a->line)) | (a->line == 0);
    better &= b->line != 0;
    a->top = ((u32v)better & b->top) | (~(u32v)better & a->top);
    a->bottom = ((u32v)better & b->bottom) | (~(u32v)better & a->bottom);
    a->line = (better & b->line) | (~better & a->line);
}

INLINE void join_wide(wide_front *a, const wide_front *b) {
    for (size_t h = 0; h < 2; h++) {
        f64v gain = b->top[h] * a->bottom[h], other = a->top[h] * b->bottom[h];
        i64v better = (gain > other) | ((gain == other) & (b->line[h] < a->line[h]));
        better = (better | (a->line[h] == 0)) & (b->line[h] != 0);
        a->top[h] = either_double(better, b->top[h], a->top[h]);
        a->bottom[h] = either_double(better, b->bottom[h], a->bottom[h]);
        a->line[h] = (better & b->line[h]) | (~better & a->line[h]);
    }
}

INLINE void scan_pair(const spf_split_node *node, const uint32_t *keys, uint32_t mask,
                      spf_lane_cut *cuts, const int wide) {
    front odd = no_cuts(), even = no_cuts();
    i32v tied = scan_lines(node, keys, mask, &odd, &even, wide);
    if (wide)
        join_wide(&odd.wide, &even.wide);
    else
        join_narrow(&odd.narrow, &even.narrow);
    for (size_t c = 0; c < LANES; c++) cuts[c] = cut_of(&odd, c, tied[c] != 0, wide);
}

static void scan_narrow(const spf_split_node *node, const uint32_t *keys, uint32_t mask,
                        spf_lane_cut *cuts) {
    scan_pair(node, keys, mask, cuts, 0);
}

static void scan_wide(const spf_split_node *node, const uint32_t *keys, uint32_t mask,
                      spf_lane_cut *cuts) {
    scan_pair(node, keys, mask, cuts, 1);
}

static void scan_pairs(const spf_split_node *node, const uint32_t *keys, uint32_t mask,
                       spf_lane_cut *cuts) {
    (node->total <= NARROW_TOTAL_MAX ? scan_narrow : scan_wide)(node, keys, mask, cuts);
}
