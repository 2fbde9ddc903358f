/* A fixed number of lanes, each with a walk of its own, take steps in turn; a lane whose walk has
 * ended takes the next one. Steps have no data-dependent branch except at the end of a walk.
 *
 * Weights are at most 1, so that the projected value of finite numbers is never NaN: only the
 * threshold of a node that is part of a projection is, and one comparison suffices. If rows are
 * mixed (missing values or sets of levels), a second one is needed. */
#include "predict/walk.h"

#include <math.h>

/* What the walks of a queue have in common: the tree, or the row. */
typedef enum { MANY_ROWS, MANY_TREES } variety;

typedef struct {
    const spf_packed *packed;
    const spf_packed_tree *tree; /* the first, or the only one */
    spf_rows rows;
    size_t first_row, count, next;
    size_t walking;     /* lanes with an unfinished walk */
    uintptr_t ahead;    /* address of what another tree will need */
    size_t ahead_lines; /* cache lines of it to prefetch with each row */
    uint32_t *leaf;
} queue;

typedef struct {
    const spf_packed_node *node;
    uintptr_t row;
    float carried; /* the sum so far, within a projection of several nodes; otherwise -0, which adds
                      nothing, not even to -0 */
} lane;

/* The node of an idle lane: each step leads back to it, for any row. */
static const spf_packed_node idle;

/* The value of a term; `mixed` is a compile-time constant. */
static inline __attribute__((always_inline)) float term_value(const queue *q,
                                                              const spf_rows_kind kind,
                                                              uintptr_t row, uint32_t feature,
                                                              const int mixed) {
    if (!mixed || feature < q->rows.features) return spf_row_value(&q->rows, kind, row, feature);
    const spf_sets *sets = &q->packed->sets;
    const spf_set *set = &sets->sets[feature - q->rows.features];
    return spf_set_value(sets, set, spf_row_value(&q->rows, kind, row, set->feature));
}

static float long_value(const queue *q, spf_rows_kind kind, uintptr_t row, uint32_t number) {
    const spf_packed *packed = q->packed;
    uint64_t first = packed->projection_start[number], end = packed->projection_start[number + 1];
    float sum = packed->term_weight[first] *
                term_value(q, kind, row, packed->term_feature[first], q->rows.mixed);
    for (uint64_t i = first + 1; i < end; i++)
        sum += packed->term_weight[i] *
               term_value(q, kind, row, packed->term_feature[i], q->rows.mixed);
    return sum;
}

/* An ordinary split, or NULL and the reference of a leaf. */
typedef struct {
    const spf_packed_node *node;
    uint32_t ref;
} stop;

/* Follows a reference through splits with long projections. */
static __attribute__((noinline)) stop follow_long(const queue *q, spf_rows_kind kind, uintptr_t row,
                                                  const spf_packed_node *from, uint32_t ref) {
    while (spf_ref_is_long(ref)) {
        from += ref & SPF_REF_VALUE;
        float value = from->weight[0] * long_value(q, kind, row, from->feature[0]);
        ref = from->child[!(value <= from->threshold)];
    }
    return (stop){ref & SPF_REF_STOP ? NULL : from + ref, ref};
}

enum { LINE = 64, MOST_LINES = 32 };

/* Trees are nearly contiguous: while rows walk down one, another is prefetched in order of
 * addresses, which is faster than in the order of the walks. A few rows would not need all of
 * it. */
static void look_ahead(queue *q, size_t tree) {
    const spf_packed *packed = q->packed;
    if (tree >= packed->trees_count || q->count == 0) return;
    size_t share = packed->nodes_count / packed->trees_count;
    size_t lines = share * sizeof *packed->nodes / LINE / q->count + 1;
    if (lines > MOST_LINES) return;
    q->ahead = (uintptr_t)packed->nodes + tree * share * sizeof *packed->nodes;
    q->ahead_lines = lines;
}

static inline void fetch_ahead(queue *q) {
    for (size_t i = 0; i < q->ahead_lines; i++)
        __builtin_prefetch((const void *)(q->ahead + i * LINE), 0, 2);
    q->ahead += q->ahead_lines * LINE;
}

