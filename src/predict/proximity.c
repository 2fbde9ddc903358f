/* Proximities from lists: for each tree, the reference rows sorted by leaf. A row's neighbours are
 * found by counting over the lists of its own leaves. */
#include "predict/proximity.h"

#include "base/parallel.h"
#include "predict/predict.h"

#include <stdlib.h>
#include <string.h>

static sporf_status find_leaves(const sporf_forest *forest, const spf_values *table,
                                unsigned threads, uint32_t **leaves) {
    *leaves = spf_alloc(table->rows, forest->trees_count * sizeof **leaves);
    if (!*leaves) return spf_raise_memory();
    return spf_predict(forest, table, (spf_combining){0}, threads,
                       &(spf_predictions){.leaves = *leaves});
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static double share_of_equal(const uint32_t *a, const uint32_t *b, size_t trees) {
    size_t equal = 0;
    for (size_t t = 0; t < trees; t++) equal += a[t] == b[t];
    return (double)equal / (double)trees;
}

sporf_status spf_proximities(const sporf_forest *forest, const spf_values *first,
                             const spf_values *second, unsigned threads, size_t pairs,
                             const uint32_t *first_rows, const uint32_t *second_rows,
                             double *proximities) {
    size_t trees = forest->trees_count;
    uint32_t *a = NULL, *b = NULL;
    sporf_status status = find_leaves(forest, first, threads, &a);
    if (status == SPORF_OK) status = find_leaves(forest, second, threads, &b);
    for (size_t i = 0; status == SPORF_OK && i < pairs; i++)
        proximities[i] =
            share_of_equal(a + first_rows[i] * trees, b + second_rows[i] * trees, trees);
    free(a);
    free(b);
    return status;
}

/* ---- nearest rows ---------------------------------------------------------------------------- */

/* The start of each leaf's rows in the tree's list, for all trees. */
typedef struct {
    size_t *tree_start; /* [trees] into start */
    uint32_t *start;    /* [leaves + 1 of each tree] into the tree's list */
    uint32_t *list;     /* [trees x rows] */
} lists;

/* Buffers of one thread. */
typedef struct {
    uint32_t *shared; /* [reference rows]: trees in which they share the leaf of the current row */
    uint32_t *met;    /* [reference rows]: those that share any */
} counter;

typedef struct {
    const sporf_forest *forest;
    const uint32_t *leaves; /* data rows x trees */
    size_t reference_rows, count;
    lists lists;
    counter *counters; /* [workers] */
    uint32_t *rows;
    double *proximities;
} search;

static sporf_status allocate_lists(const sporf_forest *forest, size_t rows, lists *l) {
    l->tree_start = spf_alloc(forest->trees_count, sizeof *l->tree_start);
    l->start = spf_alloc_zero(forest->packed.leaves_count + forest->trees_count, sizeof *l->start);
    l->list = spf_alloc(rows, forest->trees_count * sizeof *l->list);
    return l->tree_start && l->start && l->list ? SPORF_OK : spf_raise_memory();
}

/* Rows by leaf, ascending within each. */
static void list_tree(const uint32_t *leaves, size_t trees, size_t tree, size_t rows,
                      uint32_t leaf_count, uint32_t *start, uint32_t *list) {
    for (size_t i = 0; i < rows; i++) start[leaves[i * trees + tree]]++;
    for (uint32_t k = 1; k <= leaf_count; k++) start[k] += start[k - 1];
    for (size_t i = rows; i-- > 0;) list[--start[leaves[i * trees + tree]]] = (uint32_t)i;
}

static sporf_status make_lists(search *s, const spf_values *reference, unsigned threads) {
    const sporf_forest *forest = s->forest;
    uint32_t *leaves = NULL;
    sporf_status status = find_leaves(forest, reference, threads, &leaves);
    if (status == SPORF_OK) status = allocate_lists(forest, reference->rows, &s->lists);
    size_t next = 0;
    for (size_t t = 0; status == SPORF_OK && t < forest->trees_count; t++) {
        uint32_t leaf_count = forest->packed.trees[t].leaves;
        s->lists.tree_start[t] = next;
        list_tree(leaves, forest->trees_count, t, reference->rows, leaf_count,
                  s->lists.start + next, s->lists.list + t * reference->rows);
        next += (size_t)leaf_count + 1;
    }
    free(leaves);
    return status;
}

/* Counts the trees that each reference row shares with a row; returns how many rows share any. */
static size_t count_shared(const search *s, size_t row, counter *c) {
    size_t trees = s->forest->trees_count, met = 0;
    for (size_t t = 0; t < trees; t++) {
        const uint32_t *start =
            s->lists.start + s->lists.tree_start[t] + s->leaves[row * trees + t];
        const uint32_t *list = s->lists.list + t * s->reference_rows;
        for (uint32_t i = start[0]; i < start[1]; i++) {
            c->met[met] = list[i];
            met += c->shared[list[i]]++ == 0;
        }
    }
    return met;
}

/* Whether a reference row is nearer than another: more trees, or the lower number. */
static int is_nearer(const counter *c, uint32_t a, uint32_t b) {
    return c->shared[a] != c->shared[b] ? c->shared[a] > c->shared[b] : a < b;
}

/* A heap of the nearest rows, the farthest of them at its top. */
static void sink(const counter *c, uint32_t *heap, size_t size, size_t at) {
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= size) return;
        if (child + 1 < size && is_nearer(c, heap[child], heap[child + 1])) child++;
        if (!is_nearer(c, heap[at], heap[child])) return;
        uint32_t kept = heap[at];
        heap[at] = heap[child];
        heap[child] = kept;
        at = child;
    }
}

