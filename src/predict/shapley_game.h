/* A row and background rows in a tree, while its Shapley values are computed. */
#ifndef SPF_PREDICT_SHAPLEY_GAME_H
#define SPF_PREDICT_SHAPLEY_GAME_H

#include "predict/shapley_tree.h"

enum {
    SPF_SHAPLEY_BLOCK = 64,   /* background rows in a block: the bits of a mask */
    SPF_SHAPLEY_PLAYERS = 64, /* decisions on a path, at most */
    SPF_SHAPLEY_CODES = 243,  /* decisions of few players: three for each */
    SPF_TABLED_PLAYERS = 3,   /* in splits of so many, answers are looked up */
    SPF_TABLED_CODES = 27
};

/* The decision on a player: whose values it takes. */
enum { SPF_UNDECIDED, SPF_FROM_ROW, SPF_FROM_BACKGROUND };

/* What a background row has before it at a split. */
typedef struct spf_prospect {
    uint32_t outcomes; /* of coalitions, as bits: whether it goes left; of few players */
    uint32_t next;     /* where it goes on, if no decision matters; else the split itself */
} spf_prospect;

/* Reused, starts as zeros. */
typedef struct spf_shapley {
    const spf_shapley_tree *tree;
    size_t outputs;
    size_t block;            /* background rows */
    float *block_terms;      /* [terms x SPF_SHAPLEY_BLOCK] */
    uint64_t *block_left;    /* [nodes]: background rows that go left */
    float *row_terms;        /* [terms] */
    uint8_t *row_left;       /* [nodes]: whether the row goes left */
    spf_prospect *prospects; /* [nodes x SPF_SHAPLEY_BLOCK] */
    uint8_t *is_known;       /* [nodes]: whether prospects have been found */
    uint8_t *side;           /* [players + 1]: their decisions; the last is that of absent ones */
    double *values;          /* [players x outputs]: sums over the block */
    uint64_t steps, budget;
    double (*weight)[SPF_SHAPLEY_PLAYERS + 1]; /* of a cube in the value of a player: [a][b] */
    uint32_t path[SPF_SHAPLEY_PLAYERS];        /* players in the order of their decisions */
    uint32_t possible[SPF_SHAPLEY_CODES];      /* coalitions that decisions leave possible */
    uint8_t answers[256][SPF_TABLED_CODES];    /* of outcomes, for decisions of tabled players */
    size_t capacity[8];
} spf_shapley;

/* A term of a background row. */
static inline float spf_shapley_other(const spf_shapley *game, uint32_t term, size_t other) {
    return game->block_terms[(size_t)term * SPF_SHAPLEY_BLOCK + other];
}

#endif
