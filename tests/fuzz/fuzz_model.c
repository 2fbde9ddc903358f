/* libFuzzer target for model files. Each input is decoded as it is, and again with its checksums
 * mended so that what lies behind them is reached; and opened unread. Whatever loads must be fit
 * for use, and whatever opens must do no harm. */
#include "io/model_file.h"
#include "io/model_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/samples.h"
#include "predict/quantiles.h"
#include "support/model_checksums.h"
#include "support/plain_tree.h"

enum { FEATURES_MAX = 1 << 16, VALUES = 5 };

static void require(int condition) {
    if (!condition) abort();
}

static const float *make_row(size_t features, int number) {
    static const float values[VALUES] = {0, 1, -2.5f, 1e30f, NAN};
    static float row[FEATURES_MAX];
    for (size_t i = 0; i < features; i++) row[i] = i % 3 ? values[number] : -values[number];
    return row;
}

/* Sets name levels that exist, and whoever asks for their names may have them. */
static void look_at_sets(const sporf_forest *forest) {
    for (size_t i = 0; i < sporf_forest_sets(forest) && i < 100; i++) {
        size_t feature = sporf_forest_set_feature(forest, i);
        size_t levels = sporf_forest_levels(forest, feature);
        require(feature < forest->features);
        require((sporf_forest_kind(forest, feature) == SPORF_KIND_CATEGORY) ==
                sporf_forest_set_is_levels(forest, i));
        for (size_t k = 0; k < levels && k < 1000; k++)
            if (sporf_forest_set_has(forest, i, k))
                require(sporf_forest_level_name(forest, feature, k) != NULL);
    }
}

/* The packed walk against the plain one. */
static void walk(const sporf_forest *forest, const float *row) {
    double *totals = calloc(forest->classes, sizeof *totals);
    double *packed = calloc(forest->classes, sizeof *packed);
    require(totals && packed);
    for (size_t t = 0; t < forest->trees_count; t++) {
        uint32_t leaf = spf_tree_walk_row(plain_tree(forest, t), row);
        require(spf_leaf_vote(plain_tree(forest, t), leaf) < forest->classes);
        spf_leaf_add_posterior(plain_tree(forest, t), leaf, totals);
    }
    for (size_t k = 0; k < forest->classes; k++) totals[k] /= (double)forest->trees_count;
    uint32_t winner = spf_predict_row(forest, row, SPORF_COMBINE_POSTERIORS, packed);
    require(winner == spf_argmax(totals, forest->classes) && winner < forest->classes);
    require(memcmp(packed, totals, forest->classes * sizeof *totals) == 0);
    free(packed);
    free(totals);
}

/* The same for a forest that predicts numbers. */
static void walk_to_values(const sporf_forest *forest, const float *row) {
    double *values = calloc(forest->targets, sizeof *values);
    require(values && spf_predict_row_values(forest, row, values));
    for (size_t t = 0; t < forest->targets; t++) {
        double sum = 0;
        for (size_t n = 0; n < forest->trees_count; n++) {
            const spf_tree *tree = plain_tree(forest, n);
            sum += tree->leaf_value[spf_tree_walk_row(tree, row) * forest->targets + t];
        }
        require(values[t] == sum / (double)forest->trees_count);
    }
    free(values);
}

/* Quantiles of a row, and those of the plain trees: the least and the largest sample. Returns
 * whether there were any, or the samples are damaged. */
static sporf_status ask_for_quantiles(const sporf_forest *forest, const float *row, double *out) {
    static const double ends[] = {0, 1};
    const float **columns = calloc(forest->features, sizeof *columns);
    double *levels = calloc(forest->targets, 2 * sizeof *levels);
    require(columns && levels);
    for (size_t i = 0; i < forest->features; i++) columns[i] = row + i;
    for (size_t i = 0; i < 2 * forest->targets; i++) levels[i] = ends[i % 2];
    sporf_status status =
        spf_predict_quantiles(forest, &(spf_values){columns, 1, 1}, 1, levels, 2, out);
    free(columns);
    free(levels);
    return status;
}

