/* Models compared row by row. */
#ifndef SPF_REPORT_PAIRED_H
#define SPF_REPORT_PAIRED_H

#include "report/report.h"

/* A table of the mean differences in loss between each model and the first, with intervals that
 * take into account that the rows are the same. Nothing for a single model. */
sporf_status spf_paired_table(spf_report *report);

#endif
