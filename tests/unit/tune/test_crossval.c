/* Cross-validation: what folds say, and what is made of folds that say nothing. */
#include "data/dataset.h"

#include "support/check.h"
#include "support/random_data.h"

enum { ROWS = 60, FOLDS = 3 };

static sporf_crossval *validate(const sporf_dataset *data, const sporf_folds *folds,
                                const sporf_params *params) {
    sporf_crossval *result = NULL;
    assert_ok(sporf_crossval_run(data, folds, params, NULL, &result));
    assert_int_equal(result->folds, folds->count);
    return result;
}

/* ---- folds that cannot be judged ------------------------------------------------------------- */

/* Takes the weight from the rows of one fold. */
static void weigh_nothing(sporf_dataset *data, const sporf_folds *folds, size_t fold) {
    double weights[ROWS];
    for (size_t i = 0; i < ROWS; i++) weights[i] = folds->fold[i] != fold;
    assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
}

static void a_fold_that_weighs_nothing_is_left_out_of_the_means(void **state) {
    (void)state;
    sporf_dataset *tables[] = {random_data(DATA_NOISE, ROWS, 4, 2, 1),
                               with_targets(DATA_SMOOTH, ROWS, 4, 2, 1)};
    for (size_t t = 0; t < 2; t++) {
        sporf_params params = params_with("trees", "5", (char *)NULL);
        sporf_folds *folds = NULL;
        assert_ok(sporf_folds_draw(tables[t], FOLDS, 1, &folds));
        weigh_nothing(tables[t], folds, 1);
        sporf_crossval *result = validate(tables[t], folds, &params);
        const sporf_crossval_scores *one = &result->scores[0], *two = &result->scores[2],
                                    *none = &result->scores[1], *mean = &result->mean;
        assert_true(isnan(none->error) && isnan(none->log_loss) && isnan(none->rmse));
        if (t == 0) assert_near(mean->error, (one->error + two->error) / 2, 1e-12);
        if (t == 1) assert_near(mean->rmse, (one->rmse + two->rmse) / 2, 1e-12);
        for (size_t i = 0; i < ROWS; i++)
            assert_true(t == 0 ? result->classes[i] != SPORF_NO_CLASS
                               : !isnan(result->values[2 * i]));
        sporf_crossval_free(result);
        sporf_folds_free(folds);
        sporf_dataset_free(tables[t]);
    }
}

static void without_a_fold_to_judge_there_is_no_result(void **state) {
    (void)state;
    double weights[ROWS] = {0};
    sporf_dataset *data = random_data(DATA_NOISE, ROWS, 4, 2, 1);
    sporf_params params = params_with("trees", "5", (char *)NULL);
    sporf_folds *folds = NULL;
    sporf_crossval *result = NULL;
    assert_ok(sporf_folds_draw(data, FOLDS, 1, &folds));
    for (size_t i = 0; i < ROWS; i++) weights[i] = folds->fold[i] == 2;
    assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
    assert_int_equal(sporf_crossval_run(data, folds, &params, NULL, &result), SPORF_ERROR_DATA);
    assert_null(result);
    sporf_folds_free(folds);
    sporf_dataset_free(data);
}

static void folds_of_other_rows_and_rows_without_labels_are_refused(void **state) {
    (void)state;
    const float values[ROWS] = {0};
    const sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, 1, 1, 1};
    sporf_dataset *data = NULL, *more = random_data(DATA_NOISE, ROWS + 1, 4, 2, 1);
    sporf_folds *folds = NULL;
    sporf_crossval *result = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_folds_draw(data, FOLDS, 1, &folds));
    assert_refused(sporf_crossval_run(more, folds, NULL, NULL, &result), SPORF_ERROR_ARGUMENT,
                   "rows, but the data have");
    assert_refused(sporf_crossval_run(data, folds, NULL, NULL, &result), SPORF_ERROR_DATA,
                   "no labels");
    sporf_folds_free(folds);
    sporf_dataset_free(data);
    sporf_dataset_free(more);
}

