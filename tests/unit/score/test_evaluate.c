/* Scores of predictions, recomputed from the predictions themselves; labels matched by name. */
#include "support/check.h"
#include "support/random_data.h"
#include "support/repeated.h"
#include "support/wanted.h"

enum { ROWS = 200, CLASSES = 4 };

/* The same rows with other words for their classes; `words` by the class of the row. */
static sporf_dataset *relabelled(const sporf_dataset *data, const char *const *words) {
    size_t rows = sporf_dataset_rows(data), features = sporf_dataset_features(data);
    float *values = need(rows * features, sizeof *values);
    const char **labels = need(rows, sizeof *labels);
    for (size_t i = 0; i < rows; i++) {
        labels[i] = words[sporf_dataset_labels(data)[i]];
        for (size_t j = 0; j < features; j++)
            values[i * features + j] = sporf_dataset_feature(data, j)[i];
    }
    sporf_matrix matrix = {values, SPORF_FLOAT32, rows, features, features, 1};
    sporf_dataset *copy = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &copy));
    assert_ok(sporf_dataset_set_labels_text(copy, labels, rows));
    free(values);
    free(labels);
    return copy;
}

/* The model's number of a row's label, or `classes` where it knows none of that name. */
static size_t known_class(const sporf_forest *forest, const sporf_dataset *data, size_t row) {
    const char *name =
        sporf_schema_class_name(sporf_dataset_schema(data), sporf_dataset_labels(data)[row]);
    for (size_t k = 0; k < sporf_forest_classes(forest); k++)
        if (strcmp(name, sporf_schema_class_name(sporf_forest_schema(forest), k)) == 0) return k;
    return sporf_forest_classes(forest);
}

static void check_scores(const sporf_forest *forest, const sporf_dataset *data,
                         sporf_combine combine) {
    size_t rows = sporf_dataset_rows(data), classes = sporf_forest_classes(forest);
    size_t cells = (classes + 1) * classes, unknown = 0, largest = 0;
    uint32_t *predicted = need(rows, sizeof *predicted);
    double *shares = need(rows * classes, sizeof *shares), wrong = 0, loss = 0, chance = 0;
    size_t *confusion = need(cells, sizeof *confusion), *wanted = need(cells, sizeof *wanted);
    sporf_predict_options options;
    sporf_evaluation scores;
    sporf_predict_options_init(&options);
    options.combine = combine;
    assert_ok(sporf_forest_predict(forest, data, &options,
                                   WANTED(.classes = predicted, .probabilities = shares)));
    for (size_t i = 0; i < rows; i++) {
        size_t truth = known_class(forest, data, i);
        wanted[truth * classes + predicted[i]]++;
        unknown += truth == classes;
        wrong += truth != predicted[i];
        loss -= log(truth < classes ? fmax(shares[i * classes + truth], 0x1p-52) : 0x1p-52);
    }
    for (size_t k = 0; k < classes; k++) {
        size_t truth = 0, said = 0;
        for (size_t j = 0; j < classes; j++) truth += wanted[k * classes + j];
        for (size_t j = 0; j <= classes; j++) said += wanted[j * classes + k];
        chance += (double)truth * (double)said / (double)rows / (double)rows;
        if (k > 0 && truth > largest) largest = truth;
    }
    memset(confusion, 0xff, cells * sizeof *confusion);
    assert_ok(
        sporf_forest_evaluate(forest, data, &options, SCORED(&scores, .confusion = confusion)));
    assert_int_equal(scores.rows, rows);
    assert_int_equal(scores.unknown_labels, unknown);
    assert_true(scores.error == wrong / (double)rows);
    assert_near(scores.log_loss, loss / (double)rows, 1e-9);
    assert_near(scores.kappa, (1 - wrong / (double)rows - chance) / (1 - chance), 1e-9);
    if (unknown == 0) assert_near(scores.kappa_paper, 1 - wrong / (double)(rows - largest), 1e-9);
    assert_memory_equal(confusion, wanted, cells * sizeof *wanted);
    free(predicted);
    free(shares);
    free(confusion);
    free(wanted);
}

