/* Vectors of 16 bytes are part of every processor that is supported; x86-64 may have ones of 32.
 * Those of AVX-512 gain nothing on average: see docs/decisions/0046. */
#include "learn/splitting/kernels.h"

#ifdef SPF_WIDE_VECTORS

const spf_kernels *spf_kernels_of(size_t lanes) {
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
