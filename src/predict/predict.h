/* Prediction with the packed form: blocks of rows, and within a block tree by tree. */
#ifndef SPF_PREDICT_PREDICT_H
#define SPF_PREDICT_PREDICT_H

#include "predict/wanted.h"

/* How trees are combined changes neither votes nor values of targets. */
sporf_status spf_predict(const sporf_forest *forest, const spf_values *values, spf_combining how,
                         unsigned threads, const spf_predictions *out);

/* Predicts one row into outputs[outputs]. Returns 0 if the file of a forest that was opened
 * unchecked turns out to be damaged. */
int spf_predict_row(const sporf_forest *forest, const float *row, spf_combining how,
                    double *outputs);

#endif
