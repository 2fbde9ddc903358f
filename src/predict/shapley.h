/* Exact Shapley values of one tree: of a row against a block of background rows.
 *
 * A walk starts with all background rows and no decision on any player. Rows part where they go
 * different ways whatever undecided players choose. Where that depends on an undecided player, the
 * walk takes both of its choices, one after the other. All rows that arrive in a leaf with the same
 * decisions share one cube of coalitions: those with the a players that chose the row, and without
 * the b players that chose the background. In the Shapley value of the former it has the weight
 * (a - 1)! b! / (a + b)!, in that of the latter -a! (b - 1)! / (a + b)!. */
#ifndef SPF_PREDICT_SHAPLEY_H
#define SPF_PREDICT_SHAPLEY_H

#include "predict/shapley_tree.h"

enum {
    SPF_SHAPLEY_BLOCK = 64,   /* background rows in a block: the bits of a mask */
    SPF_SHAPLEY_PLAYERS = 64, /* decisions on a path, at most */
    SPF_SHAPLEY_CODES = 243   /* decisions of few players: three for each */
};

/* The decision on a player: whose values it takes. */
enum { SPF_UNDECIDED, SPF_FROM_ROW, SPF_FROM_BACKGROUND };

/* A row and a block of background rows in a tree; reused, starts as zeros. */
typedef struct spf_shapley {
    const spf_shapley_tree *tree;
    size_t outputs;
    size_t block;         /* background rows */
    float *block_terms;   /* [terms x SPF_SHAPLEY_BLOCK] */
    uint64_t *block_left; /* [nodes]: background rows that go left */
    float *row_terms;     /* [terms] */
    uint8_t *row_left;    /* [nodes]: whether the row goes left */
    uint32_t *outcomes;   /* [nodes x SPF_SHAPLEY_BLOCK]: of coalitions at splits of few players */
    uint8_t *is_known;    /* [nodes]: whether they have been found */
    uint8_t *side;        /* [players + 1]: their decisions; the last is that of absent ones */
    double *values;       /* [players x outputs]: sums over the block */
    uint64_t steps, budget;
    double (*weight)[SPF_SHAPLEY_PLAYERS + 1]; /* of a cube in the value of a player: [a][b] */
    uint32_t path[SPF_SHAPLEY_PLAYERS];        /* players in the order of their decisions */
    uint32_t possible[SPF_SHAPLEY_CODES];      /* coalitions that decisions leave possible */
    size_t capacity[8];
} spf_shapley;

/* A term of a background row. */
static inline float spf_shapley_other(const spf_shapley *game, uint32_t term, size_t other) {
    return game->block_terms[(size_t)term * SPF_SHAPLEY_BLOCK + other];
}

void spf_shapley_free(spf_shapley *game);

/* Takes a tree, then a block of background rows, then a row: each holds for all that follow. */
sporf_status spf_shapley_take_tree(spf_shapley *game, const spf_shapley_tree *tree, size_t outputs);
void spf_shapley_take_block(spf_shapley *game, const float *const *columns, size_t first,
                            size_t rows);
void spf_shapley_take_row(spf_shapley *game, const float *const *columns, size_t row);

/* Computes values[players x outputs], sums over the background rows. Returns 0, with values without
 * meaning, if that took more than `budget` steps. */
int spf_shapley_exact(spf_shapley *game, uint64_t budget);

#endif
