/* How fast a forest predicts: many rows in one call, and one row in each of many calls. */
#ifndef SPORF_CLI_TIMING_H
#define SPORF_CLI_TIMING_H

#include "row_table.h"
#include "sporf.h"

/* Nanoseconds that reading the clock takes; every timed call holds that much. */
double timing_clock(void);

/* A whole table to predict, and where the results go. */
typedef struct timing_table {
    const sporf_forest *forest;
    const sporf_dataset *data;
    sporf_predict_options how;
    uint32_t *classes; /* [rows]; NULL if numbers are predicted */
    double *values;    /* rows x targets, then */
} timing_table;

/* Predicts the table again and again: once to warm up, then five times as many calls as take
 * `seconds`, or fewer if that would last longer than ten times `seconds`. The median time of a call
 * goes to *taken. */
sporf_status timing_batch(const timing_table *table, double seconds, double *taken);

typedef struct timing_rows {
    double p50, p99; /* seconds for one row */
    double rows_per_second;
} timing_rows;

/* Predicts row after row in as many threads at once, each with rows of its own, for `seconds` after
 * a warm-up, or until each thread has timed a million calls. Returns 0, or what failed in words.
 * combine is for classes. */
const char *timing_row(const sporf_forest *forest, const row_table *table, sporf_combine combine,
                       unsigned threads, double seconds, timing_rows *result);

#endif
