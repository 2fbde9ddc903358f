/* Projections of a model: in words, and their values for rows. */
#ifndef SPF_REPORT_TERMS_H
#define SPF_REPORT_TERMS_H

#include "report/report.h"

/* Puts "petal_length - 0.5 petal_width" as plain text, to be escaped where it is shown. */
void spf_terms_text(spf_markup *plain, const spf_report_model *model, const sporf_ranked *ranked);

/* The value of a projection for a row; NaN if a value is missing. columns[terms] are those of its
 * features. */
double spf_terms_value(const spf_report_model *model, const sporf_ranked *ranked,
                       const spf_column *columns, size_t row);
/* The feature of a term, also of a set of levels. */
size_t spf_terms_feature(const spf_report_model *model, const sporf_ranked *ranked, size_t term);

#endif
