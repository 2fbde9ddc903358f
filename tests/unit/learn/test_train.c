/* Training as the world sees it: what it refuses, what it decides by itself, what it leaves.
 * Labels: threads */
#include "base/rng.h"
#include "data/dataset.h"

#include "support/check.h"
#include "support/every_forest.h"
#include "support/plain_tree.h"
#include "support/preview.h"
#include "support/wanted.h"
#include "support/watch.h"

static sporf_dataset *table(const float *values, size_t rows, size_t features,
                            const int64_t *labels) {
    sporf_matrix matrix = {values, SPORF_FLOAT32, rows, features, features, 1};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    if (labels) assert_ok(sporf_dataset_set_labels_int(data, labels, rows));
    return data;
}

static void expect_refused(const sporf_dataset *data, const char *words) {
    sporf_forest *forest = NULL;
    sporf_preview preview = {.struct_size = sizeof preview};
    assert_refused(sporf_forest_train(data, NULL, NULL, &forest), SPORF_ERROR_DATA, words);
    assert_null(forest);
    assert_refused(sporf_train_preview(data, NULL, &preview), SPORF_ERROR_DATA, words);
}

static void data_without_two_classes_are_refused(void **state) {
    (void)state;
    const float values[] = {1, 2, 3};
    const int64_t same[] = {5, 5, 5};
    sporf_dataset *unlabelled = table(values, 3, 1, NULL), *alike = table(values, 3, 1, same),
                  *alone = table(values, 1, 3, same);
    expect_refused(unlabelled, "labels");
    expect_refused(alike, "only one class ('5' in all 3 rows)");
    expect_refused(alone, "only one class");
    const char *const marks[] = {"\1otrees\2\3", "\1otrees\2\3", "\1otrees\2\3"};
    assert_ok(sporf_dataset_set_labels_text(alike, marks, 3));
    expect_refused(alike, "only one class ('\\x01otrees\\x02\\x03' in all 3 rows)");
    assert_null(sporf_error_details()->option);
    sporf_dataset_free(unlabelled);
    sporf_dataset_free(alike);
    sporf_dataset_free(alone);
}

static void labels_that_look_like_numbers_are_refused(void **state) {
    (void)state;
    enum { ROWS = 1500 };
    float *values = need(ROWS, sizeof *values);
    int64_t *labels = need(ROWS, sizeof *labels);
    for (int i = 0; i < ROWS; i++) labels[i] = i;
    sporf_dataset *data = table(values, ROWS, 1, labels);
    expect_refused(data, "1500 different values in 1500 rows");
    sporf_dataset_free(data);
    free(values);
    free(labels);
}

static void a_table_without_features_is_refused(void **state) {
    (void)state;
    const int64_t labels[] = {0, 1};
    sporf_dataset *data = NULL;
    assert_ok(spf_dataset_create(2, 0, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, 2));
    expect_refused(data, "0 features");
    sporf_dataset_free(data);
}

static void missing_arguments_are_refused(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 10, 2, 2, 1);
    sporf_forest *forest = NULL;
    sporf_preview preview = {.struct_size = sizeof preview}, unsized = {0};
    assert_refused(sporf_forest_train(NULL, NULL, NULL, &forest), SPORF_ERROR_ARGUMENT, "data");
    assert_refused(sporf_forest_train(data, NULL, NULL, NULL), SPORF_ERROR_ARGUMENT, "forest");
    assert_refused(sporf_train_preview(NULL, NULL, &preview), SPORF_ERROR_ARGUMENT, "data");
    assert_refused(sporf_train_preview(data, NULL, NULL), SPORF_ERROR_ARGUMENT, "result");
    assert_refused(sporf_train_preview(data, NULL, &unsized), SPORF_ERROR_ARGUMENT,
                   "sporf_preview");
    sporf_forest_free(NULL);
    sporf_dataset_free(data);
}

/* Two rows of one class and one of another, all values equal: nothing to split, but a forest. */
static void rows_that_cannot_be_told_apart_share_a_leaf(void **state) {
    (void)state;
    const float values[] = {1, 1, 1, 1, 1, 1};
    const int64_t labels[] = {3, 8, 8};
    static const char *const methods[] = {"sporf", "rf", "frc", "rr-rf", "ccf", "patch"};
    sporf_dataset *data = table(values, 3, 2, labels);
    for (size_t m = 0; m < 6; m++) {
        sporf_forest *forest =
            train_with(data, "method", methods[m], "bag", "none", "trees", "2", (char *)NULL);
        uint32_t classes[3];
        double shares[6];
        sporf_predict_options options;
        sporf_predict_options_init(&options);
        options.combine = SPORF_COMBINE_POSTERIORS;
        assert_int_equal(sporf_forest_nodes(forest, 0), 1);
        assert_ok(sporf_forest_predict(forest, data, &options,
                                       WANTED(.classes = classes, .probabilities = shares)));
        assert_int_equal(classes[0], 1);
        assert_near(shares[0], 1.0 / 3, 1e-12);
        sporf_forest_free(forest);
    }
    sporf_dataset_free(data);
}

