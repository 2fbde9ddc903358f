/* What must hold of every search and every cross-validation: the forest is the one that training
 * gives, the scores are those that can be had by hand, threads change nothing, and a race finds
 * what is clearly best.
 * Labels: full */
#include "data/dataset.h"

#include "support/check.h"
#include "support/random_data.h"
#include "support/same_bytes.h"
#include "support/wanted.h"
#include "support/watch.h"

typedef struct {
    const char *method, *bag, *scale;
    int numbers;
} tune_case;

static const tune_case cases[] = {
    {"sporf", "auto", "none", 0},      {"sporf", "stratified", "sd", 0},
    {"frc", "subsample", "none", 0},   {"rf", "auto", "none", 0},
    {"rr-rf", "bootstrap", "none", 0}, {"ccf", "auto", "none", 0},
    {"sporf", "none", "none", 0},      {"patch", "auto", "none", 0},
    {"sporf", "auto", "sd", 1},        {"rf", "none", "none", 1},
};
enum { CASES = sizeof cases / sizeof *cases };

static sporf_dataset *data_of(const tune_case *c) {
    return c->numbers ? with_targets(DATA_SMOOTH, 100, 5, 1, 3)
                      : random_data(DATA_SMOOTH, 100, 5, 3, 3);
}

static sporf_params params_of(const tune_case *c) {
    sporf_params params =
        params_with("method", c->method, "bag", c->bag, "scale", c->scale, "trees",
                    IS_SANITIZED ? "32" : "64", "seed", "5", (char *)NULL);
    return params;
}

static sporf_search *search(const sporf_dataset *data, const sporf_params *params,
                            sporf_search_way way) {
    sporf_search_options options;
    sporf_search *result = NULL;
    sporf_search_options_init(&options);
    options.way = way;
    assert_ok(sporf_search_run(data, params, &options, &result));
    return result;
}

static void check_model(const sporf_dataset *data, sporf_params params, sporf_search_way way) {
    sporf_search *result = search(data, &params, way);
    const sporf_trial *best = &result->trials[result->best];
    sporf_forest *trained = NULL;
    params.projections = best->projections;
    params.density = best->density;
    assert_ok(sporf_forest_train(data, &params, NULL, &trained));
    assert_same_bytes(trained, result->forest);
    assert_same_oob(trained, result->forest);
    sporf_forest_free(trained);
    sporf_search_free(result);
}

static void the_model_is_the_one_that_training_gives(void **state) {
    (void)state;
    for (size_t c = 0; c < CASES; c++)
        for (sporf_search_way way = SPORF_SEARCH_RACE; way <= SPORF_SEARCH_ALL; way++) {
            sporf_dataset *data = data_of(&cases[c]);
            check_model(data, params_of(&cases[c]), way);
            sporf_dataset_free(data);
        }
}

/* Categories, missing values, weights of rows and of classes. */
static void so_it_is_for_tables_as_they_are(void **state) {
    (void)state;
    enum { ROWS = 90 };
    double weights[ROWS];
    sporf_dataset *data = random_data(DATA_MIXED, ROWS, 4, 3, 2);
    for (size_t i = 0; i < ROWS; i++) weights[i] = (double)(i % 4) / 2;
    assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
    for (sporf_search_way way = SPORF_SEARCH_RACE; way <= SPORF_SEARCH_ALL; way++)
        check_model(data,
                    params_with("class-weights", "1=3", "bag", "subsample", "honest", "0.4",
                                "trees", "64", (char *)NULL),
                    way);
    sporf_dataset_free(data);
}

