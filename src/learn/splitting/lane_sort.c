/* Batcher's merge exchange (Knuth, volume 3, algorithm 5.2.2M), which sorts any number of lines. A
 * comparator takes the minima and maxima of two lines, lane by lane, which compilers turn into
 * vector instructions. AArch64 always has these; on x86-64 they need AVX2, so that version is
 * compiled separately and chosen at run time. */
#include "learn/splitting/lane_sort.h"

#ifdef __ARM_NEON
#include <arm_neon.h>
#endif

#define INLINE static inline __attribute__((always_inline))

/* Compares and exchanges `count` keys at a with those at b, which do not overlap; count is a
 * compile-time constant, a multiple of SPF_LANES. */
INLINE void exchange(uint32_t *restrict a, uint32_t *restrict b, const size_t count) {
#ifdef __ARM_NEON
    for (size_t i = 0; i < count; i += 4) {
        uint32x4_t x = vld1q_u32(a + i), y = vld1q_u32(b + i);
        vst1q_u32(a + i, vminq_u32(x, y));
        vst1q_u32(b + i, vmaxq_u32(x, y));
    }
#else
    for (size_t i = 0; i < count; i++) {
        uint32_t x = a[i], y = b[i];
        a[i] = x < y ? x : y;
        b[i] = x < y ? y : x;
    }
#endif
}

/* One round: lines i and i + distance for all i whose bit `p` is as in `r`. A small p is a
 * compile-time constant. */
INLINE void compare_lines(uint32_t *keys, size_t lines, const size_t p, size_t r, size_t distance) {
    enum { STEP = 2 * SPF_LANES };
    size_t last = lines - distance, begin = r;
    for (; begin + p <= last; begin += 2 * p) {
        uint32_t *a = keys + begin * SPF_LANES, *b = a + distance * SPF_LANES,
                 *stop = a + p * SPF_LANES;
        if (p * SPF_LANES < STEP)
            exchange(a, b, p * SPF_LANES);
        else
            for (; a < stop; a += STEP, b += STEP) exchange(a, b, STEP);
    }
    for (; begin < last; begin++)
        exchange(keys + begin * SPF_LANES, keys + (begin + distance) * SPF_LANES, SPF_LANES);
}

INLINE void merge(uint32_t *keys, size_t lines, size_t top, const size_t p) {
    compare_lines(keys, lines, p, 0, p);
    for (size_t q = top; q > p; q /= 2) compare_lines(keys, lines, p, p, q - p);
}

INLINE void merge_exchange(uint32_t *keys, size_t lines) {
    size_t top = 1;
    while (2 * top < lines) top *= 2;
    if (lines < 2) return;
    for (size_t p = top; p > 2; p /= 2) merge(keys, lines, top, p);
    if (top > 1) merge(keys, lines, top, 2);
    merge(keys, lines, top, 1);
}

static void sort_plain(uint32_t *keys, size_t lines) {
    merge_exchange(keys, lines);
}

spf_lane_sorter spf_lane_sorter_plain(void) {
    return sort_plain;
}

#ifdef __x86_64__

__attribute__((target("avx2"))) static void sort_avx2(uint32_t *keys, size_t lines) {
    merge_exchange(keys, lines);
}

spf_lane_sorter spf_lane_sorter_avx2(void) {
    return __builtin_cpu_supports("avx2") ? sort_avx2 : NULL;
}

#else

spf_lane_sorter spf_lane_sorter_avx2(void) {
    return NULL;
}

#endif

void spf_lane_sort(uint32_t *keys, size_t lines) {
    spf_lane_sorter best = spf_lane_sorter_avx2();
    (best ? best : sort_plain)(keys, lines);
}
