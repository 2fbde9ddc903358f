/* Matches the columns of a table to the features of a model. */
#ifndef SPF_API_MATCH_H
#define SPF_API_MATCH_H

#include "data/dataset.h"
#include "model/forest.h"

/* The data's columns in the model's order: by name if both have names, otherwise by position.
 * Unknown levels are missing; *has_missing tells whether a value may be missing. Free *columns with
 * free(). */
sporf_status spf_match_columns(const sporf_forest *forest, const sporf_dataset *data,
                               const float ***columns, int *has_missing);

/* Raises an error for a forest that does not predict one class. */
sporf_status spf_raise_no_class(const sporf_forest *forest);

/* Whether a forest does regression, and whether data have rows with targets to compare with. */
sporf_status spf_check_numbers(const sporf_forest *forest);
sporf_status spf_check_targets(const sporf_dataset *data);

/* The data's target with the same name, possibly without its unit; or the one at the same position,
 * if the data have no target names, or as many as the forest and another name there. */
sporf_status spf_match_target(const sporf_forest *forest, const sporf_dataset *data, size_t target,
                              const float **values);

#endif
