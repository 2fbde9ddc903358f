/* Random numbers: the published Philox blocks through our layout of key and counter, streams that
 * have nothing in common, and the distributions drawn from them. */
#include "base/rng.h"

#include "support/check.h"

#include <Random123/philox.h>

typedef struct {
    uint32_t counter[4], key[2], words[4];
} known_answer;

/* The known-answer vectors that come with Random123 for philox4x32-10. */
static const known_answer known_answers[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

static void blocks_are_those_published_for_philox(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof known_answers / sizeof *known_answers; i++) {
        const known_answer *known = &known_answers[i];
        sporf_random random = spf_random_start(
            (uint64_t)known->key[1] << 32 | known->key[0],
            (uint64_t)known->counter[3] << 32 | known->counter[2], (spf_use)known->counter[1]);
        random.counter.v[0] = known->counter[0];
        for (int w = 0; w < 4; w++) assert_int_equal(spf_random_word(&random), known->words[w]);
    }
}

static void blocks_are_those_of_random123(void **state) {
    (void)state;
    sporf_random random = spf_random_start(19, 0, SPF_USE_DRAW);
    for (int i = 0; i < 10000; i++) {
        spf_philox_block counter;
        spf_philox_key key;
        for (int w = 0; w < 4; w++) counter.v[w] = spf_random_word(&random);
        for (int w = 0; w < 2; w++) key.v[w] = spf_random_word(&random);
        spf_philox_block ours = spf_philox(counter, key);
        philox4x32_ctr_t their_counter = {{counter.v[0], counter.v[1], counter.v[2], counter.v[3]}};
        philox4x32_key_t their_key = {{key.v[0], key.v[1]}};
        philox4x32_ctr_t theirs = philox4x32(their_counter, their_key);
        assert_memory_equal(ours.v, theirs.v, sizeof ours.v);
    }
}

static void the_second_block_is_that_of_the_next_counter(void **state) {
    (void)state;
    sporf_random through = spf_random_start(7, 8, SPF_USE_DRAW), jumped = through;
    jumped.counter.v[0] = 1;
    for (int w = 0; w < 4; w++) spf_random_word(&through);
    for (int w = 0; w < 4; w++)
        assert_int_equal(spf_random_word(&through), spf_random_word(&jumped));
}

static uint64_t first_words(uint64_t key, uint64_t node, spf_use use) {
    sporf_random random = spf_random_start(key, node, use);
    uint64_t high = spf_random_word(&random);
    return high << 32 | spf_random_word(&random);
}

static int by_number(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void assert_all_differ(uint64_t *numbers, size_t count) {
    qsort(numbers, count, sizeof *numbers, by_number);
    for (size_t i = 1; i < count; i++) assert_true(numbers[i - 1] != numbers[i]);
}

static void streams_of_another_key_node_or_use_differ(void **state) {
    (void)state;
    static const uint64_t values[] = {0, 1, 2, 1u << 31, 1ull << 32, 1ull << 33, UINT64_MAX};
    enum { VALUES = sizeof values / sizeof *values, USES = SPF_USE_SIMULATE + 1 };
    static uint64_t seen[VALUES * VALUES * USES];
    size_t count = 0;
    for (size_t i = 0; i < VALUES; i++)
        for (size_t j = 0; j < VALUES; j++)
            for (int use = 0; use < USES; use++)
                seen[count++] = first_words(values[i], values[j], (spf_use)use);
    assert_all_differ(seen, count);
}

static void no_two_trees_or_nodes_share_a_key(void **state) {
    (void)state;
    enum { SEEDS = 20, TREES = 50, LEVELS = 12 };
    static uint64_t keys[SEEDS * TREES], nodes[1 << LEVELS];
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        for (uint32_t tree = 0; tree < TREES; tree++)
            keys[seed * TREES + tree] = spf_tree_key(seed, tree);
    assert_all_differ(keys, SEEDS * TREES);
    nodes[1] = SPF_ROOT_KEY;
    for (size_t i = 1; i < 1 << (LEVELS - 1); i++)
        spf_child_keys(99, nodes[i], &nodes[2 * i], &nodes[2 * i + 1]);
    assert_all_differ(nodes + 1, (1 << LEVELS) - 1);
}

static void a_node_key_depends_on_tree_parent_and_side_alone(void **state) {
    (void)state;
    uint64_t left, right, again_left, again_right, other_left, other_right;
    spf_child_keys(3, 4, &left, &right);
    spf_child_keys(3, 4, &again_left, &again_right);
    assert_true(left == again_left && right == again_right);
    assert_true(left != right);
    spf_child_keys(3, 5, &other_left, &other_right);
    assert_true(left != other_left && right != other_right);
    spf_child_keys(5, 4, &other_left, &other_right);
    assert_true(left != other_left && right != other_right);
}

static void numbers_below_a_bound_are_equally_likely(void **state) {
    (void)state;
    static const uint32_t bounds[] = {1, 2, 3, 7, 10, 64, 100, 1000};
    enum { EACH = 400 };
    static size_t counts[1000];
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
        uint32_t bound = bounds[b];
        sporf_random random = spf_random_start(11, b, SPF_USE_DRAW);
        memset(counts, 0, sizeof counts);
        for (uint32_t i = 0; i < EACH * bound; i++) {
            uint32_t drawn = spf_random_below(&random, bound);
            assert_true(drawn < bound);
            counts[drawn]++;
        }
        if (bound > 1) assert_equally_likely(counts, bound, EACH);
    }
}

/* With a bound of 3 2^30 a plain remainder would give the lower third half of all draws, a plain
 * product would favour every third number. */
