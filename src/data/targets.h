/* Regression targets. */
#ifndef SPF_DATA_TARGETS_H
#define SPF_DATA_TARGETS_H

#include "data/dataset.h"

/* Raises SPORF_ERROR_DATA for the first target that is missing, infinite or too large. */
sporf_status spf_targets_check(const sporf_dataset *data);

/* Checks storage, [targets x rows], and replaces the data's targets by it and its names. On failure
 * nothing changes. */
sporf_status spf_targets_take(sporf_dataset *data, size_t targets, float *storage,
                              spf_strings *names);

/* Adds the default names of unnamed targets: y, or y1, y2 and so on. */
sporf_status spf_targets_name(size_t targets, spf_strings *names);

#endif
