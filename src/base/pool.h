/* A thread pool whose tasks may add tasks. Its threads live for one call.
 *
 * A run starts from numbered seeds. A task that spf_pool_push adds goes on the stack of the thread
 * that pushed it, so each thread works depth first on what it began. A thread without tasks takes
 * the next seed, and helps the others only when no seed is left. */
#ifndef SPF_BASE_POOL_H
#define SPF_BASE_POOL_H

#include "base/error.h"

typedef struct spf_pool spf_pool;

/* A task, embedded in the caller's own structure. It runs at most once: after a failure, waiting
 * tasks are dropped. */
typedef struct spf_task {
    sporf_status (*run)(struct spf_task *task, spf_pool *pool, unsigned worker);
    struct spf_task *above, *below; /* used by the pool: neighbours on a stack */
} spf_task;

typedef sporf_status (*spf_seed)(void *context, size_t seed, spf_pool *pool, unsigned worker);

/* Runs seeds 0 .. seeds-1, started in ascending order, and all tasks that they add, on up to
 * `workers` threads including the caller's. The first failure's status and error text become the
 * caller's. */
sporf_status spf_pool_run(size_t seeds, unsigned workers, spf_seed seed, void *context);

/* Adds a task; only from within a seed or a task, with the worker's own number. */
void spf_pool_push(spf_pool *pool, unsigned worker, spf_task *task);

/* Runs item(context, 0 .. items-1) on this thread and idle ones; returns when all are done, with
 * the first failure. */
sporf_status spf_pool_for(spf_pool *pool, unsigned worker, size_t items,
                          sporf_status (*item)(void *context, size_t item, unsigned worker),
                          void *context);

#endif
