/* Rows are predicted in blocks: copied once in row-major order, then walked through one tree after
 * the other, each of which stays in the cache meanwhile. Sums over trees are in tree order, so that
 * the number of threads changes no bit. */
#include "predict/predict.h"

#include "base/parallel.h"
#include "predict/prediction.h"
#include "predict/walk.h"
#include "predict/walk_checked.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_BYTES = 4 << 20, /* of rows, or of their sums */
    BLOCK_ROWS = 1 << 16,
    PIECE_ROWS = 4096, /* walked before their leaves are evaluated */
    FEW_ROWS = 32,
    TREES_AT_ONCE = 256,
    WIDE = 128, /* features per tree from which on copying rows costs more than it saves */
};

/* ---- rows to leaves -------------------------------------------------------------------------- */

static sporf_status raise_damaged(void) {
    return spf_raise(SPORF_ERROR_MODEL, "a tree of the model is damaged" SPF_HINT
                                        "restore the file from a backup or train the model again");
}

/* The leaves of a row in trees from `first` on. Returns the number of trees done; 0 means that the
 * model is damaged. */
static size_t leaves_of_row(const sporf_forest *forest, const spf_rows *row, size_t first,
                            uint32_t *leaf) {
    size_t left = forest->trees_count - first;
    size_t count = left < TREES_AT_ONCE ? left : TREES_AT_ONCE;
    if (forest->trusted) {
        spf_walk_trees(&forest->packed, first, count, row, leaf);
        return count;
    }
    for (size_t i = 0; i < count; i++)
        if (!(leaf[i] = spf_walk_checked(forest, first + i, row, 0))) return 0;
    return count;
}

/* ---- leaves to results ----------------------------------------------------------------------- */

static void add_shares(const spf_packed *packed, const spf_packed_tree *tree, uint32_t ref,
                       double *totals) {
    uint32_t bits = packed->leaf_weight[tree->leaf + spf_ref_leaf(packed, ref)];
    if (!(bits & SPF_LEAF_MIXED)) {
        totals[spf_ref_class(packed, tree, ref)] += 1;
        return;
    }
    uint64_t first = packed->mixed_start[bits & ~SPF_LEAF_MIXED];
    uint64_t end = packed->mixed_start[(bits & ~SPF_LEAF_MIXED) + 1];
    double sum = 0;
    for (uint64_t i = first; i < end; i++) sum += packed->entry_weight[i];
    for (uint64_t i = first; i < end; i++)
        totals[packed->entry_class[i]] += packed->entry_weight[i] / sum;
}

/* Adds the predictions of the leaves of `count` rows to their sums. */
static void add_means(const sporf_forest *forest, const spf_packed_tree *tree, size_t count,
                      const uint32_t *leaf, double *sums) {
    const float *values = spf_leaf_values(&forest->packed, tree, forest->targets);
    for (size_t i = 0; i < count; i++) {
        const float *value = values + spf_ref_leaf(&forest->packed, leaf[i]) * forest->targets;
        for (size_t t = 0; t < forest->targets; t++) sums[i * forest->targets + t] += value[t];
    }
}

/* The same in a boosted model, where a tree has one output. */
static void add_scores(const sporf_forest *forest, size_t number, size_t count,
                       const uint32_t *leaf, double *sums) {
    const spf_packed *packed = &forest->packed;
    const float *value = packed->leaf_value + packed->trees[number].leaf;
    size_t outputs = spf_outputs(forest);
    double *sum = sums + number % forest->boosting.outputs;
    for (size_t i = 0; i < count; i++) sum[i * outputs] += value[spf_ref_leaf(packed, leaf[i])];
}

