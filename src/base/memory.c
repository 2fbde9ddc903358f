/* Allocation with overflow checks. */
#include "base/memory.h"

#include "base/system.h"

#include <stdlib.h>
#include <string.h>

void *spf_alloc(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX) return NULL;
    return malloc(bytes ? bytes : 1);
}

void *spf_alloc_zero(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX) return NULL;
    return calloc(bytes ? bytes : 1, 1);
}

sporf_status spf_copy_array(const void *from, size_t count, size_t size, void *to) {
    void *copy = NULL;
    if (from && !(copy = spf_alloc(count, size))) return spf_raise_memory();
    if (from) memcpy(copy, from, count * size);
    memcpy(to, &copy, sizeof copy);
    return SPORF_OK;
}

void *spf_alloc_large(size_t bytes) {
    enum { HUGE_PAGE = 1 << 21 };
    void *memory = spf_alloc(bytes, 1);
    if (memory && bytes >= 2 * HUGE_PAGE) spf_system_use_huge_pages(memory, bytes);
    return memory;
}

char *spf_strdup(const char *text) {
    return spf_strndup(text, strlen(text));
}

char *spf_strndup(const char *text, size_t length) {
    char *copy = spf_alloc(length + 1, 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static size_t first_capacity(size_t size) {
    return size < 8 ? 16 : 4;
}

sporf_status spf_reserve(void **array, size_t *capacity, size_t need, size_t size) {
    if (need <= *capacity) return SPORF_OK;
    size_t wanted = *capacity ? *capacity : first_capacity(size);
    while (wanted < need) {
        if (wanted > SIZE_MAX / 2) return spf_raise_memory();
        wanted *= 2;
    }
    size_t bytes;
    if (__builtin_mul_overflow(wanted, size, &bytes) || bytes > PTRDIFF_MAX)
        return spf_raise_memory();
    void *grown = realloc(*array, bytes);
    if (!grown) return spf_raise_memory();
    *array = grown;
    *capacity = wanted;
    return SPORF_OK;
}

double spf_alloc_bytes(double count, size_t size) {
    return count * (double)size + SPF_ALLOCATION_BYTES;
}

double spf_reserve_bytes(double need, size_t size) {
    double capacity = (double)first_capacity(size);
    if (need <= 0) return 0;
    while (capacity < need) capacity *= 2;
    return spf_alloc_bytes(capacity, size);
}