/* The largest values a table may hold, beside small ones: sums must order rows, not overflow. */
static void extreme_values_are_split_all_the_same(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rf", "frc", "rr-rf", "ccf", "patch"};
    static const char *const scales[] = {"none", "sd", "range", "iqr"};
    enum { ROWS = 40, FEATURES = 4 };
    float values[ROWS * FEATURES];
    int64_t labels[ROWS];
    for (int i = 0; i < ROWS; i++) {
        labels[i] = i % 3;
        for (int j = 0; j < FEATURES; j++)
            values[i * FEATURES + j] = j == 3  ? 1e-6f * (float)(i % 7)
                                       : i % 2 ? 1e30f / (float)(1 + i + j)
                                               : -1e30f / (float)(1 + i * j);
    }
    sporf_dataset *data = table(values, ROWS, FEATURES, labels);
    for (size_t m = 0; m < 6; m++)
        for (size_t s = 0; s < 4; s++) {
            sporf_forest *forest = train_with(data, "method", methods[m], "scale", scales[s], "bag",
                                              "none", "trees", "3", (char *)NULL);
            sporf_evaluation scores;
            assert_ok(
                sporf_forest_evaluate(forest, data, NULL, SCORED(&scores, .confusion = NULL)));
            assert_true(scores.error < 0.1);
            for (size_t t = 0; t < 3; t++)
                for (uint32_t i = 0; i < plain_tree(forest, t)->nodes_count; i++)
                    assert_true(isfinite(plain_tree(forest, t)->nodes[i].threshold));
            sporf_forest_free(forest);
        }
    sporf_dataset_free(data);
}

static void only_ccf_does_without_bags_by_itself(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rf", "frc", "rr-rf", "ccf", "patch"};
    sporf_dataset *data = random_data(DATA_SMOOTH, 60, 3, 2, 1);
    for (size_t m = 0; m < 6; m++) {
        sporf_forest *forest = train_with(data, "method", methods[m], "trees", "10", (char *)NULL);
        sporf_oob oob;
        sporf_forest_oob(forest, &oob);
        assert_int_equal(oob.rows > 0, strcmp(methods[m], "ccf") != 0);
        sporf_forest_free(forest);
    }
    sporf_dataset_free(data);
}

static void parameters_tell_whether_trees_leave_rows_out(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rf", "frc", "rr-rf", "ccf", "patch"};
    static const char *const bags[] = {"auto", "bootstrap", "stratified", "subsample", "none"};
    sporf_dataset *data = random_data(DATA_SMOOTH, 60, 3, 2, 1);
    for (size_t m = 0; m < 6; m++)
        for (size_t b = 0; b < 5; b++) {
            sporf_params params = params_with("method", methods[m], "bag", bags[b], "trees", "10",
                                              "projections", "p", (char *)NULL);
            sporf_bag bag = preview_of(data, &params).bag;
            sporf_forest *forest = NULL;
            sporf_oob oob;
            assert_ok(sporf_forest_train(data, &params, NULL, &forest));
            sporf_forest_oob(forest, &oob);
            assert_int_equal(oob.rows > 0, bag != SPORF_BAG_NONE);
            assert_true(bag != SPORF_BAG_AUTO);
            if (params.bag != SPORF_BAG_AUTO) assert_int_equal(bag, params.bag);
            sporf_forest_free(forest);
        }
    sporf_dataset_free(data);
}

static void a_forest_keeps_the_names_of_its_data(void **state) {
    (void)state;
    static const char *const names[] = {"height", "width"};
    sporf_dataset *data = random_data(DATA_SMOOTH, 30, 2, 3, 1);
    assert_ok(sporf_dataset_set_feature_names(data, names, 2));
    sporf_forest *forest = train_with(data, "trees", "1", (char *)NULL);
    sporf_dataset_free(data);
    assert_int_equal(sporf_forest_features(forest), 2);
    assert_int_equal(sporf_forest_classes(forest), 3);
    assert_string_equal(sporf_schema_feature_name(sporf_forest_schema(forest), 1), "width");
    assert_null(sporf_schema_feature_name(sporf_forest_schema(forest), 2));
    assert_string_equal(sporf_schema_class_name(sporf_forest_schema(forest), 2), "2");
    assert_null(sporf_schema_class_name(sporf_forest_schema(forest), 3));
    assert_null(sporf_schema_label_name(sporf_forest_schema(forest)));
    sporf_forest_free(forest);
}

/* ---- inspection ------------------------------------------------------------------------------ */

typedef struct {
    uint64_t nodes, leaves, depths, terms;
    uint32_t deepest;
} census;

static void count_nodes(const sporf_forest *forest, size_t tree, size_t node, uint32_t depth,
                        census *c) {
    sporf_node n;
    assert_ok(sporf_forest_node(forest, tree, node, &n));
    c->nodes++;
    if (n.is_leaf) {
        assert_true(n.classes > 0 && n.terms == 0);
        c->leaves++;
        c->depths += depth;
        if (depth > c->deepest) c->deepest = depth;
        return;
    }
    assert_true(n.terms > 0 && n.classes == 0);
    c->terms += n.terms;
    count_nodes(forest, tree, n.left, depth + 1, c);
    count_nodes(forest, tree, n.right, depth + 1, c);
}

