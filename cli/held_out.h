/* sporf boost --valid: the share of the rows that are held out, or a file of them. */
#ifndef SPORF_CLI_HELD_OUT_H
#define SPORF_CLI_HELD_OUT_H

#include "opt.h"
#include "sporf.h"

/* The option as boost declares it. */
opt_spec held_out_spec(const sporf_option *option);

/* The file of --valid; NULL if it is a number or was not given. */
const char *held_out_path(const opt_list *options);

/* Reads that file with the columns and classes of the training table, which was read as `read`
 * says; *valid stays NULL without a file. Returns 0, or an exit code after a message. */
int held_out_read(const opt_list *options, const sporf_read_options *read,
                  const sporf_dataset *data, sporf_dataset **valid);

#endif
