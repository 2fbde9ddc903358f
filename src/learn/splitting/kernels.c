/* Vectors of 16 bytes are part of every processor that is supported; x86-64 may have wider ones. */
#include "learn/splitting/kernels.h"

#ifdef SPF_WIDE_VECTORS

static int has_avx512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

const spf_kernels *spf_kernels_of(size_t lanes) {
    if (lanes == 16 && has_avx512()) return &spf_kernels_16;
    if (lanes == 8 && __builtin_cpu_supports("avx2")) return &spf_kernels_8;
    return lanes == 4 ? &spf_kernels_4 : NULL;
}

#else

const spf_kernels *spf_kernels_of(size_t lanes) {
    return lanes == 4 ? &spf_kernels_4 : NULL;
}

#endif

const spf_kernels *spf_kernels_best(void) {
    const spf_kernels *best = NULL;
    for (size_t lanes = SPF_LANES_MAX; !best; lanes /= 2) best = spf_kernels_of(lanes);
    return best;
}
