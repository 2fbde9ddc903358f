/* The file of --settle: settings that one run chooses and all parts of a forest share. */
#ifndef SPORF_CLI_SETTLED_H
#define SPORF_CLI_SETTLED_H

#include "model_path.h"
#include "opt.h"
#include "sporf.h"

/* What may be replaced by such a file. */
extern const path_kind path_of_settings;

/* Writes the settings, and the checksum of the table that they were chosen for. Returns 0, or an
 * exit code after a message. */
int settled_write(const char *verb, const char *path, const sporf_params *params, uint64_t table);

/* Reads such a file into params, over what the options say; options that say something else are
 * refused. *text has to stay until the params are no longer used, and is freed with free. Returns
 * 0, or an exit code after a message. */
int settled_read(const opt_list *options, const char *path, sporf_params *params, uint64_t *table,
                 char **text);

#endif
