/* Trees are taken one after the other, and rows are divided among threads: what is added to the
 * values of a row comes in the order of trees, then of background rows. */
#include "predict/explain.h"

#include "base/parallel.h"
#include "base/rng.h"
#include "model/unpack.h"
#include "predict/shapley_walks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a thread has of its own. */
typedef struct {
    spf_shapley game;
    spf_shapley_walks walks;
    size_t estimated; /* games whose budget did not suffice */
} worker_state;

typedef struct {
    const spf_explaining *request;
    size_t outputs, chunk;
    double scale;  /* of a tree's values */
    size_t number; /* of the current tree */
    spf_shapley_tree tree;
    uint32_t *line;  /* [projections of the tree] */
    uint32_t *place; /* [players of the tree] */
    size_t line_capacity, place_capacity;
    worker_state *workers;
} explaining;

size_t spf_explained_outputs(const sporf_forest *forest) {
    return spf_is_boosted(forest) ? forest->boosting.outputs : spf_outputs(forest);
}

/* ---- one row in one tree --------------------------------------------------------------------- */

/* Adds values, or variances, to those of the row. */
static void add(const explaining *e, size_t row, double scale, const double *from, double *to) {
    const spf_shapley_tree *tree = &e->tree;
    size_t width = tree->is_single ? 1 : e->outputs;
    uint32_t first = tree->is_single ? tree->entry_output[0] : 0;
    for (uint32_t p = 0; p < tree->players_count; p++) {
        double *own = to + (row * e->request->places + e->place[p]) * e->outputs + first;
        for (size_t k = 0; k < width; k++) own[k] += scale * from[p * width + k];
    }
}

static sporf_status explain_row(const explaining *e, worker_state *w, size_t row, size_t first) {
    const spf_explaining *r = e->request;
    spf_shapley *game = &w->game;
    spf_shapley_take_row(game, r->rows.columns, row);
    if (!spf_shapley_exact(game, r->budget)) {
        uint64_t stream = (r->first_row + row) * r->background.rows + first;
        SPF_TRY(spf_shapley_sample(game, &w->walks, r->pairs,
                                   spf_tree_key(r->seed, (uint32_t)e->number), stream));
        w->estimated++;
        if (r->errors) add(e, row, e->scale * e->scale, w->walks.variance, r->errors);
    }
    add(e, row, e->scale, game->values, r->values);
    return SPORF_OK;
}

static sporf_status check_interrupt(const sporf_hooks *hooks) {
    if (!hooks->interrupt || !hooks->interrupt(hooks->payload)) return SPORF_OK;
    return spf_raise(SPORF_ERROR_CANCELLED, "interrupted before all rows were explained");
}

/* Background rows of a block: as many as fit, divided evenly. */
static size_t block_rows(size_t rows) {
    size_t blocks = (rows + SPF_SHAPLEY_BLOCK - 1) / SPF_SHAPLEY_BLOCK;
    return (rows + blocks - 1) / blocks;
}

