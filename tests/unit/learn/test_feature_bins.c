/* Features in bins: a value is in bin b or below exactly if it is not above the threshold of b;
 * levels have bins of their own, or share the last one. */
#include "learn/boosting/feature_bins.h"

#include "base/rng.h"
#include "support/check.h"

enum { ROWS = 3000 };

/* ---- numbers --------------------------------------------------------------------------------- */

typedef float (*maker)(size_t row, sporf_random *random);

static float smooth(size_t row, sporf_random *random) {
    (void)row;
    return (float)spf_random_normal(random);
}
static float few(size_t row, sporf_random *random) {
    (void)row;
    return (float)spf_random_below(random, 7) - 3;
}
static float just_enough(size_t row, sporf_random *random) {
    (void)random;
    return (float)(row % 255) * 0.1f;
}
static float one_too_many(size_t row, sporf_random *random) {
    (void)random;
    return (float)(row % 256) * 0.1f;
}
static float lumped(size_t row, sporf_random *random) {
    return row % 3 ? 1.5f : (float)spf_random_normal(random);
}
static float constant(size_t row, sporf_random *random) {
    (void)row, (void)random;
    return 4;
}
static float zeros(size_t row, sporf_random *random) {
    (void)random;
    return row % 3 == 0 ? -0.0f : row % 3 == 1 ? 0.0f : (float)(row % 5);
}
static float far_apart(size_t row, sporf_random *random) {
    (void)row;
    return (spf_random_below(random, 2) ? 1e30f : -1e30f) * (float)spf_random_uniform(random);
}
static float two_far(size_t row, sporf_random *random) {
    (void)random;
    return row % 2 ? 1e30f : -1e30f;
}
static float neighbours(size_t row, sporf_random *random) {
    (void)random;
    return row % 2 ? 1 : nextafterf(1, 2);
}
static float tiny(size_t row, sporf_random *random) {
    (void)row;
    return (float)spf_random_below(random, 900) * 1e-44f;
}
static float holed(size_t row, sporf_random *random) {
    return row % 4 == 1 ? NAN : smooth(row, random);
}
static float missing(size_t row, sporf_random *random) {
    (void)row, (void)random;
    return NAN;
}

static const maker makers[] = {smooth,   few,   just_enough, one_too_many, lumped,
                               constant, zeros, far_apart,   two_far,      neighbours,
                               tiny,     holed, missing};
enum { MAKERS = sizeof makers / sizeof *makers };

static sporf_dataset *made_table(size_t rows) {
    float *values = need(rows * MAKERS, sizeof *values);
    sporf_random random = spf_random_start(1, 2, SPF_USE_SIMULATE);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < MAKERS; j++) values[i * MAKERS + j] = makers[j](i, &random);
    sporf_matrix matrix = {values, SPORF_FLOAT32, rows, MAKERS, MAKERS, 1};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    free(values);
    return data;
}

static unsigned bin_at(const spf_binned *binned, size_t column, size_t row) {
    return spf_bin_bytes(binned, column)[row * spf_bin_group_of(binned, column)->width];
}

static void check_column(const sporf_dataset *data, const spf_binned *binned, size_t feature) {
    const spf_bin_column *column = &binned->columns[feature];
    int holes = 0;
    assert_true(column->bins >= 1 && spf_bins_of(column) <= SPF_BINS_MOST);
    assert_true(spf_bins_of(column) <= 1u << spf_bin_group_of(binned, feature)->bits);
    for (unsigned b = 0; b + 2 < column->bins; b++)
        assert_true(column->threshold[b] < column->threshold[b + 1]);
    for (size_t i = 0; i < data->rows; i++) {
        float value = data->columns[feature][i];
        unsigned bin = bin_at(binned, feature, i);
        holes |= isnan(value);
        if (isnan(value)) {
            assert_int_equal(bin, column->bins);
            continue;
        }
        assert_true(bin < column->bins);
        for (unsigned b = 0; b + 1 < column->bins; b++)
            if ((value <= column->threshold[b]) != (bin <= b))
                fail_msg("feature %zu: %g is in bin %u, but the threshold of %u is %g", feature,
                         (double)value, bin, b, (double)column->threshold[b]);
    }
    assert_int_equal(column->missing, holes);
}

