#include "predict/shapley_rows.h"

#include "predict/shapley_cubes.h"
#include "predict/shapley_splits.h"

static spf_cubes decide(spf_shapley *game, uint32_t node, size_t row, spf_answer answer,
                        spf_decisions d);

/* From a node that the row comes to, to a leaf, or to the next decision. */
static inline spf_cubes walk(spf_shapley *game, uint32_t node, size_t row, spf_decisions d) {
    const spf_shapley_node *nodes = game->tree->nodes;
    for (;;) {
        game->steps++;
        if (nodes[node].right == 0) return spf_cubes_of_leaf(game, nodes[node].leaf, 1, d);
        spf_answer answer = spf_shapley_look(game, node, row);
        if (answer.way == SPF_DEPENDS) return decide(game, node, row, answer, d);
        uint32_t child = answer.way == SPF_GOES_LEFT ? node + 1 : nodes[node].right;
        node = game->next[(size_t)child * SPF_SHAPLEY_BLOCK + row];
    }
}

/* After a decision: the way may be known. */
static inline spf_cubes go(spf_shapley *game, uint32_t node, int way, size_t row, spf_decisions d) {
    uint32_t child = way == SPF_GOES_LEFT ? node + 1 : game->tree->nodes[node].right;
    if (way == SPF_DEPENDS) return walk(game, node, row, d);
    return walk(game, game->next[(size_t)child * SPF_SHAPLEY_BLOCK + row], row, d);
}

static spf_cubes decide(spf_shapley *game, uint32_t node, size_t row, spf_answer answer,
                        spf_decisions d) {
    uint32_t player = answer.player;
    if (game->steps > game->budget || !spf_may_decide(game, d)) return (spf_cubes){0, 0};
    spf_decisions first = spf_choose_row(game, player, d);
    spf_cubes with_row = go(game, node, answer.with_row, row, first);
    spf_decisions second = spf_choose_background(game, player, d);
    spf_cubes with_background = go(game, node, answer.with_background, row, second);
    return spf_choose_no_more(game, player, with_row, with_background);
}

/* Without a decision, nothing is added. */
static void walk_row(spf_shapley *game, size_t row) {
    uint32_t node = game->next[row];
    if (game->tree->nodes[node].right != 0) walk(game, node, row, (spf_decisions){0, 0});
}

void spf_shapley_walk_rows(spf_shapley *game) {
    spf_shapley_look_ahead(game);
    for (size_t row = 0; row < game->block && game->steps <= game->budget; row++)
        walk_row(game, row);
}
