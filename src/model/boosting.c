/* From sums of leaves to predictions. */
#include "model/boosting.h"

#include "base/portable_math.h"

#include <math.h>
#include <stdlib.h>

void spf_boosting_free(spf_boosting *boosting) {
    free(boosting->base);
    free(boosting->losses);
    *boosting = (spf_boosting){0};
}

/* The largest number that spf_exp takes; what it gives is still finite. */
#define EXPONENT_MOST 700.0

static double exponential(double x) {
    return spf_exp(fmin(x, EXPONENT_MOST));
}

/* Classes in proportion to the exponentials of their scores; the largest is 1, so that none
 * overflows. */
static void take_shares(double *row, size_t classes) {
    double most = row[0], sum = 0;
    for (size_t k = 1; k < classes; k++) most = fmax(most, row[k]);
    for (size_t k = 0; k < classes; k++) sum += row[k] = spf_exp(row[k] - most);
    for (size_t k = 0; k < classes; k++) row[k] /= sum;
}

/* Each of the two is computed by itself, so that a small one keeps its precision. */
static void take_odds(double *row) {
    double odds = row[0];
    row[0] = 1 / (1 + exponential(odds));
    row[1] = 1 / (1 + exponential(-odds));
}

void spf_boosting_score(const spf_boosting *boosting, double *row) {
    for (size_t k = 0; k < boosting->outputs; k++)
        row[k] = boosting->base[k] + row[k] / (double)boosting->bags;
}

void spf_boosting_finish(const spf_boosting *boosting, double *row) {
    spf_boosting_score(boosting, row);
    switch (boosting->link) {
    case SPF_LINK_NONE:
        break;
    case SPF_LINK_LOG:
        for (size_t k = 0; k < boosting->outputs; k++) row[k] = exponential(row[k]);
        break;
    case SPF_LINK_LOG_ODDS:
        take_odds(row);
        break;
    case SPF_LINK_SOFTMAX:
        take_shares(row, boosting->outputs);
        break;
    }
}
