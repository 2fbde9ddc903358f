/* Predicted classes compared with labels. */
#ifndef SPF_API_EVALUATE_CLASSES_H
#define SPF_API_EVALUATE_CLASSES_H

#include "data/dataset.h"
#include "model/forest.h"

/* Fills the classification scores, which start as 0, and the arrays they point to. */
sporf_status spf_evaluate_classes(const sporf_forest *forest, const sporf_dataset *data,
                                  const sporf_predict_options *options, sporf_evaluation *scores);

#endif
