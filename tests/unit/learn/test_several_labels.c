/* Forests that predict several labels.
 * Labels: threads */
#include "data/dataset.h"
#include "data/label_columns.h"
#include "model/forest.h"

#include "support/check.h"
#include "support/encoded_model.h"
#include "support/plain_tree.h"
#include "support/random_data.h"
#include "support/wanted.h"

enum { LABELS = 3 };
static const size_t class_counts[LABELS] = {2, 3, 4};

/* A class that depends on features, and on chance in a few rows. */
static int64_t class_of(const sporf_dataset *data, size_t label, size_t row, uint32_t *noise) {
    float sum = data->columns[label][row] + data->columns[(label + 1) % data->features][row];
    if (isnan(sum)) return 0;
    *noise = *noise * 1664525u + 1013904223u;
    if (*noise >> 28 == 0) return (int64_t)(*noise % class_counts[label]);
    return (int64_t)(fabsf(sum * 2)) % (int64_t)class_counts[label];
}

static void add_labels(sporf_dataset *data, size_t labels) {
    static const char *const names[] = {"colour", "size", "shape"};
    int64_t *classes = need(data->rows, sizeof *classes);
    uint32_t noise = 1;
    for (size_t k = 0; k < labels; k++) {
        for (size_t i = 0; i < data->rows; i++) classes[i] = class_of(data, k, i, &noise);
        for (size_t i = 0; i < class_counts[k]; i++) classes[i] = (int64_t)i;
        assert_ok(sporf_dataset_set_labels_int(data, classes, data->rows));
        assert_ok(sporf_dataset_set_label_name(data, names[k]));
        assert_ok(sporf_dataset_add_label_column(data));
    }
    free(classes);
}

static sporf_dataset *labelled(data_kind kind, size_t rows, size_t features, uint64_t seed) {
    sporf_dataset *data = with_targets(kind, rows, features, 1, seed);
    assert_ok(sporf_dataset_set_targets(data, NULL, NULL));
    add_labels(data, LABELS);
    return data;
}

/* ---- the data -------------------------------------------------------------------------------- */

static void targets_are_indicators_of_the_classes(void **state) {
    (void)state;
    sporf_dataset *data = labelled(DATA_SMOOTH, 50, 4, 1);
    const sporf_schema *schema = sporf_dataset_schema(data);
    assert_int_equal(sporf_schema_label_columns(schema), LABELS);
    assert_int_equal(sporf_dataset_targets(data), 2 + 3 + 4);
    assert_null(sporf_dataset_labels(data));
    assert_int_equal(sporf_dataset_classes(data), 0);
    assert_string_equal(sporf_schema_label_column_name(schema, 1), "size");
    assert_null(sporf_schema_label_column_name(schema, LABELS));
    assert_int_equal(sporf_schema_label_column_classes(schema, 2), 4);
    assert_int_equal(sporf_schema_label_column_classes(schema, LABELS), 0);
    assert_int_equal(sporf_schema_label_column_target(schema, 2), 5);
    assert_string_equal(sporf_schema_label_column_class(schema, 2, 3), "3");
    assert_null(sporf_schema_label_column_class(schema, 2, 4));
    assert_string_equal(sporf_schema_target_name(schema, 4), "size=2");
    for (size_t i = 0; i < data->rows; i++)
        for (size_t k = 0, t = 0; k < LABELS; k++) {
            float sum = 0;
            for (size_t end = t + class_counts[k]; t < end; t++)
                sum += sporf_dataset_target(data, t)[i];
            assert_true(sum == 1);
        }
    sporf_dataset_free(data);
}

