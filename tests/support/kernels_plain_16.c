/* Kernels of 16 lanes for any processor. */
#include "support/kernels_all.h"

#define LANES 16

#include "learn/splitting/kernels.inc.h"

const spf_kernels kernels_plain_16 = KERNELS;
