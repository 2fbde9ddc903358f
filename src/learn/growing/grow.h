/* Grows trees: Algorithm 1 of the paper, with any sampler, on a thread pool.
 *
 * A tree starts as one branch. A branch with too many rows for one thread is a single split with a
 * branch on either side; any other is grown to its leaves by the thread that takes it. After a
 * tree's last branch, all are joined in preorder. So the tree depends on plan and number alone, not
 * on the threads. */
#ifndef SPF_LEARN_GROWING_GROW_H
#define SPF_LEARN_GROWING_GROW_H

#include "base/pool.h"
#include "learn/growing/builder.h"
#include "learn/growing/plan.h"
#include "learn/growing/workspace.h"

/* A finished tree, with the leaf that each out-of-bag row fell into. */
typedef struct spf_grown {
    spf_tree tree;
    size_t oob_count;
    uint32_t *oob_row, *oob_leaf; /* [oob_count] */
} spf_grown;

void spf_grown_free(spf_grown *grown);

/* Counts the out-of-bag rows of the next tree, if there is a tally, and frees them; curve[tree]
 * becomes the error so far. */
void spf_grown_count(spf_grown *grown, spf_tally *tally, double *curve, size_t tree);

/* The same for the next `count` trees, by that many threads. */
void spf_grown_count_all(spf_grown *grown, size_t count, unsigned threads, spf_tally *tally,
                         double *curve, size_t tree);

/* Converts leaf weights from the units of the bag to the given counts or, for relative weights, to
 * a scale on which rows weigh 1 on average. */
void spf_grown_weigh(spf_grown *grown, double unit);

/* Shared by the threads of a training. */
typedef struct spf_growth {
    const spf_plan *plan;
    spf_workspace *workspaces; /* one for each worker of the pool */
    /* Takes over a finished tree; called from any thread. */
    void (*done)(void *context, uint32_t tree, spf_grown *grown);
    void *context;
} spf_growth;

/* A tree while it grows. The caller keeps it until the pool has ended, and then frees it. */
typedef struct spf_growing spf_growing;
void spf_growing_free(spf_growing *growing);
/* Memory of that many trees besides the finished ones; some of them grow at the same time. */
double spf_growing_bytes(const spf_expected *expected, double trees, double at_a_time);

/* Starts tree number `tree` on a worker of the pool, which works on it until nothing is left to do
 * there. SPORF_ERROR_CANCELLED if the interrupt hook asks to stop. */
sporf_status spf_grow(const spf_growth *growth, uint32_t tree, spf_pool *pool, unsigned worker,
                      spf_growing **out);

#endif
