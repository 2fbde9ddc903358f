/* Columns searched side by side, by the kernels of each width in turn, against the same columns one
 * after the other. */
#include "support/check.h"
#include "support/kernels_all.h"
#include "support/split_sample.h"

enum { CLASSES_MAX = 60, WEIGHT_MAX = 300, NODES = DRAWN(60000), NOBODY = 99 };

/* Up to SPF_LANES_MAX columns as the splitter wants them. */
typedef struct {
    float values[SPF_LANES_MAX * SPF_LANES_ROWS];
    size_t count;
} columns;

/* The next width, which the sample's scratch memory then has. */
static void next_width(split_sample *s) {
    static size_t turn;
    const spf_kernels *all[KERNELS_MAX];
    size_t count = kernels_all(all);
    s->scratch.kernels = all[turn++ % count];
}

static uint32_t one_of(sporf_random *random, const uint32_t *numbers, uint32_t count) {
    return numbers[spf_random_below(random, count)];
}

/* Weights so light that tags fit into keys, and so heavy that they do not; with two classes, totals
 * on both sides of where fractions stop being exact. */
static split_shape draw_shape(sporf_random *random) {
    static const uint32_t rows[] = {2, 3, 4, 5, 7, 8, 9, 20, 60, 100, SPF_LANES_ROWS};
    static const uint32_t classes[] = {2, 2, 2, 3, 4, 10, 30, CLASSES_MAX};
    static const uint32_t heaviest[] = {1, 1, 3, 4, 8, 15, 30, WEIGHT_MAX};
    uint32_t most = one_of(random, rows, sizeof rows / sizeof *rows);
    return (split_shape){2 + spf_random_below(random, most - 1),
                         one_of(random, classes, sizeof classes / sizeof *classes),
                         one_of(random, heaviest, sizeof heaviest / sizeof *heaviest)};
}

/* Columns of different kinds, some of them with the very same cuts as the one before. */
static void draw_columns(sporf_random *random, split_sample *s, columns *c) {
    const size_t rows = s->node.rows;
    next_width(s);
    c->count = 1 + spf_random_below(random, (uint32_t)s->scratch.kernels->lanes);
    for (size_t i = 0; i < c->count; i++) {
        float *values = c->values + i * SPF_LANES_ROWS;
        if (i > 0 && spf_random_below(random, 4) == 0)
            for (size_t j = 0; j < rows; j++) values[j] = -values[(ptrdiff_t)j - SPF_LANES_ROWS];
        else
            split_values_draw(random, spf_random_below(random, SPLIT_VALUE_KINDS), values, rows);
    }
}

static spf_split search_in_turn(split_sample *s, const columns *c, spf_split best, size_t *winner) {
    for (size_t i = 0; i < c->count; i++) {
        spf_split before = best;
        assert_ok(spf_split_exact(&s->node, c->values + i * SPF_LANES_ROWS, &s->scratch, &best));
        if (best.found && (!before.found || best.score > before.score)) *winner = i;
    }
    return best;
}

/* A cut that some column found before, which may be better, worse or as good. */
static spf_split draw_before(sporf_random *random, split_sample *s) {
    float values[SPF_LANES_ROWS];
    spf_split best = {0};
    if (spf_random_below(random, 2)) return best;
    split_values_draw(random, spf_random_below(random, SPLIT_VALUE_KINDS), values, s->node.rows);
    assert_ok(spf_split_exact(&s->node, values, &s->scratch, &best));
    best.threshold = 12345;
    return best;
}

static void assert_same(const split_sample *s, const columns *c, spf_split in_turn,
                        size_t winner_in_turn, spf_split at_once, size_t winner_at_once) {
    if (in_turn.found == at_once.found && in_turn.score == at_once.score &&
        in_turn.threshold == at_once.threshold && winner_in_turn == winner_at_once &&
        !at_once.coarse)
        return;
    fail_msg("%zu columns of %zu rows, %zu classes, weight %llu, weight bits %u, min_leaf %u, "
             "criterion %s: column %zu, score %.17g, threshold %.9g instead of column %zu, score "
             "%.17g, threshold %.9g",
             c->count, s->node.rows, s->node.classes, (unsigned long long)s->node.total,
             s->node.weight_bits, s->node.min_leaf, s->node.criterion->name, winner_at_once,
             at_once.score, at_once.threshold, winner_in_turn, in_turn.score, in_turn.threshold);
}

