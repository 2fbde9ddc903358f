/* Memory runs out at every single allocation of training, predicting, scoring and simulating, one
 * after the other: the call says so or does without, and nothing leaks (which the address sanitizer
 * sees).
 * Labels: threads */
#include "data/dataset.h"

#include "support/check.h"
#include "support/failing_alloc.h"
#include "support/random_data.h"
#include "support/wanted.h"
#include "support/watch.h"

typedef struct {
    const sporf_dataset *data;
    const sporf_forest *forest;
    sporf_params params;
    sporf_hooks hooks;
    const char *problem;
} subject;

typedef sporf_status (*deed)(const subject *s);

/* Under the thread sanitizer, which looks for races and not for leaks, one in five has to do. */
#if defined(__SANITIZE_THREAD__)
enum { STEP = 5 };
#else
enum { STEP = 1 };
#endif

/* Makes allocation 1, 2, ... fail until a run has fewer than that. */
static void run_out_everywhere(deed act, const subject *s) {
    size_t failures = 0;
    for (long k = 1;; k += STEP) {
        failing_alloc_after(k);
        sporf_status status = act(s);
        int hit = failing_alloc_hit();
        failing_alloc_off();
        if (!hit) {
            assert_int_equal(status, SPORF_OK);
            break;
        }
        if (status != SPORF_OK) {
            failures++;
            assert_int_equal(status, SPORF_ERROR_MEMORY);
            if (!strstr(sporf_last_error(), "memory"))
                fail_msg("allocation %ld: \"%s\"", k, sporf_last_error());
        }
    }
    assert_true(failures > 0);
}

static sporf_status train(const subject *s) {
    sporf_forest *forest = NULL;
    sporf_status status = sporf_forest_train(s->data, &s->params, &s->hooks, &forest);
    if (status != SPORF_OK && forest) return SPORF_ERROR_MODEL; /* must be left alone */
    sporf_forest_free(forest);
    return status;
}

static sporf_status extend(const subject *s) {
    sporf_forest *forest = NULL;
    sporf_status status = sporf_forest_extend(s->forest, s->data, &s->params, NULL, &forest);
    if (status != SPORF_OK && forest) return SPORF_ERROR_MODEL;
    sporf_forest_free(forest);
    return status;
}

static sporf_status evaluate_values(const subject *s) {
    sporf_target_scores scores[2];
    return sporf_forest_evaluate(s->forest, s->data, NULL, FILLED(.targets = scores));
}

static sporf_status evaluate_quantiles(const subject *s) {
    static const double levels[] = {0.1, 0.5, 0.9};
    sporf_quantile_scores scores[6];
    return sporf_forest_evaluate(
        s->forest, s->data, NULL,
        FILLED(.quantiles = levels, .quantiles_count = 3, .quantile_scores = scores));
}

static sporf_status evaluate_intervals(const subject *s) {
    sporf_interval_scores scores[2];
    return sporf_forest_evaluate(s->forest, s->data, NULL,
                                 FILLED(.interval = 0.9, .interval_scores = scores));
}

static sporf_status measure(const subject *s) {
    double importances[4], errors[4];
    sporf_strength strength;
    sporf_measure_options options;
    sporf_measure_options_init(&options);
    options.threads = s->params.threads;
    const size_t pair[] = {2, 0};
    const sporf_feature_group groups[] = {{pair, 2}, {pair + 1, 1}};
    sporf_status status = sporf_forest_permutation_importances(s->forest, s->data, &options, NULL,
                                                               importances, errors);
    if (status == SPORF_OK)
        status = sporf_forest_group_importances(s->forest, s->data, &options, NULL, groups, 2,
                                                importances, errors);
    if (status != SPORF_OK || sporf_forest_targets(s->forest) > 0) return status;
    return sporf_forest_strength(s->forest, s->data, &options, NULL, &strength);
}

static void measures_survive_every_failed_allocation(void **state) {
    (void)state;
    for (size_t targets = 0; targets <= 2; targets += 2)
        for (uint32_t threads = 1; threads <= 2; threads++) {
            sporf_dataset *data = targets > 0 ? with_targets(DATA_MIXED, 60, 4, targets, 1)
                                              : random_data(DATA_MIXED, 60, 4, 3, 1);
            sporf_forest *forest =
                train_with(data, "trees", "4", "honest", "0.3", "min-leaf", "2", (char *)NULL);
            subject s = {.data = data, .forest = forest};
            s.params.threads = threads;
            run_out_everywhere(measure, &s);
            sporf_forest_free(forest);
            sporf_dataset_free(data);
        }
}