static int same_number(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

static void threads_change_nothing(void **state) {
    (void)state;
    for (size_t c = 0; c < CASES; c++) {
        sporf_dataset *data = data_of(&cases[c]);
        sporf_params params = params_of(&cases[c]);
        params.threads = 1;
        sporf_search *one = search(data, &params, SPORF_SEARCH_RACE);
        params.threads = 3;
        sporf_search *three = search(data, &params, SPORF_SEARCH_RACE);
        assert_int_equal(one->best, three->best);
        for (size_t i = 0; i < one->count; i++) {
            const sporf_trial *a = &one->trials[i], *b = &three->trials[i];
            assert_int_equal(a->trees, b->trees);
            assert_true(same_number(a->error, b->error) && same_number(a->auc, b->auc));
        }
        assert_same_bytes(one->forest, three->forest);
        sporf_search_free(one);
        sporf_search_free(three);
        sporf_dataset_free(data);
    }
}

/* Parity needs many candidates: a race must not lose sight of it. */
static void the_race_finds_what_is_clearly_best(void **state) {
    (void)state;
    sporf_dataset *data = simulated("sparse-parity", 600, 12, 1);
    sporf_params params = params_with("trees", "128", (char *)NULL);
    sporf_search *race = search(data, &params, SPORF_SEARCH_RACE);
    sporf_search *all = search(data, &params, SPORF_SEARCH_ALL);
    const sporf_trial *quick = &race->trials[race->best];
    const sporf_trial *slow = &all->trials[all->best];
    size_t grown = 0, most = 0;
    for (size_t i = 0; i < race->count; i++) {
        grown += race->trials[i].trees;
        most += 128;
    }
    assert_int_equal(quick->d, 144);
    assert_int_equal(slow->d, 144);
    assert_true(quick->error <= slow->error + 0.03);
    assert_true(2 * grown < most);
    sporf_search_free(race);
    sporf_search_free(all);
    sporf_dataset_free(data);
}

/* ---- cross-validation ------------------------------------------------------------------------ */

static void check_params(const sporf_params *said, const sporf_forest *forest) {
    sporf_params used;
    sporf_params_init(&used);
    assert_ok(sporf_forest_params(forest, &used));
    assert_memory_equal(&said->projections, &used.projections, sizeof used.projections);
    assert_memory_equal(&said->density, &used.density, sizeof used.density);
    assert_int_equal(said->min_leaf, used.min_leaf);
    assert_int_equal(said->scale, used.scale);
    assert_int_equal(said->trees, used.trees);
    assert_true(said->scale != SPORF_SCALE_AUTO && said->min_leaf > 0);
}

/* A fold by hand; with `nested` its settings are searched first. */
static void check_fold(const sporf_crossval *result, const sporf_folds *folds, size_t fold,
                       const sporf_dataset *data, sporf_params params, int nested) {
    sporf_dataset *train = NULL, *test = NULL;
    sporf_forest *forest = NULL;
    const sporf_crossval_scores *said = &result->scores[fold];
    assert_ok(sporf_folds_split(folds, data, fold, &train, &test));
    if (nested) {
        sporf_search *found = search(train, &params, SPORF_SEARCH_RACE);
        const sporf_trial *best = &found->trials[found->best];
        assert_memory_equal(&result->trials[fold].projections, &best->projections,
                            sizeof best->projections);
        params.projections = best->projections;
        params.density = best->density;
        sporf_search_free(found);
    }
    assert_ok(sporf_forest_train(train, &params, NULL, &forest));
    check_params(result->params[fold], forest);
    size_t rows = folds->test[fold].count, classes = data->schema.classes.count;
    const uint32_t *place = folds->test[fold].rows;
    if (data->targets > 0) {
        double *values = need(rows, sizeof *values);
        sporf_target_scores scores;
        assert_ok(sporf_forest_evaluate(forest, test, NULL, FILLED(.targets = &scores)));
        assert_ok(sporf_forest_predict(forest, test, NULL, WANTED(.values = values)));
        assert_true(said->rmse == scores.rmse && said->mae == scores.mae && said->r2 == scores.r2);
        assert_true(isnan(said->error));
        for (size_t i = 0; i < rows; i++) assert_true(values[i] == result->values[place[i]]);
        free(values);
    } else {
        uint32_t *predicted = need(rows, sizeof *predicted);
        double *shares = need(rows * classes, sizeof *shares);
        sporf_evaluation scores;
        assert_ok(sporf_forest_evaluate(forest, test, NULL, SCORED(&scores, .confusion = NULL)));
        assert_ok(sporf_forest_predict(forest, test, NULL,
                                       WANTED(.classes = predicted, .probabilities = shares)));
        assert_true(said->error == scores.error && said->kappa == scores.kappa);
        assert_true(said->kappa_paper == scores.kappa_paper && said->log_loss == scores.log_loss);
        assert_true(isnan(said->rmse));
        for (size_t i = 0; i < rows; i++) {
            assert_int_equal(predicted[i], result->classes[place[i]]);
            assert_memory_equal(shares + i * classes, result->probabilities + place[i] * classes,
                                classes * sizeof *shares);
        }
        free(predicted);
        free(shares);
    }
    sporf_forest_free(forest);
    sporf_dataset_free(train);
    sporf_dataset_free(test);
}

static void check_means(const sporf_crossval *result, int numbers) {
    size_t folds = result->folds;
    double sum = 0, squares = 0;
    for (size_t k = 0; k < folds; k++) {
        const sporf_crossval_scores *fold = &result->scores[k];
        sum += numbers ? fold->mae : fold->kappa;
    }
    for (size_t k = 0; k < folds; k++) {
        const sporf_crossval_scores *fold = &result->scores[k];
        double off = (numbers ? fold->mae : fold->kappa) - sum / (double)folds;
        squares += off * off;
    }
    const sporf_crossval_scores *mean = &result->mean, *se = &result->se;
    assert_near(numbers ? mean->mae : mean->kappa, sum / (double)folds, 1e-12);
    assert_near(numbers ? se->mae : se->kappa, sqrt(squares / ((double)folds - 1) / (double)folds),
                1e-12);
}

static void crossval(int nested) {
    for (size_t c = 0; c < CASES; c++) {
        sporf_dataset *data = data_of(&cases[c]);
        sporf_params params = params_of(&cases[c]);
        sporf_folds *folds = NULL;
        sporf_crossval *result = NULL;
        sporf_crossval_options options;
        sporf_search_options inner;
        sporf_crossval_options_init(&options);
        sporf_search_options_init(&inner);
        if (nested) options.search = &inner;
        params.trees = !nested ? 16 : IS_SANITIZED ? 32 : 64;
        assert_ok(sporf_folds_draw(data, 3, 2, &folds));
        assert_ok(sporf_crossval_run(data, folds, &params, &options, &result));
        assert_int_equal(result->folds, 3);
        assert_false(result->interrupted);
        for (size_t k = 0; k < 3; k++) check_fold(result, folds, k, data, params, nested);
        check_means(result, cases[c].numbers);
        sporf_crossval_free(result);
        sporf_folds_free(folds);
        sporf_dataset_free(data);
    }
}

static void cross_validation_is_what_can_be_done_by_hand(void **state) {
    (void)state;
    crossval(0);
}

static void with_a_search_in_every_fold(void **state) {
    (void)state;
    crossval(1);
}

static void progress_counts_all_folds_and_stopping_the_first_ends_them(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 60, 5, 3, 1);
    sporf_folds *folds = NULL;
    sporf_params params = params_with("trees", "10", (char *)NULL);
    assert_ok(sporf_folds_draw(data, 3, 1, &folds));
    for (int nested = 0; nested <= 1; nested++) {
        sporf_crossval *result = NULL;
        sporf_crossval_options options;
        sporf_search_options inner;
        watch all = watch_always(), some = watch_until(5);
        sporf_crossval_options_init(&options);
        sporf_search_options_init(&inner);
        if (nested) options.search = &inner;
        options.payload = &all;
        options.progress = watch_progress;
        assert_ok(sporf_crossval_run(data, folds, &params, &options, &result));
        assert_int_equal(all.faults, 0);
        if (!nested) assert_int_equal(all.done, 30);
        sporf_crossval_free(result);
        result = NULL;
        options.payload = &some;
        options.interrupt = watch_interrupt;
        sporf_params alone = params;
        alone.threads = 1; /* others could grow the rest of the fold before the stop is seen */
        assert_refused(sporf_crossval_run(data, folds, &alone, &options, &result),
                       SPORF_ERROR_CANCELLED, "stopped");
        assert_int_equal(some.faults, 0);
        assert_null(result);
        inner.folds = folds;
        if (nested)
            assert_refused(sporf_crossval_run(data, folds, &params, &options, &result),
                           SPORF_ERROR_ARGUMENT, "must be NULL");
    }
    sporf_folds_free(folds);
    sporf_dataset_free(data);
}

