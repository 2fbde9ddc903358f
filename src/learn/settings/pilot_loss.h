/* How good a pilot forest is, by its out-of-bag predictions. */
#ifndef SPF_LEARN_SETTINGS_PILOT_LOSS_H
#define SPF_LEARN_SETTINGS_PILOT_LOSS_H

#include "learn/settings/settings.h"
#include "model/forest.h"

/* Classification: the mean doubt about the true class, from 0 to 1. Several labels, and regression:
 * the mean squared error. NaN if no row is out of bag. */
double spf_pilot_loss(const spf_settings *settings, const sporf_forest *forest);

/* Whether a forest is within two standard errors of always predicting the most frequent class; in
 * regression, whether it explains nothing. */
sporf_status spf_pilot_guesses(const spf_settings *settings, const sporf_forest *forest,
                               int *guesses);

#endif
