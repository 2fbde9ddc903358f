/* The wrapped allocators count down to the one that fails. */
#include "support/failing_alloc.h"

#include <stdatomic.h>
#include <stddef.h>

static atomic_long left; /* allocations until the one that fails; 0 or less: none will */
static atomic_int hit;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

void failing_alloc_after(long k) {
    atomic_store(&hit, 0);
    atomic_store(&left, k);
}

void failing_alloc_off(void) {
    atomic_store(&left, 0);
}

int failing_alloc_hit(void) {
    return atomic_load(&hit);
}

static int fails(void) {
    if (atomic_load(&left) <= 0 || atomic_fetch_sub(&left, 1) != 1) return 0;
    atomic_store(&hit, 1);
    return 1;
}

void *__wrap_malloc(size_t size) {
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size) {
    return fails() ? NULL : __real_realloc(block, size);
}
