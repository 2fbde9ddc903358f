/* The Brier score and the bins of confidence: by hand, by laws, and from a forest's predictions. */
#include "score/calibration.h"

#include "base/rng.h"

#include "support/check.h"
#include "support/random_data.h"
#include "support/wanted.h"

static sporf_calibration result_of(const spf_calibration *c) {
    sporf_calibration result;
    spf_calibration_result(c, &result);
    return result;
}

static void three_rows_by_hand(void **state) {
    (void)state;
    spf_calibration c = {0};
    spf_calibration_add(&c, (double[]){0.75, 0.25, 0}, 3, 0, 0, 1);   /* .0625 + .0625 */
    spf_calibration_add(&c, (double[]){0.25, 0.75, 0}, 3, 1, 2, 1);   /* .0625 + .5625 + 1 */
    spf_calibration_add(&c, (double[]){0.25, 0.25, 0.5}, 3, 2, 2, 1); /* .0625 + .0625 + .25 */
    sporf_calibration result = result_of(&c);
    assert_near(result.brier, (0.125 + 1.625 + 0.375) / 3, 1e-15);
    assert_int_equal(result.bins[7].rows, 2);
    assert_true(result.bins[7].weight == 2);
    assert_true(result.bins[7].confidence == 0.75 && result.bins[7].accuracy == 0.5);
    assert_int_equal(result.bins[5].rows, 1);
    assert_true(result.bins[5].confidence == 0.5 && result.bins[5].accuracy == 1);
    assert_near(result.error, (2 * 0.25 + 1 * 0.5) / 3, 1e-15);
    assert_int_equal(result.bins[0].rows, 0);
    assert_true(isnan(result.bins[0].confidence) && isnan(result.bins[0].accuracy));
}

static void a_certain_prediction_lies_in_the_last_bin(void **state) {
    (void)state;
    spf_calibration c = {0};
    spf_calibration_add(&c, (double[]){0, 1}, 2, 1, 1, 1);
    spf_calibration_add(&c, (double[]){0, 1}, 2, 1, 0, 1);
    sporf_calibration result = result_of(&c);
    assert_int_equal(result.bins[SPORF_CALIBRATION_BINS - 1].rows, 2);
    assert_true(result.brier == 1 && result.error == 0.5); /* (0 + 2) / 2 */
}

static void tenths_open_their_bins(void **state) {
    (void)state;
    for (uint32_t k = 1; k < 10; k++) {
        spf_calibration c = {0};
        double share = k / 10.0;
        spf_calibration_add(&c, (double[]){share, 1 - share}, 2, 0, 0, 1);
        assert_int_equal(result_of(&c).bins[k].rows, 1);
    }
}

static void an_unknown_class_was_given_nothing(void **state) {
    (void)state;
    spf_calibration c = {0};
    spf_calibration_add(&c, (double[]){0.5, 0.5}, 2, 0, 2, 1);
    sporf_calibration result = result_of(&c);
    assert_true(result.brier == 1.5); /* .25 + .25 + 1 */
    assert_true(result.bins[5].accuracy == 0);
}

static void nothing_comes_of_no_rows(void **state) {
    (void)state;
    spf_calibration c = {0};
    sporf_calibration result = result_of(&c);
    assert_true(isnan(result.brier) && isnan(result.error));
}

/* Probabilities of three classes that sum up to 1, and the largest. */
static uint32_t draw_shares(sporf_random *random, double *shares) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += shares[k] = spf_random_exponential(random);
    for (int k = 0; k < 3; k++) shares[k] /= sum;
    return shares[0] >= shares[1]   ? (shares[0] >= shares[2] ? 0 : 2)
           : shares[1] >= shares[2] ? 1
                                    : 2;
}

static void a_weight_stands_for_as_many_rows(void **state) {
    (void)state;
    spf_calibration weighted = {0}, repeated = {0};
    sporf_random random = spf_random_start(1, 0, SPF_USE_DRAW);
    for (int i = 0; i < 500; i++) {
        double shares[3];
        uint32_t said = draw_shares(&random, shares), truth = spf_random_below(&random, 4),
                 times = spf_random_below(&random, 4);
        spf_calibration_add(&weighted, shares, 3, said, truth, times);
        for (uint32_t t = 0; t < times; t++)
            spf_calibration_add(&repeated, shares, 3, said, truth, 1);
    }
    sporf_calibration a = result_of(&weighted), b = result_of(&repeated);
    assert_near(a.brier, b.brier, 1e-14);
    assert_near(a.error, b.error, 1e-14);
    for (size_t k = 4; k < SPORF_CALIBRATION_BINS; k++) {
        assert_true(a.bins[k].weight == b.bins[k].weight && a.bins[k].rows >= b.bins[k].rows / 3);
        assert_near(a.bins[k].confidence, b.bins[k].confidence, 1e-14);
        assert_near(a.bins[k].accuracy, b.bins[k].accuracy, 1e-14);
    }
}

