/* Scores of classification: by hand, against every pair of rows, and by laws. */
#include "base/rng.h"
#include "score/delong.h"

#include "support/check.h"

#include <string.h>

enum { ROWS = 80, CLASSES = 3 };

typedef struct {
    double probabilities[ROWS * CLASSES], weights[ROWS];
    uint32_t labels[ROWS];
    sporf_scored_rows rows;
} sample;

/* Votes of eight trees, so that there are ties. */
static void draw(sample *s, uint64_t seed) {
    sporf_random random = spf_random_start(seed, 1, SPF_USE_SIMULATE);
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < ROWS; i++) {
        s->labels[i] = spf_random_below(&random, CLASSES + (seed % 3 == 0));
        s->weights[i] = seed % 2 ? 1 : spf_random_below(&random, 4) / 2.0;
        for (int tree = 0; tree < 8; tree++) {
            uint32_t vote = spf_random_below(&random, 2 * CLASSES);
            if (vote >= CLASSES) vote = s->labels[i] % CLASSES;
            s->probabilities[i * CLASSES + vote] += 1 / 8.;
        }
    }
    sporf_scored_rows_init(&s->rows);
    s->rows.rows = ROWS;
    s->rows.classes = CLASSES;
    s->rows.probabilities = s->probabilities;
    s->rows.labels = s->labels;
    s->rows.weights = s->weights;
}

static sporf_class_scores scores_of(const sporf_scored_rows *rows,
                                    const sporf_score_options *options, sporf_by_class *by_class) {
    sporf_class_scores scores;
    sporf_class_scores_init(&scores);
    scores.by_class = by_class;
    assert_ok(sporf_score_classes(rows, options, &scores));
    return scores;
}

/* Rows of `class` against rows of `other`, or of all others if that is `class`. */
static double brute_force(const sample *s, uint32_t class, uint32_t other) {
    double won = 0, pairs = 0;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < ROWS; j++) {
            if (s->labels[i] != class || s->labels[j] == class) continue;
            if (other != class && s->labels[j] != other) continue;
            double weight = s->weights[i] * s->weights[j],
                   above = s->probabilities[i * CLASSES + class],
                   below = s->probabilities[j * CLASSES + class];
            won += weight * (above > below ? 1 : above == below ? 0.5 : 0);
            pairs += weight;
        }
    return won / pairs;
}

static void areas_are_shares_of_pairs_in_order(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        sample s;
        sporf_by_class by_class[CLASSES];
        double mean = 0, pairs = 0;
        draw(&s, seed);
        sporf_class_scores scores = scores_of(&s.rows, NULL, by_class);
        for (uint32_t k = 0; k < CLASSES; k++) {
            assert_near(by_class[k].auc, brute_force(&s, k, k), 1e-12);
            mean += by_class[k].auc / CLASSES;
            for (uint32_t j = 0; j < CLASSES; j++)
                if (j != k) pairs += brute_force(&s, k, j) / (CLASSES * (CLASSES - 1));
        }
        assert_near(scores.auc.value, mean, 1e-12);
        assert_near(scores.auc_hand_till.value, pairs, 1e-12);
    }
}

static void four_rows_by_hand(void **state) {
    (void)state;
    const double probabilities[] = {0.9, 0.1, 0.6, 0.4, 0.65, 0.35, 0.2, 0.8};
    const uint32_t labels[] = {0, 0, 1, 1};
    sporf_scored_rows rows = {.struct_size = sizeof rows,
                              .rows = 4,
                              .classes = 2,
                              .probabilities = probabilities,
                              .labels = labels};
    sporf_by_class by_class[2];
    sporf_class_scores scores = scores_of(&rows, NULL, by_class);
    assert_near(scores.auc.value, 0.75, 1e-15);
    assert_near(scores.average_precision.value, 0.5 * 1 + 0.5 * 2 / 3, 1e-15);
    assert_near(scores.accuracy.value, 0.75, 1e-15);
    assert_near(scores.balanced_accuracy.value, 0.75, 1e-15);
    assert_near(by_class[0].precision, 2. / 3, 1e-15);
    assert_true(by_class[0].recall == 1 && by_class[1].precision == 1);
    assert_near(scores.f1_macro.value, (4. / 5 + 2. / 3) / 2, 1e-15);
    assert_near(scores.mcc.value, (2 * 1 - 1 * 0) / sqrt(2. * 2 * 3 * 1), 1e-15);
    assert_near(scores.log_loss.value, -(log(0.9) + log(0.6) + log(0.35) + log(0.8)) / 4, 1e-14);
    assert_true(isnan(scores.accuracy.low) && scores.auc.low < 0.75 && scores.auc.high == 1);
    assert_true(scores.top_k == 2 && scores.top_k_accuracy.value == 1);
    sporf_curve_point points[5];
    size_t count;
    assert_ok(sporf_score_curve(&rows, 1, points, &count));
    assert_int_equal(count, 5);
    assert_true(isinf(points[0].threshold) && points[0].recall == 0 && points[0].precision == 1);
    assert_true(points[1].threshold == 0.8 && points[1].recall == 0.5);
    assert_true(points[2].threshold == 0.4 && points[2].false_positive_rate == 0.5);
    assert_true(points[4].recall == 1 && points[4].precision == 0.5);
}

