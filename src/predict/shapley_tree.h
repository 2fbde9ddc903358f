/* A tree as a game, for Shapley values: each player takes its values from a row, or from a
 * background row. Players are features, or projections. */
#ifndef SPF_PREDICT_SHAPLEY_TREE_H
#define SPF_PREDICT_SHAPLEY_TREE_H

#include "model/combine.h"

/* If a split has few players, in few terms, all their coalitions are tried. */
enum { SPF_FEW_PLAYERS = 5, SPF_FEW_TERMS = 32 };

/* A node: a split, or a leaf if right is 0. The left child is the next node. */
typedef struct spf_shapley_node {
    float threshold;
    uint32_t right;
    uint32_t first_term, terms; /* of a split */
    uint32_t leaf;              /* the number of a leaf */
    uint8_t missing_left;
    uint8_t players; /* of a split; SPF_FEW_PLAYERS + 1 if there are more than few */
    uint32_t player[SPF_FEW_PLAYERS]; /* if they are few; players_count in place of absent ones */
} spf_shapley_node;

typedef struct spf_shapley_tree {
    const spf_tree *plain;
    spf_shapley_node *nodes;
    uint32_t terms_count, players_count;
    uint32_t *term_player; /* [terms_count] */
    uint32_t *identity;    /* [players_count]: the feature, or the line */
    /* What leaves are worth: entries, with the number of an output and its value. */
    uint32_t *entry_start; /* [leaves + 1] */
    uint32_t *entry_output;
    double *entry_value;
    int is_single;        /* each leaf has one entry, all of the same output */
    int is_single_player; /* each split has one player */
} spf_shapley_tree;

/* The lines that projections of a tree are: equal ones are the same player. */
typedef struct spf_tree_lines {
    const uint32_t *line; /* [projections]; NULL: players are features */
    size_t count;         /* lines are below this */
} spf_tree_lines;

/* Prepares tree `number`, which is given and must outlive *out. Of two classes only the second is
 * an output: the first is its mirror image. Free with spf_shapley_tree_free. */
sporf_status spf_shapley_tree_open(const sporf_forest *forest, size_t number, const spf_tree *plain,
                                   spf_leaf_adds adds, const spf_tree_lines *lines,
                                   spf_shapley_tree *out);
void spf_shapley_tree_free(spf_shapley_tree *tree);

/* What each term adds to the sum of its projection for a row: terms[0], terms[stride], ... */
void spf_shapley_terms(const spf_shapley_tree *tree, const float *const *columns, size_t row,
                       size_t stride, float *terms);

/* Whether a projected value goes left. */
static inline int spf_shapley_goes_left(const spf_shapley_node *split, float value) {
    return split->missing_left ? !(value > split->threshold) : value <= split->threshold;
}

#endif
