/* Decisions by cost and by recall: their texts, the classes against brute force over all costs, the
 * threshold against all thresholds, and models that keep them. */
#include "support/check.h"

#include "base/rng.h"
#include "data/dataset.h"
#include "model/forest.h"
#include "support/random_data.h"

/* ---- texts ----------------------------------------------------------------------------------- */

static spf_strings names_of(const char *const *names, size_t count) {
    spf_strings list = {0};
    for (size_t i = 0; i < count; i++)
        assert_ok(spf_strings_add(&list, names[i], strlen(names[i])));
    return list;
}

static const char *const plain_names[] = {"sick", "well", "not sure"};
static const char *const odd_names[] = {"a", "a:b", "b", "b=1", "c,d", "", "b:c"};

static void assert_costs(const char *const *names, size_t count, const char *text, size_t costs,
                         const spf_error_cost *wanted) {
    spf_strings classes = names_of(names, count);
    spf_decision decision;
    assert_ok(spf_decision_read(text, NULL, &classes, &decision));
    assert_int_equal(decision.by, SPF_DECIDE_COST);
    assert_int_equal(decision.costs_count, costs);
    for (size_t i = 0; i < costs; i++) {
        assert_int_equal(decision.costs[i].predicted, wanted[i].predicted);
        assert_int_equal(decision.costs[i].truth, wanted[i].truth);
        assert_true(decision.costs[i].extra == wanted[i].extra);
    }
    spf_decision_free(&decision);
    spf_strings_free(&classes);
}

static void costs_are_read_in_any_order(void **state) {
    (void)state;
    assert_costs(plain_names, 3, "sick:well=10", 1, &(spf_error_cost){1, 0, 9});
    assert_costs(plain_names, 3, "not sure:sick=0,sick:well=1e3,well:sick=2.5", 3,
                 (const spf_error_cost[]){{0, 1, 1.5}, {0, 2, -1}, {1, 0, 999}});
}

static void names_may_hold_separators_and_the_longest_is_taken(void **state) {
    (void)state;
    assert_costs(odd_names, 7, "a:b:b=2", 1, &(spf_error_cost){2, 1, 1});
    assert_costs(odd_names, 7, "a:b:c=2", 1, &(spf_error_cost){6, 0, 1}); /* 'a:b' has no 'c' */
    assert_costs(odd_names, 7, "a:b=1=3", 1, &(spf_error_cost){3, 0, 2});
    assert_costs(odd_names, 7, "c,d:a=3,:a=4", 2, (const spf_error_cost[]){{0, 4, 2}, {0, 5, 3}});
    assert_costs(odd_names, 7, "a:=3", 1, &(spf_error_cost){5, 0, 2});
}

static void assert_text_refused(const char *cost, const char *recall, size_t classes,
                                const char *words) {
    spf_strings list = names_of(plain_names, classes);
    spf_decision decision;
    assert_refused(spf_decision_read(cost, recall, &list, &decision), SPORF_ERROR_ARGUMENT, words);
    spf_decision_free(&decision);
    spf_strings_free(&list);
}

static void wrong_costs_are_refused_with_their_place(void **state) {
    (void)state;
    assert_text_refused("", NULL, 3, "there is no ':'");
    assert_text_refused("sick", NULL, 3, "character 1: there is no ':'");
    assert_text_refused("sick:well", NULL, 3, "there is no '='");
    assert_text_refused("sick:well=2,", NULL, 3, "character 13: there is no ':'");
    assert_text_refused("sick:well=2,sik:well=3", NULL, 3, "'sik:well=3' at character 13");
    assert_text_refused("sik:well=3", NULL, 3, "did you mean 'sick'?");
    assert_text_refused("sick:ill=3", NULL, 3, "no class is called 'ill', the predicted one");
    static const char *const numbers[] = {"-1", "x", "", "1e16", "inf", "nan", "2;3"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char text[64];
        snprintf(text, sizeof text, "sick:well=%s", numbers[i]);
        assert_text_refused(text, NULL, 3, "must be a number from 0 to 1e15");
    }
    assert_text_refused("sick:sick=3", NULL, 3, "costs nothing");
    assert_text_refused("sick:well=2,well:sick=3,sick:well=2", NULL, 3,
                        "two costs for 'sick:well'");
    assert_text_refused("sick:well=2", NULL, 0, "is for classification");
}

