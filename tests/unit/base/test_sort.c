/* Sorting by upper halves, and floats as numbers of the same order. */
#include "base/sort.h"

#include "base/rng.h"

#include <float.h>

#include "support/check.h"

static int by_upper_half(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a >> 32, y = *(const uint64_t *)b >> 32;
    return (x > y) - (x < y);
}

static int by_all(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

enum { COUNT_MAX = 5000, GUARD = 0x5a };

/* The lower half is the place before sorting, so that qsort by the whole key is a stable sort by
 * the upper half. `used` masks the bits in which the keys may differ. */
static void check_sort(sporf_random *random, size_t count, uint32_t used) {
    static uint64_t keys[COUNT_MAX + 1], spare[COUNT_MAX + 1], wanted[COUNT_MAX];
    for (size_t i = 0; i < count; i++)
        keys[i] = wanted[i] = (uint64_t)(spf_random_word(random) & used) << 32 | i;
    keys[count] = spare[count] = GUARD;
    qsort(wanted, count, sizeof *wanted, by_all);
    spf_sort_keys(keys, spare, count);
    assert_memory_equal(keys, wanted, count * sizeof *keys);
    assert_true(keys[count] == GUARD && spare[count] == GUARD);
}

static void sorting_equals_a_stable_qsort_for_every_count_and_digit(void **state) {
    (void)state;
    static const uint32_t masks[] = {0,          1,          0xff,       0xff00,     0xff0000,
                                     0xff000000, 0x00ff00ff, 0xff00ff00, 0x80000001, 0xffffffff};
    static const size_t counts[] = {256, 257, 1000, 1499, 1500, COUNT_MAX};
    sporf_random random = spf_random_start(1, 0, SPF_USE_DRAW);
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
        for (size_t count = 0; count <= 130; count++) check_sort(&random, count, masks[m]);
        for (size_t c = 0; c < 6; c++) check_sort(&random, counts[c], masks[m]);
    }
}

/* Lower halves in falling order show that they never decide. */
static void keys_of_equal_upper_half_keep_their_order(void **state) {
    (void)state;
    static uint64_t keys[COUNT_MAX], spare[COUNT_MAX];
    sporf_random random = spf_random_start(2, 0, SPF_USE_DRAW);
    for (size_t count = 2; count <= COUNT_MAX; count = count * 3 / 2 + 1) {
        for (size_t i = 0; i < count; i++)
            keys[i] = (uint64_t)spf_random_below(&random, 4) << 32 | (count - i);
        spf_sort_keys(keys, spare, count);
        for (size_t i = 1; i < count; i++) {
            int order = by_upper_half(&keys[i - 1], &keys[i]);
            assert_true(order < 0 || (order == 0 && keys[i - 1] > keys[i]));
        }
    }
}

static const float rising[] = {-FLT_MAX,    -1e30f,      -2.0f,   -1.0000001f, -1.0f,
                               -FLT_MIN,    -0x1p-148f,  -1e-45f, 0.0f,        1e-45f,
                               0x1p-148f,   FLT_MIN,     1.0f,    1.0000001f,  2.0f,
                               16777216.0f, 16777218.0f, 1e30f,   FLT_MAX};

static void the_order_of_floats_is_the_order_of_their_numbers(void **state) {
    (void)state;
    enum { COUNT = sizeof rising / sizeof *rising };
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < COUNT; j++)
            assert_int_equal(rising[i] < rising[j],
                             spf_float_order(rising[i]) < spf_float_order(rising[j]));
    sporf_random random = spf_random_start(3, 0, SPF_USE_DRAW);
    for (int i = 0; i < 100000; i++) {
        uint32_t bits[2] = {spf_random_word(&random), spf_random_word(&random)};
        float a, b;
        memcpy(&a, &bits[0], sizeof a);
        memcpy(&b, &bits[1], sizeof b);
        if (!isfinite(a) || !isfinite(b)) continue;
        assert_int_equal(a < b, spf_float_order(a) < spf_float_order(b));
    }
}

static void both_zeros_have_one_number(void **state) {
    (void)state;
    assert_int_equal(spf_float_order(-0.0f), spf_float_order(0.0f));
    assert_int_equal(signbit(spf_float_unorder(spf_float_order(-0.0f))), 0);
}

static void a_float_comes_back_from_its_number(void **state) {
    (void)state;
    sporf_random random = spf_random_start(4, 0, SPF_USE_DRAW);
    for (int i = 0; i < 100000; i++) {
        uint32_t bits = spf_random_word(&random);
        float a;
        memcpy(&a, &bits, sizeof a);
        if (isfinite(a)) assert_true(spf_float_unorder(spf_float_order(a)) == a);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorting_equals_a_stable_qsort_for_every_count_and_digit),
        cmocka_unit_test(keys_of_equal_upper_half_keep_their_order),
        cmocka_unit_test(the_order_of_floats_is_the_order_of_their_numbers),
        cmocka_unit_test(both_zeros_have_one_number),
        cmocka_unit_test(a_float_comes_back_from_its_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
