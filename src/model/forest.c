/* The plain walk and the combination of leaves: they define what a forest predicts. Faster walks
 * are tested against this one. */
#include "model/forest.h"

#include "base/system.h"

#include <stdatomic.h>
#include <stdlib.h>

void spf_tree_free(spf_tree *tree) {
    free((void *)tree->nodes);
    free((void *)tree->projection_start);
    free((void *)tree->term_feature);
    free((void *)tree->term_weight);
    free((void *)tree->leaf_start);
    free((void *)tree->leaf_class);
    free((void *)tree->leaf_weight);
    if (!tree->borrows) {
        free((void *)tree->leaf_value);
        free((void *)tree->sample_end);
        free((void *)tree->sample_value);
        free((void *)tree->sample_weight);
        free((void *)tree->sets.sets);
        free((void *)tree->sets.words);
    }
    *tree = (spf_tree){0};
}

double spf_tree_bytes(const spf_tree_size *size) {
    const size_t word = sizeof(uint32_t);
    double bytes =
        sizeof(spf_tree) + spf_alloc_bytes(2 * size->leaves - 1, sizeof(spf_node)) +
        spf_alloc_bytes(size->projections + 1, word) + 2 * spf_alloc_bytes(size->terms, word) +
        spf_alloc_bytes(size->leaves + 1, word) + 2 * spf_alloc_bytes(size->entries, word);
    if (size->targets > 0) bytes += spf_alloc_bytes(size->leaves * size->targets, sizeof(float));
    if (size->sets > 0)
        bytes += spf_alloc_bytes(size->sets, sizeof(spf_set)) + spf_alloc_bytes(size->words, word);
    if (size->samples > 0)
        bytes += spf_alloc_bytes(size->leaves, word) +
                 spf_alloc_bytes(size->samples * size->targets, sizeof(float));
    if (size->sample_weights) bytes += spf_alloc_bytes(size->samples, sizeof(float));
    return bytes;
}

void spf_storage_free(spf_storage *storage) {
    if (storage->mapped)
        spf_system_unmap(storage->base, storage->mapped);
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
    forest->trees = NULL;
    forest->inspected = NULL;
}

static void free_packed(sporf_forest *forest) {
    free_trees(forest);
    if (!forest->storage.base) spf_packed_free(&forest->packed);
    spf_storage_free(&forest->storage);
}

void spf_forest_drop_trees(sporf_forest *forest) {
    free_packed(forest);
    forest->packed = (spf_packed){0};
    forest->trees_count = 0;
    free(forest->part.starts);
    free(forest->part.out_of_bag);
    forest->part.starts = NULL;
    forest->part.out_of_bag = NULL;
}

void sporf_forest_free(sporf_forest *forest) {
    if (!forest) return;
    free_packed(forest);
    spf_schema_free(&forest->schema);
    spf_strings_free(&forest->settings);
    free(forest->scale);
    free(forest->oob_curve);
    free(forest->oob_targets);
    free(forest->oob_labels);
    free(forest->oob_levels);
    spf_decision_free(&forest->decision);
    spf_boosting_free(&forest->boosting);
    spf_part_free(&forest->part);
    for (size_t i = 0; i < 2; i++) free(forest->trust[i].weight);
    free(forest->oob_votes);
    free(forest->oob_predictions);
    free(forest);
}

/* A row of a table, or a contiguous one. */
typedef struct {
    const float *const *columns; /* NULL for a contiguous row */
    size_t row;
    const float *values;
} place;

static float value_at(const place *from, uint32_t feature) {
    return from->columns ? from->columns[feature][from->row] : from->values[feature];
}

static float term_at(const spf_tree *tree, const place *from, uint32_t feature) {
    if (feature < tree->features) return value_at(from, feature);
    const spf_set *set = &tree->sets.sets[feature - tree->features];
    return spf_set_value(&tree->sets, set, value_at(from, set->feature));
}

static float project(const spf_tree *tree, const place *from, uint32_t projection) {
    uint32_t first = tree->projection_start[projection];
    uint32_t end = tree->projection_start[projection + 1];
    float sum = tree->term_weight[first] * term_at(tree, from, tree->term_feature[first]);
    for (uint32_t i = first + 1; i < end; i++)
        sum += tree->term_weight[i] * term_at(tree, from, tree->term_feature[i]);
    return sum;
}

float spf_tree_project(const spf_tree *tree, uint32_t projection, const float *const *columns,
                       size_t row) {
    return project(tree, &(place){.columns = columns, .row = row}, projection);
}

static uint32_t walk(const spf_tree *tree, const place *from, uint32_t at) {
    while (tree->nodes[at].right != 0) {
        const spf_node *node = &tree->nodes[at];
        float value = project(tree, from, spf_split_projection(node));
        int left =
            isnan(value) ? (node->content & SPF_MISSING_LEFT) != 0 : value <= node->threshold;
        at = left ? at + 1 : node->right;
    }
    return tree->nodes[at].content;
}

uint32_t spf_tree_walk_columns(const spf_tree *tree, const float *const *columns, size_t row) {
    return spf_tree_walk_from(tree, 0, columns, row);
}

uint32_t spf_tree_walk_from(const spf_tree *tree, uint32_t node, const float *const *columns,
                            size_t row) {
    return walk(tree, &(place){.columns = columns, .row = row}, node);
}

uint32_t spf_tree_walk_row(const spf_tree *tree, const float *row) {
    return walk(tree, &(place){.values = row}, 0);
}

void spf_leaf_add_posterior(const spf_tree *tree, uint32_t leaf, double *totals) {
    uint32_t first = tree->leaf_start[leaf], end = tree->leaf_start[leaf + 1];
    double sum = 0;
    for (uint32_t i = first; i < end; i++) sum += tree->leaf_weight[i];
    for (uint32_t i = first; i < end; i++)
        totals[tree->leaf_class[i]] += tree->leaf_weight[i] / sum;
}
