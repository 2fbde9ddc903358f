/* The kernels with vectors of 64 bytes: AVX-512. */
#include "base/platform.h"

#ifdef SPF_WIDE_VECTORS

#include "base/vectors.h" /* before the target changes */

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))),        \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl")
#endif

#define LANES 16
#define NATIVE

#include "learn/splitting/kernels.inc.h"

const spf_kernels spf_kernels_16 = KERNELS;

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
