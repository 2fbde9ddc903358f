/* Each sum becomes a row, or several if its weight does not fit beside its class. */
#include "learn/apart/level_search.h"

#include "learn/apart/heard.h"
#include "learn/growing/best_split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

sporf_status spf_level_sums_hear(spf_level_sums *s, spf_reader *r) {
    uint32_t count;
    SPF_TRY(spf_read_number(r, &count));
    if (count > r->left / sizeof *s->sums) return spf_raise_message();
    SPF_TRY(SPF_RESERVE(s->sums, s->capacity, s->count + count));
    SPF_TRY(spf_read(r, s->sums + s->count, count * sizeof *s->sums));
    s->count += count;
    s->is_heard = 1;
    return SPORF_OK;
}

/* ---- what was heard -------------------------------------------------------------------------- */

/* How many rows a sum becomes; its weight is not 0. */
static uint32_t rows_of(const spf_level_sum *sum, unsigned weight_bits) {
    return (uint32_t)((sum->weight - 1) / ((UINT64_C(1) << weight_bits) - 1)) + 1;
}

/* Adds a sum to those of the node; returns 0 if it is impossible. Each of its rows was drawn. */
static int add(const spf_split_node *node, const spf_level_sum *sum, size_t levels,
               uint64_t *totals) {
    int is_pair = spf_split_is_pair(node);
    if ((sum->level >= levels && sum->level != SPF_NOT_SEEN) || sum->weight == 0 ||
        (!is_pair && sum->part >= node->classes) ||
        (node->least_draws > 0 && sum->draws < rows_of(sum, spf_bits_beside(node))))
        return 0;
    totals[is_pair ? 0 : sum->part] += sum->weight;
    if (is_pair) totals[1] += sum->part;
    return 1;
}

/* All sums together are the node, and stand for no more rows than it has. */
static sporf_status check(const spf_level_sums *s, const spf_split_node *node, size_t levels) {
    uint64_t *totals = spf_alloc_zero(node->classes, sizeof *totals), draws = 0, rows = 0;
    if (!totals) return spf_raise_memory();
    int good = 1;
    for (size_t i = 0; good && i < s->count; i++) {
        good = add(node, &s->sums[i], levels, totals);
        draws += s->sums[i].draws;
        if (good) rows += rows_of(&s->sums[i], spf_bits_beside(node));
    }
    good &= rows <= node->rows;
    for (size_t k = 0; k < node->classes; k++)
        good &=
            totals[k] == (spf_split_is_pair(node) && k == 0 ? node->total : node->class_total[k]);
    if (node->least_draws > 0) good &= draws == node->drawn;
    free(totals);
    return good ? SPORF_OK : spf_raise_message();
}

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct {
    size_t count;
    float *level;
    uint32_t *row, *tag, *draws;
    uint64_t *pair;
    const float **columns; /* [features] */
    unsigned weight_bits;
    spf_table table;
    spf_split_search search;
} level_rows;

static void free_rows(level_rows *rows) {
    free(rows->level);
    free(rows->row);
    free(rows->tag);
    free(rows->draws);
    free(rows->pair);
    free(rows->columns);
}

static sporf_status make_room(const spf_level_sums *s, size_t features, level_rows *rows) {
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) count += rows_of(&s->sums[i], rows->weight_bits);
    rows->level = spf_alloc(count, sizeof *rows->level);
    rows->row = spf_alloc(count, sizeof *rows->row);
    rows->tag = spf_alloc(count, sizeof *rows->tag);
    rows->draws = spf_alloc(count, sizeof *rows->draws);
    rows->pair = spf_alloc(count, sizeof *rows->pair);
    rows->columns = spf_alloc_zero(features, sizeof *rows->columns);
    return rows->level && rows->row && rows->tag && rows->draws && rows->pair && rows->columns
               ? SPORF_OK
               : spf_raise_memory();
}