static void summary_is_a_census(const forest_case *c, const sporf_forest *forest) {
    (void)c;
    census all = {0};
    sporf_forest_summary summary;
    for (size_t t = 0; t < sporf_forest_trees(forest); t++) {
        uint64_t before = all.nodes;
        count_nodes(forest, t, 0, 0, &all);
        assert_int_equal(all.nodes - before, sporf_forest_nodes(forest, t));
    }
    assert_ok(sporf_forest_summarise(forest, &summary));
    assert_int_equal(summary.nodes, all.nodes);
    assert_int_equal(summary.leaves, all.leaves);
    assert_int_equal(summary.max_depth, all.deepest);
    assert_near(summary.mean_depth, (double)all.depths / (double)all.leaves, 1e-9);
    uint64_t splits = all.nodes - all.leaves;
    assert_near(summary.mean_nonzeros, splits ? (double)all.terms / (double)splits : 0, 1e-9);
}

static void a_summary_is_a_census_of_all_nodes(void **state) {
    (void)state;
    for_every_forest(summary_is_a_census, 2);
}

static void nodes_that_do_not_exist_are_refused(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 30, 2, 3, 1);
    sporf_forest *forest = train_with(data, "trees", "2", (char *)NULL);
    sporf_node node;
    assert_refused(sporf_forest_node(forest, 2, 0, &node), SPORF_ERROR_ARGUMENT, "tree 2");
    assert_refused(sporf_forest_node(forest, 0, sporf_forest_nodes(forest, 0), &node),
                   SPORF_ERROR_ARGUMENT, "node");
    assert_int_equal(sporf_forest_nodes(forest, 2), 0);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* Column 4 is a constant beside which the others would vanish in a single-precision sum. */
static void a_huge_constant_column_does_no_harm(void **state) {
    (void)state;
    enum { ROWS = 600, COLUMNS = 5 };
    static const char *const methods[] = {"sporf", "rf", "frc", "rr-rf", "ccf", "patch"};
    static float values[COLUMNS * ROWS];
    static int64_t labels[ROWS];
    sporf_random random = spf_random_start(3, 0, SPF_USE_SIMULATE);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < 4; j++) values[j * ROWS + i] = (float)spf_random_normal(&random);
        values[4 * ROWS + i] = 1e9f;
        labels[i] = values[i] + values[ROWS + i] > 0;
    }
    const sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, COLUMNS, 1, ROWS};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int scaled = 0; scaled < 2; scaled++) {
            sporf_params params = params_with("method", methods[m], "bag", "bootstrap", "trees",
                                              "60", "scale", scaled ? "sd" : "none", (char *)NULL);
            sporf_forest *forest = NULL;
            sporf_oob oob;
            assert_ok(sporf_forest_train(data, &params, NULL, &forest));
            sporf_forest_oob(forest, &oob);
            if (!(oob.error < 0.15)) fail_msg("%s: error %g", methods[m], oob.error);
            assert_int_equal(oob.training_rows, ROWS);
            sporf_forest_free(forest);
        }
    sporf_dataset_free(data);
}

/* A root of millions of rows and candidates takes minutes: the hook must be asked within it. */
static void a_large_node_asks_for_interrupts_at_every_candidate(void **state) {
    (void)state;
    sporf_dataset *data = NULL;
    assert_ok(sporf_simulate("trunk", 9000, 10, 1, NULL, &data));
    sporf_params params = params_with("trees", "1", "threads", "1", "max-depth", "1", "projections",
                                      "200", "density", "3/p", (char *)NULL);
    watch w = watch_always();
    sporf_hooks hooks = watch_hooks(&w);
    sporf_forest *forest = NULL;
    assert_ok(sporf_forest_train(data, &params, &hooks, &forest));
    assert_true(w.asked > 150);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_node_asks_for_interrupts_at_every_candidate),
        cmocka_unit_test(a_huge_constant_column_does_no_harm),
        cmocka_unit_test(data_without_two_classes_are_refused),
        cmocka_unit_test(labels_that_look_like_numbers_are_refused),
        cmocka_unit_test(a_table_without_features_is_refused),
        cmocka_unit_test(missing_arguments_are_refused),
        cmocka_unit_test(rows_that_cannot_be_told_apart_share_a_leaf),
        cmocka_unit_test(extreme_values_are_split_all_the_same),
        cmocka_unit_test(only_ccf_does_without_bags_by_itself),
        cmocka_unit_test(parameters_tell_whether_trees_leave_rows_out),
        cmocka_unit_test(a_forest_keeps_the_names_of_its_data),
        cmocka_unit_test_teardown(a_summary_is_a_census_of_all_nodes, name_broken_case),
        cmocka_unit_test(nodes_that_do_not_exist_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