static void labels_drawn_with_their_probabilities_are_calibrated(void **state) {
    (void)state;
    spf_calibration c = {0};
    sporf_random random = spf_random_start(2, 0, SPF_USE_DRAW);
    for (int i = 0; i < 100000; i++) {
        double shares[3], point;
        uint32_t said = draw_shares(&random, shares), truth = 0;
        for (point = spf_random_uniform(&random) - shares[0]; point >= 0 && truth < 2; truth++)
            point -= shares[truth + 1];
        spf_calibration_add(&c, shares, 3, said, truth, 1);
    }
    assert_true(result_of(&c).error < 0.01);
}

/* ---- forests --------------------------------------------------------------------------------- */

enum { ROWS = 300, CLASSES = 4 };

static void check_forest(const sporf_forest *forest, const sporf_dataset *data,
                         sporf_combine combine) {
    uint32_t *predicted = need(ROWS, sizeof *predicted);
    double *shares = need(ROWS * CLASSES, sizeof *shares);
    sporf_predict_options options;
    sporf_calibration wanted, got;
    sporf_evaluation scores, plain;
    size_t confusion[(CLASSES + 1) * CLASSES], plain_confusion[(CLASSES + 1) * CLASSES];
    spf_calibration c = {0};
    sporf_predict_options_init(&options);
    options.combine = combine;
    assert_ok(sporf_forest_predict(forest, data, &options,
                                   WANTED(.classes = predicted, .probabilities = shares)));
    for (size_t i = 0; i < ROWS; i++)
        spf_calibration_add(&c, shares + i * CLASSES, CLASSES, predicted[i],
                            sporf_dataset_labels(data)[i], 1);
    wanted = result_of(&c);
    assert_ok(sporf_forest_evaluate(forest, data, &options,
                                    SCORED(&scores, .confusion = confusion, .calibration = &got)));
    assert_ok(sporf_forest_evaluate(forest, data, &options,
                                    SCORED(&plain, .confusion = plain_confusion)));
    assert_true(got.brier == wanted.brier && got.error == wanted.error);
    assert_memory_equal(got.bins, wanted.bins, sizeof got.bins);
    assert_memory_equal(confusion, plain_confusion, sizeof confusion);
    assert_true(scores.error == plain.error && scores.log_loss == plain.log_loss);
    double right = 0;
    for (size_t b = 0; b < SPORF_CALIBRATION_BINS; b++)
        if (got.bins[b].rows > 0) right += got.bins[b].accuracy * (double)got.bins[b].rows;
    assert_near(right, (1 - scores.error) * ROWS, 1e-9);
    free(predicted);
    free(shares);
}

static void a_forest_is_judged_by_its_probabilities(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, CLASSES, 1),
                  *fresh = random_data(DATA_SMOOTH, ROWS, 4, CLASSES, 2);
    sporf_forest *forest = train_with(data, "trees", "15", (char *)NULL);
    check_forest(forest, fresh, SPORF_COMBINE_VOTES);
    check_forest(forest, fresh, SPORF_COMBINE_POSTERIORS);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    sporf_dataset_free(fresh);
}

static void scores_need_not_be_asked_for_but_all_else_must_be_there(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, CLASSES, 1);
    sporf_forest *forest = train_with(data, "trees", "2", (char *)NULL);
    sporf_calibration result;
    assert_ok(sporf_forest_evaluate(forest, data, NULL, FILLED(.calibration = &result)));
    assert_refused(sporf_forest_evaluate(NULL, data, NULL, FILLED(.calibration = &result)),
                   SPORF_ERROR_ARGUMENT, "forest");
    assert_refused(sporf_forest_evaluate(forest, NULL, NULL, FILLED(.calibration = &result)),
                   SPORF_ERROR_ARGUMENT, "data");
    assert_refused(sporf_forest_evaluate(forest, data, NULL, NULL), SPORF_ERROR_ARGUMENT, "place");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_rows_by_hand),
        cmocka_unit_test(a_certain_prediction_lies_in_the_last_bin),
        cmocka_unit_test(tenths_open_their_bins),
        cmocka_unit_test(an_unknown_class_was_given_nothing),
        cmocka_unit_test(nothing_comes_of_no_rows),
        cmocka_unit_test(a_weight_stands_for_as_many_rows),
        cmocka_unit_test(labels_drawn_with_their_probabilities_are_calibrated),
        cmocka_unit_test(a_forest_is_judged_by_its_probabilities),
        cmocka_unit_test(scores_need_not_be_asked_for_but_all_else_must_be_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