static void training_survives_every_failed_allocation(void **state) {
    (void)state;
    static const char *const methods[][3] = {
        {"sporf", "nonzeros", "grid"}, {"sporf", "nonzeros", "poisson"}, {"rf", "scale", "sd"},
        {"frc", "scale", "iqr"},       {"rr-rf", "scale", "range"},      {"ccf", "scale", "none"},
        {"patch", "weights", "normal"}};
    static const char *const bags[] = {"bootstrap", "stratified", "subsample", "none"};
    static const char *const names[] = {"one", "two", "three", "four", "five", "six", "seven"};
    sporf_dataset *data = random_data(DATA_SMOOTH, 90, 7, 3, 1);
    assert_ok(sporf_dataset_set_feature_names(data, names, 7));
    for (size_t m = 0; m < 7; m++)
        for (uint32_t threads = 1; threads <= 2; threads++) {
            subject s = {.data = data,
                         .params =
                             params_with("method", methods[m][0], methods[m][1], methods[m][2],
                                         "bag", bags[(m + threads) % 4], "criterion",
                                         m % 2 ? "entropy" : "gini", "trees", "3", (char *)NULL)};
            s.params.threads = threads;
            sporf_hooks_init(&s.hooks);
            run_out_everywhere(train, &s);
        }
    sporf_dataset_free(data);
}

static void growing_further_survives_every_failed_allocation(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_MIXED, 60, 4, 2, 1);
    for (uint32_t threads = 1; threads <= 2; threads++) {
        subject s = {.data = data,
                     .params =
                         params_with("trees", "2", "min-leaf", "3", "honest", "0.5", (char *)NULL)};
        sporf_forest *forest = NULL;
        assert_ok(sporf_forest_train(data, &s.params, NULL, &forest));
        s.forest = forest;
        s.params.trees = 4;
        s.params.threads = threads;
        run_out_everywhere(extend, &s);
        sporf_forest_free(forest);
    }
    sporf_dataset_free(data);
}

static void training_with_weights_survives_every_failed_allocation(void **state) {
    (void)state;
    static const char *const bags[] = {"bootstrap", "stratified", "subsample", "none"};
    static const char *const methods[] = {"sporf", "rf", "sporf", "ccf"};
    static const char *const classes[] = {"balanced", "0=2,2=0.3"};
    sporf_dataset *data = random_data(DATA_SMOOTH, 90, 4, 3, 1);
    double weights[90];
    for (size_t i = 0; i < 90; i++) weights[i] = (double)(i % 4) / 3;
    assert_ok(sporf_dataset_set_weights(data, weights, 90));
    for (size_t b = 0; b < 4; b++) {
        subject s = {.data = data,
                     .params = params_with("bag", bags[b], "method", methods[b], "class-weights",
                                           classes[b % 2], "criterion", "entropy", "scale", "iqr",
                                           "trees", "3", "threads", "1", (char *)NULL)};
        sporf_hooks_init(&s.hooks);
        run_out_everywhere(train, &s);
    }
    sporf_dataset_free(data);
}

static void decisions_survive_every_failed_allocation(void **state) {
    (void)state;
    static const char *const rules[][2] = {{"cost", "0:1=3,1:0=0.5"}, {"recall", "1=0.8"}};
    sporf_dataset *data = random_data(DATA_SMOOTH, 60, 3, 2, 8);
    for (size_t i = 0; i < 2; i++) {
        subject s = {.data = data,
                     .params = params_with("trees", "3", "threads", "1", rules[i][0], rules[i][1],
                                           (char *)NULL)};
        sporf_hooks_init(&s.hooks);
        run_out_everywhere(train, &s);
    }
    sporf_dataset_free(data);
}

static void honest_training_survives_every_failed_allocation(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rr-rf", "ccf"};
    sporf_dataset *data = random_data(DATA_SMOOTH, 90, 4, 3, 1);
    data->target_storage = need(data->rows, sizeof *data->target_storage);
    for (size_t i = 0; i < data->rows; i++) data->target_storage[i] = (float)(i * 7 % 31);
    for (size_t m = 0; m < 3; m++)
        for (data->targets = 0; data->targets < (m < 2 ? 2 : 1); data->targets++) {
            subject s = {.data = data,
                         .params = params_with("method", methods[m], "honest", "0.5", "trees", "3",
                                               "threads", m == 2 ? "2" : "1", (char *)NULL)};
            sporf_hooks_init(&s.hooks);
            run_out_everywhere(train, &s);
        }
    data->targets = 0;
    sporf_dataset_free(data);
}

