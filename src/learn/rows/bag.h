/* The bag of a tree: how often each row is in it, and its weight there. */
#ifndef SPF_LEARN_ROWS_BAG_H
#define SPF_LEARN_ROWS_BAG_H

#include "base/rng.h"
#include "learn/rows/row_weights.h"
#include "learn/rows/weighted_draw.h"

typedef struct spf_bagger {
    sporf_bag kind; /* not AUTO */
    size_t rows;
    const spf_row_weights *weights;
    double fraction;       /* share of rows that is drawn */
    uint32_t *class_start; /* STRATIFIED: [classes + 1] into class_rows */
    uint32_t *class_rows;  /* rows sorted by class */
    size_t classes;
    spf_weighted_draw weighted_draw; /* of bootstraps, if some rows are drawn more often or never */
    uint64_t weight;                 /* of the heaviest bag */
    double unit_of_row;              /* units of a row, or of a count of 1, in a bag */
    double unit_of_leaf; /* the same rounded to a power of two, so that leaves keep the ratios of
                            weights */
    int shares;          /* weights in a bag are shares of it, not counts of rows */
} spf_bagger;

/* The share of rows that bags of a kind draw: as given, or the default if that is 0. */
double spf_bag_fraction(sporf_bag kind, double given);

/* Whether weights in such a bag are shares of it, not counts of rows. */
int spf_bag_has_shares(const spf_row_weights *weights, sporf_bag kind);

/* Whether every class has rows that some trees leave out; heavy rows are in all bags. kind is not
 * AUTO. */
int spf_bag_leaves_rows_out(spf_row_classes classes, const spf_row_weights *weights, sporf_bag kind,
                            double fraction);

/* The number of distinct rows of a bag, and their number with repeats: upper bounds on the average.
 */
typedef struct spf_bag_size {
    double rows, weight;
} spf_bag_size;
spf_bag_size spf_bag_expected(spf_row_classes classes, const spf_row_weights *weights,
                              sporf_bag kind, double fraction);

/* The weights must outlive the bagger. */
sporf_status spf_bagger_create(spf_row_classes classes, const spf_row_weights *weights,
                               sporf_bag kind, double fraction, spf_bagger *bagger);
void spf_bagger_free(spf_bagger *bagger);
double spf_bagger_bytes(spf_row_classes classes, const spf_row_weights *weights, sporf_bag kind);
/* The largest weight of a bag, in units. */
double spf_bag_heaviest(const spf_row_weights *weights);

/* Fills counts[rows]; 0 means out of the bag. */
void spf_bagger_draw(const spf_bagger *bagger, sporf_random *random, uint32_t *counts);

/* The same for the tree with this key. */
void spf_bagger_draw_tree(const spf_bagger *bagger, uint64_t tree_key, uint32_t *counts);

/* Replaces counts by weights, if these differ. */
void spf_bagger_weigh(const spf_bagger *bagger, uint32_t *counts);

/* Moves a share of the bag's rows, each with its whole weight, from weights[rows] to apart[rows].
 * Returns how many: of two or more rows at least one is moved and one stays; a single row stays. */
uint32_t spf_bag_part(double share, size_t rows, sporf_random *random, uint32_t *weights,
                      uint32_t *apart);

#endif
