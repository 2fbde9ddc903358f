/* Sorts four columns of keys side by side with one network. */
#ifndef SPF_LEARN_SPLITTING_LANE_SORT_H
#define SPF_LEARN_SPLITTING_LANE_SORT_H

#include <stddef.h>
#include <stdint.h>

enum { SPF_LANES = 4 };

/* Sorts each column of keys[lines x SPF_LANES] ascending. */
typedef void (*spf_lane_sorter)(uint32_t *keys, size_t lines);
void spf_lane_sort(uint32_t *keys, size_t lines);

/* The versions to choose from; NULL if this processor does not support one. */
spf_lane_sorter spf_lane_sorter_plain(void);
spf_lane_sorter spf_lane_sorter_avx2(void);

#endif
