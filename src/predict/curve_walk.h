/* Many rows walk down a plain tree with all values of some features at once: at a split without
 * these features a row takes one side as a whole, at another its points are divided. */
#ifndef SPF_PREDICT_CURVE_WALK_H
#define SPF_PREDICT_CURVE_WALK_H

#include "model/combine.h"

/* At most so many rows of a block and points of a row. */
enum { SPF_CURVE_ROWS_MAX = 1 << 12, SPF_CURVE_POINTS_MAX = (1 << 26) - 1 };

/* Values of some features, which replace those of a row. */
typedef struct spf_points {
    size_t features_count;
    const uint32_t *features;   /* [features_count] */
    const float *const *values; /* [features_count], each of count values */
    size_t count;
    int ordered; /* one feature with ascending values, so that a split cuts them in two runs */
} spf_points;

/* A plain tree, and which of its projections have one of the features of points. */
typedef struct spf_curve_tree {
    spf_tree tree;
    size_t number;
    uint8_t *depends; /* [projections] */
} spf_curve_tree;

/* Restores a tree of a forest. *monotone becomes 0 if a projection has the feature in a form that
 * need not rise or fall with its values: in a set of levels, or twice. */
sporf_status spf_curve_tree_open(const sporf_forest *forest, size_t number,
                                 const spf_points *points, spf_curve_tree *tree, int *monotone);
void spf_curve_tree_close(spf_curve_tree *tree);

/* Rows of a table, and the sums of their curves: of each, or of all rows together. */
typedef struct spf_curve_block {
    const float *const *columns;
    size_t begin, rows;   /* rows [begin, begin + rows) of the columns */
    const float *weights; /* of all rows; NULL: 1; used if the rows are taken together */
    double *sums;         /* [rows x outputs x points], or [outputs x points] */
    int has_missing;      /* some value of the rows or the points may be missing */
} spf_curve_block;

/* How the leaves of trees are added. */
typedef struct spf_curve_sums {
    spf_leaf_adds adds;
    int together; /* the weighted sum over the rows of a block is enough */
    double unit;  /* of shares, which are rounded to it, so that sums are exact; 0: none */
} spf_curve_sums;

/* Memory of one thread, which grows when needed. */
typedef struct spf_curve_walker spf_curve_walker;

sporf_status spf_curve_walker_create(const sporf_forest *forest, const spf_points *points,
                                     spf_curve_sums sums, size_t rows_max, spf_curve_walker **out);
void spf_curve_walker_free(spf_curve_walker *walker);

/* Adds what the leaves of a tree say to the sums, which start at 0 and are complete after
 * spf_curve_finish. Each sum of a row gets one number from each tree, so that trees in order give
 * the bits that prediction gives. */
sporf_status spf_curve_walk(spf_curve_walker *walker, const spf_curve_tree *tree,
                            const spf_curve_block *block);
void spf_curve_finish(const spf_curve_walker *walker, const spf_curve_block *block);

#endif
