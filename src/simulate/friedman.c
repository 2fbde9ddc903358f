/* Friedman's regression problems. The second and third are the impedance and the phase of a circuit
 * of resistance, frequency, inductance and capacitance. */
#include "simulate/friedman.h"

#include "base/portable_math.h"

#include <math.h>

double spf_friedman1(sporf_random *random, size_t features, double *row) {
    for (size_t j = 0; j < features; j++) row[j] = spf_random_uniform(random);
    double middle = row[2] - 0.5;
    return 10 * spf_sin_pi(row[0] * row[1]) + 20 * middle * middle + 10 * row[3] + 5 * row[4];
}

static double between(sporf_random *random, double low, double high) {
    return low + (high - low) * spf_random_uniform(random);
}

/* Draws the circuit and returns its reactance. */
static double reactance(sporf_random *random, double *row) {
    row[0] = between(random, 0, 100);
    row[1] = between(random, 40 * SPF_PI, 560 * SPF_PI);
    row[2] = between(random, 0, 1);
    row[3] = between(random, 1, 11);
    return row[1] * row[2] - 1 / (row[1] * row[3]);
}

double spf_friedman2(sporf_random *random, size_t features, double *row) {
    (void)features;
    double across = reactance(random, row);
    return sqrt(row[0] * row[0] + across * across);
}

double spf_friedman3(sporf_random *random, size_t features, double *row) {
    (void)features;
    double across = reactance(random, row);
    return spf_atan(across / row[0]);
}
