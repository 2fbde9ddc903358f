/* Of few trees, the error rate says little: it sees only which class has most votes, and not by how
 * many. The doubt about the true class says more. */
#include "learn/settings/pilot_loss.h"

#include <math.h>
#include <stdlib.h>

/* ---- doubt -----------------------------------------------------------------------------------
 */

/* The integral of x^(a - 1) (1 - x)^(b - 1) from 0 to 1/2, times 2^(a + b), as a series of positive
 * terms. */
static double lower_half(double a, double b) {
    double term = 1 / a, sum = term;
    for (double n = 0; n < a + b || term > 1e-12 * sum; n++) {
        term *= (a + b + n) / (a + 1 + n) / 2;
        sum += term;
    }
    return sum;
}

/* Votes for the true class and for the strongest other one. */
typedef struct {
    double own, other;
} duel;

/* The probability that with more trees the other class would have more votes: that of a share below
 * one half, if shares have the beta distribution of these votes. */
static double doubt(duel votes) {
    double below = lower_half(votes.own, votes.other), above = lower_half(votes.other, votes.own);
    return below / (below + above);
}

/* How many rows have so many votes: rows[own * stride + other]. */
typedef struct {
    double *rows;
    uint32_t stride;
} duels;

static sporf_status count_duels(const spf_settings *settings, const sporf_forest *forest,
                                duels *all) {
    const spf_row_classes *classes = &settings->classes;
    *all = (duels){.stride = (uint32_t)forest->trees_count + 1};
    all->rows = spf_alloc_zero((size_t)all->stride * all->stride, sizeof *all->rows);
    if (!all->rows) return spf_raise_memory();
    for (size_t i = 0; i < classes->rows; i++) {
        const uint32_t *votes = forest->oob_votes + i * forest->classes;
        uint32_t label = classes->label[i], other = 0;
        for (uint32_t k = 0; k < forest->classes; k++)
            if (k != label && votes[k] > other) other = votes[k];
        all->rows[votes[label] * all->stride + other] += spf_row_units(settings->weights, i);
    }
    all->rows[0] = 0; /* never out of bag */
    return SPORF_OK;
}

/* The mean doubt, where each row has as many more votes. */
static double mean_doubt(const duels *all, duel more) {
    double sum = 0, rows = 0;
    for (uint32_t own = 0; own < all->stride; own++)
        for (uint32_t other = 0; other < all->stride; other++) {
            double count = all->rows[own * all->stride + other];
            if (count == 0) continue;
            sum += count * doubt((duel){own + more.own, other + more.other});
            rows += count;
        }
    return sum / rows;
}

/* The beta distribution of the rows' shares of votes, by its mean and by the chance that two votes
 * about a row are both right, as votes that each row has beforehand: a few at most, since few trees
 * tell only roughly how alike the rows are. */
static duel usual_votes(const duels *all) {
    double own_votes = 0, votes = 0, own_pairs = 0, pairs = 0;
    for (uint32_t own = 0; own < all->stride; own++)
        for (uint32_t other = 0; other < all->stride; other++) {
            double count = all->rows[own * all->stride + other], both = own + (double)other;
            own_votes += count * own;
            votes += count * both;
            own_pairs += count * own * (own - 1.0);
            pairs += count * both * (both - 1);
        }
    double mean = own_votes / votes, variance = own_pairs / pairs - mean * mean;
    const double most = 4;
    double count = variance > 0 ? fmin(mean * (1 - mean) / variance - 1, most) : most;
    if (!(mean > 0 && mean < 1 && count > 0)) return (duel){1, 1};
    return (duel){mean * count, (1 - mean) * count};
}

/* If all shares of votes are taken as equally likely beforehand, few trees seem to leave doubt where
 * many would not, the more the weaker the trees are one by one: large leaves seem better than they
 * are (docs/decisions/0049). */
static sporf_status loss_of_votes(const spf_settings *settings, const sporf_forest *forest,
                                  spf_pilot_losses *losses) {
    const duel equal = {1, 1};
    duels all;
    SPF_TRY(count_duels(settings, forest, &all));
    losses->plain = mean_doubt(&all, equal);
    losses->corrected = mean_doubt(&all, usual_votes(&all));
    free(all.rows);
    return SPORF_OK;
}

sporf_status spf_pilot_loss(const spf_settings *settings, const sporf_forest *forest,
                            spf_pilot_losses *losses) {
    if (settings->outcome->labelled) return loss_of_votes(settings, forest, losses);
    losses->plain = losses->corrected = forest->oob_error * forest->oob_error;
    return SPORF_OK;
}

/* ---- guessing --------------------------------------------------------------------------------
 */

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
