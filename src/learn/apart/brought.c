/* Rows become a table, the table a branch. */
#include "learn/apart/brought.h"

#include "learn/apart/asks.h"
#include "learn/growing/branch.h"
#include "learn/growing/layout.h"
#include "learn/settings/start_plan.h"
#include "model/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void spf_brought_free(spf_brought *branch) {
    spf_builder_free(&branch->builder);
    free(branch->oob_row);
    free(branch->oob_leaf);
    free(branch->samples.row);
    free(branch->samples.units);
    free(branch->samples.leaf);
    *branch = (spf_brought){0};
}

/* ---- the table ------------------------------------------------------------------------------- */

typedef struct {
    spf_rows_head head;    /* of all shards */
    uint32_t *bag, *oob;   /* row numbers in the data */
    uint32_t *weight;      /* of the rows of the bag */
    uint32_t *draws;       /* of these, if weights are relative; otherwise NULL */
    uint32_t *labels;      /* of these, in classification */
    float *targets;        /* of these, in regression */
    float *values;         /* column by column; in each first the rows of the bag */
    const float **columns; /* [features] */
} brought_rows;

static void free_rows(brought_rows *rows) {
    free(rows->bag);
    free(rows->oob);
    free(rows->weight);
    free(rows->draws);
    free(rows->labels);
    free(rows->targets);
    free(rows->values);
    free(rows->columns);
}

static size_t all_rows(const brought_rows *rows) {
    return rows->head.bag_count + (size_t)rows->head.oob_count;
}

/* How many rows an answer has, and that its values are there. */
static sporf_status read_head(const spf_frame *frame, spf_reader *answer, spf_rows_head *head) {
    SPF_TRY(spf_read(answer, head, sizeof *head));
    size_t rows = head->bag_count + (size_t)head->oob_count;
    size_t numbers = head->bag_count * (size_t)(frame->usual.weights->relative ? 2 : 1);
    size_t words = rows * (frame->data->features + 1) + numbers;
    return answer->left == words * sizeof(float) ? SPORF_OK : spf_raise_message();
}

/* Shards agree about the tree. */
static sporf_status add_head(const spf_rows_head *some, int is_first, spf_rows_head *all) {
    if (!is_first &&
        (some->weight_bits != all->weight_bits || some->least_units != all->least_units))
        return spf_raise_message();
    all->weight_bits = some->weight_bits;
    all->least_units = some->least_units;
    if (__builtin_add_overflow(all->bag_count, some->bag_count, &all->bag_count) ||
        __builtin_add_overflow(all->oob_count, some->oob_count, &all->oob_count))
        return spf_raise_message();
    return SPORF_OK;
}

static sporf_status make_room(const spf_frame *frame, brought_rows *rows) {
    size_t features = frame->data->features, count = all_rows(rows), cells;
    uint32_t bag_count = rows->head.bag_count;
    int relative = frame->usual.weights->relative;
    rows->bag = spf_alloc(bag_count, sizeof *rows->bag);
    rows->oob = spf_alloc(rows->head.oob_count, sizeof *rows->oob);
    rows->weight = spf_alloc(bag_count, sizeof *rows->weight);
    rows->draws = relative ? spf_alloc(bag_count, sizeof *rows->draws) : NULL;
    rows->labels = spf_alloc(bag_count, sizeof *rows->labels);
    rows->targets = spf_alloc(bag_count, sizeof *rows->targets);
    rows->columns = spf_alloc(features, sizeof *rows->columns);
    if (!__builtin_mul_overflow(count, features * sizeof *rows->values, &cells))
        rows->values = spf_alloc_large(cells);
    if (!rows->bag || !rows->oob || !rows->weight || (relative && !rows->draws) || !rows->labels ||
        !rows->targets || !rows->columns || !rows->values)
        return spf_raise_memory();
    for (size_t j = 0; j < features; j++) rows->columns[j] = rows->values + j * count;
    return SPORF_OK;
}

