#include "predict/shapley_walks.h"

#include "base/memory.h"
#include "base/rng.h"

#include <stdlib.h>
#include <string.h>

void spf_shapley_walks_free(spf_shapley_walks *walks) {
    free(walks->order);
    free(walks->met);
    free(walks->change);
    free(walks->sum);
    free(walks->square);
    free(walks->variance);
    *walks = (spf_shapley_walks){0};
}

static size_t values_count(const spf_shapley *game) {
    return game->tree->players_count * (game->tree->is_single ? 1 : game->outputs);
}

static sporf_status reserve(const spf_shapley *game, spf_shapley_walks *walks) {
    size_t players = game->tree->players_count, values = values_count(game);
    SPF_TRY(SPF_RESERVE(walks->order, walks->capacity[0], players));
    SPF_TRY(SPF_RESERVE(walks->met, walks->capacity[1], players));
    SPF_TRY(SPF_RESERVE(walks->change, walks->capacity[2], values));
    SPF_TRY(SPF_RESERVE(walks->sum, walks->capacity[3], values));
    SPF_TRY(SPF_RESERVE(walks->square, walks->capacity[4], values));
    return SPF_RESERVE(walks->variance, walks->capacity[5], values);
}

/* The leaf that a mixture of the row and a background row ends in. Players on the path have met
 * `step`. */
static uint32_t find_leaf(const spf_shapley *game, size_t other, uint32_t step, uint32_t *met) {
    const spf_shapley_tree *tree = game->tree;
    uint32_t node = 0;
    while (tree->nodes[node].right != 0) {
        const spf_shapley_node *split = &tree->nodes[node];
        float sum = 0;
        for (uint32_t t = split->first_term; t < split->first_term + split->terms; t++) {
            uint32_t player = tree->term_player[t];
            float term = game->side[player] == SPF_FROM_ROW ? game->row_terms[t]
                                                            : spf_shapley_other(game, t, other);
            sum = t == split->first_term ? term : sum + term;
            met[player] = step;
        }
        node = spf_shapley_goes_left(split, sum) ? node + 1 : split->right;
    }
    return tree->nodes[node].leaf;
}

/* Adds a share of what a leaf is worth. */
static void add_leaf(const spf_shapley *game, uint32_t leaf, double share, double *values) {
    const spf_shapley_tree *tree = game->tree;
    for (uint32_t e = tree->entry_start[leaf]; e < tree->entry_start[leaf + 1]; e++)
        values[tree->is_single ? 0 : tree->entry_output[e]] += share * tree->entry_value[e];
}

/* One walk, in order or in reverse, which counts half. A player that the path does not meet changes
 * nothing. */
static void walk(spf_shapley *game, spf_shapley_walks *walks, size_t other, int is_reverse) {
    uint32_t players = game->tree->players_count, step = 1;
    size_t width = game->tree->is_single ? 1 : game->outputs;
    memset(game->side, SPF_FROM_BACKGROUND, players);
    memset(walks->met, 0, players * sizeof *walks->met);
    uint32_t leaf = find_leaf(game, other, step, walks->met);
    for (uint32_t i = 0; i < players; i++) {
        uint32_t player = walks->order[is_reverse ? players - 1 - i : i];
        game->side[player] = SPF_FROM_ROW;
        if (walks->met[player] != step) continue;
        uint32_t next = find_leaf(game, other, ++step, walks->met);
        if (next == leaf) continue;
        add_leaf(game, next, 0.5, walks->change + player * width);
        add_leaf(game, leaf, -0.5, walks->change + player * width);
        leaf = next;
    }
}

static void shuffle(sporf_random *random, uint32_t *order, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = spf_random_below(random, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

/* Adds the values of one background row, and their variances. */
static void sample_row(spf_shapley *game, spf_shapley_walks *walks, size_t pairs, size_t other,
                       sporf_random *random) {
    size_t values = values_count(game), bytes = values * sizeof *walks->sum;
    memset(walks->sum, 0, bytes);
    memset(walks->square, 0, bytes);
    for (size_t k = 0; k < pairs; k++) {
        memset(walks->change, 0, bytes);
        shuffle(random, walks->order, game->tree->players_count);
        walk(game, walks, other, 0);
        walk(game, walks, other, 1);
        for (size_t i = 0; i < values; i++) {
            walks->sum[i] += walks->change[i];
            walks->square[i] += walks->change[i] * walks->change[i];
        }
    }
    double n = (double)pairs;
    for (size_t i = 0; i < values; i++) {
        double mean = walks->sum[i] / n, spread = walks->square[i] / n - mean * mean;
        game->values[i] += mean;
        if (spread > 0) walks->variance[i] += spread / (n - 1);
    }
}

sporf_status spf_shapley_sample(spf_shapley *game, spf_shapley_walks *walks, size_t pairs,
                                uint64_t key, uint64_t first) {
    SPF_TRY(reserve(game, walks));
    size_t bytes = values_count(game) * sizeof *game->values;
    memset(game->values, 0, bytes);
    memset(walks->variance, 0, bytes);
    for (size_t other = 0; other < game->block; other++) {
        sporf_random random = spf_random_start(key, first + other, SPF_USE_EXPLAIN);
        sample_row(game, walks, pairs, other, &random);
    }
    memset(game->side, SPF_UNDECIDED, game->tree->players_count);
    return SPORF_OK;
}
