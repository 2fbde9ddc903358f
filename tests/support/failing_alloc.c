/* The allocators count down to the call that fails. They are wrapped by the linker or, with
 * FAILING_LIBC, stand in for those of glibc, so that the C library's own calls fail as well. */
#include "support/failing_alloc.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_long left; /* allocations until the one that fails; 0 or less: none will */
static atomic_int hit;

#ifdef FAILING_LIBC
#define REAL(name) __libc_##name
#define FAILING(name) name
#pragma GCC visibility push(default)
#else
#define REAL(name) __real_##name
#define FAILING(name) __wrap_##name
#endif

void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t count, size_t size);
void *REAL(realloc)(void *block, size_t size);

void *FAILING(malloc)(size_t size);
void *FAILING(calloc)(size_t count, size_t size);
void *FAILING(realloc)(void *block, size_t size);

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
    errno = ENOMEM;
    return 1;
}

void *FAILING(malloc)(size_t size) {
    return fails() ? NULL : REAL(malloc)(size);
}

void *FAILING(calloc)(size_t count, size_t size) {
    return fails() ? NULL : REAL(calloc)(count, size);
}

void *FAILING(realloc)(void *block, size_t size) {
    return fails() ? NULL : REAL(realloc)(block, size);
}