static void check_stopped(const sporf_crossval *part, const sporf_crossval *whole,
                          const sporf_folds *folds, int numbers) {
    const uint32_t *fold = folds->fold;
    assert_true(part->interrupted);
    assert_int_equal(part->folds, 2);
    for (size_t i = 0; i < folds->rows && numbers; i++) {
        double value = part->values[i];
        assert_true(fold[i] < 2 ? value == whole->values[i] : isnan(value));
    }
    for (size_t i = 0; i < folds->rows && !numbers; i++)
        assert_int_equal(part->classes[i], fold[i] < 2 ? whole->classes[i] : SPORF_NO_CLASS);
    check_means(part, numbers);
}

static void stopping_later_keeps_the_folds_done_so_far(void **state) {
    (void)state;
    for (int numbers = 0; numbers <= 1; numbers++) {
        sporf_dataset *data = numbers ? with_targets(DATA_SMOOTH, 60, 5, 1, 1)
                                      : random_data(DATA_SMOOTH, 60, 5, 3, 1);
        sporf_folds *folds = NULL;
        sporf_crossval *part = NULL, *whole = NULL;
        sporf_params params = params_with("trees", "10", "threads", "1", (char *)NULL);
        sporf_crossval_options options;
        watch third_fold = watch_until(20);
        sporf_crossval_options_init(&options);
        assert_ok(sporf_folds_draw(data, 4, 1, &folds));
        assert_ok(sporf_crossval_run(data, folds, &params, &options, &whole));
        options.payload = &third_fold;
        options.progress = watch_progress;
        options.interrupt = watch_interrupt;
        assert_ok(sporf_crossval_run(data, folds, &params, &options, &part));
        check_stopped(part, whole, folds, numbers);
        sporf_crossval_free(part);
        sporf_crossval_free(whole);
        sporf_folds_free(folds);
        sporf_dataset_free(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_is_the_one_that_training_gives),
        cmocka_unit_test(so_it_is_for_tables_as_they_are),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(the_race_finds_what_is_clearly_best),
        cmocka_unit_test(cross_validation_is_what_can_be_done_by_hand),
        cmocka_unit_test(with_a_search_in_every_fold),
        cmocka_unit_test(progress_counts_all_folds_and_stopping_the_first_ends_them),
        cmocka_unit_test(stopping_later_keeps_the_folds_done_so_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
