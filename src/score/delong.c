/* A row of the class is placed by the share of others below it, another row by the share of the
 * class above it; ties count half. The area is the mean of either kind of places. */
#include "score/delong.h"

#include "base/portable_math.h"

typedef struct {
    double weight[2]; /* of others and of the class */
    size_t rows[2];
} sides;

static int is_own(const spf_scored *scored, size_t class, uint32_t row) {
    return scored->label[row] == class;
}

static sides count_sides(const spf_scored *scored, size_t class, const double *weights) {
    sides found = {0};
    for (size_t i = 0; i < scored->count; i++) {
        uint32_t row = scored->row[i];
        int own = is_own(scored, class, row);
        found.weight[own] += weights[row];
        found.rows[own] += weights[row] > 0;
    }
    return found;
}

/* The factor of a side: one row less than there are, as in a sample variance. */
static double factor(const sides *all, int own) {
    double rows = (double)all->rows[own];
    if (all->rows[0] < 2 || all->rows[1] < 2) return NAN;
    return sqrt(rows / (rows - 1)) / all->weight[own];
}

void spf_delong(const spf_scored *scored, size_t class, const uint32_t *order,
                const double *weights, double area, double *influence) {
    sides all = count_sides(scored, class, weights);
    double above[2] = {0, 0}, factors[2] = {factor(&all, 0), factor(&all, 1)};
    for (size_t begin = 0, end; begin < scored->count; begin = end) {
        const double *shares = scored->probabilities + class;
        double share = shares[order[begin] * scored->classes], tied[2] = {0, 0};
        for (end = begin; end < scored->count && shares[order[end] * scored->classes] == share;
             end++)
            tied[is_own(scored, class, order[end])] += weights[order[end]];
        for (size_t i = begin; i < end; i++) {
            int own = is_own(scored, class, order[i]);
            double over = (above[!own] + tied[!own] / 2) / all.weight[!own];
            double place = own ? 1 - over : over;
            influence[order[i]] = weights[order[i]] * (place - area) * factors[own];
        }
        above[0] += tied[0];
        above[1] += tied[1];
    }
}

/* The probability of the interval from -z to z, by its series in odd powers of z. */
static double normal_within(double z, double density) {
    double term = z, sum = z;
    for (int k = 3; term > 1e-17 * sum; k += 2) sum += term *= z * z / k;
    return 2 * density * sum;
}

/* Newton's steps from 0 never overshoot, since the density falls. */
double spf_normal_reach(double confidence) {
    double z = 0, step = 1;
    for (int i = 0; i < 100 && step > 1e-14; i++) {
        double density = spf_exp(-z * z / 2) / sqrt(2 * SPF_PI);
        step = (confidence - normal_within(z, density)) / (2 * density);
        z += step;
    }
    return z;
}
