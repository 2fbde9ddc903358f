/* Canonical correlation forests (Rainforth and Wood 2015): directions of largest correlation
 * between a random set of features and the classes, computed on a bootstrap of the node's rows
 * ("projection bootstrap"). Features that are constant in the node are not drawn; a bootstrap of
 * one class only is replaced by the node's own rows. */
#include "base/linalg.h"
#include "learn/sampling/choose.h"
#include "learn/sampling/method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    spf_deck deck;
    uint32_t *feature;    /* [d]: the features drawn */
    uint32_t *class_code; /* [classes]: 1 + the number in the sample; 0 for absent */
    uint32_t *class_size; /* [classes]: by number in the sample */
    uint32_t *sample;     /* positions in the view, one for each sampled row */
    uint32_t *label;      /* class number of each sampled row */
    uint32_t *expanded;   /* each position, repeated by its weight; of shares the cumulative sums */
    uint32_t draws, balls; /* draws out of how many */
    double *x, *directions, *length;
    float *weights;
    size_t sample_capacity, label_capacity, expanded_capacity, x_capacity, directions_capacity;
} cca_state;

static void finish(void *payload, void *state) {
    (void)payload;
    cca_state *cca = state;
    spf_deck_free(&cca->deck);
    free(cca->feature);
    free(cca->class_code);
    free(cca->class_size);
    free(cca->sample);
    free(cca->label);
    free(cca->expanded);
    free(cca->x);
    free(cca->directions);
    free(cca->length);
    free(cca->weights);
    free(cca);
}

static sporf_status prepare(void *payload, const sporf_view *view, sporf_random *random,
                            sporf_projections *basis, void **state) {
    (void)random, (void)basis;
    const spf_sampler_settings *settings = payload;
    cca_state *cca = spf_alloc_zero(1, sizeof *cca);
    if (!cca) return spf_raise_memory();
    cca->feature = spf_alloc(settings->projections, sizeof *cca->feature);
    cca->class_code = spf_alloc_zero(view->classes, sizeof *cca->class_code);
    cca->class_size = spf_alloc_zero(view->classes, sizeof *cca->class_size);
    cca->length = spf_alloc(settings->projections, sizeof *cca->length);
    cca->weights = spf_alloc(settings->projections, sizeof *cca->weights);
    int complete =
        cca->feature && cca->class_code && cca->class_size && cca->length && cca->weights;
    sporf_status status =
        complete ? spf_deck_create(settings->features, &cca->deck) : spf_raise_memory();
    if (status != SPORF_OK) {
        finish(payload, cca);
        return status;
    }
    *state = cca;
    return SPORF_OK;
}

static int varies(const sporf_view *view, uint32_t feature) {
    const float *column = view->columns[feature];
    for (size_t i = 1; i < view->rows; i++)
        if (column[view->row[i]] != column[view->row[0]]) return 1;
    return 0;
}

/* Up to d random features that vary in the node. */
static uint32_t draw_features(const spf_sampler_settings *settings, cca_state *cca,
                              const sporf_view *view, sporf_random *random) {
    uint32_t found = 0, place = 0;
    while (place < settings->features && found < settings->projections) {
        uint32_t feature = spf_deck_next(&cca->deck, random, place++);
        if (varies(view, feature)) cca->feature[found++] = feature;
    }
    spf_deck_put_back(&cca->deck, place);
    return found;
}

static sporf_status reserve_sample(cca_state *cca, size_t draws) {
    cca->draws = (uint32_t)draws;
    SPF_TRY(SPF_RESERVE(cca->expanded, cca->expanded_capacity, draws));
    SPF_TRY(SPF_RESERVE(cca->sample, cca->sample_capacity, draws));
    return SPF_RESERVE(cca->label, cca->label_capacity, draws);
}

static sporf_status expand_weights(cca_state *cca, const sporf_view *view) {
    size_t sum = 0;
    for (size_t i = 0; i < view->rows; i++) sum += view->weight[i];
    SPF_TRY(reserve_sample(cca, sum));
    uint32_t at = 0;
    for (size_t i = 0; i < view->rows; i++)
        for (uint32_t w = 0; w < view->weight[i]; w++) cca->expanded[at++] = (uint32_t)i;
    cca->balls = at;
    return SPORF_OK;
}

/* Shares are too large to be expanded: as many rows are drawn as there are. */
static sporf_status add_up_shares(cca_state *cca, const sporf_view *view) {
    SPF_TRY(reserve_sample(cca, view->rows));
    cca->balls = 0;
    for (size_t i = 0; i < view->rows; i++) cca->expanded[i] = cca->balls += view->weight[i];
    return SPORF_OK;
}

/* The position whose share the ball falls into. */
static uint32_t find_share(const cca_state *cca, uint32_t ball) {
    uint32_t low = 0, high = cca->draws - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cca->expanded[middle] <= ball)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Numbers the classes of the sample from 0 and counts them; returns their number. */
static uint32_t number_classes(cca_state *cca, const sporf_view *view, uint32_t rows) {
    uint32_t classes = 0;
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t *code = &cca->class_code[view->label[cca->sample[i]]];
        if (*code == 0) {
            *code = ++classes;
            cca->class_size[classes - 1] = 0;
        }
        cca->label[i] = *code - 1;
        cca->class_size[*code - 1]++;
    }
    for (uint32_t i = 0; i < rows; i++) cca->class_code[view->label[cca->sample[i]]] = 0;
    return classes;
}