/* Copies one shard's rows behind those of the shards before. */
static sporf_status put_rows(brought_rows *rows, size_t features, const spf_rows_head *head,
                             spf_reader *answer, uint32_t place[2]) {
    const size_t word = sizeof(uint32_t);
    uint32_t in = head->bag_count, out = head->oob_count;
    SPF_TRY(spf_read(answer, rows->bag + place[0], in * word));
    SPF_TRY(spf_read(answer, rows->oob + place[1], out * word));
    SPF_TRY(spf_read(answer, rows->weight + place[0], in * word));
    if (rows->draws) SPF_TRY(spf_read(answer, rows->draws + place[0], in * word));
    for (size_t j = 0; j < features; j++) {
        float *column = rows->values + j * all_rows(rows);
        SPF_TRY(spf_read(answer, column + place[0], in * sizeof *column));
        SPF_TRY(spf_read(answer, column + rows->head.bag_count + place[1], out * sizeof *column));
    }
    place[0] += in;
    place[1] += out;
    return SPORF_OK;
}

static sporf_status bring_rows(const spf_frame *frame, spf_reader *answers, size_t count,
                               brought_rows *rows) {
    spf_rows_head *heads = spf_alloc(count, sizeof *heads);
    uint32_t place[2] = {0};
    sporf_status status = heads ? SPORF_OK : spf_raise_memory();
    for (size_t i = 0; status == SPORF_OK && i < count; i++) {
        status = read_head(frame, &answers[i], &heads[i]);
        if (status == SPORF_OK) status = add_head(&heads[i], i == 0, &rows->head);
    }
    if (status == SPORF_OK) status = make_room(frame, rows);
    for (size_t i = 0; status == SPORF_OK && i < count; i++)
        status = put_rows(rows, frame->data->features, &heads[i], &answers[i], place);
    free(heads);
    return status;
}

/* ---- what other machines sent ---------------------------------------------------------------- */

/* Rows come in their order, each once. */
static sporf_status check_rows(const uint32_t *row, uint32_t count, size_t rows) {
    for (uint32_t i = 0; i < count; i++)
        if (row[i] >= rows || (i > 0 && row[i] <= row[i - 1])) return spf_raise_message();
    return SPORF_OK;
}

/* Weights have the bits that are said, and their sum those of a bag. */
static sporf_status check_weights(const brought_rows *rows) {
    uint64_t total = 0;
    uint32_t bits = rows->head.weight_bits;
    if (bits == 0 || bits > 31) return spf_raise_message();
    for (uint32_t i = 0; i < rows->head.bag_count; i++) {
        if (rows->weight[i] == 0 || rows->weight[i] >> bits > 0 ||
            (rows->draws && rows->draws[i] == 0))
            return spf_raise_message();
        total += rows->weight[i];
    }
    return total <= INT32_MAX ? SPORF_OK : spf_raise_message();
}

static sporf_status check_brought(const spf_frame *frame, const brought_rows *rows) {
    if (rows->head.bag_count == 0) return spf_raise_message();
    SPF_TRY(check_rows(rows->bag, rows->head.bag_count, frame->data->rows));
    SPF_TRY(check_rows(rows->oob, rows->head.oob_count, frame->data->rows));
    SPF_TRY(check_weights(rows));
    for (size_t j = 0; j < frame->data->features; j++)
        SPF_TRY(spf_frame_check_values(frame, j, rows->columns[j], all_rows(rows)));
    return SPORF_OK;
}

/* ---- the branch ------------------------------------------------------------------------------ */

