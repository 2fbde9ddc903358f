/* A parallel loop. Its threads live for one call, so that none is left for a fork or another
 * library to trip over. */
#ifndef SPF_BASE_PARALLEL_H
#define SPF_BASE_PARALLEL_H

#include "base/error.h"

/* One item of the loop; worker is 0 .. workers-1 and selects per-thread scratch memory. */
typedef sporf_status (*spf_item)(void *context, size_t item, unsigned worker);

/* The number of threads for the option `threads`: 0 is the number of cores. */
unsigned spf_thread_count(unsigned threads);

/* Runs item(context, 0 .. items-1) on up to `workers` threads including the caller's, started in
 * ascending order. After the first failure no further item starts; its status and error text become
 * the caller's. */
sporf_status spf_parallel(size_t items, unsigned workers, spf_item item, void *context);

#endif