static void scores_are_those_of_the_predictions(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, CLASSES, 1),
                  *fresh = random_data(DATA_SMOOTH, ROWS, 4, CLASSES, 2);
    sporf_forest *forest = train_with(data, "trees", "15", (char *)NULL);
    check_scores(forest, fresh, SPORF_COMBINE_VOTES);
    check_scores(forest, fresh, SPORF_COMBINE_POSTERIORS);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    sporf_dataset_free(fresh);
}

static void labels_are_matched_by_name(void **state) {
    (void)state;
    static const char *const trained[] = {"ash", "beech", "cedar", "elm"};
    static const char *const all[] = {"elm", "ash", "beech", "cedar"};
    static const char *const some[] = {"oak", "beech", "yew", "elm"};
    static const char *const none[] = {"a", "b", "c", "d"};
    static const char *const fewer[] = {"elm", "elm", "ash", "ash"};
    const char *const *const cases[] = {trained, all, some, none, fewer};
    sporf_dataset *raw = random_data(DATA_SMOOTH, ROWS, 4, CLASSES, 1),
                  *data = relabelled(raw, trained);
    sporf_forest *forest = train_with(data, "trees", "15", (char *)NULL);
    for (size_t i = 0; i < 5; i++) {
        sporf_dataset *other = relabelled(raw, cases[i]);
        check_scores(forest, other, SPORF_COMBINE_VOTES);
        sporf_dataset_free(other);
    }
    sporf_forest_free(forest);
    sporf_dataset_free(raw);
    sporf_dataset_free(data);
}

static void perfect_predictions_have_perfect_scores(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, CLASSES, 1);
    sporf_forest *forest =
        train_with(data, "method", "rf", "bag", "none", "trees", "3", (char *)NULL);
    sporf_evaluation scores;
    assert_ok(sporf_forest_evaluate(forest, data, NULL, SCORED(&scores, .confusion = NULL)));
    assert_true(scores.error == 0 && scores.kappa == 1 && scores.kappa_paper == 1);
    assert_true(scores.log_loss == 0);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void scores_with_weights_are_those_of_repeated_rows(void **state) {
    (void)state;
    static const char *const words[][CLASSES] = {{"0", "1", "2", "3"}, {"0", "1", "9", "3"}};
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, CLASSES, 1),
                  *raw = random_data(DATA_SMOOTH, ROWS, 4, CLASSES, 2);
    sporf_forest *forest = train_with(data, "trees", "15", (char *)NULL);
    double *times = whole_weights(ROWS, CLASSES, 5);
    for (size_t unknown = 0; unknown < 2; unknown++) {
        sporf_dataset *fresh = relabelled(raw, words[unknown]);
        sporf_dataset *repeated = repeated_rows(fresh, times);
        sporf_evaluation weighted, wanted, without;
        size_t confusion[(CLASSES + 1) * CLASSES], counts[(CLASSES + 1) * CLASSES];
        assert_ok(
            sporf_forest_evaluate(forest, fresh, NULL, SCORED(&without, .confusion = counts)));
        assert_ok(sporf_dataset_set_weights(fresh, times, ROWS));
        assert_ok(
            sporf_forest_evaluate(forest, fresh, NULL, SCORED(&weighted, .confusion = confusion)));
        assert_ok(
            sporf_forest_evaluate(forest, repeated, NULL, SCORED(&wanted, .confusion = NULL)));
        assert_true(weighted.error == wanted.error && weighted.error != without.error);
        assert_true(weighted.kappa == wanted.kappa && weighted.kappa_paper == wanted.kappa_paper);
        assert_near(weighted.log_loss, wanted.log_loss, 1e-12);
        assert_int_equal(weighted.rows, ROWS);
        assert_int_equal(weighted.unknown_labels, without.unknown_labels);
        assert_memory_equal(confusion, counts, sizeof counts);
        sporf_dataset_free(fresh);
        sporf_dataset_free(repeated);
    }
    free(times);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    sporf_dataset_free(raw);
}

