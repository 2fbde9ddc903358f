/* Simulated problems with any number of rows: the paper's (classification) and Friedman's
 * (regression). */
#include "base/rng.h"
#include "base/text.h"
#include "data/dataset.h"
#include "simulate/friedman.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARITY_FEATURES = 3, ORTHANT_FEATURES_MAX = 16, STRIPE_LEVELS = 50 };

#define NOISE_MAX 1e6

/* Draws one row's values and returns its class. */
typedef uint32_t (*draw_row)(sporf_random *random, size_t features, double *row);

/* U(-1, 1)^p; the parity of positive values among the first three. */
static uint32_t sparse_parity(sporf_random *random, size_t features, double *row) {
    uint32_t positive = 0;
    for (size_t j = 0; j < features; j++) {
        row[j] = 2 * spf_random_uniform(random) - 1;
        positive += j < PARITY_FEATURES && row[j] > 0;
    }
    return positive % 2;
}

/* U(-1, 1)^p; the number of the orthant, 2^p classes. */
static uint32_t orthant(sporf_random *random, size_t features, double *row) {
    uint32_t number = 0;
    for (size_t j = 0; j < features; j++) {
        row[j] = 2 * spf_random_uniform(random) - 1;
        number |= (uint32_t)(row[j] > 0) << j;
    }
    return number;
}

/* Two spherical Gaussians with means +-(1, 1/sqrt 2, 1/sqrt 3, ...) (Trunk 1979). */
static uint32_t trunk(sporf_random *random, size_t features, double *row) {
    uint32_t class = spf_random_word(random) & 1;
    for (size_t j = 0; j < features; j++) {
        double mean = 1 / sqrt((double)(j + 1));
        row[j] = spf_random_normal(random) + (class ? mean : -mean);
    }
    return class;
}

/* Stripes whose widths halve towards 1: [0, 1/2], (1/2, 3/4], ... alternate between the classes. */
static uint32_t stripe(double place) {
    uint32_t level = 0;
    for (double rest = 1 - place; rest <= 0.5 && level < STRIPE_LEVELS; rest *= 2) level++;
    return level % 2;
}

/* Biau, Devroye and Lugosi 2008: three unit squares on the diagonal of [0, 3]^2, with vertical
 * stripes, a 2 x 2 checkerboard and horizontal stripes; the stripes narrow towards the
 * checkerboard, so that a greedy axis-aligned tree keeps peeling them off. Further features are
 * noise on [0, 3]. */
static uint32_t consistency(sporf_random *random, size_t features, double *row) {
    uint32_t square = spf_random_below(random, 3);
    double x = spf_random_uniform(random), y = spf_random_uniform(random);
    row[0] = square + x;
    row[1] = square + y;
    for (size_t j = 2; j < features; j++) row[j] = 3 * spf_random_uniform(random);
    if (square == 1) return (x < 0.5) != (y < 0.5);
    return stripe(square == 0 ? x : 1 - y);
}

/* Draws one row's values and returns its target without noise. */
typedef double (*draw_target)(sporf_random *random, size_t features, double *row);

typedef struct {
    const char *name;
    draw_row draw; /* NULL in regression */
    size_t features, least, most;
    draw_target target;
    double noise; /* default standard deviation of the noise */
} problem;

static const problem problems[] = {
    {"sparse-parity", sparse_parity, 20, PARITY_FEATURES, UINT32_MAX, NULL, 0},
    {"orthant", orthant, 6, 1, ORTHANT_FEATURES_MAX, NULL, 0},
    {"trunk", trunk, 10, 1, UINT32_MAX, NULL, 0},
    {"consistency", consistency, 2, 2, UINT32_MAX, NULL, 0},
    {"friedman1", NULL, 10, 5, UINT32_MAX, spf_friedman1, 1},
    {"friedman2", NULL, 4, 4, 4, spf_friedman2, 125},
    {"friedman3", NULL, 4, 4, 4, spf_friedman3, 0.1},
};

static const problem *find_problem(const char *name) {
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        if (strcmp(problems[i].name, name) == 0) return &problems[i];
    return NULL;
}

