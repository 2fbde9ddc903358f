#include "predict/shapley.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = SPF_SHAPLEY_BLOCK, MOST = SPF_SHAPLEY_PLAYERS };

/* ---- buffers --------------------------------------------------------------------------------- */

void spf_shapley_free(spf_shapley *game) {
    free(game->block_terms);
    free(game->block_left);
    free(game->row_terms);
    free(game->row_left);
    free(game->outcomes);
    free(game->side);
    free(game->values);
    free(game->weight);
    *game = (spf_shapley){0};
}

/* The coalitions of few players that a decision on each leaves possible, as bits; a code has three
 * digits to the base 3, the first player's last. */
static void fill_possible(spf_shapley *game) {
    for (unsigned code = 0; code < SPF_SHAPLEY_CODES; code++) {
        game->possible[code] = 0;
        for (unsigned coalition = 0; coalition < 1 << SPF_FEW_PLAYERS; coalition++) {
            int is_possible = 1;
            for (unsigned k = 0, rest = code; k < SPF_FEW_PLAYERS; k++, rest /= 3)
                is_possible &=
                    rest % 3 != (coalition >> k & 1 ? SPF_FROM_BACKGROUND : SPF_FROM_ROW);
            game->possible[code] |= (uint16_t)(is_possible << coalition);
        }
    }
}

/* weight[a][b] = (a - 1)! b! / (a + b)!; no player asks for that of a = 0. */
static sporf_status fill_weights(spf_shapley *game) {
    if (game->weight) return SPORF_OK;
    game->weight = spf_alloc(MOST + 1, sizeof *game->weight);
    if (!game->weight) return spf_raise_memory();
    fill_possible(game);
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
    SPF_TRY(SPF_RESERVE(game->outcomes, room[6], nodes * BLOCK));
    memset(game->side, SPF_UNDECIDED, tree->players_count);
    game->side[tree->players_count] = SPF_FROM_BACKGROUND;
    return SPORF_OK;
}

/* ---- who goes left --------------------------------------------------------------------------- */

static uint64_t rows_left(const spf_shapley *game, const spf_shapley_node *split) {
    uint64_t left = 0;
    for (size_t i = 0; i < game->block; i++) {
        float value = spf_shapley_value(split, spf_shapley_other(game, i));
        left |= (uint64_t)spf_shapley_goes_left(split, value) << i;
    }
    return left;
}

void spf_shapley_take_block(spf_shapley *game, const float *const *columns, size_t first,
                            size_t rows) {
    const spf_shapley_tree *tree = game->tree;
    game->block = rows;
    for (size_t i = 0; i < rows; i++)
        spf_shapley_terms(tree, columns, first + i, game->block_terms + i * tree->terms_count);
    for (uint32_t n = 0; n < tree->plain->nodes_count; n++)
        if (tree->nodes[n].right != 0) game->block_left[n] = rows_left(game, &tree->nodes[n]);
}

void spf_shapley_take_row(spf_shapley *game, const float *const *columns, size_t row) {
    const spf_shapley_tree *tree = game->tree;
    spf_shapley_terms(tree, columns, row, game->row_terms);
    memset(game->outcomes, 0, game->block * tree->plain->nodes_count * sizeof *game->outcomes);
    for (uint32_t n = 0; n < tree->plain->nodes_count; n++) {
        const spf_shapley_node *split = &tree->nodes[n];
        if (split->right == 0) continue;
        float value = spf_shapley_value(split, game->row_terms);
        game->row_left[n] = (uint8_t)spf_shapley_goes_left(split, value);
    }
}

/* Where a background row goes at a split. */
typedef struct {
    enum { RIGHT, LEFT, EITHER } way;
    uint32_t player; /* EITHER: one to be decided next */
} outlook;

/* ---- splits of few players ------------------------------------------------------------------- */

#define KNOWN 0x10000u

/* Whether a background row goes left with each coalition of players that take the row's values, as
 * bits, and KNOWN. */
static uint32_t find_outcomes(const spf_shapley *game, const spf_shapley_node *split,
                              const float *other) {
    const uint32_t *player = game->tree->term_player + split->first_term;
    const float *own = game->row_terms + split->first_term;
    uint32_t outcomes = KNOWN;
    other += split->first_term;
    for (uint32_t coalition = 0; coalition < 1u << split->players; coalition++) {
        float sum = 0;
        for (uint32_t t = 0; t < split->terms; t++) {
            uint32_t k = 0;
            while (split->player[k] != player[t]) k++;
            float term = coalition >> k & 1 ? own[t] : other[t];
            sum = t == 0 ? term : sum + term;
        }
        outcomes |= (uint32_t)spf_shapley_goes_left(split, sum) << coalition;
    }
    return outcomes;
}

