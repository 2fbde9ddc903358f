/* Insertion sort for few keys, least-significant-digit radix sort for many. */
#include "base/sort.h"

#include <stdlib.h>

enum { INSERTION_MAX = 48, DIGIT_BITS = 8, DIGITS = 4, BUCKETS = 1 << DIGIT_BITS };

static void insertion_sort(uint64_t *keys, size_t count) {
    for (size_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        size_t j = i;
        for (; j > 0 && keys[j - 1] >> 32 > key >> 32; j--) keys[j] = keys[j - 1];
        keys[j] = key;
    }
}

static inline uint32_t digit(uint64_t key, int which) {
    return (uint32_t)(key >> (32 + which * DIGIT_BITS)) & (BUCKETS - 1);
}

static void count_digits(const uint64_t *keys, size_t count, uint32_t (*counts)[BUCKETS]) {
    memset(counts, 0, DIGITS * sizeof *counts);
    for (size_t i = 0; i < count; i++)
        for (int which = 0; which < DIGITS; which++) counts[which][digit(keys[i], which)]++;
}

static void scatter(const uint64_t *from, uint64_t *to, size_t count, int which,
                    const uint32_t *counts) {
    uint32_t start[BUCKETS], sum = 0;
    for (int b = 0; b < BUCKETS; b++) {
        start[b] = sum;
        sum += counts[b];
    }
    for (size_t i = 0; i < count; i++) to[start[digit(from[i], which)]++] = from[i];
}

void spf_sort_keys(uint64_t *keys, uint64_t *spare, size_t count) {
    if (count <= INSERTION_MAX) {
        insertion_sort(keys, count);
        return;
    }
    uint32_t counts[DIGITS][BUCKETS];
    uint64_t *from = keys, *to = spare;
    count_digits(keys, count, counts);
    for (int which = 0; which < DIGITS; which++) {
        if (counts[which][digit(keys[0], which)] == count) continue; /* all the same */
        scatter(from, to, count, which, counts[which]);
        uint64_t *other = from;
        from = to;
        to = other;
    }
    if (from != keys) memcpy(keys, from, count * sizeof *keys);
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void spf_sort_numbers(uint32_t *numbers, size_t count) {
    if (count > 1) qsort(numbers, count, sizeof *numbers, by_number);
}
