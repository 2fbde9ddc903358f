/* Long sums of doubles with compensation for rounding (Neumaier 1974): nearly exact, and the same
 * on every machine if the order of the numbers is the same. */
#ifndef SPF_BASE_SUM_H
#define SPF_BASE_SUM_H

#include <math.h>

typedef struct spf_sum {
    double sum, lost;
} spf_sum;

static inline void spf_sum_add(spf_sum *total, double value) {
    double sum = total->sum + value;
    if (fabs(total->sum) >= fabs(value))
        total->lost += (total->sum - sum) + value;
    else
        total->lost += (value - sum) + total->sum;
    total->sum = sum;
}

static inline double spf_sum_value(const spf_sum *total) {
    return total->sum + total->lost;
}

#endif
