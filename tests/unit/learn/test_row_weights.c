/* Weights of rows and classes in whole numbers, and what is refused. */
#include "learn/rows/row_weights.h"

#include "base/rng.h"

#include "support/check.h"
#include "support/random_data.h"

enum { ROWS = 200, CLASSES = 4 };

typedef struct {
    sporf_dataset *data;
    double given[ROWS];
    spf_row_weights made;
} fixture;

static sporf_status make(fixture *f, const char *class_weights) {
    spf_row_weights_free(&f->made);
    assert_ok(sporf_dataset_set_weights(f->data, f->given, ROWS));
    return spf_row_weights_create(f->data, spf_row_classes_of(f->data), class_weights,
                                  SPORF_WEIGHT_COUNT, &f->made);
}

static void open_fixture(fixture *f) {
    *f = (fixture){.data = random_data(DATA_NOISE, ROWS, 1, CLASSES, 1)};
    for (size_t i = 0; i < ROWS; i++) f->given[i] = 1;
}

static void free_fixture(fixture *f) {
    spf_row_weights_free(&f->made);
    sporf_dataset_free(f->data);
}

static uint32_t label(const fixture *f, size_t row) {
    return sporf_dataset_labels(f->data)[row];
}

/* ---- units ----------------------------------------------------------------------------------- */

static void whole_weights_are_kept(void **state) {
    (void)state;
    fixture f;
    uint64_t total = 0, rows = 0;
    open_fixture(&f);
    for (size_t i = 0; i < ROWS; i++) {
        f.given[i] = (double)(i % 9 * (i % 9));
        total += (uint64_t)f.given[i];
        rows += f.given[i] > 0;
    }
    assert_ok(make(&f, NULL));
    for (size_t i = 0; i < ROWS; i++) assert_int_equal(f.made.units[i], f.given[i]);
    assert_int_equal(f.made.total, total);
    assert_int_equal(f.made.rows, rows);
    assert_true(f.made.whole && f.made.exponent == 0);
    free_fixture(&f);
}

static void weights_of_one_are_none(void **state) {
    (void)state;
    static const char *const classes[] = {NULL, "none", "0=1", "3=1.0,2=1e0"};
    fixture f;
    open_fixture(&f);
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        assert_ok(make(&f, classes[i]));
        assert_null(f.made.units);
        assert_true(f.made.whole && f.made.exponent == 0);
        assert_int_equal(f.made.rows, ROWS);
        assert_int_equal(f.made.total, ROWS);
    }
    free_fixture(&f);
}

static void halves_and_eighths_are_kept_with_as_few_units_as_can_be(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    for (int exponent = 1; exponent <= 8; exponent++) {
        for (size_t i = 0; i < ROWS; i++) f.given[i] = ldexp((double)(i % 7), -exponent);
        assert_ok(make(&f, NULL));
        assert_int_equal(f.made.exponent, exponent);
        assert_false(f.made.whole);
        for (size_t i = 0; i < ROWS; i++) assert_int_equal(f.made.units[i], i % 7);
    }
    free_fixture(&f);
}

static void other_weights_are_rounded_by_less_than_one_in_4096(void **state) {
    (void)state;
    static const double sizes[] = {1e-30, 1e-6, 1, 1e3, 5e6};
    sporf_random random = spf_random_start(1, 1, SPF_USE_SIMULATE);
    fixture f;
    open_fixture(&f);
    for (size_t s = 0; s < 5; s++) {
        double unit, sum = 0;
        for (size_t i = 0; i < ROWS; i++)
            f.given[i] = sizes[s] * (0.05 + spf_random_uniform(&random));
        assert_ok(make(&f, NULL));
        assert_false(f.made.whole);
        unit = ldexp(1, -f.made.exponent);
        for (size_t i = 0; i < ROWS; i++) {
            double exact = sporf_dataset_weights(f.data)[i];
            assert_near(f.made.units[i] * unit, exact, exact / 4096);
            sum += f.made.units[i];
        }
        assert_true(sum == (double)f.made.total && sum < 0x1p31 && sum >= 0x1p29);
    }
    free_fixture(&f);
}

static void a_tiny_weight_beside_large_ones_still_counts(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    f.given[3] = 1e-30;
    f.given[4] = 0;
    assert_ok(make(&f, NULL));
    assert_int_equal(f.made.units[3], 1);
    assert_int_equal(f.made.units[4], 0);
    assert_int_equal(f.made.rows, ROWS - 1);
    free_fixture(&f);
}

