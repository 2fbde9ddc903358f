/* The plain tree of a grown one: bins become thresholds and sets of levels. */
#include "learn/boosting/boosted_tree.h"

#include "data/dataset.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* The levels of the lighter side, so that others go with the heavier one; 1 means to be in the
 * set. */
static sporf_status add_level_set(const spf_boosted_tree *tree, const spf_grown_node *node,
                                  size_t levels, int of_left, spf_builder *builder,
                                  uint32_t *projection) {
    const spf_bin_column *column = spf_tree_column(tree, node->cut.column);
    spf_set_list list = {0};
    uint32_t set, term = (uint32_t)builder->features;
    const float weight = 1;
    sporf_status status = spf_set_list_open(&list, column->source, 0, (uint32_t)levels - 1, &set);
    for (size_t k = 0; status == SPORF_OK && k < levels; k++)
        if (spf_cut_is_left(&node->cut, column, column->of_level[k]) == of_left)
            spf_set_list_put(&list, (uint32_t)k);
    spf_sets view = spf_set_list_view(&list);
    if (status == SPORF_OK)
        status = spf_builder_add_projection(builder, &term, &weight, 1, &view, projection);
    spf_set_list_free(&list);
    return status;
}

/* A split by levels: rows outside the set have 0 and go left, so that the set is the right side;
 * children are exchanged if it is the left one. */
typedef struct {
    uint32_t projection;
    float threshold;
    int missing_left, exchanged;
} plain_split;

static sporf_status split_levels(const spf_boosted_tree *tree, const spf_grown_node *node,
                                 const sporf_schema *schema, spf_builder *builder,
                                 plain_split *split) {
    const spf_grown_node *left = &tree->nodes[node->left], *right = &tree->nodes[node->right];
    uint32_t feature = spf_tree_column(tree, node->cut.column)->source;
    split->exchanged = left->end - left->begin < right->end - right->begin;
    split->threshold = 0.5f;
    if (split->exchanged) split->missing_left = !split->missing_left;
    return add_level_set(tree, node, spf_schema_levels(schema, feature), split->exchanged, builder,
                         &split->projection);
}

static sporf_status split_feature(const spf_boosted_tree *tree, const spf_grown_node *node,
                                  spf_builder *builder, plain_split *split) {
    const spf_bin_column *column = spf_tree_column(tree, node->cut.column);
    const float weight = 1;
    split->threshold =
        node->cut.after + 1u < column->bins ? column->threshold[node->cut.after] : SPF_VALUE_MAX;
    return spf_builder_add_projection(builder, &column->source, &weight, 1, NULL,
                                      &split->projection);
}

static sporf_status split_sum(const spf_boosted_tree *tree, const spf_grown_node *node,
                              spf_builder *builder, plain_split *split) {
    const spf_sums *sums = tree->rules->sums;
    size_t sum = node->cut.column - spf_tree_features(tree);
    const sporf_projections *list = &sums->list;
    spf_sets sets = spf_set_list_view(&sums->sets);
    split->threshold = spf_sums_threshold(sums, sum, node->cut.after);
    return spf_builder_add_projection(builder, list->feature + list->start[sum],
                                      list->weight + list->start[sum],
                                      spf_projection_terms(list, sum), &sets, &split->projection);
}

static sporf_status add_split(const spf_boosted_tree *tree, const spf_grown_node *node,
                              spf_builder *builder, uint32_t *number, int *exchanged) {
    const spf_bin_column *column = spf_tree_column(tree, node->cut.column);
    const spf_grown_node *left = &tree->nodes[node->left], *right = &tree->nodes[node->right];
    plain_split split = {.missing_left = column->missing
                                             ? node->cut.missing_left
                                             : left->end - left->begin > right->end - right->begin};
    const sporf_schema *schema = &tree->rules->sums->settings->data->schema;
    if (node->cut.column >= spf_tree_features(tree))
        SPF_TRY(split_sum(tree, node, builder, &split));
    else if (column->category)
        SPF_TRY(split_levels(tree, node, schema, builder, &split));
    else
        SPF_TRY(split_feature(tree, node, builder, &split));
    *exchanged = split.exchanged;
    return spf_builder_add_split(builder, split.projection, split.threshold, split.missing_left,
                                 number);
}

static sporf_status add_leaf(const spf_grown_node *node, spf_builder *builder) {
    uint32_t leaf;
    SPF_TRY(spf_builder_add_leaf(builder, &leaf));
    return spf_builder_fill_value(builder, fmaxf((float)node->hessian, FLT_MIN), node->value);
}

/* A node that waits for its place, and the split whose right child it is. */
typedef struct {
    uint32_t node, parent;
} waiting;

/* In preorder. */
static sporf_status add_nodes(const spf_boosted_tree *tree, spf_builder *builder, waiting *stack) {
    size_t count = 1;
    stack[0] = (waiting){0, UINT32_MAX};
    while (count > 0) {
        waiting next = stack[--count];
        const spf_grown_node *node = &tree->nodes[next.node];
        uint32_t number;
        int exchanged;
        if (next.parent != UINT32_MAX)
            spf_builder_set_right(builder, next.parent, (uint32_t)builder->nodes_count);
        if (node->left == 0) {
            SPF_TRY(add_leaf(node, builder));
            continue;
        }
        SPF_TRY(add_split(tree, node, builder, &number, &exchanged));
        stack[count++] = (waiting){exchanged ? node->left : node->right, number};
        stack[count++] = (waiting){exchanged ? node->right : node->left, UINT32_MAX};
    }
    return SPORF_OK;
}

sporf_status spf_boosted_tree_finish(const spf_boosted_tree *tree, spf_tree *out) {
    spf_builder builder = {.features = tree->rules->sums->settings->data->features};
    waiting *stack = spf_alloc(tree->nodes_count + 1, sizeof *stack);
    sporf_status status = stack ? add_nodes(tree, &builder, stack) : spf_raise_memory();
    free(stack);
    if (status == SPORF_OK) return spf_builder_finish(&builder, out);
    spf_builder_free(&builder);
    return status;
}
