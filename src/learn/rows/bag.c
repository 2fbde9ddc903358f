/* A bootstrap is stored as weights, never as repeated rows. Rows whose weights are counts are drawn
 * with probabilities proportional to them, and each draw counts 1; without replacement they keep
 * their weights. Relative weights do not influence what is drawn. */
#include "learn/rows/bag.h"

#include "base/portable_math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int is_bootstrap(sporf_bag kind) {
    return kind == SPORF_BAG_BOOTSTRAP || kind == SPORF_BAG_STRATIFIED;
}

double spf_bag_fraction(sporf_bag kind, double given) {
    if (given != 0) return given;
    return kind == SPORF_BAG_SUBSAMPLE ? 0.632 : 1;
}

int spf_bag_has_shares(const spf_row_weights *weights, sporf_bag kind) {
    return weights->relative || (!weights->whole && !is_bootstrap(kind));
}

static double subsample_of(double fraction, double rows) {
    return fmin(rows, spf_round_up(fraction * rows));
}

/* How often a row is in a bootstrap on average, by the rule of draws_for. */
static double expected_draws(const spf_row_weights *weights, size_t rows, size_t row) {
    double units = spf_row_units(weights, row);
    return weights->whole ? ldexp(units, -weights->exponent)
                          : units * (double)rows / (double)weights->total;
}

/* Whether at least half of every class, by weight, are rows that a bootstrap leaves out now and
 * then. A row that is drawn more than 4 times on average is left out by one tree in fifty. */
static int every_class_is_left_out(spf_row_classes classes, const spf_row_weights *weights,
                                   double fraction) {
    enum { OFTEN = 4 };
    size_t count = classes.label ? classes.count : 1;
    double *balance = spf_alloc_zero(count, sizeof *balance); /* light minus heavy rows */
    int all = 1;
    if (!balance) return 1; /* training will report it */
    for (size_t i = 0; i < classes.rows; i++) {
        double units = spf_row_units(weights, i);
        int heavy = fraction * expected_draws(weights, classes.rows, i) > OFTEN;
        balance[classes.label ? classes.label[i] : 0] += heavy ? -units : units;
    }
    for (size_t k = 0; k < count; k++) all = all && balance[k] >= 0;
    free(balance);
    return all;
}

int spf_bag_leaves_rows_out(spf_row_classes classes, const spf_row_weights *weights, sporf_bag kind,
                            double fraction) {
    double rows = (double)weights->rows;
    if (kind == SPORF_BAG_NONE) return 0;
    if (kind == SPORF_BAG_SUBSAMPLE) return subsample_of(fraction, rows) < rows;
    return !weights->units || weights->relative ||
           every_class_is_left_out(classes, weights, fraction);
}

/* The number of all rows, with repeats. */
static double all_rows(spf_row_classes classes, const spf_row_weights *weights) {
    return fmax((double)classes.rows, (double)weights->total / spf_units_of_row(weights));
}

/* The number of draws is rounded up, in each class of a stratified bag. f n draws leave exp(-f) n
 * of n rows out; chance adds far less than twice the square root of n. */
static spf_bag_size expected_bootstrap(spf_row_classes classes, const spf_row_weights *weights,
                                       sporf_bag kind, double fraction) {
    double rows = (double)classes.rows, all = weights->whole ? all_rows(classes, weights) : rows;
    double parts = kind == SPORF_BAG_STRATIFIED ? (double)classes.count : 1;
    double draws = fmin(all + parts, fraction * all + parts), most = fmin(rows, draws);
    if (weights->units && weights->whole && !weights->relative) return (spf_bag_size){most, draws};
    double different = rows * (1 - exp(-fraction)) + 2 * sqrt(rows) + parts;
    return (spf_bag_size){fmin(most, different), draws};
}

spf_bag_size spf_bag_expected(spf_row_classes classes, const spf_row_weights *weights,
                              sporf_bag kind, double fraction) {
    double rows = (double)classes.rows, weight = all_rows(classes, weights);
    if (is_bootstrap(kind)) return expected_bootstrap(classes, weights, kind, fraction);
    if (kind == SPORF_BAG_NONE) return (spf_bag_size){rows, weight};
    return (spf_bag_size){subsample_of(fraction, rows), weight};
}

double spf_bag_heaviest(const spf_row_weights *weights) {
    return weights->relative ? (double)weights->rows * weights->largest : (double)weights->total;
}

