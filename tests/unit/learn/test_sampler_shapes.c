/* The samplers with more to them than random numbers: rotations, patches of images and series,
 * canonical correlation directions. */
#include "support/sampling.h"

#include "support/check.h"
#include "support/random_data.h"

/* ---- rotation -------------------------------------------------------------------------------- */

/* The directions of a list as rows of a dense matrix. */
static double *dense(const sporf_projections *list, size_t features) {
    double *rows = need(list->count * features, sizeof *rows);
    for (size_t i = 0; i < list->count; i++)
        for (uint32_t t = list->start[i]; t < list->start[i + 1]; t++)
            rows[i * features + list->feature[t]] = list->weight[t];
    return rows;
}

static double cosine(const double *a, const double *b, size_t count) {
    double ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < count; i++) {
        ab += a[i] * b[i];
        aa += a[i] * a[i];
        bb += b[i] * b[i];
    }
    return ab / sqrt(aa * bb);
}

static void a_rotated_basis_is_orthogonal(void **state) {
    (void)state;
    for (size_t features = 1; features <= 30; features++) {
        sampling *s = sampling_start(params_with("method", "rr-rf", (char *)NULL), NULL, features);
        double *basis = dense(&s->basis, features);
        assert_int_equal(s->basis.count, features);
        for (size_t i = 0; i < features; i++)
            for (size_t j = 0; j < i; j++)
                assert_near(cosine(basis + i * features, basis + j * features, features), 0, 1e-6);
        free(basis);
        sampling_end(s);
    }
}

/* With factors of scale the directions are orthogonal in scaled units: x . (w s) = (s x) . w. */
static void a_basis_is_orthogonal_in_scaled_units(void **state) {
    (void)state;
    enum { FEATURES = 8 };
    const float scale[FEATURES] = {1, 2, 0.25f, 1e6f, 1e-6f, 3, 7, 0.1f};
    sampling *s = sampling_start(params_with("method", "rr-rf", (char *)NULL), NULL, FEATURES);
    sporf_projections scaled = {.features = FEATURES, .scale = scale};
    sporf_random random = spf_random_start(1, 1, SPF_USE_PREPARE);
    void *other = NULL;
    assert_ok(s->sampler.prepare(s->sampler.payload, &s->view, &random, &scaled, &other));
    double *plain = dense(&s->basis, FEATURES), *raw = dense(&scaled, FEATURES);
    for (size_t i = 0; i < FEATURES; i++) {
        for (size_t j = 0; j < FEATURES; j++) raw[i * FEATURES + j] /= scale[j];
        assert_near(fabs(cosine(plain + i * FEATURES, raw + i * FEATURES, FEATURES)), 1, 1e-12);
    }
    free(plain);
    free(raw);
    s->sampler.finish(s->sampler.payload, other);
    spf_projections_free(&scaled);
    sampling_end(s);
}

static void above_a_thousand_features_a_thousand_rotate(void **state) {
    (void)state;
    enum { FEATURES = 1003 };
    sampling *s = sampling_start(params_with("method", "rr-rf", "projections", "2", (char *)NULL),
                                 NULL, FEATURES);
    assert_int_equal(s->basis.count, FEATURES);
    size_t alone = 0;
    static size_t uses[FEATURES];
    for (size_t i = 0; i < FEATURES; i++) alone += spf_projection_terms(&s->basis, i) == 1;
    for (size_t t = 0; t < s->basis.terms; t++) uses[s->basis.feature[t]]++;
    assert_int_equal(alone, 3);
    for (size_t f = 0; f < FEATURES; f++) assert_true(uses[f] == 1 || uses[f] > 990);
    /* which ones stay is drawn: by chance the last three would in one of 1.7e8 streams */
    assert_false(uses[FEATURES - 1] == 1 && uses[FEATURES - 2] == 1 && uses[FEATURES - 3] == 1);
    sampling_end(s);
}

/* ---- patch ----------------------------------------------------------------------------------- */

typedef struct {
    uint32_t left, top, width, height;
} rectangle;