static void choose(const counter *c, size_t met, uint32_t *heap, size_t count) {
    for (size_t i = 0; i < count; i++) heap[i] = c->met[i];
    for (size_t i = count / 2; i-- > 0;) sink(c, heap, count, i);
    for (size_t i = count; i < met; i++)
        if (is_nearer(c, c->met[i], heap[0])) {
            heap[0] = c->met[i];
            sink(c, heap, count, 0);
        }
    for (size_t i = count; i-- > 1;) {
        uint32_t farthest = heap[0];
        heap[0] = heap[i];
        heap[i] = farthest;
        sink(c, heap, i, 0);
    }
}

/* Rows that share no leaf are equally far: those with the lowest numbers fill up the list. */
static void fill_up(const search *s, const counter *c, uint32_t *rows, size_t have) {
    for (uint32_t i = 0; have < s->count && i < s->reference_rows; i++)
        if (c->shared[i] == 0) rows[have++] = i;
}

static sporf_status search_row(void *context, size_t row, unsigned worker) {
    const search *s = context;
    counter *c = &s->counters[worker];
    uint32_t *rows = s->rows + row * s->count;
    size_t met = count_shared(s, row, c), have = met < s->count ? met : s->count;
    choose(c, met, rows, have);
    fill_up(s, c, rows, have);
    for (size_t i = 0; i < s->count; i++)
        s->proximities[row * s->count + i] =
            (double)c->shared[rows[i]] / (double)s->forest->trees_count;
    for (size_t i = 0; i < met; i++) c->shared[c->met[i]] = 0;
    return SPORF_OK;
}

static sporf_status search_all(search *s, size_t rows, unsigned workers) {
    s->counters = spf_alloc_zero(workers, sizeof *s->counters);
    if (!s->counters) return spf_raise_memory();
    for (unsigned i = 0; i < workers; i++) {
        counter *c = &s->counters[i];
        c->shared = spf_alloc_zero(s->reference_rows, sizeof *c->shared);
        c->met = spf_alloc(s->reference_rows + 1, sizeof *c->met);
        if (!c->shared || !c->met) return spf_raise_memory();
    }
    return spf_parallel(rows, workers, search_row, s);
}

sporf_status spf_nearest(const sporf_forest *forest, const spf_values *reference,
                         const spf_values *data, unsigned threads, size_t count, uint32_t *rows,
                         double *proximities) {
    unsigned workers = spf_thread_count(threads);
    if (workers > data->rows) workers = data->rows ? (unsigned)data->rows : 1;
    uint32_t *leaves = NULL;
    search s = {.forest = forest,
                .reference_rows = reference->rows,
                .count = count,
                .rows = rows,
                .proximities = proximities};
    sporf_status status = make_lists(&s, reference, threads);
    if (status == SPORF_OK) status = find_leaves(forest, data, threads, &leaves);
    s.leaves = leaves;
    if (status == SPORF_OK) status = search_all(&s, data->rows, workers);
    for (unsigned i = 0; s.counters && i < workers; i++) {
        free(s.counters[i].shared);
        free(s.counters[i].met);
    }
    free(s.counters);
    free(s.lists.tree_start);
    free(s.lists.start);
    free(s.lists.list);
    free(leaves);
    return status;
}
