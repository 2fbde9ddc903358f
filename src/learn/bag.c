/* A bootstrap is held as weights, never as repeated rows. Rows that have weights themselves are
 * drawn with chances proportional to them, and each draw counts 1; without replacement they keep
 * their weights. */
#include "learn/bag.h"

#include "base/portable_math.h"

#include <math.h>
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

/* The first ball of a class, or the end of the one before. */
static uint32_t first_ball(const spf_bagger *bagger, size_t class) {
    uint32_t start = bagger->class_start[class];
    return start > 0 ? bagger->urn.end[start - 1] : 0;
}

/* How many draws some balls get: one each where weights are whole numbers, and otherwise their
 * share of as many as there are rows, at least one. */
static uint32_t draws_for(const spf_bagger *bagger, uint32_t balls) {
    const spf_row_weights *w = bagger->weights;
    if (w->whole || balls == 0) return balls;
    double share = (double)balls / (double)w->total * (double)w->rows;
    return (uint32_t)fmax(1, floor(share + 0.5));
}

static int is_bootstrap(sporf_bag kind) {
    return kind == SPORF_BAG_BOOTSTRAP || kind == SPORF_BAG_STRATIFIED;
}

/* Weights count as rows do: those of less than two rows can never be split. */
static sporf_status keep_weights(spf_bagger *bagger) {
    const spf_row_weights *w = bagger->weights;
    bagger->exponent = w->exponent;
    bagger->shares = !w->whole;
    bagger->weight = w->total;
    if (!w->units || ldexp((double)w->total, -w->exponent) >= 2) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA,
                     "the weights add up to %.3g rows, and a node needs two to be split: multiply "
                     "all weights by some number, or take a bootstrap",
                     ldexp((double)w->total, -w->exponent));
}

static sporf_status fill_urn(const spf_row_weights *weights, spf_bagger *bagger) {
    if (!weights->units) {
        bagger->weight = bagger->rows;
        return SPORF_OK;
    }
    SPF_TRY(spf_urn_create(weights->units, bagger->class_rows, bagger->rows, &bagger->urn));
    if (bagger->kind == SPORF_BAG_BOOTSTRAP) bagger->weight = draws_for(bagger, bagger->urn.balls);
    for (size_t k = 0; k < bagger->classes; k++)
        bagger->weight += draws_for(bagger, first_ball(bagger, k + 1) - first_ball(bagger, k));
    return SPORF_OK;
}

sporf_status spf_bagger_create(const sporf_dataset *data, const spf_row_weights *weights,
                               sporf_bag kind, double fraction, spf_bagger *bagger) {
    *bagger = (spf_bagger){.kind = kind, .rows = data->rows, .weights = weights};
    bagger->drawn = (size_t)spf_round_up(fraction * (double)weights->rows);
    if (bagger->drawn > weights->rows) bagger->drawn = weights->rows;
    if (!is_bootstrap(kind)) return keep_weights(bagger);
    if (kind == SPORF_BAG_STRATIFIED) SPF_TRY(sort_rows_by_class(data, bagger));
    return fill_urn(weights, bagger);
}

void spf_bagger_free(spf_bagger *bagger) {
    free(bagger->class_start);
    free(bagger->class_rows);
    spf_urn_free(&bagger->urn);
}

static void draw_balls(const spf_bagger *bagger, sporf_random *random, uint32_t first, uint32_t end,
                       uint32_t *weights) {
    uint32_t balls = end - first, draws = draws_for(bagger, balls);
    for (uint32_t i = 0; i < draws; i++)
        weights[spf_urn_row(&bagger->urn, first + spf_random_below(random, balls))]++;
}

static void draw_stratified(const spf_bagger *bagger, sporf_random *random, uint32_t *weights) {
    for (size_t k = 0; k < bagger->classes; k++) {
        if (bagger->weights->units) {
            draw_balls(bagger, random, first_ball(bagger, k), first_ball(bagger, k + 1), weights);
            continue;
        }
        const uint32_t *rows = bagger->class_rows + bagger->class_start[k];
        uint32_t count = bagger->class_start[k + 1] - bagger->class_start[k];
        for (uint32_t i = 0; i < count; i++) weights[rows[spf_random_below(random, count)]]++;
    }
}

/* Knuth's selection sampling: row i is taken with probability (still needed) / (still there). */
static void draw_subsample(const spf_bagger *bagger, sporf_random *random, uint32_t *weights) {
    size_t needed = bagger->drawn;
    uint32_t left = (uint32_t)bagger->weights->rows;
    for (size_t i = 0; i < bagger->rows; i++) {
        uint32_t units = spf_row_units(bagger->weights, i);
        int taken = units > 0 && spf_random_below(random, left--) < needed;
        weights[i] = taken ? units : 0;
        needed -= (size_t)taken;
    }
}

static void draw_bootstrap(const spf_bagger *bagger, sporf_random *random, uint32_t *weights) {
    if (bagger->weights->units) {
        draw_balls(bagger, random, 0, bagger->urn.balls, weights);
        return;
    }
    for (size_t i = 0; i < bagger->rows; i++)
        weights[spf_random_below(random, (uint32_t)bagger->rows)]++;
}

void spf_bagger_draw(const spf_bagger *bagger, sporf_random *random, uint32_t *weights) {
    if (is_bootstrap(bagger->kind)) memset(weights, 0, bagger->rows * sizeof *weights);
    switch (bagger->kind) {
    case SPORF_BAG_NONE:
        for (size_t i = 0; i < bagger->rows; i++) weights[i] = spf_row_units(bagger->weights, i);
        break;
    case SPORF_BAG_STRATIFIED:
        draw_stratified(bagger, random, weights);
        break;
    case SPORF_BAG_SUBSAMPLE:
        draw_subsample(bagger, random, weights);
        break;
    default:
        draw_bootstrap(bagger, random, weights);
    }
}

uint32_t spf_bag_part(double share, size_t rows, sporf_random *random, uint32_t *weights,
                      uint32_t *apart) {
    uint32_t left = 0;
    for (size_t i = 0; i < rows; i++) left += weights[i] > 0;
    double most = left > 0 ? left - 1 : 0;
    uint32_t count = (uint32_t)fmin(fmax(floor(share * left + 0.5), 1), most), needed = count;
    for (size_t i = 0; i < rows; i++) {
        int taken = weights[i] > 0 && spf_random_below(random, left--) < needed;
        apart[i] = taken ? weights[i] : 0;
        weights[i] -= apart[i];
        needed -= (uint32_t)taken;
    }
    return count;
}
