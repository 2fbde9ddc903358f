/* How often values occur. */
#ifndef SPF_REPORT_HISTOGRAM_H
#define SPF_REPORT_HISTOGRAM_H

#include "report/report.h"

enum { SPF_HISTOGRAM_BINS = 24 };

typedef struct spf_histogram {
    size_t bins;
    double edges[SPF_HISTOGRAM_BINS + 1], counts[SPF_HISTOGRAM_BINS];
} spf_histogram;

/* Counts values in bins of the same width from low to high; others and NaN are ignored. */
void spf_histogram_start(spf_histogram *histogram, double low, double high, size_t bins);
void spf_histogram_add(spf_histogram *histogram, double value, double weight);

/* A figure of the values that are not NaN; none if there are none. */
sporf_status spf_histogram_figure(spf_report *report, const char *caption, const char *label,
                                  size_t count, const double *values);

#endif