/* The undecided player whose choice changes the outcome of most coalitions that are possible. */
static uint32_t most_influential(const spf_shapley *game, const spf_shapley_node *split,
                                 uint32_t outcomes, uint32_t possible) {
    static const uint32_t without[SPF_FEW_PLAYERS] = {0x5555, 0x3333, 0x0f0f, 0x00ff};
    uint32_t best = split->player[0];
    int most = -1;
    for (uint32_t k = 0; k < split->players; k++) {
        if (game->side[split->player[k]] != SPF_UNDECIDED) continue;
        uint32_t changes = (outcomes ^ outcomes >> (1u << k)) & possible & without[k];
        int count = __builtin_popcount(changes);
        if (count > most) best = split->player[k];
        most = count > most ? count : most;
    }
    return best;
}

static inline outlook look_up(spf_shapley *game, uint32_t node, size_t row) {
    const spf_shapley_node *split = &game->tree->nodes[node];
    uint32_t *known = &game->outcomes[row * game->tree->plain->nodes_count + node];
    const uint8_t *side = game->side;
    uint32_t code = side[split->player[0]] + 3u * side[split->player[1]] +
                    9u * side[split->player[2]] + 27u * side[split->player[3]];
    if (*known == 0) *known = find_outcomes(game, split, spf_shapley_other(game, row));
    uint32_t possible = game->possible[code], left = *known & possible;
    if (left == possible) return (outlook){LEFT, 0};
    if (left == 0) return (outlook){RIGHT, 0};
    return (outlook){EITHER, most_influential(game, split, *known, possible)};
}

/* ---- splits of many players ------------------------------------------------------------------ */

/* By bounds: the least and the largest sum that undecided players may choose, which are sums that
 * they can choose, because rounding is monotone. A term that is missing in one of both rows is
 * decided before all others. */
static outlook look_at_bounds(const spf_shapley *game, const spf_shapley_node *split,
                              const float *other) {
    const uint32_t *player = game->tree->term_player + split->first_term;
    const float *own = game->row_terms + split->first_term;
    float least = 0, largest = 0, most = -1;
    int misses = 0;
    outlook o = {EITHER, 0};
    other += split->first_term;
    for (uint32_t t = 0; t < split->terms; t++) {
        int side = game->side[player[t]];
        float a = side == SPF_FROM_BACKGROUND ? other[t] : own[t];
        float b = side == SPF_FROM_ROW ? own[t] : other[t];
        float low = a < b ? a : b, high = a < b ? b : a, difference = high - low;
        if (__builtin_expect(isnan(difference), 0)) {
            misses |= isnan(a) && isnan(b);
            difference = isnan(a) && isnan(b) ? -1 : INFINITY;
        }
        if (difference > most) o.player = player[t];
        most = difference > most ? difference : most;
        least = t == 0 ? low : least + low;
        largest = t == 0 ? high : largest + high;
    }
    if (misses)
        o.way = split->missing_left ? LEFT : RIGHT;
    else if (most < INFINITY && largest <= split->threshold)
        o.way = LEFT;
    else if (most < INFINITY && least > split->threshold)
        o.way = RIGHT;
    return o;
}

/* ---- splits of any number of players --------------------------------------------------------- */

static inline outlook look_at(spf_shapley *game, uint32_t node, size_t row) {
    const spf_shapley_node *split = &game->tree->nodes[node];
    if (split->players <= SPF_FEW_PLAYERS) return look_up(game, node, row);
    return look_at_bounds(game, split, spf_shapley_other(game, row));
}

/* Background rows that go one way whatever undecided players choose. */
typedef struct {
    uint64_t left, right;
} parting;

