/* Measures of agreement from counts. */
#include "score/metric.h"

#include "base/rng.h"

#include "support/check.h"

enum { CLASSES_MAX = 6, ROWS_MAX = 200 };

typedef struct {
    size_t rows, classes;
    double agree, truth[CLASSES_MAX], predicted[CLASSES_MAX];
    double table[CLASSES_MAX][CLASSES_MAX];
} counts;

static counts draw_counts(sporf_random *random) {
    counts c = {.rows = 1 + spf_random_below(random, ROWS_MAX),
                .classes = 2 + spf_random_below(random, CLASSES_MAX - 1)};
    for (size_t i = 0; i < c.rows; i++) {
        uint32_t t = spf_random_below(random, (uint32_t)c.classes), p = t;
        if (spf_random_below(random, 3) == 0) p = spf_random_below(random, (uint32_t)c.classes);
        c.agree += t == p;
        c.truth[t]++;
        c.predicted[p]++;
        c.table[t][p]++;
    }
    return c;
}

/* From the whole table, as a share of the disagreement that chance would give. */
static double kappa_of_table(const counts *c) {
    double disagree = 0, by_chance = 0, n = (double)c->rows;
    for (size_t t = 0; t < c->classes; t++)
        for (size_t p = 0; p < c->classes; p++)
            if (t != p) {
                disagree += c->table[t][p] / n;
                by_chance += c->truth[t] * c->predicted[p] / n / n;
            }
    return 1 - disagree / by_chance;
}

static void kappa_is_one_less_the_share_of_disagreement_beyond_chance(void **state) {
    (void)state;
    sporf_random random = spf_random_start(1, 0, SPF_USE_DRAW);
    for (int n = 0; n < 5000; n++) {
        counts c = draw_counts(&random);
        double wanted = kappa_of_table(&c);
        if (isfinite(wanted))
            assert_near(spf_cohen_kappa((double)c.rows, c.agree, c.truth, c.predicted, c.classes),
                        wanted, 1e-9);
    }
}

static void kappa_by_hand(void **state) {
    (void)state;
    const double truth[] = {25, 25}, predicted[] = {30, 20};
    assert_near(spf_cohen_kappa(50, 35, truth, predicted, 2), 0.4, 1e-12); /* .7 against .5 */
    const double equal[] = {10, 20, 30};
    assert_near(spf_cohen_kappa(60, 60, equal, equal, 3), 1, 1e-12);
}

static void kappa_of_a_single_class_is_not_known_when_right(void **state) {
    (void)state;
    const double all[] = {0, 40}, other[] = {40, 0};
    assert_true(isnan(spf_cohen_kappa(40, 40, all, all, 2)));
    assert_near(spf_cohen_kappa(40, 0, all, other, 2), 0, 0);
}

/* 1 - error / c with c = 1 - the largest share among the classes but the first. */
static void the_papers_kappa_leaves_out_the_first_class(void **state) {
    (void)state;
    const double truth[] = {70, 20, 10};
    assert_near(spf_kappa_paper(100, 90, truth, 3), 1 - 0.1 / 0.8, 1e-12);
    const double swapped[] = {20, 70, 10};
    assert_near(spf_kappa_paper(100, 90, swapped, 3), 1 - 0.1 / 0.3, 1e-12);
    const double only_second[] = {0, 100};
    assert_true(isnan(spf_kappa_paper(100, 100, only_second, 2)));
    const double only_first[] = {100, 0};
    assert_near(spf_kappa_paper(100, 97, only_first, 2), 0.97, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kappa_is_one_less_the_share_of_disagreement_beyond_chance),
        cmocka_unit_test(kappa_by_hand),
        cmocka_unit_test(kappa_of_a_single_class_is_not_known_when_right),
        cmocka_unit_test(the_papers_kappa_leaves_out_the_first_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
