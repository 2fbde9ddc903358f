/* Boosted models by the public functions: what they predict, what is known of them, and what only
 * forests can do. */
#include "model/combine.h"

#include "support/check.h"
#include "support/random_booster.h"
#include "support/random_data.h"
#include "support/wanted.h"

enum { ROWS = 60, FEATURES = 4, MOST = 3 };

#define SMALL                                                                                      \
    { .plain = 1, .features = FEATURES, .leaves = 9 }

static const booster_shape numbers = {SPF_LINK_NONE, 0, 2, 2, 5, 1, 10, SMALL};
static const booster_shape counts = {SPF_LINK_LOG, 0, 1, 1, 5, 0, 0, SMALL};
static const booster_shape odds = {SPF_LINK_LOG_ODDS, 2, 0, 1, 7, 0, 0, SMALL};
static const booster_shape shares = {SPF_LINK_SOFTMAX, 3, 0, 1, 4, 2, 30, SMALL};

static const booster_shape *const shapes[] = {&numbers, &counts, &odds, &shares};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Rows with labels of the names of random models. */
static sporf_dataset *labelled(size_t classes) {
    static const char *const names[] = {"class 0", "class 1", "class 2"};
    const char *labels[ROWS];
    sporf_dataset *data = random_data(DATA_TIED, ROWS, FEATURES, 2, 5);
    for (size_t i = 0; i < ROWS; i++) labels[i] = names[i % classes];
    assert_ok(sporf_dataset_set_labels_text(data, labels, ROWS));
    return data;
}

/* ---- prediction ------------------------------------------------------------------------------ */

static double link_of(spf_link link, const double *scores, size_t output) {
    double sum = 0;
    switch (link) {
    case SPF_LINK_NONE:
        return scores[output];
    case SPF_LINK_LOG:
        return exp(scores[output]);
    case SPF_LINK_LOG_ODDS:
        return 1 / (1 + exp(output == 1 ? -scores[0] : scores[0]));
    case SPF_LINK_SOFTMAX:
        for (size_t k = 0; k < MOST; k++) sum += exp(scores[k]);
        return exp(scores[output]) / sum;
    }
    return NAN;
}

static void predictions_follow_from_scores(void **state) {
    (void)state;
    sporf_dataset *data = labelled(2);
    for (size_t s = 0; s < SHAPES; s++) {
        sporf_forest *forest = random_booster(s, shapes[s]);
        size_t outputs = spf_outputs(forest), own = forest->boosting.outputs;
        double predicted[ROWS * MOST], scores[ROWS * MOST], alone[ROWS * MOST];
        int is_regression = shapes[s]->targets > 0;
        assert_ok(sporf_forest_predict(forest, data, NULL,
                                       is_regression
                                           ? WANTED(.values = predicted, .scores = scores)
                                           : WANTED(.probabilities = predicted, .scores = scores)));
        assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.scores = alone)));
        assert_memory_equal(scores, alone, ROWS * own * sizeof *scores);
        for (size_t i = 0; i < ROWS * outputs; i++)
            assert_near(predicted[i],
                        link_of(shapes[s]->link, scores + i / outputs * own, i % outputs),
                        1e-13 * fabs(predicted[i]));
        sporf_forest_free(forest);
    }
    sporf_dataset_free(data);
}

