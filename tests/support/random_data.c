/* Random labelled tables for tests of training. */
#include "support/random_data.h"

#include "base/rng.h"
#include "data/dataset.h"

#include "support/check.h"

static double draw_value(sporf_random *random, data_kind kind, size_t feature) {
    double normal = spf_random_normal(random);
    if (kind == DATA_TIED) return floor(normal * 1.5);
    if (kind == DATA_CONSTANT && feature % 2 == 0) return (double)feature - 1;
    if (kind == DATA_BYTES) return fmin(fmax(floor(128 + 40 * normal), 0), 255);
    return normal * (double)(1 + feature % 3);
}

static int64_t draw_label(sporf_random *random, data_kind kind, const double *row, size_t features,
                          size_t classes) {
    if (kind == DATA_NOISE) return spf_random_below(random, (uint32_t)classes);
    double sum = 0.5 * spf_random_normal(random);
    for (size_t j = 0; j < features && j < 4; j++) sum += j % 2 ? -row[j] : row[j];
    if (kind == DATA_BYTES) sum /= 40;
    double share = 1 / (1 + exp(-sum));
    int64_t label = (int64_t)(share * (double)classes);
    return label < (int64_t)classes ? label : (int64_t)classes - 1;
}

/* Numbers become levels of so many. */
static void make_category(sporf_dataset *data, size_t feature, uint32_t count) {
    float *column = spf_dataset_column(data, feature);
    spf_strings names = {0};
    for (uint32_t k = 0; k < count; k++) {
        char name[16];
        int length = snprintf(name, sizeof name, "level %u", k);
        assert_ok(spf_strings_add(&names, name, (size_t)length));
    }
    for (size_t i = 0; i < data->rows; i++) {
        float place = floorf((column[i] / (float)(1 + feature % 3) + 2) * (float)count / 4);
        column[i] = fminf(fmaxf(place, 0), (float)count - 1);
    }
    assert_ok(
        spf_schema_set_levels(&data->schema, data->features, feature, SPORF_KIND_CATEGORY, &names));
}

static void mix(sporf_dataset *data, sporf_random *random) {
    for (size_t j = 0; j < data->features; j++) {
        float *column = spf_dataset_column(data, j);
        if (j % 2 == 1) make_category(data, j, j == 1 ? 40 : 3);
        for (size_t i = 0; i < data->rows; i++)
            if (spf_random_below(random, 6) == 0) column[i] = NAN;
    }
    data->has_missing = 1;
}

sporf_dataset *random_data(data_kind kind, size_t rows, size_t features, size_t classes,
                           uint64_t seed) {
    double *values = need(rows * features, sizeof *values);
    int64_t *labels = need(rows, sizeof *labels);
    sporf_random random = spf_random_start(seed, kind, SPF_USE_SIMULATE);
    for (size_t i = 0; i < rows; i++) {
        double *row = values + i * features;
        for (size_t j = 0; j < features; j++) row[j] = draw_value(&random, kind, j);
        int64_t drawn = draw_label(&random, kind, row, features, classes);
        labels[i] = i < classes ? (int64_t)i : drawn;
    }
    sporf_matrix matrix = {values, SPORF_FLOAT64, rows, features, features, 1};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, rows));
    if (kind == DATA_MIXED) mix(data, &random);
    free(values);
    free(labels);
    return data;
}

void set_targets(sporf_dataset *data, const float *values, size_t targets) {
    sporf_matrix matrix = {values, SPORF_FLOAT32, data->rows, targets, 1, data->rows};
    assert_ok(sporf_dataset_set_targets(data, &matrix, NULL));
}

sporf_dataset *with_targets(data_kind kind, size_t rows, size_t features, size_t targets,
                            uint64_t seed) {
    sporf_dataset *data = random_data(kind, rows, features, 2, seed);
    sporf_random random = spf_random_start(seed, 3, SPF_USE_SIMULATE);
    float *values = need(targets * rows, sizeof *values);
    for (size_t t = 0; t < targets; t++)
        for (size_t i = 0; i < rows; i++) {
            float x = data->columns[t % features][i], y = data->columns[features - 1][i];
            float noise = (float)spf_random_normal(&random);
            values[t * rows + i] =
                (float)(t + 1) * ((isnan(x) ? 3 : x) - (isnan(y) ? 0 : y) + 0.1f * noise);
        }
    set_targets(data, values, targets);
    free(values);
    return data;
}

void weigh_rows(sporf_dataset *data, double step) {
    size_t rows = sporf_dataset_rows(data);
    double *weights = need(rows, sizeof *weights);
    for (size_t i = 0; i < rows; i++) weights[i] = (double)(i * 7 % 5) * step;
    assert_ok(sporf_dataset_set_weights(data, weights, rows));
    free(weights);
}

sporf_dataset *simulated(const char *problem, size_t rows, size_t features, uint64_t seed) {
    sporf_dataset *data = NULL;
    assert_ok(sporf_simulate(problem, rows, features, seed, NULL, &data));
    return data;
}

static void set_options(sporf_params *params, const char *name, va_list rest) {
    for (; name; name = va_arg(rest, const char *))
        assert_ok(sporf_params_set(params, name, va_arg(rest, const char *)));
}

void plain_params(sporf_params *params) {
    sporf_params_init(params);
    params->projections = (sporf_amount){1, 1};
    params->density = (sporf_amount){3, -1};
    params->min_split = 2;
    params->min_leaf = 1;
    params->scale = SPORF_SCALE_NONE;
}

sporf_params params_with(const char *first, ...) {
    sporf_params params;
    va_list rest;
    plain_params(&params);
    va_start(rest, first);
    set_options(&params, first, rest);
    va_end(rest);
    return params;
}

sporf_forest *train_with(const sporf_dataset *data, ...) {
    sporf_params params;
    sporf_forest *forest = NULL;
    va_list rest;
    plain_params(&params);
    va_start(rest, data);
    set_options(&params, va_arg(rest, const char *), rest);
    va_end(rest);
    assert_ok(sporf_forest_train(data, &params, NULL, &forest));
    return forest;
}
