/* A forest laid out for prediction and for files: what predict/ walks and io/ maps. predict/pack.c
 * makes it from plain trees, unpack.c restores them.
 *
 * All splits are in one array. A reference is the distance to a child in nodes or, with
 * SPF_REF_STOP, not an ordinary split: a leaf, whose number and class are in the reference, or a
 * split with a long projection, which is stored separately. */
#ifndef SPF_MODEL_PACKED_H
#define SPF_MODEL_PACKED_H

#include "model/sets.h"
#include "model/tree_size.h"

/* Two terms of a split's projection. A projection with more terms takes several consecutive nodes:
 * all but the last have the threshold NaN and both children 1, and the sum is carried on. An absent
 * second term repeats the first feature with weight 0. feature[0] is the number of a long
 * projection; feature[1] and weight[1] are then 0, and weight[0], 1 or -1, is its factor. Feature
 * numbers beyond the forest's features name sets of levels.
 *
 * A missing projected value takes the second child. A plain split that sends it left is packed as
 * its mirror image: -v <= t' for v > t, where t' is the number before -t, with the children
 * exchanged. In plain trees the first weight of a projection is positive, so that its sign shows
 * which form it is. */
typedef struct spf_packed_node {
    uint32_t child[2]; /* references: a projected value <= threshold takes the first, others and
                          missing ones the second */
    float threshold;
    uint32_t feature[2];
    float weight[2];
} spf_packed_node;

enum {
    SPF_PACKED_TERMS = 2,
    SPF_SHORT_TERMS = 8, /* a projection with more terms is long */
    SPF_BIN_TREES = 16,  /* trees whose top levels are stored together */
    SPF_TOP_LEVELS = 5,  /* the number of these levels */
    /* memory while packing: for a node whose place is not chosen yet, and for a tree's places */
    SPF_WAITING_BYTES = 16,
    SPF_EXTENT_BYTES = 88,
};

#define SPF_REF_STOP 0x80000000u
#define SPF_REF_LONG 0x40000000u /* with SPF_REF_STOP: a split with a long projection */
#define SPF_REF_VALUE 0x3fffffffu

/* The threshold of the mirror image; applied twice it gives the original. */
static inline float spf_mirror_threshold(float threshold) {
    return nextafterf(-threshold, -INFINITY);
}

/* The threshold bits of a node that is part of a projection. */
#define SPF_PART_THRESHOLD 0x7fc00000u

typedef struct spf_packed_tree {
    uint64_t start; /* index of its root, unless that is a leaf */
    uint64_t leaf;  /* index of its first leaf */
    uint32_t root;  /* reference to its root, relative to start */
    uint32_t leaves;
    uint32_t projection, projections; /* its first long projection, and their number */
} spf_packed_tree;

typedef struct spf_packed {
    uint64_t trees_count, nodes_count, leaves_count, mixed_count, entries_count, terms_count;
    uint64_t projections_count;
    uint32_t class_bits; /* of a leaf's reference; the bits above are its number */
    const spf_packed_tree *trees;
    const spf_packed_node *nodes;
    spf_sets sets;                    /* sets of levels, shared by the terms of all trees */
    const uint64_t *projection_start; /* [projections_count + 1] into the terms */
    const uint32_t *term_feature;     /* ascending within a projection */
    const float *term_weight;
    const uint32_t *leaf_weight; /* bits of a float, the leaf's weight in its only class; or, with
                                    SPF_LEAF_MIXED, the number of a leaf with several classes */
    const uint32_t *leaf_class;  /* [leaves_count]: the class voted for; NULL if in references */
    const uint64_t *mixed_start; /* [mixed_count + 1] into the entries */
    const uint32_t *entry_class; /* ascending within a leaf */
    const float *entry_weight;
    const float *leaf_value; /* [leaves_count x spf_leaf_width]; NULL if that is 0 */
    /* leaf samples: see samples.h */
    uint64_t samples_count;
    const uint64_t *sample_tree; /* [trees_count + 1]: first sample of a tree; NULL: none stored */
    const uint32_t *sample_end;  /* [leaves_count]: the end of a leaf's samples, relative to the
                                    first of its tree; NULL if no leaf has any */
    const float *sample_value;   /* [samples_count x targets] */
    const float *sample_weight;  /* [samples_count]; NULL: all are 1 */
} spf_packed;

void spf_packed_free(spf_packed *packed);

/* Memory of the packed form of trees of such a size, and the additional memory while that many
 * threads make it. */
double spf_packed_bytes(const spf_tree_size *size, double trees);
double spf_packing_bytes(const spf_tree_size *size, double trees, double threads);

/* The predictions of a tree's leaves, `width` for each. */
static inline const float *spf_leaf_values(const spf_packed *packed, const spf_packed_tree *tree,
                                           size_t width) {
    return packed->leaf_value ? packed->leaf_value + tree->leaf * width : NULL;
}

#define SPF_LEAF_MIXED 0x80000000u

/* The most terms of long projections that a row may meet in a tree. Splits may share a projection;
 * this limit keeps a walk linear in the size of the tree, even in a hostile file. */
static inline uint64_t spf_walk_limit(uint64_t leaves, uint64_t long_terms) {
    enum { TIMES = 64 };
    return TIMES * (leaves + long_terms);
}

/* How many bits hold every class. If they leave no room for the leaves of the largest tree, it is 0
 * and *in_table is set: classes are then looked up. */
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

/* The class that a leaf votes for. */
static inline uint32_t spf_ref_class(const spf_packed *packed, const spf_packed_tree *tree,
                                     uint32_t ref) {
    if (packed->leaf_class) return packed->leaf_class[tree->leaf + spf_ref_leaf(packed, ref)];
    return ref & ((1u << packed->class_bits) - 1);
}

#endif