static void large_bounds_are_drawn_without_bias(void **state) {
    (void)state;
    enum { DRAWS = 30000 };
    uint32_t bound = 3u << 30;
    size_t thirds[3] = {0}, remainders[3] = {0};
    sporf_random random = spf_random_start(12, 0, SPF_USE_DRAW);
    for (int i = 0; i < DRAWS; i++) {
        uint32_t drawn = spf_random_below(&random, bound);
        assert_true(drawn < bound);
        thirds[drawn >> 30]++;
        remainders[drawn % 3]++;
    }
    assert_equally_likely(thirds, 3, DRAWS / 3);
    assert_equally_likely(remainders, 3, DRAWS / 3);
}

static void bounds_beyond_32_bits_are_drawn_without_bias(void **state) {
    (void)state;
    enum { DRAWS = 30000 };
    static const uint64_t thirds_of[] = {1ull << 32, 1ull << 40, 1ull << 62};
    for (size_t b = 0; b < 3; b++) {
        uint64_t third = thirds_of[b];
        size_t thirds[3] = {0}, lowest_bit[2] = {0};
        sporf_random random = spf_random_start(13, b, SPF_USE_DRAW);
        for (int i = 0; i < DRAWS; i++) {
            uint64_t drawn = spf_random_below64(&random, 3 * third);
            assert_true(drawn < 3 * third);
            thirds[drawn / third]++;
            lowest_bit[drawn & 1]++;
        }
        assert_equally_likely(thirds, 3, DRAWS / 3);
        assert_equally_likely(lowest_bit, 2, DRAWS / 2);
    }
    sporf_random a = spf_random_start(14, 0, SPF_USE_DRAW), b = a;
    for (int i = 0; i < 100; i++)
        assert_int_equal(spf_random_below64(&a, 1000), spf_random_below(&b, 1000));
}

static void uniform_numbers_fill_the_unit_interval_evenly(void **state) {
    (void)state;
    enum { CELLS = 100, EACH = 1000 };
    size_t counts[CELLS] = {0}, last_bit[2] = {0};
    sporf_random random = spf_random_start(15, 0, SPF_USE_DRAW);
    for (int i = 0; i < CELLS * EACH; i++) {
        double u = spf_random_uniform(&random);
        assert_true(u >= 0 && u < 1);
        counts[(int)(u * CELLS)]++;
        last_bit[(uint64_t)(u * 0x1p53) & 1]++;
    }
    assert_equally_likely(counts, CELLS, EACH);
    assert_equally_likely(last_bit, 2, CELLS * EACH / 2);
}

/* Each moment's standard deviation over the sample is known; five of them are allowed. */
static void normal_numbers_have_the_moments_of_a_normal(void **state) {
    (void)state;
    enum { DRAWS = 200000 };
    double sum = 0, square = 0, cube = 0, fourth = 0;
    size_t below[4] = {0};
    sporf_random random = spf_random_start(16, 0, SPF_USE_DRAW);
    for (int i = 0; i < DRAWS; i++) {
        double z = spf_random_normal(&random);
        sum += z;
        square += z * z;
        cube += z * z * z;
        fourth += z * z * z * z;
        below[z < -0.67448975019608171 ? 0 : z < 0 ? 1 : z < 0.67448975019608171 ? 2 : 3]++;
    }
    double root = sqrt(DRAWS);
    assert_near(sum / DRAWS, 0, 5 / root);
    assert_near(square / DRAWS, 1, 5 * sqrt(2) / root);
    assert_near(cube / DRAWS, 0, 5 * sqrt(15) / root);
    assert_near(fourth / DRAWS, 3, 5 * sqrt(96) / root);
    assert_equally_likely(below, 4, DRAWS / 4);
}

static void exponential_numbers_have_equal_shares_between_their_quantiles(void **state) {
    (void)state;
    enum { CELLS = 20, EACH = 5000 };
    size_t counts[CELLS] = {0};
    double sum = 0;
    sporf_random random = spf_random_start(17, 0, SPF_USE_DRAW);
    for (int i = 0; i < CELLS * EACH; i++) {
        double e = spf_random_exponential(&random);
        assert_true(e >= 0 && isfinite(e));
        sum += e;
        counts[(int)((1 - exp(-e)) * CELLS)]++;
    }
    assert_near(sum / (CELLS * EACH), 1, 5 / sqrt(CELLS * EACH));
    assert_equally_likely(counts, CELLS, EACH);
}

static void the_public_names_draw_the_same_numbers(void **state) {
    (void)state;
    sporf_random a = spf_random_start(18, 0, SPF_USE_DRAW), b = a;
    for (uint32_t i = 1; i < 100; i++) {
        assert_int_equal(sporf_random_below(&a, i), spf_random_below(&b, i));
        assert_true(sporf_random_uniform(&a) == spf_random_uniform(&b));
        assert_true(sporf_random_normal(&a) == spf_random_normal(&b));
    }
    assert_int_equal(sporf_random_below(&a, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_those_published_for_philox),
        cmocka_unit_test(blocks_are_those_of_random123),
        cmocka_unit_test(the_second_block_is_that_of_the_next_counter),
        cmocka_unit_test(streams_of_another_key_node_or_use_differ),
        cmocka_unit_test(no_two_trees_or_nodes_share_a_key),
        cmocka_unit_test(a_node_key_depends_on_tree_parent_and_side_alone),
        cmocka_unit_test(numbers_below_a_bound_are_equally_likely),
        cmocka_unit_test(large_bounds_are_drawn_without_bias),
        cmocka_unit_test(bounds_beyond_32_bits_are_drawn_without_bias),
        cmocka_unit_test(uniform_numbers_fill_the_unit_interval_evenly),
        cmocka_unit_test(normal_numbers_have_the_moments_of_a_normal),
        cmocka_unit_test(exponential_numbers_have_equal_shares_between_their_quantiles),
        cmocka_unit_test(the_public_names_draw_the_same_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