static void combination_and_calibration_have_no_effect(void **state) {
    (void)state;
    sporf_dataset *data = labelled(2);
    sporf_forest *forest = random_booster(3, &shares);
    double usual[ROWS * MOST], other[ROWS * MOST];
    uint32_t classes[ROWS], again[ROWS];
    sporf_predict_options options;
    sporf_predict_options_init(&options);
    options.combine = SPORF_COMBINE_POSTERIORS;
    options.calibration = SPORF_CALIBRATE_NONE;
    assert_ok(sporf_forest_predict(forest, data, NULL,
                                   WANTED(.classes = classes, .probabilities = usual)));
    assert_ok(sporf_forest_predict(forest, data, &options,
                                   WANTED(.classes = again, .probabilities = other)));
    assert_memory_equal(usual, other, sizeof usual);
    assert_memory_equal(classes, again, sizeof classes);
    for (size_t i = 0; i < ROWS; i++)
        assert_int_equal(classes[i], spf_argmax(usual + i * MOST, MOST));
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void only_boosted_models_have_scores(void **state) {
    (void)state;
    double scores[ROWS * MOST];
    random_shape shape = {.trees = 2, .features = FEATURES, .classes = 3, .plain = 1};
    sporf_forest *forest = random_forest(1, &shape);
    sporf_dataset *data = labelled(2);
    sporf_boosting boosting;
    assert_int_equal(sporf_forest_boosting(forest, &boosting), 0);
    assert_refused(sporf_forest_predict(forest, data, NULL, WANTED(.scores = scores)),
                   SPORF_ERROR_MODEL, "only boosted models have them");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void only_forests_vote_and_keep_samples(void **state) {
    (void)state;
    sporf_forest *classes = random_booster(1, &odds), *values = random_booster(1, &counts);
    sporf_dataset *data = labelled(2);
    uint32_t whole[ROWS * 8];
    double real[ROWS * 2];
    const double half = 0.5;
    assert_refused(sporf_forest_predict(classes, data, NULL, WANTED(.votes = whole)),
                   SPORF_ERROR_MODEL, "do not vote");
    assert_refused(sporf_forest_predict(classes, data, NULL, WANTED(.tree_classes = whole)),
                   SPORF_ERROR_MODEL, "do not vote");
    assert_refused(sporf_forest_predict(
                       values, data, NULL,
                       WANTED(.quantiles = &half, .quantiles_count = 1, .quantile_values = real)),
                   SPORF_ERROR_MODEL, "boosted and keeps no samples");
    assert_refused(
        sporf_forest_predict(values, data, NULL, WANTED(.interval = 0.9, .bounds = real)),
        SPORF_ERROR_MODEL, "boosted and keeps no samples");
    assert_refused(sporf_forest_predict(classes, data, NULL, WANTED(.values = real)),
                   SPORF_ERROR_MODEL, "classes, not numbers");
    assert_refused(sporf_forest_predict(values, data, NULL, WANTED(.classes = whole)),
                   SPORF_ERROR_MODEL, "numbers, not classes");
    sporf_dataset_free(data);
    sporf_forest_free(values);
    sporf_forest_free(classes);
}

/* ---- evaluation ------------------------------------------------------------------------------ */

static void evaluate_as_predicted(const booster_shape *shape) {
    size_t classes = shape->classes, wrong = 0;
    sporf_dataset *data = labelled(classes);
    sporf_forest *forest = random_booster(2, shape);
    double probabilities[ROWS * MOST], loss = 0;
    uint32_t predicted[ROWS];
    sporf_evaluation scores;
    assert_ok(sporf_forest_predict(forest, data, NULL,
                                   WANTED(.classes = predicted, .probabilities = probabilities)));
    assert_ok(sporf_forest_evaluate(forest, data, NULL, SCORED(&scores)));
    for (size_t i = 0; i < ROWS; i++) {
        wrong += predicted[i] != i % classes;
        loss -= log(probabilities[i * classes + i % classes]);
    }
    assert_near(scores.error, (double)wrong / ROWS, 1e-15);
    assert_near(scores.log_loss, loss / ROWS, 1e-12);
    assert_int_equal(scores.unknown_labels, 0);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void classes_are_evaluated(void **state) {
    (void)state;
    evaluate_as_predicted(&odds);
    evaluate_as_predicted(&shares);
}

static void targets_are_evaluated(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_TIED, ROWS, FEATURES, 2, 5);
    sporf_forest *forest = random_booster(2, &counts);
    float truth[ROWS];
    double predicted[ROWS], square = 0;
    sporf_evaluation scores;
    for (size_t i = 0; i < ROWS; i++) truth[i] = (float)(i % 7);
    set_targets(data, truth, 1);
    assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.values = predicted)));
    assert_ok(sporf_forest_evaluate(forest, data, NULL, SCORED(&scores)));
    for (size_t i = 0; i < ROWS; i++)
        square += (predicted[i] - truth[i]) * (predicted[i] - truth[i]);
    assert_near(scores.rmse, sqrt(square / ROWS), 1e-9);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- inspection ------------------------------------------------------------------------------ */