/* Rows were partitioned in place: they are in leaf order, and `row` holds their leaf numbers. */
static sporf_status keep_samples(const spf_tree_rows *s, const brought_rows *rows,
                                 spf_leaf_samples *samples) {
    *samples = (spf_leaf_samples){.count = s->bag_count,
                                  .row = spf_alloc(s->bag_count, sizeof *samples->row),
                                  .units = spf_alloc(s->bag_count, sizeof *samples->units),
                                  .leaf = spf_alloc(s->bag_count, sizeof *samples->leaf)};
    if (!samples->row || !samples->units || !samples->leaf) return spf_raise_memory();
    for (uint32_t i = 0; i < s->bag_count; i++) {
        samples->row[i] = rows->bag[s->tag[i]];
        samples->units[i] = spf_bag_weight(s, i);
        samples->leaf[i] = s->row[i];
    }
    return SPORF_OK;
}

static sporf_status grow(spf_workspace *w, spf_tree_rows *s, const spf_brought_node *node,
                         const brought_rows *rows, spf_brought *branch) {
    spf_waiting root = spf_tree_rows_root(s);
    root.key = node->key;
    root.depth = node->depth;
    SPF_TRY(spf_tree_rows_join(s, w));
    SPF_TRY(spf_branch_grow(w, s, root, &branch->builder));
    if (s->plan->outcome.samples) SPF_TRY(keep_samples(s, rows, &branch->samples));
    branch->oob_count = s->oob_count;
    branch->oob_row = s->oob_row;
    branch->oob_leaf = s->oob_place;
    s->oob_row = s->oob_place = NULL;
    return SPORF_OK;
}

static sporf_status grow_rows(const spf_frame *frame, const spf_brought_node *node,
                              const brought_rows *rows, spf_brought *branch) {
    const spf_rows_head *head = &rows->head;
    spf_plan plan = frame->plan;
    spf_workspace w = {0};
    spf_tree_rows *s = NULL;
    spf_row_list list = {rows->weight,    rows->draws,       rows->oob,        head->bag_count,
                         head->oob_count, head->weight_bits, head->least_units};
    plan.table.rows = all_rows(rows);
    plan.table.stride = 1;
    plan.table.columns = rows->columns;
    if (plan.outcome.labels) plan.outcome.labels = rows->labels;
    if (plan.outcome.values) plan.outcome.values = rows->targets;
    spf_layout_choose(&plan, spf_terms_of_node(&frame->settings), 1, 1, 0);
    branch->builder.features = frame->data->features;
    sporf_status status = spf_workspace_create(&plan, &w);
    if (status == SPORF_OK) status = spf_tree_rows_listed(&plan, node->tree, &list, &s);
    if (status == SPORF_OK) status = grow(&w, s, node, rows, branch);
    spf_tree_rows_free(s);
    spf_workspace_free(&w);
    return status;
}

static void look_up_outcomes(const sporf_dataset *data, brought_rows *rows) {
    for (uint32_t i = 0; i < rows->head.bag_count; i++) {
        if (data->targets > 0)
            rows->targets[i] = data->target_storage[rows->bag[i]];
        else
            rows->labels[i] = data->labels[rows->bag[i]];
    }
}

sporf_status spf_brought_grow(const spf_frame *frame, const spf_brought_node *node,
                              spf_reader *answers, size_t count, spf_brought *branch) {
    brought_rows rows = {0};
    *branch = (spf_brought){0};
    sporf_status status = bring_rows(frame, answers, count, &rows);
    if (status == SPORF_OK) status = check_brought(frame, &rows);
    if (status == SPORF_OK) look_up_outcomes(frame->data, &rows);
    if (status == SPORF_OK) status = grow_rows(frame, node, &rows, branch);
    free_rows(&rows);
    if (status != SPORF_OK) spf_brought_free(branch);
    return status;
}

/* ---- messages -------------------------------------------------------------------------------- */

typedef struct {
    uint64_t nodes, projections, terms, leaves, entries, values, sets, words, oob, samples;
} branch_sizes;

