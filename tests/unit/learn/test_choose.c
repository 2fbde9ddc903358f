/* Random subsets: every subset, or every order, with the same chance. */
#include "learn/sampling/choose.h"

#include "support/check.h"

/* The place of an ordered choice of `count` out of `size` among all of them. */
static size_t arrangement_number(const uint32_t *drawn, uint32_t count, uint32_t size) {
    size_t number = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rank = drawn[i];
        for (uint32_t j = 0; j < i; j++) rank -= drawn[j] < drawn[i];
        number = number * (size - i) + rank;
    }
    return number;
}

static void a_deck_deals_every_arrangement_equally_often(void **state) {
    (void)state;
    enum { EACH = 200, MOST = 720 };
    for (uint32_t size = 1; size <= 6; size++)
        for (uint32_t count = 1; count <= size; count++) {
            static size_t counts[MOST];
            size_t arrangements = 1;
            spf_deck deck;
            sporf_random random = spf_random_start(1, size * 10 + count, SPF_USE_DRAW);
            for (uint32_t i = 0; i < count; i++) arrangements *= size - i;
            memset(counts, 0, sizeof counts);
            assert_ok(spf_deck_create(size, &deck));
            for (size_t n = 0; n < EACH * arrangements; n++) {
                uint32_t drawn[6];
                spf_deck_draw(&deck, &random, count, drawn);
                counts[arrangement_number(drawn, count, size)]++;
            }
            if (arrangements > 1) assert_equally_likely(counts, arrangements, EACH);
            spf_deck_free(&deck);
        }
}

static void a_deck_is_in_order_between_draws(void **state) {
    (void)state;
    enum { SIZE = 1000 };
    spf_deck deck;
    uint32_t drawn[SIZE];
    sporf_random random = spf_random_start(2, 0, SPF_USE_DRAW);
    assert_ok(spf_deck_create(SIZE, &deck));
    for (int n = 0; n < 50; n++) {
        spf_deck_draw(&deck, &random, spf_random_below(&random, SIZE + 1), drawn);
        for (uint32_t i = 0; i < SIZE; i++) assert_int_equal(deck.cards[i], i);
    }
    spf_deck_free(&deck);
}

static void cards_dealt_one_by_one_are_those_of_a_whole_draw(void **state) {
    (void)state;
    enum { SIZE = 100, COUNT = 60 };
    spf_deck deck;
    uint32_t drawn[COUNT];
    sporf_random whole = spf_random_start(3, 0, SPF_USE_DRAW), single = whole;
    assert_ok(spf_deck_create(SIZE, &deck));
    spf_deck_draw(&deck, &whole, COUNT, drawn);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(spf_deck_next(&deck, &single, i), drawn[i]);
    spf_deck_put_back(&deck, COUNT);
    for (uint32_t i = 0; i < SIZE; i++) assert_int_equal(deck.cards[i], i);
    spf_deck_free(&deck);
}

static size_t set_of(const uint64_t *drawn, size_t count) {
    size_t set = 0;
    for (size_t i = 0; i < count; i++) {
        assert_false(set >> drawn[i] & 1);
        set |= (size_t)1 << drawn[i];
    }
    return set;
}

static void a_grid_gives_every_subset_equally_often(void **state) {
    (void)state;
    enum { EACH = 200, SIZE = 7 };
    spf_cells cells = {0};
    for (size_t count = 1; count < SIZE; count++) {
        size_t counts[1 << SIZE] = {0}, subsets[1 << SIZE], found = 0;
        uint64_t drawn[SIZE];
        sporf_random random = spf_random_start(4, count, SPF_USE_DRAW);
        for (size_t set = 0; set < 1 << SIZE; set++)
            found += (size_t)__builtin_popcountl(set) == count;
        for (size_t n = 0; n < EACH * found; n++) {
            assert_ok(spf_cells_draw(&cells, &random, SIZE, count, drawn));
            counts[set_of(drawn, count)]++;
        }
        found = 0;
        for (size_t set = 0; set < 1 << SIZE; set++)
            if ((size_t)__builtin_popcountl(set) == count) subsets[found++] = counts[set];
        assert_equally_likely(subsets, found, EACH);
    }
    spf_cells_free(&cells);
}

