/* Linear scaling: the factors by hand, and what it is for: units do not matter.
 * Labels: threads */
#include "learn/sampling/scale.h"

#include "data/dataset.h"
#include "learn/sampling/near_deviation.h"
#include "model/forest.h"

#include "support/check.h"
#include "support/plain_tree.h"
#include "support/random_data.h"
#include "support/repeated.h"
#include "support/wanted.h"

static sporf_status factors_of(const sporf_dataset *data, sporf_scale kind, unsigned threads,
                               float *factors) {
    spf_row_weights weights;
    assert_ok(
        spf_row_weights_create(data, spf_row_classes_of(data), NULL, SPORF_WEIGHT_COUNT, &weights));
    sporf_status status = spf_scale_factors(data, &weights, kind, threads, factors);
    spf_row_weights_free(&weights);
    return status;
}

/* A dataset of columns, given one after the other. */
static sporf_dataset *of_columns(const float *values, size_t rows, size_t features) {
    sporf_matrix matrix = {values, SPORF_FLOAT32, rows, features, 1, rows};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    return data;
}

static void factors_are_one_over_the_spread(void **state) {
    (void)state;
    const float values[] = {1,  2,  3,  4,  5,  /* sd sqrt 2, range 4, quartiles 2 and 4 */
                            -7, -7, 1,  -7, -7, /* sd 3.2, range 8, both quartiles -7 */
                            10, 20, 20, 40, 10, /* sd sqrt 120, range 30, quartiles 10 and 20 */
                            6,  6,  6,  6,  6};
    static const struct {
        sporf_scale kind;
        double spread[3];
    } cases[] = {{SPORF_SCALE_SD, {1.4142135623730951, 3.2, 10.954451150103322}},
                 {SPORF_SCALE_RANGE, {4, 8, 30}},
                 {SPORF_SCALE_IQR, {2, 3.2, 10}},
                 {SPORF_SCALE_NONE, {1, 1, 1}}};
    sporf_dataset *data = of_columns(values, 5, 4);
    for (size_t c = 0; c < 4; c++)
        for (unsigned threads = 1; threads <= 8; threads++) {
            float factors[4];
            assert_ok(factors_of(data, cases[c].kind, threads, factors));
            for (size_t j = 0; j < 3; j++) assert_near(factors[j] * cases[c].spread[j], 1, 1e-6);
            assert_true(factors[3] == 0);
        }
    sporf_dataset_free(data);
}

static void a_column_without_values_is_constant(void **state) {
    (void)state;
    const float values[] = {NAN, NAN, NAN, NAN, /* nothing */
                            NAN, 3,   NAN, NAN, /* one value, which tells its row from others */
                            1,   2,   3,   4};
    sporf_dataset *data = of_columns(values, 4, 3);
    for (sporf_scale kind = SPORF_SCALE_NONE; kind <= SPORF_SCALE_IQR; kind++) {
        float factors[3];
        assert_ok(factors_of(data, kind, 1, factors));
        assert_true(factors[0] == 0 && factors[1] == 1 && factors[2] > 0);
    }
    sporf_dataset_free(data);
}

static void columns_without_values_are_in_no_projection(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 100, 4, 2, 1);
    for (size_t i = 0; i < 100; i++)
        for (size_t j = 0; j < 4; j += 2) spf_dataset_column(data, j)[i] = NAN;
    data->has_missing = 1;
    sporf_forest *forest = train_with(data, "density", "0.6", "trees", "5", (char *)NULL);
    for (size_t t = 0; t < 5; t++) {
        const spf_tree *tree = plain_tree(forest, t);
        assert_true(tree->nodes_count > 1);
        for (uint32_t i = 0; i < tree->projection_start[tree->projections_count]; i++)
            assert_true(tree->term_feature[i] % 2 == 1);
    }
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void a_table_without_values_makes_leaves(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 50, 3, 2, 1);
    for (size_t i = 0; i < 50; i++)
        for (size_t j = 0; j < 3; j++) spf_dataset_column(data, j)[i] = NAN;
    data->has_missing = 1;
    sporf_forest *forest = train_with(data, "trees", "3", (char *)NULL);
    for (size_t t = 0; t < 3; t++) assert_int_equal(plain_tree(forest, t)->nodes_count, 1);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void quartiles_lie_between_the_sorted_values(void **state) {
    (void)state;
    const float values[] = {4, 1, 3, 2}; /* quartiles 1.75 and 3.25 */
    sporf_dataset *data = of_columns(values, 4, 1);
    float factor;
    assert_ok(factors_of(data, SPORF_SCALE_IQR, 1, &factor));
    assert_near(factor, 1 / 1.5, 1e-6);
    sporf_dataset_free(data);
}

