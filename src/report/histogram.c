/* How often values occur. */
#include "report/histogram.h"

#include "draw/axis.h"

#include <math.h>

void spf_histogram_start(spf_histogram *histogram, double low, double high, size_t bins) {
    if (!(high > low)) {
        double room = low == 0 ? 0.5 : fabs(low) / 2;
        low -= room, high += room, bins = bins > 5 ? 5 : bins;
    }
    histogram->bins = bins;
    for (size_t i = 0; i <= bins; i++)
        histogram->edges[i] = low + (high - low) * (double)i / (double)bins;
    for (size_t i = 0; i < bins; i++) histogram->counts[i] = 0;
}

void spf_histogram_add(spf_histogram *histogram, double value, double weight) {
    double low = histogram->edges[0], high = histogram->edges[histogram->bins];
    if (!(value >= low && value <= high)) return;
    size_t bin = (size_t)((value - low) / (high - low) * (double)histogram->bins);
    histogram->counts[bin < histogram->bins ? bin : histogram->bins - 1] += weight;
}

sporf_status spf_histogram_figure(spf_report *report, const char *caption, const char *label,
                                  size_t count, const double *values) {
    double low = NAN, high = NAN;
    spf_histogram h;
    spf_axis_widen(&low, &high, count, values);
    if (isnan(low)) return SPORF_OK;
    spf_histogram_start(&h, low, high, SPF_HISTOGRAM_BINS);
    for (size_t i = 0; i < count; i++) spf_histogram_add(&h, values[i], 1);
    spf_series series = {.mark = SPF_MARK_HISTOGRAM, .count = h.bins, .x = h.edges, .y = h.counts};
    spf_chart chart = {.x_label = label, .y_label = "rows", .count = 1, .series = &series};
    spf_figure_chart(&report->page, caption, &chart);
    return SPORF_OK;
}
