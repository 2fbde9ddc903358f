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
    free(game->is_known);
    free(game->side);
    free(game->values);
    free(game->weight);
    *game = (spf_shapley){0};
}

/* The coalitions of few players that a decision on each leaves possible, as bits; a code has a
 * digit to the base 3 for each, that of the first player last. */
static void fill_possible(spf_shapley *game) {
    for (unsigned code = 0; code < SPF_SHAPLEY_CODES; code++) {
        game->possible[code] = 0;
        for (unsigned coalition = 0; coalition < 1u << SPF_FEW_PLAYERS; coalition++) {
            int is_possible = 1;
            for (unsigned k = 0, rest = code; k < SPF_FEW_PLAYERS; k++, rest /= 3)
                is_possible &=
                    rest % 3 != (coalition >> k & 1 ? SPF_FROM_BACKGROUND : SPF_FROM_ROW);
            game->possible[code] |= (uint32_t)is_possible << coalition;
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
    SPF_TRY(SPF_RESERVE(game->is_known, room[7], nodes));
    memset(game->side, SPF_UNDECIDED, tree->players_count);
    game->side[tree->players_count] = SPF_FROM_BACKGROUND;
    return SPORF_OK;
}

/* ---- who goes left --------------------------------------------------------------------------- */

/* Who takes the terms of a split from the row: bits of its players. */
typedef uint32_t coalition;

/* The projected values of a block of mixtures. Terms are added in order, as everywhere. */
static void add_terms(const spf_shapley *game, const spf_shapley_node *split, const uint32_t *owner,
                      coalition own, float *sum) {
    const float *term = game->row_terms + split->first_term;
    const float *others = game->block_terms + (size_t)split->first_term * BLOCK;
    for (uint32_t t = 0; t < split->terms; t++, others += BLOCK) {
        int is_own = own >> owner[t] & 1;
        if (t == 0 && is_own)
            for (int i = 0; i < BLOCK; i++) sum[i] = term[0];
        else if (t == 0)
            for (int i = 0; i < BLOCK; i++) sum[i] = others[i];
        else if (is_own)
            for (int i = 0; i < BLOCK; i++) sum[i] += term[t];
        else
            for (int i = 0; i < BLOCK; i++) sum[i] += others[i];
    }
}

static uint64_t rows_left(const spf_shapley *game, const spf_shapley_node *split) {
    uint64_t left = 0;
    for (size_t i = 0; i < game->block; i++) {
        float sum = spf_shapley_other(game, split->first_term, i);
        for (uint32_t t = 1; t < split->terms; t++)
            sum += spf_shapley_other(game, split->first_term + t, i);
        left |= (uint64_t)spf_shapley_goes_left(split, sum) << i;
    }
    return left;
}

void spf_shapley_take_block(spf_shapley *game, const float *const *columns, size_t first,
                            size_t rows) {
    const spf_shapley_tree *tree = game->tree;
    game->block = rows;
    memset(game->block_terms, 0, (size_t)tree->terms_count * BLOCK * sizeof *game->block_terms);
    for (size_t i = 0; i < rows; i++)
        spf_shapley_terms(tree, columns, first + i, BLOCK, game->block_terms + i);
    for (uint32_t n = 0; n < tree->plain->nodes_count; n++)
        if (tree->nodes[n].right != 0) game->block_left[n] = rows_left(game, &tree->nodes[n]);
}

void spf_shapley_take_row(spf_shapley *game, const float *const *columns, size_t row) {
    const spf_shapley_tree *tree = game->tree;
    spf_shapley_terms(tree, columns, row, 1, game->row_terms);
    memset(game->is_known, 0, tree->plain->nodes_count);
    for (uint32_t n = 0; n < tree->plain->nodes_count; n++) {
        const spf_shapley_node *split = &tree->nodes[n];
        if (split->right == 0) continue;
        float sum = game->row_terms[split->first_term];
        for (uint32_t t = 1; t < split->terms; t++) sum += game->row_terms[split->first_term + t];
        game->row_left[n] = (uint8_t)spf_shapley_goes_left(split, sum);
    }
}

/* ---- splits of few players ------------------------------------------------------------------- */

/* Adds a bit to the outcomes of background rows that go left. */
static void add_outcome(const spf_shapley_node *split, const float *sum, uint32_t bit,
                        uint32_t *outcomes) {
    if (split->missing_left)
        for (int i = 0; i < BLOCK; i++) outcomes[i] |= sum[i] > split->threshold ? 0 : bit;
    else
        for (int i = 0; i < BLOCK; i++) outcomes[i] |= sum[i] <= split->threshold ? bit : 0;
}

/* Whether background rows go left with each coalition, as bits. */
static __attribute__((noinline)) void find_outcomes(spf_shapley *game, uint32_t node) {
    const spf_shapley_node *split = &game->tree->nodes[node];
    const uint32_t *player = game->tree->term_player + split->first_term;
    uint32_t *outcomes = game->outcomes + (size_t)node * BLOCK;
    uint32_t owner[SPF_FEW_TERMS];
    float sum[BLOCK];
    for (uint32_t t = 0; t < split->terms; t++)
        for (owner[t] = 0; split->player[owner[t]] != player[t];) owner[t]++;
    uint32_t all = (1u << split->players) - 1;
    uint64_t left = game->block_left[node];
    for (int i = 0; i < BLOCK; i++)
        outcomes[i] = (uint32_t)(left >> i & 1) | (uint32_t)game->row_left[node] << all;
    for (coalition own = 1; own < all; own++) {
        add_terms(game, split, owner, own, sum);
        add_outcome(split, sum, 1u << own, outcomes);
    }
    game->is_known[node] = 1;
}

/* Coalitions with and without each player. */
static const uint32_t with[] = {0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000};
static const uint32_t without[] = {0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0x0000ffff};

/* Which of the players changes the outcome of most coalitions that are possible. */
static uint32_t most_influential(const spf_shapley_node *split, uint32_t outcomes,
                                 uint32_t possible) {
    uint32_t best = 0;
    int most = 0;
    if (split->players == 1) return 0;
    for (uint32_t k = 0; k < split->players; k++) {
        uint32_t both = possible & possible >> (1u << k) & without[k];
        int count = __builtin_popcount((outcomes ^ outcomes >> (1u << k)) & both);
        best = count > most ? k : best;
        most = count > most ? count : most;
    }
    return best;
}

/* The coalitions that decisions leave possible, and those of them with which a background row goes
 * left: all or none, or it goes either way. */
typedef struct {
    uint32_t outcomes, possible, left;
} prospect;

static inline prospect look_up(spf_shapley *game, uint32_t node, size_t row) {
    const spf_shapley_node *split = &game->tree->nodes[node];
    const uint8_t *side = game->side;
    uint32_t code = side[split->player[0]] + 3u * side[split->player[1]] +
                    9u * side[split->player[2]] + 27u * side[split->player[3]] +
                    81u * side[split->player[4]];
    if (__builtin_expect(!game->is_known[node], 0)) find_outcomes(game, node);
    uint32_t outcomes = game->outcomes[(size_t)node * BLOCK + row];
    return (prospect){outcomes, game->possible[code], outcomes & game->possible[code]};
}

static inline int goes_either_way(const prospect *p) {
    return p->left != 0 && p->left != p->possible;
}

/* ---- splits of many players ------------------------------------------------------------------ */

/* Where a background row goes at a split. */
typedef enum { RIGHT, LEFT, EITHER } way;

/* A missing term decides; one that is missing in one of both rows does not yet. */
static way look_at_missing(const spf_shapley *game, const spf_shapley_node *split, size_t row) {
    for (uint32_t t = split->first_term; t < split->first_term + split->terms; t++) {
        int side = game->side[game->tree->term_player[t]];
        int own = isnan(game->row_terms[t]), other = isnan(spf_shapley_other(game, t, row));
        if (side == SPF_FROM_ROW ? own : side == SPF_FROM_BACKGROUND ? other : own && other)
            return split->missing_left ? LEFT : RIGHT;
    }
    return EITHER;
}

/* By bounds: the least and the largest sum that undecided players may choose, which are sums that
 * they can choose, because rounding is monotone. */
static way look_at_bounds(const spf_shapley *game, const spf_shapley_node *split, size_t row) {
    const uint32_t *player = game->tree->term_player + split->first_term;
    const float *own = game->row_terms + split->first_term;
    const float *other = game->block_terms + (size_t)split->first_term * BLOCK + row;
    float least = -0.0f, largest = -0.0f, any = 0;
    for (uint32_t t = 0; t < split->terms; t++, own++, other += BLOCK) {
        int side = game->side[player[t]];
        const float *first = side == SPF_FROM_BACKGROUND ? other : own;
        const float *second = side == SPF_FROM_ROW ? own : other;
        least += *first < *second ? *first : *second;
        largest += *first < *second ? *second : *first;
        any += *first + *second;
    }
    if (isnan(any)) return look_at_missing(game, split, row);
    return largest <= split->threshold ? LEFT : least > split->threshold ? RIGHT : EITHER;
}

/* The undecided player whose terms differ most; missing ones differ more than any others. */
static uint32_t most_different(const spf_shapley *game, const spf_shapley_node *split, size_t row) {
    uint32_t best = 0;
    float most = -1;
    for (uint32_t t = split->first_term; t < split->first_term + split->terms; t++) {
        uint32_t player = game->tree->term_player[t];
        float own = game->row_terms[t], other = spf_shapley_other(game, t, row);
        if (game->side[player] != SPF_UNDECIDED || (isnan(own) && isnan(other))) continue;
        float difference = isnan(own) || isnan(other) ? INFINITY : fabsf(own - other);
        if (difference > most) best = player;
        most = difference > most ? difference : most;
    }
    return best;
}

/* ---- splits of any number of players --------------------------------------------------------- */

static inline way look_at(spf_shapley *game, uint32_t node, size_t row) {
    const spf_shapley_node *split = &game->tree->nodes[node];
    if (split->players > SPF_FEW_PLAYERS) return look_at_bounds(game, split, row);
    prospect p = look_up(game, node, row);
    return goes_either_way(&p) ? EITHER : p.left != 0 ? LEFT : RIGHT;
}

/* Background rows that go one way whatever undecided players choose. */
typedef struct {
    uint64_t left, right;
} parting;

static parting part_rows(spf_shapley *game, uint32_t node, uint64_t rows) {
    parting p = {0, 0};
    for (uint64_t rest = rows; rest != 0; rest &= rest - 1) {
        way w = look_at(game, node, (size_t)__builtin_ctzll(rest));
        if (w == LEFT) p.left |= rest & -rest;
        if (w == RIGHT) p.right |= rest & -rest;
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
static amount walk_one(spf_shapley *game, uint32_t node, uint64_t row, decisions d);

/* Whether there is room for one more decision; if not, the budget is spent. */
static int may_decide(spf_shapley *game, decisions d) {
    if (d.row + d.background < MOST) return 1;
    game->budget = 0;
    return 0;
}

/* After both choices of a player. */
static amount settle(spf_shapley *game, uint32_t player, amount first, amount second) {
    game->side[player] = SPF_UNDECIDED;
    if (game->tree->is_single) game->values[player] += first.given - second.taken;
    return sum_of(first, second);
}

/* The two choices of a player, each with the node where the walk goes on. */
static amount choose(spf_shapley *game, uint32_t player, uint32_t with_row,
                     uint32_t with_background, uint64_t rows, decisions d) {
    if (!may_decide(game, d)) return (amount){0, 0};
    game->path[d.row + d.background] = player;
    game->side[player] = SPF_FROM_ROW;
    amount first = walk(game, with_row, rows, (decisions){d.row + 1, d.background});
    game->side[player] = SPF_FROM_BACKGROUND;
    amount second = walk(game, with_background, rows, (decisions){d.row, d.background + 1});
    return settle(game, player, first, second);
}

static amount part(spf_shapley *game, uint32_t node, parting p, decisions d) {
    amount a = {0, 0};
    if (p.left != 0) a = walk(game, node + 1, p.left, d);
    if (p.right != 0) a = sum_of(a, walk(game, game->tree->nodes[node].right, p.right, d));
    return a;
}

static uint32_t next_player(spf_shapley *game, uint32_t node, size_t row) {
    const spf_shapley_node *split = &game->tree->nodes[node];
    if (split->players > SPF_FEW_PLAYERS) return most_different(game, split, row);
    prospect p = look_up(game, node, row);
    return split->player[most_influential(split, p.outcomes, p.possible)];
}

/* Rows that go one way part; the others wait for the choices of a player. */
static amount part_and_choose(spf_shapley *game, uint32_t node, uint64_t rows, parting p,
                              decisions d) {
    amount a = part(game, node, p, d);
    uint64_t rest = rows & ~(p.left | p.right);
    if (rest == 0) return a;
    uint32_t player = next_player(game, node, (size_t)__builtin_ctzll(rest));
    return sum_of(a, choose(game, player, node, node, rest, d));
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

/* A background row that goes either way at a split of few players: the choices of one after the
 * other, until all that are left possible go one way. */
static amount choose_few(spf_shapley *game, uint32_t node, uint64_t row, prospect p, decisions d) {
    const spf_shapley_node *split = &game->tree->nodes[node];
    if (!goes_either_way(&p)) return walk_one(game, p.left != 0 ? node + 1 : split->right, row, d);
    if (!may_decide(game, d)) return (amount){0, 0};
    uint32_t k = most_influential(split, p.outcomes, p.possible), player = split->player[k];
    uint32_t own = p.possible & with[k], others = p.possible & without[k];
    game->path[d.row + d.background] = player;
    game->side[player] = SPF_FROM_ROW;
    amount first = choose_few(game, node, row, (prospect){p.outcomes, own, p.left & own},
                              (decisions){d.row + 1, d.background});
    game->side[player] = SPF_FROM_BACKGROUND;
    amount second = choose_few(game, node, row, (prospect){p.outcomes, others, p.left & others},
                               (decisions){d.row, d.background + 1});
    return settle(game, player, first, second);
}

/* The walk of one background row: most walks are. */
static amount walk_one(spf_shapley *game, uint32_t node, uint64_t row, decisions d) {
    const spf_shapley_node *nodes = game->tree->nodes;
    size_t other = (size_t)__builtin_ctzll(row);
    while (nodes[node].right != 0) {
        const spf_shapley_node *split = &nodes[node];
        int is_left;
        if (++game->steps > game->budget) return (amount){0, 0};
        if (split->players <= SPF_FEW_PLAYERS) {
            prospect p = look_up(game, node, other);
            if (goes_either_way(&p)) return choose_few(game, node, row, p, d);
            is_left = p.left != 0;
        } else {
            way w = look_at_bounds(game, split, other);
            if (w == EITHER)
                return choose(game, most_different(game, split, other), node, node, row, d);
            is_left = w == LEFT;
        }
        node = is_left ? node + 1 : split->right;
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
    return game->steps <= game->budget;
}
