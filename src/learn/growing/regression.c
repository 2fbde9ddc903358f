/* Targets become whole numbers, anew in each node: as many steps between the smallest and the
 * largest value as leave the sums of the node below 2^32. A node that weighs as much as a million
 * rows has four thousand, one of a few hundred the full precision of its values. */
#include "learn/growing/regression.h"

#include <math.h>

enum { STEPS_MOST = 1 << 23 };

/* Range and weighted sum of one target over some rows of the bag; returns their weight. */
static uint64_t sum_rows(const spf_tree_rows *s, spf_extent bag, const float *value, float *low,
                         float *high, double *sum) {
    const uint32_t *row = s->tag, *units = s->units;
    float least = INFINITY, most = -INFINITY;
    double all = 0;
    uint64_t total = 0;
    for (uint32_t i = bag.begin; i < bag.end; i++) {
        float y = value[row[i]];
        uint32_t weight = units[row[i]];
        least = y < least ? y : least;
        most = y > most ? y : most;
        all += (double)y * weight;
        total += weight;
    }
    *low = least;
    *high = most;
    *sum = all;
    return total;
}

int spf_regression_open(spf_regression *targets, const spf_tree_rows *s, const spf_waiting *node,
                        uint64_t *total) {
    int varies = 0;
    for (size_t t = 0; t < targets->count; t++) {
        float low, high;
        double sum;
        *total = sum_rows(s, node->bag, spf_target_of(s->plan->data, t), &low, &high, &sum);
        targets->low[t] = low;
        targets->high[t] = high;
        targets->mean[t] = high > low ? sum / (double)*total : low;
        varies |= high > low;
    }
    return varies;
}

/* The target that makes up pairs: of several a random one that varies, by which levels of
 * categories are put in order. */
static size_t leading_target(const spf_regression *targets, const spf_waiting *node) {
    size_t target = node->key % targets->count;
    while (!(targets->high[target] > targets->low[target])) target = (target + 1) % targets->count;
    return target;
}

/* What a row adds to class 1. Weights that are numbers of rows multiply whole steps, so that they
 * are the same as repeated rows; those that are shares of the bag leave steps no room, and each
 * row's product is rounded. */
static inline uint64_t ones_of(double place, uint32_t weight, double steps, int shares) {
    if (shares) return (uint64_t)(place * weight + 0.5);
    return (uint64_t)fmin(floor(place + 0.5), steps) * weight;
}

static void fill_pairs(const spf_regression *targets, const spf_tree_rows *s,
                       const spf_waiting *node, uint64_t total, uint64_t *pair) {
    size_t target = leading_target(targets, node);
    const float *value = spf_target_of(s->plan->data, target);
    const int shares = s->plan->bagger.shares;
    double room = (double)(UINT32_MAX - (shares ? node->bag.end - node->bag.begin : 0));
    double steps = fmin(room / (double)total, STEPS_MOST);
    if (!shares) steps = floor(steps);
    double low = targets->low[target], scale = steps / (targets->high[target] - low);
    for (uint32_t i = node->bag.begin; i < node->bag.end; i++) {
        uint32_t weight = spf_bag_weight(s, i);
        uint64_t ones = ones_of((value[s->tag[i]] - low) * scale, weight, steps, shares);
        pair[i - node->bag.begin] = ones << 32 | weight;
    }
}

/* Values of several targets, less their means and in units of their spread over all rows. */
static sporf_status fill_values(spf_regression *targets, const spf_tree_rows *s,
                                const spf_waiting *node) {
    size_t rows = node->bag.end - node->bag.begin;
    SPF_TRY(SPF_RESERVE(targets->value, targets->value_capacity, targets->count * rows));
    for (size_t t = 0; t < targets->count; t++) {
        const float *value = spf_target_of(s->plan->data, t);
        double scale = s->plan->target_scale[t];
        for (size_t i = 0; i < rows; i++)
            targets->value[t * rows + i] =
                (float)((value[s->tag[node->bag.begin + i]] - targets->mean[t]) * scale);
    }
    return SPORF_OK;
}

sporf_status spf_regression_describe(spf_regression *targets, const spf_tree_rows *s,
                                     const spf_waiting *node, uint64_t *pair, uint32_t *class_total,
                                     spf_split_node *split) {
    size_t rows = node->bag.end - node->bag.begin;
    uint64_t ones = 0;
    fill_pairs(targets, s, node, split->total, pair);
    if (targets->count > 1) SPF_TRY(fill_values(targets, s, node));
    for (size_t i = 0; i < rows; i++) ones += pair[i] >> 32;
    class_total[0] = (uint32_t)split->total;
    class_total[1] = (uint32_t)ones;
    split->rows = rows;
    split->classes = 2;
    split->pair = pair;
    split->class_total = class_total;
    split->criterion = SPORF_GINI;
    split->numeric = 1;
    split->targets = targets->count;
    split->value = targets->value;
    return SPORF_OK;
}
