/* Allocation with overflow checks, and a growable array. Everything is freed with free(). */
#ifndef SPF_BASE_MEMORY_H
#define SPF_BASE_MEMORY_H

#include "base/error.h"

/* Overhead of malloc for one block, at most. */
enum { SPF_ALLOCATION_BYTES = 32 };

/* count elements of the given size, uninitialised or zeroed; NULL when memory runs out or the
 * product overflows. A count of 0 gives a valid pointer. */
void *spf_alloc(size_t count, size_t size);
void *spf_alloc_zero(size_t count, size_t size);

/* Sets *to, a pointer, to a copy of an array; NULL stays NULL. */
sporf_status spf_copy_array(const void *from, size_t count, size_t size, void *to);

/* Uninitialised bytes for random access, in huge pages if the system has them. */
void *spf_alloc_large(size_t bytes);

/* A copy of a string; NULL when memory runs out. */
char *spf_strdup(const char *text);
/* A copy of the first length bytes, with a NUL added. */
char *spf_strndup(const char *text, size_t length);

/* Makes room for at least need elements, by doubling. On failure the array is unchanged. */
sporf_status spf_reserve(void **array, size_t *capacity, size_t need, size_t size);

/* The memory of an allocation for that many elements, and of an array reserved for them. */
double spf_alloc_bytes(double count, size_t size);
double spf_reserve_bytes(double need, size_t size);

#define SPF_RESERVE(array, capacity, need)                                                         \
    ((need) <= (capacity) ? SPORF_OK                                                               \
                          : spf_reserve((void **)&(array), &(capacity), (need), sizeof *(array)))

#endif
