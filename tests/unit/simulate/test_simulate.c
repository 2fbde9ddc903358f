/* The paper's problems: labels recomputed from the features, shares of the classes, seeds. */
#include "support/check.h"
#include "support/random_data.h"

static float value(const sporf_dataset *data, size_t row, size_t feature) {
    return sporf_dataset_feature(data, feature)[row];
}

static int class_number(const sporf_dataset *data, size_t row) {
    return atoi(
        sporf_schema_class_name(sporf_dataset_schema(data), sporf_dataset_labels(data)[row]));
}

/* ---- uniform problems ------------------------------------------------------------------------ */

static void assert_uniform(const sporf_dataset *data, double low, double high) {
    enum { CELLS = 20 };
    size_t rows = sporf_dataset_rows(data);
    for (size_t j = 0; j < sporf_dataset_features(data); j++) {
        size_t counts[CELLS] = {0};
        for (size_t i = 0; i < rows; i++) {
            double share = (value(data, i, j) - low) / (high - low);
            assert_true(share >= 0 && share <= 1);
            counts[(int)fmin(share * CELLS, CELLS - 1)]++;
        }
        assert_equally_likely(counts, CELLS, (double)rows / CELLS);
    }
}

static void sparse_parity_is_the_parity_of_three_signs(void **state) {
    (void)state;
    sporf_dataset *data = simulated("sparse-parity", 20000, 0, 1);
    size_t shares[2] = {0};
    assert_int_equal(sporf_dataset_features(data), 20);
    assert_int_equal(sporf_dataset_classes(data), 2);
    for (size_t i = 0; i < 20000; i++) {
        float product = value(data, i, 0) * value(data, i, 1) * value(data, i, 2);
        assert_int_equal(class_number(data, i), product > 0); /* odd: one or three positive */
        shares[class_number(data, i)]++;
    }
    assert_uniform(data, -1, 1);
    assert_equally_likely(shares, 2, 10000);
    sporf_dataset_free(data);
}

static void an_orthant_is_numbered_by_its_signs(void **state) {
    (void)state;
    sporf_dataset *data = simulated("orthant", 12800, 0, 2);
    size_t shares[64] = {0};
    assert_int_equal(sporf_dataset_features(data), 6);
    assert_int_equal(sporf_dataset_classes(data), 64);
    for (size_t i = 0; i < 12800; i++) {
        int number = 0;
        for (size_t j = 6; j-- > 0;) number = 2 * number + (value(data, i, j) > 0);
        assert_int_equal(class_number(data, i), number);
        assert_int_equal(sporf_dataset_labels(data)[i], number);
        shares[number]++;
    }
    assert_uniform(data, -1, 1);
    assert_equally_likely(shares, 64, 200);
    sporf_dataset_free(data);
}

/* ---- trunk ----------------------------------------------------------------------------------- */

static void trunk_is_two_gaussians_with_fading_means(void **state) {
    (void)state;
    enum { ROWS = 40000, FEATURES = 10 };
    sporf_dataset *data = simulated("trunk", ROWS, 0, 3);
    assert_int_equal(sporf_dataset_features(data), FEATURES);
    size_t shares[2] = {0};
    for (size_t i = 0; i < ROWS; i++) shares[class_number(data, i)]++;
    assert_equally_likely(shares, 2, ROWS / 2);
    for (size_t j = 0; j < FEATURES; j++) {
        double mean = 1 / sqrt((double)(j + 1)), sum = 0, square = 0;
        for (size_t i = 0; i < ROWS; i++) {
            double rest = value(data, i, j) - (class_number(data, i) ? mean : -mean);
            sum += rest / ROWS;
            square += rest * rest / ROWS;
        }
        assert_near(sum, 0, 5 / sqrt(ROWS));
        assert_near(square, 1, 5 * sqrt(2.0 / ROWS));
    }
    double product = 0; /* features are independent given the class */
    for (size_t i = 0; i < ROWS; i++) {
        double sign = class_number(data, i) ? 1 : -1;
        product += (value(data, i, 0) - sign) * (value(data, i, 1) - sign / sqrt(2)) / ROWS;
    }
    assert_near(product, 0, 5 / sqrt(ROWS));
    sporf_dataset_free(data);
}

/* ---- consistency ----------------------------------------------------------------------------- */

/* Stripes that halve where `rest` falls to 0: the first takes the upper half, the next a quarter.
 */
static int stripe_class(double rest) {
    return (int)floor(-log2(rest)) % 2;
}

/* Whether single precision may have moved the point across the border of a stripe. */
static int near_border(double rest) {
    double level = -log2(rest);
    return rest < 1e-3 || fabs(level - round(level)) < 1e-3;
}

static void the_consistency_problem_has_its_three_squares(void **state) {
    (void)state;
    enum { ROWS = 30000 };
    sporf_dataset *data = simulated("consistency", ROWS, 0, 4);
    size_t squares[3] = {0}, ones[3] = {0}, checked = 0;
    assert_int_equal(sporf_dataset_features(data), 2);
    for (size_t i = 0; i < ROWS; i++) {
        double x = value(data, i, 0), y = value(data, i, 1);
        int square = x < 1 ? 0 : x < 2 ? 1 : 2, label = class_number(data, i);
        squares[square]++;
        ones[square] += label == 1;
        x -= square;
        y -= square;
        assert_true(x >= 0 && x <= 1 && y >= -1e-6 && y <= 1);
        int unclear = square == 1 ? fabs(x - .5) < 1e-6 || fabs(y - .5) < 1e-6
                                  : near_border(square == 0 ? 1 - x : y);
        if (unclear) continue;
        int wanted = square == 1 ? (x < .5) != (y < .5) : stripe_class(square == 0 ? 1 - x : y);
        assert_int_equal(label, wanted);
        checked++;
    }
    assert_true(checked > ROWS * 0.98);
    assert_equally_likely(squares, 3, ROWS / 3);
    assert_near((double)ones[0] / (double)squares[0], 1.0 / 3, 0.02);
    assert_near((double)ones[1] / (double)squares[1], 1.0 / 2, 0.02);
    assert_near((double)ones[2] / (double)squares[2], 1.0 / 3, 0.02);
    sporf_dataset_free(data);
}