/* A tag of 32 bits holds a class and a weight. */
static void weights_leave_room_for_the_classes(void **state) {
    (void)state;
    enum { MANY = 500, TABLE = 600 }; /* 9 bits of classes, 23 of weight */
    sporf_dataset *data = random_data(DATA_NOISE, TABLE, 1, MANY, 1);
    double *given = need(TABLE, sizeof *given);
    spf_row_weights made;
    for (size_t i = 0; i < TABLE; i++) given[i] = i == 0 ? 1 << 22 : 0.1;
    assert_ok(sporf_dataset_set_weights(data, given, TABLE));
    assert_ok(
        spf_row_weights_create(data, spf_row_classes_of(data), NULL, SPORF_WEIGHT_COUNT, &made));
    assert_int_equal(made.units[0], 1 << 22);
    spf_row_weights_free(&made);
    given[0] = 1 << 23;
    assert_ok(sporf_dataset_set_weights(data, given, TABLE));
    assert_refused(
        spf_row_weights_create(data, spf_row_classes_of(data), NULL, SPORF_WEIGHT_COUNT, &made),
        SPORF_ERROR_DATA,
        "a row weighs 8388608, but with 500 classes its weight must be below 8388608");
    free(given);
    sporf_dataset_free(data);
}

/* ---- classes --------------------------------------------------------------------------------- */

static void class_weights_multiply_those_of_rows(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    for (size_t i = 0; i < ROWS; i++) f.given[i] = (double)(i % 3);
    assert_ok(make(&f, "1=2,3=7"));
    for (size_t i = 0; i < ROWS; i++) {
        uint32_t factor = label(&f, i) == 1 ? 2 : label(&f, i) == 3 ? 7 : 1;
        assert_int_equal(f.made.units[i], factor * (i % 3));
    }
    free_fixture(&f);
}

static void a_class_of_weight_0_takes_part_in_nothing(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    assert_ok(make(&f, "2=0"));
    for (size_t i = 0; i < ROWS; i++) assert_int_equal(f.made.units[i], label(&f, i) != 2);
    free_fixture(&f);
}

static void balanced_classes_weigh_the_same_and_all_rows_what_they_did(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    double sums[CLASSES] = {0}, given = 0;
    for (size_t i = 0; i < ROWS; i++) given += f.given[i] = label(&f, i) == 0 ? 0.25 : 3;
    assert_ok(make(&f, "balanced"));
    for (size_t i = 0; i < ROWS; i++)
        sums[label(&f, i)] += ldexp(f.made.units[i], -f.made.exponent);
    for (size_t k = 0; k < CLASSES; k++) assert_near(sums[k], given / CLASSES, 1e-3);
    free_fixture(&f);
}

/* Classes without any weight are none to be balanced, and equal ones stay as they are. */
static void balancing_equal_classes_changes_nothing(void **state) {
    (void)state;
    const float x[] = {1, 2, 3, 4, 5};
    const int64_t labels[] = {0, 1, 0, 1, 2};
    const double weights[] = {1, 1, 1, 1, 0};
    sporf_matrix matrix = {x, SPORF_FLOAT32, 5, 1, 1, 5};
    sporf_dataset *data = NULL;
    spf_row_weights made;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, 5));
    assert_ok(sporf_dataset_set_weights(data, weights, 5));
    assert_ok(spf_row_weights_create(data, spf_row_classes_of(data), "balanced", SPORF_WEIGHT_COUNT,
                                     &made));
    for (size_t i = 0; i < 5; i++) assert_int_equal(made.units[i], weights[i]);
    spf_row_weights_free(&made);
    sporf_dataset_free(data);
}

static void names_may_hold_commas_and_equals_signs(void **state) {
    (void)state;
    const float x[] = {1, 2, 3, 4};
    static const char *const labels[] = {"a,b", "a=1", "x=1,y", "plain"};
    sporf_matrix matrix = {x, SPORF_FLOAT32, 4, 1, 1, 4};
    sporf_dataset *data = NULL;
    spf_row_weights made;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_text(data, labels, 4));
    assert_ok(spf_row_weights_create(data, spf_row_classes_of(data), "a,b=2,plain= 3 ,a=1=4",
                                     SPORF_WEIGHT_COUNT, &made));
    const uint32_t wanted[] = {2, 4, 1, 3};
    for (size_t i = 0; i < 4; i++) assert_int_equal(made.units[i], wanted[i]);
    spf_row_weights_free(&made);
    sporf_dataset_free(data);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void unknown_classes_are_refused_with_the_nearest_name(void **state) {
    (void)state;
    const float x[] = {1, 2, 3};
    static const char *const labels[] = {"setosa", "versicolor", "virginica"};
    sporf_matrix matrix = {x, SPORF_FLOAT32, 3, 1, 1, 3};
    sporf_dataset *data = NULL;
    spf_row_weights made;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_text(data, labels, 3));
    assert_refused(spf_row_weights_create(data, spf_row_classes_of(data), "virginca=2",
                                          SPORF_WEIGHT_COUNT, &made),
                   SPORF_ERROR_ARGUMENT,
                   "the class 'virginca', which no row has; did you mean 'virginica'?");
    assert_refused(spf_row_weights_create(data, spf_row_classes_of(data), "setosa=2,oak=2",
                                          SPORF_WEIGHT_COUNT, &made),
                   SPORF_ERROR_ARGUMENT, "the class 'oak', which no row has");
    assert_null(strstr(sporf_last_error(), "mean"));
    assert_refused(spf_row_weights_create(data, spf_row_classes_of(data), "setosa=2,setosa=3",
                                          SPORF_WEIGHT_COUNT, &made),
                   SPORF_ERROR_ARGUMENT, "'setosa' twice");
    sporf_dataset_free(data);
}

