/* Cubes of coalitions: what a walk adds to the values of players where it ends. */
#ifndef SPF_PREDICT_SHAPLEY_CUBES_H
#define SPF_PREDICT_SHAPLEY_CUBES_H

#include "predict/shapley_game.h"

/* What the cubes below a node add to the values of players that chose the row, and take from those
 * that chose the background. Only if there is a single output; otherwise leaves add to all players
 * of their path. */
typedef struct spf_cubes {
    double given, taken;
} spf_cubes;

/* Decisions so far: how many for the row, and for the background. */
typedef struct spf_decisions {
    uint32_t row, background;
} spf_decisions;

static inline spf_cubes spf_cubes_sum(spf_cubes a, spf_cubes b) {
    return (spf_cubes){a.given + b.given, a.taken + b.taken};
}

/* Adds the cube of a leaf to the values of all players of the path. */
void spf_add_to_path(spf_shapley *game, uint32_t leaf, double count, spf_decisions d);

/* The cube of a leaf that `count` background rows end in. */
static inline spf_cubes spf_cubes_of_leaf(spf_shapley *game, uint32_t leaf, double count,
                                          spf_decisions d) {
    if (!game->tree->is_single) {
        spf_add_to_path(game, leaf, count, d);
        return (spf_cubes){0, 0};
    }
    double value = count * game->tree->entry_value[leaf];
    return (spf_cubes){value * game->weight[d.row][d.background],
                       value * game->weight[d.background][d.row]};
}

/* Whether there is room for one more decision; if not, the budget is spent. */
static inline int spf_may_decide(spf_shapley *game, spf_decisions d) {
    if (d.row + d.background < SPF_SHAPLEY_PLAYERS) return 1;
    game->budget = 0;
    return 0;
}

/* The first choice of a player, and the decisions after it. */
static inline spf_decisions spf_choose_row(spf_shapley *game, uint32_t player, spf_decisions d) {
    game->path[d.row + d.background] = player;
    game->side[player] = SPF_FROM_ROW;
    return (spf_decisions){d.row + 1, d.background};
}

/* The second choice. */
static inline spf_decisions spf_choose_background(spf_shapley *game, uint32_t player,
                                                  spf_decisions d) {
    game->side[player] = SPF_FROM_BACKGROUND;
    return (spf_decisions){d.row, d.background + 1};
}

/* After both choices of a player. */
static inline spf_cubes spf_choose_no_more(spf_shapley *game, uint32_t player, spf_cubes first,
                                           spf_cubes second) {
    game->side[player] = SPF_UNDECIDED;
    if (game->tree->is_single) game->values[player] += first.given - second.taken;
    return spf_cubes_sum(first, second);
}

#endif
