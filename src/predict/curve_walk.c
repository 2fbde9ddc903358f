/* Lists of rows go down the tree from node to node. An item of a list is a row with some of its
 * points; those that wait for their turn have no point in common, so that there are never more
 * items than rows times points.
 *
 * Points in order of one feature are a run [begin, end). A projected value is a sum of products in
 * a fixed order; rounding is monotone, so that it never falls, or never rises, with the value of
 * the feature, and a split cuts a run at one place. Other points are a part of a list that each row
 * has; a split divides it in place. */
#include "predict/curve_walk.h"

#include "model/unpack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* ---- trees ----------------------------------------------------------------------------------- */

static int is_replaced(const spf_points *points, uint32_t feature) {
    for (size_t i = 0; i < points->features_count; i++)
        if (points->features[i] == feature) return 1;
    return 0;
}

/* Whether a term is the feature's own value, apart from missing ones. */
static int is_own_value(const spf_tree *tree, uint32_t term) {
    return term < tree->features || tree->sets.sets[term - tree->features].words == 0;
}

static void mark_projections(const spf_points *points, spf_curve_tree *t, int *monotone) {
    const spf_tree *tree = &t->tree;
    for (uint32_t i = 0; i < tree->projections_count; i++) {
        uint32_t found = 0;
        for (uint32_t k = tree->projection_start[i]; k < tree->projection_start[i + 1]; k++) {
            uint32_t term = tree->term_feature[k];
            if (!is_replaced(points, spf_term_feature(tree, term))) continue;
            if (++found > 1 || !is_own_value(tree, term)) *monotone = 0;
        }
        t->depends[i] = found > 0;
    }
}

sporf_status spf_curve_tree_open(const sporf_forest *forest, size_t number,
                                 const spf_points *points, spf_curve_tree *tree, int *monotone) {
    *tree = (spf_curve_tree){.number = number};
    SPF_TRY(spf_unpack_tree(forest, number, &tree->tree));
    tree->depends = spf_alloc(tree->tree.projections_count, sizeof *tree->depends);
    if (!tree->depends) return spf_raise_memory();
    mark_projections(points, tree, monotone);
    return SPORF_OK;
}

