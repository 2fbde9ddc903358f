/* The settings that a search tries. */
#ifndef SPF_TUNE_GRID_H
#define SPF_TUNE_GRID_H

#include "base/error.h"

typedef struct spf_grid {
    size_t count;
    sporf_trial *settings; /* [count]; no two give the same numbers */
} spf_grid;

/* From the lists in the options, or the paper's if not given. Free with spf_grid_free, also on
 * failure. */
sporf_status spf_grid_create(const sporf_dataset *data, const sporf_params *params,
                             const sporf_search_options *options, spf_grid *grid);
void spf_grid_free(spf_grid *grid);

#endif
