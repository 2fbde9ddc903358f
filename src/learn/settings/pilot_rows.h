/* The rows that pilot forests are grown on, and their weights. */
#ifndef SPF_LEARN_SETTINGS_PILOT_ROWS_H
#define SPF_LEARN_SETTINGS_PILOT_ROWS_H

#include "data/dataset.h"

/* Row weights as multiples of one of them: equal weights are then 1. */
typedef struct spf_ratios {
    const float *weights;
    double unit;
} spf_ratios;

spf_ratios spf_ratios_of(const sporf_dataset *data);

static inline double spf_ratio_at(const spf_ratios *ratios, size_t row) {
    return ratios->weights ? ratios->weights[row] / ratios->unit : 1;
}

/* The effective sample size of weighted rows (Kish 1965). */
double spf_effective_rows(const sporf_dataset *data);

/* Rows with a positive weight; others do not influence the choice. */
size_t spf_rows_with_weight(const sporf_dataset *data);

/* How many rows are used for the choice. */
size_t spf_pilot_rows_count(const sporf_dataset *data);

/* Draws a part of a tall table; *out is NULL if all rows are used. */
sporf_status spf_pilot_rows_draw(const sporf_dataset *data, uint64_t seed, sporf_dataset **out);

#endif
