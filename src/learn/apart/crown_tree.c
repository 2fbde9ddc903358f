/* Nodes from top to bottom, level by level: a node that is split adds two. */
#include "learn/apart/crown_tree.h"

#include "learn/apart/heard.h"
#include "learn/apart/said_split.h"
#include "learn/growing/node.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---------------------------------------------------------------------------------- */

static sporf_status add_node(spf_crown_tree *t, uint64_t key, uint32_t depth) {
    size_t classes = t->plan->outcome.classes;
    SPF_TRY(SPF_RESERVE(t->nodes, t->nodes_capacity, t->nodes_count + 1));
    spf_crown_node *node = &t->nodes[t->nodes_count++];
    *node = (spf_crown_node){.place = {.key = key, .depth = depth, .parent = SPF_NO_PARENT},
                             .range = {INFINITY, -INFINITY}};
    node->brought.builder.features = t->plan->data->features;
    node->class_total = spf_alloc_zero(classes, sizeof *node->class_total);
    node->present = spf_alloc(classes, sizeof *node->present);
    node->totals = spf_alloc(classes, sizeof *node->totals);
    return node->class_total && node->present && node->totals ? SPORF_OK : spf_raise_memory();
}

sporf_status spf_crown_tree_start(const spf_plan *plan, uint32_t number, spf_crown_tree *t) {
    *t = (spf_crown_tree){
        .plan = plan,
        .rows = {.plan = plan, .tree = number, .key = spf_tree_key(plan->seed, number)}};
    return add_node(t, SPF_ROOT_KEY, 0);
}

static void free_node(spf_crown_node *node) {
    spf_apart_search_free(&node->search);
    spf_node_looks_free(&node->looks);
    spf_brought_free(&node->brought);
    free(node->class_total);
    free(node->present);
    free(node->totals);
}

void spf_crown_tree_free(spf_crown_tree *t) {
    for (size_t i = 0; i < t->nodes_count; i++) free_node(&t->nodes[i]);
    free(t->nodes);
    free(t->splits);
    free(t->said.bytes);
    *t = (spf_crown_tree){0};
}

/* ---- a node ---------------------------------------------------------------------------------- */

static uint64_t weight_of(const spf_crown_tree *t, const spf_crown_node *node) {
    uint64_t total = 0;
    for (size_t k = 0; k < t->plan->outcome.classes; k++) total += node->class_total[k];
    return total;
}

static void find_present(const spf_crown_tree *t, spf_crown_node *node) {
    for (uint32_t k = 0; k < t->plan->outcome.classes; k++) {
        if (node->class_total[k] == 0) continue;
        node->totals[node->present_count] = node->class_total[k];
        node->present[node->present_count++] = k;
    }
}

static size_t classes_of(const spf_crown_tree *t, const spf_crown_node *node) {
    return t->plan->outcome.targets > 0 ? t->plan->outcome.split_classes : node->present_count;
}

/* Describes the node to splitters; its classes are numbered among those present. */
static spf_split_node describe(const spf_crown_tree *t, const spf_crown_node *node) {
    spf_split_node split = {.rows = node->sizes.rows,
                            .classes = classes_of(t, node),
                            .class_total = node->totals,
                            .total = weight_of(t, node),
                            .min_leaf = t->rows.least_units,
                            .criterion = t->plan->criterion,
                            .xlogx = &t->plan->xlogx,
                            .drawn = node->sizes.drawn,
                            .least_draws = spf_plan_counts_leaves(t->plan) ? t->plan->min_leaf : 0};
    if (t->plan->outcome.targets > 0) {
        split.criterion = spf_criterion_of(SPORF_GINI);
        split.numeric = 1;
        split.targets = t->plan->outcome.targets;
    } else {
        split.criterion->open(&split);
    }
    return split;
}

/* Whether the outcomes of the node's rows differ. */
static int varies(const spf_crown_tree *t, const spf_crown_node *node) {
    return t->plan->outcome.targets > 0 ? node->range.low < node->range.high
                                        : node->present_count > 1;
}

static int has_categories(const spf_crown_tree *t) {
    return spf_schema_has_categories(&t->plan->data->schema);
}