sporf_status spf_brought_write(const spf_brought_node *node, const spf_brought *branch,
                               spf_writer *w) {
    const spf_builder *b = &branch->builder;
    const spf_leaf_samples *samples = &branch->samples;
    branch_sizes size = {b->nodes_count,  b->projections_count, b->terms_count,
                         b->leaves_count, b->entries_count,     b->values_count,
                         b->sets.count,   b->sets.words_count,  branch->oob_count,
                         samples->count};
    const size_t word = sizeof(uint32_t);
    SPF_TRY(spf_write(w, node, sizeof *node));
    SPF_TRY(spf_write(w, &size, sizeof size));
    SPF_TRY(spf_write(w, b->nodes, size.nodes * sizeof *b->nodes));
    if (size.projections > 0)
        SPF_TRY(spf_write(w, b->projection_start, (size.projections + 1) * word));
    SPF_TRY(spf_write(w, b->term_feature, size.terms * word));
    SPF_TRY(spf_write(w, b->term_weight, size.terms * word));
    SPF_TRY(spf_write(w, b->leaf_start, (size.leaves + 1) * word));
    SPF_TRY(spf_write(w, b->leaf_class, size.entries * word));
    SPF_TRY(spf_write(w, b->leaf_weight, size.entries * word));
    SPF_TRY(spf_write(w, b->leaf_value, size.values * word));
    SPF_TRY(spf_write(w, b->sets.sets, size.sets * sizeof *b->sets.sets));
    SPF_TRY(spf_write(w, b->sets.words, size.words * word));
    SPF_TRY(spf_write(w, branch->oob_row, size.oob * word));
    SPF_TRY(spf_write(w, branch->oob_leaf, size.oob * word));
    SPF_TRY(spf_write(w, samples->row, size.samples * word));
    SPF_TRY(spf_write(w, samples->units, size.samples * word));
    return spf_write(w, samples->leaf, size.samples * word);
}

/* Reads an array with room for exactly its elements; an empty one stays NULL, as in a builder. */
#define READ(array, elements)                                                                      \
    do {                                                                                           \
        if ((elements) == 0) break;                                                                \
        SPF_TRY(spf_read_array(r, (elements), sizeof *b->array, &b->array));                       \
        b->array##_capacity = (elements);                                                          \
    } while (0)

static sporf_status read_builder(spf_reader *r, const branch_sizes *size, spf_builder *b) {
    READ(nodes, size->nodes);
    if (size->projections > 0) READ(projection_start, size->projections + 1);
    READ(term_feature, size->terms);
    READ(term_weight, size->terms);
    READ(leaf_start, size->leaves + 1);
    READ(leaf_class, size->entries);
    READ(leaf_weight, size->entries);
    READ(leaf_value, size->values);
    READ(sets.sets, size->sets);
    READ(sets.words, size->words);
    b->sets.count = size->sets;
    b->sets.words_count = size->words;
    b->nodes_count = size->nodes;
    b->projections_count = size->projections;
    b->terms_count = size->terms;
    b->leaves_count = size->leaves;
    b->entries_count = size->entries;
    b->values_count = size->values;
    return SPORF_OK;
}

static sporf_status read_samples(spf_reader *r, uint64_t count, spf_leaf_samples *samples) {
    if (count > UINT32_MAX) return spf_raise_message();
    samples->count = (uint32_t)count;
    SPF_TRY(spf_read_array(r, count, sizeof *samples->row, &samples->row));
    SPF_TRY(spf_read_array(r, count, sizeof *samples->units, &samples->units));
    return spf_read_array(r, count, sizeof *samples->leaf, &samples->leaf);
}

static sporf_status read_branch(spf_reader *r, spf_brought *branch) {
    branch_sizes size;
    SPF_TRY(spf_read(r, &size, sizeof size));
    if (size.oob > UINT32_MAX || size.leaves == 0 || size.leaves > UINT32_MAX ||
        size.projections > UINT32_MAX)
        return spf_raise_message();
    SPF_TRY(read_builder(r, &size, &branch->builder));
    SPF_TRY(spf_read_array(r, size.oob, sizeof *branch->oob_row, &branch->oob_row));
    SPF_TRY(spf_read_array(r, size.oob, sizeof *branch->oob_leaf, &branch->oob_leaf));
    branch->oob_count = (uint32_t)size.oob;
    for (uint32_t i = 0; i < branch->oob_count; i++)
        if (branch->oob_leaf[i] >= size.leaves) return spf_raise_message();
    return read_samples(r, size.samples, &branch->samples);
}

