/* Reading options about columns, for numeric tables. */
#ifndef SPF_READ_RECODE_H
#define SPF_READ_RECODE_H

#include "data/dataset.h"

enum { SPF_NO_COLUMN = -1 };

/* Applies the options to columns: some become categories, weights or targets, some are dropped.
 * Columns are numbered as in the file; `label` is the number of one that the table does not have,
 * or SPF_NO_COLUMN. */
sporf_status spf_apply_columns(sporf_dataset *data, const char *file, int64_t label,
                               const sporf_read_options *options);

/* Whether the options mention columns. */
int spf_asks_for_columns(const sporf_read_options *options);

#endif