static int by_value(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void quartiles_of_long_columns_are_those_of_the_sorted_column(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 1001, 3, 2, 9);
    float factors[3], sorted[1001];
    assert_ok(factors_of(data, SPORF_SCALE_IQR, 2, factors));
    for (size_t j = 0; j < 3; j++) {
        memcpy(sorted, sporf_dataset_feature(data, j), sizeof sorted);
        qsort(sorted, 1001, sizeof *sorted, by_value);
        assert_near(factors[j], 1 / ((double)sorted[750] - sorted[250]), 1e-6 * factors[j]);
    }
    sporf_dataset_free(data);
}

static void the_columns_of_one_row_are_constant(void **state) {
    (void)state;
    const float values[] = {5, -3};
    sporf_dataset *data = of_columns(values, 1, 2);
    for (sporf_scale kind = SPORF_SCALE_SD; kind <= SPORF_SCALE_IQR; kind++) {
        float factors[2];
        assert_ok(factors_of(data, kind, 1, factors));
        assert_true(factors[0] == 0 && factors[1] == 0);
    }
    sporf_dataset_free(data);
}

static void factors_of_extreme_columns_stay_usable(void **state) {
    (void)state;
    const float values[] = {-1e30f, 1e30f, 0, 1e-45f, 1e30f, 1e30f};
    sporf_dataset *data = of_columns(values, 2, 3);
    for (sporf_scale kind = SPORF_SCALE_SD; kind <= SPORF_SCALE_IQR; kind++) {
        float factors[3];
        assert_ok(factors_of(data, kind, 1, factors));
        assert_true(factors[0] > 0 && factors[0] < 1e-15f);
        assert_true(factors[1] > 1e15f && isfinite(factors[1]));
        assert_true(factors[2] == 0);
    }
    sporf_dataset_free(data);
}

/* Rows that count several times, or not at all. */
static void factors_with_weights_are_those_of_repeated_rows(void **state) {
    (void)state;
    for (data_kind kind = DATA_SMOOTH; kind <= DATA_BYTES; kind++) {
        sporf_dataset *data = random_data(kind, 101, 6, 3, 11);
        double *times = whole_weights(101, 3, 12);
        sporf_dataset *repeated = repeated_rows(data, times);
        assert_ok(sporf_dataset_set_weights(data, times, 101));
        for (sporf_scale scale = SPORF_SCALE_NONE; scale <= SPORF_SCALE_IQR; scale++) {
            float weighted[6], wanted[6];
            assert_ok(factors_of(data, scale, 2, weighted));
            assert_ok(factors_of(repeated, scale, 2, wanted));
            for (size_t j = 0; j < 6; j++)
                assert_near(weighted[j], wanted[j],
                            scale == SPORF_SCALE_SD ? 1e-6 * fabs(wanted[j]) : 0);
        }
        sporf_dataset_free(data);
        sporf_dataset_free(repeated);
        free(times);
    }
}

static void a_column_that_varies_only_in_rows_without_weight_is_constant(void **state) {
    (void)state;
    const float values[] = {9, 5, 5, 5, 7};
    const double weights[] = {0, 1, 2, 1, 0};
    const int64_t labels[] = {0, 0, 1, 1, 0};
    sporf_dataset *data = of_columns(values, 5, 1);
    assert_ok(sporf_dataset_set_labels_int(data, labels, 5));
    assert_ok(sporf_dataset_set_weights(data, weights, 5));
    float factor;
    assert_ok(factors_of(data, SPORF_SCALE_RANGE, 1, &factor));
    assert_true(factor == 0);
    sporf_dataset_free(data);
}

/* What a column looks like: spread about zero, far from it, in few values, and nearly constant. */
static float value_like(unsigned shape, float value, size_t row) {
    switch (shape) {
    case 0:
        return value;
    case 1:
        return value * 1e30f;
    case 2:
        return value + 1e4f;
    case 3:
        return value + 1e7f;
    case 4:
        return roundf(value);
    case 5:
        return row == 3 ? value * 1e-30f : 0;
    case 6:
        return row % 7 == 2 ? NAN : value * 1e-20f;
    default:
        return expf(20 * value);
    }
}