static void what_is_known_of_boosting_can_be_read(void **state) {
    (void)state;
    for (size_t s = 0; s < SHAPES; s++) {
        sporf_forest *forest = random_booster(s, shapes[s]);
        sporf_boosting boosting;
        sporf_oob oob;
        sporf_calibration_map map;
        assert_int_equal(sporf_forest_boosting(forest, &boosting), 1);
        assert_int_equal(boosting.rounds, shapes[s]->rounds);
        assert_int_equal(boosting.bags, shapes[s]->bags);
        assert_int_equal(boosting.tried, shapes[s]->rounds + shapes[s]->dropped);
        assert_int_equal(boosting.outputs * boosting.bags * boosting.rounds,
                         sporf_forest_trees(forest));
        assert_int_equal(boosting.valid_rows > 0, boosting.valid_losses != NULL);
        assert_string_equal(boosting.loss, "unknown");
        sporf_forest_oob(forest, &oob);
        assert_int_equal(oob.rows, 0);
        assert_int_equal(sporf_forest_calibration(forest, SPORF_COMBINE_VOTES, &map), 0);
        assert_int_equal(sporf_forest_classes(forest), shapes[s]->classes);
        assert_int_equal(sporf_forest_targets(forest), shapes[s]->targets);
        sporf_forest_free(forest);
    }
}

/* Follows a row by the nodes alone. */
static double leaf_value(const sporf_forest *forest, size_t tree, const float *row) {
    sporf_node node;
    assert_ok(sporf_forest_node(forest, tree, 0, &node));
    while (!node.is_leaf) {
        float sum = node.weights[0] * row[node.features[0]];
        for (size_t i = 1; i < node.terms; i++) sum += node.weights[i] * row[node.features[i]];
        uint32_t next = sum <= node.threshold ? node.left : node.right;
        assert_ok(sporf_forest_node(forest, tree, next, &node));
    }
    assert_true(node.classes == 0 && !node.class_index && node.class_weight[0] > 0);
    return node.values[0];
}

static void leaves_hold_what_is_added_to_scores(void **state) {
    (void)state;
    const float row[FEATURES] = {0.5f, -1, 2, 0};
    for (size_t s = 0; s < 2; s++) {
        const booster_shape *shape = s ? &counts : &numbers;
        sporf_forest *forest = random_booster(s, shape);
        sporf_boosting boosting;
        double sums[MOST] = {0}, out[MOST];
        assert_true(sporf_forest_boosting(forest, &boosting));
        for (size_t t = 0; t < sporf_forest_trees(forest); t++)
            sums[t % boosting.outputs] += leaf_value(forest, t, row);
        sporf_forest_predict_row(forest, row, SPORF_COMBINE_VOTES, out);
        for (size_t k = 0; k < boosting.outputs; k++) {
            double score = boosting.base[k] + sums[k] / (double)boosting.bags;
            assert_near(out[k], s ? exp(score) : score, 1e-13 * fabs(out[k]));
        }
        sporf_forest_free(forest);
    }
}

/* Importances depend on the leaves alone, so they are those of a regression forest of the same
 * trees. */
