/* Numbers to be predicted. */
#ifndef SPF_DATA_TARGETS_H
#define SPF_DATA_TARGETS_H

#include "data/dataset.h"

/* Raises SPORF_ERROR_DATA for the first target that is missing, infinite or too large. */
sporf_status spf_targets_check(const sporf_dataset *data);

/* Checks storage, [targets x rows], and puts it and its names in the place of the targets that the
 * data have; all stays as it was where that fails. */
sporf_status spf_targets_take(sporf_dataset *data, size_t targets, float *storage,
                              spf_strings *names);

/* What targets without names are called: y, or y1, y2 and so on, added to names. */
sporf_status spf_targets_name(size_t targets, spf_strings *names);

#endif
