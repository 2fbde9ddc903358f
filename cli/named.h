/* Features and classes of a model that options name. */
#ifndef SPORF_CLI_NAMED_H
#define SPORF_CLI_NAMED_H

#include "opt.h"
#include "sporf.h"

/* The class that --class names, or SIZE_MAX if it is not given. Returns 0, or an exit code after a
 * message. */
int named_class(const opt_list *options, const sporf_forest *forest, size_t *place);

/* The feature of a name, or of a number from 1. Returns 0, or an exit code after a message. */
int named_feature(const opt_list *options, const sporf_forest *forest, const char *name,
                  size_t *place);

/* The features that --features names, by name or by number from 1; if it is not given, the `top`
 * most important ones, with `ordered` without those whose levels have no order. Free them with
 * free(). Returns 0, or an exit code after a message. */
int named_features(const opt_list *options, const sporf_forest *forest, size_t top, int ordered,
                   size_t **features, size_t *count);

/* The two features that an option names. Returns 0, or an exit code after a message. */
int named_pair(const opt_list *options, const char *option, const sporf_forest *forest,
               size_t pair[2]);

#endif