static sporf_status draw(spf_crown_tree *t, spf_workspace *w, spf_crown_node *node) {
    spf_node_rows none = {.table = &t->plan->table, .looks = &node->looks.looks};
    spf_split_node split = describe(t, node);
    SPF_TRY(spf_tree_rows_join(&t->rows, w));
    return spf_node_candidates(w, &t->rows, &node->place, &split, &none);
}

/* A branch of one leaf; the mean of its targets needs its rows. */
static sporf_status make_leaf(const spf_crown_tree *t, spf_crown_node *node) {
    spf_builder *builder = &node->brought.builder;
    uint32_t leaf;
    node->state = SPF_NODE_LEAF;
    node->is_brought = node->sizes.oob_rows == 0 && t->plan->outcome.targets == 0;
    SPF_TRY(spf_builder_add_leaf(builder, &leaf));
    return spf_builder_fill_leaf(builder, node->present, node->present_count, node->class_total);
}

/* As spf_values_open_node has it. */
static sporf_status fill_mean(const spf_crown_tree *t, spf_crown_node *node) {
    uint64_t total = weight_of(t, node);
    if (node->rows != node->sizes.rows || node->weight != total) return spf_raise_message();
    double mean =
        node->range.high > node->range.low ? node->sum / (double)total : (double)node->range.low;
    return spf_builder_add_values(&node->brought.builder, &mean, 1);
}

/* ---- what shards say --------------------------------------------------------------------------
 */

/* Rows have weight, and without relative weights it is how often they were drawn; in regression
 * they have targets. */
static int is_possible(const spf_crown_tree *t, const spf_crown_node *node) {
    uint64_t total = weight_of(t, node);
    int relative = t->plan->bagger.weights->relative;
    int has_targets = t->plan->outcome.targets == 0 ||
                      (spf_value_ok(node->range.low) && spf_value_ok(node->range.high));
    return has_targets && node->sizes.rows > 0 && node->sizes.rows <= total &&
           node->sizes.rows <= node->sizes.drawn && (relative || node->sizes.drawn == total);
}

static sporf_status check_root(const spf_crown_tree *t) {
    const spf_crown_node *root = t->nodes;
    int good = is_possible(t, root) && weight_of(t, root) <= t->plan->bagger.weight &&
               root->sizes.rows + root->sizes.oob_rows == t->plan->bagger.weights->rows;
    return good ? SPORF_OK : spf_raise_message();
}

/* Both sides of a split together are what was split, and neither is empty: a tree ends. */
static sporf_status check_sides(const spf_crown_tree *t, size_t left) {
    const spf_crown_node *parent = &t->nodes[t->splits[left / 2].node];
    const spf_crown_node *a = &t->nodes[left], *b = a + 1;
    int good = is_possible(t, a) && is_possible(t, b) &&
               a->sizes.rows + b->sizes.rows == parent->sizes.rows &&
               a->sizes.oob_rows + b->sizes.oob_rows == parent->sizes.oob_rows &&
               a->sizes.drawn + b->sizes.drawn == parent->sizes.drawn;
    for (size_t k = 0; k < t->plan->outcome.classes; k++)
        good &= (uint64_t)a->class_total[k] + b->class_total[k] == parent->class_total[k];
    return good ? SPORF_OK : spf_raise_message();
}

/* The left side stands for both, which are sized in the same round. */
static sporf_status check_sizes(const spf_crown_tree *t, size_t number) {
    if (number == 0) return check_root(t);
    return number % 2 == 1 ? check_sides(t, number) : SPORF_OK;
}

/* What the candidates of a node want to see of its rows. */
static sporf_status list_looks(spf_crown_tree *t, spf_workspace *w, spf_crown_node *node) {
    spf_node_looks *looks = &node->looks;
    SPF_TRY(draw(t, w, node));
    SPF_TRY(spf_node_looks_ask(looks, t->plan->has_missing));
    if (looks->asks_count > 0) node->state = SPF_NODE_LOOKS;
    return SPORF_OK;
}

