/* Boosting on tables and settings that are of little use: a clear message, or a model that is as
 * good as the table allows. */
#include "data/dataset.h"

#include "support/check.h"
#include "support/random_data.h"
#include "support/same_bytes.h"
#include "support/wanted.h"

enum { ROWS = 100, FEATURES = 4 };

static sporf_params boosting_params(void) {
    return params_with("learner", "boosting", "rounds", "5", "threads", "2", "bags", "1",
                       "min-leaf", "5", "max-depth", "4", (char *)NULL);
}

/* The data are freed. */
static void refuse(sporf_dataset *data, const sporf_params *params, sporf_status status,
                   const char *words) {
    sporf_forest *forest = NULL;
    assert_refused(sporf_forest_train(data, params, NULL, &forest), status, words);
    assert_null(forest);
    sporf_dataset_free(data);
}

/* Finite losses and predictions, and a file that can be read. The data are freed. */
static void accept(sporf_dataset *data, const sporf_params *params) {
    sporf_forest *forest = NULL, *copy = NULL;
    sporf_boosting boosting;
    assert_ok(sporf_forest_train(data, params, NULL, &forest));
    assert_int_equal(sporf_forest_boosting(forest, &boosting), 1);
    for (size_t i = 0; i < boosting.tried; i++) assert_true(isfinite(boosting.train_losses[i]));
    double *scores = need(data->rows * boosting.outputs, sizeof *scores);
    assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.scores = scores)));
    for (size_t i = 0; i < data->rows * boosting.outputs; i++) assert_true(isfinite(scores[i]));
    image bytes = image_of(forest);
    assert_ok(sporf_forest_load_bytes(bytes.bytes, bytes.size, &copy));
    assert_same_bytes(forest, copy);
    sporf_free(bytes.bytes);
    free(scores);
    sporf_forest_free(copy);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static sporf_dataset *labelled(size_t classes) {
    return random_data(DATA_SMOOTH, ROWS, FEATURES, classes, 1);
}

/* Targets 0 or `value`. */
static sporf_dataset *counted(float value) {
    sporf_dataset *data = labelled(2);
    float targets[ROWS];
    for (size_t i = 0; i < ROWS; i++) targets[i] = i % 2 ? value : 0;
    set_targets(data, targets, 1);
    return data;
}

static void fill(sporf_dataset *data, size_t feature, float value) {
    for (size_t i = 0; i < data->rows; i++) spf_dataset_column(data, feature)[i] = value;
    data->has_missing |= isnan(value);
}

static void losses_must_suit_the_data(void **state) {
    (void)state;
    sporf_params params = boosting_params();
    params.loss = SPORF_LOSS_SQUARED;
    refuse(labelled(3), &params, SPORF_ERROR_ARGUMENT, "is for regression");
    params.loss = SPORF_LOSS_LOG;
    refuse(counted(1), &params, SPORF_ERROR_ARGUMENT, "is for classification");
    params.loss = SPORF_LOSS_POISSON;
    refuse(counted(-1), &params, SPORF_ERROR_DATA, "row 2 has -1");
    refuse(counted(0), &params, SPORF_ERROR_DATA, "not all 0");
    accept(counted(1), &params);
}

static void rows_of_no_weight_do_not_make_a_mean(void **state) {
    (void)state;
    sporf_params params = boosting_params();
    sporf_dataset *data = counted(1);
    double weights[ROWS];
    for (size_t i = 0; i < ROWS; i++) weights[i] = i % 2 ? 0 : 1;
    assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
    params.loss = SPORF_LOSS_POISSON;
    refuse(data, &params, SPORF_ERROR_DATA, "not all 0");
}

static void settings_out_of_range_are_refused(void **state) {
    (void)state;
    static const char *const bad[][3] = {
        {"rate", "1.5", "rate must be"},       {"rate", "-0.1", "rate must be"},
        {"rate", "nan", "rate must be"},       {"rounds", "0", "rounds must be"},
        {"valid", "0.95", "valid must be"},    {"subsample", "0", "subsample must be"},
        {"quantile", "1", "quantile must be"}, {"l2", "-1", "l2 must be"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sporf_params params = boosting_params();
        assert_refused(sporf_params_set(&params, bad[i][0], bad[i][1]), SPORF_ERROR_ARGUMENT,
                       bad[i][2]);
    }
    sporf_params params = boosting_params();
    params.rate = 1.5;
    refuse(labelled(2), &params, SPORF_ERROR_ARGUMENT, "rate must be");
}

static void equal_bags_are_refused(void **state) {
    (void)state;
    sporf_params params = boosting_params();
    params.bags = 3;
    params.valid = 0;
    refuse(labelled(2), &params, SPORF_ERROR_ARGUMENT, "all bags would be the same");
    params.subsample = 0.5;
    accept(labelled(2), &params);
}

static void one_class_is_refused(void **state) {
    (void)state;
    sporf_params params = boosting_params();
    sporf_dataset *data = labelled(2), *idle = labelled(2);
    const int64_t zero[ROWS] = {0};
    double weights[ROWS];
    for (size_t i = 0; i < ROWS; i++) weights[i] = idle->labels[i];
    assert_ok(sporf_dataset_set_weights(idle, weights, ROWS));
    assert_ok(sporf_dataset_set_labels_int(data, zero, ROWS));
    refuse(data, &params, SPORF_ERROR_DATA, "only one class");
    refuse(idle, &params, SPORF_ERROR_DATA, "only the class '1'");
}

static void a_constant_target_is_predicted(void **state) {
    (void)state;
    static const sporf_loss losses[] = {SPORF_LOSS_SQUARED, SPORF_LOSS_ABSOLUTE,
                                        SPORF_LOSS_QUANTILE, SPORF_LOSS_POISSON};
    for (size_t l = 0; l < 4; l++) {
        sporf_params params = boosting_params();
        sporf_dataset *data = labelled(2);
        sporf_forest *forest = NULL;
        float targets[ROWS];
        double values[ROWS];
        for (size_t i = 0; i < ROWS; i++) targets[i] = 3;
        set_targets(data, targets, 1);
        params.loss = losses[l];
        assert_ok(sporf_forest_train(data, &params, NULL, &forest));
        assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.values = values)));
        for (size_t i = 0; i < ROWS; i++) assert_near(values[i], 3, 1e-12);
        sporf_forest_free(forest);
        sporf_dataset_free(data);
    }
}

