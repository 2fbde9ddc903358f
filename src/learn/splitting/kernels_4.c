/* The kernels with vectors of 16 bytes: NEON, SSE2. */
#define LANES 4
#define NATIVE

#include "learn/splitting/kernels.inc.h"

const spf_kernels spf_kernels_4 = KERNELS;
