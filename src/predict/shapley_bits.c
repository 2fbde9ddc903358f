#include "predict/shapley_bits.h"

#include "predict/shapley_cubes.h"

static spf_cubes walk(spf_shapley *game, uint32_t node, uint64_t rows, spf_decisions d);

/* The two choices of a player, each with the node where the walk goes on. */
static spf_cubes choose(spf_shapley *game, uint32_t player, uint32_t with_row,
                        uint32_t with_background, uint64_t rows, spf_decisions d) {
    if (!spf_may_decide(game, d)) return (spf_cubes){0, 0};
    spf_cubes first = walk(game, with_row, rows, spf_choose_row(game, player, d));
    spf_cubes second = walk(game, with_background, rows, spf_choose_background(game, player, d));
    return spf_choose_no_more(game, player, first, second);
}

static spf_cubes part(spf_shapley *game, uint32_t node, uint64_t left, uint64_t right,
                      spf_decisions d) {
    spf_cubes first = walk(game, node + 1, left, d);
    return spf_cubes_sum(first, walk(game, game->tree->nodes[node].right, right, d));
}

/* The player is undecided; rows that go the explained row's way are `same`. */
static spf_cubes part_from_row(spf_shapley *game, uint32_t node, uint64_t rows, uint64_t same,
                               spf_decisions d) {
    const spf_shapley_node *split = &game->tree->nodes[node];
    int is_left = game->row_left[node];
    uint32_t ways[2] = {split->right, node + 1};
    spf_cubes cubes = {0, 0};
    if (same != 0) cubes = walk(game, ways[is_left], same, d);
    return spf_cubes_sum(
        cubes, choose(game, split->player[0], ways[is_left], ways[!is_left], rows & ~same, d));
}

/* It calls itself only to part rows, or after a decision, so that calls are never nested deeply,
 * whatever the tree. */
static spf_cubes walk(spf_shapley *game, uint32_t node, uint64_t rows, spf_decisions d) {
    const spf_shapley_tree *tree = game->tree;
    while (tree->nodes[node].right != 0) {
        const spf_shapley_node *split = &tree->nodes[node];
        if (++game->steps > game->budget) return (spf_cubes){0, 0};
        int side = game->side[split->player[0]];
        uint64_t from_row = game->row_left[node] ? UINT64_MAX : 0;
        uint64_t left = rows & (side == SPF_FROM_ROW ? from_row : game->block_left[node]);
        uint64_t same = rows & ~(left ^ from_row);
        if (side == SPF_UNDECIDED && same != rows) return part_from_row(game, node, rows, same, d);
        if (left != rows && left != 0) return part(game, node, left, rows & ~left, d);
        node = left == rows ? node + 1 : split->right;
    }
    game->steps++;
    return spf_cubes_of_leaf(game, tree->nodes[node].leaf, __builtin_popcountll(rows), d);
}

void spf_shapley_walk_bits(spf_shapley *game) {
    uint64_t none = game->block == SPF_SHAPLEY_BLOCK ? 0 : UINT64_MAX << game->block;
    walk(game, 0, ~none, (spf_decisions){0, 0});
}
