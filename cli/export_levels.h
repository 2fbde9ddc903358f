/* Categories and orders in exported source: names of levels, and the sets of them that splits name.
 */
#ifndef SPORF_CLI_EXPORT_LEVELS_H
#define SPORF_CLI_EXPORT_LEVELS_H

#include "export_write.h"

/* Whether a forest has features with levels. What follows is for those that have. */
int export_has_levels(const sporf_forest *forest);

/* Declarations for the header. */
void export_levels_header(out_file *file, const export_c *plan);

/* Tables, the function value_of(row, feature) that terms of projections go by, and the functions
 * that the header declares. */
void export_levels_source(out_file *file, const export_c *plan);

/* Bytes that this part of the source will not exceed. */
uint64_t export_levels_size(const export_c *plan);

#endif
