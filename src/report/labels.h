/* Several labels: which of a row's classes are predicted wrong. */
#ifndef SPF_REPORT_LABELS_H
#define SPF_REPORT_LABELS_H

#include "report/report.h"

/* What is wrong in a row, from 0 to 1. Every prediction of an unknown class is wrong. */
typedef double spf_label_loss(const spf_report *report, const spf_report_model *model, size_t row,
                              size_t label);

spf_label_loss spf_label_wrong;  /* the class of one label */
spf_label_loss spf_labels_wrong; /* the share of all labels */
spf_label_loss spf_labels_any;   /* some label */

/* A mean over the rows that have a prediction, and its standard error. */
typedef struct spf_mean {
    double value, error, rows; /* as many as weigh the same */
} spf_mean;

spf_mean spf_labels_mean(const spf_report *report, const spf_report_model *model,
                         spf_label_loss *loss, size_t label);

#endif
