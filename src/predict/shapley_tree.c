/* Players are numbered in the order in which projections name them. */
#include "predict/shapley_tree.h"

#include "base/memory.h"

#include <stdlib.h>

/* ---- players --------------------------------------------------------------------------------- */

/* number[identity] is 1 + the number of a player, or 0. Sets of levels of one feature have the same
 * player. */
static void name_term(spf_shapley_tree *tree, uint32_t term, uint32_t identity, uint32_t *number) {
    if (number[identity] == 0) {
        tree->identity[tree->players_count] = identity;
        number[identity] = ++tree->players_count;
    }
    tree->term_player[term] = number[identity] - 1;
}

static sporf_status name_players(spf_shapley_tree *tree, const spf_tree_lines *lines) {
    const spf_tree *plain = tree->plain;
    size_t identities = lines->line ? lines->count : plain->features;
    uint32_t *number = spf_alloc_zero(identities, sizeof *number);
    if (!number) return spf_raise_memory();
    for (uint32_t p = 0; p < plain->projections_count; p++)
        for (uint32_t i = plain->projection_start[p]; i < plain->projection_start[p + 1]; i++) {
            uint32_t feature = spf_term_feature(plain, plain->term_feature[i]);
            name_term(tree, i, lines->line ? lines->line[p] : feature, number);
        }
    free(number);
    return SPORF_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void list_players(const spf_shapley_tree *tree, spf_shapley_node *split) {
    const uint32_t *player = tree->term_player + split->first_term;
    for (size_t k = 0; k < SPF_FEW_PLAYERS; k++) split->player[k] = tree->players_count;
    if (split->terms > SPF_FEW_TERMS) split->players = SPF_FEW_PLAYERS + 1;
    for (uint32_t t = 0; t < split->terms && split->players <= SPF_FEW_PLAYERS; t++) {
        uint8_t k = 0;
        while (k < split->players && split->player[k] != player[t]) k++;
        if (k < split->players) continue;
        if (k < SPF_FEW_PLAYERS) split->player[k] = player[t];
        split->players++;
    }
}

static void copy_nodes(spf_shapley_tree *tree) {
    const spf_tree *plain = tree->plain;
    tree->is_single_player = 1;
    for (uint32_t i = 0; i < plain->nodes_count; i++) {
        const spf_node *from = &plain->nodes[i];
        spf_shapley_node *node = &tree->nodes[i];
        *node = (spf_shapley_node){.threshold = from->threshold, .right = from->right};
        if (from->right == 0) {
            node->leaf = from->content;
            continue;
        }
        uint32_t projection = spf_split_projection(from);
        node->first_term = plain->projection_start[projection];
        node->terms = plain->projection_start[projection + 1] - node->first_term;
        node->missing_left = (from->content & SPF_MISSING_LEFT) != 0;
        list_players(tree, node);
        if (node->players > 1) tree->is_single_player = 0;
    }
}

static sporf_status open_splits(spf_shapley_tree *tree, const spf_tree_lines *lines) {
    const spf_tree *plain = tree->plain;
    tree->terms_count = plain->projection_start[plain->projections_count];
    tree->nodes = spf_alloc(plain->nodes_count, sizeof *tree->nodes);
    tree->term_player = spf_alloc(tree->terms_count, sizeof *tree->term_player);
    tree->identity = spf_alloc(tree->terms_count, sizeof *tree->identity);
    if (!tree->nodes || !tree->term_player || !tree->identity) return spf_raise_memory();
    SPF_TRY(name_players(tree, lines));
    copy_nodes(tree);
    return SPORF_OK;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

static double share_of_second(const spf_tree *plain, uint32_t leaf, spf_leaf_adds adds) {
    double shares[2] = {0, 0};
    if (adds == SPF_LEAF_VOTE) return spf_leaf_vote(plain, leaf);
    spf_leaf_add_posterior(plain, leaf, shares);
    return shares[1];
}

static void put(spf_shapley_tree *tree, uint32_t leaf, uint32_t output, double value) {
    uint32_t at = tree->entry_start[leaf + 1]++;
    tree->entry_output[at] = output;
    tree->entry_value[at] = value;
}

static void put_shares(spf_shapley_tree *tree, uint32_t leaf) {
    const spf_tree *plain = tree->plain;
    double sum = 0;
    uint32_t first = plain->leaf_start[leaf], end = plain->leaf_start[leaf + 1];
    for (uint32_t i = first; i < end; i++) sum += plain->leaf_weight[i];
    for (uint32_t i = first; i < end; i++)
        put(tree, leaf, plain->leaf_class[i], plain->leaf_weight[i] / sum);
}

static void put_leaf(const sporf_forest *forest, size_t number, spf_leaf_adds adds, uint32_t leaf,
                     spf_shapley_tree *tree) {
    const spf_tree *plain = tree->plain;
    size_t width = spf_leaf_width(forest);
    if (spf_is_boosted(forest))
        put(tree, leaf, (uint32_t)(number % forest->boosting.outputs), plain->leaf_value[leaf]);
    else if (adds == SPF_LEAF_VALUES)
        for (size_t t = 0; t < width; t++)
            put(tree, leaf, (uint32_t)t, plain->leaf_value[leaf * width + t]);
    else if (forest->classes == 2)
        put(tree, leaf, 1, share_of_second(plain, leaf, adds));
    else if (adds == SPF_LEAF_VOTE)
        put(tree, leaf, spf_leaf_vote(plain, leaf), 1);
    else
        put_shares(tree, leaf);
}

static sporf_status open_leaves(const sporf_forest *forest, size_t number, spf_leaf_adds adds,
                                spf_shapley_tree *tree) {
    const spf_tree *plain = tree->plain;
    size_t width = spf_leaf_width(forest);
    size_t entries =
        width > 0 ? width * plain->leaves_count : plain->leaf_start[plain->leaves_count];
    tree->is_single = width == 1 || forest->classes == 2;
    tree->entry_start = spf_alloc(plain->leaves_count + (size_t)1, sizeof *tree->entry_start);
    tree->entry_output = spf_alloc(entries, sizeof *tree->entry_output);
    tree->entry_value = spf_alloc(entries, sizeof *tree->entry_value);
    if (!tree->entry_start || !tree->entry_output || !tree->entry_value) return spf_raise_memory();
    tree->entry_start[0] = 0;
    for (uint32_t leaf = 0; leaf < plain->leaves_count; leaf++) {
        tree->entry_start[leaf + 1] = tree->entry_start[leaf];
        put_leaf(forest, number, adds, leaf, tree);
    }
    return SPORF_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

sporf_status spf_shapley_tree_open(const sporf_forest *forest, size_t number, const spf_tree *plain,
                                   spf_leaf_adds adds, const spf_tree_lines *lines,
                                   spf_shapley_tree *out) {
    *out = (spf_shapley_tree){.plain = plain};
    sporf_status status = open_splits(out, lines);
    if (status == SPORF_OK) status = open_leaves(forest, number, adds, out);
    if (status != SPORF_OK) spf_shapley_tree_free(out);
    return status;
}

void spf_shapley_tree_free(spf_shapley_tree *tree) {
    free(tree->nodes);
    free(tree->term_player);
    free(tree->identity);
    free(tree->entry_start);
    free(tree->entry_output);
    free(tree->entry_value);
    *tree = (spf_shapley_tree){0};
}

static float term_value(const spf_tree *plain, uint32_t term, const float *const *columns,
                        size_t row) {
    if (term < plain->features) return columns[term][row];
    const spf_set *set = &plain->sets.sets[term - plain->features];
    return spf_set_value(&plain->sets, set, columns[set->feature][row]);
}

void spf_shapley_terms(const spf_shapley_tree *tree, const float *const *columns, size_t row,
                       size_t stride, float *terms) {
    const spf_tree *plain = tree->plain;
    for (uint32_t i = 0; i < tree->terms_count; i++)
        terms[i * stride] =
            plain->term_weight[i] * term_value(plain, plain->term_feature[i], columns, row);
}
