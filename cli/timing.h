/* How fast a forest predicts: many rows in one call, and one row per call. */
#ifndef SPORF_CLI_TIMING_H
#define SPORF_CLI_TIMING_H

#include "row_table.h"
#include "sporf.h"

/* Nanoseconds to read the clock, which every timed call includes. */
double timing_clock(void);

/* A whole table to predict, and memory for the results. */
typedef struct timing_table {
    const sporf_forest *forest;
    const sporf_dataset *data;
    sporf_predict_options how;
    uint32_t *classes; /* [rows]; NULL in regression */
    double *values;    /* rows x targets, in regression */
} timing_table;

/* Predicts the table repeatedly: once to warm up, then five times as many calls as take
 * `seconds`, or fewer if that would last longer than ten times `seconds`. *taken is the median
 * time of a call. */
sporf_status timing_batch(const timing_table *table, double seconds, double *taken);

typedef struct timing_rows {
    double p50, p99; /* seconds for one row */
    double rows_per_second;
} timing_rows;

/* Predicts single rows in that many threads at once, each with its own rows, for `seconds` after a
 * warm-up, or until each thread has timed a million calls. Returns NULL, or a message on failure.
 * combine is for classification. */
const char *timing_row(const sporf_forest *forest, const row_table *table, sporf_combine combine,
                       unsigned threads, double seconds, timing_rows *result);

#endif
