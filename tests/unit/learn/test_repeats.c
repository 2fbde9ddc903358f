/* Candidates that were drawn twice. */
#include "learn/sampling/repeats.h"

#include "base/rng.h"

#include "support/check.h"

enum { FEATURES = 4, MOST_TERMS = 3 };

/* Few features and weights, so that many projections are equal. */
static void add_random(sporf_random *random, sporf_projections *list) {
    uint32_t features[MOST_TERMS];
    float weights[MOST_TERMS];
    size_t count = 0;
    for (uint32_t j = 0; j < FEATURES && count < MOST_TERMS; j++) {
        if (spf_random_below(random, 2)) continue;
        features[count] = j;
        weights[count++] = spf_random_below(random, 2) ? 1.0f : -1.0f;
    }
    if (count > 0) assert_ok(spf_projections_put(list, count, features, weights));
}

static int is_same(const sporf_projections *a, size_t i, const sporf_projections *b, size_t j) {
    size_t terms = spf_projection_terms(a, i);
    return terms == spf_projection_terms(b, j) &&
           memcmp(a->feature + a->start[i], b->feature + b->start[j], terms * sizeof(uint32_t)) ==
               0 &&
           memcmp(a->weight + a->start[i], b->weight + b->start[j], terms * sizeof(float)) == 0;
}

static int was_before(const sporf_projections *list, size_t index) {
    for (size_t i = 0; i < index; i++)
        if (is_same(list, i, list, index)) return 1;
    return 0;
}

static void check_drop(size_t draws, spf_repeats *repeats) {
    sporf_projections drawn = {.features = FEATURES}, kept = {.features = FEATURES};
    sporf_random random = spf_random_start(1, draws, SPF_USE_DRAW), again = random;
    for (size_t i = 0; i < draws; i++) add_random(&random, &drawn);
    for (size_t i = 0; i < draws; i++) add_random(&again, &kept);
    assert_ok(spf_repeats_drop(repeats, &kept));
    size_t next = 0;
    for (size_t i = 0; i < drawn.count; i++) {
        if (was_before(&drawn, i)) continue;
        assert_true(next < kept.count);
        assert_true(is_same(&drawn, i, &kept, next++));
    }
    assert_int_equal(next, kept.count);
    assert_int_equal(kept.terms, kept.count ? kept.start[kept.count] : 0);
    spf_projections_free(&drawn);
    spf_projections_free(&kept);
}

static void the_first_of_equal_projections_stays_in_its_place(void **state) {
    (void)state;
    spf_repeats repeats = {0};
    for (size_t draws = 0; draws < 200; draws++) check_drop(draws, &repeats);
    check_drop(5, &repeats);
    spf_repeats_free(&repeats);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_of_equal_projections_stays_in_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