/* The rectangle that a projection fills without gaps. */
static rectangle rectangle_of(const sampling *s, size_t index, uint32_t line) {
    const uint32_t *feature = sampled_features(s, index);
    size_t terms = spf_projection_terms(&s->drawn, index);
    rectangle r = {feature[0] % line, feature[0] / line, 1, 1};
    while (r.width < terms && feature[r.width] == feature[0] + r.width &&
           feature[r.width] / line == r.top)
        r.width++;
    r.height = (uint32_t)(terms / r.width);
    for (uint32_t y = 0, i = 0; y < r.height; y++)
        for (uint32_t x = 0; x < r.width; x++, i++)
            assert_int_equal(feature[i], (r.top + y) * line + r.left + x);
    assert_int_equal((size_t)r.width * r.height, terms);
    return r;
}

/* Sizes are equally likely, and so are the places of each size. */
static void patches_are_whole_rectangles_at_every_place(void **state) {
    (void)state;
    enum { WIDTH = 5, HEIGHT = 4, LEAST = 2, MOST = 3, NODES = 2000, D = 20 };
    static size_t sizes[2][2], places[2][2][HEIGHT][WIDTH];
    sampling *s = sampling_start(params_with("method", "patch", "image-width", "5", "patch-min",
                                             "2", "patch-max", "3", (char *)NULL),
                                 NULL, WIDTH * HEIGHT);
    for (uint64_t node = 0; node < NODES; node++) {
        sampling_draw(s, node);
        assert_int_equal(s->drawn.count, D);
        for (size_t i = 0; i < D; i++) {
            rectangle r = rectangle_of(s, i, WIDTH);
            assert_in_range(r.width, LEAST, MOST);
            assert_in_range(r.height, LEAST, MOST);
            sizes[r.height - LEAST][r.width - LEAST]++;
            places[r.height - LEAST][r.width - LEAST][r.top][r.left]++;
        }
        for (size_t t = 0; t < s->drawn.terms; t++) assert_true(s->drawn.weight[t] == 1);
    }
    assert_equally_likely(&sizes[0][0], 4, NODES * D / 4);
    for (uint32_t h = LEAST; h <= MOST; h++)
        for (uint32_t w = LEAST; w <= MOST; w++) {
            size_t counts[WIDTH * HEIGHT], count = 0;
            for (uint32_t top = 0; top + h <= HEIGHT; top++)
                for (uint32_t left = 0; left + w <= WIDTH; left++)
                    counts[count++] = places[h - LEAST][w - LEAST][top][left];
            assert_equally_likely(counts, count,
                                  (double)sizes[h - LEAST][w - LEAST] / (double)count);
        }
    sampling_end(s);
}

static void windows_of_a_series_are_contiguous_at_every_place(void **state) {
    (void)state;
    enum { LENGTH = 12, LEAST = 3, MOST = 5 };
    static size_t places[MOST + 1][LENGTH];
    sampling *s = sampling_start(
        params_with("method", "patch", "patch-min", "3", "patch-max", "5", (char *)NULL), NULL,
        LENGTH);
    for (uint64_t node = 0; node < 500; node++) {
        sampling_draw(s, node);
        for (size_t i = 0; i < s->drawn.count; i++) {
            rectangle r = rectangle_of(s, i, LENGTH);
            assert_int_equal(r.height, 1);
            assert_in_range(r.width, LEAST, MOST);
            places[r.width][r.left]++;
        }
    }
    for (uint32_t width = LEAST; width <= MOST; width++)
        for (uint32_t left = 0; left < LENGTH; left++)
            assert_int_equal(places[width][left] > 0, left + width <= LENGTH);
    sampling_end(s);
}

static void patches_larger_than_the_image_are_cut_to_it(void **state) {
    (void)state;
    sampling *s = sampling_start(params_with("method", "patch", "image-width", "2", "patch-min",
                                             "4", "patch-max", "100", (char *)NULL),
                                 NULL, 2 * 6);
    for (uint64_t node = 0; node < 100; node++) {
        sampling_draw(s, node);
        for (size_t i = 0; i < s->drawn.count; i++) {
            rectangle r = rectangle_of(s, i, 2);
            assert_int_equal(r.width, 2);
            assert_in_range(r.height, 4, 6);
        }
    }
    sampling_end(s);
}