static inline __attribute__((always_inline)) lane
begin_next(queue *q, const variety many, const spf_rows_kind kind, size_t *walk) {
    while (q->next < q->count) {
        const spf_packed_tree *tree = q->tree + (many == MANY_TREES ? q->next : 0);
        uintptr_t row =
            spf_row_handle(&q->rows, kind, many == MANY_ROWS ? q->first_row + q->next : 0);
        stop first = {q->packed->nodes + tree->start, tree->root};
        *walk = q->next++;
        if (many == MANY_ROWS) fetch_ahead(q);
        if (__builtin_expect(first.ref & SPF_REF_STOP, 0))
            first = follow_long(q, kind, row, first.node, first.ref);
        if (first.node) return (lane){first.node, row, -0.0f};
        q->leaf[*walk] = first.ref;
    }
    q->walking--;
    return (lane){&idle, spf_row_handle(&q->rows, kind, q->first_row), -0.0f};
}

/* The node `ref` further on, computed before it is known whether the reference leads to one. */
static inline const spf_packed_node *node_behind(const spf_packed_node *node, uint32_t ref) {
    return (const spf_packed_node *)((uintptr_t)node + (uintptr_t)ref * sizeof *node);
}

static inline __attribute__((always_inline)) void step(queue *q, const variety many,
                                                       const spf_rows_kind kind, const int mixed,
                                                       lane *l, size_t *walk) {
    const spf_packed_node *node = l->node;
    float value =
        l->carried + node->weight[0] * term_value(q, kind, l->row, node->feature[0], mixed);
    value += node->weight[1] * term_value(q, kind, l->row, node->feature[1], mixed);
    float threshold = node->threshold;
    uint32_t ref = node->child[!islessequal(value, threshold)];
    int part = mixed ? isnan(threshold) : isunordered(value, threshold); /* part of a projection? */
    l->carried = part ? value : -0.0f;
    l->node = node_behind(node, ref);
    if (many == MANY_TREES) __builtin_prefetch(l->node);
    if (__builtin_expect(ref >= SPF_REF_STOP, 0)) {
        stop next = {NULL, ref};
        if (spf_ref_is_long(ref)) next = follow_long(q, kind, l->row, node, ref);
        l->node = next.node;
        if (next.node) return;
        q->leaf[*walk] = next.ref;
        *l = begin_next(q, many, kind, walk);
    }
}

/* Lanes are separate variables, not an array, so that they stay in registers; there are as many as
 * registers allow. */
enum { LANES = 12 };
#define EACH_LANE(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define BEGIN(i) lane lane##i = begin_next(&q, many, kind, &walk[i]);
#define STEP(i) step(&q, many, kind, mixed, &lane##i, &walk[i]);

static inline __attribute__((always_inline)) void
walk_all(queue q, const variety many, const spf_rows_kind kind, const int mixed) {
    size_t walk[LANES] = {0};
    q.walking = LANES;
    EACH_LANE(BEGIN)
    while (q.walking > 0) {
        EACH_LANE(STEP)
    }
}

static void walk_plain_rows(queue q) {
    switch (q.rows.kind) {
    case SPF_ROWS_FLOATS:
        walk_all(q, MANY_ROWS, SPF_ROWS_FLOATS, 0);
        break;
    case SPF_ROWS_BYTES:
        walk_all(q, MANY_ROWS, SPF_ROWS_BYTES, 0);
        break;
    case SPF_ROWS_COLUMNS:
        walk_all(q, MANY_ROWS, SPF_ROWS_COLUMNS, 0);
    }
}

static void walk_mixed_rows(queue q) {
    switch (q.rows.kind) {
    case SPF_ROWS_FLOATS:
        walk_all(q, MANY_ROWS, SPF_ROWS_FLOATS, 1);
        break;
    case SPF_ROWS_BYTES:
        walk_all(q, MANY_ROWS, SPF_ROWS_BYTES, 1);
        break;
    case SPF_ROWS_COLUMNS:
        walk_all(q, MANY_ROWS, SPF_ROWS_COLUMNS, 1);
    }
}

void spf_walk_rows(const spf_packed *packed, size_t tree, size_t fetched, const spf_rows *rows,
                   size_t first, size_t count, uint32_t *leaf) {
    queue q = {.packed = packed,
               .tree = &packed->trees[tree],
               .rows = *rows,
               .first_row = first,
               .count = count,
               .leaf = leaf};
    look_ahead(&q, fetched);
    (rows->mixed ? walk_mixed_rows : walk_plain_rows)(q);
}

void spf_walk_trees(const spf_packed *packed, size_t first, size_t count, const spf_rows *row,
                    uint32_t *leaf) {
    queue q = {.packed = packed,
               .tree = &packed->trees[first],
               .rows = *row,
               .count = count,
               .leaf = leaf};
    if (row->mixed)
        walk_all(q, MANY_TREES, SPF_ROWS_FLOATS, 1);
    else
        walk_all(q, MANY_TREES, SPF_ROWS_FLOATS, 0);
}
