/* Features with which predictions never fall, or never rise. */
#ifndef SPF_LEARN_BOOSTING_MONOTONE_H
#define SPF_LEARN_BOOSTING_MONOTONE_H

#include "learn/boosting/loss.h"

/* *monotone[features] becomes 1, -1 or 0 by a text such as "age=+,price=-"; NULL without one. */
sporf_status spf_monotone_create(const sporf_dataset *data, const char *text,
                                 const spf_boost_loss *loss, int8_t **monotone);

#endif