/* Rounded sums save time only: each factor is that of exact ones. */
static void factors_of_rounded_sums_are_those_of_exact_ones(void **state) {
    (void)state;
    enum { SHAPES = 8 };
    static const size_t sizes[] = {12, 13, 14, 15, 64, 1001};
    for (unsigned weighed = 0; weighed < 2; weighed++)
        for (uint64_t seed = 0; seed < 120; seed++) {
            size_t rows = sizes[seed % 6], close = 0;
            sporf_dataset *data = random_data(DATA_SMOOTH, rows, SHAPES, 2, seed);
            for (unsigned j = 0; j < SHAPES; j++)
                for (size_t i = 0; i < rows; i++) {
                    float *value = &spf_dataset_column(data, j)[i];
                    *value = value_like(j, *value, i);
                }
            data->has_missing = 1;
            if (weighed) weigh_rows(data, .25);
            spf_row_weights weights;
            float factors[SHAPES];
            assert_ok(spf_row_weights_create(data, spf_row_classes_of(data), NULL,
                                             SPORF_WEIGHT_COUNT, &weights));
            assert_ok(spf_scale_factors(data, &weights, SPORF_SCALE_SD, 1, factors));
            for (size_t j = 0; j < SHAPES; j++) {
                const float *column = sporf_dataset_feature(data, j);
                double exact = spf_spread_of(column, &weights, rows);
                spf_bounds near = spf_near_deviation(column, &weights, rows);
                assert_true(near.low <= exact && exact <= near.high);
                assert_true(factors[j] == (exact > 0 ? spf_scale_factor(exact, 0) : 0));
                close += near.low > 0;
            }
            assert_true(rows < 64 || close >= SHAPES - 1);
            spf_row_weights_free(&weights);
            sporf_dataset_free(data);
        }
}

/* Nearly all weight on one value, and another in its last digit: the mean of the exact way is
 * rounded, too. */
static void bounds_hold_for_heavy_rows(void **state) {
    (void)state;
    static const uint32_t totals[] = {2147480135, 2147480497, 2147483646};
    const float values[] = {1, 0x1.000002p0f};
    sporf_dataset *data = of_columns(values, 2, 1);
    for (size_t n = 0; n < 3; n++) {
        uint32_t units[] = {totals[n] - 1, 1};
        spf_row_weights weights = {.units = units, .rows = 2, .total = totals[n], .counts = 1};
        double exact = spf_spread_of(values, &weights, 2);
        spf_bounds near = spf_near_deviation(values, &weights, 2);
        float factor;
        assert_true(near.low <= exact && exact <= near.high);
        assert_ok(spf_scale_factors(data, &weights, SPORF_SCALE_SD, 1, &factor));
        assert_true(factor == spf_scale_factor(exact, 0));
    }
    sporf_dataset_free(data);
}

/* ---- forests --------------------------------------------------------------------------------- */

static sporf_dataset *with_units(const sporf_dataset *data, const int *exponents) {
    size_t rows = sporf_dataset_rows(data), features = sporf_dataset_features(data);
    float *values = need(rows * features, sizeof *values);
    int64_t *labels = need(rows, sizeof *labels);
    for (size_t i = 0; i < rows; i++) {
        labels[i] = sporf_dataset_labels(data)[i];
        for (size_t j = 0; j < features; j++)
            values[i * features + j] = ldexpf(sporf_dataset_feature(data, j)[i], exponents[j]);
    }
    sporf_matrix matrix = {values, SPORF_FLOAT32, rows, features, features, 1};
    sporf_dataset *copy = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &copy));
    assert_ok(sporf_dataset_set_labels_int(copy, labels, rows));
    free(values);
    free(labels);
    return copy;
}

static int same_shape(const sporf_forest *a, const sporf_forest *b) {
    for (size_t t = 0; t < a->trees_count; t++) {
        const spf_tree *x = plain_tree(a, t), *y = plain_tree(b, t);
        if (x->nodes_count != y->nodes_count) return 0;
        for (uint32_t i = 0; i < x->nodes_count; i++)
            if (x->nodes[i].right != y->nodes[i].right) return 0;
        if (memcmp(x->leaf_start, y->leaf_start, (x->leaves_count + 1) * sizeof *x->leaf_start))
            return 0;
    }
    return 1;
}