static void patches_can_carry_random_weights(void **state) {
    (void)state;
    size_t negative = 0, terms = 0;
    sampling *s = sampling_start(
        params_with("method", "patch", "weights", "sign", "patch-min", "4", (char *)NULL), NULL,
        20);
    for (uint64_t node = 0; node < 100; node++) {
        sampling_draw(s, node);
        for (size_t t = 0; t < s->drawn.terms; t++) negative += s->drawn.weight[t] < 0;
        terms += s->drawn.terms - s->drawn.count; /* a first weight is always positive */
    }
    assert_near((double)negative / (double)terms, 0.5, 0.02);
    sampling_end(s);
}

/* ---- canonical correlation ------------------------------------------------------------------- */

/* Two classes that differ along (1, -1) and vary along (1, 1), but for units; further columns: one
 * constant, the rest noise. */
static sporf_dataset *two_gaussians(size_t rows, size_t features) {
    float *values = need(rows * features, sizeof *values);
    int64_t *labels = need(rows, sizeof *labels);
    sporf_random random = spf_random_start(3, 3, SPF_USE_SIMULATE);
    for (size_t i = 0; i < rows; i++) {
        float *row = values + i * features;
        double along = 20 * spf_random_normal(&random);
        labels[i] = spf_random_word(&random) & 1;
        for (size_t j = 0; j < features; j++) row[j] = (float)spf_random_normal(&random);
        row[0] += (float)(along + (labels[i] ? 3 : -3));
        row[1] += (float)(along - (labels[i] ? 3 : -3));
        row[1] *= 1000; /* in another unit */
        row[2] = 7;
    }
    sporf_matrix matrix = {values, SPORF_FLOAT32, rows, features, features, 1};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, rows));
    free(values);
    free(labels);
    return data;
}

/* Pairs of rows of different classes that a projection puts in the same order. */
static double agreement(const sampling *s, size_t index, const sporf_dataset *data) {
    double ordered = 0, pairs = 0, *value = need(data->rows, sizeof *value);
    for (size_t i = 0; i < data->rows; i++)
        for (size_t t = 0; t < spf_projection_terms(&s->drawn, index); t++)
            value[i] +=
                sampled_weights(s, index)[t] * data->columns[sampled_features(s, index)[t]][i];
    for (size_t i = 0; i < data->rows; i++)
        for (size_t j = 0; j < data->rows; j++)
            if (data->labels[i] == 0 && data->labels[j] == 1) {
                ordered += value[i] < value[j];
                pairs++;
            }
    free(value);
    return fmax(ordered / pairs, 1 - ordered / pairs);
}

static void a_canonical_direction_separates_two_gaussians(void **state) {
    (void)state;
    sporf_dataset *data = two_gaussians(300, 5);
    sampling *s = sampling_start(params_with("method", "ccf", (char *)NULL), data, 0);
    for (uint64_t node = 0; node < 20; node++) {
        sampling_draw(s, node);
        assert_int_equal(s->drawn.count, 1);
        assert_true(agreement(s, 0, data) > 0.999);
        for (size_t t = 0; t < s->drawn.terms; t++) assert_int_not_equal(s->drawn.feature[t], 2);
    }
    sampling_end(s);
    sporf_dataset_free(data);
}

static void features_of_a_canonical_node_are_drawn_evenly_among_those_that_vary(void **state) {
    (void)state;
    enum { FEATURES = 9, NODES = 2000 };
    sporf_dataset *data = two_gaussians(30, FEATURES);
    sampling *s =
        sampling_start(params_with("method", "ccf", "projections", "2", (char *)NULL), data, 0);
    size_t uses[FEATURES] = {0};
    for (uint64_t node = 0; node < NODES; node++) {
        sampling_draw(s, node);
        assert_int_equal(s->drawn.terms, 2);
        for (size_t t = 0; t < 2; t++) uses[s->drawn.feature[t]]++;
    }
    assert_int_equal(uses[2], 0);
    uses[2] = uses[FEATURES - 1];
    assert_equally_likely(uses, FEATURES - 1, 2.0 * NODES / (FEATURES - 1));
    sampling_end(s);
    sporf_dataset_free(data);
}

