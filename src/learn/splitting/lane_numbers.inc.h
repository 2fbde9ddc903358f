/* Regression, or two classes with large weights, all lanes at once and without a branch: in small
 * nodes every other cut is the best so far. Scores are those of spf_score_pair to the last bit:
 * sums of shares are below 2^32, and those of a class at most the node's weight, so that products
 * with that weight are integers up to 2^53. */

/* Constants of all cuts of a node. */
typedef struct {
    const uint64_t *pair;
    double total, ones, least;
    const uint32_t *draws; /* or NULL */
    u64v drawn, least_draws;
} number_constants;

/* Half of the lanes: the sums on the left, and the best cut so far. */
typedef struct {
    u64v left;
    f64v score;
    i64v line, tied;
    u64v drawn;
} number_front;

/* What a table holds for the rows of half of the lanes. */
#define ROW(table, c) table[keys[c] & mask]
#if LANES == 4
#define ROWS(table) ((u64v){ROW(table, 0), ROW(table, 1)})
#elif LANES == 8
#define ROWS(table) ((u64v){ROW(table, 0), ROW(table, 1), ROW(table, 2), ROW(table, 3)})
#else
#define ROWS(table)                                                                                \
    ((u64v){ROW(table, 0), ROW(table, 1), ROW(table, 2), ROW(table, 3), ROW(table, 4),             \
            ROW(table, 5), ROW(table, 6), ROW(table, 7)})
#endif

/* Integers below 2^32 as doubles: put behind the exponent of 2^52. */
INLINE f64v behind_exponent(u64v numbers) {
    return (f64v)(numbers | 0x4330000000000000u) - 0x1p52;
}

/* Moves one line to the left and tries the cut behind it; `tied` tells equal neighbours, and
 * `counted` is a compile-time constant. */
INLINE void advance_numbers(const number_constants *node, const uint32_t *keys, uint32_t mask,
                            int64_t line, i64v tied, number_front *p, const int counted) {
    p->left += ROWS(node->pair);
    f64v weight = behind_exponent(p->left & UINT32_MAX), ones = behind_exponent(p->left >> 32);
    f64v rest = node->total - weight, excess = ones * node->total - node->ones * weight;
    f64v score = excess * excess / (weight * rest);
    i64v better = ~tied & (weight >= node->least) & (rest >= node->least) & (score > p->score);
    if (counted) {
        p->drawn += ROWS(node->draws);
        better &= (i64v)(p->drawn >= node->least_draws) &
                  (i64v)(node->drawn - p->drawn >= node->least_draws);
    }
    p->tied |= tied;
    p->score = either_double(better, score, p->score);
    p->line = (better & line) | (~better & p->line);
}

INLINE void scan_rows_of(const spf_split_node *node, const uint32_t *keys, uint32_t mask,
                         spf_lane_cut *cuts, const int counted) {
    const u64v none = {0};
    number_constants known = {
        node->pair,  (double)node->total, node->class_total[1],    node->min_leaf,
        node->draws, none + node->drawn,  none + node->least_draws};
    const number_front start = {.score = (f64v){0} - 1, .line = (i64v){0} + (int64_t)SPF_NOWHERE};
    number_front front[2] = {start, start};
    for (size_t i = 0; i + 1 < node->rows; i++) {
        const uint32_t *line = keys + i * LANES;
        wide_mask tied = widen(((load(line) ^ load(line + LANES)) & ~mask) == 0);
        advance_numbers(&known, line, mask, (int64_t)i, tied.half[0], &front[0], counted);
        advance_numbers(&known, line + LANES / 2, mask, (int64_t)i, tied.half[1], &front[1],
                        counted);
    }
    for (size_t c = 0; c < LANES; c++) {
        const number_front *f = &front[c / (LANES / 2)];
        const size_t i = c % (LANES / 2);
        cuts[c] = (spf_lane_cut){(uint32_t)f->line[i], f->score[i], 1, f->tied[i] != 0};
    }
}

static void scan_numbers(const spf_split_node *node, const uint32_t *keys, uint32_t mask,
                         spf_lane_cut *cuts) {
    if (node->draws)
        scan_rows_of(node, keys, mask, cuts, 1);
    else
        scan_rows_of(node, keys, mask, cuts, 0);
}
