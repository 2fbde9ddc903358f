/* Projections are kept as lines: whatever is added comes out in one form. */
#include "model/projection.h"

#include "base/rng.h"

#include "support/check.h"

enum { FEATURES = 40, TERMS_MAX = 30 };

typedef struct {
    uint32_t feature[TERMS_MAX];
    float weight[TERMS_MAX];
    size_t count;
} draft;

static draft draw_draft(sporf_random *random) {
    draft d = {.count = 1 + spf_random_below(random, TERMS_MAX)};
    uint32_t cards[FEATURES];
    for (uint32_t i = 0; i < FEATURES; i++) cards[i] = i;
    for (uint32_t i = 0; i < d.count; i++) {
        uint32_t other = i + spf_random_below(random, FEATURES - i), card = cards[other];
        cards[other] = cards[i];
        d.feature[i] = cards[i] = card;
        d.weight[i] = spf_random_below(random, 6) == 0
                          ? (spf_random_word(random) & 1 ? 0.0f : -0.0f)
                          : (float)spf_random_normal(random) * 1e3f;
    }
    return d;
}

/* The weight that a draft gives to a feature. */
static float weight_of(const draft *d, uint32_t feature) {
    for (size_t i = 0; i < d->count; i++)
        if (d->feature[i] == feature) return d->weight[i];
    return 0;
}

static void check_line(const sporf_projections *list, size_t index, const draft *d,
                       const float *scale) {
    const uint32_t *feature = list->feature + list->start[index];
    const float *weight = list->weight + list->start[index];
    size_t terms = spf_projection_terms(list, index), nonzero = 0;
    double largest = 0, first = weight_of(d, feature[0]);
    for (size_t i = 0; i < d->count; i++) {
        nonzero += d->weight[i] != 0;
        double size = fabs((double)d->weight[i] * (scale ? scale[d->feature[i]] : 1));
        if (size > largest) largest = size;
    }
    assert_int_equal(terms, nonzero);
    for (size_t i = 0; i < terms; i++) {
        assert_true(i == 0 || feature[i - 1] < feature[i]);
        double raw = (double)weight_of(d, feature[i]) * (scale ? scale[feature[i]] : 1);
        assert_true(weight[i] == (float)(raw / (first < 0 ? -largest : largest)));
    }
    assert_true(weight[0] > 0);
}

static int has_weight(const draft *d) {
    for (size_t i = 0; i < d->count; i++)
        if (d->weight[i] != 0) return 1;
    return 0;
}

static void lines_are_ascending_positive_first_and_largest_one(void **state) {
    (void)state;
    static float scale[FEATURES];
    sporf_random random = spf_random_start(1, 0, SPF_USE_DRAW);
    for (size_t j = 0; j < FEATURES; j++) scale[j] = (float)exp(3 * spf_random_normal(&random));
    for (int scaled = 0; scaled < 2; scaled++) {
        sporf_projections list = {.features = FEATURES, .scale = scaled ? scale : NULL};
        for (int n = 0; n < 3000; n++) {
            draft d = draw_draft(&random);
            size_t before = list.count;
            int nonzero = has_weight(&d);
            assert_ok(sporf_projections_add(&list, d.count, d.feature, d.weight));
            assert_int_equal(list.count, before + (size_t)nonzero);
            if (nonzero) check_line(&list, before, &d, list.scale);
        }
        spf_projections_free(&list);
    }
}

static void multiples_of_a_projection_are_the_same_line(void **state) {
    (void)state;
    static const float factors[] = {1, -1, 2, -0.5f, 1024};
    sporf_random random = spf_random_start(2, 0, SPF_USE_DRAW);
    for (int n = 0; n < 500; n++) {
        sporf_projections list = {.features = FEATURES};
        draft d = draw_draft(&random);
        d.weight[0] = 1;
        for (size_t f = 0; f < sizeof factors / sizeof *factors; f++) {
            draft multiple = d;
            for (size_t i = 0; i < d.count; i++) multiple.weight[i] *= factors[f];
            assert_ok(sporf_projections_add(&list, d.count, multiple.feature, multiple.weight));
        }
        size_t terms = spf_projection_terms(&list, 0);
        for (size_t f = 1; f < list.count; f++) {
            assert_int_equal(spf_projection_terms(&list, f), terms);
            assert_memory_equal(list.feature + list.start[f], list.feature, terms * 4);
            assert_memory_equal(list.weight + list.start[f], list.weight, terms * 4);
        }
        spf_projections_free(&list);
    }
}

