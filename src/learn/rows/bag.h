/* The bag of a tree: how often each row is in it, and what it weighs there. */
#ifndef SPF_LEARN_ROWS_BAG_H
#define SPF_LEARN_ROWS_BAG_H

#include "base/rng.h"
#include "learn/rows/row_weights.h"
#include "learn/rows/weighted_draw.h"

typedef struct spf_bagger {
    sporf_bag kind; /* not AUTO */
    size_t rows;
    const spf_row_weights *weights;
    double fraction;       /* of the rows that are drawn */
    uint32_t *class_start; /* STRATIFIED: [classes + 1] into class_rows */
    uint32_t *class_rows;  /* rows sorted by class */
    size_t classes;
    spf_weighted_draw
        weighted_draw;   /* of bootstraps, where some rows are drawn more often or never */
    uint64_t weight;     /* of the heaviest bag */
    double unit_of_row;  /* what a row, or a weight of 1 that is a count, weighs in a bag */
    double unit_of_leaf; /* the same to a power of two, so that leaves keep the ratios of weights */
    int shares;          /* weights in a bag are shares of it, not numbers of rows */
} spf_bagger;

/* The share of rows that bags of a kind draw: what is given, unless that is 0, which is auto. */
double spf_bag_fraction(sporf_bag kind, double given);

/* Whether units of rows in such a bag are shares of it, not numbers of rows. */
int spf_bag_has_shares(const spf_row_weights *weights, sporf_bag kind);

/* Whether there are rows that a tree does not see, among those of every class; heavy ones are in
 * all bags. kind is not AUTO. */
int spf_bag_leaves_rows_out(const sporf_dataset *data, const spf_row_weights *weights,
                            sporf_bag kind, double fraction);

/* The weights must outlive the bagger. */
sporf_status spf_bagger_create(const sporf_dataset *data, const spf_row_weights *weights,
                               sporf_bag kind, double fraction, spf_bagger *bagger);
void spf_bagger_free(spf_bagger *bagger);

/* Fills counts[rows]; 0 means out of the bag. */
void spf_bagger_draw(const spf_bagger *bagger, sporf_random *random, uint32_t *counts);

/* Makes counts what rows weigh, where these are not the same. */
void spf_bagger_weigh(const spf_bagger *bagger, uint32_t *counts);

/* Moves a share of the bag's rows, each with its whole weight, from weights[rows] to apart[rows].
 * Returns how many: where the bag has two, at least one goes and one stays; of one none does. */
uint32_t spf_bag_part(double share, size_t rows, sporf_random *random, uint32_t *weights,
                      uint32_t *apart);

#endif
