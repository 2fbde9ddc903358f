/* Monotone constraints: how they are written, and that predictions keep to them everywhere, also
 * with sums of features, without a model that learns little because of them. */
#include "data/dataset.h"

#include "support/check.h"
#include "support/random_data.h"
#include "support/wanted.h"

enum { ROWS = 400, FEATURES = 4, LINES = 40, STEPS = 25 };

/* Rises with feature 1, falls with feature 3, and depends on others; the noise breaks both. */
static sporf_dataset *rising(data_kind kind, float unit, int classes) {
    sporf_dataset *data = random_data(kind, ROWS, FEATURES, 2, 3);
    float target[ROWS];
    int64_t labels[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        float x = data->columns[0][i], z = data->columns[2][i], w = data->columns[1][i];
        float y = (isnan(x) ? 0 : x) - (isnan(z) ? 0 : z) / 3 + sinf(isnan(w) ? 0 : 2 * w);
        float noise = (float)(i * 37 % 29) / 10 - 1.4f;
        target[i] = unit * (y + noise + 8);
        labels[i] = y + noise > 0;
    }
    if (classes)
        assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
    else
        set_targets(data, target, 1);
    return data;
}

static sporf_forest *train(const sporf_dataset *data, sporf_loss loss, const char *monotone,
                           const char *method) {
    sporf_params params = params_with("learner", "boosting", "rounds", "25", "rate", "0.2",
                                      "max-depth", "4", "valid", "0", "min-leaf", "3", "threads",
                                      "2", "quantile", "0.8", "method", method, (char *)NULL);
    sporf_forest *forest = NULL;
    params.loss = loss;
    params.monotone = monotone;
    assert_ok(sporf_forest_train(data, &params, NULL, &forest));
    return forest;
}

/* Random lines along a feature from one end to the other: how often the score falls, for sign 1, or
 * rises. */
static size_t faults_along(const sporf_forest *forest, const sporf_dataset *data, size_t feature,
                           int sign) {
    size_t faults = 0;
    for (size_t line = 0; line < LINES; line++) {
        double before = -INFINITY * sign;
        for (size_t step = 0; step < STEPS; step++) {
            float row[FEATURES];
            double out[2];
            for (size_t j = 0; j < FEATURES; j++) row[j] = data->columns[j][line * 7];
            row[feature] = ((float)step / STEPS - 0.5f) * 12;
            sporf_forest_predict_row(forest, row, SPORF_COMBINE_VOTES, out);
            double now = sporf_forest_classes(forest) == 2 ? out[1] : out[0];
            faults += sign * (now - before) < 0;
            before = now;
        }
    }
    return faults;
}

static const struct {
    sporf_loss loss;
    int classes;
} aims[] = {{SPORF_LOSS_SQUARED, 0},
            {SPORF_LOSS_ABSOLUTE, 0},
            {SPORF_LOSS_QUANTILE, 0},
            {SPORF_LOSS_POISSON, 0},
            {SPORF_LOSS_LOG, 1}};
enum { AIMS = sizeof aims / sizeof *aims };

static void predictions_keep_to_the_constraints(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rf", "rr-rf", "frc"};
    static const data_kind kinds[] = {DATA_SMOOTH, DATA_MIXED};
    size_t free_faults = 0;
    for (size_t a = 0; a < AIMS; a++)
        for (size_t k = 0; k < 2; k++)
            for (size_t m = 0; m < 4; m++) {
                if (kinds[k] == DATA_MIXED && m == 2) continue;
                sporf_dataset *data = rising(kinds[k], 10, aims[a].classes);
                sporf_forest *bound = train(data, aims[a].loss, "1=+,3=-", methods[m]);
                sporf_forest *unbound = train(data, aims[a].loss, NULL, methods[m]);
                assert_int_equal(faults_along(bound, data, 0, 1), 0);
                assert_int_equal(faults_along(bound, data, 2, -1), 0);
                free_faults += faults_along(unbound, data, 0, 1);
                sporf_forest_free(unbound);
                sporf_forest_free(bound);
                sporf_dataset_free(data);
            }
    assert_true(free_faults > 0); /* or nothing was tried */
}

/* Feature 1 is all there is to learn, whatever the unit of the target. */
static void a_constraint_that_holds_costs_little(void **state) {
    (void)state;
    static const float units[] = {0.01f, 1000};
    for (size_t u = 0; u < 2; u++)
        for (size_t a = 0; a < 3; a++) {
            sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, FEATURES, 2, 3);
            float target[ROWS];
            for (size_t i = 0; i < ROWS; i++) target[i] = units[u] * data->columns[0][i];
            set_targets(data, target, 1);
            sporf_forest *bound = train(data, aims[a].loss, "1=+", "rf");
            sporf_forest *unbound = train(data, aims[a].loss, NULL, "rf");
            sporf_boosting with, without;
            assert_int_equal(sporf_forest_boosting(bound, &with), 1);
            assert_int_equal(sporf_forest_boosting(unbound, &without), 1);
            if (with.train_losses[24] > 3 * without.train_losses[24])
                fail_msg("loss %d, unit %g: %g with the constraint, %g without", (int)aims[a].loss,
                         (double)units[u], with.train_losses[24], without.train_losses[24]);
            sporf_forest_free(unbound);
            sporf_forest_free(bound);
            sporf_dataset_free(data);
        }
}

static void refuse(const sporf_dataset *data, const char *monotone, const char *words) {
    sporf_params params =
        params_with("learner", "boosting", "rounds", "1", "monotone", monotone, (char *)NULL);
    sporf_forest *forest = NULL;
    assert_refused(sporf_forest_train(data, &params, NULL, &forest), SPORF_ERROR_ARGUMENT, words);
}

static void constraints_that_make_no_sense_are_refused(void **state) {
    (void)state;
    sporf_dataset *data = rising(DATA_MIXED, 1, 0), *three = random_data(0, ROWS, FEATURES, 3, 1);
    refuse(data, "1", "NAME=+ or NAME=-");
    refuse(data, "1=", "NAME=+ or NAME=-");
    refuse(data, "=+", "NAME=+ or NAME=-");
    refuse(data, "1=+,,3=-", "NAME=+ or NAME=-");
    refuse(data, "5=+", "not there: '5=+'");
    refuse(data, "0=+", "not there");
    refuse(data, "1.5=+", "not there");
    refuse(data, "age=+", "not there");
    refuse(data, "2=+", "a category");
    refuse(data, "1=+,1=-", "twice");
    refuse(three, "1=+", "two classes");
    sporf_dataset_free(three);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictions_keep_to_the_constraints),
        cmocka_unit_test(a_constraint_that_holds_costs_little),
        cmocka_unit_test(constraints_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