static void wrong_recalls_are_refused(void **state) {
    (void)state;
    static const char *const texts[] = {"sick", "sick=", "sick=0", "sick=1.1", "sik=0.5", "=0.5"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_text_refused(NULL, texts[i], 2, "must be CLASS=SHARE");
    assert_text_refused(NULL, "sick=0.9", 3, "is for two classes, but there are 3");
    assert_text_refused("sick:well=2", "sick=0.9", 2, "give one of them");
    assert_text_refused(NULL, "sick=0.9", 0, "is for classification");
}

/* ---- brute force ----------------------------------------------------------------------------- */

enum { CLASSES_MOST = 6 };

/* Costs of all errors as a matrix, and the text with those that are not 1. */
typedef struct {
    double cost[CLASSES_MOST][CLASSES_MOST]; /* [truth][predicted] */
    char text[2048];
} cost_table;

static cost_table draw_costs(const spf_strings *classes, sporf_random *random) {
    cost_table table = {.text = ""};
    for (size_t t = 0; t < classes->count; t++)
        for (size_t k = 0; k < classes->count; k++) {
            size_t used = strlen(table.text);
            table.cost[t][k] = t == k ? 0
                               : spf_random_uniform(random) < 0.5
                                   ? 1
                                   : floor(20 * spf_random_uniform(random)) / 2;
            if (t == k || table.cost[t][k] == 1) continue;
            snprintf(table.text + used, sizeof table.text - used, "%s%s:%s=%g", used ? "," : "",
                     spf_strings_at(classes, t), spf_strings_at(classes, k), table.cost[t][k]);
        }
    return table;
}

static double expected_cost(const cost_table *table, const double *probabilities, size_t classes,
                            size_t k) {
    double sum = 0;
    for (size_t t = 0; t < classes; t++) sum += probabilities[t] * table->cost[t][k];
    return sum;
}

/* The class must be one of the cheapest, up to rounding. */
static void assert_cheapest(const cost_table *table, const double *probabilities, size_t classes,
                            uint32_t class) {
    double own = expected_cost(table, probabilities, classes, class);
    for (size_t k = 0; k < classes; k++)
        assert_true(own <= expected_cost(table, probabilities, classes, k) + 1e-12);
}

static void the_class_is_the_cheapest(void **state) {
    (void)state;
    static const char *const letters[] = {"a", "b", "c", "d", "e", "f"};
    sporf_random random = spf_random_start(7, 1, SPF_USE_SIMULATE);
    for (int i = 0; i < DRAWN(2000); i++) {
        size_t count = 2 + (size_t)(spf_random_uniform(&random) * (CLASSES_MOST - 1));
        spf_strings classes = names_of(letters, count);
        cost_table table = draw_costs(&classes, &random);
        double probabilities[CLASSES_MOST], sum = 0;
        spf_decision decision;
        assert_ok(spf_decision_read(*table.text ? table.text : NULL, NULL, &classes, &decision));
        for (size_t k = 0; k < count; k++) sum += probabilities[k] = spf_random_uniform(&random);
        for (size_t k = 0; k < count; k++) probabilities[k] /= sum;
        assert_cheapest(&table, probabilities, count, spf_decide(&decision, probabilities, count));
        spf_decision_free(&decision);
        spf_strings_free(&classes);
    }
}

static void equal_costs_give_the_lowest_class(void **state) {
    (void)state;
    spf_strings classes = names_of(plain_names, 3);
    spf_decision decision;
    assert_ok(spf_decision_read("well:sick=3", NULL, &classes, &decision));
    assert_int_equal(spf_decide(&decision, (const double[]){0.75, 0.25, 0}, 3), 0);
    assert_int_equal(spf_decide(&decision, (const double[]){0.5, 0.25, 0.25}, 3), 1);
    assert_int_equal(spf_decide(NULL, (const double[]){0.5, 0, 0.5}, 3), 0);
    spf_decision_free(&decision);
    spf_strings_free(&classes);
}

/* ---- models ---------------------------------------------------------------------------------- */

typedef struct {
    uint32_t *classes;
    double *probabilities;
} predicted;

static predicted predict(const sporf_forest *forest, const sporf_dataset *data,
                         const sporf_predict_options *options, int wants_both) {
    predicted p = {need(data->rows, sizeof *p.classes),
                   need(data->rows * forest->classes, sizeof *p.probabilities)};
    sporf_predictions out;
    sporf_predictions_init(&out);
    out.classes = p.classes;
    if (wants_both) out.probabilities = p.probabilities;
    assert_ok(sporf_forest_predict(forest, data, options, &out));
    return p;
}

static void release(predicted *p) {
    free(p->classes);
    free(p->probabilities);
}

/* Classes follow from the probabilities of the same call, alone as together with them, and in one
 * row as in all. */
static void check_model(const sporf_forest *forest, const sporf_dataset *data,
                        const cost_table *table, sporf_combine combine) {
    sporf_predict_options options;
    sporf_predict_options_init(&options);
    options.combine = combine;
    predicted both = predict(forest, data, &options, 1), alone = predict(forest, data, &options, 0);
    size_t classes = forest->classes;
    uint32_t *decided = need(data->rows, sizeof *decided);
    assert_ok(sporf_forest_decide(forest, both.probabilities, data->rows, decided));
    assert_memory_equal(both.classes, alone.classes, data->rows * sizeof *decided);
    assert_memory_equal(both.classes, decided, data->rows * sizeof *decided);
    for (size_t i = 0; i < data->rows; i++) {
        float row[16];
        double own[CLASSES_MOST];
        for (size_t j = 0; j < data->features; j++) row[j] = data->columns[j][i];
        if (table)
            assert_cheapest(table, both.probabilities + i * classes, classes, both.classes[i]);
        assert_int_equal(sporf_forest_predict_row(forest, row, combine, own), both.classes[i]);
    }
    free(decided);
    release(&both);
    release(&alone);
}

static sporf_forest *reloaded(const sporf_forest *forest) {
    sporf_forest *again;
    void *bytes, *bytes_again;
    size_t size, size_again;
    assert_ok(sporf_forest_save_bytes(forest, &bytes, &size));
    assert_ok(sporf_forest_load_bytes(bytes, size, &again));
    assert_ok(sporf_forest_save_bytes(again, &bytes_again, &size_again));
    assert_int_equal(size, size_again);
    assert_memory_equal(bytes, bytes_again, size);
    sporf_free(bytes);
    sporf_free(bytes_again);
    return again;
}

static void check_costs(const sporf_dataset *data, sporf_random *random, const char *name,
                        const char *value) {
    cost_table table = draw_costs(&data->schema.classes, random);
    if (!*table.text) return;
    sporf_forest *forest = train_with(data, "trees", "15", "cost", table.text, name, value, NULL);
    sporf_forest *again = reloaded(forest);
    for (int c = 0; c < 2; c++) {
        check_model(forest, data, &table, (sporf_combine)c);
        check_model(again, data, &table, (sporf_combine)c);
    }
    sporf_forest_free(forest);
    sporf_forest_free(again);
}

static void models_predict_the_cheapest_class(void **state) {
    (void)state;
    sporf_random random = spf_random_start(8, 1, SPF_USE_SIMULATE);
    for (size_t classes = 2; classes <= CLASSES_MOST; classes += 2) {
        sporf_dataset *data = random_data(DATA_TIED, 150, 5, classes, classes);
        check_costs(data, &random, "calibration", "auto");
        check_costs(data, &random, "calibration", "none");
        check_costs(data, &random, "bag", "none");
        sporf_dataset_free(data);
    }
}

static void boosted_models_do_as_well(void **state) {
    (void)state;
    sporf_random random = spf_random_start(9, 1, SPF_USE_SIMULATE);
    for (size_t classes = 2; classes <= 3; classes++) {
        sporf_dataset *data = random_data(DATA_SMOOTH, 120, 4, classes, 3);
        cost_table table;
        do table = draw_costs(&data->schema.classes, &random);
        while (!*table.text);
        sporf_forest *forest = train_with(data, "learner", "boosting", "rounds", "8", "bags", "1",
                                          "cost", table.text, NULL);
        check_model(forest, data, &table, SPORF_COMBINE_VOTES);
        sporf_forest_free(forest);
        sporf_dataset_free(data);
    }
}

static void costs_of_1_change_nothing(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_TIED, 200, 4, 2, 5);
    char text[64];
    const spf_strings *names = &data->schema.classes;
    snprintf(text, sizeof text, "%s:%s=1", spf_strings_at(names, 0), spf_strings_at(names, 1));
    sporf_forest *plain = train_with(data, "trees", "15", NULL);
    sporf_forest *forest = train_with(data, "trees", "15", "cost", text, NULL);
    predicted a = predict(plain, data, NULL, 1), b = predict(forest, data, NULL, 1);
    assert_memory_equal(a.classes, b.classes, data->rows * sizeof *a.classes);
    assert_memory_equal(a.probabilities, b.probabilities, 2 * data->rows * sizeof *a.probabilities);
    release(&a);
    release(&b);
    sporf_forest_free(plain);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void a_plain_decision_ignores_costs(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_NOISE, 200, 4, 2, 6);
    char text[64];
    const spf_strings *names = &data->schema.classes;
    snprintf(text, sizeof text, "%s:%s=9", spf_strings_at(names, 0), spf_strings_at(names, 1));
    sporf_forest *plain = train_with(data, "trees", "15", "bag", "subsample", NULL);
    sporf_forest *forest = train_with(data, "trees", "15", "bag", "subsample", "cost", text, NULL);
    sporf_predict_options options;
    sporf_predict_options_init(&options);
    options.decision = SPORF_DECIDE_PLAIN;
    predicted a = predict(plain, data, NULL, 0), b = predict(forest, data, &options, 0);
    predicted own = predict(forest, data, NULL, 0);
    assert_memory_equal(a.classes, b.classes, data->rows * sizeof *a.classes);
    assert_true(memcmp(a.classes, own.classes, data->rows * sizeof *a.classes) != 0);
    sporf_evaluation evaluation;
    sporf_evaluation_init(&evaluation);
    evaluation.predicted = b.classes;
    assert_ok(sporf_forest_evaluate(forest, data, NULL, &evaluation));
    assert_memory_equal(b.classes, own.classes, data->rows * sizeof *a.classes);
    options.decision = (sporf_decide)2;
    sporf_predictions out;
    sporf_predictions_init(&out);
    out.classes = a.classes;
    assert_refused(sporf_forest_predict(forest, data, &options, &out), SPORF_ERROR_ARGUMENT,
                   "must be model or plain");
    release(&a);
    release(&b);
    release(&own);
    sporf_forest_free(plain);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- recall ---------------------------------------------------------------------------------- */

typedef struct {
    double recall, precision;
} rates;

/* Of the out-of-bag rows, by weight, if a class is predicted from a probability on. */
static rates rates_at(const sporf_dataset *data, const double *probabilities, uint32_t class,
                      double threshold) {
    double found = 0, predicted = 0, all = 0;
    for (size_t i = 0; i < data->rows; i++) {
        double weight = data->weights ? (double)data->weights[i] : 1;
        double own = probabilities[2 * i + class];
        if (isnan(own)) continue;
        if (data->labels[i] == class) all += weight;
        if (own < threshold) continue;
        predicted += weight;
        if (data->labels[i] == class) found += weight;
    }
    return (rates){found / all, found / predicted};
}

static void check_threshold(const sporf_dataset *data, const sporf_forest *forest, uint32_t class,
                            double recall) {
    double *probabilities = need(2 * data->rows, sizeof *probabilities), threshold;
    uint32_t found;
    assert_ok(sporf_forest_oob_probabilities(forest, probabilities));
    assert_int_equal(sporf_forest_threshold(forest, &found, &threshold), 1);
    assert_int_equal(found, class);
    rates own = rates_at(data, probabilities, class, threshold);
    assert_true(own.recall >= recall - 1e-12);
    for (size_t i = 0; i < data->rows; i++) {
        if (isnan(probabilities[2 * i])) continue;
        rates other = rates_at(data, probabilities, class, probabilities[2 * i + class]);
        assert_true(other.recall < recall || other.precision <= own.precision + 1e-12);
    }
    free(probabilities);
}

static void the_threshold_reaches_the_recall_with_the_highest_precision(void **state) {
    (void)state;
    static const double recalls[] = {0.05, 0.5, 0.8, 0.95, 1};
    for (size_t i = 0; i < 20; i++) {
        sporf_dataset *data =
            random_data(i % 4 < 2 ? DATA_SMOOTH : DATA_NOISE, i % 3 ? 120 : 40, 4, 2, i);
        uint32_t class = i % 2;
        char text[64];
        if (i % 5 == 4) weigh_rows(data, 1);
        snprintf(text, sizeof text, "%s=%g", spf_strings_at(&data->schema.classes, class),
                 recalls[i % 5]);
        sporf_forest *forest = train_with(data, "trees", i % 2 ? "4" : "25", "recall", text,
                                          "calibration", i % 3 == 2 ? "none" : "auto", NULL);
        sporf_forest *again = reloaded(forest);
        check_threshold(data, forest, class, recalls[i % 5]);
        check_model(forest, data, NULL, SPORF_COMBINE_VOTES);
        check_model(again, data, NULL, SPORF_COMBINE_VOTES);
        assert_true(again->decision.threshold == forest->decision.threshold);
        sporf_forest_free(forest);
        sporf_forest_free(again);
        sporf_dataset_free(data);
    }
}

static void train_refused(const sporf_dataset *data, const sporf_params *params,
                          sporf_status status, const char *words) {
    sporf_forest *forest = NULL;
    assert_refused(sporf_forest_train(data, params, NULL, &forest), status, words);
    assert_null(forest);
}

static void a_recall_needs_out_of_bag_rows(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 60, 4, 2, 1);
    char text[64];
    snprintf(text, sizeof text, "%s=0.9", spf_strings_at(&data->schema.classes, 1));
    sporf_params params = params_with("trees", "5", "recall", text, "bag", "none", NULL);
    train_refused(data, &params, SPORF_ERROR_ARGUMENT, "needs out-of-bag rows");
    params = params_with("learner", "boosting", "recall", text, NULL);
    train_refused(data, &params, SPORF_ERROR_ARGUMENT, "which boosting does not have");
    memset(data->labels, 0, data->rows * sizeof *data->labels);
    params = params_with("trees", "5", "recall", text, NULL);
    train_refused(data, &params, SPORF_ERROR_DATA, "and there is none");
    sporf_dataset_free(data);
}

