/* Sorting of 64-bit keys by their upper 32 bits: the order of a float in the upper half, its index
 * in the lower. */
#ifndef SPF_BASE_SORT_H
#define SPF_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Maps a finite float to an unsigned number with the same order; -0 and +0 give the same. */
static inline uint32_t spf_float_order(float value) {
    uint32_t bits;
    value += 0.0f;
    memcpy(&bits, &value, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static inline float spf_float_unorder(uint32_t order) {
    uint32_t bits = order & 0x80000000u ? order & 0x7fffffffu : ~order;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Sorts keys by their upper halves, stably; spare is scratch memory for count keys. */
void spf_sort_keys(uint64_t *keys, uint64_t *spare, size_t count);

/* Sorts numbers ascending. */
void spf_sort_numbers(uint32_t *numbers, size_t count);

#endif
