/* Of few trees, the error rate says little: it sees only which class has most votes, and not by how
 * many. */
#include "learn/settings/pilot_loss.h"

#include <math.h>
#include <stdlib.h>

/* The probability that of two classes with so many votes more trees would prefer the other one:
 * that of less than one half, where votes are draws with an unknown share, all shares being equally
 * likely before. This is the lower tail of as many fair coins as there are votes, and one: exact
 * for the few votes of a pilot forest, on every machine. */
static double doubt(uint32_t votes, uint32_t other) {
    uint32_t coins = votes + other + 1;
    double term = ldexp(1, -(int)coins), sum = 0;
    for (uint32_t heads = 0; heads <= other; heads++) {
        sum += term;
        term = term * (coins - heads) / (heads + 1);
    }
    return sum;
}

/* The mean doubt about the true class, against the strongest other one: of few trees it says more
 * than the error rate, which sees only which of the two has more votes. */
static double loss_of_votes(const spf_settings *settings, const sporf_forest *forest) {
    const spf_row_classes *classes = &settings->classes;
    double sum = 0, all = 0;
    for (size_t i = 0; i < classes->rows; i++) {
        const uint32_t *votes = forest->oob_votes + i * forest->classes;
        uint32_t label = classes->label[i], other = 0;
        for (uint32_t k = 0; k < forest->classes; k++)
            if (k != label && votes[k] > other) other = votes[k];
        if (votes[label] + other == 0) continue;
        double weight = spf_row_units(settings->weights, i);
        sum += weight * doubt(votes[label], other);
        all += weight;
    }
    return sum / all;
}

/* The mean squared distance of the shares of classes from the truth. */
static double loss_of_shares(const sporf_forest *forest) {
    double sum = 0;
    for (size_t t = 0; t < forest->targets; t++) {
        double distance = forest->oob_targets[t].rmse;
        sum += distance * distance;
    }
    return sum / (double)forest->targets;
}

double spf_pilot_loss(const spf_settings *settings, const sporf_forest *forest) {
    if (settings->outcome->labelled) return loss_of_votes(settings, forest);
    return settings->outcome->classifies ? loss_of_shares(forest)
                                         : forest->oob_error * forest->oob_error;
}

/* The error rate of always predicting the most frequent class. */
static double error_of_guessing(const spf_settings *settings, double *shares) {
    const spf_row_classes *classes = &settings->classes;
    double all = 0, most = 0;
    for (size_t k = 0; k < classes->count; k++) shares[k] = 0;
    for (size_t i = 0; i < classes->rows; i++) {
        double weight = spf_row_units(settings->weights, i);
        all += weight;
        shares[classes->label[i]] += weight;
    }
    for (size_t k = 0; k < classes->count; k++) most = fmax(most, shares[k]);
    return 1 - most / all;
}

/* The effective sample size of weighted rows (Kish 1965). */
static double effective_rows(const spf_settings *settings) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < settings->classes.rows; i++) {
        double weight = spf_row_units(settings->weights, i);
        sum += weight;
        squares += weight * weight;
    }
    return sum * sum / squares;
}

sporf_status spf_pilot_guesses(const spf_settings *settings, const sporf_forest *forest,
                               int *guesses) {
    *guesses = !(forest->oob_score > 0);
    if (!settings->outcome->labelled) return SPORF_OK;
    double *shares = spf_alloc(settings->classes.count, sizeof *shares);
    if (!shares) return spf_raise_memory();
    double error = forest->oob_error, rows = effective_rows(settings);
    double deviation = sqrt(error * (1 - error) / rows);
    *guesses = error > error_of_guessing(settings, shares) - 2 * deviation;
    free(shares);
    return SPORF_OK;
}
