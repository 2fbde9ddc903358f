/* A boosted model in a few lines, or as keys of a JSON object. */
#ifndef SPORF_CLI_BOOSTING_REPORT_H
#define SPORF_CLI_BOOSTING_REPORT_H

#include "json.h"
#include "sporf.h"

/* Adds the keys of a boosted model: rounds, bags, loss, losses by round and the like. */
void boosting_json(json *writer, const sporf_boosting *boosting);

/* Prints its lines "rounds" and "loss". */
void boosting_lines(FILE *stream, const sporf_forest *forest, const sporf_boosting *boosting);

/* Prints what inspect shows besides: the scores before the first round, and the loss after some
 * rounds. */
void boosting_more_lines(FILE *stream, const sporf_boosting *boosting);

/* The loss of held-out rows after a round from 1 on; of training rows if none were held out; NaN
 * for round 0. */
double boosting_loss(const sporf_boosting *boosting, size_t round);

#endif
