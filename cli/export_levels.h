/* Categories and ordinals in exported source: names of levels, and the sets of levels in splits. */
#ifndef SPORF_CLI_EXPORT_LEVELS_H
#define SPORF_CLI_EXPORT_LEVELS_H

#include "export_write.h"

/* Whether a forest has features with levels. The functions below are for such forests. */
int export_has_levels(const sporf_forest *forest);

/* Declarations for the header. */
void export_levels_header(out_file *file, const export_c *plan);

/* Tables, the function value_of(row, feature) for the terms of projections, and the functions that
 * the header declares. */
void export_levels_source(out_file *file, const export_c *plan);

/* An upper bound on the bytes of this part of the source. */
uint64_t export_levels_size(const export_c *plan);

#endif