/* Once the sizes are known: a leaf, a branch, or a node to search. */
static sporf_status open_node(spf_crown_tree *t, spf_workspace *w, spf_crown_node *node,
                              uint64_t branch_rows) {
    find_present(t, node);
    uint64_t total = weight_of(t, node);
    if (node == t->nodes) t->rows.least_units = spf_least_units(t->plan, total);
    if (!varies(t, node) ||
        !spf_node_may_split(&t->rows, node->place.depth, total, node->sizes.drawn))
        return make_leaf(t, node);
    if (node->sizes.rows + node->sizes.oob_rows <= branch_rows ||
        node->sizes.rows <= SPF_LANES_ROWS) {
        node->state = SPF_NODE_BRANCH;
        return SPORF_OK;
    }
    node->state = SPF_NODE_SEEN;
    return has_categories(t) ? list_looks(t, w, node) : SPORF_OK;
}

/* The candidates are drawn. */
static sporf_status start_search(spf_crown_tree *t, spf_workspace *w, spf_crown_node *node) {
    spf_split_node split = describe(t, node);
    node->state = SPF_NODE_SEARCHED;
    return spf_apart_search_create(&split, w, &node->search);
}

/* Adds a decided split, and its sides. The node may move. */
static sporf_status split_node(spf_crown_tree *t, spf_workspace *w, size_t number) {
    spf_crown_node *node = &t->nodes[number];
    const spf_apart_search *s = &node->search;
    const sporf_projections *list = &w->candidates;
    uint32_t start = list->start[s->winner], projection;
    spf_sets sets = spf_set_list_view(&w->searcher.levels.sets);
    spf_apart_split split = {.node = (uint32_t)number,
                             .threshold = s->threshold,
                             .missing_left = (uint32_t)s->missing_left};
    uint64_t left, right;
    uint32_t depth = node->place.depth + 1;
    SPF_TRY(spf_builder_add_projection(&node->brought.builder, list->feature + start,
                                       list->weight + start, spf_projection_terms(list, s->winner),
                                       &sets, &projection));
    SPF_TRY(spf_said_split_write(&split, &node->brought.builder, &t->said));
    SPF_TRY(SPF_RESERVE(t->splits, t->splits_capacity, t->splits_count + 1));
    t->splits[t->splits_count++] = split;
    node->state = SPF_NODE_SPLIT;
    node->left = (uint32_t)t->nodes_count;
    spf_child_keys(t->rows.key, node->place.key, &left, &right);
    SPF_TRY(add_node(t, left, depth));
    return add_node(t, right, depth);
}

/* Starts a search, or goes on with it; a decided node becomes a split or a leaf. */
static sporf_status search_node(spf_crown_tree *t, spf_workspace *w, size_t number) {
    spf_crown_node *node = &t->nodes[number];
    SPF_TRY(draw(t, w, node));
    if (node->state == SPF_NODE_SEEN) SPF_TRY(start_search(t, w, node));
    SPF_TRY(spf_apart_search_go_on(&node->search, w));
    if (!node->search.is_decided) return SPORF_OK;
    if (!node->search.found) return make_leaf(t, node);
    SPF_TRY(split_node(t, w, number));
    spf_apart_search_free(&t->nodes[number].search);
    return SPORF_OK;
}

/* ---- asking ---------------------------------------------------------------------------------- */

static int has_asks(const spf_crown_node *node) {
    return node->state == SPF_NODE_NEW || node->state == SPF_NODE_LOOKS ||
           node->state == SPF_NODE_SEARCHED || (node->state == SPF_NODE_LEAF && !node->is_brought);
}

sporf_status spf_crown_tree_go_on(spf_crown_tree *t, spf_workspace *w, uint64_t branch_rows,
                                  uint32_t *asking) {
    for (size_t i = 0; i < t->nodes_count; i++) {
        if (t->nodes[i].state == SPF_NODE_SIZED) {
            SPF_TRY(check_sizes(t, i));
            SPF_TRY(open_node(t, w, &t->nodes[i], branch_rows));
        }
        if (t->nodes[i].state == SPF_NODE_SEEN || t->nodes[i].state == SPF_NODE_SEARCHED)
            SPF_TRY(search_node(t, w, i));
        t->nodes[i].asks = has_asks(&t->nodes[i]);
        *asking += (uint32_t)t->nodes[i].asks;
    }
    return SPORF_OK;
}

