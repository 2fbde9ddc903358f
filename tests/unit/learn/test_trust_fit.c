/* What training learns about its votes. */
#include "learn/outcome/trust_fit.h"

#include "base/rng.h"

#include "support/check.h"
#include "support/random_data.h"

/* ---- the fit --------------------------------------------------------------------------------- */

enum { TREES = 40, CLASSES = 3 };

static spf_voted_rows make_rows(size_t count) {
    spf_voted_rows rows = {.row = calloc(count + 1, sizeof *rows.row),
                           .votes = calloc(count * CLASSES, sizeof *rows.votes)};
    assert_true(rows.row && rows.votes);
    return rows;
}

static void free_rows(spf_voted_rows *rows) {
    free(rows->row);
    free(rows->votes);
}

/* A class of its own for the truth, drawn with the probabilities that a power of the votes gives.
 */
static void draw_row(spf_voted_rows *rows, sporf_random *random, double smoothing, double power) {
    double weight[CLASSES], sum = 0;
    float votes[CLASSES] = {0};
    double lean = spf_random_uniform(random);
    for (int i = 0; i < TREES; i++)
        votes[spf_random_uniform(random) < lean ? 0 : 1 + spf_random_below(random, 2)]++;
    for (size_t k = 0; k < CLASSES; k++)
        sum += weight[k] = pow(votes[k] + SPF_TRUST_EXTRA + smoothing * TREES, power);
    double at = sum * spf_random_uniform(random);
    size_t truth = at < weight[0] ? 0 : at < weight[0] + weight[1] ? 1 : 2;
    spf_voted_row *row = &rows->row[rows->count++];
    size_t end = row->start;
    rows->votes[end++] = votes[truth];
    for (size_t k = 0; k < CLASSES; k++)
        if (k != truth && votes[k] > 0) rows->votes[end++] = votes[k];
    row->none = (uint32_t)(CLASSES - (end - row->start));
    row->trees = TREES;
    row->weight = 1;
    row[1].start = end;
}

static spf_trust fit(size_t count, double smoothing, double power) {
    sporf_random random = spf_random_start(count, 1, SPF_USE_DRAW);
    spf_voted_rows rows = make_rows(count);
    spf_trust trust = {0};
    for (size_t i = 0; i < count; i++) draw_row(&rows, &random, smoothing, power);
    assert_ok(spf_trust_fit(&rows, 1, &trust));
    assert_true(spf_trust_is_valid(&trust));
    free_rows(&rows);
    return trust;
}

static void many_rows_show_how_truth_follows_from_votes(void **state) {
    (void)state;
    static const double smoothings[] = {0.02, 0.2}, powers[] = {0.5, 1, 3};
    for (size_t s = 0; s < 2; s++)
        for (size_t p = 0; p < 3; p++) {
            spf_trust trust = fit(20000, smoothings[s], powers[p]);
            assert_near(log(trust.power / powers[p]), 0, 0.25);
            assert_near(log(trust.smoothing / smoothings[s]), 0, 0.6);
        }
}

static void few_rows_stay_near_a_moderate_choice(void **state) {
    (void)state;
    for (size_t count = 1; count <= 4; count++) {
        spf_trust trust = fit(count, 0.02, 16);
        assert_true(trust.power > 0.3 && trust.power < 3);
        assert_true(trust.smoothing > 0.001 && trust.smoothing < 0.5);
    }
}

static void rows_that_all_agree_keep_both_numbers_within_their_limits(void **state) {
    (void)state;
    for (int right = 0; right < 2; right++) {
        spf_voted_rows rows = make_rows(1000);
        spf_trust trust = {0};
        for (size_t i = 0; i < 1000; i++) {
            rows.row[i] = (spf_voted_row){2 * i, right ? 2 : 1, TREES, 1};
            rows.votes[2 * i] = right ? TREES : 0;
            rows.votes[2 * i + 1] = TREES;
            if (right) rows.row[i].start = i, rows.votes[i] = TREES;
        }
        rows.row[1000].start = right ? 1000 : 2000;
        rows.count = 1000;
        assert_ok(spf_trust_fit(&rows, 1, &trust));
        assert_true(spf_trust_is_valid(&trust));
        free_rows(&rows);
    }
}

/* ---- forests --------------------------------------------------------------------------------- */

static double log_loss(const sporf_forest *forest, const sporf_dataset *data, sporf_combine combine,
                       sporf_calibrate calibration, double *error) {
    sporf_predict_options how;
    sporf_evaluation found;
    sporf_predict_options_init(&how);
    sporf_evaluation_init(&found);
    how.combine = combine;
    how.calibration = calibration;
    assert_ok(sporf_forest_evaluate(forest, data, &how, &found));
    *error = found.error;
    return found.log_loss;
}

