/* The kernels of every width: those that this processor has, and the wide ones compiled without the
 * instructions for them, so that their logic is tested on any machine. */
#ifndef TEST_KERNELS_ALL_H
#define TEST_KERNELS_ALL_H

#include "learn/splitting/kernels.h"

extern const spf_kernels kernels_plain_8;

enum { KERNELS_MAX = 3 };

/* Lists them and returns how many there are. */
size_t kernels_all(const spf_kernels **list);

#endif
