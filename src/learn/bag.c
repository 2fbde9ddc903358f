/* A bootstrap is held as weights, never as repeated rows. */
#include "learn/bag.h"

#include "base/portable_math.h"

#include <stdlib.h>
#include <string.h>

static sporf_status sort_rows_by_class(const sporf_dataset *data, spf_bagger *bagger) {
    bagger->classes = data->classes.count;
    bagger->class_start = spf_alloc_zero(bagger->classes + 2, sizeof *bagger->class_start);
    bagger->class_rows = spf_alloc(data->rows, sizeof *bagger->class_rows);
    if (!bagger->class_start || !bagger->class_rows) return spf_raise_memory();
    uint32_t *start = bagger->class_start;
    for (size_t i = 0; i < data->rows; i++) start[data->labels[i] + 2]++;
    for (size_t k = 2; k < bagger->classes + 2; k++) start[k] += start[k - 1];
    /* start[k + 1] runs through class k's places and ends where class k + 1 begins */
    for (size_t i = 0; i < data->rows; i++)
        bagger->class_rows[start[data->labels[i] + 1]++] = (uint32_t)i;
    return SPORF_OK;
}

sporf_status spf_bagger_create(const sporf_dataset *data, sporf_bag kind, double fraction,
                               spf_bagger *bagger) {
    *bagger = (spf_bagger){.kind = kind, .rows = data->rows};
    bagger->drawn = (size_t)spf_round_up(fraction * (double)data->rows);
    if (bagger->drawn > data->rows) bagger->drawn = data->rows;
    return kind == SPORF_BAG_STRATIFIED ? sort_rows_by_class(data, bagger) : SPORF_OK;
}

void spf_bagger_free(spf_bagger *bagger) {
    free(bagger->class_start);
    free(bagger->class_rows);
}

static void draw_stratified(const spf_bagger *bagger, sporf_random *random, uint32_t *weights) {
    memset(weights, 0, bagger->rows * sizeof *weights);
    for (size_t k = 0; k < bagger->classes; k++) {
        const uint32_t *rows = bagger->class_rows + bagger->class_start[k];
        uint32_t count = bagger->class_start[k + 1] - bagger->class_start[k];
        for (uint32_t i = 0; i < count; i++) weights[rows[spf_random_below(random, count)]]++;
    }
}

/* Knuth's selection sampling: row i is taken with probability (still needed) / (still there). */
static void draw_subsample(const spf_bagger *bagger, sporf_random *random, uint32_t *weights) {
    size_t needed = bagger->drawn;
    for (size_t i = 0; i < bagger->rows; i++) {
        weights[i] = spf_random_below(random, (uint32_t)(bagger->rows - i)) < needed;
        needed -= weights[i];
    }
}

void spf_bagger_draw(const spf_bagger *bagger, sporf_random *random, uint32_t *weights) {
    switch (bagger->kind) {
    case SPORF_BAG_NONE:
        for (size_t i = 0; i < bagger->rows; i++) weights[i] = 1;
        break;
    case SPORF_BAG_STRATIFIED:
        draw_stratified(bagger, random, weights);
        break;
    case SPORF_BAG_SUBSAMPLE:
        draw_subsample(bagger, random, weights);
        break;
    default:
        memset(weights, 0, bagger->rows * sizeof *weights);
        for (size_t i = 0; i < bagger->rows; i++)
            weights[spf_random_below(random, (uint32_t)bagger->rows)]++;
    }
}
