/* Walks down packed trees, many at a time: while one waits for memory, others continue. */
#ifndef SPF_PREDICT_WALK_H
#define SPF_PREDICT_WALK_H

#include "model/forest.h"
#include "predict/rows.h"

/* Sets leaf[i] to the reference of the leaf of row first + i. Meanwhile tree number `fetched` is
 * prefetched, if it exists. */
void spf_walk_rows(const spf_packed *packed, size_t tree, size_t fetched, const spf_rows *rows,
                   size_t first, size_t count, uint32_t *leaf);

/* Sets leaf[i] to the reference of the leaf of tree first + i for the first row of `row`, which
 * holds floats. */
void spf_walk_trees(const spf_packed *packed, size_t first, size_t count, const spf_rows *row,
                    uint32_t *leaf);

#endif
