/* Growing arrays that become a tree. */
#include "learn/growing/builder.h"

#include <stdlib.h>
#include <string.h>

void spf_builder_free(spf_builder *builder) {
    spf_set_list_free(&builder->sets);
    free(builder->nodes);
    free(builder->projection_start);
    free(builder->term_feature);
    free(builder->term_weight);
    free(builder->leaf_start);
    free(builder->leaf_class);
    free(builder->leaf_weight);
    free(builder->leaf_value);
    *builder = (spf_builder){0};
}

double spf_builder_bytes(const spf_tree_size *size) {
    const size_t word = sizeof(uint32_t);
    return spf_reserve_bytes(2 * size->leaves - 1, sizeof(spf_node)) +
           spf_reserve_bytes(size->projections + 1, word) +
           2 * spf_reserve_bytes(size->terms, word) + spf_reserve_bytes(size->leaves + 1, word) +
           2 * spf_reserve_bytes(size->entries, word) +
           spf_reserve_bytes(size->leaves * size->targets, sizeof(float)) +
           spf_reserve_bytes(size->sets, sizeof(spf_set)) + spf_reserve_bytes(size->words, word);
}

/* Copies the sets of the last terms. */
static sporf_status add_sets(spf_builder *b, size_t terms, const spf_sets *sets) {
    for (size_t i = b->terms_count; i < b->terms_count + terms; i++) {
        uint32_t *feature = &b->term_feature[i], copy = 0;
        if (*feature < b->features) continue;
        SPF_TRY(spf_set_list_copy(&b->sets, sets, *feature - (uint32_t)b->features, &copy));
        *feature = (uint32_t)b->features + copy;
    }
    return SPORF_OK;
}

sporf_status spf_builder_add_projection(spf_builder *b, const uint32_t *features,
                                        const float *weights, size_t terms, const spf_sets *sets,
                                        uint32_t *number) {
    if (b->projections_count >= SPF_MISSING_LEFT)
        return spf_raise(SPORF_ERROR_DATA, "a tree has more than 2^31 projections" SPF_HINT
                                           "limit the depth (" SPF_OPTION("max-depth") ")");
    if (b->terms_count + terms > UINT32_MAX)
        return spf_raise(
            SPORF_ERROR_DATA,
            "a tree has more than 2^32 projection terms" SPF_HINT
            "lower the " SPF_OPTION("density") " or limit the depth (" SPF_OPTION("max-depth") ")");
    SPF_TRY(
        SPF_RESERVE(b->projection_start, b->projection_start_capacity, b->projections_count + 2));
    SPF_TRY(SPF_RESERVE(b->term_feature, b->term_feature_capacity, b->terms_count + terms));
    SPF_TRY(SPF_RESERVE(b->term_weight, b->term_weight_capacity, b->terms_count + terms));
    memcpy(b->term_feature + b->terms_count, features, terms * sizeof *features);
    memcpy(b->term_weight + b->terms_count, weights, terms * sizeof *weights);
    if (sets) SPF_TRY(add_sets(b, terms, sets));
    *number = (uint32_t)b->projections_count;
    b->projection_start[b->projections_count++] = (uint32_t)b->terms_count;
    b->terms_count += terms;
    b->projection_start[b->projections_count] = (uint32_t)b->terms_count;
    return SPORF_OK;
}

static sporf_status add_node(spf_builder *b, spf_node node) {
    SPF_TRY(SPF_RESERVE(b->nodes, b->nodes_capacity, b->nodes_count + 1));
    b->nodes[b->nodes_count++] = node;
    return SPORF_OK;
}

sporf_status spf_builder_add_split(spf_builder *b, uint32_t projection, float threshold,
                                   int missing_left, uint32_t *node) {
    *node = (uint32_t)b->nodes_count;
    uint32_t content = projection | (missing_left ? SPF_MISSING_LEFT : 0);
    return add_node(b, (spf_node){.threshold = threshold, .content = content});
}

void spf_builder_set_right(spf_builder *b, uint32_t node, uint32_t right) {
    b->nodes[node].right = right;
}

sporf_status spf_builder_add_leaf(spf_builder *b, uint32_t *leaf) {
    *leaf = (uint32_t)b->leaves_count;
    return add_node(b, (spf_node){.content = *leaf});
}

