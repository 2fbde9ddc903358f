/* The sizes here were measured: see docs/performance.md. */
#include "learn/growing/layout.h"

#include <math.h>

#define MB ((double)(1 << 20))

enum {
    BRANCHES_EACH = 8, /* branches per thread that keep all threads busy to the end */
    BRANCH_ROWS_LEAST = 4096,
    BLOCK_ROWS_LEAST = 64,
    THRIFTY_WORKERS = 2, /* that share the memory of blocks, however much there is */
};
static const double CACHE_BYTES = 0.5 * MB;
static const double BYTES_CACHE_BYTES = 2 * MB; /* of a table of bytes: a line holds more values */
static const double COPY_BYTES = 48 * MB;
static const double BLOCKS_LEAST = 8 * MB;
static const double ROW_BYTES = 19;      /* of votes, classes, places and values, for one thread */
static const double DEPTH_BY_LOG2 = 1.2; /* depth of a tree on m rows, in units of log2 m */

/* The limit for the blocks of all threads: a share of the table, and more if it is not copied; for
 * a long narrow table less, since its rows take memory, too. */
static double blocks_bytes(double rows, double features, int copied) {
    double table = rows * features * sizeof(float);
    double wanted = 0.1 * table + (copied ? 8 * MB : 40 * MB);
    return fmax(fmin(wanted, 0.2 * table + 85 * MB - rows * ROW_BYTES), BLOCKS_LEAST);
}

/* Each thread should have what its subtrees need to leave the table soon, as one thread has. */
double spf_layout_spare_bytes(const sporf_dataset *data, unsigned workers) {
    double rows = (double)data->rows, features = (double)data->features;
    double table = rows * features * sizeof(float), shared = blocks_bytes(rows, features, 0);
    double each = fmin(shared, 0.25 * table + 8 * MB);
    if (workers <= THRIFTY_WORKERS || table <= CACHE_BYTES) return 0;
    return fmax(workers * each - shared, 0);
}

double spf_layout_copy_bytes(const sporf_dataset *data) {
    double bytes = (double)data->rows * (double)data->features * sizeof(float);
    return bytes > CACHE_BYTES ? COPY_BYTES : 0;
}

/* The blocks of a thread are nested, each at most half as large as the one around it, except for
 * the innermost: together they are at most as large as two tables. */
double spf_layout_most_bytes(const sporf_dataset *data, const sporf_traits *traits,
                             unsigned workers, double spare) {
    double rows = (double)data->rows, features = (double)data->features;
    double cells = rows * features, bytes = cells * sizeof(float), nested = 2 * bytes * workers;
    if (bytes <= CACHE_BYTES || !traits->ignores_rows) return 0;
    double alone = fmin(blocks_bytes(rows, features, 0) + spare, nested);
    if (traits->makes_basis || cells > COPY_BYTES) return alone;
    double beside_copies = fmin(blocks_bytes(rows, features, 1) + spare, nested);
    return bytes <= COPY_BYTES ? bytes + beside_copies : fmax(alone, 2 * cells + beside_copies);
}

void spf_layout_choose(spf_plan *plan, double terms, uint32_t trees, unsigned workers,
                       double spare) {
    double rows = (double)plan->table.rows, features = (double)plan->table.features;
    double row_bytes = features * (double)spf_table_width(&plan->table);
    double budget = (blocks_bytes(rows, features, plan->by_row.rows > 0) + spare) / workers;
    double least = exp2(features / (DEPTH_BY_LOG2 * terms)); /* copying pays from here on */
    double branches = workers > 1 ? (double)BRANCHES_EACH * workers / trees : 1; /* per tree */
    plan->branch_rows = (size_t)fmax(rows / fmax(branches, 1), BRANCH_ROWS_LEAST);
    plan->by_row_below = plan->by_row.rows / (plan->table.bytes ? 64 : 32);
    plan->cached_rows = (size_t)((plan->table.bytes ? BYTES_CACHE_BYTES : CACHE_BYTES) / row_bytes);
    plan->block_least = least < rows ? (size_t)fmax(least, BLOCK_ROWS_LEAST) : SIZE_MAX;
    plan->block_shrink = terms >= 2 * features ? 2 : terms >= features ? 4 : 8;
    if (3 * DEPTH_BY_LOG2 * terms <= features) plan->block_shrink = SIZE_MAX;
    plan->block_rows = plan->sampler.traits.ignores_rows ? (size_t)(budget / 2 / row_bytes) : 0;
}
