/* Options that only some learners or methods use. */
#ifndef SPORF_CLI_METHOD_OPTIONS_H
#define SPORF_CLI_METHOD_OPTIONS_H

#include "opt.h"
#include "sporf.h"

/* Whether a method, by its name, uses an option; NULL, a user's sampler, uses all. */
int method_options_used(const char *method, const char *option);

/* Refuses options that the learner or the method does not use, unless they are auto, and those of
 * boosting that need another one. Returns 0, or an exit code after a message. */
int method_options_check(const opt_list *options, const sporf_params *params);

#endif
