/* Predicted classes of several labels compared with the true ones. */
#ifndef SPF_API_EVALUATE_LABELS_H
#define SPF_API_EVALUATE_LABELS_H

#include "data/dataset.h"
#include "model/forest.h"

/* Fills the scores of several labels and the array they point to. */
sporf_status spf_evaluate_labels(const sporf_forest *forest, const sporf_dataset *data,
                                 const sporf_predict_options *options, sporf_evaluation *scores);

#endif
