/* The sorting network: every width of it against qsort, for every number of lines that the splitter
 * may ask for. */
#include "learn/splitting/kernels.h"

#include "base/rng.h"

#include "support/check.h"
#include "support/kernels_all.h"

enum { LINES_MAX = SPF_LANES_ROWS, BEYOND = 16, KINDS = 6 };
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
static void sort_lanes(const uint32_t *keys, size_t lines, size_t lanes, uint32_t *sorted) {
    uint32_t lane[LINES_MAX];
    for (size_t c = 0; c < lanes; c++) {
        for (size_t i = 0; i < lines; i++) lane[i] = keys[i * lanes + c];
        qsort(lane, lines, sizeof *lane, compare);
        for (size_t i = 0; i < lines; i++) sorted[i * lanes + c] = lane[i];
    }
}

static void assert_sorts(const spf_kernels *kernels) {
    static uint32_t keys[LINES_MAX * SPF_LANES_MAX + BEYOND], sorted[LINES_MAX * SPF_LANES_MAX];
    sporf_random random = spf_random_start(1, 0, SPF_USE_DRAW);
    const size_t lanes = kernels->lanes;
    for (size_t lines = 1; lines <= LINES_MAX; lines++)
        for (int n = 0; n < 2 * KINDS; n += (int)lanes / 4) {
            size_t count = lines * lanes,
                   room = (lines + SPF_LANES_FEW - 1) / SPF_LANES_FEW * SPF_LANES_FEW * lanes;
            for (size_t i = 0; i < count; i++)
                keys[i] = draw_key(&random, (n + (int)(i % lanes)) % KINDS, i / lanes, lines);
            for (size_t i = count; i < room + BEYOND; i++) keys[i] = GUARD;
            sort_lanes(keys, lines, lanes, sorted);
            kernels->sort(keys, lines);
            assert_memory_equal(keys, sorted, count * sizeof *keys);
            for (size_t i = room; i < room + BEYOND; i++) assert_int_equal(keys[i], GUARD);
        }
}

static void every_width_sorts(void **state) {
    (void)state;
    const spf_kernels *all[KERNELS_MAX];
    size_t count = kernels_all(all);
    for (size_t k = 0; k < count; k++) assert_sorts(all[k]);
}

/* Whether two keys of a column differ in the bits of the mask alone. */
static int agree_plainly(const uint32_t *keys, size_t lines, size_t lanes, size_t column,
                         uint32_t mask) {
    for (size_t i = 0; i < lines; i++)
        for (size_t j = 0; j < i; j++) {
            uint32_t a = keys[i * lanes + column], b = keys[j * lanes + column];
            if (a != b && (a & ~mask) == (b & ~mask)) return 1;
        }
    return 0;
}

static void every_width_tells_which_columns_agree_above_a_mask(void **state) {
    (void)state;
    enum { LINES = 3 * SPF_LANES_FEW, MOST = 2000 };
    const spf_kernels *all[KERNELS_MAX];
    size_t count = kernels_all(all), agreeing = 0, columns = 0;
    sporf_random random = spf_random_start(3, 0, SPF_USE_DRAW);
    for (size_t k = 0; k < count; k++)
        for (size_t n = 0; n < MOST; n++) {
            const size_t lanes = all[k]->lanes, lines = 1 + spf_random_below(&random, LINES);
            const uint32_t mask = (1u << spf_random_below(&random, 5)) - 1;
            uint32_t keys[LINES * SPF_LANES_MAX], unsorted[LINES * SPF_LANES_MAX];
            int agree[SPF_LANES_MAX];
            for (size_t i = 0; i < lines * lanes; i++)
                unsorted[i] = keys[i] = spf_random_below(&random, 4096) << (n % 5);
            all[k]->sort(keys, lines);
            all[k]->agree_above(keys, lines, mask, agree);
            for (size_t c = 0; c < lanes; c++) {
                assert_int_equal(agree[c], agree_plainly(unsorted, lines, lanes, c, mask));
                agreeing += (size_t)agree[c];
            }
            columns += lanes;
        }
    assert_true(agreeing > columns / 20 && agreeing < columns / 2);
}

/* Columns of zeros and ones, numbered by the bits of which they consist. */
static int sorts_bits(const spf_kernels *kernels, size_t lines, uint32_t bits) {
    enum { LINES = 16 };
    const size_t lanes = kernels->lanes;
    uint32_t keys[LINES * SPF_LANES_MAX], ones[SPF_LANES_MAX] = {0};
    int sorted = 1;
    for (size_t i = 0; i < lines; i++)
        for (size_t c = 0; c < lanes; c++) {
            keys[i * lanes + c] = (bits + (uint32_t)c) >> i & 1;
            ones[c] += keys[i * lanes + c];
        }
    kernels->sort(keys, lines);
    for (size_t i = 0; i < lines; i++)
        for (size_t c = 0; c < lanes; c++) sorted &= keys[i * lanes + c] == (i >= lines - ones[c]);
    return sorted;
}

/* All zeros and ones of up to 16 lines, which proves the network for these numbers of lines. */
static void every_column_of_zeros_and_ones_is_sorted(void **state) {
    (void)state;
    const spf_kernels *best = spf_kernels_best();
    for (size_t lines = 1; lines <= 16; lines++)
        for (uint32_t bits = 0; bits < 1u << lines; bits++)
            assert_true(sorts_bits(best, lines, bits));
}

/* The last merge, of two parts that are in order after those before it, with all numbers of ones in
 * both. */
static int merges_ones(const spf_kernels *kernels, size_t lines, size_t run) {
    static uint32_t keys[LINES_MAX * SPF_LANES_MAX];
    const size_t lanes = kernels->lanes, rest = lines - run;
    int sorted = 1;
    for (size_t n = 0; n < (run + 1) * (rest + 1); n += lanes) {
        size_t ones[2][SPF_LANES_MAX];
        for (size_t c = 0; c < lanes; c++) {
            ones[0][c] = (n + c) / (rest + 1) % (run + 1);
            ones[1][c] = (n + c) % (rest + 1);
            for (size_t i = 0; i < lines; i++)
                keys[i * lanes + c] = i < run ? i < ones[0][c] : i - run < ones[1][c];
        }
        kernels->sort(keys, lines);
        for (size_t i = 0; i < lines; i++)
            for (size_t c = 0; c < lanes; c++)
                sorted &= keys[i * lanes + c] == (i >= lines - ones[0][c] - ones[1][c]);
    }
    return sorted;
}

/* This proves all merges onto runs of fewer than 64 lines. Of longer runs only the merges of a
 * single line and of nearly as many lines are tried, for time. */
static void parts_in_order_are_merged(void **state) {
    (void)state;
    const spf_kernels *all[KERNELS_MAX];
    size_t count = kernels_all(all);
    for (size_t k = 0; k < count; k++)
        for (size_t run = SPF_LANES_FEW; run < LINES_MAX; run *= 2)
            for (size_t rest = 1; rest <= run; rest += run < 64 ? 1 : run - 3)
                assert_true(merges_ones(all[k], run + rest, run));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_width_sorts),
        cmocka_unit_test(every_width_tells_which_columns_agree_above_a_mask),
        cmocka_unit_test(every_column_of_zeros_and_ones_is_sorted),
        cmocka_unit_test(parts_in_order_are_merged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