static void probability_0_for_the_true_class_is_a_finite_loss(void **state) {
    (void)state;
    const uint32_t label = 0, unknown = 2;
    sporf_scored_rows rows = {.struct_size = sizeof rows,
                              .rows = 1,
                              .classes = 2,
                              .probabilities = (const double[]){0, 1},
                              .labels = &label};
    assert_near(scores_of(&rows, NULL, NULL).log_loss.value, 52 * log(2), 1e-12);
    rows.labels = &unknown;
    sporf_class_scores scores = scores_of(&rows, NULL, NULL);
    assert_near(scores.log_loss.value, 52 * log(2), 1e-12);
    assert_true(scores.brier.value == 2 && scores.accuracy.value == 0);
}

static void rows_without_probabilities_or_weight_do_not_count(void **state) {
    (void)state;
    sample s, fewer;
    draw(&s, 1);
    draw(&fewer, 1);
    s.probabilities[7 * CLASSES + 1] = NAN;
    s.weights[9] = 0;
    fewer.weights[7] = fewer.weights[9] = 0;
    sporf_class_scores one = scores_of(&s.rows, NULL, NULL);
    sporf_class_scores other = scores_of(&fewer.rows, NULL, NULL);
    assert_true(one.rows == ROWS - 2 && other.rows == ROWS - 2);
    assert_true(one.auc.value == other.auc.value && one.mcc.value == other.mcc.value);
    assert_true(one.auc.low == other.auc.low);
}

static void intervals_are_around_scores_for_any_number_of_threads(void **state) {
    (void)state;
    sporf_score_options options = {.struct_size = sizeof options, .replicates = 200, .seed = 5};
    sample s;
    draw(&s, 1);
    sporf_class_scores first = {0};
    for (unsigned threads = 1; threads <= 3; threads++) {
        options.threads = threads;
        sporf_class_scores scores = scores_of(&s.rows, &options, NULL);
        sporf_score score, before;
        for (size_t i = 0; sporf_class_scores_at(&scores, i, &score); i++) {
            assert_true(score.low <= score.value && score.value <= score.high);
            sporf_class_scores_at(threads == 1 ? &scores : &first, i, &before);
            assert_memory_equal(&score, &before, sizeof score);
        }
        if (threads == 1) first = scores;
    }
}

static void normal_quantiles_are_known(void **state) {
    (void)state;
    assert_near(spf_normal_reach(0.95), 1.9599639845400545, 1e-12);
    assert_near(spf_normal_reach(0.5), 0.6744897501960817, 1e-12);
    assert_near(spf_normal_reach(0.9999), 3.890591886413104, 1e-9);
}

static int asked_thrice(void *payload) {
    return ++*(int *)payload == 3;
}

static void intervals_can_be_interrupted(void **state) {
    (void)state;
    sample s;
    sporf_class_scores scores;
    sporf_score_options options;
    sporf_hooks hooks;
    int asked = 0;
    draw(&s, 1);
    sporf_class_scores_init(&scores);
    sporf_score_options_init(&options);
    sporf_hooks_init(&hooks);
    hooks.payload = &asked;
    hooks.interrupt = asked_thrice;
    options.hooks = &hooks;
    options.replicates = 100;
    options.threads = 1;
    assert_int_equal(sporf_score_classes(&s.rows, &options, &scores), SPORF_ERROR_CANCELLED);
    assert_int_equal(asked, 3);
}

static void what_cannot_be_scored_is_refused(void **state) {
    (void)state;
    sample s;
    sporf_class_scores scores;
    sporf_class_scores_init(&scores);
    draw(&s, 1);
    s.probabilities[4] = -0.5;
    assert_int_equal(sporf_score_classes(&s.rows, NULL, &scores), SPORF_ERROR_ARGUMENT);
    assert_non_null(strstr(sporf_last_error(), "row 2 has the probability -0.5"));
    draw(&s, 1);
    s.weights[0] = NAN;
    assert_int_equal(sporf_score_classes(&s.rows, NULL, &scores), SPORF_ERROR_ARGUMENT);
    s.weights[0] = 1e300;
    assert_int_equal(sporf_score_classes(&s.rows, NULL, &scores), SPORF_ERROR_ARGUMENT);
    assert_non_null(strstr(sporf_last_error(), "weight 1e+300, not a number from 0 to 1e+100"));
    draw(&s, 1);
    memset(s.weights, 0, sizeof s.weights);
    assert_int_equal(sporf_score_classes(&s.rows, NULL, &scores), SPORF_ERROR_DATA);
    s.rows.labels = NULL;
    assert_int_equal(sporf_score_classes(&s.rows, NULL, &scores), SPORF_ERROR_ARGUMENT);
    assert_int_equal(sporf_score_classes(NULL, NULL, &scores), SPORF_ERROR_ARGUMENT);
    sporf_curve_point points[ROWS + 1];
    size_t count;
    draw(&s, 1);
    assert_int_equal(sporf_score_curve(&s.rows, CLASSES, points, &count), SPORF_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(areas_are_shares_of_pairs_in_order),
        cmocka_unit_test(four_rows_by_hand),
        cmocka_unit_test(probability_0_for_the_true_class_is_a_finite_loss),
        cmocka_unit_test(rows_without_probabilities_or_weight_do_not_count),
        cmocka_unit_test(intervals_are_around_scores_for_any_number_of_threads),
        cmocka_unit_test(normal_quantiles_are_known),
        cmocka_unit_test(intervals_can_be_interrupted),
        cmocka_unit_test(what_cannot_be_scored_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
