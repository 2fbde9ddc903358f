/* Several files with the same columns, read as one table: the rows of the second file follow those
 * of the first, and so on. */
#ifndef SPF_READ_JOINED_H
#define SPF_READ_JOINED_H

#include "read/csv_parts.h"
#include "read/typed.h"

/* Reads path and the other files that the options name. */
sporf_status spf_read_joined(const char *path, const sporf_read_options *options,
                             sporf_dataset **out);

/* The options for a file that follows another one of this format and, for CSV, of this layout. */
sporf_read_options spf_joined_options(const sporf_read_options *options, sporf_format format,
                                      const spf_csv_layout *layout);

/* Raise SPORF_ERROR_DATA, with both names, if a file differs in shape from the first. */
sporf_status spf_joined_check_csv(const char *first_name, const spf_csv_layout *first,
                                  const char *name, const spf_csv_layout *layout);
sporf_status spf_joined_check_matrix(const spf_typed *first, const spf_typed *matrix);

#endif