sporf_status spf_builder_fill_leaf(spf_builder *b, const uint32_t *present, size_t present_count,
                                   const uint32_t *class_total) {
    if (b->entries_count + present_count > UINT32_MAX)
        return spf_raise(SPORF_ERROR_DATA,
                         "the leaves of a tree hold more than 2^32 classes" SPF_HINT
                         "limit the depth (" SPF_OPTION("max-depth") ")");
    SPF_TRY(SPF_RESERVE(b->leaf_start, b->leaf_start_capacity, b->leaves_count + 2));
    SPF_TRY(SPF_RESERVE(b->leaf_class, b->leaf_class_capacity, b->entries_count + present_count));
    SPF_TRY(SPF_RESERVE(b->leaf_weight, b->leaf_weight_capacity, b->entries_count + present_count));
    b->leaf_start[b->leaves_count++] = (uint32_t)b->entries_count;
    for (size_t i = 0; i < present_count; i++) {
        b->leaf_class[b->entries_count] = present[i];
        b->leaf_weight[b->entries_count++] = (float)class_total[present[i]];
    }
    b->leaf_start[b->leaves_count] = (uint32_t)b->entries_count;
    return SPORF_OK;
}

sporf_status spf_builder_add_values(spf_builder *b, const double *values, size_t count) {
    if (count == 0) return SPORF_OK;
    SPF_TRY(SPF_RESERVE(b->leaf_value, b->leaf_value_capacity, b->values_count + count));
    for (size_t i = 0; i < count; i++) b->leaf_value[b->values_count++] = (float)values[i];
    return SPORF_OK;
}

sporf_status spf_builder_fill_value(spf_builder *b, float weight, double value) {
    const uint32_t one = 1, first = 0;
    SPF_TRY(spf_builder_fill_leaf(b, &first, 1, &one));
    b->leaf_weight[b->entries_count - 1] = weight;
    return spf_builder_add_values(b, &value, 1);
}

static sporf_status append_values(spf_builder *b, const spf_builder *subtree) {
    size_t count = subtree->values_count;
    if (count == 0) return SPORF_OK;
    SPF_TRY(SPF_RESERVE(b->leaf_value, b->leaf_value_capacity, b->values_count + count));
    memcpy(b->leaf_value + b->values_count, subtree->leaf_value, count * sizeof *b->leaf_value);
    b->values_count += count;
    return SPORF_OK;
}

static sporf_status append_projections(spf_builder *b, const spf_builder *subtree) {
    spf_sets sets = spf_set_list_view(&subtree->sets);
    for (size_t i = 0; i < subtree->projections_count; i++) {
        uint32_t start = subtree->projection_start[i], number;
        SPF_TRY(spf_builder_add_projection(
            b, subtree->term_feature + start, subtree->term_weight + start,
            subtree->projection_start[i + 1] - start, &sets, &number));
    }
    return SPORF_OK;
}

static sporf_status append_leaves(spf_builder *b, const spf_builder *subtree) {
    size_t leaves = subtree->leaves_count, entries = subtree->entries_count;
    SPF_TRY(SPF_RESERVE(b->leaf_start, b->leaf_start_capacity, b->leaves_count + leaves + 1));
    SPF_TRY(SPF_RESERVE(b->leaf_class, b->leaf_class_capacity, b->entries_count + entries));
    SPF_TRY(SPF_RESERVE(b->leaf_weight, b->leaf_weight_capacity, b->entries_count + entries));
    for (size_t i = 0; i <= leaves; i++)
        b->leaf_start[b->leaves_count + i] = subtree->leaf_start[i] + (uint32_t)b->entries_count;
    memcpy(b->leaf_class + b->entries_count, subtree->leaf_class,
           entries * sizeof *subtree->leaf_class);
    memcpy(b->leaf_weight + b->entries_count, subtree->leaf_weight,
           entries * sizeof *subtree->leaf_weight);
    b->leaves_count += leaves;
    b->entries_count += entries;
    return SPORF_OK;
}

static sporf_status append_nodes(spf_builder *b, const spf_builder *subtree, uint32_t projections,
                                 uint32_t leaves) {
    uint32_t nodes = (uint32_t)b->nodes_count;
    SPF_TRY(SPF_RESERVE(b->nodes, b->nodes_capacity, b->nodes_count + subtree->nodes_count));
    for (size_t i = 0; i < subtree->nodes_count; i++) {
        spf_node node = subtree->nodes[i];
        node.content += node.right ? projections : leaves;
        node.right += node.right ? nodes : 0;
        b->nodes[b->nodes_count++] = node;
    }
    return SPORF_OK;
}

