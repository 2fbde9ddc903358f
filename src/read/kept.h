/* Columns of a file that are copied to the output as they are written, such as row names: each cell
 * is a field of a CSV file. */
#ifndef SPF_READ_KEPT_H
#define SPF_READ_KEPT_H

#include "data/dataset.h"
#include "read/columns.h"

/* Finds the columns that the options keep: *kept[options->kept_count], NULL for none. Refuses one
 * that is named twice. Free with free. */
sporf_status spf_kept_find(const spf_columns *columns, const sporf_read_options *options,
                           size_t **kept);

/* Names kept columns as in the file or, if names is empty, by their numbers: column1, column2. */
sporf_status spf_kept_name(const spf_strings *names, const size_t *kept, size_t count,
                           sporf_dataset *data);

#endif