static int same_predictions(const sporf_forest *a, const sporf_dataset *for_a,
                            const sporf_forest *b, const sporf_dataset *for_b) {
    size_t cells = sporf_dataset_rows(for_a) * sporf_forest_classes(a);
    double *of_a = need(cells, sizeof *of_a), *of_b = need(cells, sizeof *of_b);
    assert_ok(sporf_forest_predict(a, for_a, NULL, WANTED(.probabilities = of_a)));
    assert_ok(sporf_forest_predict(b, for_b, NULL, WANTED(.probabilities = of_b)));
    int same = memcmp(of_a, of_b, cells * sizeof *of_a) == 0;
    free(of_a);
    free(of_b);
    return same;
}

static void scaled_forests_do_not_depend_on_units(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "frc", "rr-rf", "ccf", "patch"};
    static const char *const scales[] = {"sd", "range", "iqr"};
    static const int units[6] = {0, 10, -10, 3, -17, 20};
    sporf_dataset *data = random_data(DATA_SMOOTH, 150, 6, 3, 2),
                  *other = random_data(DATA_SMOOTH, 150, 6, 3, 3),
                  *data_in_units = with_units(data, units),
                  *other_in_units = with_units(other, units);
    for (size_t m = 0; m < 5; m++)
        for (size_t s = 0; s < 3; s++) {
            sporf_forest *plain = train_with(data, "method", methods[m], "scale", scales[s],
                                             "trees", "10", (char *)NULL);
            sporf_forest *in_units = train_with(data_in_units, "method", methods[m], "scale",
                                                scales[s], "trees", "10", (char *)NULL);
            assert_true(same_shape(plain, in_units));
            assert_true(same_predictions(plain, data, in_units, data_in_units));
            assert_true(same_predictions(plain, other, in_units, other_in_units));
            sporf_forest_free(plain);
            sporf_forest_free(in_units);
        }
    sporf_dataset_free(data);
    sporf_dataset_free(other);
    sporf_dataset_free(data_in_units);
    sporf_dataset_free(other_in_units);
}

/* The law above has teeth only if units matter without scaling. */
static void without_scaling_units_matter(void **state) {
    (void)state;
    static const int units[6] = {0, 10, -10, 3, -17, 20};
    sporf_dataset *data = random_data(DATA_SMOOTH, 150, 6, 3, 2), *in = with_units(data, units);
    sporf_forest *plain = train_with(data, "trees", "10", (char *)NULL);
    sporf_forest *in_units = train_with(in, "trees", "10", (char *)NULL);
    assert_false(same_shape(plain, in_units));
    sporf_forest_free(plain);
    sporf_forest_free(in_units);
    sporf_dataset_free(data);
    sporf_dataset_free(in);
}

static void single_features_are_not_changed_by_scaling(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 150, 6, 3, 4);
    sporf_forest *plain = train_with(data, "method", "rf", "trees", "10", (char *)NULL);
    sporf_forest *scaled =
        train_with(data, "method", "rf", "scale", "sd", "trees", "10", (char *)NULL);
    assert_true(same_shape(plain, scaled));
    for (size_t t = 0; t < 10; t++)
        assert_memory_equal(plain_tree(plain, t)->nodes, plain_tree(scaled, t)->nodes,
                            plain_tree(plain, t)->nodes_count *
                                sizeof *plain_tree(plain, t)->nodes);
    assert_null(plain->scale);
    assert_non_null(scaled->scale);
    sporf_forest_free(plain);
    sporf_forest_free(scaled);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_are_one_over_the_spread),
        cmocka_unit_test(a_column_without_values_is_constant),
        cmocka_unit_test(columns_without_values_are_in_no_projection),
        cmocka_unit_test(a_table_without_values_makes_leaves),
        cmocka_unit_test(quartiles_lie_between_the_sorted_values),
        cmocka_unit_test(quartiles_of_long_columns_are_those_of_the_sorted_column),
        cmocka_unit_test(the_columns_of_one_row_are_constant),
        cmocka_unit_test(factors_of_extreme_columns_stay_usable),
        cmocka_unit_test(factors_with_weights_are_those_of_repeated_rows),
        cmocka_unit_test(a_column_that_varies_only_in_rows_without_weight_is_constant),
        cmocka_unit_test(factors_of_rounded_sums_are_those_of_exact_ones),
        cmocka_unit_test(bounds_hold_for_heavy_rows),
        cmocka_unit_test(scaled_forests_do_not_depend_on_units),
        cmocka_unit_test(without_scaling_units_matter),
        cmocka_unit_test(single_features_are_not_changed_by_scaling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
