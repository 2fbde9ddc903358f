/* Classification: what a guess without a model would give, and how a model decides. */
#ifndef SPF_REPORT_BASELINE_H
#define SPF_REPORT_BASELINE_H

#include "report/report.h"

/* Fills model->baseline from what the model predicts for the rows that are scored. */
sporf_status spf_baseline_find(const spf_report *report, spf_report_model *model);

/* Whether the model decides by costs or a threshold. */
int spf_decides_by_itself(const spf_report_model *model);
/* How, in words. */
const char *spf_decision_text(const spf_report_model *model, char text[SPF_REPORT_NAME_MAX]);

/* A sentence for each model that is not clearly better than the guess, by its interval. */
void spf_baseline_note(spf_report *report);

#endif