static void broken_weights_score_in_proportion(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, CLASSES, 1),
                  *fresh = random_data(DATA_SMOOTH, ROWS, 4, CLASSES, 2);
    sporf_forest *forest = train_with(data, "trees", "15", (char *)NULL);
    double *times = whole_weights(ROWS, CLASSES, 6);
    sporf_evaluation whole, thirds;
    assert_ok(sporf_dataset_set_weights(fresh, times, ROWS));
    assert_ok(sporf_forest_evaluate(forest, fresh, NULL, SCORED(&whole, .confusion = NULL)));
    for (size_t i = 0; i < ROWS; i++) times[i] /= 3e4;
    assert_ok(sporf_dataset_set_weights(fresh, times, ROWS));
    assert_ok(sporf_forest_evaluate(forest, fresh, NULL, SCORED(&thirds, .confusion = NULL)));
    assert_near(thirds.error, whole.error, 1e-6);
    assert_near(thirds.kappa, whole.kappa, 1e-6);
    assert_near(thirds.kappa_paper, whole.kappa_paper, 1e-6);
    assert_near(thirds.log_loss, whole.log_loss, 1e-6);
    for (size_t i = 0; i < ROWS; i++) times[i] = 0;
    assert_ok(sporf_dataset_set_weights(fresh, times, ROWS));
    assert_refused(sporf_forest_evaluate(forest, fresh, NULL, SCORED(&whole, .confusion = NULL)),
                   SPORF_ERROR_DATA, "all weights are 0");
    free(times);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    sporf_dataset_free(fresh);
}

static void what_cannot_be_scored_is_refused(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, CLASSES, 1), *unlabelled = NULL,
                  *narrow = random_data(DATA_SMOOTH, ROWS, 3, CLASSES, 1);
    sporf_forest *forest = train_with(data, "trees", "2", (char *)NULL);
    sporf_evaluation scores;
    const float values[4] = {0};
    sporf_matrix matrix = {values, SPORF_FLOAT32, 1, 4, 4, 1};
    assert_ok(sporf_dataset_from_matrix(&matrix, &unlabelled));
    assert_refused(
        sporf_forest_evaluate(forest, unlabelled, NULL, SCORED(&scores, .confusion = NULL)),
        SPORF_ERROR_DATA, "label");
    assert_refused(sporf_forest_evaluate(forest, narrow, NULL, SCORED(&scores, .confusion = NULL)),
                   SPORF_ERROR_MODEL, "3 features");
    assert_refused(sporf_forest_evaluate(NULL, data, NULL, SCORED(&scores, .confusion = NULL)),
                   SPORF_ERROR_ARGUMENT, "forest");
    assert_refused(sporf_forest_evaluate(forest, NULL, NULL, SCORED(&scores, .confusion = NULL)),
                   SPORF_ERROR_ARGUMENT, "data");
    assert_refused(sporf_forest_evaluate(forest, data, NULL, NULL), SPORF_ERROR_ARGUMENT, "scores");
    assert_refused(sporf_forest_predict(NULL, data, NULL, NULL), SPORF_ERROR_ARGUMENT, "forest");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    sporf_dataset_free(unlabelled);
    sporf_dataset_free(narrow);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_those_of_the_predictions),
        cmocka_unit_test(labels_are_matched_by_name),
        cmocka_unit_test(perfect_predictions_have_perfect_scores),
        cmocka_unit_test(scores_with_weights_are_those_of_repeated_rows),
        cmocka_unit_test(broken_weights_score_in_proportion),
        cmocka_unit_test(what_cannot_be_scored_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