static void too_few_rows_cannot_be_held_out(void **state) {
    (void)state;
    sporf_params params = boosting_params();
    refuse(with_targets(DATA_SMOOTH, 9, 2, 1, 1), &params, SPORF_ERROR_DATA,
           "too few to hold out a share of 0.1");
    accept(with_targets(DATA_SMOOTH, 10, 2, 1, 1), &params);
    params.valid = 0.9; /* every class keeps a row */
    refuse(random_data(DATA_NOISE, 10, 3, 10, 1), &params, SPORF_ERROR_DATA, "too few to hold out");
    accept(random_data(DATA_NOISE, 30, 3, 10, 1), &params);
}

static void tiny_tables_give_a_model(void **state) {
    (void)state;
    sporf_params params = boosting_params();
    params.valid = 0;
    accept(with_targets(DATA_SMOOTH, 1, 1, 1, 1), &params);
    accept(random_data(DATA_SMOOTH, 2, 1, 2, 1), &params);
    params.min_leaf = 1;
    accept(with_targets(DATA_SMOOTH, 2, 1, 1, 1), &params);
    params.subsample = 0.001; /* trees without a row */
    accept(random_data(DATA_SMOOTH, 20, 2, 2, 1), &params);
}

static void features_without_values_are_ignored(void **state) {
    (void)state;
    sporf_params params = boosting_params();
    for (int missing = 0; missing < 2; missing++) {
        sporf_dataset *some = labelled(2), *all = labelled(2);
        fill(some, 1, missing ? NAN : 7);
        for (size_t j = 0; j < FEATURES; j++) fill(all, j, missing ? NAN : 7);
        accept(some, &params);
        accept(all, &params);
    }
}

static void huge_and_tiny_values_are_numbers_like_others(void **state) {
    (void)state;
    static const float factors[] = {2e29f, 1e-30f};
    static const sporf_loss losses[] = {SPORF_LOSS_SQUARED, SPORF_LOSS_ABSOLUTE,
                                        SPORF_LOSS_QUANTILE};
    for (size_t f = 0; f < 2; f++)
        for (size_t l = 0; l < 3; l++) {
            sporf_params params = boosting_params();
            sporf_dataset *data = labelled(2);
            params.loss = losses[l];
            for (size_t j = 0; j < FEATURES; j++)
                for (size_t i = 0; i < ROWS; i++) spf_dataset_column(data, j)[i] *= factors[f];
            set_targets(data, data->columns[0], 1);
            accept(data, &params);
        }
}

static void there_may_be_many_classes(void **state) {
    (void)state;
    sporf_params params = boosting_params();
    params.rounds = 1;
    params.max_depth = 1;
    accept(random_data(DATA_SMOOTH, 1500, 2, 1000, 1), &params);
}

/* A category with one level and missing values: the cut is between these. */
static void a_level_is_told_from_missing_values(void **state) {
    (void)state;
    sporf_params params = boosting_params();
    sporf_dataset *data = random_data(DATA_MIXED, ROWS, FEATURES, 2, 1);
    float *column = spf_dataset_column(data, 1);
    int64_t labels[ROWS];
    double shares[2 * ROWS];
    sporf_forest *forest = NULL;
    for (size_t i = 0; i < ROWS; i++) {
        labels[i] = isnan(column[i]);
        if (!isnan(column[i])) column[i] = 3;
    }
    assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
    params.method = SPORF_METHOD_RF;
    params.rounds = 30;
    params.rate = 0.3;
    assert_ok(sporf_forest_train(data, &params, NULL, &forest));
    assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.probabilities = shares)));
    for (size_t i = 0; i < ROWS; i++) assert_true(shares[2 * i + (size_t)labels[i]] > 0.5);
    sporf_forest_free(forest);
    accept(data, &params);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_must_suit_the_data),
        cmocka_unit_test(rows_of_no_weight_do_not_make_a_mean),
        cmocka_unit_test(settings_out_of_range_are_refused),
        cmocka_unit_test(equal_bags_are_refused),
        cmocka_unit_test(one_class_is_refused),
        cmocka_unit_test(a_constant_target_is_predicted),
        cmocka_unit_test(too_few_rows_cannot_be_held_out),
        cmocka_unit_test(tiny_tables_give_a_model),
        cmocka_unit_test(features_without_values_are_ignored),
        cmocka_unit_test(huge_and_tiny_values_are_numbers_like_others),
        cmocka_unit_test(there_may_be_many_classes),
        cmocka_unit_test(a_level_is_told_from_missing_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