static void new_rows_have_a_lower_log_loss_and_the_same_classes(void **state) {
    (void)state;
    static const char *const leaves[] = {"1", "20"};
    sporf_dataset *train = simulated("trunk", 1000, 10, 1), *test = simulated("trunk", 2000, 10, 2);
    for (int i = 0; i < 2; i++)
        for (sporf_combine c = SPORF_COMBINE_VOTES; c <= SPORF_COMBINE_POSTERIORS; c++) {
            double raw_error, error;
            sporf_forest *forest =
                train_with(train, "trees", "60", "projections", "3", "min-leaf", leaves[i], NULL);
            double raw = log_loss(forest, test, c, SPORF_CALIBRATE_NONE, &raw_error);
            double loss = log_loss(forest, test, c, SPORF_CALIBRATE_AUTO, &error);
            assert_true(loss < 0.9 * raw);
            assert_true(error == raw_error);
            sporf_forest_free(forest);
        }
    sporf_dataset_free(train);
    sporf_dataset_free(test);
}

static void nothing_is_learned_without_rows_out_of_bag(void **state) {
    (void)state;
    sporf_dataset *data = simulated("trunk", 60, 4, 1);
    sporf_calibration_map map;
    sporf_forest *all = train_with(data, "trees", "5", "bag", "none", NULL);
    sporf_forest *asked = train_with(data, "trees", "5", "calibration", "none", NULL);
    assert_false(sporf_forest_calibration(all, SPORF_COMBINE_VOTES, &map));
    assert_false(sporf_forest_calibration(asked, SPORF_COMBINE_VOTES, &map));
    assert_string_equal(sporf_forest_setting(asked, "calibration"), "none");
    assert_null(sporf_forest_setting(all, "calibration"));
    sporf_forest_free(all);
    sporf_forest_free(asked);
    sporf_dataset_free(data);
}

/* What is learned does not depend on how rows are weighted on the whole. */
static void only_ratios_of_row_weights_matter(void **state) {
    (void)state;
    double weights[300];
    sporf_dataset *data = simulated("trunk", 300, 4, 1);
    sporf_calibration_map light, heavy;
    for (size_t i = 0; i < 300; i++) weights[i] = 1 + (double)(i % 3);
    assert_ok(sporf_dataset_set_weights(data, weights, 300));
    sporf_forest *one = train_with(data, "trees", "20", NULL);
    for (size_t i = 0; i < 300; i++) weights[i] *= 8;
    assert_ok(sporf_dataset_set_weights(data, weights, 300));
    sporf_forest *eight = train_with(data, "trees", "20", NULL);
    assert_true(sporf_forest_calibration(one, SPORF_COMBINE_VOTES, &light));
    assert_true(sporf_forest_calibration(eight, SPORF_COMBINE_VOTES, &heavy));
    assert_true(light.smoothing == heavy.smoothing && light.power == heavy.power);
    sporf_forest_free(one);
    sporf_forest_free(eight);
    sporf_dataset_free(data);
}

/* Some of the rows of a large table are enough. */
static void large_tables_give_nearly_what_all_rows_would(void **state) {
    (void)state;
    sporf_dataset *large = simulated("trunk", 40000, 2, 1),
                  *small = simulated("trunk", 16000, 2, 1);
    sporf_calibration_map all, some;
    sporf_forest *a = train_with(large, "trees", "8", "min-leaf", "100", "method", "rf", NULL);
    sporf_forest *b = train_with(small, "trees", "8", "min-leaf", "40", "method", "rf", NULL);
    assert_true(sporf_forest_calibration(a, SPORF_COMBINE_POSTERIORS, &all));
    assert_true(sporf_forest_calibration(b, SPORF_COMBINE_POSTERIORS, &some));
    assert_near(all.log_loss / some.log_loss, 1, 0.1);
    sporf_forest_free(a);
    sporf_forest_free(b);
    sporf_dataset_free(large);
    sporf_dataset_free(small);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_rows_show_how_truth_follows_from_votes),
        cmocka_unit_test(few_rows_stay_near_a_moderate_choice),
        cmocka_unit_test(rows_that_all_agree_keep_both_numbers_within_their_limits),
        cmocka_unit_test(new_rows_have_a_lower_log_loss_and_the_same_classes),
        cmocka_unit_test(nothing_is_learned_without_rows_out_of_bag),
        cmocka_unit_test(only_ratios_of_row_weights_matter),
        cmocka_unit_test(large_tables_give_nearly_what_all_rows_would),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
