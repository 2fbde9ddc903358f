/* A tree while it grows, shared by the threads that work on it. Rows are kept in arrays that are
 * parted in place at each split, with their classes and weights beside them; the out-of-bag rows
 * take the same way, which gives their leaves without a second pass. */
#ifndef SPF_LEARN_GROWING_TREE_ROWS_H
#define SPF_LEARN_GROWING_TREE_ROWS_H

#include "learn/growing/workspace.h"
#include "learn/rows/basis.h"

typedef struct spf_tree_rows {
    const spf_plan *plan;
    uint32_t tree;
    uint64_t key;
    spf_basis basis;
    spf_table table; /* the data's, or the basis */
    uint32_t *row;   /* [bag_count]: numbers in the block that a row lies in; where samples are
                        kept, and a row is in a leaf, the leaf's within its branch */
    uint32_t *tag;   /* [bag_count]: class above weight_bits bits of weight; with targets or
                        relative weights the number of the row in the data */
    unsigned weight_bits;
    uint32_t *units; /* [rows of the data]: weights in the bag; only where tags are numbers */
    uint32_t *draws; /* [rows of the data]: how often the bag has each; only with relative weights,
                        as otherwise its weight says so */
    /* [rows of the data]: weights of rows of the bag that choose no splits but fill the leaves;
     * they travel with the out-of-bag rows. NULL if the tree is not honest */
    uint32_t *estimation;
    uint32_t *oob_row; /* [oob_count]: numbers in the data */
    /* [oob_count]: numbers in the block; once a row is in a leaf, the leaf's within its branch */
    uint32_t *oob_place;
    uint32_t bag_count, oob_count;
    uint32_t least_units; /* of a child's weight */
} spf_tree_rows;

/* The weight of row i of the bag. */
static inline uint32_t spf_bag_weight(const spf_tree_rows *s, uint32_t i) {
    return s->units ? s->units[s->tag[i]] : s->tag[i] & ((1u << s->weight_bits) - 1);
}

/* Its class; 0 in regression. */
static inline uint32_t spf_bag_class(const spf_tree_rows *s, uint32_t i) {
    if (!s->units) return s->tag[i] >> s->weight_bits;
    return spf_outcome_class(&s->plan->outcome, s->tag[i]);
}

/* Whether tags of rows are their numbers in the data. */
static inline int spf_tags_are_rows(const spf_plan *plan) {
    return plan->outcome.needs_rows || plan->bagger.weights->relative;
}

/* Draws the bag of tree number `tree`. */
sporf_status spf_tree_rows_create(const spf_plan *plan, uint32_t tree, spf_tree_rows **out);
void spf_tree_rows_free(spf_tree_rows *tree_rows);
/* What the rows of a tree with so many in its bag take; with relative weights draws count apart. */
double spf_tree_rows_bytes(double rows, double in_bag, int relative);

/* Frees the rows of the bag, once all of them are in leaves. */
void spf_tree_rows_drop_bag(spf_tree_rows *tree_rows);

/* Prepares the sampler and makes the tree's basis, if it has one. */
sporf_status spf_tree_rows_prepare(spf_tree_rows *tree_rows, spf_workspace *workspace);

/* Makes the workspace's sampler ready for this tree, if it was used for another. */
sporf_status spf_tree_rows_join(spf_tree_rows *tree_rows, spf_workspace *workspace);

static inline spf_waiting spf_tree_rows_root(const spf_tree_rows *tree_rows) {
    return (spf_waiting){.bag = {0, tree_rows->bag_count},
                         .oob = {0, tree_rows->oob_count},
                         .key = SPF_ROOT_KEY,
                         .parent = SPF_NO_PARENT};
}

/* Writes classes and weights of some rows of the bag to view_label and view_weight. */
sporf_status spf_tree_rows_untag(const spf_tree_rows *tree_rows, size_t begin, size_t rows,
                                 spf_workspace *workspace);

/* A user's sampler that fails cannot raise: what it says is said here. */
sporf_status spf_speak_for_sampler(const spf_plan *plan, sporf_status status, unsigned raised);

#endif
