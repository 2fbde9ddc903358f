/* The kernels for vectors of LANES 32-bit numbers; included once for each width, by a file that
 * defines LANES. If it defines NATIVE, the processor has such vectors, and operations that
 * compilers do not find for themselves are called by name; otherwise the same source is compiled to
 * whatever the processor has, which tests use. */
#include "base/sort.h"
#include "base/vectors.h"
#include "learn/splitting/gini.h"
#include "learn/splitting/histogram.h"
#include "learn/splitting/kernels.h"
#include "learn/splitting/split_scan.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* ---- vectors --------------------------------------------------------------------------------- */

typedef uint32_t u32v __attribute__((vector_size(4 * LANES)));
typedef int32_t i32v __attribute__((vector_size(4 * LANES)));
typedef float f32v __attribute__((vector_size(4 * LANES)));
typedef int64_t i64v __attribute__((vector_size(4 * LANES)));
typedef uint64_t u64v __attribute__((vector_size(4 * LANES)));
typedef double f64v __attribute__((vector_size(4 * LANES)));
typedef uint32_t u32half __attribute__((vector_size(2 * LANES)));
typedef int32_t i32half __attribute__((vector_size(2 * LANES)));

INLINE u32v load(const uint32_t *from) {
    u32v v;
    memcpy(&v, from, sizeof v);
    return v;
}

INLINE f32v load_floats(const float *from) {
    f32v v;
    memcpy(&v, from, sizeof v);
    return v;
}

INLINE void store(uint32_t *to, u32v v) {
    memcpy(to, &v, sizeof v);
}

/* Element by element: a if the mask is set, otherwise b. */
INLINE f64v either_double(i64v mask, f64v a, f64v b) {
#if defined(NATIVE) && defined(__x86_64__) && LANES == 8
    return (f64v)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)mask);
#else
    return (f64v)((mask & (i64v)a) | (~mask & (i64v)b));
#endif
}

INLINE f32v either(i32v mask, f32v a, f32v b) {
#if defined(NATIVE) && defined(__x86_64__) && LANES == 8
    return (f32v)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)mask);
#else
    return (f32v)((mask & (i32v)a) | (~mask & (i32v)b));
#endif
}

/* a < b ? a : b and a > b ? a : b, which is what x86-64 computes whatever a and b are. */
INLINE f32v smaller(f32v a, f32v b) {
#if defined(NATIVE) && defined(__x86_64__) && LANES == 4
    return (f32v)_mm_min_ps((__m128)a, (__m128)b);
#elif defined(NATIVE) && defined(__x86_64__) && LANES == 8
    return (f32v)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return either(a < b, a, b);
#endif
}

INLINE f32v larger(f32v a, f32v b) {
#if defined(NATIVE) && defined(__x86_64__) && LANES == 4
    return (f32v)_mm_max_ps((__m128)a, (__m128)b);
#elif defined(NATIVE) && defined(__x86_64__) && LANES == 8
    return (f32v)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return either(a > b, a, b);
#endif
}

/* Whether an element of a mask is set. */
INLINE int any_of(i64v mask) {
#if defined(NATIVE) && defined(__x86_64__) && LANES == 8
    return _mm256_movemask_pd((__m256d)mask) != 0;
#else
    int64_t any = 0;
    for (size_t i = 0; i < LANES / 2; i++) any |= mask[i];
    return any != 0;
#endif
}

/* The first and the second half of a vector of 32-bit numbers, as 64-bit ones. */
typedef struct {
    i64v half[2];
} wide_mask;
typedef struct {
    f64v half[2];
} doubles;

#if LANES == 4

/* Numbers are put behind the exponent of 2^52: they are the last bits of 2^52 + 2^31 + number. */
INLINE doubles to_doubles(i32v numbers) {
    const u32v exponent = {0x43300000, 0x43300000, 0x43300000, 0x43300000};
    u32v shifted = (u32v)numbers ^ 0x80000000u;
    f64v low = (f64v)SPF_SHUFFLE(shifted, exponent, 0, 4, 1, 5);
    f64v high = (f64v)SPF_SHUFFLE(shifted, exponent, 2, 6, 3, 7);
    return (doubles){{low - (0x1p52 + 0x1p31), high - (0x1p52 + 0x1p31)}};
}

INLINE wide_mask widen(i32v mask) {
    return (wide_mask){
        {(i64v)SPF_SHUFFLE(mask, mask, 0, 0, 1, 1), (i64v)SPF_SHUFFLE(mask, mask, 2, 2, 3, 3)}};
}

#else

INLINE i32half half_of(i32v v, const size_t which) {
    i32half half;
    memcpy(&half, (const char *)&v + which * sizeof half, sizeof half);
    return half;
}

#if defined(NATIVE) && defined(__x86_64__) && LANES == 8 /* gcc finds two steps where one does */
#define HALF_TO_DOUBLES(half) (f64v) _mm256_cvtepi32_pd((__m128i)(half))
#define HALF_WIDENED(half) (i64v) _mm256_cvtepi32_epi64((__m128i)(half))
#else
#define HALF_TO_DOUBLES(half) __builtin_convertvector(half, f64v)
#define HALF_WIDENED(half) __builtin_convertvector(half, i64v)
#endif

INLINE doubles to_doubles(i32v numbers) {
    return (doubles){{HALF_TO_DOUBLES(half_of(numbers, 0)), HALF_TO_DOUBLES(half_of(numbers, 1))}};
}

INLINE wide_mask widen(i32v mask) {
    return (wide_mask){{HALF_WIDENED(half_of(mask, 0)), HALF_WIDENED(half_of(mask, 1))}};
}

#endif

#include "learn/splitting/chosen.inc.h"

#include "learn/splitting/lane_sort.inc.h"

#include "learn/splitting/lane_scan.inc.h"

#include "learn/splitting/lane_squares.inc.h"

#include "learn/splitting/lane_numbers.inc.h"

#include "learn/splitting/bins.inc.h"

#include "learn/splitting/bin_pairs.inc.h"

#include "learn/splitting/bin_squares.inc.h"

#include "learn/splitting/partition.inc.h"

#define KERNELS                                                                                    \
    {                                                                                              \
        .lanes = LANES, .fill = fill, .sort = sort, .agree_above = agree_above,                    \
        .scan_pairs = scan_pairs, .scan_squares = scan_squares, .scan_numbers = scan_numbers,      \
        .range = range, .range_inside = range_inside, .count_pairs = count_pairs,                  \
        .count_classes = count_classes, .order_tags = order_tags, .walk_pairs = walk_pairs,        \
        .walk_squares = walk_squares, .partition = partition                                       \
    }
