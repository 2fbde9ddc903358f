#include "predict/shapley.h"

#include "base/memory.h"
#include "predict/shapley_bits.h"
#include "predict/shapley_rows.h"
#include "predict/shapley_splits.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = SPF_SHAPLEY_BLOCK, MOST = SPF_SHAPLEY_PLAYERS };

/* ---- buffers --------------------------------------------------------------------------------- */

void spf_shapley_free(spf_shapley *game) {
    free(game->block_terms);
    free(game->block_left);
    free(game->row_terms);
    free(game->row_left);
    free(game->prospects);
    free(game->is_known);
    free(game->side);
    free(game->values);
    free(game->weight);
    *game = (spf_shapley){0};
}

/* weight[a][b] = (a - 1)! b! / (a + b)!; no player asks for that of a = 0. */
static sporf_status fill_weights(spf_shapley *game) {
    if (game->weight) return SPORF_OK;
    game->weight = spf_alloc(MOST + 1, sizeof *game->weight);
    if (!game->weight) return spf_raise_memory();
    spf_shapley_fill_tables(game);
    for (int b = 0; b <= MOST; b++) {
        game->weight[0][b] = 0;
        game->weight[1][b] = 1.0 / (b + 1);
        for (int a = 1; a < MOST; a++)
            game->weight[a + 1][b] = game->weight[a][b] * a / (a + b + 1);
    }
    return SPORF_OK;
}

sporf_status spf_shapley_take_tree(spf_shapley *game, const spf_shapley_tree *tree,
                                   size_t outputs) {
    size_t nodes = tree->plain->nodes_count, terms = tree->terms_count, *room = game->capacity;
    size_t values = tree->players_count * (tree->is_single ? 1 : outputs);
    game->tree = tree;
    game->outputs = outputs;
    SPF_TRY(fill_weights(game));
    SPF_TRY(SPF_RESERVE(game->block_terms, room[0], terms * BLOCK));
    SPF_TRY(SPF_RESERVE(game->block_left, room[1], nodes));
    SPF_TRY(SPF_RESERVE(game->row_terms, room[2], terms));
    SPF_TRY(SPF_RESERVE(game->row_left, room[3], nodes));
    SPF_TRY(SPF_RESERVE(game->side, room[4], tree->players_count + (size_t)1));
    SPF_TRY(SPF_RESERVE(game->values, room[5], values));
    SPF_TRY(SPF_RESERVE(game->prospects, room[6], tree->is_single_player ? 0 : nodes * BLOCK));
    SPF_TRY(SPF_RESERVE(game->is_known, room[7], nodes));
    memset(game->side, SPF_UNDECIDED, tree->players_count);
    game->side[tree->players_count] = SPF_FROM_BACKGROUND;
    return SPORF_OK;
}

/* ---- who goes left --------------------------------------------------------------------------- */

static uint64_t rows_left(const spf_shapley *game, const spf_shapley_node *split) {
    uint64_t left = 0;
    for (size_t i = 0; i < game->block; i++) {
        float sum = spf_shapley_other(game, split->first_term, i);
        for (uint32_t t = 1; t < split->terms; t++)
            sum += spf_shapley_other(game, split->first_term + t, i);
        left |= (uint64_t)spf_shapley_goes_left(split, sum) << i;
    }
    return left;
}

void spf_shapley_take_block(spf_shapley *game, const float *const *columns, size_t first,
                            size_t rows) {
    const spf_shapley_tree *tree = game->tree;
    game->block = rows;
    memset(game->block_terms, 0, (size_t)tree->terms_count * BLOCK * sizeof *game->block_terms);
    for (size_t i = 0; i < rows; i++)
        spf_shapley_terms(tree, columns, first + i, BLOCK, game->block_terms + i);
    for (uint32_t n = 0; n < tree->plain->nodes_count; n++)
        if (tree->nodes[n].right != 0) game->block_left[n] = rows_left(game, &tree->nodes[n]);
}

void spf_shapley_take_row(spf_shapley *game, const float *const *columns, size_t row) {
    const spf_shapley_tree *tree = game->tree;
    spf_shapley_terms(tree, columns, row, 1, game->row_terms);
    memset(game->is_known, 0, tree->plain->nodes_count);
    for (uint32_t n = 0; n < tree->plain->nodes_count; n++) {
        const spf_shapley_node *split = &tree->nodes[n];
        if (split->right == 0) continue;
        float sum = game->row_terms[split->first_term];
        for (uint32_t t = 1; t < split->terms; t++) sum += game->row_terms[split->first_term + t];
        game->row_left[n] = (uint8_t)spf_shapley_goes_left(split, sum);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

int spf_shapley_exact(spf_shapley *game, uint64_t budget) {
    const spf_shapley_tree *tree = game->tree;
    size_t values = tree->players_count * (tree->is_single ? 1 : game->outputs);
    memset(game->values, 0, values * sizeof *game->values);
    game->steps = 0;
    game->budget = budget;
    (tree->is_single_player ? spf_shapley_walk_bits : spf_shapley_walk_rows)(game);
    return game->steps <= game->budget;
}
