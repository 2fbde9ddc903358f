/* Things in the order of a number. */
#include "report/rank.h"

#include <stdlib.h>

static int compare(const void *one, const void *other) {
    const spf_rank *a = one, *b = other;
    if (a->key != b->key) return a->key > b->key ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

void spf_rank_sort(spf_rank *ranks, size_t count) {
    qsort(ranks, count, sizeof *ranks, compare);
}