static uint32_t draw_rows(cca_state *cca, const sporf_view *view, int shares,
                          sporf_random *random) {
    for (uint32_t i = 0; i < cca->draws; i++) {
        uint32_t ball = spf_random_below(random, cca->balls);
        cca->sample[i] = shares ? find_share(cca, ball) : cca->expanded[ball];
    }
    uint32_t classes = number_classes(cca, view, cca->draws);
    if (classes > 1) return classes;
    for (uint32_t i = 0; i < cca->draws; i++) cca->sample[i] = shares ? i : cca->expanded[i];
    return number_classes(cca, view, cca->draws);
}

/* One column of the sample in scaled units, centred and scaled to length 1; returns 0 if it is
 * constant. */
static int fill_column(const sporf_view *view, const uint32_t *sample, uint32_t rows,
                       uint32_t feature, double *x, double *length) {
    const float *column = view->columns[feature];
    double scale = view->scale ? view->scale[feature] : 1, mean = 0, square = 0;
    for (uint32_t i = 0; i < rows; i++) mean += x[i] = scale * column[view->row[sample[i]]];
    mean /= rows;
    for (uint32_t i = 0; i < rows; i++) {
        x[i] -= mean;
        square += x[i] * x[i];
    }
    *length = sqrt(square);
    if (!(*length > 1e-9 * fabs(mean) * sqrt(rows)) || *length == 0) return 0;
    for (uint32_t i = 0; i < rows; i++) x[i] /= *length;
    return 1;
}

static sporf_status add_directions(cca_state *cca, uint32_t columns, size_t found,
                                   sporf_projections *candidates) {
    for (size_t j = 0; j < found; j++) {
        double largest = 0;
        for (uint32_t i = 0; i < columns; i++) {
            double *weight = &cca->directions[j * columns + i];
            *weight /= cca->length[i];
            if (fabs(*weight) > largest) largest = fabs(*weight);
        }
        if (!(largest > 0) || !isfinite(largest)) continue;
        for (uint32_t i = 0; i < columns; i++)
            cca->weights[i] = (float)(cca->directions[j * columns + i] / largest);
        SPF_TRY(sporf_projections_add(candidates, columns, cca->feature, cca->weights));
    }
    return SPORF_OK;
}

static sporf_status draw(void *payload, void *state, const sporf_view *view, sporf_random *random,
                         sporf_projections *candidates) {
    const spf_sampler_settings *settings = payload;
    cca_state *cca = state;
    uint32_t columns = 0, drawn = draw_features(settings, cca, view, random);
    SPF_TRY(settings->shares ? add_up_shares(cca, view) : expand_weights(cca, view));
    uint32_t rows = cca->draws, classes = draw_rows(cca, view, settings->shares, random);
    SPF_TRY(SPF_RESERVE(cca->x, cca->x_capacity, (size_t)drawn * rows));
    for (uint32_t i = 0; i < drawn; i++)
        if (fill_column(view, cca->sample, rows, cca->feature[i], cca->x + (size_t)columns * rows,
                        &cca->length[columns]))
            cca->feature[columns++] = cca->feature[i];
    if (columns == 0 || classes < 2) return SPORF_OK;
    size_t most = columns < classes ? columns : classes, found;
    SPF_TRY(SPF_RESERVE(cca->directions, cca->directions_capacity, columns * most));
    SPF_TRY(spf_canonical_directions(cca->x, rows, columns, cca->label, cca->class_size, classes,
                                     cca->directions, &found));
    return add_directions(cca, columns, found, candidates);
}

/* A direction has at most as many terms as the node has rows. In a balanced tree, half of the
 * splits have two leaves below them, a quarter have four, and so on. Other trees have less than
 * twice as many terms. */
static double terms(const spf_sampler_settings *settings, double leaf_rows) {
    double d = settings->projections;
    return d > leaf_rows ? fmin(d, 2 * leaf_rows * (log2(d / leaf_rows) + 1)) : d;
}

static double candidates_of(const spf_sampler_settings *settings, double classes) {
    return fmin(settings->projections, classes);
}

/* The sample and its values grow by doubling; the correlations take as much again. */
static double bytes(const spf_sampler_settings *settings, double rows, double classes) {
    double d = settings->projections, word = sizeof(uint32_t), real = sizeof(double);
    return rows * (2 * d * real + 6 * word) + d * (d + 4 * classes) * real + 2 * classes * word +
           d * (2 * word + real) + spf_deck_bytes(settings->features);
}

const spf_method spf_method_ccf = {
    .info = {.name = "ccf",
             .title = "canonical correlation forest",
             .options = "",
             .bag = SPORF_BAG_NONE,
             .traits = {.struct_size = sizeof(sporf_traits),
                        .needs_numbers = 1,
                        .classes_only = 1}},
    .prepare = prepare,
    .draw = draw,
    .finish = finish,
    .weights = SPORF_WEIGHTS_SIGN,
    .projections = {1, 1},
    .density = {3, -1},
    .density_of_few = {3, -1},
    .resolve = spf_resolve_distinct,
    .terms = terms,
    .candidates = candidates_of,
    .bytes = bytes,
};