static int by_number(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void cells_are_distinct_and_inside_for_grids_of_any_size(void **state) {
    (void)state;
    static const uint64_t sizes[] = {1, 2, 100, 5000, 5001, 1ull << 32, 3ull << 40, 1ull << 62};
    spf_cells cells = {0};
    static uint64_t drawn[5000];
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t count = 1; count <= 5000 && count <= sizes[s]; count = count * 2 + 1) {
            sporf_random random = spf_random_start(5, s, SPF_USE_DRAW);
            assert_ok(spf_cells_draw(&cells, &random, sizes[s], count, drawn));
            qsort(drawn, count, sizeof *drawn, by_number);
            assert_true(drawn[count - 1] < sizes[s]);
            for (size_t i = 1; i < count; i++) assert_true(drawn[i - 1] < drawn[i]);
        }
    spf_cells_free(&cells);
}

/* Floyd's method word for word, of as few cells. */
static void draw_plainly(sporf_random *random, uint64_t size, size_t count, uint64_t *drawn) {
    for (size_t i = 0; i < count; i++) {
        uint64_t last = size - count + i, cell = spf_random_below64(random, last + 1);
        drawn[i] = cell;
        for (size_t j = 0; j < i; j++)
            if (drawn[j] == cell) drawn[i] = last;
    }
}

static void few_cells_are_the_same_however_they_are_held(void **state) {
    (void)state;
    spf_cells cells = {0};
    for (size_t count = 1; count <= 32; count++)
        for (uint64_t size = count; size < 2200; size += 1 + size / 7) {
            uint64_t drawn[32], wanted[32];
            sporf_random random = spf_random_start(8, size, SPF_USE_DRAW), again = random;
            assert_ok(spf_cells_draw(&cells, &random, size, count, drawn));
            draw_plainly(&again, size, count, wanted);
            qsort(drawn, count, sizeof *drawn, by_number);
            qsort(wanted, count, sizeof *wanted, by_number);
            assert_memory_equal(drawn, wanted, count * sizeof *drawn);
            assert_int_equal(spf_random_word(&random), spf_random_word(&again));
        }
    spf_cells_free(&cells);
}

static void a_whole_grid_can_be_drawn(void **state) {
    (void)state;
    spf_cells cells = {0};
    uint64_t drawn[1000];
    sporf_random random = spf_random_start(6, 0, SPF_USE_DRAW);
    assert_ok(spf_cells_draw(&cells, &random, 1000, 1000, drawn));
    qsort(drawn, 1000, sizeof *drawn, by_number);
    for (size_t i = 0; i < 1000; i++) assert_int_equal(drawn[i], i);
    spf_cells_free(&cells);
}

static void large_grids_are_covered_evenly(void **state) {
    (void)state;
    enum { PARTS = 64, DRAWS = 200, COUNT = 320 };
    spf_cells cells = {0};
    size_t counts[PARTS] = {0};
    uint64_t drawn[COUNT], part = 1ull << 34;
    sporf_random random = spf_random_start(7, 0, SPF_USE_DRAW);
    for (int n = 0; n < DRAWS; n++) {
        assert_ok(spf_cells_draw(&cells, &random, PARTS * part, COUNT, drawn));
        for (int i = 0; i < COUNT; i++) counts[drawn[i] / part]++;
    }
    assert_equally_likely(counts, PARTS, DRAWS * COUNT / PARTS);
    spf_cells_free(&cells);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_deck_deals_every_arrangement_equally_often),
        cmocka_unit_test(a_deck_is_in_order_between_draws),
        cmocka_unit_test(cards_dealt_one_by_one_are_those_of_a_whole_draw),
        cmocka_unit_test(a_grid_gives_every_subset_equally_often),
        cmocka_unit_test(cells_are_distinct_and_inside_for_grids_of_any_size),
        cmocka_unit_test(few_cells_are_the_same_however_they_are_held),
        cmocka_unit_test(a_whole_grid_can_be_drawn),
        cmocka_unit_test(large_grids_are_covered_evenly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