static void add_row(level_rows *rows, const spf_level_sum *sum, uint32_t weight, uint32_t draws) {
    size_t i = rows->count++;
    rows->row[i] = (uint32_t)i;
    rows->level[i] = sum->level == SPF_NOT_SEEN ? NAN : (float)sum->level;
    rows->tag[i] = sum->part << rows->weight_bits | weight;
    rows->draws[i] = draws;
}

static void add_tags(level_rows *rows, const spf_level_sum *sum) {
    const uint32_t most = (uint32_t)((UINT64_C(1) << rows->weight_bits) - 1);
    uint32_t draws = sum->draws - (sum->weight - 1) / most;
    for (uint32_t left = sum->weight; left > 0; draws = 1) {
        uint32_t weight = left < most ? left : most;
        add_row(rows, sum, weight, draws);
        left -= weight;
    }
}

static void add_pair(level_rows *rows, const spf_level_sum *sum) {
    rows->pair[rows->count] = (uint64_t)sum->part << 32 | sum->weight;
    add_row(rows, sum, 0, sum->draws);
}

static sporf_status make_rows(const spf_level_sums *s, const spf_split_node *node, spf_workspace *w,
                              size_t candidate, level_rows *rows) {
    const sporf_dataset *data = w->plan->data;
    uint32_t feature = w->candidates.feature[w->candidates.start[candidate]];
    *rows = (level_rows){.weight_bits = spf_bits_beside(node)};
    SPF_TRY(check(s, node, spf_schema_levels(&data->schema, feature)));
    SPF_TRY(make_room(s, data->features, rows));
    for (size_t i = 0; i < s->count; i++)
        (spf_split_is_pair(node) ? add_pair : add_tags)(rows, &s->sums[i]);
    rows->columns[feature] = rows->level;
    rows->table = (spf_table){
        .rows = rows->count, .features = data->features, .stride = 1, .columns = rows->columns};
    rows->search =
        (spf_split_search){.plan = w->plan,
                           .rows = {.table = &rows->table, .row = rows->row, .count = rows->count},
                           .node = *node,
                           .candidates = &w->candidates,
                           .owner = &w->searcher};
    spf_split_node *sums = &rows->search.node;
    sums->rows = rows->count;
    sums->stands_for = node->rows;
    sums->tag = rows->tag;
    sums->weight_bits = rows->weight_bits;
    sums->pair = spf_split_is_pair(node) ? rows->pair : NULL;
    sums->numeric = spf_split_is_pair(node); /* pairs are there already */
    sums->draws = node->least_draws > 0 ? rows->draws : NULL;
    return SPORF_OK;
}

/* ---- the search ------------------------------------------------------------------------------ */

sporf_status spf_level_search(const spf_level_sums *s, const spf_split_node *node, spf_workspace *w,
                              size_t candidate, spf_split *best) {
    level_rows rows;
    sporf_status status = make_rows(s, node, w, candidate, &rows);
    if (status == SPORF_OK && rows.count > 0)
        status = spf_search_candidate(&rows.search, candidate, best);
    free_rows(&rows);
    return status;
}

static void add_left(const level_rows *rows, const float *value, float threshold, uint32_t *left) {
    const spf_split_node *node = &rows->search.node;
    memset(left, 0, node->classes * sizeof *left);
    for (size_t i = 0; i < rows->count; i++) {
        if (!(value[i] <= threshold)) continue;
        if (spf_split_is_pair(node)) {
            left[0] += (uint32_t)rows->pair[i];
            left[1] += (uint32_t)(rows->pair[i] >> 32);
        } else {
            left[spf_tag_class(node, i)] += spf_tag_weight(node, i);
        }
    }
}

sporf_status spf_level_take(const spf_level_sums *s, const spf_split_node *node, spf_workspace *w,
                            size_t winner, spf_split *best, uint32_t *left) {
    level_rows rows;
    sporf_status status = make_rows(s, node, w, winner, &rows);
    if (status == SPORF_OK) status = spf_take_winner(&rows.search, winner, best);
    if (status == SPORF_OK) add_left(&rows, w->searcher.winner, best->threshold, left);
    free_rows(&rows);
    return status;
}