/* The bootstrap of the rows makes two nodes with the same features differ. */
static void canonical_directions_come_from_a_bootstrap(void **state) {
    (void)state;
    sporf_dataset *data = two_gaussians(50, 4);
    sampling *s = sampling_start(params_with("method", "ccf", (char *)NULL), data, 0);
    float first[3];
    sampling_draw(s, 1);
    assert_int_equal(s->drawn.terms, 3);
    memcpy(first, s->drawn.weight, sizeof first);
    sampling_draw(s, 2);
    assert_memory_not_equal(first, s->drawn.weight, sizeof first);
    sampling_end(s);
    sporf_dataset_free(data);
}

static void there_are_at_most_as_many_directions_as_features_or_classes_but_one(void **state) {
    (void)state;
    static const size_t classes[] = {2, 3, 6, 40};
    static const char *const projections[] = {"1", "3", "8"};
    for (size_t k = 0; k < 4; k++)
        for (size_t d = 0; d < 3; d++) {
            sporf_dataset *data = random_data(DATA_SMOOTH, 120, 8, classes[k], 1);
            sampling *s = sampling_start(
                params_with("method", "ccf", "projections", projections[d], (char *)NULL), data, 0);
            size_t most = (size_t)atoi(projections[d]);
            if (classes[k] - 1 < most) most = classes[k] - 1;
            for (uint64_t node = 0; node < 10; node++) {
                sampling_draw(s, node);
                assert_int_equal(s->drawn.count, most);
            }
            sampling_end(s);
            sporf_dataset_free(data);
        }
}

/* Two rows: every second bootstrap holds one class only, and must not leave the node whole. */
static void a_bootstrap_of_one_class_is_replaced_by_the_rows_themselves(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 2, 3, 2, 1);
    sampling *s = sampling_start(params_with("method", "ccf", (char *)NULL), data, 0);
    for (uint64_t node = 0; node < 50; node++) {
        sampling_draw(s, node);
        assert_int_equal(s->drawn.count, 1);
    }
    sampling_end(s);
    sporf_dataset_free(data);
}

static void a_node_without_features_that_vary_has_no_directions(void **state) {
    (void)state;
    const float values[] = {1, 1, 1, 1, 1, 1};
    const int64_t labels[] = {0, 1, 0};
    sporf_matrix matrix = {values, SPORF_FLOAT32, 3, 2, 2, 1};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, 3));
    sampling *s = sampling_start(params_with("method", "ccf", (char *)NULL), data, 0);
    sampling_draw(s, 1);
    assert_int_equal(s->drawn.count, 0);
    sampling_end(s);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rotated_basis_is_orthogonal),
        cmocka_unit_test(a_basis_is_orthogonal_in_scaled_units),
        cmocka_unit_test(above_a_thousand_features_a_thousand_rotate),
        cmocka_unit_test(patches_are_whole_rectangles_at_every_place),
        cmocka_unit_test(windows_of_a_series_are_contiguous_at_every_place),
        cmocka_unit_test(patches_larger_than_the_image_are_cut_to_it),
        cmocka_unit_test(patches_can_carry_random_weights),
        cmocka_unit_test(a_canonical_direction_separates_two_gaussians),
        cmocka_unit_test(features_of_a_canonical_node_are_drawn_evenly_among_those_that_vary),
        cmocka_unit_test(canonical_directions_come_from_a_bootstrap),
        cmocka_unit_test(there_are_at_most_as_many_directions_as_features_or_classes_but_one),
        cmocka_unit_test(a_bootstrap_of_one_class_is_replaced_by_the_rows_themselves),
        cmocka_unit_test(a_node_without_features_that_vary_has_no_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
