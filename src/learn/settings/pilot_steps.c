/* The steps were chosen by what settings of 2 to 1,024 candidates have on 37 tables
 * (docs/decisions/0049): few candidates and larger leaves suit noise, many candidates sums that are
 * hard to find, and single features edges along the axes. */
#include "learn/settings/pilot_steps.h"

#include "base/portable_math.h"
#include "learn/settings/settings.h"

#include <math.h>

enum { LEAST_CANDIDATES = 20, NOISY_LEAF = 5, SMOOTH_LEAF = 5, NOISY_TARGET_LEAF = 10 };

#define SAME 0, 0, 0, 0
#define FEW 1, 2, INFINITY, 0
#define MIDDLE 1, 3, 100, 2
#define SOME 0.5, 4, 128, 1
#define ALL 1, 4, 256, 2
#define MANY_FEW 4, 3, 512, 4
#define MANY 4, 4, 512, 4
#define VERY_MANY 16, 4, 1024, 8

/* clang-format off */
static const spf_pilot_step classification[] = {
    [0] = {MIDDLE, 2, 1, 1, 1},
    [1] = {SAME, 0, NOISY_LEAF, 2, 2},
    [2] = {ALL, 0, 0, 3, 7},
    /* more candidates pay */
    [3] = {MANY_FEW, 1, 0, 5, 4},
    [4] = {SAME, 3, 0, 5, 5},
    [5] = {MANY, 3, 0, 6, 0},
    [6] = {VERY_MANY, 3, 0, 0, 0},
    /* they do not */
    [7] = {SAME, 1, 0, 9, 8},
    [8] = {SAME, 3, 0, 9, 9},
    [9] = {FEW, 0, 0, 0, 5},
};

static const spf_pilot_step regression[] = {
    [0] = {MANY, 1, SMOOTH_LEAF, 1, 1},
    [1] = {SAME, 0, NOISY_TARGET_LEAF, 2, 4},
    /* noise */
    [2] = {ALL, 0, 0, 3, 4},
    [3] = {SOME, 0, 0, 0, 0},
    /* sums */
    [4] = {SAME, 2, 0, 5, 5},
    [5] = {SAME, 0, 1, 6, 6},
    [6] = {VERY_MANY, 0, 0, 0, 0},
};
/* clang-format on */

#define COUNT(array) (sizeof(array) / sizeof *(array))

const spf_pilot_plan *spf_pilot_plan_of(int is_classification) {
    static const spf_pilot_plan of_classes = {classification, COUNT(classification)};
    static const spf_pilot_plan of_targets = {regression, COUNT(regression)};
    return is_classification ? &of_classes : &of_targets;
}

/* p^(1/4), p^(2/4), ... without the rounding of a library's pow. */
static double power_of(double p, double quarters) {
    double root = sqrt(p);
    return quarters == 4 ? p : quarters == 3 ? root * sqrt(root) : root;
}

/* Where there are several times as many candidates as features, there are at least a few, but no
 * more than p^2. */
double spf_pilot_candidates(const spf_pilot_step *step, double p) {
    if (step->factor == 0) return 0;
    double d = step->factor * power_of(p, step->quarters);
    d = spf_round_up(fmin(d, fmax(step->wide, step->roots * sqrt(p))));
    return step->factor <= 1 ? d : fmax(fmin(d, p * p), LEAST_CANDIDATES);
}

sporf_params spf_pilot_change(const sporf_params *params, const sporf_params *given,
                              const spf_pilot_step *step, double p, size_t rows) {
    enum { LEAVES_LEAST = 4 };
    sporf_params changed = *params;
    double candidates = spf_pilot_candidates(step, p);
    if (candidates > 0) changed.projections = (sporf_amount){candidates, 0};
    if (step->nonzeros > 0 && spf_is_auto(given->density))
        changed.density = (sporf_amount){step->nonzeros, -1};
    if (step->min_leaf > 0 && given->min_leaf == 0 && rows / LEAVES_LEAST >= step->min_leaf)
        changed.min_leaf = step->min_leaf;
    return changed;
}

static double most_of_steps(const spf_pilot_plan *plan, double p) {
    double most = 0;
    for (size_t i = 0; i < plan->count; i++)
        most = fmax(most, spf_pilot_candidates(&plan->steps[i], p));
    return most;
}

int spf_pilot_leaves_features_out(const spf_pilot_plan *plan, double p) {
    return most_of_steps(plan, p) < p;
}

double spf_pilot_most_candidates(const spf_pilot_plan *plan, double p) {
    return fmax(most_of_steps(plan, p), p);
}
