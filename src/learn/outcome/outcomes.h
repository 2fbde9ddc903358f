/* The list of outcomes, and which one a table has. */
#ifndef SPF_LEARN_OUTCOME_OUTCOMES_H
#define SPF_LEARN_OUTCOME_OUTCOMES_H

#include "learn/growing/outcome_kind.h"

extern const spf_outcome_kind spf_classification, spf_regression, spf_several_labels;

/* Regression if the data have targets, unless these are the classes of several labels. */
const spf_outcome_kind *spf_outcome_kind_of(const sporf_dataset *data);

/* What trees on these data predict. calibrates: leaves store samples, or votes are calibrated. Data
 * and weights must live as long. Free with spf_outcome_close, also after a failure. */
sporf_status spf_outcome_open(const spf_outcome_kind *kind, const sporf_dataset *data,
                              const spf_row_weights *weights, int calibrates, spf_outcome *outcome);
void spf_outcome_close(spf_outcome *outcome);

#endif
