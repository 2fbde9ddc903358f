/* Columns of small integers: counting them finds what sorting them finds. */
#include "learn/splitting/split_bytes.h"

#include "support/check.h"
#include "support/split_sample.h"

#include <string.h>

enum { ROWS_MAX = 700, CLASSES_MAX = 60, WEIGHT_MAX = 300, VALUES_MAX = 101, NODES = 20000 };

typedef struct {
    uint8_t byte[ROWS_MAX];
    float value[ROWS_MAX], low;
    uint32_t values;
} column;

static split_shape draw_shape(sporf_random *random) {
    static const uint32_t classes[] = {2, 2, 3, 10, 32, CLASSES_MAX};
    static const uint32_t heaviest[] = {1, 3, WEIGHT_MAX};
    return (split_shape){2 + spf_random_below(random, ROWS_MAX - 1),
                         classes[spf_random_below(random, 6)],
                         heaviest[spf_random_below(random, 3)]};
}

/* Some columns have one value only. */
static void draw_column(sporf_random *random, size_t rows, column *c) {
    uint32_t used = 1 + spf_random_below(random, 4);
    c->values = used + spf_random_below(random, VALUES_MAX - used);
    c->low = -(float)spf_random_below(random, c->values);
    for (size_t i = 0; i < rows; i++) {
        c->byte[i] = (uint8_t)spf_random_below(random, i % 2 ? used : c->values);
        c->value[i] = c->low + (float)c->byte[i];
    }
}

/* A cut that another column may have found before. */
static spf_split draw_before(split_sample *s, sporf_random *random) {
    static column other;
    spf_split best = {0};
    draw_column(random, s->node.rows, &other);
    if (spf_random_below(random, 2))
        assert_ok(spf_split_exact(&s->node, other.value, &s->scratch, &best));
    return best;
}

static void assert_same(spf_split counted, spf_split sorted) {
    assert_int_equal(counted.found, sorted.found);
    assert_true(counted.score == sorted.score);
    assert_true(counted.threshold == sorted.threshold);
    assert_false(counted.coarse);
}

static spf_split search_sums(split_sample *s, const column *c, spf_split best) {
    uint64_t sum[VALUES_MAX] = {0};
    for (size_t i = 0; i < s->node.rows; i++) sum[c->byte[i]] += s->node.pair[i];
    assert_ok(spf_split_sums(&s->node, sum, c->values, c->low, &s->scratch, &best));
    return best;
}

static void counting_finds_what_sorting_finds(void **state) {
    (void)state;
    split_sample *s = split_sample_create(ROWS_MAX, CLASSES_MAX, WEIGHT_MAX);
    sporf_random random = spf_random_start(20, 0, SPF_USE_DRAW);
    static column c;
    size_t pairs = 0, improved = 0;
    for (int n = 0; n < NODES; n++) {
        split_sample_draw(s, &random, draw_shape(&random));
        draw_column(&random, s->node.rows, &c);
        spf_split before = draw_before(s, &random), sorted = before, counted = before;
        assert_ok(spf_split_exact(&s->node, c.value, &s->scratch, &sorted));
        assert_ok(spf_split_bytes(&s->node, c.byte, c.values, c.low, &s->scratch, &counted));
        assert_same(counted, sorted);
        if (spf_split_is_pair(&s->node)) assert_same(search_sums(s, &c, before), sorted);
        for (size_t k = 0; k < CLASSES_MAX; k++) assert_int_equal(s->scratch.left[k], 0);
        pairs += spf_split_is_pair(&s->node);
        improved += counted.found && counted.score > before.score;
    }
    assert_true(pairs > NODES / 10 && improved > NODES / 10);
    split_sample_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(counting_finds_what_sorting_finds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
