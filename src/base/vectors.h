/* Vectors of four numbers, which every supported processor has; compilers choose the
 * instructions. */
#ifndef SPF_BASE_VECTORS_H
#define SPF_BASE_VECTORS_H

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef int32_t i32x4 __attribute__((vector_size(16)));
typedef int64_t i64x2 __attribute__((vector_size(16)));
typedef uint64_t u64x2 __attribute__((vector_size(16)));
typedef float f32x4 __attribute__((vector_size(16)));
typedef double f64x2 __attribute__((vector_size(16)));

/* Elements i, j, k and l of the eight elements of two vectors of 32-bit numbers. */
#if defined(__clang__) || __GNUC__ >= 12
#define SPF_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector((a), (b), i, j, k, l)
#else
#define SPF_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle((a), (b), (i32x4){i, j, k, l})
#endif

/* Rows become columns. */
static inline void spf_transpose(u32x4 v[4]) {
    u32x4 low = SPF_SHUFFLE(v[0], v[1], 0, 4, 1, 5), low_2 = SPF_SHUFFLE(v[2], v[3], 0, 4, 1, 5);
    u32x4 high = SPF_SHUFFLE(v[0], v[1], 2, 6, 3, 7), high_2 = SPF_SHUFFLE(v[2], v[3], 2, 6, 3, 7);
    v[0] = SPF_SHUFFLE(low, low_2, 0, 1, 4, 5);
    v[1] = SPF_SHUFFLE(low, low_2, 2, 3, 6, 7);
    v[2] = SPF_SHUFFLE(high, high_2, 0, 1, 4, 5);
    v[3] = SPF_SHUFFLE(high, high_2, 2, 3, 6, 7);
}

/* Element by element: a if the mask is set, otherwise b. */
static inline f32x4 spf_either(i32x4 mask, f32x4 a, f32x4 b) {
    return (f32x4)((mask & (i32x4)a) | (~mask & (i32x4)b));
}

static inline f64x2 spf_either_double(i64x2 mask, f64x2 a, f64x2 b) {
    return (f64x2)((mask & (i64x2)a) | (~mask & (i64x2)b));
}

static inline f32x4 spf_smaller(f32x4 a, f32x4 b) {
    return spf_either(a < b, a, b);
}

/* Two doubles, not necessarily aligned. */
static inline f64x2 spf_load_doubles(const double *from) {
    f64x2 pair;
    memcpy(&pair, from, sizeof pair);
    return pair;
}

static inline void spf_store_doubles(double *to, f64x2 pair) {
    memcpy(to, &pair, sizeof pair);
}

#endif
