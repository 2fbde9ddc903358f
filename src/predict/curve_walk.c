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

/* Points [begin, end) of a row, or of its list. */
typedef struct {
    uint32_t row, begin, end;
} item;

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
    s->left += left.begin < left.end;
    *s->right = right;
    s->right += right.begin < right.end;
}

/* All points of a row take the same side. With `plain` each term is a column; that and the number
 * of terms are compile-time constants where it matters. */
INLINE void divide_rows_by(const spf_curve_walker *w, cut c, const uint32_t terms, const int plain,
                           const item *items, size_t count, sides *given_sides) {
    const term *t = w->terms;
    sides s = *given_sides;
    for (size_t i = 0; i < count; i++) {
        item given = items[i];
        float sum = plain ? t[0].weight * t[0].column[given.row] : product(w, &t[0], given.row);
        for (uint32_t k = 1; k < terms; k++)
            sum += plain ? t[k].weight * t[k].column[given.row] : product(w, &t[k], given.row);
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

/* Moves one end of a bracket to a point between them. */
INLINE void narrow(bracket *b, const line *l, const cut *c, int left, uint32_t point) {
    int before = goes_left(c, line_value(l, point)) == left;
    b->first = before ? point : b->first;
    b->last = before ? b->last : point;
}

/* Where the threshold would be if the values of the points had equal distances, as those of a grid
 * have. */
INLINE uint32_t guess(const bracket *b, float threshold) {
    uint32_t inside = b->last - b->first - 2;
    float steps = (threshold - b->at_first) / (b->at_last - b->at_first);
    steps *= (float)(b->last - b->first);
    return b->first + 1 + (steps >= 1 && steps < (float)inside ? (uint32_t)steps : inside / 2);
}

/* The first point of a run that takes the side of its last: next to a guess, or by bisection. */
INLINE uint32_t find_cut(bracket b, const line *l, const cut *c, int left) {
    if (b.last - b.first > 2) {
        uint32_t point = guess(&b, c->threshold);
        narrow(&b, l, c, left, point);
        if (b.last - b.first > 1) narrow(&b, l, c, left, b.last == point ? point - 1 : point + 1);
    }
    while (b.last - b.first > 1) narrow(&b, l, c, left, b.first + (b.last - b.first) / 2);
    return b.last;
}

/* The place of the replaced term, the number of terms and `columns` are compile-time constants
 * where it matters. */
INLINE void divide_runs_by(const spf_curve_walker *w, cut c, const uint32_t at,
                           const uint32_t terms, const int columns, float *after, const item *items,
                           size_t count, sides *given_sides) {
    sides s = *given_sides;
    for (size_t i = 0; i < count; i++) {
        item given = items[i], first = given, rest = given;
        line l = line_of_row(w, at, terms, columns, given.row, after);
        bracket b = {given.begin, given.end - 1, line_value(&l, given.begin),
                     line_value(&l, given.end - 1)};
        int left = goes_left(&c, b.at_first);
        if (goes_left(&c, b.at_last) == left) {
            put(&s, given, left);
            continue;
        }
        first.end = rest.begin = find_cut(b, &l, &c, left);
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
        divide_runs_by(w, c, 0, 1, 1, few, items, count, s);
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
        item given = items[i], first = given, rest = given;
        uint32_t *list = w->lists + given.row * w->points->count, others = 0;
        first.end = given.begin;
        take_products(w, terms, given.row);
        for (uint32_t k = given.begin; k < given.end; k++) {
            uint32_t point = list[k];
            int left = goes_left(c, value_at(w, terms, point));
            list[first.end] = w->second[others] = point;
            first.end += (uint32_t)left;
            others += (uint32_t)!left;
        }
        memcpy(list + first.end, w->second, others * sizeof *list);
        rest.begin = first.end;
        put_both(s, first, rest);
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

static void add_share(const spf_curve_walker *w, item given, double value, double *sums) {
    if (w->lists)
        add_list(sums, w->lists + given.row * w->points->count, given.begin, given.end, value);
    else if (takes_differences(w))
        add_difference(sums, given.begin, given.end, w->points->count, value);
    else
        add_run(sums, given.begin, given.end, value);
}

static sporf_status add_leaf(spf_curve_walker *w, const spf_curve_tree *t,
                             const spf_curve_block *block, waiting at) {
    size_t points = w->points->count, curves = w->sums.together ? 0 : spf_outputs(w->forest);
    const item *items = w->items + at.begin;
    const float *weights =
        w->sums.together && block->weights ? block->weights + block->begin : NULL;
    size_t shares;
    SPF_TRY(read_leaf(w, t, t->tree.nodes[at.node].content, &shares));
    for (size_t i = 0; i < at.count; i++) {
        double weight = weights ? (double)weights[items[i].row] : 1;
        double *sums = block->sums + items[i].row * curves * points;
        for (size_t k = 0; k < shares; k++)
            add_share(w, items[i], weight * w->shares[k].value,
                      sums + w->shares[k].output * points);
    }
    return SPORF_OK;
}

/* ---- the walk -------------------------------------------------------------------------------- */

static sporf_status start(spf_curve_walker *w, size_t rows) {
    SPF_TRY(SPF_RESERVE(w->items, w->items_capacity, rows + 1));
    SPF_TRY(SPF_RESERVE(w->stack, w->stack_capacity, 1));
    for (size_t i = 0; i < rows; i++)
        w->items[i] = (item){(uint32_t)i, 0, (uint32_t)w->points->count};
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
