/* A tree under construction: nodes in preorder, with their projections and leaves. */
#ifndef SPF_LEARN_GROWING_BUILDER_H
#define SPF_LEARN_GROWING_BUILDER_H

#include "model/forest.h"

typedef struct spf_builder {
    size_t features; /* of the data; terms with higher numbers name sets */
    spf_set_list sets;
    spf_node *nodes;
    uint32_t *projection_start, *term_feature, *leaf_start, *leaf_class;
    float *term_weight, *leaf_weight, *leaf_value;
    size_t nodes_count, projections_count, terms_count, leaves_count, entries_count, values_count;
    size_t nodes_capacity, projection_start_capacity, term_feature_capacity, term_weight_capacity,
        leaf_start_capacity, leaf_class_capacity, leaf_weight_capacity, leaf_value_capacity;
} spf_builder;

void spf_builder_free(spf_builder *builder);
/* Its memory for a tree of such a size; samples of leaves are not part of it. */
double spf_builder_bytes(const spf_tree_size *size);

/* Terms may name sets, which the builder copies; sets is NULL if none does. */
sporf_status spf_builder_add_projection(spf_builder *builder, const uint32_t *features,
                                        const float *weights, size_t terms, const spf_sets *sets,
                                        uint32_t *number);

/* Adds the next node in preorder and sets *node to its number. A split's right child is set later
 * with spf_builder_set_right. */
sporf_status spf_builder_add_split(spf_builder *builder, uint32_t projection, float threshold,
                                   int missing_left, uint32_t *node);
void spf_builder_set_right(spf_builder *builder, uint32_t node, uint32_t right);

/* Adds a leaf, to be filled before the next one is added. */
sporf_status spf_builder_add_leaf(spf_builder *builder, uint32_t *leaf);

/* Fills the first empty leaf with the weight of each class in `present` (ascending). */
sporf_status spf_builder_fill_leaf(spf_builder *builder, const uint32_t *present,
                                   size_t present_count, const uint32_t *class_total);

/* Adds the predictions of the leaf filled last, in regression: the same number for each leaf. */
sporf_status spf_builder_add_values(spf_builder *builder, const double *values, size_t count);

/* Fills the first empty leaf with one value and its weight. */
sporf_status spf_builder_fill_value(spf_builder *builder, float weight, double value);

/* Adds a subtree as the next nodes in preorder and empties its builder. With `named`, its nodes
 * already use this builder's projections. */
sporf_status spf_builder_append(spf_builder *builder, spf_builder *subtree, int named);

/* Sends missing values to the heavier side of every split, the right one in a tie: for training
 * data without any, whose splits have no side for them yet. */
sporf_status spf_builder_send_missing(spf_builder *builder);

/* Empties all leaves, so that they can be filled again. */
void spf_builder_empty_leaves(spf_builder *builder);

/* Makes the finished tree, to be freed with spf_tree_free, and empties the builder. */
sporf_status spf_builder_finish(spf_builder *builder, spf_tree *tree);

#endif
