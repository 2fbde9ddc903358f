/* The packed form walked with every step checked: for model files that were mapped without being
 * read, whose bytes may be anything. */
#ifndef SPF_PREDICT_WALK_CHECKED_H
#define SPF_PREDICT_WALK_CHECKED_H

#include "model/forest.h"
#include "predict/rows.h"

/* The reference of the leaf that a row ends in, all of whose parts exist; or 0, which is none,
 * if the way there is damaged. */
uint32_t spf_walk_checked(const sporf_forest *forest, size_t tree, const spf_rows *rows,
                          size_t row);

#endif
