/* Whether a forest can be grown further with certain data and settings. */
#ifndef SPF_API_EXTEND_H
#define SPF_API_EXTEND_H

#include "data/dataset.h"
#include "model/forest.h"

/* Names the first thing that differs from what the forest was trained with: settings, as recorded,
 * other than the number of trees; the sampler, by the name of a user's own or NULL; columns;
 * classes or targets. */
sporf_status spf_check_extension(const sporf_forest *forest, const sporf_dataset *data,
                                 const sporf_params *params, const char *sampler);

/* The same for the data alone. */
sporf_status spf_check_same_data(const sporf_forest *forest, const sporf_dataset *data);

/* What is auto becomes what the forest was trained with. */
sporf_status spf_params_inherit(const sporf_forest *forest, sporf_params *params);

#endif