sporf_status spf_builder_append(spf_builder *b, spf_builder *subtree, int named) {
    uint32_t leaves = (uint32_t)b->leaves_count;
    uint32_t projections = named ? 0 : (uint32_t)b->projections_count;
    if (b->nodes_count == 0 && b->projections_count == 0) {
        spf_builder_free(b);
        *b = *subtree;
        *subtree = (spf_builder){0};
        return SPORF_OK;
    }
    SPF_TRY(append_projections(b, subtree));
    SPF_TRY(append_leaves(b, subtree));
    SPF_TRY(append_values(b, subtree));
    SPF_TRY(append_nodes(b, subtree, projections, leaves));
    spf_builder_free(subtree);
    return SPORF_OK;
}

static double leaf_weight(const spf_builder *b, uint32_t leaf) {
    double sum = 0;
    for (uint32_t i = b->leaf_start[leaf]; i < b->leaf_start[leaf + 1]; i++)
        sum += b->leaf_weight[i];
    return sum;
}

sporf_status spf_builder_send_missing(spf_builder *b) {
    double *weight = spf_alloc(b->nodes_count, sizeof *weight);
    if (!weight) return spf_raise_memory();
    for (size_t i = b->nodes_count; i-- > 0;) {
        spf_node *node = &b->nodes[i];
        if (node->right == 0) {
            weight[i] = leaf_weight(b, node->content);
            continue;
        }
        weight[i] = weight[i + 1] + weight[node->right];
        if (weight[i + 1] > weight[node->right]) node->content |= SPF_MISSING_LEFT;
    }
    free(weight);
    return SPORF_OK;
}

void spf_builder_empty_leaves(spf_builder *b) {
    b->leaves_count = b->entries_count = b->values_count = 0;
}

/* Copies an array to one of exactly its size and frees it. With realloc instead, the next tree's
 * arrays would grow in fresh memory, page by page. */
static void *shrink(void *array, size_t count, size_t size, int *failed) {
    void *exact = spf_alloc(count, size);
    if (!exact)
        *failed = 1;
    else if (count > 0)
        memcpy(exact, array, count * size);
    free(array);
    return exact;
}

/* The same for starts; an empty list still ends at 0. */
static uint32_t *shrink_starts(uint32_t *starts, size_t count, int *failed) {
    if (starts) return shrink(starts, count + 1, sizeof *starts, failed);
    starts = spf_alloc_zero(1, sizeof *starts);
    if (!starts) *failed = 1;
    return starts;
}

sporf_status spf_builder_finish(spf_builder *b, spf_tree *tree) {
    int failed = 0;
    *tree = (spf_tree){
        .nodes_count = (uint32_t)b->nodes_count,
        .projections_count = (uint32_t)b->projections_count,
        .leaves_count = (uint32_t)b->leaves_count,
        .nodes = shrink(b->nodes, b->nodes_count, sizeof *b->nodes, &failed),
        .projection_start = shrink_starts(b->projection_start, b->projections_count, &failed),
        .term_feature = shrink(b->term_feature, b->terms_count, sizeof *b->term_feature, &failed),
        .term_weight = shrink(b->term_weight, b->terms_count, sizeof *b->term_weight, &failed),
        .leaf_start = shrink_starts(b->leaf_start, b->leaves_count, &failed),
        .leaf_class = shrink(b->leaf_class, b->entries_count, sizeof *b->leaf_class, &failed),
        .leaf_weight = shrink(b->leaf_weight, b->entries_count, sizeof *b->leaf_weight, &failed),
        .features = b->features,
        .sets = {.count = b->sets.count, .words_count = b->sets.words_count},
    };
    if (b->values_count > 0)
        tree->leaf_value = shrink(b->leaf_value, b->values_count, sizeof *b->leaf_value, &failed);
    if (b->sets.count > 0) {
        tree->sets.sets = shrink(b->sets.sets, b->sets.count, sizeof *b->sets.sets, &failed);
        tree->sets.words =
            shrink(b->sets.words, b->sets.words_count, sizeof *b->sets.words, &failed);
    }
    *b = (spf_builder){0};
    if (!failed) return SPORF_OK;
    spf_tree_free(tree);
    return spf_raise_memory();
}
