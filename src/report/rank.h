/* Things in the order of a number. */
#ifndef SPF_REPORT_RANK_H
#define SPF_REPORT_RANK_H

#include <stddef.h>

typedef struct spf_rank {
    double key; /* not NaN */
    size_t index;
} spf_rank;

/* The largest key first; in a tie the lower index. */
void spf_rank_sort(spf_rank *ranks, size_t count);

#endif
