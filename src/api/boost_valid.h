/* The table that a boosted model stops by, matched to the training table. */
#ifndef SPF_API_BOOST_VALID_H
#define SPF_API_BOOST_VALID_H

#include "learn/boosting/valid_table.h"

#include "sporf.h"

typedef struct spf_matched_valid {
    spf_boost_valid view;
    const float **columns, **target;
    uint32_t *labels;
    float *weights; /* of rows times classes */
} spf_matched_valid;

/* given is NULL if there is no such table; the view then has no rows. The weights of classes are
 * those of the training. */
sporf_status spf_matched_valid_create(const sporf_dataset *data, const sporf_dataset *given,
                                      const sporf_params *params, spf_matched_valid *valid);
void spf_matched_valid_free(spf_matched_valid *valid);

#endif
