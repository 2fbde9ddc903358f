/* The expected size of a tree, for memory estimates. Sizes that depend on chance are bounds that
 * hold on average over the trees of a forest. */
#ifndef SPF_MODEL_TREE_SIZE_H
#define SPF_MODEL_TREE_SIZE_H

typedef struct spf_tree_size {
    double leaves;
    double projections, terms; /* stored projections, which splits may share, and all their terms */
    double sets, words;        /* sets of levels, and the words of all of them */
    double entries;            /* classes in all leaves */
    double targets;            /* number of regression targets */
    double samples;            /* rows whose targets are stored in leaves */
    int sample_weights;        /* samples have weights */
} spf_tree_size;

#endif