static void add_values(const sporf_forest *forest, size_t number, size_t count,
                       const uint32_t *leaf, double *sums) {
    if (spf_is_boosted(forest))
        add_scores(forest, number, count, leaf, sums);
    else
        add_means(forest, &forest->packed.trees[number], count, leaf, sums);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* The rows of a worker's current block. */
typedef struct {
    size_t begin, count;
    spf_rows values;
} block;

static sporf_status walk_tree(const spf_prediction *p, size_t tree, size_t fetched, const block *b,
                              size_t first, size_t count, uint32_t *leaf) {
    if (p->forest->trusted) {
        spf_walk_rows(&p->forest->packed, tree, fetched, &b->values, first, count, leaf);
        return SPORF_OK;
    }
    for (size_t i = 0; i < count; i++)
        if (!(leaf[i] = spf_walk_checked(p->forest, tree, &b->values, first + i)))
            return raise_damaged();
    return SPORF_OK;
}

static void add_sums(const spf_prediction *p, size_t number, size_t count, const uint32_t *leaf,
                     double *sums) {
    const spf_packed *packed = &p->forest->packed;
    size_t outputs = spf_outputs(p->forest);
    if (p->how.adds == SPF_LEAF_VALUES)
        add_values(p->forest, number, count, leaf, sums);
    else
        for (size_t i = 0; i < count; i++)
            add_shares(packed, &packed->trees[number], leaf[i], sums + i * outputs);
}

/* Evaluates the leaves of rows [first, first + count) of a block. */
static void take_tree(const spf_prediction *p, const spf_prediction_buffers *d, size_t number,
                      const block *b, size_t first, size_t count, const uint32_t *leaf) {
    const spf_packed *packed = &p->forest->packed;
    const spf_packed_tree *tree = &packed->trees[number];
    size_t classes = p->forest->classes, trees = p->forest->trees_count;
    if (d->votes) {
        uint32_t *votes = d->votes + first * classes;
        for (size_t i = 0; i < count; i++)
            votes[i * classes + spf_ref_class(packed, tree, leaf[i])]++;
    }
    if (d->ballots)
        for (size_t i = 0; i < count; i++)
            d->ballots[(first + i) * trees + number] = spf_ref_class(packed, tree, leaf[i]);
    if (d->sums) add_sums(p, number, count, leaf, d->sums + first * spf_outputs(p->forest));
    size_t cell = (b->begin + first) * trees + number;
    if (p->out.tree_classes)
        for (size_t i = 0; i < count; i++)
            p->out.tree_classes[cell + i * trees] = spf_ref_class(packed, tree, leaf[i]);
    if (p->out.leaves)
        for (size_t i = 0; i < count; i++)
            p->out.leaves[cell + i * trees] = spf_ref_leaf(packed, leaf[i]);
    if (p->out.tree_leaves && number == p->out.tree)
        for (size_t i = 0; i < count; i++)
            p->out.tree_leaves[b->begin + first + i] = spf_ref_leaf(packed, leaf[i]);
}

/* With the last piece of the block, the next tree is prefetched. */
static sporf_status walk_rows(const spf_prediction *p, const spf_prediction_buffers *d, size_t tree,
                              const block *b) {
    for (size_t first = 0; first < b->count; first += PIECE_ROWS) {
        size_t left = b->count - first, count = left < PIECE_ROWS ? left : PIECE_ROWS;
        size_t fetched =
            left <= PIECE_ROWS && tree + 1 < p->end ? tree + 1 : p->forest->trees_count;
        SPF_TRY(walk_tree(p, tree, fetched, b, first, count, d->leaf));
        take_tree(p, d, tree, b, first, count, d->leaf);
    }
    return SPORF_OK;
}

static sporf_status walk_row(const spf_prediction *p, const spf_prediction_buffers *d,
                             const block *b, size_t row) {
    spf_rows values = b->values;
    uint32_t leaf[TREES_AT_ONCE];
    values.floats += row * values.stride;
    for (size_t first = 0, count; first < p->forest->trees_count; first += count) {
        count = leaves_of_row(p->forest, &values, first, leaf);
        if (count == 0) return raise_damaged();
        for (size_t t = 0; t < count; t++) take_tree(p, d, first + t, b, row, 1, &leaf[t]);
    }
    return SPORF_OK;
}

/* If there are too few rows for all lanes, each lane takes a tree instead. */
static int takes_few_rows(const spf_prediction *p) {
    return p->rows < FEW_ROWS && p->end - p->first > 1;
}

static sporf_status walk_block(const spf_prediction *p, const spf_prediction_buffers *d,
                               const block *b) {
    if (takes_few_rows(p))
        for (size_t i = 0; i < b->count; i++) SPF_TRY(walk_row(p, d, b, i));
    else
        for (size_t t = p->first; t < p->end; t++) SPF_TRY(walk_rows(p, d, t, b));
    return SPORF_OK;
}

static sporf_status predict_block(void *context, size_t number, unsigned worker) {
    const spf_prediction *p = context;
    spf_prediction_buffers *d = &p->buffers_of[worker];
    size_t classes = p->forest->classes, begin = number * p->block;
    size_t count = p->rows - begin < p->block ? p->rows - begin : p->block;
    block b = {begin, count,
               spf_rows_fill(p->kind, p->columns, p->forest->features, begin, count, d->rows)};
    b.values.mixed = p->mixed;
    if (d->votes) memset(d->votes, 0, count * classes * sizeof *d->votes);
    if (d->sums) spf_outputs_start(p->forest, count, d->sums);
    SPF_TRY(walk_block(p, d, &b));
    spf_prediction_finish(p, d, begin, count);
    return SPORF_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static spf_rows_kind choose_kind(const spf_prediction *p) {
    size_t features = p->forest->features;
    if (takes_few_rows(p)) return SPF_ROWS_FLOATS;
    if (features / WIDE > p->end - p->first) return SPF_ROWS_COLUMNS;
    return spf_rows_look_like_bytes(p->columns, features, p->rows) ? SPF_ROWS_BYTES
                                                                   : SPF_ROWS_FLOATS;
}

static size_t row_bytes(const spf_prediction *p) {
    switch (p->kind) {
    case SPF_ROWS_FLOATS:
        return p->forest->features * sizeof(float);
    case SPF_ROWS_BYTES:
        return p->forest->features;
    default:
        return 0;
    }
}

/* Rows in a block: as many as fit, divided evenly. */
static size_t choose_block(const spf_prediction *p, unsigned threads) {
    size_t results = spf_sorts_ballots(p) ? p->forest->trees_count : spf_outputs(p->forest);
    size_t sums = results * sizeof(double), row = row_bytes(p);
    size_t most = BLOCK_BYTES / (row > sums ? row : sums);
    if (most < FEW_ROWS) most = FEW_ROWS;
    if (most > BLOCK_ROWS) most = BLOCK_ROWS;
    size_t rounds = (p->rows + most * threads - 1) / (most * threads);
    size_t even = (p->rows + rounds * threads - 1) / (rounds * threads);
    return even > FEW_ROWS ? even : FEW_ROWS;
}

static sporf_status create_buffers(const spf_prediction *p, spf_prediction_buffers *d) {
    size_t classes = p->forest->classes;
    d->leaf = spf_alloc(PIECE_ROWS, sizeof *d->leaf);
    if (p->kind != SPF_ROWS_COLUMNS && !(d->rows = spf_alloc(p->block, row_bytes(p))))
        return spf_raise_memory();
    if (spf_counts_votes(p) && !(d->votes = spf_alloc(p->block, classes * sizeof *d->votes)))
        return spf_raise_memory();
    if (spf_sorts_ballots(p) &&
        !(d->ballots = spf_alloc(p->block, p->forest->trees_count * sizeof *d->ballots)))
        return spf_raise_memory();
    if (spf_adds_sums(p) &&
        !(d->sums = spf_alloc(p->block, spf_outputs(p->forest) * sizeof *d->sums)))
        return spf_raise_memory();
    SPF_TRY(spf_prediction_create_row(p, d));
    return d->leaf ? SPORF_OK : spf_raise_memory();
}

static int has_sets(const sporf_forest *forest) {
    return forest->packed.sets.count > 0;
}

static void choose_trees(spf_prediction *p) {
    const spf_predictions *out = &p->out;
    int all = spf_wants_outputs(p) || spf_wants_votes(p) || out->tree_classes || out->leaves;
    p->first = all ? 0 : out->tree;
    p->end = all ? p->forest->trees_count : out->tree + 1;
}

sporf_status spf_predict(const sporf_forest *forest, const spf_values *values, spf_combining how,
                         unsigned threads, const spf_predictions *out) {
    size_t rows = values->rows;
    if (rows == 0) return SPORF_OK;
    unsigned workers = spf_thread_count(threads);
    spf_prediction p = {.forest = forest,
                        .columns = values->columns,
                        .rows = rows,
                        .mixed = values->has_missing || has_sets(forest),
                        .how = how,
                        .out = *out};
    choose_trees(&p);
    p.kind = choose_kind(&p);
    p.block = choose_block(&p, workers);
    size_t blocks = (rows + p.block - 1) / p.block;
    if (workers > blocks) workers = (unsigned)blocks;
    p.buffers_of = spf_alloc_zero(workers, sizeof *p.buffers_of);
    if (!p.buffers_of) return spf_raise_memory();
    sporf_status status = SPORF_OK;
    for (unsigned i = 0; status == SPORF_OK && i < workers; i++)
        status = create_buffers(&p, &p.buffers_of[i]);
    if (status == SPORF_OK) status = spf_parallel(blocks, workers, predict_block, &p);
    for (unsigned i = 0; i < workers; i++) {
        free(p.buffers_of[i].rows);
        free(p.buffers_of[i].leaf);
        free(p.buffers_of[i].votes);
        free(p.buffers_of[i].ballots);
        free(p.buffers_of[i].sums);
        free(p.buffers_of[i].row);
    }
    free(p.buffers_of);
    return status;
}

/* ---- one row --------------------------------------------------------------------------------- */

static int has_missing(const float *row, size_t features) {
    int has_missing = 0;
    for (size_t i = 0; i < features; i++) has_missing |= isnan(row[i]);
    return has_missing;
}

static spf_rows one_row(const sporf_forest *forest, const float *row) {
    return (spf_rows){.kind = SPF_ROWS_FLOATS,
                      .features = forest->features,
                      .floats = row,
                      .mixed = has_sets(forest) || has_missing(row, forest->features)};
}

/* Adds the outputs of a row's leaves in `count` trees from `first` on. */
static void add_trees(const sporf_forest *forest, spf_leaf_adds adds, size_t first, size_t count,
                      const uint32_t *leaf, double *sums) {
    const spf_packed *packed = &forest->packed;
    const spf_packed_tree *tree = packed->trees + first;
    switch (adds) {
    case SPF_LEAF_VOTE:
        for (size_t i = 0; i < count; i++) sums[spf_ref_class(packed, &tree[i], leaf[i])] += 1;
        break;
    case SPF_LEAF_SHARES:
        for (size_t i = 0; i < count; i++) add_shares(packed, &tree[i], leaf[i], sums);
        break;
    case SPF_LEAF_VALUES:
        for (size_t i = 0; i < count; i++) add_values(forest, first + i, 1, &leaf[i], sums);
        break;
    }
}

int spf_predict_row(const sporf_forest *forest, const float *row, spf_combining how,
                    double *outputs) {
    spf_rows one = one_row(forest, row);
    uint32_t leaf[TREES_AT_ONCE];
    spf_outputs_start(forest, 1, outputs);
    for (size_t first = 0, count; first < forest->trees_count; first += count) {
        count = leaves_of_row(forest, &one, first, leaf);
        if (count == 0) return 0;
        add_trees(forest, how.adds, first, count, leaf, outputs);
    }
    spf_outputs_finish(forest, &how, 1, outputs);
    return 1;
}
