/* In preorder, what is below a node follows it, up to its end; so the rows of a node are those of
 * the leaves up to there. */
#include "picture/tree_nodes.h"

#include <math.h>
#include <stdlib.h>

typedef struct reading {
    spf_shown_tree *shown;
    uint32_t *end, *depth; /* [nodes] */
    double *sums;          /* [classes], or of several labels [targets] */
    size_t classes, sums_count;
} reading;

static sporf_status node_of(const spf_shown_tree *shown, size_t node, sporf_node *out) {
    return sporf_forest_node(shown->forest, shown->tree, node, out);
}

static sporf_status find_ends(reading *r) {
    spf_shown_tree *shown = r->shown;
    for (size_t i = 0; i < shown->nodes; i++) {
        sporf_node node;
        SPF_TRY(node_of(shown, i, &node));
        if (r->depth[i] > shown->deepest) shown->deepest = r->depth[i];
        if (!node.is_leaf) r->depth[node.left] = r->depth[node.right] = r->depth[i] + 1;
    }
    for (size_t i = shown->nodes; i-- > 0;) {
        sporf_node node;
        SPF_TRY(node_of(shown, i, &node));
        r->end[i] = node.is_leaf ? (uint32_t)i + 1 : r->end[node.right];
    }
    return SPORF_OK;
}

/* Moves the largest sums to the node, the lowest class first in a tie. */
static void take_classes(const reading *r, spf_shown_node *out) {
    out->rest = 1;
    for (out->classes = 0; out->classes < SPF_NODE_CLASSES; out->classes++) {
        size_t best = 0;
        for (size_t k = 1; k < r->classes; k++)
            if (r->sums[k] > r->sums[best]) best = k;
        if (!(r->sums[best] > 0)) break;
        out->class_index[out->classes] = (uint32_t)best;
        out->share[out->classes] = r->sums[best] / out->weight;
        out->rest -= out->share[out->classes];
        r->sums[best] = 0;
    }
    if (out->rest < 1e-9) out->rest = 0;
}

/* The largest class of each label, the lowest in a tie. */
static void take_labels(const reading *r, spf_shown_node *out) {
    const sporf_schema *schema = sporf_forest_schema(r->shown->forest);
    for (size_t i = 0; i < r->shown->labels && i < SPF_NODE_CLASSES; i++) {
        const double *sums = r->sums + sporf_schema_label_column_target(schema, i);
        uint32_t best = 0;
        for (uint32_t k = 1; k < sporf_schema_label_column_classes(schema, i); k++)
            if (sums[k] > sums[best]) best = k;
        out->class_index[out->classes] = best;
        out->share[out->classes++] = sums[best] / out->weight;
    }
}

static void add_leaf(const reading *r, const sporf_node *leaf) {
    for (size_t t = 0; t < r->sums_count && leaf->values; t++)
        r->sums[t] += (double)leaf->class_weight[0] * leaf->values[t];
    for (size_t k = 0; k < leaf->classes; k++)
        r->sums[leaf->class_index[k]] += leaf->class_weight[k];
}

static sporf_status describe(const reading *r, spf_shown_node *out) {
    for (size_t k = 0; k < r->sums_count; k++) r->sums[k] = 0;
    for (size_t i = out->node; i < r->end[out->node]; i++) {
        sporf_node node;
        SPF_TRY(node_of(r->shown, i, &node));
        if (!node.is_leaf) continue;
        for (size_t k = 0; k < (node.values ? 1 : node.classes); k++)
            out->weight += node.class_weight[k];
        if (node.values && i == out->node) out->value = node.values[0];
        add_leaf(r, &node);
    }
    int has_means = r->classes == 0 && !r->shown->boosts;
    if (isnan(out->value) && has_means) out->value = r->sums[0] / out->weight;
    if (r->shown->labels > 0) {
        out->value = NAN;
        take_labels(r, out);
    }
    if (r->classes > 0) take_classes(r, out);
    return SPORF_OK;
}

/* Adds all nodes of that depth and above. Right children are linked when they are reached: place
 * has the number of each node in the list. */
static sporf_status add_nodes(reading *r, size_t depth, size_t *place) {
    spf_shown_tree *shown = r->shown;
    for (size_t i = 0; i < shown->nodes; i++) {
        if (r->depth[i] > depth) continue;
        place[i] = shown->count;
        shown->list[shown->count++] = (spf_shown_node){.node = i,
                                                       .depth = r->depth[i],
                                                       .left = SPF_NO_NODE,
                                                       .right = SPF_NO_NODE,
                                                       .value = NAN};
    }
    for (size_t s = 0; s < shown->count; s++) {
        spf_shown_node *out = &shown->list[s];
        sporf_node node;
        SPF_TRY(node_of(shown, out->node, &node));
        if (!node.is_leaf && out->depth < depth) {
            out->left = place[node.left];
            out->right = place[node.right];
        } else {
            out->below = r->end[out->node] - out->node - 1;
        }
        SPF_TRY(describe(r, out));
    }
    return SPORF_OK;
}

sporf_status spf_shown_tree_read(const sporf_forest *forest, size_t tree, size_t depth,
                                 spf_shown_tree *shown) {
    sporf_boosting boosting;
    *shown = (spf_shown_tree){.forest = forest, .tree = tree};
    if (!forest) return spf_raise(SPORF_ERROR_ARGUMENT, "a picture needs a forest");
    if (tree >= sporf_forest_trees(forest))
        return spf_raise(SPORF_ERROR_ARGUMENT, "there is no tree %zu: the forest has %zu", tree,
                         sporf_forest_trees(forest));
    shown->nodes = sporf_forest_nodes(forest, tree);
    shown->boosts = sporf_forest_boosting(forest, &boosting);
    reading r = {.shown = shown, .classes = shown->boosts ? 0 : sporf_forest_classes(forest)};
    shown->labels = sporf_schema_label_columns(sporf_forest_schema(forest));
    r.sums_count = shown->labels > 0 ? sporf_forest_targets(forest)
                   : r.classes > 0   ? r.classes
                                     : 1; /* the first target, or what a leaf adds */
    r.end = spf_alloc(shown->nodes, sizeof *r.end);
    r.depth = spf_alloc_zero(shown->nodes, sizeof *r.depth);
    r.sums = spf_alloc(r.sums_count, sizeof *r.sums);
    size_t *place = spf_alloc(shown->nodes, sizeof *place);
    shown->list = spf_alloc(shown->nodes, sizeof *shown->list);
    sporf_status status =
        r.end && r.depth && r.sums && place && shown->list ? find_ends(&r) : spf_raise_memory();
    if (status == SPORF_OK) status = add_nodes(&r, depth, place);
    free(r.end);
    free(r.depth);
    free(r.sums);
    free(place);
    return status;
}

void spf_shown_tree_free(spf_shown_tree *shown) {
    free(shown->list);
    shown->list = NULL;
}