sporf_status spf_crown_tree_write(const spf_crown_tree *t, spf_writer *w) {
    SPF_TRY(spf_write_number(w, t->rows.tree));
    uint64_t size = t->said.size;
    SPF_TRY(spf_write(w, &size, sizeof size));
    return spf_write(w, t->said.bytes, t->said.size);
}

/* What shards have to know of a node. */
static sporf_status write_facts(const spf_crown_tree *t, const spf_crown_node *node,
                                spf_writer *w) {
    const spf_looks *looks = &node->looks.looks;
    spf_node_facts facts = {node->range, weight_of(t, node), node->sizes.rows};
    uint32_t found = node->state == SPF_NODE_SEARCHED ? (uint32_t)looks->count : 0;
    SPF_TRY(spf_write_number(w, (uint32_t)node->present_count));
    SPF_TRY(spf_write(w, node->present, node->present_count * sizeof *node->present));
    SPF_TRY(spf_write(w, &facts, sizeof facts));
    SPF_TRY(spf_write_number(w, found));
    return spf_write(w, looks->found, found * sizeof *looks->found);
}

static spf_ask_kind kind_of_ask(spf_crown_state state) {
    return state == SPF_NODE_NEW     ? SPF_ASK_SIZES
           : state == SPF_NODE_LOOKS ? SPF_ASK_LOOKS
                                     : SPF_ASK_LEAF;
}

static sporf_status write_node(const spf_crown_tree *t, uint32_t number, spf_writer *w) {
    const spf_crown_node *node = &t->nodes[number];
    spf_ask about_node;
    memset(&about_node, 0, sizeof about_node);
    about_node.kind = kind_of_ask(node->state);
    int searched = node->state == SPF_NODE_SEARCHED;
    size_t count = searched ? node->search.asks_count : 1;
    SPF_TRY(spf_write_number(w, t->rows.tree));
    SPF_TRY(spf_write_number(w, number));
    SPF_TRY(write_facts(t, node, w));
    SPF_TRY(spf_write_number(w, (uint32_t)count));
    SPF_TRY(spf_write(w, searched ? node->search.asks : &about_node, count * sizeof about_node));
    return node->state == SPF_NODE_LOOKS ? spf_node_looks_write(&node->looks, w) : SPORF_OK;
}

sporf_status spf_crown_tree_write_asks(const spf_crown_tree *t, spf_writer *w) {
    for (size_t i = 0; i < t->nodes_count; i++)
        if (t->nodes[i].asks) SPF_TRY(write_node(t, (uint32_t)i, w));
    return SPORF_OK;
}

/* ---- hearing --------------------------------------------------------------------------------- */

static sporf_status hear_sizes(const spf_crown_tree *t, spf_crown_node *node, spf_reader *r) {
    spf_node_sizes some;
    uint64_t here = 0;
    SPF_TRY(spf_read(r, &some, sizeof some));
    if (some.rows > UINT32_MAX || some.oob_rows > UINT32_MAX || some.drawn > UINT32_MAX)
        return spf_raise_message();
    node->sizes.rows += some.rows;
    node->sizes.oob_rows += some.oob_rows;
    node->sizes.drawn += some.drawn;
    for (size_t k = 0; k < t->plan->outcome.classes; k++) {
        uint32_t weight;
        SPF_TRY(spf_read_number(r, &weight));
        if (__builtin_add_overflow(node->class_total[k], weight, &node->class_total[k]))
            return spf_raise_message();
        here += weight;
    }
    if (t->plan->outcome.targets > 0) {
        spf_range range;
        SPF_TRY(spf_heard_range(r, &range));
        node->range = spf_range_join(node->range, range);
    }
    return has_categories(t) ? spf_node_looks_add_shards(&node->looks, here, r) : SPORF_OK;
}

static sporf_status keep_sample(spf_leaf_samples *samples, uint64_t most, uint32_t row,
                                uint32_t units) {
    if (!samples->row) {
        samples->row = spf_alloc(most, sizeof *samples->row);
        samples->units = spf_alloc(most, sizeof *samples->units);
        samples->leaf = spf_alloc_zero(most, sizeof *samples->leaf);
        if (!samples->row || !samples->units || !samples->leaf) return spf_raise_memory();
    }
    samples->row[samples->count] = row;
    samples->units[samples->count++] = units;
    return SPORF_OK;
}

