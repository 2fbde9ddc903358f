/* Several labels: which of a row's classes are predicted wrong. */
#ifndef SPF_REPORT_LABELS_H
#define SPF_REPORT_LABELS_H

#include "report/report.h"

/* Whether the predicted class of a label is wrong, as is every prediction of an unknown class. */
int spf_label_is_wrong(const spf_report *report, const spf_report_model *model, size_t row,
                       size_t label);
/* The share of a row's labels that are wrong. */
double spf_labels_wrong(const spf_report *report, const spf_report_model *model, size_t row);

/* A mean over the rows that have a prediction, and its standard error. */
typedef struct spf_mean {
    double value, error, rows; /* as many as weigh the same */
} spf_mean;

spf_mean spf_labels_mean(const spf_report *report, const spf_report_model *model,
                         double (*loss)(const spf_report *, const spf_report_model *, size_t row,
                                        size_t label),
                         size_t label);

#endif
