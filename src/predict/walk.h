/* Walks down packed trees, many at a time: while one waits for memory, others go on. */
#ifndef SPF_PREDICT_WALK_H
#define SPF_PREDICT_WALK_H

#include "model/forest.h"
#include "predict/rows.h"

/* Sets leaf[i] to the reference of the leaf that row first + i ends in. Meanwhile tree number
 * `fetched` is brought into the cache, if there is one. */
void spf_walk_rows(const spf_packed *packed, size_t tree, size_t fetched, const spf_rows *rows,
                   size_t first, size_t count, uint32_t *leaf);

/* Sets leaf[i] to the reference of the leaf of tree first + i that the first of some rows, of
 * floats, ends in. */
void spf_walk_trees(const spf_packed *packed, size_t first, size_t count, const spf_rows *row,
                    uint32_t *leaf);

#endif
