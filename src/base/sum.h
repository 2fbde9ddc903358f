/* Long sums of doubles with a compensation for what additions round off (Neumaier 1974): the result
 * is nearly that of exact arithmetic, and the same wherever numbers are added in the same order. */
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
