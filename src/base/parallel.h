/* A loop over threads. They live for the length of one call: nothing is left behind for a fork, a
 * second library or an idle process to trip over. */
#ifndef SPF_BASE_PARALLEL_H
#define SPF_BASE_PARALLEL_H

#include "base/error.h"

/* One item of the loop; worker is 0 .. workers-1 and picks per-thread scratch. */
typedef sporf_status (*spf_item)(void *context, size_t item, unsigned worker);

/* What `threads` asks for: itself, or the number of cores for 0. */
unsigned spf_thread_count(unsigned threads);

/* Runs item(context, 0 .. items-1) on up to `workers` threads, the caller's among them, in rising
 * order of start. After the first failure no further item starts; its status and error text become
 * the caller's. */
sporf_status spf_parallel(size_t items, unsigned workers, spf_item item, void *context);

#endif