static sporf_status sort_rows_by_class(spf_row_classes classes, spf_bagger *bagger) {
    bagger->classes = classes.count;
    bagger->class_start = spf_alloc_zero(bagger->classes + 2, sizeof *bagger->class_start);
    bagger->class_rows = spf_alloc(classes.rows, sizeof *bagger->class_rows);
    if (!bagger->class_start || !bagger->class_rows) return spf_raise_memory();
    uint32_t *start = bagger->class_start;
    for (size_t i = 0; i < classes.rows; i++) start[classes.label[i] + 2]++;
    for (size_t k = 2; k < bagger->classes + 2; k++) start[k] += start[k - 1];
    /* start[k + 1] runs over the rows of class k and ends where class k + 1 begins */
    for (size_t i = 0; i < classes.rows; i++)
        bagger->class_rows[start[classes.label[i] + 1]++] = (uint32_t)i;
    return SPORF_OK;
}

/* The first ticket of a class, and the end of the previous one; without weights a row is one
 * ticket. */
static uint32_t first_ticket(const spf_bagger *bagger, size_t class) {
    uint32_t start = bagger->class_start[class];
    return bagger->weighted_draw.end && start > 0 ? bagger->weighted_draw.end[start - 1] : start;
}

static uint32_t all_tickets(const spf_bagger *bagger) {
    return bagger->weighted_draw.end ? bagger->weighted_draw.tickets : (uint32_t)bagger->rows;
}

/* How many draws some tickets get: a share of them if weights are integers, otherwise of their part
 * of the number of rows; at least one. */
static uint32_t draws_for(const spf_bagger *bagger, uint32_t tickets) {
    const spf_row_weights *w = bagger->weights;
    double draws = tickets;
    if (!w->whole && tickets > 0)
        draws = fmax(1, floor((double)tickets / (double)w->total * (double)w->rows + 0.5));
    return (uint32_t)fmin(draws, spf_round_up(bagger->fraction * draws));
}

static void set_units(spf_bagger *bagger, double unit) {
    const double root = 0.70710678118654752; /* sqrt(1/2): powers are rounded up from there */
    int exponent;
    double part = frexp(unit, &exponent);
    bagger->unit_of_row = unit;
    bagger->unit_of_leaf = ldexp(1, part < root ? exponent - 1 : exponent);
}

/* Counts are numbers of rows: with fewer than two nothing can be split. */
static sporf_status keep_weights(spf_bagger *bagger) {
    const spf_row_weights *w = bagger->weights;
    set_units(bagger, spf_units_of_row(w));
    bagger->weight = w->total;
    if (!w->units || w->relative || ldexp((double)w->total, -w->exponent) >= 2) return SPORF_OK;
    return spf_raise(
        SPORF_ERROR_DATA,
        "the weights add up to %.3g rows, and a node needs two to be split" SPF_HINT
        "multiply all weights by a constant, or use " SPF_OPTION_AS("bag", "bootstrap"),
        ldexp((double)w->total, -w->exponent));
}

/* One ticket for each row with a positive weight. */
static sporf_status put_rows_in(const spf_row_weights *weights, spf_bagger *bagger) {
    uint32_t *present = spf_alloc(bagger->rows, sizeof *present);
    if (!present) return spf_raise_memory();
    for (size_t i = 0; i < bagger->rows; i++) present[i] = weights->units[i] > 0;
    sporf_status status =
        spf_weighted_draw_create(present, bagger->class_rows, bagger->rows, &bagger->weighted_draw);
    free(present);
    return status;
}

static sporf_status create_urn(const spf_row_weights *weights, spf_bagger *bagger) {
    if (!weights->units) return SPORF_OK;
    if (!weights->relative)
        return spf_weighted_draw_create(weights->units, bagger->class_rows, bagger->rows,
                                        &bagger->weighted_draw);
    return weights->rows < bagger->rows ? put_rows_in(weights, bagger) : SPORF_OK;
}

static sporf_status fill_urn(const spf_row_weights *weights, spf_bagger *bagger) {
    SPF_TRY(create_urn(weights, bagger));
    if (bagger->kind == SPORF_BAG_BOOTSTRAP)
        bagger->weight = draws_for(bagger, all_tickets(bagger));
    for (size_t k = 0; k < bagger->classes; k++)
        bagger->weight += draws_for(bagger, first_ticket(bagger, k + 1) - first_ticket(bagger, k));
    set_units(bagger, weights->relative ? spf_units_of_row(weights) : 1);
    if (!weights->relative) return SPORF_OK;
    bagger->weight = (uint64_t)fmin(INT32_MAX, (double)bagger->weight * weights->largest);
    return SPORF_OK;
}