/* Targets are added up in the order of rows, as on one machine. */
static sporf_status hear_bag(const spf_crown_tree *t, spf_crown_node *node, spf_reader *r) {
    const spf_outcome *outcome = &t->plan->outcome;
    const float *value = spf_outcome_values(outcome, 0);
    const unsigned char *rows = NULL, *weights = NULL;
    uint32_t count, row, weight;
    SPF_TRY(spf_read_number(r, &count));
    if (count > node->sizes.rows - node->rows) return spf_raise_message();
    SPF_TRY(spf_read_in_place(r, count, sizeof row, &rows));
    SPF_TRY(spf_read_in_place(r, count, sizeof weight, &weights));
    for (uint32_t i = 0; i < count; i++) {
        memcpy(&row, rows + i * sizeof row, sizeof row);
        memcpy(&weight, weights + i * sizeof weight, sizeof weight);
        if (row >= outcome->rows || weight == 0) return spf_raise_message();
        node->sum += (double)value[row] * weight;
        node->weight += weight;
        if (outcome->samples)
            SPF_TRY(keep_sample(&node->brought.samples, node->sizes.rows, row, weight));
    }
    node->rows += count;
    return SPORF_OK;
}

static sporf_status hear_oob(const spf_crown_tree *t, spf_crown_node *node, spf_reader *r) {
    spf_brought *b = &node->brought;
    uint32_t count;
    SPF_TRY(spf_read_number(r, &count));
    if (count > node->sizes.oob_rows - b->oob_count) return spf_raise_message();
    if (!b->oob_row) {
        b->oob_row = spf_alloc(node->sizes.oob_rows, sizeof *b->oob_row);
        b->oob_leaf = spf_alloc_zero(node->sizes.oob_rows, sizeof *b->oob_leaf);
        if (!b->oob_row || !b->oob_leaf) return spf_raise_memory();
    }
    SPF_TRY(spf_read(r, b->oob_row + b->oob_count, count * sizeof *b->oob_row));
    for (uint32_t i = b->oob_count; i < b->oob_count + count; i++)
        if (b->oob_row[i] >= t->plan->data->rows) return spf_raise_message();
    b->oob_count += count;
    return SPORF_OK;
}

static sporf_status hear_leaf(const spf_crown_tree *t, spf_crown_node *node, spf_reader *r) {
    SPF_TRY(hear_oob(t, node, r));
    return t->plan->outcome.targets > 0 ? hear_bag(t, node, r) : SPORF_OK;
}

sporf_status spf_crown_tree_hear(spf_crown_tree *t, uint32_t end, spf_reader *answer) {
    for (size_t i = 0; i < t->nodes_count; i++) {
        spf_crown_node *node = &t->nodes[i];
        if (!node->asks) continue;
        if (node->state == SPF_NODE_NEW)
            SPF_TRY(hear_sizes(t, node, answer));
        else if (node->state == SPF_NODE_LOOKS)
            SPF_TRY(spf_node_looks_hear(&node->looks, end, answer));
        else if (node->state == SPF_NODE_LEAF)
            SPF_TRY(hear_leaf(t, node, answer));
        else
            SPF_TRY(spf_apart_search_hear(&node->search, answer));
    }
    return SPORF_OK;
}

sporf_status spf_crown_tree_heard(spf_crown_tree *t) {
    for (size_t i = 0; i < t->nodes_count; i++) {
        spf_crown_node *node = &t->nodes[i];
        if (node->asks && node->state == SPF_NODE_LOOKS) {
            SPF_TRY(spf_node_looks_find(&node->looks, &t->plan->data->schema, classes_of(t, node)));
            node->state = SPF_NODE_SEEN;
        }
        if (node->asks && node->state == SPF_NODE_NEW) node->state = SPF_NODE_SIZED;
        if (node->asks && node->state == SPF_NODE_LEAF) {
            if (node->brought.oob_count != node->sizes.oob_rows) return spf_raise_message();
            if (t->plan->outcome.targets > 0) SPF_TRY(fill_mean(t, node));
            node->is_brought = 1;
        }
        node->asks = 0;
    }
    return SPORF_OK;
}