static void compare_quantiles(const sporf_forest *forest, const float *row) {
    double *out = calloc(forest->targets, 2 * sizeof *out);
    require(out && ask_for_quantiles(forest, row, out) == SPORF_OK);
    for (size_t t = 0; t < forest->targets; t++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t n = 0; n < forest->trees_count; n++) {
            const spf_tree *tree = plain_tree(forest, n);
            spf_samples own = spf_tree_samples(tree, forest->targets, spf_tree_walk_row(tree, row));
            for (size_t i = 0; i < own.count; i++) {
                double value = own.value[i * forest->targets + t];
                low = value < low ? value : low;
                high = value > high ? value : high;
            }
        }
        require(out[2 * t] == low && out[2 * t + 1] == high);
    }
    free(out);
}

/* A forest that loads is saved and loaded again, and the second save has the bytes of the first. */
static void save_twice(const sporf_forest *forest) {
    sporf_forest *copy = NULL;
    void *first = NULL, *second = NULL;
    size_t first_size = 0, second_size = 0;
    require(spf_model_encode(forest, &first, &first_size) == SPORF_OK);
    require(spf_model_decode(first, first_size, &copy) == SPORF_OK);
    require(spf_model_encode(copy, &second, &second_size) == SPORF_OK);
    require(first_size == second_size && memcmp(first, second, first_size) == 0);
    sporf_forest_free(copy);
    free(first);
    free(second);
}

/* Returns whether the bytes are a model. */
static int decode(const void *bytes, size_t size) {
    sporf_forest *forest = NULL;
    sporf_status status = spf_model_decode(bytes, size, &forest);
    require(status == SPORF_OK || (status == SPORF_ERROR_MODEL && !forest));
    if (status != SPORF_OK) return 0;
    if (forest->features <= FEATURES_MAX)
        for (int i = 0; i < VALUES; i++) {
            walk(forest, make_row(forest->features, i));
            if (forest->targets > 0) walk_to_values(forest, make_row(forest->features, i));
            if (forest->keeps_samples) compare_quantiles(forest, make_row(forest->features, i));
        }
    look_at_sets(forest);
    save_twice(forest);
    sporf_forest_free(forest);
    return 1;
}

/* Predictions of a model that nobody has checked; those of a good one exist. */
static void walk_carefully(const sporf_forest *forest, int is_good) {
    double *totals = calloc(forest->classes, sizeof *totals);
    require(totals != NULL);
    for (int i = 0; i < VALUES; i++)
        for (sporf_combine combine = SPORF_COMBINE_VOTES; combine <= SPORF_COMBINE_POSTERIORS;
             combine++) {
            const float *row = make_row(forest->features, i);
            uint32_t winner = spf_predict_row(forest, row, combine, totals);
            require(winner < forest->classes || (winner == SPORF_NO_CLASS && !is_good));
        }
    free(totals);
}

static void ask_carefully(const sporf_forest *forest, int is_good) {
    double *out = calloc(forest->targets, 2 * sizeof *out);
    require(out != NULL);
    for (int i = 0; i < VALUES; i++) {
        sporf_status status = ask_for_quantiles(forest, make_row(forest->features, i), out);
        require(status == SPORF_OK || (status == SPORF_ERROR_MODEL && !is_good));
    }
    free(out);
}

/* Opens the bytes as if they were mapped. */
static void open_unread(const void *bytes, size_t size, int is_good) {
    spf_model_buffer buffer = {.size = size};
    sporf_forest *forest = NULL;
    require(posix_memalign(&buffer.storage.base, MODEL_ALIGNMENT, size ? size : 1) == 0);
    memcpy(buffer.storage.base, bytes, size);
    buffer.bytes = buffer.storage.base;
    sporf_status status = spf_model_decode_buffer(&buffer, SPF_MODEL_CHECK_FRAME, "it", &forest);
    require(status == SPORF_OK || (status == SPORF_ERROR_MODEL && !is_good));
    if (status != SPORF_OK) {
        spf_model_buffer_free(&buffer);
        return;
    }
    look_at_sets(forest);
    if (forest->features <= FEATURES_MAX) walk_carefully(forest, is_good);
    if (forest->features <= FEATURES_MAX && forest->keeps_samples) ask_carefully(forest, is_good);
    require((spf_model_check(forest) == SPORF_OK) == is_good);
    sporf_forest_free(forest);
}

static void try_all(const void *bytes, size_t size) {
    open_unread(bytes, size, decode(bytes, size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) return 0;
    memcpy(copy, data, size);
    try_all(copy, size);
    fix_model_checksums(copy, size);
    try_all(copy, size);
    free(copy);
    return 0;
}
