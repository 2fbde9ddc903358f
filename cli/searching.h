/* Options of a search for settings: --search, and lists for --projections and --density. */
#ifndef SPORF_CLI_SEARCHING_H
#define SPORF_CLI_SEARCHING_H

#include "json.h"
#include "opt.h"
#include "outcome.h"
#include "sporf.h"

typedef struct searching {
    sporf_search_options options;
    sporf_amount *projections, *densities; /* the given lists */
} searching;

/* Declares --search. */
void searching_declare(opt_list *options);

/* Reads the options; searching_free afterwards. Returns 0, or an exit code after a message. */
int searching_read(const opt_list *options, searching *s);
void searching_free(searching *s);

/* Whether the search varies the number of features in a candidate, besides the number of
 * candidates. */
int searching_has_density(const sporf_params *params);

/* A setting's values as --projections and --density take them, in buffer[TEXT_NUMBER]. */
const char *searching_projections(char *buffer, const sporf_trial *setting);
const char *searching_density(char *buffer, const sporf_trial *setting);

/* Adds the keys of a setting. */
void searching_json(json *writer, const sporf_trial *setting, const outcome *outcome);

#endif