static parting part_rows(spf_shapley *game, uint32_t node, uint64_t rows) {
    parting p = {0, 0};
    for (uint64_t rest = rows; rest != 0; rest &= rest - 1) {
        outlook o = look_at(game, node, (size_t)__builtin_ctzll(rest));
        if (o.way == LEFT) p.left |= rest & -rest;
        if (o.way == RIGHT) p.right |= rest & -rest;
    }
    return p;
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* What the cubes below a node add to the values of players that chose the row, and take from those
 * that chose the background. Only if there is a single output; otherwise leaves add to all players
 * of their path. */
typedef struct {
    double given, taken;
} amount;

/* Decisions so far: how many for the row, and for the background. */
typedef struct {
    uint32_t row, background;
} decisions;

static inline amount sum_of(amount a, amount b) {
    return (amount){a.given + b.given, a.taken + b.taken};
}

static void add_to_path(spf_shapley *game, uint32_t leaf, double count, decisions d) {
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

static amount end_in_leaf(spf_shapley *game, uint32_t leaf, uint64_t rows, decisions d) {
    double count = __builtin_popcountll(rows);
    if (!game->tree->is_single) {
        add_to_path(game, leaf, count, d);
        return (amount){0, 0};
    }
    double value = count * game->tree->entry_value[leaf];
    return (amount){value * game->weight[d.row][d.background],
                    value * game->weight[d.background][d.row]};
}

static amount walk(spf_shapley *game, uint32_t node, uint64_t rows, decisions d);

/* The two choices of a player, each with the node where the walk goes on. */
static amount choose(spf_shapley *game, uint32_t player, uint32_t with_row,
                     uint32_t with_background, uint64_t rows, decisions d) {
    if (d.row + d.background == MOST) {
        game->steps = game->budget + 1;
        return (amount){0, 0};
    }
    game->path[d.row + d.background] = player;
    game->side[player] = SPF_FROM_ROW;
    amount first = walk(game, with_row, rows, (decisions){d.row + 1, d.background});
    game->side[player] = SPF_FROM_BACKGROUND;
    amount second = walk(game, with_background, rows, (decisions){d.row, d.background + 1});
    game->side[player] = SPF_UNDECIDED;
    if (game->tree->is_single) game->values[player] += first.given - second.taken;
    return sum_of(first, second);
}

static amount part(spf_shapley *game, uint32_t node, parting p, decisions d) {
    amount a = {0, 0};
    if (p.left != 0) a = walk(game, node + 1, p.left, d);
    if (p.right != 0) a = sum_of(a, walk(game, game->tree->nodes[node].right, p.right, d));
    return a;
}

/* Rows that go one way part; the others wait for the choices of a player. */
static amount part_and_choose(spf_shapley *game, uint32_t node, uint64_t rows, parting p,
                              decisions d) {
    amount a = part(game, node, p, d);
    uint64_t rest = rows & ~(p.left | p.right);
    if (rest == 0) return a;
    outlook o = look_at(game, node, (size_t)__builtin_ctzll(rest));
    return sum_of(a, choose(game, o.player, node, node, rest, d));
}

/* A split with one player, which is undecided: rows that go the explained row's way, `same`, go on
 * without a decision. */
static amount part_from_row(spf_shapley *game, uint32_t node, uint64_t rows, uint64_t same,
                            decisions d) {
    const spf_shapley_node *split = &game->tree->nodes[node];
    int is_left = game->row_left[node];
    uint32_t ways[2] = {split->right, node + 1};
    amount a = {0, 0};
    if (same != 0) a = walk(game, ways[is_left], same, d);
    return sum_of(a,
                  choose(game, split->player[0], ways[is_left], ways[!is_left], rows & ~same, d));
}

/* The walk of one background row: most walks are. */
static amount walk_one(spf_shapley *game, uint32_t node, uint64_t row, decisions d) {
    const spf_shapley_node *nodes = game->tree->nodes;
    size_t other = (size_t)__builtin_ctzll(row);
    while (nodes[node].right != 0) {
        if (++game->steps > game->budget) return (amount){0, 0};
        outlook o = look_at(game, node, other);
        if (o.way == EITHER) return choose(game, o.player, node, node, row, d);
        node = o.way == LEFT ? node + 1 : nodes[node].right;
    }
    game->steps++;
    return end_in_leaf(game, nodes[node].leaf, row, d);
}

/* It calls itself only to part rows, or after a decision, so that calls are never nested deeply,
 * whatever the tree. */
static amount walk(spf_shapley *game, uint32_t node, uint64_t rows, decisions d) {
    const spf_shapley_tree *tree = game->tree;
    if ((rows & (rows - 1)) == 0) return walk_one(game, node, rows, d);
    while (tree->nodes[node].right != 0) {
        const spf_shapley_node *split = &tree->nodes[node];
        if (++game->steps > game->budget) return (amount){0, 0};
        int side = game->side[split->player[0]];
        uint64_t left = game->block_left[node];
        parting p = {rows & left, rows & ~left};
        if (split->players > 1) {
            p = part_rows(game, node, rows);
        } else if (side == SPF_FROM_ROW) {
            p = game->row_left[node] ? (parting){rows, 0} : (parting){0, rows};
        } else if (side == SPF_UNDECIDED) {
            uint64_t same = game->row_left[node] ? p.left : p.right;
            if (same != rows) return part_from_row(game, node, rows, same, d);
        }
        if (p.left != rows && p.right != rows) return part_and_choose(game, node, rows, p, d);
        node = p.left == rows ? node + 1 : split->right;
    }
    game->steps++;
    return end_in_leaf(game, tree->nodes[node].leaf, rows, d);
}

int spf_shapley_exact(spf_shapley *game, uint64_t budget) {
    const spf_shapley_tree *tree = game->tree;
    size_t values = tree->players_count * (tree->is_single ? 1 : game->outputs);
    memset(game->values, 0, values * sizeof *game->values);
    game->steps = 0;
    game->budget = budget;
    walk(game, 0, game->block == BLOCK ? UINT64_MAX : ((uint64_t)1 << game->block) - 1,
         (decisions){0, 0});
    return game->steps <= budget;
}