static void label_columns_need_labels_and_names_of_their_own(void **state) {
    (void)state;
    static const int64_t classes[] = {0, 1, 0, 1};
    static const char *const first[] = {"b=c", "d", "d", "d"}, *const second[] = {"c", "d", "d",
                                                                                  "d"};
    sporf_dataset *data = with_targets(DATA_SMOOTH, 4, 2, 1, 1);
    assert_refused(sporf_dataset_add_label_column(NULL), SPORF_ERROR_ARGUMENT, "needs data");
    assert_ok(sporf_dataset_set_labels_int(data, classes, 4));
    assert_refused(sporf_dataset_add_label_column(data), SPORF_ERROR_ARGUMENT,
                   "the data have targets for regression");
    assert_ok(sporf_dataset_set_targets(data, NULL, NULL));
    assert_ok(sporf_dataset_add_label_column(data));
    assert_string_equal(sporf_schema_label_column_name(sporf_dataset_schema(data), 0), "y1");
    assert_ok(sporf_dataset_set_labels_int(data, classes, 4));
    assert_ok(sporf_dataset_set_label_name(data, "y1"));
    assert_refused(sporf_dataset_add_label_column(data), SPORF_ERROR_DATA,
                   "two label columns are named 'y1'");
    assert_ok(sporf_dataset_set_labels_text(data, first, 4));
    assert_ok(sporf_dataset_set_label_name(data, "a"));
    assert_ok(sporf_dataset_add_label_column(data));
    assert_ok(sporf_dataset_set_labels_text(data, second, 4));
    assert_ok(sporf_dataset_set_label_name(data, "a=b"));
    assert_refused(sporf_dataset_add_label_column(data), SPORF_ERROR_DATA, "both called 'a=b=c'");
    sporf_dataset_free(data);
}

/* ---- the best cut ---------------------------------------------------------------------------- */

/* The Gini impurity of some rows times their weight, added over the labels. */
static double impurity(const sporf_dataset *data, size_t feature, float threshold, int left) {
    double sums[16] = {0}, weight = 0, squares = 0;
    for (size_t i = 0; i < data->rows; i++) {
        double own = data->weights ? data->weights[i] : 1;
        if ((data->columns[feature][i] <= threshold) != left) continue;
        for (size_t t = 0; t < data->targets; t++) sums[t] += own * spf_target_of(data, t)[i];
        weight += own;
    }
    for (size_t t = 0; t < data->targets; t++) squares += sums[t] * sums[t];
    return weight > 0 ? weight * LABELS - squares / weight : 0;
}

static double best_impurity(const sporf_dataset *data) {
    double best = INFINITY;
    for (size_t j = 0; j < data->features; j++)
        for (size_t i = 0; i < data->rows; i++) {
            float at = data->columns[j][i];
            best = fmin(best, impurity(data, j, at, 1) + impurity(data, j, at, 0));
        }
    return best;
}

static void a_split_has_the_lowest_gini_impurity_over_all_labels(void **state) {
    (void)state;
    static const data_kind kinds[] = {DATA_SMOOTH, DATA_TIED, DATA_BYTES};
    for (size_t k = 0; k < 6; k++) {
        sporf_dataset *data = labelled(kinds[k % 3], 150, 4, k + 1);
        if (k > 2) weigh_rows(data, 0.25);
        sporf_forest *forest = train_with(data, "trees", "1", "bag", "none", "method", "rf",
                                          "projections", "p", "max-depth", "1", (char *)NULL);
        const spf_tree *tree = plain_tree(forest, 0);
        assert_int_equal(tree->nodes_count, 3);
        float threshold = tree->nodes[0].threshold;
        size_t feature = tree->term_feature[0];
        assert_near(impurity(data, feature, threshold, 1) + impurity(data, feature, threshold, 0),
                    best_impurity(data), 1e-4);
        sporf_forest_free(forest);
        sporf_dataset_free(data);
    }
}

/* ---- predictions ----------------------------------------------------------------------------- */

