/* Options of prediction. */
#ifndef SPF_API_PREDICT_OPTIONS_H
#define SPF_API_PREDICT_OPTIONS_H

#include "model/forest.h"

/* given may be NULL for the defaults. */
sporf_status spf_predict_options_resolve(const sporf_predict_options *given,
                                         sporf_predict_options *options);

/* How the forest names classes; NULL: they are the most probable ones. Raises an error if its
 * threshold does not fit the probabilities that the options ask for. */
sporf_status spf_predict_decision(const sporf_forest *forest, const sporf_predict_options *options,
                                  const spf_decision **decision);

#endif
