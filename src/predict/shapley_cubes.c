#include "predict/shapley_cubes.h"

void spf_add_to_path(spf_shapley *game, uint32_t leaf, double count, spf_decisions d) {
    const spf_shapley_tree *tree = game->tree;
    double given = count * game->weight[d.row][d.background];
    double taken = -count * game->weight[d.background][d.row];
    for (uint32_t i = 0; i < d.row + d.background; i++) {
        uint32_t player = game->path[i];
        double share = game->side[player] == SPF_FROM_ROW ? given : taken;
        double *values = game->values + player * game->outputs;
        for (uint32_t e = tree->entry_start[leaf]; e < tree->entry_start[leaf + 1]; e++)
            values[tree->entry_output[e]] += share * tree->entry_value[e];
    }
}
