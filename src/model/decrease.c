/* One pass over a tree from its last node to its first: children follow their parent in preorder,
 * so both sides of a split are summed before it is reached, and are on top of the stack. The sums
 * of a node hold only its own classes; with the many pure leaves of full trees the pass takes
 * little more than one step for each node and level. */
#include "model/decrease.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void spf_decreases_free(spf_decreases *d) {
    free(d->decrease);
    free(d->unit);
    free(d->parts);
    free(d->joined);
    free(d->open);
    *d = (spf_decreases){0};
}

/* One over the standard deviation of a target over the leaves; 0 if it is the same in all. */
static double unit_of(const spf_tree *tree, size_t targets, size_t target) {
    double total = 0, mean = 0, square = 0;
    for (uint32_t k = 0; k < tree->leaves_count; k++) {
        double weight = tree->leaf_weight[tree->leaf_start[k]];
        total += weight;
        mean += weight * tree->leaf_value[k * targets + target];
    }
    mean /= total;
    for (uint32_t k = 0; k < tree->leaves_count; k++) {
        double apart = tree->leaf_value[k * targets + target] - mean;
        square += tree->leaf_weight[tree->leaf_start[k]] * apart * apart;
    }
    return square > 0 ? sqrt(total / square) : 0;
}

static sporf_status find_units(const spf_tree *tree, size_t targets, int are_shares,
                               spf_decreases *d) {
    SPF_TRY(SPF_RESERVE(d->unit, d->unit_capacity, targets));
    for (size_t t = 0; t < targets; t++)
        d->unit[t] = targets > 1 && !are_shares ? unit_of(tree, targets, t) : 1;
    return SPORF_OK;
}

static void add_classes(const spf_tree *tree, uint32_t leaf, spf_decreases *d) {
    for (uint32_t i = tree->leaf_start[leaf]; i < tree->leaf_start[leaf + 1]; i++)
        d->parts[d->parts_count++] = (spf_part){tree->leaf_class[i], tree->leaf_weight[i]};
}

static void add_targets(const spf_tree *tree, uint32_t leaf, size_t targets, double weight,
                        spf_decreases *d) {
    const float *value = tree->leaf_value + leaf * targets;
    for (size_t t = 0; t < targets; t++)
        d->parts[d->parts_count++] = (spf_part){(uint32_t)t, weight * d->unit[t] * value[t]};
}

static sporf_status open_leaf(const spf_tree *tree, uint32_t leaf, size_t targets,
                              spf_decreases *d) {
    uint32_t first = tree->leaf_start[leaf], entries = tree->leaf_start[leaf + 1] - first;
    double weight = 0;
    SPF_TRY(SPF_RESERVE(d->open, d->open_capacity, d->open_count + 1));
    SPF_TRY(SPF_RESERVE(d->parts, d->parts_capacity, d->parts_count + entries + targets));
    for (uint32_t i = 0; i < entries; i++) weight += tree->leaf_weight[first + i];
    d->open[d->open_count++] = (spf_below){d->parts_count, weight};
    if (targets > 0)
        add_targets(tree, leaf, targets, weight, d);
    else
        add_classes(tree, leaf, d);
    return SPORF_OK;
}

/* Adds two sorted lists of parts, and returns the squared distance of their means. */
static double join_parts(const spf_part *left, const spf_part *right, const spf_part *end,
                         double left_weight, double right_weight, spf_part *joined, size_t *count) {
    const spf_part *left_end = end, *right_end = left;
    double square = 0;
    *count = 0;
    while (left < left_end || right < right_end) {
        int of_left = right == right_end || (left < left_end && left->which <= right->which);
        uint32_t which = of_left ? left->which : right->which;
        double a = of_left ? (left++)->sum : 0;
        double b = right < right_end && right->which == which ? (right++)->sum : 0;
        double apart = a / left_weight - b / right_weight;
        square += apart * apart;
        joined[(*count)++] = (spf_part){which, a + b};
    }
    return square;
}

/* Joins the two subtrees on top of the stack, and returns the impurity decrease of the split. */
static sporf_status close_split(spf_decreases *d, double *decrease) {
    spf_below left = d->open[--d->open_count], *right = &d->open[d->open_count - 1];
    size_t count = 0;
    SPF_TRY(SPF_RESERVE(d->joined, d->joined_capacity, d->parts_count - right->start));
    double square =
        join_parts(d->parts + left.start, d->parts + right->start, d->parts + d->parts_count,
                   left.weight, right->weight, d->joined, &count);
    memcpy(d->parts + right->start, d->joined, count * sizeof *d->joined);
    d->parts_count = right->start + count;
    *decrease = left.weight * right->weight / (left.weight + right->weight) * square;
    right->weight += left.weight;
    return SPORF_OK;
}

/* A deep tree above leaves with many classes would take quadratic time. No trained tree comes near:
 * both depth and classes would have to be in the thousands. */
static sporf_status count_steps(const spf_tree *tree, uint64_t parts, uint64_t *steps) {
    enum { MEAN_MAX = 4096 };
    *steps += parts;
    uint64_t size = (uint64_t)tree->nodes_count + tree->leaf_start[tree->leaves_count];
    if (*steps <= MEAN_MAX * size) return SPORF_OK;
    return spf_raise(SPORF_ERROR_MODEL, "a tree is too deep, and its leaves have too many classes, "
                                        "for importances to be found");
}

sporf_status spf_tree_decreases(const spf_tree *tree, size_t targets, int are_shares,
                                spf_decreases *d) {
    SPF_TRY(SPF_RESERVE(d->decrease, d->decrease_capacity, tree->nodes_count));
    SPF_TRY(find_units(tree, targets, are_shares, d));
    uint64_t steps = 0;
    d->parts_count = d->open_count = 0;
    for (uint32_t i = tree->nodes_count; i-- > 0;) {
        d->decrease[i] = 0;
        if (tree->nodes[i].right == 0)
            SPF_TRY(open_leaf(tree, tree->nodes[i].content, targets, d));
        else {
            if (targets == 0)
                SPF_TRY(
                    count_steps(tree, d->parts_count - d->open[d->open_count - 2].start, &steps));
            SPF_TRY(close_split(d, &d->decrease[i]));
        }
    }
    return SPORF_OK;
}