/* Searches the columns both ways; returns the winner, or NOBODY. */
static size_t compare(split_sample *s, const columns *c, spf_split before) {
    spf_split at_once = before;
    size_t winner_in_turn = NOBODY, winner_at_once = NOBODY;
    spf_split in_turn = search_in_turn(s, c, before, &winner_in_turn);
    assert_int_equal(
        spf_split_lanes(&s->node, c->values, c->count, &s->scratch, &at_once, &winner_at_once),
        SPORF_OK);
    assert_same(s, c, in_turn, winner_in_turn, at_once, winner_at_once);
    for (size_t k = 0; k < CLASSES_MAX; k++) assert_int_equal(s->scratch.left[k], 0);
    return winner_at_once;
}

static void lanes_find_what_columns_in_turn_find(void **state) {
    (void)state;
    split_sample *s = split_sample_create(SPF_LANES_ROWS, CLASSES_MAX, WEIGHT_MAX);
    sporf_random random = spf_random_start(1, 0, SPF_USE_DRAW);
    static columns c;
    size_t pairs[2] = {0}, replaced = 0, kept = 0;
    for (int n = 0; n < NODES; n++) {
        split_sample_draw(s, &random, draw_shape(&random));
        draw_columns(&random, s, &c);
        spf_split before = draw_before(&random, s);
        size_t winner = compare(s, &c, before);
        if (spf_split_is_pair(&s->node)) pairs[s->node.total > 900]++;
        replaced += before.found && winner != NOBODY;
        kept += before.found && winner == NOBODY;
    }
    assert_true(pairs[0] > NODES / 20 && pairs[1] > NODES / 200);
    assert_true(replaced > NODES / 20 && kept > NODES / 20);
    split_sample_free(s);
}

/* Two classes of about the same weight in columns that part them all but perfectly: there fractions
 * are largest, and close to each other. */
static void draw_parted(split_sample *s, sporf_random *random, uint32_t total, columns *c) {
    size_t most = total < SPF_LANES_ROWS ? total : SPF_LANES_ROWS, rows = most - most / 8;
    s->node.rows = rows += spf_random_below(random, (uint32_t)(most - rows) + 1);
    for (size_t i = 0; i < rows; i++) {
        s->label[i] = (uint32_t)(2 * i / rows) ^ (spf_random_below(random, 40) == 0);
        s->weight[i] = 1;
    }
    for (size_t i = rows; i < total; i++) s->weight[spf_random_below(random, (uint32_t)rows)]++;
    s->node.criterion = spf_criterion_of(SPORF_GINI);
    s->node.min_leaf = 1;
    split_sample_count(s, 2);
    next_width(s);
    c->count = s->scratch.kernels->lanes;
    for (size_t i = 0; i < c->count; i++)
        for (size_t j = 0; j < rows; j++)
            c->values[i * SPF_LANES_ROWS + j] =
                (float)((j + (i > 0 ? spf_random_below(random, 4) : 0)) / (1 + i % 2));
}

static void fractions_are_compared_without_error_up_to_the_largest_totals(void **state) {
    (void)state;
    split_sample *s = split_sample_create(SPF_LANES_ROWS, CLASSES_MAX, WEIGHT_MAX);
    sporf_random random = spf_random_start(4, 0, SPF_USE_DRAW);
    static columns c;
    for (uint32_t total = 40; total < 1100; total += total < 130 ? 1 : 7)
        for (int n = 0; n < 40; n++) {
            draw_parted(s, &random, total, &c);
            compare(s, &c, (spf_split){0});
        }
    split_sample_free(s);
}

/* Rows of the last line beyond the node's own, and columns beyond those asked for, hold what
 * happens to lie there. */
static void what_lies_beyond_rows_and_columns_is_not_looked_at(void **state) {
    (void)state;
    split_sample *s = split_sample_create(SPF_LANES_ROWS, CLASSES_MAX, WEIGHT_MAX);
    sporf_random random = spf_random_start(2, 0, SPF_USE_DRAW);
    static columns c, spoilt;
    for (int n = 0; n < NODES / 5; n++) {
        split_sample_draw(s, &random, draw_shape(&random));
        draw_columns(&random, s, &c);
        for (size_t i = 0; i < SPF_LANES_MAX * SPF_LANES_ROWS; i++)
            spoilt.values[i] = i % 2 ? NAN : INFINITY;
        for (size_t i = 0; i < c.count; i++)
            memcpy(spoilt.values + i * SPF_LANES_ROWS, c.values + i * SPF_LANES_ROWS,
                   s->node.rows * sizeof *c.values);
        spf_split a = {0}, b = {0};
        size_t winner_a = NOBODY, winner_b = NOBODY;
        assert_int_equal(spf_split_lanes(&s->node, c.values, c.count, &s->scratch, &a, &winner_a),
                         SPORF_OK);
        assert_int_equal(
            spf_split_lanes(&s->node, spoilt.values, c.count, &s->scratch, &b, &winner_b),
            SPORF_OK);
        assert_same(s, &c, a, winner_a, b, winner_b);
    }
    split_sample_free(s);
}

