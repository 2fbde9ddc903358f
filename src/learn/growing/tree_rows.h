/* A tree while it grows, shared by the threads that work on it. Rows are in arrays that are
 * partitioned in place at each split, with their classes and weights beside them; out-of-bag rows
 * are partitioned as well, which gives their leaves without a second pass. */
#ifndef SPF_LEARN_GROWING_TREE_ROWS_H
#define SPF_LEARN_GROWING_TREE_ROWS_H

#include "learn/growing/workspace.h"
#include "learn/rows/basis.h"

/* Arrays of rows have room for one more: see fill_between. */
typedef struct spf_tree_rows {
    const spf_plan *plan;
    uint32_t tree;
    uint64_t key;
    spf_basis basis;
    spf_table table; /* the data, or their projection on the basis */
    uint32_t *row;   /* [bag_count]: row numbers in the current block; if samples are stored and the
                        row is in a leaf, the leaf's number in its branch */
    uint32_t *tag; /* [bag_count]: class above weight_bits bits of weight; with targets or relative
                      weights the row number in the data */
    unsigned weight_bits;
    uint32_t *units; /* [rows of the data]: weights in the bag, if tags are row numbers */
    uint32_t *draws; /* [rows of the data]: how often each is in the bag; only with relative
                        weights, otherwise the weight shows it */
    /* [rows of the data]: weights of estimation rows, which fill the leaves and choose no splits;
     * they are partitioned with the out-of-bag rows. NULL if the tree is not honest */
    uint32_t *estimation;
    uint32_t *oob_row; /* [oob_count]: row numbers in the data */
    /* [oob_count]: row numbers in the current block; once a row is in a leaf, the leaf's number in
     * its branch */
    uint32_t *oob_place;
    uint32_t bag_count, oob_count;
    uint32_t least_units; /* least weight of a child */
} spf_tree_rows;

/* The weight of row i of the bag. */
static inline uint32_t spf_bag_weight(const spf_tree_rows *s, uint32_t i) {
    return s->units ? s->units[s->tag[i]] : s->tag[i] & ((1u << s->weight_bits) - 1);
}

/* The class of row i of the bag; 0 in regression. */
static inline uint32_t spf_bag_class(const spf_tree_rows *s, uint32_t i) {
    if (!s->units) return s->tag[i] >> s->weight_bits;
    return spf_outcome_class(&s->plan->outcome, s->tag[i]);
}

/* Whether tags are row numbers in the data. */
static inline int spf_tags_are_rows(const spf_plan *plan) {
    return plan->outcome.needs_rows || plan->bagger.weights->relative;
}

/* Draws the bag of tree number `tree`. */
sporf_status spf_tree_rows_create(const spf_plan *plan, uint32_t tree, spf_tree_rows **out);
void spf_tree_rows_free(spf_tree_rows *tree_rows);

/* The same with some of the rows only: from begin to end - 1, which are those of the plan's table
 * and outcomes. Tags that are row numbers count from begin on. */
sporf_status spf_tree_rows_between(const spf_plan *plan, uint32_t tree, spf_extent rows,
                                   spf_tree_rows **out);

/* Or with rows that were brought together, with what those who have drawn the bag say of them. Rows
 * of the bag are the first ones of the plan's table, and are those of its outcomes; the others
 * follow. */
typedef struct spf_row_list {
    const uint32_t *weight, *draws; /* [bag_count]; draws is NULL unless weights are relative */
    const uint32_t *oob;            /* [oob_count]: row numbers in the data */
    uint32_t bag_count, oob_count;
    uint32_t weight_bits, least_units; /* of the tree */
} spf_row_list;

sporf_status spf_tree_rows_listed(const spf_plan *plan, uint32_t tree, const spf_row_list *list,
                                  spf_tree_rows **out);

/* The least weight of a child, in a tree of that weight. If rows are counted and not weighed,
 * min_leaf is not a weight: see spf_plan_counts_leaves. */
uint32_t spf_least_units(const spf_plan *plan, uint64_t total);

double spf_tree_rows_bytes(const spf_expected *expected);

/* Frees the rows of the bag, once all of them are in leaves. */
void spf_tree_rows_drop_bag(spf_tree_rows *tree_rows);

/* Prepares the sampler and makes the tree's basis, if it has one. */
sporf_status spf_tree_rows_prepare(spf_tree_rows *tree_rows, spf_workspace *workspace);

/* Prepares the workspace's sampler for this tree, if it was used for another. */
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

/* Raises an error for a user's sampler that failed without a message. */
sporf_status spf_raise_for_sampler(const spf_plan *plan, sporf_status status, unsigned raised);

#endif