static void a_threshold_is_for_calibrated_probabilities(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 100, 4, 2, 1);
    uint32_t *classes = need(data->rows, sizeof *classes);
    sporf_predict_options options;
    sporf_predictions out;
    char text[64];
    snprintf(text, sizeof text, "%s=0.9", spf_strings_at(&data->schema.classes, 1));
    sporf_forest *forest = train_with(data, "trees", "20", "recall", text, NULL);
    sporf_predict_options_init(&options);
    sporf_predictions_init(&out);
    out.classes = classes;
    options.calibration = SPORF_CALIBRATE_NONE;
    assert_refused(sporf_forest_predict(forest, data, &options, &out), SPORF_ERROR_ARGUMENT,
                   "its threshold is for calibrated probabilities");
    options.decision = SPORF_DECIDE_PLAIN;
    assert_ok(sporf_forest_predict(forest, data, &options, &out));
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    free(classes);
}

static void added_trees_give_the_model_of_one_training(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 100, 4, 2, 1);
    char text[64];
    void *bytes[2];
    size_t size[2];
    sporf_forest *more;
    snprintf(text, sizeof text, "%s=0.9", spf_strings_at(&data->schema.classes, 1));
    sporf_forest *few = train_with(data, "trees", "10", "recall", text, NULL);
    sporf_forest *many = train_with(data, "trees", "20", "recall", text, NULL);
    sporf_params params;
    sporf_params_init(&params);
    assert_ok(sporf_forest_params(few, &params));
    params.trees = 20;
    assert_ok(sporf_forest_extend(few, data, &params, NULL, &more));
    assert_ok(sporf_forest_save_bytes(many, &bytes[0], &size[0]));
    assert_ok(sporf_forest_save_bytes(more, &bytes[1], &size[1]));
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    sporf_free(bytes[0]);
    sporf_free(bytes[1]);
    sporf_forest_free(few);
    sporf_forest_free(many);
    sporf_forest_free(more);
    sporf_dataset_free(data);
}

