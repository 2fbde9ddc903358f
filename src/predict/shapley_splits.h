/* What decisions on players say at a split: which way a background row goes, or which player to
 * decide on next. */
#ifndef SPF_PREDICT_SHAPLEY_SPLITS_H
#define SPF_PREDICT_SHAPLEY_SPLITS_H

#include "predict/shapley_game.h"

enum { SPF_GOES_RIGHT, SPF_GOES_LEFT, SPF_DEPENDS };

/* Of a background row at a split, after the decisions so far. */
typedef struct spf_answer {
    int way;
    uint32_t player; /* to decide on next, if the way depends on undecided ones */
} spf_answer;

/* Fills the tables that are the same for all games. */
void spf_shapley_fill_tables(spf_shapley *game);

/* Finds the prospects of a block at a split. Once for each row, before the first look. */
void spf_shapley_look_ahead(spf_shapley *game, uint32_t node);

/* By bounds, for more than few players. */
spf_answer spf_shapley_look_at_many(const spf_shapley *game, const spf_shapley_node *split,
                                    size_t row);

/* Which of the first players changes the outcome of most coalitions that are possible. */
static inline uint32_t spf_most_influential(uint32_t players, uint32_t outcomes,
                                            uint32_t possible) {
    static const uint32_t without[] = {0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0x0000ffff};
    uint32_t best = 0;
    int most = 0;
    for (uint32_t k = 0; k < players; k++) {
        uint32_t both = possible & possible >> (1u << k) & without[k];
        int count = __builtin_popcount((outcomes ^ outcomes >> (1u << k)) & both);
        best = count > most ? k : best;
        most = count > most ? count : most;
    }
    return best;
}

/* A way, or SPF_DEPENDS plus which of the players to decide on next. */
static inline uint8_t spf_find_answer(uint32_t players, uint32_t outcomes, uint32_t possible) {
    uint32_t left = outcomes & possible;
    if (left == 0) return SPF_GOES_RIGHT;
    if (left == possible) return SPF_GOES_LEFT;
    return (uint8_t)(SPF_DEPENDS + spf_most_influential(players, outcomes, possible));
}

static inline spf_answer spf_shapley_look(const spf_shapley *game, uint32_t node, size_t row) {
    const spf_shapley_node *split = &game->tree->nodes[node];
    const uint8_t *side = game->side;
    if (split->players > SPF_FEW_PLAYERS) return spf_shapley_look_at_many(game, split, row);
    uint32_t outcomes = game->prospects[(size_t)node * SPF_SHAPLEY_BLOCK + row].outcomes;
    uint32_t code =
        side[split->player[0]] + 3u * side[split->player[1]] + 9u * side[split->player[2]];
    int answer;
    if (split->players <= SPF_TABLED_PLAYERS) {
        answer = game->answers[outcomes][code];
    } else {
        code += 27u * side[split->player[3]] + 81u * side[split->player[4]];
        answer = spf_find_answer(split->players, outcomes, game->possible[code]);
    }
    if (answer < SPF_DEPENDS) return (spf_answer){answer, 0};
    return (spf_answer){SPF_DEPENDS, split->player[answer - SPF_DEPENDS]};
}

#endif