static void leaves_hold_shares_of_classes(void **state) {
    (void)state;
    sporf_dataset *data = labelled(DATA_SMOOTH, 300, 5, 2);
    sporf_forest *forest = train_with(data, "trees", "5", "min-leaf", "4", (char *)NULL);
    double *shares = need(data->rows * data->targets, sizeof *shares);
    uint32_t *classes = need(data->rows * LABELS, sizeof *classes);
    assert_ok(sporf_forest_predict(forest, data, NULL,
                                   WANTED(.values = shares, .label_classes = classes)));
    for (size_t i = 0; i < data->rows; i++)
        for (size_t k = 0, t = 0; k < LABELS; k++) {
            const double *own = shares + i * data->targets + t;
            double sum = 0;
            for (size_t c = 0; c < class_counts[k]; c++) {
                sum += own[c];
                assert_true(own[c] <= own[classes[i * LABELS + k]]);
            }
            assert_near(sum, 1, 1e-6);
            t += class_counts[k];
        }
    uint32_t *again = need(data->rows * LABELS, sizeof *again);
    assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.label_classes = again)));
    assert_memory_equal(classes, again, data->rows * LABELS * sizeof *again);
    free(again);
    free(shares);
    free(classes);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void one_label_of_two_classes_grows_the_trees_of_a_classification(void **state) {
    (void)state;
    sporf_dataset *plain = random_data(DATA_SMOOTH, 400, 4, 2, 3);
    sporf_dataset *several = random_data(DATA_SMOOTH, 400, 4, 2, 3);
    assert_ok(sporf_dataset_add_label_column(several));
    sporf_forest *a = train_with(plain, "trees", "3", "split", "exact", (char *)NULL);
    sporf_forest *b = train_with(several, "trees", "3", "split", "exact", (char *)NULL);
    for (size_t t = 0; t < 3; t++) {
        const spf_tree *one = plain_tree(a, t), *other = plain_tree(b, t);
        assert_int_equal(one->nodes_count, other->nodes_count);
        for (uint32_t i = 0; i < one->nodes_count; i++)
            assert_true(one->nodes[i].threshold == other->nodes[i].threshold);
    }
    sporf_forest_free(a);
    sporf_forest_free(b);
    sporf_dataset_free(plain);
    sporf_dataset_free(several);
}

