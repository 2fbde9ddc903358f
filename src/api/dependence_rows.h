/* What functions about the dependence on features share: checked options, the sample of rows, and
 * its columns in the model's order. */
#ifndef SPF_API_DEPENDENCE_ROWS_H
#define SPF_API_DEPENDENCE_ROWS_H

#include "data/dataset.h"
#include "predict/curves.h"

typedef struct spf_dependence_rows {
    sporf_dependence_options options;
    sporf_hooks hooks;
    spf_curve_options curves;
    const sporf_dataset *data; /* the sample; points to the caller's data if that is all rows */
    sporf_dataset *sampled;    /* NULL if it is */
    uint32_t *rows;            /* [data->rows]: of the caller's data, ascending */
    const float **columns;
    spf_values values;
} spf_dependence_rows;

/* fallback is the sample if none is given, 0 for all rows. Call spf_dependence_rows_close also
 * after an error. */
sporf_status spf_dependence_rows_open(const sporf_forest *forest, const sporf_dataset *data,
                                      const sporf_dependence_options *options,
                                      const sporf_hooks *hooks, size_t fallback,
                                      spf_dependence_rows *rows);
void spf_dependence_rows_close(spf_dependence_rows *rows);

/* Checks that the features exist and differ, and copies their numbers. */
sporf_status spf_dependence_features(const sporf_forest *forest, const size_t *features,
                                     size_t count, uint32_t *copies);

#endif
