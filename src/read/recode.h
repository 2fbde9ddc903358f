/* What reading options say of columns, for tables that come as numbers. */
#ifndef SPF_READ_RECODE_H
#define SPF_READ_RECODE_H

#include "data/dataset.h"

enum { SPF_NO_COLUMN = -1 };

/* Makes categories of columns, and weights, targets and nothing of others. Columns are counted as
 * in the file, where `label` is one that the table does not have, or SPF_NO_COLUMN. */
sporf_status spf_apply_columns(sporf_dataset *data, const char *file, int64_t label,
                               const sporf_read_options *options);

/* Whether options say anything of columns. */
int spf_asks_for_columns(const sporf_read_options *options);

#endif
