/* Up to ten thousand rows all are used, and the winner's trees can stay; of more, five thousand
 * drawn at random, so that the time of a search does not grow with the table. */
#include "learn/settings/pilot_rows.h"

#include "base/rng.h"

#include <stdlib.h>

enum { MOST_ROWS = 5000, TALL = 2 * MOST_ROWS };

size_t spf_rows_with_weight(const sporf_dataset *data) {
    size_t count = 0;
    if (!data->weights) return data->rows;
    for (size_t i = 0; i < data->rows; i++) count += data->weights[i] != 0;
    return count;
}

/* Each row is taken with probability (rows still wanted) / (rows left) (selection sampling, Knuth
 * 1969). */
static void draw_rows(const sporf_dataset *data, size_t left, uint64_t seed,
                      uint32_t rows[MOST_ROWS]) {
    sporf_random random = spf_random_start(seed, 0, SPF_USE_PILOT);
    for (size_t i = 0, taken = 0; taken < MOST_ROWS; i++) {
        if (data->weights && data->weights[i] == 0) continue;
        if (spf_random_below64(&random, left--) < MOST_ROWS - taken) rows[taken++] = (uint32_t)i;
    }
}

size_t spf_pilot_rows_count(const sporf_dataset *data) {
    size_t count = spf_rows_with_weight(data);
    return count > TALL ? MOST_ROWS : count;
}

sporf_status spf_pilot_rows_draw(const sporf_dataset *data, uint64_t seed, sporf_dataset **out) {
    *out = NULL;
    size_t count = spf_rows_with_weight(data);
    if (count <= TALL) return SPORF_OK;
    uint32_t *rows = spf_alloc(MOST_ROWS, sizeof *rows);
    if (!rows) return spf_raise_memory();
    draw_rows(data, count, seed, rows);
    sporf_status status = sporf_dataset_select(data, rows, MOST_ROWS, out);
    free(rows);
    return status;
}
