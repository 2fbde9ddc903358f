/* Boosted models predict what their plain trees add up to, in blocks, row by row, and from a file
 * that was not read. */
#include "io/model_file.h"
#include "predict/predict.h"

#include "support/check.h"
#include "support/plain_tree.h"
#include "support/random_booster.h"
#include "support/tmpfile.h"

enum { MANY_ROWS = 4500 };

/* ---- rows, and what the plain trees say about them ------------------------------------------- */

typedef struct {
    size_t rows, features;
    float *values;         /* row by row */
    float *turned;         /* column by column */
    const float **columns; /* [features] */
} table;

static table random_table(uint64_t seed, size_t rows, const sporf_forest *forest, int mixed) {
    sporf_random random = spf_random_start(seed, 7, SPF_USE_SIMULATE);
    size_t features = forest->features;
    table t = {rows, features, need(rows * features, sizeof(float)),
               need(rows * features, sizeof(float)), need(features, sizeof(float *))};
    for (size_t i = 0; i < rows; i++)
        (mixed ? random_mixed_row : random_row)(&random, t.values + i * features, features);
    for (size_t j = 0; j < features; j++) {
        t.columns[j] = t.turned + j * rows;
        for (size_t i = 0; i < rows; i++) t.turned[j * rows + i] = t.values[i * features + j];
    }
    return t;
}

static void free_table(table *t) {
    free(t->values);
    free(t->turned);
    free(t->columns);
}

/* All that a model says about rows. */
typedef struct {
    double *outputs, *scores;
    uint32_t *classes, *leaves;
} answers;

static answers make_answers(const sporf_forest *forest, size_t rows) {
    return (answers){.outputs = need(rows * spf_outputs(forest), sizeof(double)),
                     .scores = need(rows * forest->boosting.outputs, sizeof(double)),
                     .classes = need(rows, sizeof(uint32_t)),
                     .leaves = need(rows * forest->trees_count, sizeof(uint32_t))};
}

static void free_answers(answers *a) {
    free(a->outputs);
    free(a->scores);
    free(a->classes);
    free(a->leaves);
}

/* By the definitions in model/forest.h and model/boosting.h alone. */
static answers plain_answers(const sporf_forest *forest, const table *t) {
    answers a = make_answers(forest, t->rows);
    size_t outputs = spf_outputs(forest), scores = forest->boosting.outputs;
    for (size_t i = 0; i < t->rows; i++) {
        double *own = a.scores + i * scores, *out = a.outputs + i * outputs;
        for (size_t n = 0; n < forest->trees_count; n++) {
            const spf_tree *tree = plain_tree(forest, n);
            uint32_t leaf = spf_tree_walk_row(tree, t->values + i * t->features);
            a.leaves[i * forest->trees_count + n] = leaf;
            own[n % scores] += tree->leaf_value[leaf];
        }
        memcpy(out, own, scores * sizeof *out);
        spf_boosting_score(&forest->boosting, own);
        spf_boosting_finish(&forest->boosting, out);
        a.classes[i] = spf_argmax(out, outputs);
    }
    return a;
}

static void assert_same_answers(const sporf_forest *forest, size_t rows, const answers *a,
                                const answers *b) {
    assert_memory_equal(a->outputs, b->outputs, rows * spf_outputs(forest) * sizeof(double));
    assert_memory_equal(a->scores, b->scores, rows * forest->boosting.outputs * sizeof(double));
    assert_memory_equal(a->classes, b->classes, rows * sizeof(uint32_t));
    assert_memory_equal(a->leaves, b->leaves, rows * forest->trees_count * sizeof(uint32_t));
}

/* ---- the law --------------------------------------------------------------------------------- */

static void check_batch(const sporf_forest *forest, const table *t, const answers *plain,
                        unsigned threads) {
    answers packed = make_answers(forest, t->rows);
    spf_predictions out = {.classes = packed.classes,
                           .outputs = packed.outputs,
                           .scores = packed.scores,
                           .leaves = packed.leaves};
    assert_ok(spf_predict(forest, &(spf_values){t->columns, t->rows, 1},
                          spf_combining_of(forest, SPORF_COMBINE_VOTES, SPORF_CALIBRATE_AUTO),
                          threads, &out));
    assert_same_answers(forest, t->rows, &packed, plain);
    free_answers(&packed);
}

static void check_rows(const sporf_forest *forest, const table *t, const answers *plain) {
    size_t outputs = spf_outputs(forest);
    double *out = need(outputs, sizeof *out);
    for (size_t i = 0; i < t->rows; i++) {
        uint32_t class_index = sporf_forest_predict_row(forest, t->values + i * t->features,
                                                        SPORF_COMBINE_POSTERIORS, out);
        assert_memory_equal(out, plain->outputs + i * outputs, outputs * sizeof *out);
        assert_int_equal(class_index, forest->targets > 0 ? 0 : plain->classes[i]);
    }
    free(out);
}