/* Categories and missing values; then with two targets in the place of classes. */
static void training_on_mixed_tables_survives_every_failed_allocation(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_MIXED, 120, 6, 3, 1);
    data->target_storage = need(2 * data->rows, sizeof *data->target_storage);
    for (size_t i = 0; i < 2 * data->rows; i++) data->target_storage[i] = (float)(i * 7 % 31);
    for (data->targets = 0; data->targets <= 2; data->targets++) {
        subject s = {.data = data,
                     .params = params_with("trees", "3", "threads", "1", "min-leaf",
                                           data->targets == 2 ? "3" : "1", (char *)NULL)};
        sporf_hooks_init(&s.hooks);
        run_out_everywhere(train, &s);
    }
    data->targets = 2;
    sporf_forest *forest = train_with(data, "trees", "3", "min-leaf", "3", (char *)NULL);
    run_out_everywhere(evaluate_values, &(subject){.data = data, .forest = forest});
    run_out_everywhere(evaluate_quantiles, &(subject){.data = data, .forest = forest});
    run_out_everywhere(evaluate_intervals, &(subject){.data = data, .forest = forest});
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* Tables large enough for copies, blocks, searches between bins and several branches. */
static void training_on_large_tables_survives_every_failed_allocation(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rr-rf"};
    for (data_kind kind = DATA_SMOOTH; kind <= DATA_BYTES; kind += DATA_BYTES - DATA_SMOOTH) {
        sporf_dataset *data = random_data(kind, 9000, 16, 3, 1);
        for (size_t m = 0; m < (kind == DATA_BYTES ? 1 : 2); m++)
            for (uint32_t threads = 1; threads <= 3; threads += 2) {
                subject s = {.data = data,
                             .params =
                                 params_with("method", methods[m], "bag", "none", "projections",
                                             "4", "max-depth", "5", "trees", "1", (char *)NULL)};
                s.params.threads = threads;
                sporf_hooks_init(&s.hooks);
                run_out_everywhere(train, &s);
            }
        sporf_dataset_free(data);
    }
}

/* A user's sampler on a basis, with a state. */
static sporf_status make_basis(void *payload, const sporf_view *view, sporf_random *random,
                               sporf_projections *basis, void **state) {
    (void)payload, (void)random;
    for (uint32_t i = 0; basis && i + 1 < view->features; i++) {
        const uint32_t features[] = {i, i + 1};
        const float weights[] = {1, -1};
        sporf_status status = sporf_projections_add(basis, 2, features, weights);
        if (status != SPORF_OK) return status;
    }
    *state = malloc(8); /* may fail, which only finish sees */
    return SPORF_OK;
}

static sporf_status draw_directions(void *payload, void *state, const sporf_view *view,
                                    sporf_random *random, sporf_projections *candidates) {
    (void)payload, (void)state;
    for (int i = 0; i < 20; i++) {
        uint32_t direction = sporf_random_below(random, (uint32_t)view->features);
        const float one = 1;
        sporf_status status = sporf_projections_add(candidates, 1, &direction, &one);
        if (status != SPORF_OK) return status;
    }
    return SPORF_OK;
}

static void free_state(void *payload, void *state) {
    (void)payload;
    free(state);
}

static void a_custom_sampler_survives_every_failed_allocation(void **state) {
    (void)state;
    const sporf_sampler sampler = {.name = "differences",
                                   .prepare = make_basis,
                                   .draw = draw_directions,
                                   .finish = free_state};
    sporf_dataset *data = random_data(DATA_SMOOTH, 60, 7, 3, 1);
    subject s = {.data = data, .params = params_with("trees", "3", "threads", "2", (char *)NULL)};
    sporf_hooks_init(&s.hooks);
    s.hooks.sampler = &sampler;
    run_out_everywhere(train, &s);
    sporf_dataset_free(data);
    data = random_data(DATA_SMOOTH, 7000, 7, 3, 1);
    s.data = data;
    s.params = params_with("trees", "1", "threads", "3", "max-depth", "4", (char *)NULL);
    run_out_everywhere(train, &s);
    sporf_dataset_free(data);
}

/* Interrupted after some trees, a forest is still made, which takes memory too. */
static sporf_status train_and_stop(const subject *s) {
    subject own = *s;
    watch w = watch_for(60);
    own.hooks = watch_hooks(&w);
    return train(&own);
}

static void an_interrupted_training_survives_every_failed_allocation(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 60, 4, 3, 1);
    subject s = {.data = data, .params = params_with("trees", "9", "threads", "1", (char *)NULL)};
    run_out_everywhere(train_and_stop, &s);
    sporf_dataset_free(data);
}

