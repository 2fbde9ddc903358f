/* Matches the columns of new data to the features of a model. */
#ifndef SPF_READ_NAMES_H
#define SPF_READ_NAMES_H

#include "read/columns.h"
#include "read/date.h"

/* Finds the column of each of a schema's `features` features: found[features].
 *
 * By name if both sides have names; columns may be in any order, with others between them. A unit
 * at the end, as in "height [cm]", may be left out on one side, but must not differ. Without names
 * on one side, features match by position or, if the schema's names are numbers, by those column
 * numbers of the file, where the label does not count. plan[columns] marks columns with another
 * role, such as weights; NULL: none.
 *
 * A missing feature "when.year" may be a part of the dates in a column "when", which is not itself
 * a feature: parts[features], zero before the call, says which part; NULL: dates are not read. */
sporf_status spf_match_names(const sporf_schema *schema, size_t features,
                             const spf_columns *columns, const spf_column_plan *plan, size_t *found,
                             spf_date_part *parts);

#endif