static void a_single_feature_has_weight_one(void **state) {
    (void)state;
    static const float weights[] = {1, -1, 1e-45f, -3.4e38f, 0.3f};
    static const float scale[2] = {1e-6f, 1e6f};
    sporf_projections list = {.features = 2, .scale = scale};
    for (size_t i = 0; i < 5; i++) {
        uint32_t feature = i % 2;
        assert_ok(sporf_projections_add(&list, 1, &feature, &weights[i]));
        assert_true(list.weight[i] == 1);
        assert_int_equal(list.feature[i], feature);
    }
    spf_projections_free(&list);
}

static void nothing_is_passed_over(void **state) {
    (void)state;
    static const uint32_t features[] = {2, 1};
    static const float zeros[] = {0.0f, -0.0f};
    sporf_projections list = {.features = 3};
    assert_ok(sporf_projections_add(&list, 0, NULL, NULL));
    assert_ok(sporf_projections_add(&list, 2, features, zeros));
    assert_int_equal(list.count, 0);
    assert_int_equal(list.terms, 0);
    spf_projections_free(&list);
}

/* Beside a weight of 1e38 one of 1e-38 is nothing, and must not be kept as a term of weight 0. */
static void weights_that_vanish_beside_others_are_left_out(void **state) {
    (void)state;
    static const uint32_t features[] = {0, 1};
    static const float weights[] = {1e-38f, -1e38f};
    sporf_projections list = {.features = 2};
    assert_ok(sporf_projections_add(&list, 2, features, weights));
    assert_int_equal(list.terms, 1);
    assert_int_equal(list.feature[0], 1);
    assert_true(list.weight[0] == 1);
    spf_projections_free(&list);
}

static void mistakes_are_refused_and_add_nothing(void **state) {
    (void)state;
    static const uint32_t good[] = {0, 2}, beyond[] = {0, 3}, far[] = {UINT32_MAX},
                          twice[] = {1, 1}, apart[] = {1, 0, 1};
    static const float ones[] = {1, 1, 1};
    const float nan[] = {1, NAN}, infinite[] = {-INFINITY, 1};
    sporf_projections list = {.features = 3};
    assert_ok(sporf_projections_add(&list, 2, good, ones));
    assert_refused(sporf_projections_add(&list, 2, beyond, ones), SPORF_ERROR_ARGUMENT,
                   "feature 3");
    assert_refused(sporf_projections_add(&list, 1, far, ones), SPORF_ERROR_ARGUMENT,
                   "feature 4294967295");
    assert_refused(sporf_projections_add(&list, 2, twice, ones), SPORF_ERROR_ARGUMENT, "twice");
    assert_refused(sporf_projections_add(&list, 3, apart, ones), SPORF_ERROR_ARGUMENT, "twice");
    assert_refused(sporf_projections_add(&list, 2, good, nan), SPORF_ERROR_ARGUMENT, "not finite");
    assert_refused(sporf_projections_add(&list, 2, good, infinite), SPORF_ERROR_ARGUMENT,
                   "not finite");
    assert_int_equal(list.count, 1);
    assert_ok(sporf_projections_add(&list, 2, good, ones));
    assert_int_equal(list.count, 2);
    assert_int_equal(list.terms, 4);
    assert_int_equal(list.start[2], 4);
    spf_projections_free(&list);
}

static void a_cleared_list_starts_again(void **state) {
    (void)state;
    static const uint32_t features[] = {5, 3};
    static const float weights[] = {1, 2};
    sporf_projections list = {.features = 6};
    for (int n = 0; n < 3; n++) {
        spf_projections_clear(&list);
        assert_ok(sporf_projections_add(&list, 2, features, weights));
        assert_int_equal(list.count, 1);
        assert_int_equal(list.start[0], 0);
        assert_int_equal(list.feature[0], 3);
        assert_true(list.weight[1] == 0.5f);
    }
    spf_projections_free(&list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_ascending_positive_first_and_largest_one),
        cmocka_unit_test(multiples_of_a_projection_are_the_same_line),
        cmocka_unit_test(a_single_feature_has_weight_one),
        cmocka_unit_test(nothing_is_passed_over),
        cmocka_unit_test(weights_that_vanish_beside_others_are_left_out),
        cmocka_unit_test(mistakes_are_refused_and_add_nothing),
        cmocka_unit_test(a_cleared_list_starts_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
