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

int spf_pilot_takes_all(const sporf_dataset *data) {
    return spf_rows_with_weight(data) <= TALL;
}

/* Each row is taken with probability (rows still wanted) / (rows left) (selection sampling, Knuth
 * 1969). */
sporf_status spf_pilot_rows_choose(const sporf_dataset *data, uint64_t seed, uint32_t **out,
                                   size_t *count) {
    size_t left = spf_rows_with_weight(data), taken = 0;
    *count = left <= TALL ? data->rows : MOST_ROWS;
    uint32_t *rows = *out = spf_alloc(*count, sizeof *rows);
    if (!rows) return spf_raise_memory();
    for (size_t i = 0; left <= TALL && i < data->rows; i++) rows[i] = (uint32_t)i;
    if (left <= TALL) return SPORF_OK;
    sporf_random random = spf_random_start(seed, 0, SPF_USE_PILOT);
    for (size_t i = 0; taken < MOST_ROWS; i++) {
        if (data->weights && data->weights[i] == 0) continue;
        if (spf_random_below64(&random, left--) < MOST_ROWS - taken) rows[taken++] = (uint32_t)i;
    }
    return SPORF_OK;
}

size_t spf_pilot_rows_count(const sporf_dataset *data) {
    size_t count = spf_rows_with_weight(data);
    return count > TALL ? MOST_ROWS : count;
}

sporf_status spf_pilot_rows_draw(const sporf_dataset *data, uint64_t seed, sporf_dataset **out) {
    uint32_t *rows;
    size_t count;
    *out = NULL;
    if (spf_pilot_takes_all(data)) return SPORF_OK;
    SPF_TRY(spf_pilot_rows_choose(data, seed, &rows, &count));
    sporf_status status = sporf_dataset_select(data, rows, count, out);
    free(rows);
    return status;
}