static sporf_status explain_chunk(void *context, size_t item, unsigned worker) {
    const explaining *e = context;
    const spf_explaining *r = e->request;
    worker_state *w = &e->workers[worker];
    size_t begin = item * e->chunk, end = begin + e->chunk;
    size_t others = r->background.rows, block = block_rows(others);
    if (end > r->rows.rows) end = r->rows.rows;
    SPF_TRY(spf_shapley_take_tree(&w->game, &e->tree, e->outputs));
    for (size_t first = 0; first < others; first += block) {
        size_t count = others - first < block ? others - first : block;
        spf_shapley_take_block(&w->game, r->background.columns, first, count);
        for (size_t row = begin; row < end; row++) {
            SPF_TRY(check_interrupt(r->hooks));
            SPF_TRY(explain_row(e, w, row, first));
        }
    }
    return SPORF_OK;
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* Players of lines without a place of their own share the last one. */
static sporf_status find_places(explaining *e) {
    uint32_t players = e->tree.players_count, last = (uint32_t)e->request->places - 1;
    SPF_TRY(SPF_RESERVE(e->place, e->place_capacity, players));
    for (uint32_t p = 0; p < players; p++)
        e->place[p] = e->tree.identity[p] < last ? e->tree.identity[p] : last;
    return SPORF_OK;
}

static sporf_status open_tree(explaining *e, const spf_tree *plain) {
    const spf_explaining *r = e->request;
    const spf_line_finder *finder = r->projections;
    spf_tree_lines lines = {NULL, 0};
    if (finder) {
        SPF_TRY(SPF_RESERVE(e->line, e->line_capacity, plain->projections_count));
        SPF_TRY(finder->find(finder->context, plain, e->line, &lines.count));
        lines.line = e->line;
    }
    SPF_TRY(spf_shapley_tree_open(r->forest, e->number, plain, r->adds, &lines, &e->tree));
    return find_places(e);
}

static sporf_status explain_tree(explaining *e, size_t number, unsigned workers) {
    const spf_explaining *r = e->request;
    spf_tree plain;
    SPF_TRY(spf_unpack_tree(r->forest, number, &plain));
    e->number = number;
    sporf_status status = open_tree(e, &plain);
    if (status == SPORF_OK && e->tree.players_count > 0)
        status = spf_parallel((r->rows.rows + e->chunk - 1) / e->chunk, workers, explain_chunk, e);
    spf_shapley_tree_free(&e->tree);
    spf_tree_free(&plain);
    if (status == SPORF_OK && r->hooks->progress)
        r->hooks->progress(r->hooks->payload, number + 1, r->forest->trees_count);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Of two classes, the first is the mirror image of the second. */
static void mirror(const spf_explaining *r, double *values, double sign) {
    if (spf_is_boosted(r->forest) || spf_outputs(r->forest) != 2 || spf_is_regression(r->forest))
        return;
    for (size_t i = 0; i < r->rows.rows * r->places; i++) values[2 * i] = sign * values[2 * i + 1];
}

static void finish_errors(const spf_explaining *r, size_t outputs) {
    mirror(r, r->errors, 1);
    for (size_t i = 0; i < r->rows.rows * r->places * outputs; i++)
        r->errors[i] = sqrt(r->errors[i]);
}

static double scale_of(const spf_explaining *r) {
    size_t trees = spf_is_boosted(r->forest) ? r->forest->boosting.bags : r->forest->trees_count;
    return 1 / ((double)trees * (double)r->background.rows);
}

sporf_status spf_explain(const spf_explaining *request, double *estimated) {
    size_t rows = request->rows.rows, trees = request->forest->trees_count;
    unsigned workers = spf_thread_count(request->threads);
    explaining e = {.request = request,
                    .outputs = spf_explained_outputs(request->forest),
                    .scale = scale_of(request)};
    *estimated = 0;
    if (rows == 0) return SPORF_OK;
    if (workers > rows) workers = (unsigned)rows;
    e.chunk = (rows + workers - 1) / workers;
    size_t bytes = rows * request->places * e.outputs * sizeof *request->values;
    memset(request->values, 0, bytes);
    if (request->errors) memset(request->errors, 0, bytes);
    e.workers = spf_alloc_zero(workers, sizeof *e.workers);
    sporf_status status = e.workers ? SPORF_OK : spf_raise_memory();
    for (size_t t = 0; status == SPORF_OK && t < trees; t++) status = explain_tree(&e, t, workers);
    size_t games = 0,
           blocks = (request->background.rows + SPF_SHAPLEY_BLOCK - 1) / SPF_SHAPLEY_BLOCK;
    for (unsigned i = 0; e.workers && i < workers; i++) {
        games += e.workers[i].estimated;
        spf_shapley_free(&e.workers[i].game);
        spf_shapley_walks_free(&e.workers[i].walks);
    }
    free(e.workers);
    free(e.line);
    free(e.place);
    *estimated = (double)games / ((double)rows * (double)trees * (double)blocks);
    if (status != SPORF_OK) return status;
    mirror(request, request->values, -1);
    if (request->errors) finish_errors(request, e.outputs);
    return SPORF_OK;
}
