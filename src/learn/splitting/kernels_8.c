/* The kernels with vectors of 32 bytes: AVX2. */
#include "base/platform.h"

#ifdef SPF_WIDE_VECTORS

#include "base/vectors.h" /* before the target changes */

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#define LANES 8
#define NATIVE

#include "learn/splitting/kernels.inc.h"

const spf_kernels spf_kernels_8 = KERNELS;

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
