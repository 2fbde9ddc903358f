/* The walk where each split has one player: background rows go together, as bits of a word.
 *
 * Rows that go the explained row's way go on without a decision. The others wait for the choices of
 * the player. */
#ifndef SPF_PREDICT_SHAPLEY_BITS_H
#define SPF_PREDICT_SHAPLEY_BITS_H

#include "predict/shapley_game.h"

void spf_shapley_walk_bits(spf_shapley *game);

#endif
