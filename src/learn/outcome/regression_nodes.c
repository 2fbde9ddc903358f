/* Nodes of regression trees. With one target, the position of a row's value in the target's range,
 * from 0 to 1, is the row's share in "class 1": the Gini gain of two classes, (c N - C n)^2 / (n (N
 * - n)), is then the reduction of variance, and all splitters for two classes can be used. With
 * several targets their reductions are added, each in units of its standard deviation.
 *
 * In each node targets become integers: with as many steps between the smallest and the largest
 * value as keep the sums of the node below 2^32. A node with the weight of a million rows has four
 * thousand steps, one of a few hundred the full precision of its values. */
#include "learn/outcome/regression.h"
#include "learn/splitting/criterion.h"

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

/* As if all rows had one class. */
void spf_values_open_node(spf_workspace *w, const spf_tree_rows *s, const spf_waiting *node) {
    const spf_outcome *outcome = &s->plan->outcome;
    spf_node_targets *targets = &w->targets;
    w->varies = 0;
    for (size_t t = 0; t < targets->count; t++) {
        float low, high;
        double sum;
        w->total = sum_rows(s, node->bag, spf_outcome_values(outcome, t), &low, &high, &sum);
        targets->low[t] = low;
        targets->high[t] = high;
        targets->mean[t] = high > low ? sum / (double)w->total : low;
        w->varies |= high > low;
    }
    w->class_total[0] = (uint32_t)w->total;
    w->present[0] = 0;
    w->present_count = 1;
}

/* The target that makes up pairs: of several a random one that varies; levels of categories are
 * ordered by it. */
static size_t leading_target(const spf_node_targets *targets, const spf_waiting *node) {
    size_t target = node->key % targets->count;
    while (!(targets->high[target] > targets->low[target])) target = (target + 1) % targets->count;
    return target;
}

spf_target_steps spf_target_steps_of(const spf_plan *plan, double low, double high, uint64_t total,
                                     size_t rows) {
    const int shares = plan->bagger.shares;
    double room = (double)(UINT32_MAX - (shares ? rows : 0));
    double steps = fmin(room / (double)total, STEPS_MOST);
    if (!shares) steps = floor(steps);
    return (spf_target_steps){low, steps / (high - low), steps, shares};
}

/* Weights that count rows multiply whole steps, so that they equal repeated rows; weights that are
 * shares of the bag leave no room for steps, and each row's product is rounded. */
static inline uint64_t pair_of(const spf_target_steps *s, float value, uint32_t weight) {
    double place = (value - s->low) * s->scale;
    uint64_t ones = s->shares ? (uint64_t)(place * weight + 0.5)
                              : (uint64_t)fmin(floor(place + 0.5), s->steps) * weight;
    return ones << 32 | weight;
}

uint64_t spf_target_pair(const spf_target_steps *steps, float value, uint32_t weight) {
    return pair_of(steps, value, weight);
}

static void fill_pairs(const spf_node_targets *targets, const spf_tree_rows *s,
                       const spf_waiting *node, uint64_t total, uint64_t *pair) {
    size_t target = leading_target(targets, node);
    const float *value = spf_outcome_values(&s->plan->outcome, target);
    const spf_target_steps steps =
        spf_target_steps_of(s->plan, targets->low[target], targets->high[target], total,
                            node->bag.end - node->bag.begin);
    for (uint32_t i = node->bag.begin; i < node->bag.end; i++)
        pair[i - node->bag.begin] = pair_of(&steps, value[s->tag[i]], spf_bag_weight(s, i));
}

/* Whether splits look at a target in the open node. */
static int is_searched(const spf_regression_state *state, const spf_node_targets *targets,
                       size_t target) {
    return state->scale[target] > 0 &&
           (!state->skips_constant || targets->high[target] > targets->low[target]);
}

static size_t count_searched(const spf_regression_state *state, const spf_node_targets *targets) {
    size_t count = 0;
    for (size_t t = 0; t < targets->count; t++) count += (size_t)is_searched(state, targets, t);
    return count;
}

/* Values of several targets minus their means, in units of their standard deviation over all
 * rows. */
static sporf_status fill_values(spf_node_targets *targets, size_t searched, const spf_tree_rows *s,
                                const spf_waiting *node) {
    size_t rows = node->bag.end - node->bag.begin;
    const spf_regression_state *state = s->plan->outcome.state;
    SPF_TRY(SPF_RESERVE(targets->value, targets->value_capacity, searched * rows));
    float *out = targets->value;
    for (size_t t = 0; t < targets->count; t++) {
        if (!is_searched(state, targets, t)) continue;
        const float *value = spf_outcome_values(&s->plan->outcome, t);
        double scale = state->scale[t];
        for (size_t i = 0; i < rows; i++)
            out[i] = (float)((value[s->tag[node->bag.begin + i]] - targets->mean[t]) * scale);
        out += rows;
    }
    return SPORF_OK;
}

sporf_status spf_values_describe_node(spf_workspace *w, const spf_tree_rows *s,
                                      const spf_waiting *node, spf_split_node *split) {
    spf_node_targets *targets = &w->targets;
    size_t rows = node->bag.end - node->bag.begin;
    uint64_t ones = 0;
    SPF_TRY(SPF_RESERVE(w->pair, w->pair_capacity, rows));
    fill_pairs(targets, s, node, w->total, w->pair);
    size_t searched = count_searched(s->plan->outcome.state, targets);
    if (searched > 1) SPF_TRY(fill_values(targets, searched, s, node));
    for (size_t i = 0; i < rows; i++) ones += w->pair[i] >> 32;
    w->dense_total[0] = (uint32_t)w->total;
    w->dense_total[1] = (uint32_t)ones;
    *split = (spf_split_node){
        .rows = rows,
        .classes = 2,
        .pair = w->pair,
        .class_total = w->dense_total,
        .total = w->total,
        .min_leaf = s->least_units,
        .criterion = spf_criterion_of(SPORF_GINI),
        .numeric = 1,
        .targets = searched,
        .value = targets->value,
    };
    return SPORF_OK;
}
