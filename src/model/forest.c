/* The plain walk and the combination of leaves: the definition of what a forest predicts, written
 * to be read. Faster walks are tested against this one. */
#include "model/forest.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

void spf_tree_free(spf_tree *tree) {
    free((void *)tree->nodes);
    free((void *)tree->projection_start);
    free((void *)tree->term_feature);
    free((void *)tree->term_weight);
    free((void *)tree->leaf_start);
    free((void *)tree->leaf_class);
    free((void *)tree->leaf_weight);
    *tree = (spf_tree){0};
}

void spf_packed_free(spf_packed *packed) {
    free((void *)packed->trees);
    free((void *)packed->nodes);
    free((void *)packed->projection_start);
    free((void *)packed->term_feature);
    free((void *)packed->term_weight);
    free((void *)packed->leaf_weight);
    free((void *)packed->leaf_class);
    free((void *)packed->mixed_start);
    free((void *)packed->entry_class);
    free((void *)packed->entry_weight);
    *packed = (spf_packed){0};
}

void spf_storage_free(spf_storage *storage) {
    if (storage->mapped)
        munmap(storage->base, storage->mapped);
    else
        free(storage->base);
    *storage = (spf_storage){0};
}

static void free_trees(sporf_forest *forest) {
    for (size_t i = 0; i < forest->trees_count; i++) {
        spf_tree *inspected = forest->inspected ? atomic_load(&forest->inspected[i]) : NULL;
        if (forest->trees) spf_tree_free(&forest->trees[i]);
        if (inspected) spf_tree_free(inspected);
        free(inspected);
    }
    free(forest->trees);
    free(forest->inspected);
}

void sporf_forest_free(sporf_forest *forest) {
    if (!forest) return;
    free_trees(forest);
    if (!forest->storage.base) spf_packed_free(&forest->packed);
    spf_storage_free(&forest->storage);
    spf_schema_free(&forest->schema);
    spf_strings_free(&forest->class_names);
    spf_strings_free(&forest->settings);
    free(forest->label_name);
    free(forest->scale);
    free(forest->oob_curve);
    free(forest->oob_votes);
    free(forest);
}

uint32_t spf_tree_walk_columns(const spf_tree *tree, const float *const *columns, size_t row) {
    uint32_t at = 0;
    while (tree->nodes[at].right != 0) {
        const spf_node *node = &tree->nodes[at];
        uint32_t first = tree->projection_start[node->content];
        uint32_t terms = tree->projection_start[node->content + 1] - first;
        float value = spf_project_column(columns, row, tree->term_feature + first,
                                         tree->term_weight + first, terms);
        at = value <= node->threshold ? at + 1 : node->right;
    }
    return tree->nodes[at].content;
}

uint32_t spf_tree_walk_row(const spf_tree *tree, const float *row) {
    uint32_t at = 0;
    while (tree->nodes[at].right != 0) {
        const spf_node *node = &tree->nodes[at];
        uint32_t first = tree->projection_start[node->content];
        uint32_t terms = tree->projection_start[node->content + 1] - first;
        float value =
            spf_project_row(row, tree->term_feature + first, tree->term_weight + first, terms);
        at = value <= node->threshold ? at + 1 : node->right;
    }
    return tree->nodes[at].content;
}

uint32_t spf_leaf_vote(const spf_tree *tree, uint32_t leaf) {
    uint32_t best = tree->leaf_start[leaf];
    for (uint32_t i = best + 1; i < tree->leaf_start[leaf + 1]; i++)
        if (tree->leaf_weight[i] > tree->leaf_weight[best]) best = i;
    return tree->leaf_class[best];
}

void spf_leaf_add_posterior(const spf_tree *tree, uint32_t leaf, double *totals) {
    uint32_t first = tree->leaf_start[leaf], end = tree->leaf_start[leaf + 1];
    double sum = 0;
    for (uint32_t i = first; i < end; i++) sum += tree->leaf_weight[i];
    for (uint32_t i = first; i < end; i++)
        totals[tree->leaf_class[i]] += tree->leaf_weight[i] / sum;
}

uint32_t spf_argmax(const double *values, size_t count) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (values[i] > values[best]) best = i;
    return (uint32_t)best;
}
