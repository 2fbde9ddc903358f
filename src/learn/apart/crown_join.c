/* The nodes of a crown's tree, and the branches below them, become one tree. */
#include "learn/apart/crown_tree.h"
#include "learn/growing/gathered.h"

#include <stdlib.h>

typedef struct {
    spf_crown_tree *from;
    spf_builder tree;
    spf_grown *grown;
    /* If leaves store samples: the rows of the bag in the order of leaves, and their weights. */
    uint32_t *row; /* [in the bag] */
    uint32_t rows;
    uint32_t *units;     /* [rows of the data] */
    spf_extent *of_leaf; /* [leaves] */
} joining;

/* ---- room ------------------------------------------------------------------------------------ */

static sporf_status make_room(joining *j) {
    const spf_outcome *outcome = &j->from->plan->outcome;
    size_t oob = 0, bag = 0, leaves = 0;
    for (size_t i = 0; i < j->from->nodes_count; i++) {
        const spf_brought *branch = &j->from->nodes[i].brought;
        oob += branch->oob_count;
        bag += branch->samples.count;
        leaves += branch->builder.leaves_count;
    }
    j->grown->oob_row = spf_alloc(oob, sizeof *j->grown->oob_row);
    j->grown->oob_leaf = spf_alloc(oob, sizeof *j->grown->oob_leaf);
    if (!j->grown->oob_row || !j->grown->oob_leaf) return spf_raise_memory();
    if (!outcome->samples) return SPORF_OK;
    j->row = spf_alloc(bag, sizeof *j->row);
    j->units = spf_alloc_zero(outcome->rows, sizeof *j->units);
    j->of_leaf = spf_alloc_zero(leaves, sizeof *j->of_leaf);
    return j->row && j->units && j->of_leaf ? SPORF_OK : spf_raise_memory();
}

static void end_joining(joining *j) {
    spf_builder_free(&j->tree);
    free(j->row);
    free(j->units);
    free(j->of_leaf);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void append_oob(joining *j, const spf_brought *branch) {
    spf_grown *grown = j->grown;
    for (uint32_t i = 0; i < branch->oob_count; i++) {
        grown->oob_row[grown->oob_count] = branch->oob_row[i];
        grown->oob_leaf[grown->oob_count++] = branch->oob_leaf[i] + (uint32_t)j->tree.leaves_count;
    }
}

static void append_samples(joining *j, const spf_leaf_samples *samples) {
    for (uint32_t i = 0; i < samples->count; i++) {
        spf_extent *leaf = &j->of_leaf[j->tree.leaves_count + samples->leaf[i]];
        if (leaf->end == 0) leaf->begin = j->rows;
        j->units[samples->row[i]] = samples->units[i];
        j->row[j->rows++] = samples->row[i];
        leaf->end = j->rows;
    }
}

static sporf_status append_branch(joining *j, spf_brought *branch) {
    append_oob(j, branch);
    append_samples(j, &branch->samples);
    return spf_builder_append(&j->tree, &branch->builder, 0);
}

static sporf_status append_split(joining *j, const spf_crown_node *node, uint32_t *number) {
    const spf_builder *from = &node->brought.builder;
    const spf_apart_split *split = &j->from->splits[node->left / 2];
    spf_sets sets = spf_set_list_view(&from->sets);
    uint32_t projection;
    SPF_TRY(spf_builder_add_projection(&j->tree, from->term_feature, from->term_weight,
                                       from->terms_count, &sets, &projection));
    return spf_builder_add_split(&j->tree, projection, split->threshold, (int)split->missing_left,
                                 number);
}

/* In preorder; parent[i] is that of a right side, or SPF_NO_PARENT. */
static sporf_status append_nodes(joining *j, uint32_t *stack, uint32_t *parent) {
    size_t waiting = 1;
    stack[0] = 0;
    parent[0] = SPF_NO_PARENT;
    while (waiting > 0) {
        uint32_t number = stack[--waiting];
        spf_crown_node *node = &j->from->nodes[number];
        if (parent[number] != SPF_NO_PARENT)
            spf_builder_set_right(&j->tree, parent[number], (uint32_t)j->tree.nodes_count);
        if (node->state != SPF_NODE_SPLIT) {
            SPF_TRY(append_branch(j, &node->brought));
            continue;
        }
        SPF_TRY(append_split(j, node, &parent[node->left + 1]));
        parent[node->left] = SPF_NO_PARENT;
        stack[waiting++] = node->left + 1;
        stack[waiting++] = node->left;
    }
    return SPORF_OK;
}

/* ---- the tree -------------------------------------------------------------------------------- */

static sporf_status finish(joining *j) {
    const spf_plan *plan = j->from->plan;
    spf_leaf_rows rows = {.outcome = &plan->outcome,
                          .leaves = j->tree.leaves_count,
                          .of_leaf = j->of_leaf,
                          .row = j->row,
                          .units = j->units,
                          .unit_of_leaf = plan->bagger.unit_of_leaf};
    spf_gathered samples = {0};
    if (!plan->has_missing) SPF_TRY(spf_builder_send_missing(&j->tree));
    if (plan->outcome.samples) SPF_TRY(spf_samples_gather(&rows, &samples));
    sporf_status status = spf_builder_finish(&j->tree, &j->grown->tree);
    if (status == SPORF_OK) spf_gathered_hand_over(&samples, &j->grown->tree);
    spf_gathered_free(&samples);
    return status;
}

static sporf_status join(joining *j) {
    size_t nodes = j->from->nodes_count;
    uint32_t *stack = spf_alloc(2 * nodes, sizeof *stack);
    sporf_status status = stack ? make_room(j) : spf_raise_memory();
    if (status == SPORF_OK) status = append_nodes(j, stack, stack + nodes);
    free(stack);
    return status == SPORF_OK ? finish(j) : status;
}

sporf_status spf_crown_tree_join(spf_crown_tree *tree, spf_grown *grown) {
    joining j = {.from = tree, .tree.features = tree->plan->data->features, .grown = grown};
    *grown = (spf_grown){0};
    sporf_status status = join(&j);
    end_joining(&j);
    if (status != SPORF_OK) spf_grown_free(grown);
    return status;
}