static void further_features_of_the_consistency_problem_are_noise(void **state) {
    (void)state;
    sporf_dataset *data = simulated("consistency", 20000, 5, 5);
    assert_int_equal(sporf_dataset_features(data), 5);
    for (size_t j = 2; j < 5; j++) {
        size_t counts[2][10] = {{0}}, rows[2] = {0};
        for (size_t i = 0; i < 20000; i++) {
            counts[class_number(data, i)][(int)fmin(value(data, i, j) / 3 * 10, 9)]++;
            rows[class_number(data, i)]++;
        }
        for (int k = 0; k < 2; k++) assert_equally_likely(counts[k], 10, (double)rows[k] / 10);
    }
    sporf_dataset_free(data);
}

/* ---- all ------------------------------------------------------------------------------------- */

static const char *const problems[] = {"sparse-parity", "orthant", "trunk", "consistency"};

static int same_values(const sporf_dataset *a, const sporf_dataset *b, size_t rows) {
    for (size_t j = 0; j < sporf_dataset_features(a); j++)
        if (memcmp(sporf_dataset_feature(a, j), sporf_dataset_feature(b, j), rows * sizeof(float)))
            return 0;
    return 1;
}

static void the_same_seed_gives_the_same_table(void **state) {
    (void)state;
    for (size_t p = 0; p < 4; p++) {
        sporf_dataset *a = simulated(problems[p], 500, 0, 7),
                      *b = simulated(problems[p], 500, 0, 7),
                      *other = simulated(problems[p], 500, 0, 8),
                      *high = simulated(problems[p], 500, 0, 7 + (1ull << 32));
        assert_true(same_values(a, b, 500));
        assert_memory_equal(sporf_dataset_labels(a), sporf_dataset_labels(b), 500 * 4);
        assert_false(same_values(a, other, 500));
        assert_false(same_values(a, high, 500));
        sporf_dataset_free(a);
        sporf_dataset_free(b);
        sporf_dataset_free(other);
        sporf_dataset_free(high);
    }
}

static void a_longer_table_begins_with_the_shorter(void **state) {
    (void)state;
    for (size_t p = 0; p < 4; p++) {
        sporf_dataset *brief = simulated(problems[p], 100, 0, 9),
                      *longer = simulated(problems[p], 1000, 0, 9);
        assert_true(same_values(brief, longer, 100));
        for (size_t i = 0; i < 100; i++)
            assert_int_equal(class_number(brief, i), class_number(longer, i));
        sporf_dataset_free(brief);
        sporf_dataset_free(longer);
    }
}

static void impossible_requests_are_refused(void **state) {
    (void)state;
    sporf_dataset *data = NULL;
    assert_refused(sporf_simulate("parity", 10, 0, 1, NULL, &data), SPORF_ERROR_ARGUMENT,
                   "'parity'");
    assert_refused(sporf_simulate("", 10, 0, 1, NULL, &data), SPORF_ERROR_ARGUMENT,
                   "sparse-parity");
    assert_refused(sporf_simulate("trunk", 0, 0, 1, NULL, &data), SPORF_ERROR_ARGUMENT, "rows");
    assert_refused(sporf_simulate("trunk", SIZE_MAX, 0, 1, NULL, &data), SPORF_ERROR_ARGUMENT,
                   "rows");
    assert_refused(sporf_simulate("sparse-parity", 10, 2, 1, NULL, &data), SPORF_ERROR_ARGUMENT,
                   "features");
    assert_refused(sporf_simulate("orthant", 10, 17, 1, NULL, &data), SPORF_ERROR_ARGUMENT,
                   "features");
    assert_refused(sporf_simulate("consistency", 10, 1, 1, NULL, &data), SPORF_ERROR_ARGUMENT,
                   "features");
    assert_null(data);
}

static void the_fewest_features_and_rows_will_do(void **state) {
    (void)state;
    static const size_t least[] = {3, 1, 1, 2};
    for (size_t p = 0; p < 4; p++) {
        sporf_dataset *data = simulated(problems[p], 1, least[p], 1);
        assert_int_equal(sporf_dataset_features(data), least[p]);
        assert_int_equal(sporf_dataset_rows(data), 1);
        assert_int_equal(sporf_dataset_classes(data), 1);
        sporf_dataset_free(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sparse_parity_is_the_parity_of_three_signs),
        cmocka_unit_test(an_orthant_is_numbered_by_its_signs),
        cmocka_unit_test(trunk_is_two_gaussians_with_fading_means),
        cmocka_unit_test(the_consistency_problem_has_its_three_squares),
        cmocka_unit_test(further_features_of_the_consistency_problem_are_noise),
        cmocka_unit_test(the_same_seed_gives_the_same_table),
        cmocka_unit_test(a_longer_table_begins_with_the_shorter),
        cmocka_unit_test(impossible_requests_are_refused),
        cmocka_unit_test(the_fewest_features_and_rows_will_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