static void importances_are_those_of_the_trees(void **state) {
    (void)state;
    for (size_t s = 0; s < SHAPES; s++) {
        double boosted[FEATURES], averaged[FEATURES], sum = 0;
        sporf_ranking *ranking = NULL;
        sporf_forest *forest = random_booster(s, shapes[s]);
        assert_ok(sporf_forest_importances(forest, boosted));
        assert_ok(sporf_ranking_create(forest, 3, &ranking));
        assert_true(ranking->count > 0 && ranking->projections[0].importance > 0);
        spf_boosting_free(&forest->boosting);
        forest->targets = forest->classes = 1;
        assert_ok(sporf_forest_importances(forest, averaged));
        assert_memory_equal(boosted, averaged, sizeof boosted);
        for (size_t j = 0; j < FEATURES; j++) sum += boosted[j];
        assert_near(sum, 1, 1e-12);
        sporf_ranking_free(ranking);
        sporf_forest_free(forest);
    }
}

static void rows_share_leaves_with_themselves(void **state) {
    (void)state;
    sporf_dataset *data = labelled(2);
    sporf_forest *forest = random_booster(3, &shares);
    uint32_t nearest[ROWS];
    double proximities[ROWS];
    assert_ok(sporf_forest_nearest(forest, data, data, NULL, 1, nearest, proximities));
    for (size_t i = 0; i < ROWS; i++) assert_true(proximities[i] == 1);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void add_setting(sporf_forest *forest, const char *name, const char *value) {
    assert_ok(spf_strings_add(&forest->settings, name, strlen(name)));
    assert_ok(spf_strings_add(&forest->settings, value, strlen(value)));
}

static void recorded_settings_become_parameters(void **state) {
    (void)state;
    sporf_forest *forest = random_booster(1, &counts);
    sporf_params params;
    sporf_boosting boosting;
    sporf_params_init(&params);
    add_setting(forest, "learner", "boosting");
    add_setting(forest, "loss", "poisson");
    add_setting(forest, "rounds", "7");
    add_setting(forest, "rate", "0.125");
    assert_ok(sporf_forest_params(forest, &params));
    assert_int_equal(params.learner, SPORF_LEARNER_BOOSTING);
    assert_int_equal(params.loss, SPORF_LOSS_POISSON);
    assert_int_equal(params.rounds, 7);
    assert_true(params.rate == 0.125);
    assert_true(sporf_forest_boosting(forest, &boosting));
    assert_string_equal(boosting.loss, "poisson");
    sporf_forest_free(forest);
}

/* ---- what only forests can do ---------------------------------------------------------------- */

static void measures_of_bags_are_refused(void **state) {
    (void)state;
    sporf_dataset *data = labelled(2);
    sporf_forest *forest = random_booster(1, &odds), *more = NULL;
    sporf_strength strength;
    sporf_params params;
    double importances[FEATURES];
    sporf_params_init(&params);
    assert_refused(sporf_forest_strength(forest, data, NULL, NULL, &strength), SPORF_ERROR_MODEL,
                   "the model is boosted");
    assert_refused(
        sporf_forest_permutation_importances(forest, data, NULL, NULL, importances, NULL),
        SPORF_ERROR_MODEL, "the model is boosted");
    assert_refused(sporf_forest_bags(forest, data, NULL, NULL, &(uint32_t){0}), SPORF_ERROR_MODEL,
                   "the model is boosted");
    assert_refused(sporf_forest_extend(forest, data, &params, NULL, &more), SPORF_ERROR_ARGUMENT,
                   "the model is boosted");
    assert_null(more);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictions_follow_from_scores),
        cmocka_unit_test(combination_and_calibration_have_no_effect),
        cmocka_unit_test(only_boosted_models_have_scores),
        cmocka_unit_test(only_forests_vote_and_keep_samples),
        cmocka_unit_test(classes_are_evaluated),
        cmocka_unit_test(targets_are_evaluated),
        cmocka_unit_test(what_is_known_of_boosting_can_be_read),
        cmocka_unit_test(leaves_hold_what_is_added_to_scores),
        cmocka_unit_test(importances_are_those_of_the_trees),
        cmocka_unit_test(rows_share_leaves_with_themselves),
        cmocka_unit_test(recorded_settings_become_parameters),
        cmocka_unit_test(measures_of_bags_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
