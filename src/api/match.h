/* Which column of a table is which feature of a model. */
#ifndef SPF_API_MATCH_H
#define SPF_API_MATCH_H

#include "data/dataset.h"
#include "model/forest.h"

/* The data's columns in the model's order: by name where both have names, otherwise by place.
 * Levels that the model does not know are missing; *holes says whether some value may be. Free
 * *columns with free(). */
sporf_status spf_match_columns(const sporf_forest *forest, const sporf_dataset *data,
                               const float ***columns, int *holes);

#endif
