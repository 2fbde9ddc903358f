#include "support/kernels_all.h"

size_t kernels_all(const spf_kernels **list) {
    size_t count = 0;
    for (size_t lanes = 4; lanes <= SPF_LANES_MAX; lanes *= 2)
        if (spf_kernels_of(lanes)) list[count++] = spf_kernels_of(lanes);
    list[count++] = &kernels_plain_8;
    return count;
}