/* With three values in each column many cuts are equally good. */
static void ties_go_to_the_first_column(void **state) {
    (void)state;
    split_sample *s = split_sample_create(SPF_LANES_ROWS, CLASSES_MAX, WEIGHT_MAX);
    sporf_random random = spf_random_start(3, 0, SPF_USE_DRAW);
    static columns c;
    for (int n = 0; n < NODES; n++) {
        split_shape shape = {2 + spf_random_below(&random, 7), 2 + spf_random_below(&random, 2),
                             1 + spf_random_below(&random, 2)};
        split_sample_draw(s, &random, shape);
        next_width(s);
        c.count = s->scratch.kernels->lanes;
        for (size_t i = 0; i < c.count; i++)
            for (size_t j = 0; j < shape.rows; j++)
                c.values[i * SPF_LANES_ROWS + j] = (float)spf_random_below(&random, 3);
        compare(s, &c, (spf_split){0});
    }
    split_sample_free(s);
}

/* Labels that read the same from both ends: a cut is as good as its mirror image, and the first of
 * the two is taken. */
static void ties_go_to_the_first_cut(void **state) {
    (void)state;
    split_sample *s = split_sample_create(SPF_LANES_ROWS, CLASSES_MAX, WEIGHT_MAX);
    sporf_random random = spf_random_start(5, 0, SPF_USE_DRAW);
    static columns c;
    for (size_t rows = 3; rows <= SPF_LANES_ROWS; rows++)
        for (int n = 0; n < 20; n++) {
            uint32_t classes = 2 + spf_random_below(&random, 2);
            split_sample_draw(s, &random, (split_shape){rows, classes, 3});
            for (size_t i = 0; i < rows / 2; i++) {
                s->label[i] = s->label[rows - 1 - i];
                s->weight[i] = s->weight[rows - 1 - i];
            }
            split_sample_count(s, classes);
            next_width(s);
            c.count = s->scratch.kernels->lanes;
            for (size_t i = 0; i < SPF_LANES_MAX * SPF_LANES_ROWS; i++)
                c.values[i] = (float)(i % SPF_LANES_ROWS) * (i / SPF_LANES_ROWS % 2 ? -1.0f : 1.0f);
            compare(s, &c, (spf_split){0});
        }
    split_sample_free(s);
}

/* A node that predicts a number: shares of weights in the place of classes. Sums of shares stay
 * below 2^32, as with targets. */
static void draw_shares(split_sample *s, sporf_random *random, uint32_t steps) {
    uint64_t ones = 0;
    for (size_t i = 0; i < s->node.rows; i++) {
        uint64_t share = (uint64_t)spf_random_below(random, steps + 1) * s->weight[i];
        s->pair[i] = share << 32 | s->weight[i];
        ones += share;
    }
    s->class_total[0] = (uint32_t)s->node.total;
    s->class_total[1] = (uint32_t)ones;
    s->node.classes = 2;
    s->node.criterion = spf_criterion_of(SPORF_GINI);
    s->node.numeric = 1;
}

/* From two steps, where many cuts are as good as each other, to as many as there ever are; weights
 * on both sides of where sums are scanned side by side. */
static void numbers_are_parted_as_in_turn(void **state) {
    (void)state;
    static const uint32_t most[] = {1, 3, 100, 70000, 1 << 23};
    split_sample *s = split_sample_create(SPF_LANES_ROWS, CLASSES_MAX, WEIGHT_MAX);
    sporf_random random = spf_random_start(6, 0, SPF_USE_DRAW);
    static columns c;
    size_t heavy = 0;
    for (int n = 0; n < NODES; n++) {
        split_sample_draw(s, &random, draw_shape(&random));
        uint32_t fit = (uint32_t)(UINT32_MAX / s->node.total), steps = one_of(&random, most, 5);
        draw_shares(s, &random, steps < fit ? steps : fit);
        draw_columns(&random, s, &c);
        compare(s, &c, draw_before(&random, s));
        heavy += s->node.total > 1 << 16;
    }
    assert_true(heavy > NODES / 2000);
    split_sample_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_find_what_columns_in_turn_find),
        cmocka_unit_test(fractions_are_compared_without_error_up_to_the_largest_totals),
        cmocka_unit_test(what_lies_beyond_rows_and_columns_is_not_looked_at),
        cmocka_unit_test(ties_go_to_the_first_column),
        cmocka_unit_test(ties_go_to_the_first_cut),
        cmocka_unit_test(numbers_are_parted_as_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
