/* Prediction of many rows with the plain walk: blocks of rows, trees in order within a block. */
#ifndef SPF_PREDICT_PREDICT_H
#define SPF_PREDICT_PREDICT_H

#include "model/forest.h"

/* columns[features] of `rows` values in the model's order. classes[rows] and probabilities[rows x
 * classes] may each be NULL. */
sporf_status spf_predict(const sporf_forest *forest, const float *const *columns, size_t rows,
                         sporf_combine combine, unsigned threads, uint32_t *classes,
                         double *probabilities);

/* One row; totals[classes] becomes the probabilities. Returns the class. */
uint32_t spf_predict_row(const sporf_forest *forest, const float *row, sporf_combine combine,
                         double *totals);

#endif
