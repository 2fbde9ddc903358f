/* Projects many rows at a time. Each sum is built in the same order as by spf_project_column, so
 * both give the same bits. */
#ifndef SPF_LEARN_ROWS_PROJECT_H
#define SPF_LEARN_ROWS_PROJECT_H

#include "learn/rows/table.h"
#include "model/projection.h"

/* value[i] = projection of row rows[i]. */
void spf_project_rows(const sporf_projections *list, size_t index, const spf_table *table,
                      const uint32_t *rows, size_t count, float *value);

/* value[i] = projection of row i, for the rows begin .. end-1. */
void spf_project_range(const sporf_projections *list, size_t index, const float *const *columns,
                       size_t begin, size_t end, float *value);

#endif