void spf_curve_tree_close(spf_curve_tree *tree) {
    spf_tree_free(&tree->tree);
    free(tree->depends);
    tree->depends = NULL;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Points [begin, end) of a row, or of its list: numbers of 26 bits, above the row, which has 12. */
typedef uint64_t item;

enum { ROW_BITS = 12, POINT_BITS = 26 };

_Static_assert(SPF_CURVE_ROWS_MAX == 1 << ROW_BITS && SPF_CURVE_POINTS_MAX < 1 << POINT_BITS,
               "an item has the row and the points");

INLINE item item_of(uint32_t row, uint32_t begin, uint32_t end) {
    return row | ((uint64_t)begin | (uint64_t)end << POINT_BITS) << ROW_BITS;
}

INLINE uint32_t row_of(item i) {
    return (uint32_t)i & (SPF_CURVE_ROWS_MAX - 1);
}

INLINE uint32_t begin_of(item i) {
    return (uint32_t)(i >> ROW_BITS) & ((1u << POINT_BITS) - 1);
}

INLINE uint32_t end_of(item i) {
    return (uint32_t)(i >> (ROW_BITS + POINT_BITS));
}

/* Items that wait at a node. */
typedef struct {
    uint32_t node;
    size_t begin, count;
} waiting;

/* What a leaf adds to an output. */
typedef struct {
    size_t output;
    double value;
} share;

/* A term of the projection of the current node. */
typedef struct {
    float weight;
    const float *column; /* of the block; NULL if a set is named, or the feature is replaced */
    const float *points; /* its values if it is replaced; otherwise NULL */
    const spf_set *set;  /* NULL without */
    const float *levels; /* the column of the set's feature, unless it is replaced */
} term;

struct spf_curve_walker {
    const sporf_forest *forest;
    const spf_points *points;
    spf_curve_sums sums;
    item *items, *others; /* those that wait or take the first side; those that take the second */
    size_t items_capacity, others_capacity;
    waiting *stack;
    size_t stack_capacity;
    share *shares;
    size_t shares_capacity;
    term *terms;
    float *products; /* of terms that are not replaced */
    size_t terms_capacity, products_capacity;
    uint32_t *lists;  /* [rows x points]; NULL if points are ordered */
    uint32_t *second; /* [points]: those of an item that take the second side */
};

/* Every row starts with all points; no order is needed, also between trees. */
static sporf_status create_lists(spf_curve_walker *w, size_t rows) {
    size_t count = w->points->count;
    w->lists = spf_alloc(rows, count * sizeof *w->lists);
    w->second = spf_alloc(count, sizeof *w->second);
    if (!w->lists || !w->second) return spf_raise_memory();
    for (size_t i = 0; i < rows; i++)
        for (size_t c = 0; c < count; c++) w->lists[i * count + c] = (uint32_t)c;
    return SPORF_OK;
}

sporf_status spf_curve_walker_create(const sporf_forest *forest, const spf_points *points,
                                     spf_curve_sums sums, size_t rows_max, spf_curve_walker **out) {
    spf_curve_walker *w = spf_alloc_zero(1, sizeof *w);
    *out = w;
    if (!w) return spf_raise_memory();
    w->forest = forest;
    w->points = points;
    w->sums = sums;
    return points->ordered ? SPORF_OK : create_lists(w, rows_max);
}

void spf_curve_walker_free(spf_curve_walker *walker) {
    if (!walker) return;
    free(walker->items);
    free(walker->others);
    free(walker->stack);
    free(walker->shares);
    free(walker->terms);
    free(walker->products);
    free(walker->lists);
    free(walker->second);
    free(walker);
}

/* ---- projected values ------------------------------------------------------------------------ */

static const float *points_of(const spf_points *points, uint32_t feature) {
    for (size_t i = 0; i < points->features_count; i++)
        if (points->features[i] == feature) return points->values[i];
    return NULL;
}

/* The projection of a node as terms; *plain is whether each is a column. */
static sporf_status read_terms(spf_curve_walker *w, const spf_tree *tree,
                               const spf_curve_block *block, uint32_t projection, uint32_t *count,
                               int *plain) {
    uint32_t first = tree->projection_start[projection];
    *count = tree->projection_start[projection + 1] - first;
    *plain = 1;
    SPF_TRY(SPF_RESERVE(w->terms, w->terms_capacity, *count));
    SPF_TRY(SPF_RESERVE(w->products, w->products_capacity, *count));
    for (uint32_t i = 0; i < *count; i++) {
        uint32_t number = tree->term_feature[first + i], feature = spf_term_feature(tree, number);
        const float *column = block->columns[feature] + block->begin;
        const spf_set *set =
            number < tree->features ? NULL : &tree->sets.sets[number - tree->features];
        const float *points = points_of(w->points, feature);
        w->terms[i] = (term){.weight = tree->term_weight[first + i],
                             .column = set || points ? NULL : column,
                             .points = points,
                             .set = set,
                             .levels = column};
        *plain &= w->terms[i].column != NULL;
    }
    return SPORF_OK;
}

static float value_of(const spf_curve_walker *w, const term *t, const float *from, uint32_t at) {
    return t->set ? spf_set_value(&w->forest->packed.sets, t->set, from[at]) : from[at];
}

/* The product of a term that is not replaced. */
static float product(const spf_curve_walker *w, const term *t, uint32_t row) {
    return t->weight * (t->column ? t->column[row] : value_of(w, t, t->levels, row));
}

static void take_products(const spf_curve_walker *w, uint32_t count, uint32_t row) {
    for (uint32_t i = 0; i < count; i++)
        if (!w->terms[i].points) w->products[i] = product(w, &w->terms[i], row);
}

/* The projected value of the row of take_products at a point. */
static float value_at(const spf_curve_walker *w, uint32_t count, uint32_t point) {
    float sum = -0.0f; /* adds nothing, not even to -0 */
    for (uint32_t i = 0; i < count; i++) {
        const term *t = &w->terms[i];
        sum += t->points ? t->weight * value_of(w, t, t->points, point) : w->products[i];
    }
    return sum;
}

/* ---- splits ---------------------------------------------------------------------------------- */

/* The threshold of a node, and where missing values go. */
typedef struct {
    float threshold;
    int missing_left;
} cut;

static inline int goes_left(const cut *c, float value) {
    return (value <= c->threshold) | (c->missing_left & isnan(value));
}

/* Items of a list that is divided: those that go left take the places from the first on. */
typedef struct {
    item *left, *right; /* the next free places */
} sides;

static inline void put(sides *s, item given, int left) {
    *s->left = *s->right = given;
    s->left += left;
    s->right += !left;
}

/* Neither side gets an item without points. */
static inline void put_both(sides *s, item left, item right) {
    *s->left = left;
    s->left += begin_of(left) < end_of(left);
    *s->right = right;
    s->right += begin_of(right) < end_of(right);
}

/* All points of a row take the same side. With `plain` each term is a column; that and the number
 * of terms are compile-time constants where it matters. */
INLINE void divide_rows_by(const spf_curve_walker *w, cut c, const uint32_t terms, const int plain,
                           const item *items, size_t count, sides *given_sides) {
    const term *t = w->terms;
    sides s = *given_sides;
    for (size_t i = 0; i < count; i++) {
        item given = items[i];
        uint32_t row = row_of(given);
        float sum = plain ? t[0].weight * t[0].column[row] : product(w, &t[0], row);
        for (uint32_t k = 1; k < terms; k++)
            sum += plain ? t[k].weight * t[k].column[row] : product(w, &t[k], row);
        put(&s, given, goes_left(&c, sum));
    }
    *given_sides = s;
}

INLINE void divide_rows(const spf_curve_walker *w, cut c, uint32_t terms, int plain,
                        const item *items, size_t count, sides *s) {
    if (!plain)
        divide_rows_by(w, c, terms, 0, items, count, s);
    else if (terms == 1)
        divide_rows_by(w, c, 1, 1, items, count, s);
    else if (terms == 2)
        divide_rows_by(w, c, 2, 1, items, count, s);
    else if (terms == 3)
        divide_rows_by(w, c, 3, 1, items, count, s);
    else
        divide_rows_by(w, c, terms, 1, items, count, s);
}

/* The projected value of a row as a function of one replaced value. */
typedef struct {
    const float *points;
    const float *after; /* [after_count]: products of the terms after it */
    uint32_t after_count;
    float weight, before; /* the sum of the terms before it */
} line;

INLINE float line_value(const line *l, uint32_t point) {
    float sum = l->before + l->weight * l->points[point];
    for (uint32_t i = 0; i < l->after_count; i++) sum += l->after[i];
    return sum;
}

/* The place of the replaced term. */
static uint32_t find_replaced(const spf_curve_walker *w) {
    uint32_t at = 0;
    while (!w->terms[at].points) at++;
    return at;
}

/* `columns` is whether all other terms are columns. */
INLINE line line_of_row(const spf_curve_walker *w, const uint32_t at, const uint32_t terms,
                        const int columns, uint32_t row, float *after) {
    const term *t = w->terms;
    line l = {t[at].points, after, terms - at - 1, t[at].weight, -0.0f};
    for (uint32_t i = 0; i < at; i++)
        l.before += columns ? t[i].weight * t[i].column[row] : product(w, &t[i], row);
    for (uint32_t i = at + 1; i < terms; i++)
        after[i - at - 1] = columns ? t[i].weight * t[i].column[row] : product(w, &t[i], row);
    return l;
}

/* The two ends of a run that take different sides, and their projected values. */
typedef struct {
    uint32_t first, last;
    float at_first, at_last;
} bracket;

INLINE int is_before(const line *l, const cut *c, int left, uint32_t point) {
    return goes_left(c, line_value(l, point)) == left;
}

/* Where the cut would be if the values of the points had equal distances, as those of a grid have:
 * above the first point of the bracket, and at most the last. */
INLINE uint32_t guess(const bracket *b, float threshold) {
    uint32_t inside = b->last - b->first - 1;
    float steps = (threshold - b->at_first) / (b->at_last - b->at_first);
    steps *= (float)(b->last - b->first);
    return b->first + 1 + (steps >= 0 && steps < (float)inside ? (uint32_t)steps : inside);
}

/* The first point of a run that takes the side of its last: a guess, or by bisection. */
INLINE uint32_t find_cut(bracket b, const line *l, const cut *c, int left) {
    uint32_t point = guess(&b, c->threshold);
    int low = is_before(l, c, left, point - 1), high = is_before(l, c, left, point);
    if (__builtin_expect(low & !high, 1)) return point;
    if (low)
        b.first = point;
    else
        b.last = point - 1;
    while (b.last - b.first > 1) {
        uint32_t middle = b.first + (b.last - b.first) / 2;
        if (is_before(l, c, left, middle))
            b.first = middle;
        else
            b.last = middle;
    }
    return b.last;
}

/* The place of the replaced term, the number of terms and `columns` are compile-time constants
 * where it matters. */
INLINE void divide_runs_by(const spf_curve_walker *w, cut c, const uint32_t at,
                           const uint32_t terms, const int columns, float *after, const item *items,
                           size_t count, sides *given_sides) {
    sides s = *given_sides;
    for (size_t i = 0; i < count; i++) {
        item given = items[i];
        uint32_t row = row_of(given), begin = begin_of(given), end = end_of(given);
        line l = line_of_row(w, at, terms, columns, row, after);
        bracket b = {begin, end - 1, line_value(&l, begin), line_value(&l, end - 1)};
        int left = goes_left(&c, b.at_first);
        if (goes_left(&c, b.at_last) == left) {
            put(&s, given, left);
            continue;
        }
        uint32_t from = find_cut(b, &l, &c, left);
        item first = item_of(row, begin, from), rest = item_of(row, from, end);
        put_both(&s, left ? first : rest, left ? rest : first);
    }
    *given_sides = s;
}

/* The replaced feature alone: all runs are cut at the same point. */
INLINE void divide_runs_alike(const spf_curve_walker *w, cut c, const item *items, size_t count,
                              sides *given_sides) {
    const line l = {w->terms[0].points, NULL, 0, w->terms[0].weight, -0.0f};
    uint32_t last = (uint32_t)w->points->count - 1, from = last + 1;
    bracket b = {0, last, line_value(&l, 0), line_value(&l, last)};
    int left = goes_left(&c, b.at_first);
    if (goes_left(&c, b.at_last) != left) from = find_cut(b, &l, &c, left);
    sides s = *given_sides;
    for (size_t i = 0; i < count; i++) {
        uint32_t row = row_of(items[i]), begin = begin_of(items[i]), end = end_of(items[i]);
        uint32_t inside = from < begin ? begin : from > end ? end : from;
        item first = item_of(row, begin, inside), rest = item_of(row, inside, end);
        put_both(&s, left ? first : rest, left ? rest : first);
    }
    *given_sides = s;
}

static int others_are_columns(const spf_curve_walker *w, uint32_t terms) {
    int columns = 1;
    for (uint32_t i = 0; i < terms; i++) columns &= w->terms[i].points || w->terms[i].column;
    return columns;
}

INLINE void divide_runs(const spf_curve_walker *w, cut c, uint32_t terms, const item *items,
                        size_t count, sides *s) {
    const uint32_t at = find_replaced(w);
    float few[2];
    if (!others_are_columns(w, terms) || terms > 3)
        divide_runs_by(w, c, at, terms, 0, w->products, items, count, s);
    else if (terms == 1)
        divide_runs_alike(w, c, items, count, s);
    else if (terms == 2 && at == 0)
        divide_runs_by(w, c, 0, 2, 1, few, items, count, s);
    else if (terms == 2)
        divide_runs_by(w, c, 1, 2, 1, few, items, count, s);
    else if (at == 0)
        divide_runs_by(w, c, 0, 3, 1, few, items, count, s);
    else if (at == 1)
        divide_runs_by(w, c, 1, 3, 1, few, items, count, s);
    else
        divide_runs_by(w, c, 2, 3, 1, few, items, count, s);
}

static void divide_lists(const spf_curve_walker *w, const cut *c, uint32_t terms, const item *items,
                         size_t count, sides *s) {
    for (size_t i = 0; i < count; i++) {
        uint32_t row = row_of(items[i]), begin = begin_of(items[i]), end = end_of(items[i]);
        uint32_t *list = w->lists + row * w->points->count, from = begin, others = 0;
        take_products(w, terms, row);
        for (uint32_t k = begin; k < end; k++) {
            uint32_t point = list[k];
            int left = goes_left(c, value_at(w, terms, point));
            list[from] = w->second[others] = point;
            from += (uint32_t)left;
            others += (uint32_t)!left;
        }
        memcpy(list + from, w->second, others * sizeof *list);
        put_both(s, item_of(row, begin, from), item_of(row, from, end));
    }
}

/* Divides the items of a node into those of its children, one list after the other. */
static sporf_status divide(spf_curve_walker *w, const spf_curve_tree *t,
                           const spf_curve_block *block, waiting at, size_t *lefts,
                           size_t *rights) {
    const spf_node *node = &t->tree.nodes[at.node];
    const cut c = {node->threshold, (node->content & SPF_MISSING_LEFT) && block->has_missing};
    const cut known = {node->threshold, 0}; /* compilers leave out what cannot happen */
    uint32_t projection = spf_split_projection(node), terms;
    int plain, depends = t->depends[projection];
    size_t most = depends ? 2 * at.count : at.count;
    SPF_TRY(read_terms(w, &t->tree, block, projection, &terms, &plain));
    SPF_TRY(SPF_RESERVE(w->items, w->items_capacity, at.begin + most + 1));
    SPF_TRY(SPF_RESERVE(w->others, w->others_capacity, most + 1));
    item *items = w->items + at.begin;
    sides s = {items, w->others};
    if (!depends && !c.missing_left)
        divide_rows(w, known, terms, plain, items, at.count, &s);
    else if (!depends)
        divide_rows(w, c, terms, plain, items, at.count, &s);
    else if (w->points->ordered && !c.missing_left)
        divide_runs(w, known, terms, items, at.count, &s);
    else if (w->points->ordered)
        divide_runs(w, c, terms, items, at.count, &s);
    else
        divide_lists(w, &c, terms, items, at.count, &s);
    *lefts = (size_t)(s.left - items);
    *rights = (size_t)(s.right - w->others);
    memcpy(s.left, w->others, *rights * sizeof *s.left);
    return SPORF_OK;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

static void read_values(const spf_curve_walker *w, const spf_curve_tree *t, uint32_t leaf) {
    size_t width = spf_leaf_width(w->forest), boosted = w->forest->boosting.outputs;
    for (size_t i = 0; i < width; i++)
        w->shares[i] = (share){boosted ? t->number % boosted : i,
                               (double)t->tree.leaf_value[leaf * width + i]};
}

static void read_classes(const spf_curve_walker *w, const spf_tree *tree, uint32_t leaf) {
    uint32_t first = tree->leaf_start[leaf], count = tree->leaf_start[leaf + 1] - first;
    double sum = 0, unit = w->sums.unit;
    for (uint32_t i = 0; i < count; i++) sum += tree->leaf_weight[first + i];
    for (uint32_t i = 0; i < count; i++) {
        double value = tree->leaf_weight[first + i] / sum;
        if (unit > 0) value = floor(value / unit + 0.5) * unit;
        w->shares[i] = (share){tree->leaf_class[first + i], value};
    }
}

/* What a leaf adds to which outputs. */
static sporf_status read_leaf(spf_curve_walker *w, const spf_curve_tree *t, uint32_t leaf,
                              size_t *count) {
    const spf_tree *tree = &t->tree;
    *count = 1;
    if (w->sums.adds == SPF_LEAF_VALUES) *count = spf_leaf_width(w->forest);
    if (w->sums.adds == SPF_LEAF_SHARES)
        *count = tree->leaf_start[leaf + 1] - tree->leaf_start[leaf];
    SPF_TRY(SPF_RESERVE(w->shares, w->shares_capacity, *count));
    if (w->sums.adds == SPF_LEAF_VALUES)
        read_values(w, t, leaf);
    else if (w->sums.adds == SPF_LEAF_SHARES)
        read_classes(w, tree, leaf);
    else
        w->shares[0] = (share){spf_leaf_vote(tree, leaf), 1};
    return SPORF_OK;
}

static void add_run(double *restrict sums, uint32_t begin, uint32_t end, double value) {
    for (uint32_t i = begin; i < end; i++) sums[i] += value;
}

static void add_list(double *restrict sums, const uint32_t *list, uint32_t begin, uint32_t end,
                     double value) {
    for (uint32_t i = begin; i < end; i++) sums[list[i]] += value;
}

/* Differences from point to point, to be added up in the end. */
static void add_difference(double *sums, uint32_t begin, uint32_t end, size_t count, double value) {
    sums[begin] += value;
    if (end < count) sums[end] -= value;
}

/* Votes of a row, and shares in units, are whole numbers, of which differences lose nothing; and
 * the sum over many rows has no order of its own. */
static int takes_differences(const spf_curve_walker *w) {
    return !w->lists && (w->sums.together || w->sums.adds == SPF_LEAF_VOTE || w->sums.unit > 0);
}

/* Fetches the ends of an item's run. `sums` are those of an output of the first row. */
INLINE void fetch_run(const double *sums, size_t stride, item given) {
    const double *own = sums + row_of(given) * stride;
    __builtin_prefetch(own + begin_of(given), 1);
    __builtin_prefetch(own + end_of(given), 1);
}

/* The items of a leaf in the curves of their rows, which are all over the memory of the block: they
 * are fetched some items ahead. */
static void add_to_rows(const spf_curve_walker *w, const item *items, size_t count, size_t shares,
                        double *sums) {
    enum { AHEAD = 16 };
    const int differences = takes_differences(w);
    const size_t points = w->points->count, stride = spf_outputs(w->forest) * points;
    const double *first = sums + w->shares[0].output * points;
    for (size_t i = 0; i < AHEAD && i < count; i++) fetch_run(first, stride, items[i]);
    for (size_t i = 0; i < count; i++) {
        uint32_t row = row_of(items[i]), begin = begin_of(items[i]), end = end_of(items[i]);
        if (i + AHEAD < count) fetch_run(first, stride, items[i + AHEAD]);
        for (size_t k = 0; k < shares; k++) {
            double *own = sums + row * stride + w->shares[k].output * points;
            if (differences)
                add_difference(own, begin, end, points, w->shares[k].value);
            else if (w->lists)
                add_list(own, w->lists + row * points, begin, end, w->shares[k].value);
            else
                add_run(own, begin, end, w->shares[k].value);
        }
    }
}

static double weighted(const spf_curve_block *block, uint32_t row, double value) {
    return block->weights ? (double)block->weights[block->begin + row] * value : value;
}

/* The differences of a leaf's items in the curve of all rows together. Most runs begin with the
 * first point or end with the last: such a sum has several places, since an addition to one place
 * waits for the addition before. */
static void add_differences(const spf_curve_block *block, const item *items, size_t count,
                            double value, size_t points, double *sums) {
    enum { PLACES = 4 };
    double first[PLACES] = {0}, past[PLACES] = {0};
    for (size_t i = 0; i < count; i++) {
        uint32_t begin = begin_of(items[i]), end = end_of(items[i]);
        double own = weighted(block, row_of(items[i]), value);
        double *at_begin = begin > 0 ? sums + begin : first + i % PLACES;
        *at_begin += own;
        double *at_end = end < points ? sums + end : past + i % PLACES;
        *at_end -= own;
    }
    for (size_t i = 0; i < PLACES; i++) sums[0] += first[i];
}

static void add_together(const spf_curve_walker *w, const item *items, size_t count, size_t shares,
                         const spf_curve_block *block) {
    size_t points = w->points->count;
    for (size_t k = 0; k < shares; k++) {
        double *sums = block->sums + w->shares[k].output * points, value = w->shares[k].value;
        if (!w->lists) add_differences(block, items, count, value, points, sums);
        for (size_t i = 0; w->lists && i < count; i++)
            add_list(sums, w->lists + row_of(items[i]) * points, begin_of(items[i]),
                     end_of(items[i]), weighted(block, row_of(items[i]), value));
    }
}

static sporf_status add_leaf(spf_curve_walker *w, const spf_curve_tree *t,
                             const spf_curve_block *block, waiting at) {
    const item *items = w->items + at.begin;
    size_t shares;
    SPF_TRY(read_leaf(w, t, t->tree.nodes[at.node].content, &shares));
    if (w->sums.together)
        add_together(w, items, at.count, shares, block);
    else
        add_to_rows(w, items, at.count, shares, block->sums);
    return SPORF_OK;
}

/* ---- the walk -------------------------------------------------------------------------------- */

static sporf_status start(spf_curve_walker *w, size_t rows) {
    SPF_TRY(SPF_RESERVE(w->items, w->items_capacity, rows + 1));
    SPF_TRY(SPF_RESERVE(w->stack, w->stack_capacity, 1));
    for (size_t i = 0; i < rows; i++)
        w->items[i] = item_of((uint32_t)i, 0, (uint32_t)w->points->count);
    w->stack[0] = (waiting){0, 0, rows};
    return SPORF_OK;
}

/* The items of the last that waits are the last of all, so that there is room after them. */
sporf_status spf_curve_walk(spf_curve_walker *w, const spf_curve_tree *t,
                            const spf_curve_block *block) {
    SPF_TRY(start(w, block->rows));
    for (size_t stacked = 1; stacked > 0;) {
        waiting at = w->stack[--stacked];
        const spf_node *node = &t->tree.nodes[at.node];
        size_t lefts, rights;
        if (node->right == 0) {
            SPF_TRY(add_leaf(w, t, block, at));
            continue;
        }
        SPF_TRY(divide(w, t, block, at, &lefts, &rights));
        SPF_TRY(SPF_RESERVE(w->stack, w->stack_capacity, stacked + 2));
        if (lefts > 0) w->stack[stacked++] = (waiting){at.node + 1, at.begin, lefts};
        if (rights > 0) w->stack[stacked++] = (waiting){node->right, at.begin + lefts, rights};
    }
    return SPORF_OK;
}

void spf_curve_finish(const spf_curve_walker *w, const spf_curve_block *block) {
    size_t points = w->points->count, rows = w->sums.together ? 1 : block->rows;
    size_t curves = rows * spf_outputs(w->forest);
    if (!takes_differences(w)) return;
    for (size_t i = 0; i < curves; i++)
        for (size_t c = 1; c < points; c++)
            block->sums[i * points + c] += block->sums[i * points + c - 1];
}
