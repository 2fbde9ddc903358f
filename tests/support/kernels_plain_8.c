/* Kernels of 8 lanes for any processor. */
#include "support/kernels_all.h"

#define LANES 8

#include "learn/splitting/kernels.inc.h"

const spf_kernels kernels_plain_8 = KERNELS;
