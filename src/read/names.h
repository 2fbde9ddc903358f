/* Which columns of new data are those that a model was trained with. */
#ifndef SPF_READ_NAMES_H
#define SPF_READ_NAMES_H

#include "read/columns.h"
#include "read/date.h"

/* Finds for each of `features` columns of a schema the one among columns that it is:
 * found[features].
 *
 * By name where both sides have names; those of the columns need not be in order, and others may
 * stand between them. A unit at the end, as in "height [cm]", may be there or not, but must not be
 * another one. Without names on one side places count, or, where the schema's names are numbers,
 * the places that these say: those of the file, in which the label alone has none. plan[columns]
 * tells columns that are something else, as weights are; NULL: none is.
 *
 * A feature "when.year" that is not there may be a part of the dates in a column "when", which is
 * no feature itself: parts[features] tells which, and is zero before; NULL: no dates are read. */
sporf_status spf_match_names(const sporf_schema *schema, size_t features,
                             const spf_columns *columns, const spf_column_plan *plan, size_t *found,
                             spf_date_part *parts);

#endif
