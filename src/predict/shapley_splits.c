#include "predict/shapley_splits.h"

#include <math.h>

enum { BLOCK = SPF_SHAPLEY_BLOCK };

/* Who takes the terms of a split from the row: bits of its players. */
typedef uint32_t coalition;

/* ---- tables ---------------------------------------------------------------------------------- */

/* The coalitions of few players that a decision on each leaves possible, as bits; a code has a
 * digit to the base 3 for each, that of the first player last. */
static void fill_possible(spf_shapley *game) {
    for (unsigned code = 0; code < SPF_SHAPLEY_CODES; code++) {
        game->possible[code] = 0;
        for (coalition own = 0; own < 1u << SPF_FEW_PLAYERS; own++) {
            int is_possible = 1;
            for (unsigned k = 0, rest = code; k < SPF_FEW_PLAYERS; k++, rest /= 3)
                is_possible &= rest % 3 != (own >> k & 1 ? SPF_FROM_BACKGROUND : SPF_FROM_ROW);
            game->possible[code] |= (uint32_t)is_possible << own;
        }
    }
}

/* The coalitions of the first players, as bits. */
static uint32_t coalitions_of(uint32_t players) {
    return players < SPF_FEW_PLAYERS ? (1u << (1u << players)) - 1 : UINT32_MAX;
}

void spf_shapley_fill_tables(spf_shapley *game) {
    uint32_t all = coalitions_of(SPF_TABLED_PLAYERS);
    fill_possible(game);
    for (uint32_t outcomes = 0; outcomes <= all; outcomes++)
        for (uint32_t code = 0; code < SPF_TABLED_CODES; code++)
            game->answers[outcomes][code] =
                spf_find_answer(SPF_TABLED_PLAYERS, outcomes, game->possible[code] & all);
}

/* ---- outcomes of few players ----------------------------------------------------------------- */

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

/* Adds a bit to the outcomes of background rows that go left. */
static void add_outcome(const spf_shapley_node *split, const float *sum, uint32_t bit,
                        uint32_t *outcomes) {
    if (split->missing_left)
        for (int i = 0; i < BLOCK; i++) outcomes[i] |= sum[i] > split->threshold ? 0 : bit;
    else
        for (int i = 0; i < BLOCK; i++) outcomes[i] |= sum[i] <= split->threshold ? bit : 0;
}

/* Whether background rows go left with each coalition, as bits. */
static void try_coalitions(const spf_shapley *game, uint32_t node, uint32_t *outcomes) {
    const spf_shapley_node *split = &game->tree->nodes[node];
    const uint32_t *player = game->tree->term_player + split->first_term;
    uint32_t owner[SPF_FEW_TERMS];
    float sum[BLOCK];
    for (uint32_t t = 0; t < split->terms; t++)
        for (owner[t] = 0; split->player[owner[t]] != player[t];) owner[t]++;
    coalition all = (1u << split->players) - 1;
    uint64_t left = game->block_left[node];
    for (int i = 0; i < BLOCK; i++)
        outcomes[i] = (uint32_t)(left >> i & 1) | (uint32_t)game->row_left[node] << all;
    for (coalition own = 1; own < all; own++) {
        add_terms(game, split, owner, own, sum);
        add_outcome(split, sum, 1u << own, outcomes);
    }
}

void spf_shapley_look_ahead(spf_shapley *game, uint32_t node) {
    const spf_shapley_node *split = &game->tree->nodes[node];
    spf_prospect *prospects = game->prospects + (size_t)node * BLOCK;
    uint32_t outcomes[BLOCK], all = coalitions_of(split->players);
    game->is_known[node] = 1;
    if (split->players > SPF_FEW_PLAYERS) {
        for (int i = 0; i < BLOCK; i++) prospects[i] = (spf_prospect){0, node};
        return;
    }
    try_coalitions(game, node, outcomes);
    for (int i = 0; i < BLOCK; i++) {
        uint32_t next = outcomes[i] == 0 ? split->right : outcomes[i] == all ? node + 1 : node;
        prospects[i] = (spf_prospect){outcomes[i], next};
    }
}

/* ---- bounds for many players ----------------------------------------------------------------- */

/* A missing term decides; one that is missing in one of both rows does not yet. */
static int look_at_missing(const spf_shapley *game, const spf_shapley_node *split, size_t row) {
    for (uint32_t t = split->first_term; t < split->first_term + split->terms; t++) {
        int side = game->side[game->tree->term_player[t]];
        int own = isnan(game->row_terms[t]), other = isnan(spf_shapley_other(game, t, row));
        if (side == SPF_FROM_ROW ? own : side == SPF_FROM_BACKGROUND ? other : own && other)
            return split->missing_left ? SPF_GOES_LEFT : SPF_GOES_RIGHT;
    }
    return SPF_DEPENDS;
}

/* By bounds: the least and the largest sum that undecided players may choose, which are sums that
 * they can choose, because rounding is monotone. */
static int look_at_bounds(const spf_shapley *game, const spf_shapley_node *split, size_t row) {
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
    if (largest <= split->threshold) return SPF_GOES_LEFT;
    return least > split->threshold ? SPF_GOES_RIGHT : SPF_DEPENDS;
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

spf_answer spf_shapley_look_at_many(const spf_shapley *game, const spf_shapley_node *split,
                                    size_t row) {
    int way = look_at_bounds(game, split, row);
    return (spf_answer){way, way == SPF_DEPENDS ? most_different(game, split, row) : 0};
}
