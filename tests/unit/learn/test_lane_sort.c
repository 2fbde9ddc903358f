/* The sorting network: every version of it against qsort, for every number of lines that the
 * splitter may ask for. */
#include "learn/splitting/split.h"

#include "base/rng.h"

#include "support/check.h"

enum { LINES_MAX = SPF_LANES_ROWS, BEYOND = 8, KINDS = 6 };
static const uint32_t GUARD = 0xA5A5A5A5u;

static int compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t draw_key(sporf_random *random, int kind, size_t line, size_t lines) {
    switch (kind) {
    case 0:
        return spf_random_word(random);
    case 1: /* zeros and ones, of which networks that sort them sort anything (Knuth 5.3.4 Z) */
        return spf_random_below(random, 2);
    case 2: /* on both sides of where signed comparisons turn round */
        return 0x80000000u - 2 + spf_random_below(random, 4);
    case 3:
        return spf_random_below(random, 2) ? UINT32_MAX - spf_random_below(random, 3)
                                           : spf_random_below(random, 3);
    case 4:
        return (uint32_t)line;
    default:
        return (uint32_t)(lines - line);
    }
}

/* Sorts the same lines with qsort, lane by lane. */
static void sort_lanes(const uint32_t *keys, size_t lines, uint32_t *sorted) {
    uint32_t lane[LINES_MAX];
    for (size_t c = 0; c < SPF_LANES; c++) {
        for (size_t i = 0; i < lines; i++) lane[i] = keys[i * SPF_LANES + c];
        qsort(lane, lines, sizeof *lane, compare);
        for (size_t i = 0; i < lines; i++) sorted[i * SPF_LANES + c] = lane[i];
    }
}

static void assert_sorts(spf_lane_sorter sorter) {
    static uint32_t keys[LINES_MAX * SPF_LANES + BEYOND], sorted[LINES_MAX * SPF_LANES];
    sporf_random random = spf_random_start(1, 0, SPF_USE_DRAW);
    for (size_t lines = 1; lines <= LINES_MAX; lines++)
        for (int n = 0; n < 2 * KINDS; n++) {
            size_t count = lines * SPF_LANES;
            for (size_t i = 0; i < count; i++)
                keys[i] =
                    draw_key(&random, (n + (int)(i % SPF_LANES)) % KINDS, i / SPF_LANES, lines);
            for (size_t i = count; i < count + BEYOND; i++) keys[i] = GUARD;
            sort_lanes(keys, lines, sorted);
            sorter(keys, lines);
            assert_memory_equal(keys, sorted, count * sizeof *keys);
            for (size_t i = count; i < count + BEYOND; i++) assert_int_equal(keys[i], GUARD);
        }
}

static void the_chosen_version_sorts(void **state) {
    (void)state;
    assert_sorts(spf_lane_sort);
}

static void the_plain_version_sorts(void **state) {
    (void)state;
    assert_non_null(spf_lane_sorter_plain());
    assert_sorts(spf_lane_sorter_plain());
}

static void the_avx2_version_sorts(void **state) {
    (void)state;
    if (!spf_lane_sorter_avx2()) skip();
    assert_sorts(spf_lane_sorter_avx2());
}

/* All zeros and ones of up to 16 lines, which proves the network for these numbers of lines. */
static void every_column_of_zeros_and_ones_is_sorted(void **state) {
    (void)state;
    enum { LINES = 16 };
    for (size_t lines = 1; lines <= LINES; lines++)
        for (uint32_t bits = 0; bits < 1u << lines; bits++) {
            uint32_t keys[LINES * SPF_LANES], ones[SPF_LANES] = {0};
            for (size_t i = 0; i < lines; i++)
                for (size_t c = 0; c < SPF_LANES; c++) {
                    keys[i * SPF_LANES + c] = (bits + (uint32_t)c) >> i & 1;
                    ones[c] += keys[i * SPF_LANES + c];
                }
            spf_lane_sort(keys, lines);
            int sorted = 1;
            for (size_t i = 0; i < lines; i++)
                for (size_t c = 0; c < SPF_LANES; c++)
                    sorted &= keys[i * SPF_LANES + c] == (i >= lines - ones[c]);
            assert_true(sorted);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chosen_version_sorts),
        cmocka_unit_test(the_plain_version_sorts),
        cmocka_unit_test(the_avx2_version_sorts),
        cmocka_unit_test(every_column_of_zeros_and_ones_is_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
