/* Walks the packed form with every step checked: for mapped model files whose trees were not
 * checked. */
#ifndef SPF_PREDICT_WALK_CHECKED_H
#define SPF_PREDICT_WALK_CHECKED_H

#include "model/forest.h"
#include "predict/rows.h"

/* The reference of the leaf of a row, all of whose parts exist; or 0, which is no leaf, if the path
 * is damaged. */
uint32_t spf_walk_checked(const sporf_forest *forest, size_t tree, const spf_rows *rows,
                          size_t row);

#endif