sporf_status spf_bagger_create(spf_row_classes classes, const spf_row_weights *weights,
                               sporf_bag kind, double fraction, spf_bagger *bagger) {
    *bagger = (spf_bagger){.kind = kind,
                           .rows = classes.rows,
                           .fraction = fraction,
                           .weights = weights,
                           .shares = spf_bag_has_shares(weights, kind)};
    if (!is_bootstrap(kind)) return keep_weights(bagger);
    if (kind == SPORF_BAG_STRATIFIED) SPF_TRY(sort_rows_by_class(classes, bagger));
    return fill_urn(weights, bagger);
}

void spf_bagger_free(spf_bagger *bagger) {
    free(bagger->class_start);
    free(bagger->class_rows);
    spf_weighted_draw_free(&bagger->weighted_draw);
}

/* Rows with weight 0 are marked while the weighted draw is made. */
double spf_bagger_bytes(spf_row_classes classes, const spf_row_weights *weights, sporf_bag kind) {
    const size_t word = sizeof(uint32_t);
    double rows = (double)classes.rows, bytes = 0;
    if (!is_bootstrap(kind)) return 0;
    if (kind == SPORF_BAG_STRATIFIED)
        bytes = spf_alloc_bytes((double)classes.count + 2, word) + spf_alloc_bytes(rows, word);
    if (!weights->units || (weights->relative && weights->rows == classes.rows)) return bytes;
    return bytes + spf_weighted_draw_bytes(rows) + spf_alloc_bytes(rows, word);
}

static uint32_t row_of(const spf_bagger *bagger, uint32_t ticket) {
    if (bagger->weighted_draw.end) return spf_weighted_draw_row(&bagger->weighted_draw, ticket);
    return bagger->class_rows ? bagger->class_rows[ticket] : ticket;
}

static void draw_tickets(const spf_bagger *bagger, sporf_random *random, uint32_t first,
                         uint32_t end, uint32_t *counts) {
    uint32_t tickets = end - first, draws = draws_for(bagger, tickets);
    for (uint32_t i = 0; i < draws; i++)
        counts[row_of(bagger, first + spf_random_below(random, tickets))]++;
}

static void draw_stratified(const spf_bagger *bagger, sporf_random *random, uint32_t *counts) {
    for (size_t k = 0; k < bagger->classes; k++)
        draw_tickets(bagger, random, first_ticket(bagger, k), first_ticket(bagger, k + 1), counts);
}

/* The count of a row that is taken once; relative weights are applied later. */
static uint32_t count_of(const spf_bagger *bagger, size_t row) {
    uint32_t units = spf_row_units(bagger->weights, row);
    return bagger->weights->relative ? units > 0 : units;
}

/* Knuth's selection sampling: row i is taken with probability (rows still needed) / (rows left). */
static void draw_subsample(const spf_bagger *bagger, sporf_random *random, uint32_t *counts) {
    uint32_t left = (uint32_t)bagger->weights->rows;
    size_t needed = (size_t)subsample_of(bagger->fraction, left);
    for (size_t i = 0; i < bagger->rows; i++) {
        uint32_t count = count_of(bagger, i);
        int taken = count > 0 && spf_random_below(random, left--) < needed;
        counts[i] = taken ? count : 0;
        needed -= (size_t)taken;
    }
}

void spf_bagger_draw(const spf_bagger *bagger, sporf_random *random, uint32_t *counts) {
    if (is_bootstrap(bagger->kind)) memset(counts, 0, bagger->rows * sizeof *counts);
    switch (bagger->kind) {
    case SPORF_BAG_NONE:
        for (size_t i = 0; i < bagger->rows; i++) counts[i] = count_of(bagger, i);
        break;
    case SPORF_BAG_STRATIFIED:
        draw_stratified(bagger, random, counts);
        break;
    case SPORF_BAG_SUBSAMPLE:
        draw_subsample(bagger, random, counts);
        break;
    default:
        draw_tickets(bagger, random, 0, all_tickets(bagger), counts);
    }
}

void spf_bagger_draw_tree(const spf_bagger *bagger, uint64_t tree_key, uint32_t *counts) {
    sporf_random random = spf_random_start(tree_key, SPF_ROOT_KEY, SPF_USE_BAG);
    spf_bagger_draw(bagger, &random, counts);
}

void spf_bagger_weigh(const spf_bagger *bagger, uint32_t *counts) {
    const spf_row_weights *w = bagger->weights;
    if (!w->relative) return;
    for (size_t i = 0; i < bagger->rows; i++)
        counts[i] = w->units[i] * (counts[i] < w->most ? counts[i] : w->most);
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
