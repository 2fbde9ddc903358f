#include "predict/shapley_rows.h"

#include "predict/shapley_cubes.h"
#include "predict/shapley_splits.h"

/* From a node to the next one that depends on players, or to a leaf. The way there is kept: a walk
 * comes to most nodes several times. */
static inline uint32_t skip_splits(spf_shapley *game, uint32_t node, size_t row) {
    const spf_shapley_node *nodes = game->tree->nodes;
    spf_prospect *prospects = game->prospects + row;
    uint32_t end = node, steps = 1;
    for (; nodes[end].right != 0; steps++) {
        if (!game->is_known[end]) spf_shapley_look_ahead(game, end);
        uint32_t next = prospects[(size_t)end * SPF_SHAPLEY_BLOCK].next;
        if (next == end) break;
        end = next;
    }
    if (end != node) prospects[(size_t)node * SPF_SHAPLEY_BLOCK].next = end;
    game->steps += steps;
    return end;
}

static spf_cubes decide(spf_shapley *game, uint32_t node, size_t row, uint32_t player,
                        spf_decisions d);

/* From a split that depends on players to a leaf, or to the next decision. */
static inline spf_cubes walk(spf_shapley *game, uint32_t node, size_t row, spf_decisions d) {
    const spf_shapley_node *nodes = game->tree->nodes;
    do {
        spf_answer answer = spf_shapley_look(game, node, row);
        if (answer.way == SPF_DEPENDS) return decide(game, node, row, answer.player, d);
        node = skip_splits(game, answer.way == SPF_GOES_LEFT ? node + 1 : nodes[node].right, row);
    } while (nodes[node].right != 0);
    return spf_cubes_of_leaf(game, nodes[node].leaf, 1, d);
}

static spf_cubes decide(spf_shapley *game, uint32_t node, size_t row, uint32_t player,
                        spf_decisions d) {
    if (game->steps > game->budget || !spf_may_decide(game, d)) return (spf_cubes){0, 0};
    spf_cubes first = walk(game, node, row, spf_choose_row(game, player, d));
    spf_cubes second = walk(game, node, row, spf_choose_background(game, player, d));
    return spf_choose_no_more(game, player, first, second);
}

/* Without a decision, nothing is added. */
static void walk_row(spf_shapley *game, size_t row) {
    uint32_t node = skip_splits(game, 0, row);
    if (game->tree->nodes[node].right != 0) walk(game, node, row, (spf_decisions){0, 0});
}

void spf_shapley_walk_rows(spf_shapley *game) {
    for (size_t row = 0; row < game->block && game->steps <= game->budget; row++)
        walk_row(game, row);
}