static sporf_status predict(const subject *s) {
    uint32_t classes[600];
    double shares[1800];
    sporf_predict_options options;
    sporf_forest_summary summary;
    sporf_predict_options_init(&options);
    options.threads = 3;
    sporf_status status =
        sporf_forest_predict(s->forest, s->data, &options, WANTED(.classes = classes));
    if (status == SPORF_OK)
        status =
            sporf_forest_predict(s->forest, s->data, &options, WANTED(.probabilities = shares));
    if (status == SPORF_OK) status = sporf_forest_summarise(s->forest, &summary);
    return status;
}

static sporf_status evaluate(const subject *s) {
    size_t confusion[12];
    sporf_evaluation scores;
    return sporf_forest_evaluate(s->forest, s->data, NULL, SCORED(&scores, .confusion = confusion));
}

static void prediction_and_scores_survive_every_failed_allocation(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "c"}, *const turned[] = {"c", "a", "b"};
    sporf_dataset *data = random_data(DATA_SMOOTH, 600, 3, 3, 1);
    assert_ok(sporf_dataset_set_feature_names(data, names, 3));
    sporf_forest *forest = train_with(data, "trees", "3", (char *)NULL);
    assert_ok(sporf_dataset_set_feature_names(data, turned, 3)); /* to be matched by name */
    subject s = {.data = data, .forest = forest};
    run_out_everywhere(predict, &s);
    run_out_everywhere(evaluate, &s);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* Makes a second label column. */
static sporf_status add_label(const subject *s) {
    const uint32_t rows[] = {0, 1, 2, 3, 4, 5};
    const int64_t classes[] = {0, 1, 2, 0, 1, 2};
    sporf_dataset *data = NULL;
    sporf_status status = sporf_dataset_select(s->data, rows, 6, &data);
    if (status == SPORF_OK) status = sporf_dataset_set_labels_int(data, classes, 6);
    if (status == SPORF_OK) status = sporf_dataset_add_label_column(data);
    if (status != SPORF_OK && data) {
        assert_int_equal(sporf_schema_label_columns(sporf_dataset_schema(data)), 1);
        assert_int_equal(sporf_dataset_targets(data), 2);
    }
    sporf_dataset_free(data);
    return status;
}

static sporf_status evaluate_labels(const subject *s) {
    double errors[2];
    return sporf_forest_evaluate(s->forest, s->data, NULL, FILLED(.label_errors = errors));
}

static void several_labels_survive_every_failed_allocation(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 60, 3, 2, 1);
    int64_t classes[60];
    for (size_t i = 0; i < 60; i++) classes[i] = (int64_t)(i % 3);
    assert_ok(sporf_dataset_add_label_column(data));
    run_out_everywhere(add_label, &(subject){.data = data});
    assert_ok(sporf_dataset_set_labels_int(data, classes, 60));
    assert_ok(sporf_dataset_add_label_column(data));
    subject s = {.data = data, .params = params_with("trees", "3", "threads", "1", (char *)NULL)};
    sporf_hooks_init(&s.hooks);
    run_out_everywhere(train, &s);
    sporf_forest *forest = train_with(data, "trees", "3", (char *)NULL);
    run_out_everywhere(evaluate_labels, &(subject){.data = data, .forest = forest});
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static sporf_status simulate(const subject *s) {
    sporf_dataset *data = NULL;
    sporf_status status = sporf_simulate(s->problem, 100, 0, 1, NULL, &data);
    if (status != SPORF_OK && data) return SPORF_ERROR_MODEL;
    sporf_dataset_free(data);
    return status;
}

static void simulation_survives_every_failed_allocation(void **state) {
    (void)state;
    static const char *const problems[] = {"sparse-parity", "orthant", "trunk", "consistency",
                                           "friedman1"};
    for (size_t p = 0; p < 5; p++) {
        subject s = {.problem = problems[p]};
        run_out_everywhere(simulate, &s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(training_survives_every_failed_allocation),
        cmocka_unit_test(growing_further_survives_every_failed_allocation),
        cmocka_unit_test(measures_survive_every_failed_allocation),
        cmocka_unit_test(training_with_weights_survives_every_failed_allocation),
        cmocka_unit_test(decisions_survive_every_failed_allocation),
        cmocka_unit_test(honest_training_survives_every_failed_allocation),
        cmocka_unit_test(training_on_mixed_tables_survives_every_failed_allocation),
        cmocka_unit_test(training_on_large_tables_survives_every_failed_allocation),
        cmocka_unit_test(a_custom_sampler_survives_every_failed_allocation),
        cmocka_unit_test(an_interrupted_training_survives_every_failed_allocation),
        cmocka_unit_test(prediction_and_scores_survive_every_failed_allocation),
        cmocka_unit_test(several_labels_survive_every_failed_allocation),
        cmocka_unit_test(simulation_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
