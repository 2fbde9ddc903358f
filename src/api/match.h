/* Which column of a table is which feature of a model. */
#ifndef SPF_API_MATCH_H
#define SPF_API_MATCH_H

#include "data/dataset.h"
#include "model/forest.h"

/* The data's columns in the model's order: by name where both have names, otherwise by place.
 * Levels that the model does not know are missing; *has_missing says whether some value may be.
 * Free *columns with free(). */
sporf_status spf_match_columns(const sporf_forest *forest, const sporf_dataset *data,
                               const float ***columns, int *has_missing);

/* Whether a forest predicts numbers, and whether data have rows with targets to compare with. */
sporf_status spf_check_numbers(const sporf_forest *forest);
sporf_status spf_check_targets(const sporf_dataset *data);

/* The data's target of the same name, where a unit may be left away; or the one in the same place
 * where the data have no names for targets, or as many as the forest and another name there. */
sporf_status spf_match_target(const sporf_forest *forest, const sporf_dataset *data, size_t target,
                              const float **values);

#endif