/* ---- damaged files --------------------------------------------------------------------------- */

/* Saves a forest with one more setting, and reads it back. */
static void assert_damaged(const char *name, const char *value, const char *second,
                           const char *second_value) {
    sporf_dataset *data = random_data(DATA_SMOOTH, 60, 4, 2, 1);
    sporf_forest *forest = train_with(data, "trees", "3", NULL), *again = NULL;
    const char *const texts[] = {name, value, second, second_value};
    void *bytes;
    size_t size;
    for (size_t i = 0; i < 4 && texts[i]; i++)
        assert_ok(spf_strings_add(&forest->settings, texts[i], strlen(texts[i])));
    assert_ok(sporf_forest_save_bytes(forest, &bytes, &size));
    assert_int_equal(sporf_forest_load_bytes(bytes, size, &again), SPORF_ERROR_MODEL);
    assert_null(again);
    sporf_free(bytes);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void damaged_settings_are_refused(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 60, 4, 2, 1);
    char recall[64];
    snprintf(recall, sizeof recall, "%s=0.9", spf_strings_at(&data->schema.classes, 1));
    assert_damaged("cost", "nobody:knows=3", NULL, NULL);
    assert_damaged("cost", "", NULL, NULL);
    assert_damaged("recall", recall, NULL, NULL);
    assert_damaged("threshold", "0.5", NULL, NULL);
    assert_damaged("recall", recall, "threshold", "1.5");
    assert_damaged("recall", recall, "threshold", "half");
    assert_damaged("recall", "nobody=0.5", "threshold", "0.5");
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_are_read_in_any_order),
        cmocka_unit_test(names_may_hold_separators_and_the_longest_is_taken),
        cmocka_unit_test(wrong_costs_are_refused_with_their_place),
        cmocka_unit_test(wrong_recalls_are_refused),
        cmocka_unit_test(the_class_is_the_cheapest),
        cmocka_unit_test(equal_costs_give_the_lowest_class),
        cmocka_unit_test(models_predict_the_cheapest_class),
        cmocka_unit_test(boosted_models_do_as_well),
        cmocka_unit_test(costs_of_1_change_nothing),
        cmocka_unit_test(a_plain_decision_ignores_costs),
        cmocka_unit_test(the_threshold_reaches_the_recall_with_the_highest_precision),
        cmocka_unit_test(a_recall_needs_out_of_bag_rows),
        cmocka_unit_test(a_threshold_is_for_calibrated_probabilities),
        cmocka_unit_test(added_trees_give_the_model_of_one_training),
        cmocka_unit_test(damaged_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
