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

/* What weights are, where the forest does not say, because its rows all weighed the same or because
 * it was trained before they could be anything but counts. */
sporf_status spf_weights_inherit(const sporf_forest *forest, const sporf_dataset *data,
                                 sporf_params *params);

/* What is auto becomes what the forest was trained with. */
sporf_status spf_params_inherit(const sporf_forest *forest, sporf_params *params);

#endif
