/* The area under the curve, against every pair. */
#include "score/auc.h"

#include "base/rng.h"

#include "support/check.h"

enum { ROWS = 60, CLASSES_MAX = 4 };

typedef struct {
    size_t classes;
    uint32_t votes[ROWS * CLASSES_MAX], labels[ROWS];
    double weights[ROWS];
} sample;

static double share_of(const sample *s, size_t row, size_t class) {
    double all = 0;
    for (size_t k = 0; k < s->classes; k++) all += s->votes[row * s->classes + k];
    return s->votes[row * s->classes + class] / all;
}

static int has_votes(const sample *s, size_t row) {
    return !isnan(share_of(s, row, 0));
}

/* Every true share against every false one. */
static double brute_force(const sample *s) {
    double won = 0, pairs = 0;
    size_t first = s->classes == 2 ? 1 : 0;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t a = first; a < s->classes; a++)
            for (size_t j = 0; j < ROWS; j++)
                for (size_t b = first; b < s->classes; b++) {
                    if (s->labels[i] != a || s->labels[j] == b) continue;
                    if (!has_votes(s, i) || !has_votes(s, j)) continue;
                    double weight = s->weights[i] * s->weights[j];
                    double above = share_of(s, i, a), below = share_of(s, j, b);
                    won += weight * (above > below ? 1 : above == below ? 0.5 : 0);
                    pairs += weight;
                }
    return won / pairs;
}

static void draw(sample *s, uint64_t seed, size_t classes, uint32_t most) {
    sporf_random random = spf_random_start(seed, 1, SPF_USE_SIMULATE);
    s->classes = classes;
    for (size_t i = 0; i < ROWS; i++) {
        s->labels[i] = spf_random_below(&random, (uint32_t)classes);
        s->weights[i] = seed % 2 ? 1 : spf_random_below(&random, 4) / 2.0;
        for (size_t k = 0; k < classes; k++)
            s->votes[i * classes + k] =
                spf_random_below(&random, most) + (k == s->labels[i] ? most / 3 : 0);
    }
}

static void it_is_the_share_of_pairs_in_order(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++)
        for (size_t classes = 2; classes <= CLASSES_MAX; classes++) {
            sample s;
            double auc;
            draw(&s, seed, classes, seed % 3 ? 3 : 200);
            assert_ok(spf_auc(ROWS, classes, s.votes, s.labels, s.weights, &auc));
            assert_near(auc, brute_force(&s), 1e-12);
        }
}

static void perfect_and_useless_votes_have_1_and_a_half(void **state) {
    (void)state;
    sample s;
    double auc;
    for (size_t classes = 2; classes <= CLASSES_MAX; classes++) {
        draw(&s, 1, classes, 5);
        for (size_t i = 0; i < ROWS * classes; i++)
            s.votes[i] = i % classes == s.labels[i / classes] ? 3 : 0;
        assert_ok(spf_auc(ROWS, classes, s.votes, s.labels, s.weights, &auc));
        assert_true(auc == 1);
        for (size_t i = 0; i < ROWS * classes; i++) s.votes[i] = 2;
        assert_ok(spf_auc(ROWS, classes, s.votes, s.labels, s.weights, &auc));
        assert_true(auc == 0.5);
    }
}

static void without_pairs_there_is_none(void **state) {
    (void)state;
    sample s;
    double auc = 0;
    draw(&s, 1, 2, 5);
    memset(s.labels, 0, sizeof s.labels);
    assert_ok(spf_auc(ROWS, 2, s.votes, s.labels, s.weights, &auc));
    assert_true(isnan(auc));
    draw(&s, 1, 2, 5);
    memset(s.votes, 0, sizeof s.votes);
    assert_ok(spf_auc(ROWS, 2, s.votes, s.labels, s.weights, &auc));
    assert_true(isnan(auc));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_share_of_pairs_in_order),
        cmocka_unit_test(perfect_and_useless_votes_have_1_and_a_half),
        cmocka_unit_test(without_pairs_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
