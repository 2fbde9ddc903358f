/* Weights of votes by a table, because a row takes one for each class. */
#include "model/trust.h"

#include "base/memory.h"
#include "base/portable_math.h"

#include <math.h>

static int is_between(double value, double least, double most) {
    return value >= least && value <= most;
}

int spf_trust_is_valid(const spf_trust *trust) {
    return is_between(trust->smoothing, SPF_SMOOTHING_LEAST, SPF_SMOOTHING_MOST) &&
           is_between(trust->power, SPF_POWER_LEAST, SPF_POWER_MOST) && trust->log_loss >= 0 &&
           isfinite(trust->log_loss) && is_between(trust->brier, 0, 2);
}

sporf_status spf_trust_prepare(spf_trust *trust, size_t trees) {
    double all = (double)trees, extra = SPF_TRUST_EXTRA + trust->smoothing * all;
    if (trust->power == 0) return SPORF_OK;
    double *weight = spf_alloc(trees + 2, sizeof *weight);
    if (!weight) return spf_raise_memory();
    double most = spf_log(all + extra);
    for (size_t n = 0; n < trees; n++)
        weight[n] = spf_exp(trust->power * (spf_log((double)n + extra) - most));
    weight[trees] = weight[trees + 1] = 1;
    trust->weight = weight;
    return SPORF_OK;
}

void spf_trust_apply_some(const spf_trust *trust, size_t trees, double *row, size_t classes) {
    double all = (double)trees, extra = SPF_TRUST_EXTRA + trust->smoothing * all, sum = 0;
    double most = spf_log(all + extra), none = spf_exp(trust->power * (spf_log(extra) - most));
    for (size_t k = 0; k < classes; k++)
        sum += row[k] =
            row[k] > 0 ? spf_exp(trust->power * (spf_log(row[k] + extra) - most)) : none;
    for (size_t k = 0; k < classes; k++) row[k] /= sum;
}

double spf_trust_bytes(double trees) {
    return spf_alloc_bytes(trees + 2, sizeof(double));
}

/* Between whole votes on a line. Numbers from a damaged file that was not checked stay within the
 * table. */
static inline double weight_of(const double *weight, double votes, double trees) {
    double most = votes > 0 ? votes : 0, at = most < trees ? most : trees;
    size_t whole = (size_t)at;
    return weight[whole] + (at - (double)whole) * (weight[whole + 1] - weight[whole]);
}

/* Weights into their shares. */
static void apply(const spf_trust *trust, size_t trees, double *row, size_t classes) {
    double sum = 0;
    for (size_t k = 0; k < classes; k++)
        sum += row[k] = weight_of(trust->weight, row[k], (double)trees);
    for (size_t k = 0; k < classes; k++) row[k] /= sum;
}

void spf_trust_apply_votes(const spf_trust *trust, size_t trees, double *row, size_t classes) {
    apply(trust, trees, row, classes);
}

/* The place of the largest mean over the trees, the first in a tie. */
static size_t first_of_largest(const double *sums, size_t count, double trees) {
    size_t best = 0;
    double most = sums[0] / trees;
    for (size_t k = 1; k < count; k++)
        if (sums[k] / trees > most) most = sums[best = k] / trees;
    return best;
}

/* Weights of sums that differ in the last digit may be equal. */
void spf_trust_apply_shares(const spf_trust *trust, size_t trees, double *row, size_t classes) {
    size_t first = first_of_largest(row, classes, (double)trees);
    apply(trust, trees, row, classes);
    size_t now = first_of_largest(row, classes, 1);
    if (now != first) row[first] = nextafter(row[now], 1);
}
