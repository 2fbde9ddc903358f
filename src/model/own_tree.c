/* Of the forest's sets, a tree gets copies of those that it uses. */
#include "model/own_tree.h"

#include <stdlib.h>

sporf_status spf_tree_intern_sets(spf_tree *tree, spf_set_list *list, spf_set_index *index) {
    uint32_t *feature = (uint32_t *)tree->term_feature; /* the tree's own */
    for (uint32_t i = 0; i < tree->projection_start[tree->projections_count]; i++) {
        uint32_t number;
        if (feature[i] < tree->features) continue;
        SPF_TRY(spf_set_list_intern(list, index, &tree->sets, feature[i] - (uint32_t)tree->features,
                                    &number));
        feature[i] = (uint32_t)tree->features + number;
    }
    return SPORF_OK;
}

static sporf_status own_sets(spf_tree *tree, spf_sets *own) {
    spf_set_list list = {0};
    spf_set_index index = {0};
    if (tree->sets.count == 0) return SPORF_OK;
    sporf_status status = spf_tree_intern_sets(tree, &list, &index);
    free(index.slots);
    if (status == SPORF_OK)
        *own = spf_set_list_view(&list);
    else
        spf_set_list_free(&list);
    return status;
}

static sporf_status own_arrays(const sporf_forest *forest, const spf_tree *tree, spf_tree *own) {
    size_t leaves = tree->leaves_count, targets = forest->targets;
    size_t samples = tree->sample_end ? tree->sample_end[leaves - 1] : 0;
    SPF_TRY(spf_copy_array(tree->leaf_value, leaves * spf_leaf_width(forest),
                           sizeof *tree->leaf_value, &own->leaf_value));
    if (!tree->sample_end) return SPORF_OK;
    SPF_TRY(spf_copy_array(tree->sample_end, leaves, sizeof *tree->sample_end, &own->sample_end));
    SPF_TRY(spf_copy_array(tree->sample_value, samples * targets, sizeof *tree->sample_value,
                           &own->sample_value));
    return spf_copy_array(tree->sample_weight, samples, sizeof *tree->sample_weight,
                          &own->sample_weight);
}

sporf_status spf_tree_own(const sporf_forest *forest, spf_tree *tree) {
    spf_tree own = {0};
    sporf_status status = own_arrays(forest, tree, &own);
    if (status == SPORF_OK) status = own_sets(tree, &own.sets);
    if (status != SPORF_OK) {
        spf_tree_free(&own);
        return status;
    }
    tree->leaf_value = own.leaf_value;
    tree->sample_end = own.sample_end;
    tree->sample_value = own.sample_value;
    tree->sample_weight = own.sample_weight;
    tree->sets = own.sets;
    tree->borrows = 0;
    return SPORF_OK;
}
