/* A forest grown from rows that are apart, in one process. */
#ifndef TEST_ROWS_APART_H
#define TEST_ROWS_APART_H

#include "sporf.h"

typedef struct rows_apart {
    size_t shards;        /* the table is cut at random rows into at most so many */
    uint64_t branch_rows; /* see sporf_crown_create */
    uint32_t trees;
    unsigned threads; /* of each shard */
    unsigned lose;    /* every so many questions a shard is made anew; 0: never */
    uint64_t seed;    /* of the cuts and losses */
    int adds_up;      /* some answers are added up before they are heard */
} rows_apart;

/* A failure ends the test. Free with sporf_forest_free. */
sporf_forest *grow_apart(const sporf_dataset *data, const sporf_params *params,
                         const rows_apart *how);

/* How many questions the last call has asked, and how many branches it has grown. */
typedef struct rows_apart_count {
    size_t questions, branches;
} rows_apart_count;
extern rows_apart_count rows_apart_counted;

#endif
