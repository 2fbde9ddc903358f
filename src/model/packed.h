/* A forest laid out for prediction and for files: what predict/ walks and io/ maps. predict/pack.c
 * makes it of plain trees, unpack.c makes plain trees of it.
 *
 * All splits lie in one array. A reference says where a child lies: so many nodes further on, or,
 * with SPF_REF_STOP, that it is not an ordinary split: a leaf, whose number and class the reference
 * itself holds, or a split whose projection is long and lies aside. */
#ifndef SPF_MODEL_PACKED_H
#define SPF_MODEL_PACKED_H

#include "model/sets.h"

/* Two terms of a split's projection. A projection of more terms takes several nodes, one after the
 * other: all but the last have the threshold NaN and both children 1, and the sum so far is carried
 * on. An absent second term repeats the first feature with weight 0. A long projection is named by
 * feature[0]; feature[1] and weight[1] are then 0, and weight[0], 1 or -1, is what the projection
 * is multiplied with. Features from the number of the forest's on name sets of levels.
 *
 * A projected value that is missing takes the second child. Where the plain split sends it to the
 * left, the packed one is its mirror image: with -v <= t', t' being the number before -t, for v >
 * t, and the children exchanged. In plain trees the first weight of a projection is positive, so
 * that its sign tells. */
typedef struct spf_packed_node {
    uint32_t child[2]; /* references: a projected value <= threshold takes the first, others and
                          a missing one the second */
    float threshold;
    uint32_t feature[2];
    float weight[2];
} spf_packed_node;

enum {
    SPF_PACKED_TERMS = 2,
    SPF_SHORT_TERMS = 8, /* a projection of more terms lies aside */
    SPF_BIN_TREES = 16,  /* whose tops lie together */
};

#define SPF_REF_STOP 0x80000000u
#define SPF_REF_LONG 0x40000000u /* with SPF_REF_STOP: a split with a long projection */
#define SPF_REF_VALUE 0x3fffffffu

/* The threshold of the mirror image: each is that of the other. */
static inline float spf_mirror_threshold(float threshold) {
    return nextafterf(-threshold, -INFINITY);
}

/* The bits that tell part of a projection from a split. */
#define SPF_PART_THRESHOLD 0x7fc00000u

typedef struct spf_packed_tree {
    uint64_t start; /* its root among the nodes, unless that is a leaf */
    uint64_t leaf;  /* its first leaf among all leaves */
    uint32_t root;  /* reference to its root, counted from start */
    uint32_t leaves;
    uint32_t projection, projections; /* its long projections among all of them */
} spf_packed_tree;

typedef struct spf_packed {
    uint64_t trees_count, nodes_count, leaves_count, mixed_count, entries_count, terms_count;
    uint64_t projections_count;
    uint32_t class_bits; /* of a leaf's reference; the bits above them are its number */
    const spf_packed_tree *trees;
    const spf_packed_node *nodes;
    spf_sets sets;                    /* of levels, which terms of all trees name */
    const uint64_t *projection_start; /* [projections_count + 1] into the terms */
    const uint32_t *term_feature;     /* ascending within a projection */
    const float *term_weight;
    const uint32_t *leaf_weight; /* bits of a float, the leaf's weight in its only class; or with
                                    SPF_LEAF_MIXED the number of a leaf of several classes */
    const uint32_t *leaf_class;  /* NULL if references hold the class: the class voted for */
    const uint64_t *mixed_start; /* [mixed_count + 1] into the entries */
    const uint32_t *entry_class; /* ascending within a leaf */
    const float *entry_weight;
    const float *leaf_value; /* [leaves_count x targets]; NULL if classes are predicted */
    /* what samples.h reads */
    uint64_t samples_count;
    const uint64_t *sample_tree; /* [trees_count + 1]: the first of each tree; NULL: not kept */
    const uint32_t *sample_end;  /* [leaves_count]: where those of a leaf end, counted from the
                                    first of its tree; NULL if no leaf has any */
    const float *sample_value;   /* [samples_count x targets] */
    const float *sample_weight;  /* [samples_count]; NULL: each counts once */
} spf_packed;

/* What the leaves of a tree predict, one after the other. */
static inline const float *spf_leaf_values(const spf_packed *packed, const spf_packed_tree *tree,
                                           size_t targets) {
    return packed->leaf_value ? packed->leaf_value + tree->leaf * targets : NULL;
}

#define SPF_LEAF_MIXED 0x80000000u

/* The most terms of long projections that a row may meet on its way through a tree. Splits may
 * share a projection; this keeps a walk linear in the size of the tree, whoever made it. */
static inline uint64_t spf_walk_limit(uint64_t leaves, uint64_t long_terms) {
    enum { TIMES = 64 };
    return TIMES * (leaves + long_terms);
}

/* How many bits hold every class; more than leave room for the leaves of the largest tree is
 * answered with 0 and *in_table set: classes are then looked up. */
static inline uint32_t spf_class_bits(size_t classes, uint32_t most_leaves, int *in_table) {
    uint32_t bits = classes > 1 ? 64 - (uint32_t)__builtin_clzll(classes - 1) : 0;
    *in_table = bits > 29 || ((uint64_t)most_leaves << bits) > (uint64_t)SPF_REF_VALUE + 1;
    return *in_table ? 0 : bits;
}

static inline int spf_ref_is_leaf(uint32_t ref) {
    return (ref & (SPF_REF_STOP | SPF_REF_LONG)) == SPF_REF_STOP;
}

static inline int spf_ref_is_long(uint32_t ref) {
    return (ref & (SPF_REF_STOP | SPF_REF_LONG)) == (SPF_REF_STOP | SPF_REF_LONG);
}

/* The number of a leaf in its tree. */
static inline uint32_t spf_ref_leaf(const spf_packed *packed, uint32_t ref) {
    return (ref & SPF_REF_VALUE) >> packed->class_bits;
}

/* The class a leaf votes for. */
static inline uint32_t spf_ref_class(const spf_packed *packed, const spf_packed_tree *tree,
                                     uint32_t ref) {
    if (packed->leaf_class) return packed->leaf_class[tree->leaf + spf_ref_leaf(packed, ref)];
    return ref & ((1u << packed->class_bits) - 1);
}

#endif