static void check_shape(size_t number, size_t rows) {
    const booster_shape *shape = &booster_shapes[number];
    sporf_forest *forest = random_booster(number, shape);
    table t = random_table(number, rows, forest, shape->trees.mixed);
    answers plain = plain_answers(forest, &t);
    check_batch(forest, &t, &plain, 1);
    check_batch(forest, &t, &plain, 3);
    check_rows(forest, &t, &plain);
    free_answers(&plain);
    free_table(&t);
    sporf_forest_free(forest);
}

static void packed_trees_add_up_as_plain_ones(void **state) {
    (void)state;
    for (size_t i = 0; i < booster_shapes_count; i++) {
        check_shape(i, 1);
        check_shape(i, 40);
    }
    check_shape(7, MANY_ROWS);
}

static void a_mapped_model_predicts_the_same(void **state) {
    (void)state;
    tmp_file file = tmp_file_name("boosted.sporf");
    for (size_t i = 0; i < booster_shapes_count; i++) {
        sporf_forest *forest = random_booster(i, &booster_shapes[i]), *mapped = NULL;
        table t = random_table(i, 30, forest, booster_shapes[i].trees.mixed);
        answers plain = plain_answers(forest, &t);
        assert_ok(spf_model_write(forest, file.path));
        assert_ok(spf_model_map(file.path, &mapped));
        check_batch(mapped, &t, &plain, 1);
        check_rows(mapped, &t, &plain);
        assert_ok(spf_model_check(mapped));
        check_batch(mapped, &t, &plain, 1);
        free_answers(&plain);
        free_table(&t);
        sporf_forest_free(mapped);
        sporf_forest_free(forest);
    }
    tmp_file_remove(&file);
}

/* ---- links ----------------------------------------------------------------------------------- */

static void finish(spf_link link, size_t outputs, double *row) {
    double zeros[4] = {0};
    spf_boosting boosting = {.link = link, .outputs = outputs, .bags = 1, .base = zeros};
    spf_boosting_finish(&boosting, row);
}

static void probabilities_are_between_0_and_1_and_sum_to_1(void **state) {
    (void)state;
    static const double scores[] = {0, 1e-9, -3, 40, -800, 800, 1e300, -1e300};
    enum { COUNT = sizeof scores / sizeof *scores };
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < COUNT; j++) {
            double two[2] = {scores[i]}, three[3] = {scores[i], scores[j], 0};
            finish(SPF_LINK_LOG_ODDS, 1, two);
            finish(SPF_LINK_SOFTMAX, 3, three);
            assert_near(two[0] + two[1], 1, 1e-15);
            assert_near(three[0] + three[1] + three[2], 1, 1e-15);
            assert_true(two[0] >= 0 && two[1] >= 0 && three[0] >= 0 && three[1] >= 0);
            assert_int_equal(scores[i] > 0, two[1] > two[0]);
            assert_int_equal(three[0] > three[1], scores[i] > scores[j] && three[0] > 0);
        }
}

static void two_classes_by_softmax_have_the_odds_of_the_difference(void **state) {
    (void)state;
    for (double odds = -30; odds < 30; odds += 0.7) {
        double one[2] = {odds}, two[2] = {0.25, 0.25 + odds}, logs[1] = {odds};
        finish(SPF_LINK_LOG_ODDS, 1, one);
        finish(SPF_LINK_SOFTMAX, 2, two);
        finish(SPF_LINK_LOG, 1, logs);
        assert_near(one[1], two[1], 1e-14);
        assert_near(log(one[1] / one[0]), odds, 1e-12);
        assert_near(log(logs[0]), odds, 1e-12);
    }
}

/* The bases add to the sums, which the bags share. */
static void scores_are_bases_and_means_over_bags(void **state) {
    (void)state;
    double base[] = {1, -2}, row[] = {10, 20};
    spf_boosting boosting = {.link = SPF_LINK_NONE, .outputs = 2, .bags = 5, .base = base};
    spf_boosting_finish(&boosting, row);
    assert_true(row[0] == 3 && row[1] == 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_trees_add_up_as_plain_ones),
        cmocka_unit_test(a_mapped_model_predicts_the_same),
        cmocka_unit_test(probabilities_are_between_0_and_1_and_sum_to_1),
        cmocka_unit_test(two_classes_by_softmax_have_the_odds_of_the_difference),
        cmocka_unit_test(scores_are_bases_and_means_over_bags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
