/* A table to stop by: its columns, labels and targets are matched with those of the training table,
 * and its losses are those of the model's predictions. */
#include "data/dataset.h"

#include "support/check.h"
#include "support/random_data.h"
#include "support/wanted.h"

enum { ROWS = 150, OTHERS = 70, FEATURES = 4, MOST = 3 };

static sporf_params short_params(void) {
    return params_with("learner", "boosting", "rounds", "6", "max-depth", "3", "threads", "1",
                       "patience", "1000", (char *)NULL);
}

static sporf_forest *stop_by(const sporf_dataset *data, const sporf_dataset *valid) {
    sporf_params params = short_params();
    sporf_hooks hooks;
    sporf_forest *forest = NULL;
    sporf_hooks_init(&hooks);
    hooks.valid = valid;
    assert_ok(sporf_forest_train(data, &params, &hooks, &forest));
    return forest;
}

static void refuse(const sporf_dataset *data, const sporf_dataset *valid, sporf_status status,
                   const char *words) {
    sporf_params params = short_params();
    sporf_hooks hooks;
    sporf_forest *forest = NULL;
    sporf_hooks_init(&hooks);
    hooks.valid = valid;
    assert_refused(sporf_forest_train(data, &params, &hooks, &forest), status, words);
    assert_null(forest);
}

static void weigh(sporf_dataset *data, double first) {
    size_t rows = sporf_dataset_rows(data);
    double *weights = need(rows, sizeof *weights);
    for (size_t i = 0; i < rows; i++) weights[i] = first * (double)(i % 4);
    assert_ok(sporf_dataset_set_weights(data, weights, rows));
    free(weights);
}

static double weight_at(const sporf_dataset *data, size_t row) {
    return data->weights ? (double)data->weights[row] : 1;
}

/* Half the squared error over all targets. */
static double squared_loss(const sporf_forest *forest, const sporf_dataset *data) {
    size_t targets = data->targets;
    double values[ROWS * MOST], sum = 0, total = 0;
    assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.values = values)));
    for (size_t i = 0; i < data->rows; i++) {
        for (size_t k = 0; k < targets; k++) {
            double off = values[i * targets + k] - spf_target_of(data, k)[i];
            sum += weight_at(data, i) * off * off / 2;
        }
        total += weight_at(data, i);
    }
    return sum / total;
}

static double log_loss(const sporf_forest *forest, const sporf_dataset *data) {
    double shares[ROWS * MOST], sum = 0, total = 0;
    size_t classes = sporf_forest_classes(forest);
    assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.probabilities = shares)));
    for (size_t i = 0; i < data->rows; i++) {
        sum -= weight_at(data, i) * log(shares[i * classes + data->labels[i]]);
        total += weight_at(data, i);
    }
    return sum / total;
}

/* The losses of the last round that the model has. */
static void assert_losses(const sporf_forest *forest, const sporf_dataset *data,
                          const sporf_dataset *valid,
                          double (*loss)(const sporf_forest *, const sporf_dataset *)) {
    sporf_boosting boosting;
    assert_int_equal(sporf_forest_boosting(forest, &boosting), 1);
    size_t last = boosting.rounds - 1;
    assert_int_equal(boosting.valid_rows, valid->rows);
    assert_near(boosting.train_losses[last], loss(forest, data),
                1e-7 * boosting.train_losses[last]); /* weights are rounded */
    assert_near(boosting.valid_losses[last], loss(forest, valid), 1e-9);
}

static void losses_are_those_of_the_predicted_values(void **state) {
    (void)state;
    for (size_t targets = 1; targets <= 3; targets += 2) {
        sporf_dataset *data = with_targets(DATA_MIXED, ROWS, FEATURES, targets, 1);
        sporf_dataset *valid = with_targets(DATA_MIXED, OTHERS, FEATURES, targets, 1);
        for (int weighted = 0; weighted < 2; weighted++) {
            if (weighted) weigh(data, 0.7);
            if (weighted) weigh(valid, 2);
            sporf_forest *forest = stop_by(data, valid);
            assert_losses(forest, data, valid, squared_loss);
            sporf_forest_free(forest);
        }
        sporf_dataset_free(valid);
        sporf_dataset_free(data);
    }
}

