/* Which settings pilot forests try, and in which order. */
#ifndef SPF_LEARN_SETTINGS_PILOT_STEPS_H
#define SPF_LEARN_SETTINGS_PILOT_STEPS_H

#include "sporf.h"

/* What to change in the best settings so far, and the steps that follow. Step 0 is the first one,
 * which every search starts with; so 0 ends a search. */
typedef struct spf_pilot_step {
    double factor, quarters; /* d = factor p^(quarters / 4) ...; 0: as it is */
    double wide, roots;      /* ... at most the larger of wide and roots times the root of p */
    double nonzeros;         /* 0: as they are */
    uint32_t min_leaf;       /* 0: as it is */
    unsigned if_taken, if_not;
} spf_pilot_step;

/* What is tried for an outcome. */
typedef struct spf_pilot_plan {
    const spf_pilot_step *steps;
    size_t count;
} spf_pilot_plan;

const spf_pilot_plan *spf_pilot_plan_of(int classification);

/* The number of candidates of a step in a table with p features to draw from; 0: as it is. */
double spf_pilot_candidates(const spf_pilot_step *step, double p);

/* The params with what a step changes, as far as it is auto in the given ones; too few rows cannot
 * have large leaves. */
sporf_params spf_pilot_change(const sporf_params *params, const sporf_params *given,
                              const spf_pilot_step *step, double p, size_t rows);

/* Whether no step has a candidate for every feature. */
int spf_pilot_leaves_features_out(const spf_pilot_plan *plan, double p);

/* The most candidates that a search may try. */
double spf_pilot_most_candidates(const spf_pilot_plan *plan, double p);

#endif