static void bins_end_at_their_thresholds(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 2, 17, 300, ROWS};
    for (size_t s = 0; s < 5; s++)
        for (unsigned threads = 1; threads <= 3; threads += 2) {
            sporf_dataset *data = made_table(sizes[s]);
            spf_row_weights weights = {.rows = sizes[s]};
            spf_binned binned;
            assert_ok(spf_feature_bins_create(data, &weights, threads, &binned));
            for (size_t j = 0; j < MAKERS; j++) check_column(data, &binned, j);
            spf_binned_free(&binned);
            sporf_dataset_free(data);
        }
}

static size_t feature_of(maker wanted) {
    size_t j = 0;
    while (makers[j] != wanted) j++;
    return j;
}

static void few_values_have_a_bin_each(void **state) {
    (void)state;
    sporf_dataset *data = made_table(ROWS);
    spf_row_weights weights = {.rows = ROWS};
    spf_binned binned;
    assert_ok(spf_feature_bins_create(data, &weights, 2, &binned));
    assert_int_equal(binned.columns[feature_of(few)].bins, 7);
    assert_int_equal(binned.columns[feature_of(just_enough)].bins, 255);
    assert_int_equal(binned.columns[feature_of(zeros)].bins, 5);
    assert_int_equal(binned.columns[feature_of(two_far)].bins, 2);
    assert_int_equal(binned.columns[feature_of(neighbours)].bins, 2);
    assert_int_equal(binned.columns[feature_of(constant)].bins, 1);
    assert_int_equal(binned.columns[feature_of(missing)].bins, 1);
    spf_binned_free(&binned);
    sporf_dataset_free(data);
}

static void many_values_share_bins_evenly(void **state) {
    (void)state;
    sporf_dataset *data = made_table(ROWS);
    spf_row_weights weights = {.rows = ROWS};
    spf_binned binned;
    assert_ok(spf_feature_bins_create(data, &weights, 2, &binned));
    size_t counts[SPF_BINS_MOST] = {0}, j = feature_of(smooth);
    assert_true(binned.columns[j].bins >= 200);
    for (size_t i = 0; i < ROWS; i++) counts[bin_at(&binned, j, i)]++;
    for (unsigned b = 0; b < binned.columns[j].bins; b++)
        assert_true(counts[b] > 0 && counts[b] <= 2 * ROWS / 255 + 2);
    spf_binned_free(&binned);
    sporf_dataset_free(data);
}

/* A value that only rows of weight 0 have makes no cut. */
static void rows_of_no_weight_do_not_shape_bins(void **state) {
    (void)state;
    sporf_dataset *data = made_table(ROWS);
    uint32_t units[ROWS];
    size_t j = feature_of(few);
    for (size_t i = 0; i < ROWS; i++) units[i] = data->columns[j][i] >= 0;
    spf_row_weights weights = {.units = units, .rows = ROWS};
    spf_binned binned;
    assert_ok(spf_feature_bins_create(data, &weights, 1, &binned));
    assert_int_equal(binned.columns[j].bins, 4);
    for (size_t k = 0; k < MAKERS; k++) check_column(data, &binned, k);
    spf_binned_free(&binned);
    sporf_dataset_free(data);
}

/* ---- levels ---------------------------------------------------------------------------------- */

/* Level k of every row at random, lower ones more often; the last is in no row. */
static sporf_dataset *levelled(size_t levels, int holes) {
    double *values = need(ROWS, sizeof *values);
    sporf_random random = spf_random_start(levels, 2, SPF_USE_SIMULATE);
    spf_strings names = {0};
    sporf_dataset *data = NULL;
    for (size_t i = 0; i < ROWS; i++) {
        double share = spf_random_uniform(&random);
        values[i] = floor(share * share * (double)(levels - 1));
        if (holes && i % 5 == 0) values[i] = NAN;
    }
    for (size_t k = 0; k < levels; k++) {
        char name[16];
        int length = snprintf(name, sizeof name, "l%zu", k);
        assert_ok(spf_strings_add(&names, name, (size_t)length));
    }
    sporf_matrix matrix = {values, SPORF_FLOAT64, ROWS, 1, 1, 1}; /* copied */
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(spf_schema_set_levels(&data->schema, 1, 0, SPORF_KIND_CATEGORY, &names));
    free(values);
    return data;
}