static void losses_are_those_of_the_predicted_classes(void **state) {
    (void)state;
    for (size_t classes = 2; classes <= 3; classes++) {
        sporf_dataset *data = random_data(DATA_MIXED, ROWS, FEATURES, classes, 3);
        sporf_dataset *valid = random_data(DATA_MIXED, OTHERS, FEATURES, classes, 3);
        for (int weighted = 0; weighted < 2; weighted++) {
            if (weighted) weigh(data, 3);
            if (weighted) weigh(valid, 0.1);
            sporf_forest *forest = stop_by(data, valid);
            assert_losses(forest, data, valid, log_loss);
            sporf_forest_free(forest);
        }
        sporf_dataset_free(valid);
        sporf_dataset_free(data);
    }
}

/* The number of a class is its place in its own table. */
static void labels_are_matched_by_name(void **state) {
    (void)state;
    static const char *const names[] = {"oak", "elm", "ash"};
    const char *labels[ROWS];
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, FEATURES, 3, 5);
    sporf_dataset *valid = random_data(DATA_SMOOTH, OTHERS, FEATURES, 3, 5);
    sporf_dataset *same = random_data(DATA_SMOOTH, OTHERS, FEATURES, 3, 5);
    for (size_t i = 0; i < ROWS; i++) labels[i] = names[data->labels[i]];
    assert_ok(sporf_dataset_set_labels_text(data, labels, ROWS));
    assert_ok(sporf_dataset_set_labels_text(same, labels, OTHERS));
    for (size_t i = 0; i < OTHERS; i++) labels[i] = names[2 - i % 2];
    assert_ok(sporf_dataset_set_labels_text(valid, labels, OTHERS));
    sporf_forest *forest = stop_by(data, valid);
    sporf_boosting boosting;
    double shares[OTHERS * 3], sum = 0;
    assert_ok(sporf_forest_predict(forest, valid, NULL, WANTED(.probabilities = shares)));
    assert_int_equal(sporf_forest_boosting(forest, &boosting), 1);
    for (size_t i = 0; i < OTHERS; i++)
        for (size_t k = 0; k < 3; k++)
            if (strcmp(sporf_schema_class_name(sporf_forest_schema(forest), k), labels[i]) == 0)
                sum -= log(shares[i * 3 + k]);
    assert_near(boosting.valid_losses[boosting.rounds - 1], sum / OTHERS, 1e-9);
    sporf_forest_free(forest);
    sporf_dataset_free(same);
    sporf_dataset_free(valid);
    sporf_dataset_free(data);
}

static void tables_that_do_not_match_are_refused(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, FEATURES, 2, 1);
    sporf_dataset *numbers = with_targets(DATA_SMOOTH, ROWS, FEATURES, 2, 1);
    sporf_dataset *more = random_data(DATA_SMOOTH, OTHERS, FEATURES, 3, 2);
    sporf_dataset *narrow = random_data(DATA_SMOOTH, OTHERS, FEATURES - 1, 2, 2);
    sporf_dataset *single = with_targets(DATA_SMOOTH, OTHERS, FEATURES, 1, 1);
    sporf_dataset *idle = random_data(DATA_SMOOTH, OTHERS, FEATURES, 2, 2);
    refuse(numbers, idle, SPORF_ERROR_DATA, "needs targets");
    weigh(idle, 0);
    refuse(data, more, SPORF_ERROR_DATA, "has the class '2', which no training row has");
    refuse(data, narrow, SPORF_ERROR_MODEL, "3 features");
    refuse(numbers, single, SPORF_ERROR_DATA, "target");
    refuse(data, idle, SPORF_ERROR_DATA, "all weights of the validation table are 0");
    sporf_dataset_free(idle);
    sporf_dataset_free(single);
    sporf_dataset_free(narrow);
    sporf_dataset_free(more);
    sporf_dataset_free(numbers);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_are_those_of_the_predicted_values),
        cmocka_unit_test(losses_are_those_of_the_predicted_classes),
        cmocka_unit_test(labels_are_matched_by_name),
        cmocka_unit_test(tables_that_do_not_match_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
