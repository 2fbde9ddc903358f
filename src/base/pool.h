/* Threads that share out work which makes more work. They live for the length of one call.
 *
 * A run starts from numbered seeds. Whatever a seed or a task hands on with spf_pool_push goes on
 * the stack of the thread that pushed it, so each thread works depth first on what it began; a
 * thread without tasks takes the next seed, and only when there are none left helps the others. */
#ifndef SPF_BASE_POOL_H
#define SPF_BASE_POOL_H

#include "base/error.h"

typedef struct spf_pool spf_pool;

/* A piece of work, embedded in the caller's own structure. It is run at most once: after a failure
 * those that wait are dropped. */
typedef struct spf_task {
    sporf_status (*run)(struct spf_task *task, spf_pool *pool, unsigned worker);
    struct spf_task *above, *below; /* the pool's own: neighbours on a stack */
} spf_task;

typedef sporf_status (*spf_seed)(void *context, size_t seed, spf_pool *pool, unsigned worker);

/* Runs seeds 0 .. seeds-1, in rising order of start, and all tasks that come of them on up to
 * `workers` threads, the caller's among them. The first failure's status and error text become the
 * caller's. */
sporf_status spf_pool_run(size_t seeds, unsigned workers, spf_seed seed, void *context);

/* Hands a task on; from within a seed or a task, with the worker's own number. */
void spf_pool_push(spf_pool *pool, unsigned worker, spf_task *task);

/* Runs item(context, 0 .. items-1) on this thread and those that have nothing else to do; returns
 * when all are done, with the first failure. */
sporf_status spf_pool_for(spf_pool *pool, unsigned worker, size_t items,
                          sporf_status (*item)(void *context, size_t item, unsigned worker),
                          void *context);

#endif