static void out_of_bag_errors_are_those_of_the_predictions(void **state) {
    (void)state;
    sporf_dataset *data = labelled(DATA_SMOOTH, 300, 5, 4);
    sporf_forest *forest = train_with(data, "trees", "30", (char *)NULL);
    const double *errors = sporf_forest_oob_labels(forest);
    double wrong[LABELS + 1] = {0}, rows = 0, mean = 0;
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    for (size_t i = 0; i < data->rows; i++) {
        const double *shares = oob.predictions + i * data->targets;
        uint32_t classes[LABELS];
        int some = 0;
        if (isnan(shares[0])) continue;
        spf_label_columns_decide(&data->schema, shares, classes);
        for (size_t k = 0; k < LABELS; k++) {
            size_t target = sporf_schema_label_column_target(&data->schema, k) + classes[k];
            int is_wrong = spf_target_of(data, target)[i] == 0;
            wrong[k] += is_wrong;
            some |= is_wrong;
        }
        wrong[LABELS] += some;
        rows++;
    }
    for (size_t k = 0; k <= LABELS; k++) assert_near(errors[k], wrong[k] / rows, 1e-12);
    for (size_t k = 0; k < LABELS; k++) mean += errors[k] / LABELS;
    assert_near(oob.error, mean, 1e-12);
    assert_near(oob.curve[29], oob.error, 0);
    assert_true(isnan(oob.kappa) && isnan(oob.r2));
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void threads_change_nothing(void **state) {
    (void)state;
    sporf_dataset *data = labelled(DATA_MIXED, 3000, 6, 5);
    sporf_forest *one = train_with(data, "trees", "8", "threads", "1", (char *)NULL);
    sporf_forest *many = train_with(data, "trees", "8", "threads", "4", (char *)NULL);
    model a = encode(one), b = encode(many);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
    free(a.bytes);
    free(b.bytes);
    sporf_forest_free(one);
    sporf_forest_free(many);
    sporf_dataset_free(data);
}

static void more_trees_are_those_of_a_longer_training(void **state) {
    (void)state;
    sporf_dataset *data = labelled(DATA_SMOOTH, 300, 5, 6);
    sporf_forest *all = train_with(data, "trees", "12", (char *)NULL);
    sporf_forest *some = train_with(data, "trees", "5", (char *)NULL), *more = NULL;
    sporf_params params = params_with("trees", "12", (char *)NULL);
    assert_ok(sporf_forest_extend(some, data, &params, NULL, &more));
    model a = encode(all), b = encode(more);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
    free(a.bytes);
    free(b.bytes);
    sporf_forest_free(all);
    sporf_forest_free(some);
    sporf_forest_free(more);
    sporf_dataset_free(data);
}

/* ---- evaluation ------------------------------------------------------------------------------ */

static void evaluation_counts_wrong_labels(void **state) {
    (void)state;
    static const char *const strange[] = {"purple", "0"};
    sporf_dataset *data = labelled(DATA_SMOOTH, 300, 5, 7), *test = NULL;
    sporf_forest *forest = train_with(data, "trees", "10", (char *)NULL);
    double errors[LABELS];
    sporf_evaluation found = {.struct_size = sizeof found, .label_errors = errors};
    assert_ok(sporf_forest_evaluate(forest, data, NULL, &found));
    assert_int_equal(found.rows, 300);
    assert_near(found.error, (errors[0] + errors[1] + errors[2]) / 3, 1e-12);
    assert_true(found.subset_error >= found.error && found.subset_error <= 3 * found.error);
    assert_true(isnan(found.rmse) && isnan(found.kappa));

    uint32_t rows[] = {0, 1};
    assert_ok(sporf_dataset_select(data, rows, 2, &test));
    assert_ok(sporf_dataset_set_targets(test, NULL, NULL));
    for (size_t k = 0; k < LABELS; k++) {
        assert_ok(sporf_dataset_set_labels_text(test, strange, 2));
        assert_ok(sporf_dataset_set_label_name(
            test, sporf_schema_label_column_name(sporf_dataset_schema(data), k)));
        assert_ok(sporf_dataset_add_label_column(test));
    }
    assert_ok(sporf_forest_evaluate(forest, test, NULL, &found));
    assert_int_equal(found.unknown_labels, 1);
    assert_true(found.subset_error >= 0.5);
    assert_ok(sporf_dataset_set_targets(test, NULL, NULL));
    assert_refused(sporf_forest_evaluate(forest, test, NULL, &found), SPORF_ERROR_DATA,
                   "evaluation needs the labels");
    sporf_dataset_free(test);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- what does not apply --------------------------------------------------------------------- */

static void options_for_one_label_are_refused(void **state) {
    (void)state;
    static const char *const options[][2] = {
        {"bag", "stratified"}, {"class-weights", "balanced"}, {"cost", "0:1=2"},
        {"recall", "0=0.9"},   {"criterion", "entropy"},      {"method", "ccf"}};
    sporf_dataset *data = labelled(DATA_SMOOTH, 60, 4, 8);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        sporf_params params = params_with("trees", "2", (char *)NULL);
        sporf_forest *forest = NULL;
        assert_ok(sporf_params_set(&params, options[i][0], options[i][1]));
        assert_refused(sporf_forest_train(data, &params, NULL, &forest), SPORF_ERROR_ARGUMENT,
                       "for one label, but the data have several");
    }
    sporf_params boosting = params_with("trees", "2", (char *)NULL);
    sporf_forest *forest = NULL;
    boosting.learner = SPORF_LEARNER_BOOSTING;
    assert_refused(sporf_forest_train(data, &boosting, NULL, &forest), SPORF_ERROR_ARGUMENT,
                   "boosting is for one label");
    sporf_dataset_free(data);
}

static void functions_for_one_label_are_refused(void **state) {
    (void)state;
    sporf_dataset *data = labelled(DATA_SMOOTH, 60, 4, 9), *made = NULL;
    sporf_forest *forest = train_with(data, "trees", "3", (char *)NULL);
    sporf_params params = params_with("trees", "3", (char *)NULL);
    sporf_folds *folds = NULL;
    sporf_crossval *validated = NULL;
    sporf_search *search = NULL;
    sporf_forest_part *part = NULL;
    sporf_strength strength;
    uint32_t classes[60];
    double out[60 * 9], levels[] = {0.5};
    assert_ok(sporf_folds_draw(data, 3, 1, &folds));
    assert_refused(sporf_crossval_run(data, folds, &params, NULL, &validated), SPORF_ERROR_ARGUMENT,
                   "several labels");
    assert_refused(sporf_search_run(data, &params, NULL, &search), SPORF_ERROR_ARGUMENT,
                   "several labels");
    assert_refused(sporf_dataset_prepare(data, NULL, &made, NULL), SPORF_ERROR_ARGUMENT,
                   "several labels");
    assert_refused(sporf_forest_part_train(data, &params, NULL, 0, 1, &part), SPORF_ERROR_ARGUMENT,
                   "several labels");
    assert_refused(sporf_forest_strength(forest, data, NULL, NULL, &strength), SPORF_ERROR_ARGUMENT,
                   "predicts several");
    assert_refused(sporf_forest_decide(forest, out, 1, classes), SPORF_ERROR_MODEL,
                   "the model predicts several labels, not one class");
    assert_refused(sporf_forest_predict(forest, data, NULL, WANTED(.classes = classes)),
                   SPORF_ERROR_MODEL, "the model predicts several labels, not one class");
    assert_refused(sporf_forest_predict(
                       forest, data, NULL,
                       WANTED(.quantiles = levels, .quantiles_count = 1, .quantile_values = out)),
                   SPORF_ERROR_MODEL, "classes have no quantiles");
    assert_refused(sporf_forest_oob_probabilities(forest, out), SPORF_ERROR_MODEL,
                   "no out-of-bag votes");
    sporf_folds_free(folds);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    sporf_dataset *one = random_data(DATA_SMOOTH, 60, 4, 2, 1);
    sporf_forest *plain = train_with(one, "trees", "2", (char *)NULL);
    assert_refused(sporf_forest_predict(plain, one, NULL, WANTED(.label_classes = classes)),
                   SPORF_ERROR_MODEL, "does not predict several labels");
    sporf_forest_free(plain);
    sporf_dataset_free(one);
}

static void labels_of_one_class_each_are_refused(void **state) {
    (void)state;
    static const int64_t same[] = {1, 1, 1, 1}, two[] = {0, 1, 0, 1};
    sporf_dataset *data = with_targets(DATA_SMOOTH, 4, 2, 1, 1);
    sporf_forest *forest = NULL;
    assert_ok(sporf_dataset_set_targets(data, NULL, NULL));
    for (size_t k = 0; k < 2; k++) {
        assert_ok(sporf_dataset_set_labels_int(data, same, 4));
        assert_ok(sporf_dataset_add_label_column(data));
    }
    assert_refused(sporf_forest_train(data, NULL, NULL, &forest), SPORF_ERROR_DATA,
                   "each of the 2 labels has only one class");
    assert_ok(sporf_dataset_set_labels_int(data, two, 4));
    assert_ok(sporf_dataset_add_label_column(data));
    assert_ok(sporf_forest_train(data, NULL, NULL, &forest));
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets_are_indicators_of_the_classes),
        cmocka_unit_test(label_columns_need_labels_and_names_of_their_own),
        cmocka_unit_test(a_split_has_the_lowest_gini_impurity_over_all_labels),
        cmocka_unit_test(leaves_hold_shares_of_classes),
        cmocka_unit_test(one_label_of_two_classes_grows_the_trees_of_a_classification),
        cmocka_unit_test(out_of_bag_errors_are_those_of_the_predictions),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(more_trees_are_those_of_a_longer_training),
        cmocka_unit_test(evaluation_counts_wrong_labels),
        cmocka_unit_test(options_for_one_label_are_refused),
        cmocka_unit_test(functions_for_one_label_are_refused),
        cmocka_unit_test(labels_of_one_class_each_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
