/* The time of a training by phase, as a table or as keys of a JSON object. */
#ifndef SPORF_CLI_PROFILE_REPORT_H
#define SPORF_CLI_PROFILE_REPORT_H

#include "json.h"
#include "sporf.h"

void profile_json(json *writer, const sporf_profile *profile);
void profile_table(FILE *stream, const sporf_profile *profile);

#endif
