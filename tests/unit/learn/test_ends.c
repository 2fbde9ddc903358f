/* Closing the ends of a column leaves the cuts that have enough draws on either side, and no other.
 */
#include "learn/splitting/ends.h"

#include "base/rng.h"
#include "support/check.h"

enum { MOST = 60 };

/* Whether `<= value` has enough draws on either side. */
static int has_enough(const float *values, const uint32_t *draws, size_t count, float value,
                      uint64_t least) {
    uint64_t left = 0, right = 0;
    for (size_t i = 0; i < count; i++) *(values[i] <= value ? &left : &right) += draws[i];
    return left >= least && right >= least;
}

static int is_cut(const float *values, size_t count, float value) {
    int above = 0, there = 0;
    for (size_t i = 0; i < count; i++) {
        above |= values[i] > value;
        there |= values[i] == value;
    }
    return above && there;
}

static void only_cuts_with_enough_rows_on_either_side_are_left(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        sporf_random random = spf_random_start(seed, 1, SPF_USE_SIMULATE);
        size_t count = 2 + spf_random_below(&random, MOST - 2);
        uint32_t least = 1 + spf_random_below(&random, 12), kinds = 2 + (uint32_t)(seed % 40);
        float values[MOST], closed[MOST];
        uint32_t draws[MOST];
        spf_end heap[MOST + 1];
        uint64_t all = 0;
        size_t wanted = 0;
        for (size_t i = 0; i < count; i++) {
            values[i] = closed[i] = (float)spf_random_below(&random, kinds) - 7;
            all += draws[i] = 1 + spf_random_below(&random, 3);
        }
        if (all < 2 * least) continue; /* such a node is not searched */
        for (size_t i = 0; i < count; i++)
            wanted += is_cut(values, count, values[i]) &&
                      has_enough(values, draws, count, values[i], least);
        int found = spf_ends_close(closed, draws, count, least, heap);
        assert_int_equal(found, wanted > 0);
        for (size_t i = 0; found && i < count; i++) {
            int allowed = is_cut(values, count, values[i]) &&
                          has_enough(values, draws, count, values[i], least);
            if (is_cut(closed, count, closed[i]))
                assert_true(has_enough(values, draws, count, closed[i], least));
            if (allowed) assert_true(is_cut(closed, count, values[i]));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_cuts_with_enough_rows_on_either_side_are_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
