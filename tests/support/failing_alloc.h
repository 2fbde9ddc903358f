/* Memory that runs out on demand, in programs linked with --wrap for malloc, calloc and realloc, or
 * with these put in the place of glibc's. */
#ifndef FAILING_ALLOC_H
#define FAILING_ALLOC_H

/* Makes the k-th allocation from now on fail, once; k counts from 1, over all threads. */
void failing_alloc_after(long k);

/* Stops counting. */
void failing_alloc_off(void);

/* Whether the allocation chosen last has failed. */
int failing_alloc_hit(void);

#endif