static sporf_status check_oob(const uint32_t *row, uint32_t count, size_t rows) {
    for (uint32_t i = 0; i < count; i++)
        if (row[i] >= rows) return spf_raise_message();
    return SPORF_OK;
}

/* Every leaf has samples, and they come in the order of leaves. */
static sporf_status check_samples(const spf_outcome *outcome, const spf_brought *branch) {
    const spf_leaf_samples *samples = &branch->samples;
    size_t last = branch->builder.leaves_count - 1;
    int good = outcome->samples ? samples->count > 0 && samples->leaf[0] == 0 &&
                                      samples->leaf[samples->count - 1] == last
                                : samples->count == 0;
    for (uint32_t i = 0; good && i < samples->count; i++)
        good = samples->row[i] < outcome->rows && samples->units[i] > 0 &&
               (i == 0 || samples->leaf[i] - samples->leaf[i - 1] <= 1);
    return good ? SPORF_OK : spf_raise_message();
}

static sporf_status check_leaf_values(const spf_outcome *outcome, const spf_builder *b) {
    int good = b->values_count == b->leaves_count * outcome->targets;
    for (size_t i = 0; good && i < b->values_count; i++) good = spf_value_ok(b->leaf_value[i]);
    return good ? SPORF_OK : spf_raise_message();
}

/* Checks the branch as if it were a tree. */
static sporf_status check_branch(const spf_frame *frame, const spf_builder *b) {
    uint32_t no_start = 0;
    spf_tree tree = {.nodes_count = (uint32_t)b->nodes_count,
                     .projections_count = (uint32_t)b->projections_count,
                     .leaves_count = (uint32_t)b->leaves_count,
                     .nodes = b->nodes,
                     .projection_start = b->projection_start ? b->projection_start : &no_start,
                     .term_feature = b->term_feature,
                     .term_weight = b->term_weight,
                     .leaf_start = b->leaf_start,
                     .leaf_class = b->leaf_class,
                     .leaf_weight = b->leaf_weight,
                     .features = b->features,
                     .sets = spf_set_list_view(&b->sets)};
    spf_tree_extent extent = {b->terms_count, b->entries_count};
    sporf_status status = spf_sets_validate(&tree.sets, &frame->data->schema, b->features);
    if (status == SPORF_OK)
        status = spf_tree_validate(&tree, &extent, b->features, frame->plan.outcome.classes, 0);
    return status == SPORF_ERROR_MODEL ? spf_raise_message() : status;
}

sporf_status spf_brought_read(const spf_frame *frame, const spf_brought_node *node, spf_reader *r,
                              spf_brought *branch) {
    spf_brought_node of;
    *branch = (spf_brought){.builder.features = frame->data->features};
    SPF_TRY(spf_read(r, &of, sizeof of));
    if (memcmp(&of, node, sizeof of) != 0) return spf_raise_message();
    sporf_status status = read_branch(r, branch);
    if (status == SPORF_OK && r->left > 0) status = spf_raise_message();
    if (status == SPORF_OK)
        status = check_oob(branch->oob_row, branch->oob_count, frame->data->rows);
    if (status == SPORF_OK) status = check_leaf_values(&frame->plan.outcome, &branch->builder);
    if (status == SPORF_OK) status = check_samples(&frame->plan.outcome, branch);
    if (status == SPORF_OK) status = check_branch(frame, &branch->builder);
    if (status != SPORF_OK) spf_brought_free(branch);
    return status;
}
