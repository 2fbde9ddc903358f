/* Exact Shapley values of one tree: of a row against a block of background rows.
 *
 * A walk starts without a decision on any player. Where the way depends on an undecided player, it
 * takes both of its choices, one after the other. Background rows that arrive in a leaf with the
 * same decisions share one cube of coalitions: those with the a players that chose the row, and
 * without the b players that chose the background. In the Shapley value of the former it has the
 * weight (a - 1)! b! / (a + b)!, in that of the latter -a! (b - 1)! / (a + b)!. */
#ifndef SPF_PREDICT_SHAPLEY_H
#define SPF_PREDICT_SHAPLEY_H

#include "predict/shapley_game.h"

void spf_shapley_free(spf_shapley *game);

/* Takes a tree, then a block of background rows, then a row: each holds for all that follow. */
sporf_status spf_shapley_take_tree(spf_shapley *game, const spf_shapley_tree *tree, size_t outputs);
void spf_shapley_take_block(spf_shapley *game, const float *const *columns, size_t first,
                            size_t rows);
void spf_shapley_take_row(spf_shapley *game, const float *const *columns, size_t row);

/* Computes values[players x outputs], sums over the background rows. Returns 0, with values without
 * meaning, if that took more than `budget` steps. */
int spf_shapley_exact(spf_shapley *game, uint64_t budget);

#endif