/* ---- folds of one class ---------------------------------------------------------------------- */

/* Rows one by one: each is right, whose kappa is unknown, or wrong, whose kappa is 0. */
static void leaving_one_out_has_an_error_but_no_kappa(void **state) {
    (void)state;
    uint32_t fold[ROWS];
    sporf_dataset *data = random_data(DATA_NOISE, ROWS, 4, 3, 1);
    sporf_params params = params_with("trees", "5", (char *)NULL);
    sporf_folds *folds = NULL;
    double wrong = 0;
    for (size_t i = 0; i < ROWS; i++) fold[i] = (uint32_t)i;
    assert_ok(sporf_folds_create(fold, ROWS, &folds));
    sporf_crossval *result = validate(data, folds, &params);
    for (size_t i = 0; i < ROWS; i++) wrong += result->classes[i] != data->labels[i];
    assert_true(wrong > 0 && wrong < ROWS);
    assert_near(result->mean.error, wrong / ROWS, 1e-12);
    assert_true(isnan(result->mean.kappa));
    assert_true(isnan(result->mean.kappa_paper));
    assert_true(isnan(result->se.kappa));
    sporf_crossval_free(result);
    sporf_folds_free(folds);
    sporf_dataset_free(data);
}

/* The first fold tests rows of the first class only, some of them wrong. */
static void the_mean_of_kappa_leaves_out_folds_of_one_class(void **state) {
    (void)state;
    uint32_t fold[ROWS];
    sporf_dataset *data = random_data(DATA_NOISE, ROWS, 4, 2, 1);
    sporf_params params = params_with("trees", "5", (char *)NULL);
    sporf_folds *folds = NULL;
    for (size_t i = 0; i < ROWS; i++)
        fold[i] = data->labels[i] == 0 && i < ROWS / 2 ? 0 : 1 + (uint32_t)(i % 2);
    assert_ok(sporf_folds_create(fold, ROWS, &folds));
    sporf_crossval *result = validate(data, folds, &params);
    const sporf_crossval_scores *first = &result->scores[0], *one = &result->scores[1],
                                *two = &result->scores[2], *mean = &result->mean;
    assert_true(first->error > 0 && first->kappa == 0);
    assert_near(mean->error, (first->error + one->error + two->error) / 3, 1e-12);
    assert_near(mean->kappa, (one->kappa + two->kappa) / 2, 1e-12);
    assert_near(mean->kappa_paper, (one->kappa_paper + two->kappa_paper) / 2, 1e-12);
    sporf_crossval_free(result);
    sporf_folds_free(folds);
    sporf_dataset_free(data);
}

/* ---- settings -------------------------------------------------------------------------------- */

static void class_weights_outlive_the_callers_text(void **state) {
    (void)state;
    char text[] = "0=1,1=2";
    sporf_dataset *data = random_data(DATA_NOISE, ROWS, 4, 2, 1);
    sporf_params params = params_with("trees", "5", (char *)NULL);
    sporf_folds *folds = NULL;
    assert_ok(sporf_folds_draw(data, FOLDS, 1, &folds));
    params.class_weights = text;
    sporf_crossval *result = validate(data, folds, &params);
    memset(text, 'x', sizeof text - 1);
    for (size_t k = 0; k < FOLDS; k++)
        assert_string_equal(result->params[k]->class_weights, "0=1,1=2");
    sporf_crossval_free(result);
    sporf_folds_free(folds);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fold_that_weighs_nothing_is_left_out_of_the_means),
        cmocka_unit_test(without_a_fold_to_judge_there_is_no_result),
        cmocka_unit_test(folds_of_other_rows_and_rows_without_labels_are_refused),
        cmocka_unit_test(leaving_one_out_has_an_error_but_no_kappa),
        cmocka_unit_test(the_mean_of_kappa_leaves_out_folds_of_one_class),
        cmocka_unit_test(class_weights_outlive_the_callers_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
