/* Several labels of a row, as indicators of their classes. */
#ifndef SPF_DATA_LABEL_COLUMNS_H
#define SPF_DATA_LABEL_COLUMNS_H

#include "data/dataset.h"

/* Adds a label column with these classes: value[rows] are their numbers. On failure the data have
 * the label columns that they had. */
sporf_status spf_label_columns_add(sporf_dataset *data, const char *name,
                                   const spf_strings *classes, const uint32_t *value);

/* The error of a column with too many classes. */
sporf_status spf_label_column_refuse(const char *name, size_t classes, size_t rows);

/* Refuses data with several labels for what is made for one. */
sporf_status spf_check_one_label(const sporf_dataset *data, const char *what);

/* The class of a row that has most in outputs[targets]: the lowest one in a tie. */
static inline uint32_t spf_label_decide(const spf_label_targets *targets, const double *outputs) {
    size_t best = targets->begin;
    for (size_t t = best + 1; t < targets->end; t++)
        if (outputs[t] > outputs[best]) best = t;
    return (uint32_t)(best - targets->begin);
}

/* The same for each label column, of one row: classes[label columns]. */
void spf_label_columns_decide(const sporf_schema *schema, const double *outputs, uint32_t *classes);

/* Finds the true class of each row: number[rows] is a target from begin on. */
void spf_label_column_classes(const sporf_dataset *data, size_t column, uint32_t *number);

#endif
