/* Predicted values, quantiles and intervals compared with targets. */
#ifndef SPF_API_EVALUATE_TARGETS_H
#define SPF_API_EVALUATE_TARGETS_H

#include "data/dataset.h"
#include "model/forest.h"

/* Fills the regression scores and the arrays they point to. */
sporf_status spf_evaluate_targets(const sporf_forest *forest, const sporf_dataset *data,
                                  const sporf_predict_options *options, sporf_evaluation *scores);

#endif