static void weights_that_no_rows_could_have_are_refused(void **state) {
    (void)state;
    static const double bad[] = {-1, -1e-30, NAN, INFINITY, -INFINITY, 1e31, 1e300};
    fixture f;
    open_fixture(&f);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        f.given[6] = bad[i];
        assert_refused(sporf_dataset_set_weights(f.data, f.given, ROWS), SPORF_ERROR_DATA,
                       "weight of row 7");
        assert_null(sporf_dataset_weights(f.data));
    }
    assert_refused(sporf_dataset_set_weights(f.data, f.given, ROWS - 1), SPORF_ERROR_ARGUMENT,
                   "199 weights for 200 rows");
    assert_refused(sporf_dataset_set_weights(NULL, f.given, ROWS), SPORF_ERROR_ARGUMENT, "NULL");
    f.given[6] = -0.0;
    assert_ok(sporf_dataset_set_weights(f.data, f.given, ROWS));
    assert_non_null(sporf_dataset_weights(f.data));
    assert_ok(sporf_dataset_set_weights(f.data, NULL, 0));
    assert_null(sporf_dataset_weights(f.data));
    free_fixture(&f);
}

static void weights_that_leave_nothing_to_learn_are_refused(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    assert_refused(make(&f, "0=0,1=0,2=0,3=0"), SPORF_ERROR_DATA, "all weights are 0");
    assert_refused(make(&f, "0=0,2=0,3=0"), SPORF_ERROR_DATA, "only the class '1'");
    for (size_t i = 0; i < ROWS; i++) f.given[i] = 0;
    assert_refused(make(&f, NULL), SPORF_ERROR_DATA, "all weights are 0");
    assert_refused(make(&f, "balanced"), SPORF_ERROR_DATA, "all weights are 0");
    free_fixture(&f);
}

static void weights_of_too_many_rows_are_refused(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    for (size_t i = 0; i < ROWS; i++) f.given[i] = 10000000;
    assert_ok(make(&f, NULL));
    assert_int_equal(f.made.total, 2000000000);
    assert_refused(make(&f, "0=2,1=2"), SPORF_ERROR_DATA, "divide all weights");
    for (size_t i = 0; i < ROWS; i++) f.given[i] = 1e7 + 0.5;
    f.given[0] = 1e9;
    assert_refused(make(&f, NULL), SPORF_ERROR_DATA, "divide all weights");
    f.given[0] = 1e30;
    assert_refused(make(&f, "0=1e300"), SPORF_ERROR_DATA, "divide all weights");
    free_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_weights_are_kept),
        cmocka_unit_test(weights_of_one_are_none),
        cmocka_unit_test(halves_and_eighths_are_kept_with_as_few_units_as_can_be),
        cmocka_unit_test(other_weights_are_rounded_by_less_than_one_in_4096),
        cmocka_unit_test(a_tiny_weight_beside_large_ones_still_counts),
        cmocka_unit_test(weights_leave_room_for_the_classes),
        cmocka_unit_test(class_weights_multiply_those_of_rows),
        cmocka_unit_test(a_class_of_weight_0_takes_part_in_nothing),
        cmocka_unit_test(balanced_classes_weigh_the_same_and_all_rows_what_they_did),
        cmocka_unit_test(balancing_equal_classes_changes_nothing),
        cmocka_unit_test(names_may_hold_commas_and_equals_signs),
        cmocka_unit_test(unknown_classes_are_refused_with_the_nearest_name),
        cmocka_unit_test(weights_that_no_rows_could_have_are_refused),
        cmocka_unit_test(weights_that_leave_nothing_to_learn_are_refused),
        cmocka_unit_test(weights_of_too_many_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