static sporf_status check(const char *name, const problem *chosen, size_t rows, size_t features) {
    char shown[SPF_NAME_TEXT_MAX];
    if (!chosen)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "there is no problem '%s'" SPF_HINT
                         "there are sparse-parity, orthant, trunk, consistency, friedman1, "
                         "friedman2 and friedman3",
                         spf_name_text(name, shown));
    if (rows < 1 || rows > SPF_ROWS_MAX)
        return spf_raise(SPORF_ERROR_ARGUMENT, "rows must be from 1 to %zu, got %zu", SPF_ROWS_MAX,
                         rows);
    if (features < chosen->least || features > chosen->most)
        return spf_raise(SPORF_ERROR_ARGUMENT, "%s takes from %zu to %zu features, got %zu", name,
                         chosen->least, chosen->most, features);
    return SPORF_OK;
}

/* Limits the noise so that every target is a valid value. */
static sporf_status check_noise(const problem *chosen, double noise) {
    if (chosen->draw)
        return spf_raise(
            SPORF_ERROR_ARGUMENT,
            "%s is a classification problem; only friedman1, friedman2 and friedman3 have noise",
            chosen->name);
    if (!(noise >= 0 && noise <= NOISE_MAX))
        return spf_raise(SPORF_ERROR_ARGUMENT, "noise must be from 0 to %g, got %g", NOISE_MAX,
                         noise);
    return SPORF_OK;
}

static void store_row(sporf_dataset *data, size_t i, const double *row) {
    for (size_t j = 0; j < data->features; j++) spf_dataset_column(data, j)[i] = (float)row[j];
}

static sporf_status fill_classes(const problem *chosen, uint64_t seed, sporf_dataset *data,
                                 double *row) {
    int64_t *labels = spf_alloc(data->rows, sizeof *labels);
    if (!labels) return spf_raise_memory();
    for (size_t i = 0; i < data->rows; i++) {
        sporf_random random = spf_random_start(seed, i, SPF_USE_SIMULATE);
        labels[i] = chosen->draw(&random, data->features, row);
        store_row(data, i, row);
    }
    sporf_status status = sporf_dataset_set_labels_int(data, labels, data->rows);
    free(labels);
    return status;
}

static sporf_status fill_targets(const problem *chosen, uint64_t seed, double noise,
                                 sporf_dataset *data, double *row) {
    data->target_storage = spf_alloc(data->rows, sizeof *data->target_storage);
    if (!data->target_storage) return spf_raise_memory();
    data->targets = 1;
    for (size_t i = 0; i < data->rows; i++) {
        sporf_random random = spf_random_start(seed, i, SPF_USE_SIMULATE);
        double target = chosen->target(&random, data->features, row);
        data->target_storage[i] = (float)(target + noise * spf_random_normal(&random));
        store_row(data, i, row);
    }
    return spf_strings_add(&data->schema.target_names, "y", 1);
}

static sporf_status fill(const problem *chosen, uint64_t seed, double noise, sporf_dataset *data) {
    double *row = spf_alloc(data->features, sizeof *row);
    if (!row) return spf_raise_memory();
    sporf_status status = chosen->draw ? fill_classes(chosen, seed, data, row)
                                       : fill_targets(chosen, seed, noise, data, row);
    free(row);
    return status;
}

sporf_status sporf_simulate(const char *name, size_t rows, size_t features, uint64_t seed,
                            const double *noise, sporf_dataset **out) {
    if (!name || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "simulation needs a problem and a place for the data");
    const problem *chosen = find_problem(name);
    if (chosen && features == 0) features = chosen->features;
    SPF_TRY(check(name, chosen, rows, features));
    if (noise) SPF_TRY(check_noise(chosen, *noise));
    sporf_dataset *data = NULL;
    SPF_TRY(spf_dataset_create(rows, features, &data));
    sporf_status status = fill(chosen, seed, noise ? *noise : chosen->noise, data);
    if (status != SPORF_OK) {
        sporf_dataset_free(data);
        return status;
    }
    *out = data;
    return SPORF_OK;
}