/* Rows of the same level share a bin, and in the first column only the rarest levels share one. */
static void levels_have_bins(void **state) {
    (void)state;
    static const size_t levels[] = {2, 3, 17, 255, 256, 300, 2000};
    for (size_t s = 0; s < sizeof levels / sizeof *levels; s++)
        for (int holes = 0; holes < 2; holes++) {
            sporf_dataset *data = levelled(levels[s], holes);
            spf_row_weights weights = {.rows = ROWS};
            spf_binned binned;
            size_t members[SPF_BINS_MOST] = {0}, counts[2000] = {0}, least_alone = ROWS, most = 0;
            assert_ok(spf_feature_bins_create(data, &weights, 1, &binned));
            const spf_bin_column *column = &binned.columns[0];
            assert_true(column->category && spf_bins_of(column) <= SPF_BINS_MOST);
            assert_int_equal(column->missing, holes);
            for (size_t i = 0; i < ROWS; i++) {
                float level = data->columns[0][i];
                unsigned wanted =
                    isnan(level) ? column->bins : (unsigned)column->of_level[(size_t)level];
                assert_int_equal(bin_at(&binned, 0, i), wanted);
                if (!isnan(level)) counts[(size_t)level]++;
            }
            for (size_t k = 0; k < levels[s]; k++) members[column->of_level[k]]++;
            for (size_t k = 0; k < levels[s]; k++) {
                int alone = members[column->of_level[k]] == 1;
                if (alone && levels[s] > 255 && counts[k] < least_alone) least_alone = counts[k];
                if (!alone && counts[k] > most) most = counts[k];
                if (!alone) assert_int_equal(column->of_level[k], column->bins - 1);
            }
            if (levels[s] <= 255) assert_int_equal(column->bins, levels[s]);
            if (levels[s] > 255) assert_true(most <= least_alone);
            spf_binned_free(&binned);
            sporf_dataset_free(data);
        }
}

/* Levels beyond those of one column have bins in others: each has one of its own. */
static void every_level_has_a_bin_of_its_own(void **state) {
    (void)state;
    static const size_t levels[] = {255, 256, 300, 2000};
    for (size_t s = 0; s < sizeof levels / sizeof *levels; s++) {
        sporf_dataset *data = levelled(levels[s], 0);
        spf_row_weights weights = {.rows = ROWS};
        spf_binned binned;
        size_t alone[2000] = {0};
        assert_ok(spf_feature_bins_create(data, &weights, 2, &binned));
        assert_int_equal(binned.columns_count, levels[s] <= 255 ? 1 : (levels[s] + 253) / 254);
        for (size_t c = 0; c < binned.columns_count; c++) {
            const spf_bin_column *column = &binned.columns[c];
            size_t members[SPF_BINS_MOST] = {0};
            assert_int_equal(column->source, 0);
            for (size_t k = 0; k < levels[s]; k++) members[column->of_level[k]]++;
            for (size_t k = 0; k < levels[s]; k++) alone[k] += members[column->of_level[k]] == 1;
        }
        for (size_t k = 0; k < levels[s]; k++) assert_true(alone[k] == 1 || levels[s] % 254 == 1);
        spf_binned_free(&binned);
        sporf_dataset_free(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bins_end_at_their_thresholds),
        cmocka_unit_test(few_values_have_a_bin_each),
        cmocka_unit_test(many_values_share_bins_evenly),
        cmocka_unit_test(rows_of_no_weight_do_not_shape_bins),
        cmocka_unit_test(levels_have_bins),
        cmocka_unit_test(every_level_has_a_bin_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
