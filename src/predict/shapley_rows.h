/* The walk where splits have several players: one background row after the other. */
#ifndef SPF_PREDICT_SHAPLEY_ROWS_H
#define SPF_PREDICT_SHAPLEY_ROWS_H

#include "predict/shapley_game.h"

void spf_shapley_walk_rows(spf_shapley *game);

#endif
