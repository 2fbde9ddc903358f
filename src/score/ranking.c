/* Rows with the same probability are a group: no threshold separates them. */
#include "score/ranking.h"

#include "base/sort.h"

#include <math.h>

static double probability(const spf_scored *scored, size_t class, uint32_t row) {
    return scored->probabilities[row * scored->classes + class];
}

/* Numbers with the order of doubles, the largest first; -0 and +0 give the same. */
static uint64_t descending(double value) {
    uint64_t bits;
    value += 0.0;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? bits : ~(bits | 0x8000000000000000u);
}

/* By the lower halves, then stably by the upper ones. */
void spf_ranking(const spf_scored *scored, size_t class, uint32_t *order, uint64_t *spare) {
    size_t count = scored->count;
    for (size_t i = 0; i < count; i++)
        spare[i] = descending(probability(scored, class, scored->row[i])) << 32 | scored->row[i];
    spf_sort_keys(spare, spare + count, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t row = (uint32_t)spare[i];
        uint64_t upper = descending(probability(scored, class, row)) & 0xffffffff00000000u;
        spare[i] = upper | row;
    }
    spf_sort_keys(spare, spare + count, count);
    for (size_t i = 0; i < count; i++) order[i] = (uint32_t)spare[i];
}

/* The end of the group that starts at `begin`, with its weights of the class and of others. */
static size_t group_end(const spf_scored *scored, size_t class, const uint32_t *order, size_t begin,
                        const double *weights, double *positive, double *negative) {
    double share = probability(scored, class, order[begin]);
    size_t i = begin;
    *positive = *negative = 0;
    for (; i < scored->count && probability(scored, class, order[i]) == share; i++)
        *(scored->label[order[i]] == class ? positive : negative) += weights[order[i]];
    return i;
}

/* A share, whose parts were rounded one by one. */
static double share_of(double part, double whole) {
    return fmin(part / whole, 1);
}

void spf_areas_of(const spf_scored *scored, size_t class, const uint32_t *order,
                  const double *weights, const double *class_weight, double *won,
                  spf_areas *areas) {
    double own = class_weight[class], rest = 0, above = 0, above_rest = 0, won_all = 0, gains = 0;
    for (size_t k = 0; k <= scored->classes; k++) {
        won[k] = 0;
        if (k != class) rest += class_weight[k];
    }
    for (size_t i = 0; i < scored->count;) {
        double positive, negative;
        size_t end = group_end(scored, class, order, i, weights, &positive, &negative);
        double beaten = above + positive / 2;
        if (negative > 0)
            for (; i < end; i++) won[scored->label[order[i]]] += weights[order[i]] * beaten;
        i = end;
        above += positive;
        above_rest += negative;
        if (positive > 0) gains += positive * (above / (above + above_rest));
    }
    *areas =
        (spf_areas){.auc = NAN, .average_precision = own > 0 ? share_of(gains, own) : (double)NAN};
    for (size_t k = 0; k <= scored->classes; k++) {
        if (k == class || !(own > 0) || !(class_weight[k] > 0)) continue;
        won_all += won[k];
        if (k == scored->classes) continue;
        areas->pairs_sum += share_of(won[k], own * class_weight[k]);
        areas->pairs++;
    }
    if (own > 0 && rest > 0) areas->auc = share_of(won_all, own * rest);
}

size_t spf_curve_of(const spf_scored *scored, size_t class, const uint32_t *order,
                    const double *weights, sporf_curve_point *points) {
    double above = 0, above_rest = 0;
    size_t count = 1;
    points[0] = (sporf_curve_point){.threshold = INFINITY, .precision = 1};
    for (size_t i = 0; i < scored->count; count++) {
        double positive, negative;
        size_t end = group_end(scored, class, order, i, weights, &positive, &negative);
        above += positive;
        above_rest += negative;
        points[count] = (sporf_curve_point){.threshold = probability(scored, class, order[i]),
                                            .false_positive_rate = above_rest,
                                            .recall = above,
                                            .precision = above / (above + above_rest)};
        i = end;
    }
    for (size_t i = 0; i < count; i++) {
        points[i].false_positive_rate /= above_rest;
        points[i].recall /= above;
    }
    return count;
}
