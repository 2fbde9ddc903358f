/* Cuts between bins against the exact search and against brute force: what is found is a real cut,
 * never better than the best, the best itself where bins hold one value each, and close to it where
 * they do not. */
#include "support/check.h"
#include "support/split_sample.h"

enum { ROWS_MAX = 4000, CLASSES_MAX = 120, WEIGHT_MAX = 60, NODES = 3000 };

static split_sample *new_sample(void) {
    return split_sample_create(ROWS_MAX, CLASSES_MAX, WEIGHT_MAX);
}

static void draw_node(split_sample *s, sporf_random *random) {
    static const uint32_t rows[] = {4, 60, 300, 300, 1100, ROWS_MAX};
    static const uint32_t classes[] = {2, 2, 3, 5, 9, 16, 40, CLASSES_MAX};
    split_shape shape = {2 + spf_random_below(random, rows[spf_random_below(random, 6)] - 1),
                         classes[spf_random_below(random, 8)],
                         spf_random_below(random, 3) ? 3 : WEIGHT_MAX};
    split_sample_draw(s, random, shape);
}

static spf_split search_exactly(split_sample *s, const float *values) {
    spf_split best = {0};
    assert_ok(spf_split_exact(&s->node, values, &s->scratch, &best));
    return best;
}

/* Bounds of whole numbers, which need not be tight. */
static spf_whole bounds_of(sporf_random *random, const float *values, size_t rows) {
    spf_whole whole = {values[0], values[0]};
    for (size_t i = 1; i < rows; i++) {
        whole.low = fminf(whole.low, values[i]);
        whole.high = fmaxf(whole.high, values[i]);
    }
    if (spf_random_below(random, 2)) whole.low -= (float)spf_random_below(random, 300);
    if (spf_random_below(random, 2)) whole.high += (float)spf_random_below(random, 300);
    return whole;
}

/* `whole` is NULL unless the values are whole numbers. */
static spf_split search_bins(split_sample *s, const float *values, const spf_whole *whole) {
    spf_split best = {0};
    assert_ok(spf_split_histogram(&s->node, values, whole, &s->scratch, &best));
    for (size_t k = 0; k < CLASSES_MAX; k++) assert_int_equal(s->scratch.left[k], 0);
    return best;
}

static spf_split refined(split_sample *s, const float *values, spf_split best) {
    if (best.found && best.coarse)
        assert_ok(spf_split_refine(&s->node, values, &s->scratch, &best));
    for (size_t k = 0; k < CLASSES_MAX; k++) assert_int_equal(s->scratch.left[k], 0);
    return best;
}

static int same_cut(spf_split a, spf_split b) {
    if (a.found != b.found || a.score != b.score || a.coarse != b.coarse) return 0;
    if (!a.coarse) return a.threshold == b.threshold;
    return a.bin == b.bin && a.next_bin == b.next_bin && !memcmp(&a.bins, &b.bins, sizeof a.bins);
}

/* ---- real cuts ------------------------------------------------------------------------------- */

static void assert_real(const split_sample *s, const float *values, spf_split best) {
    split_truth truth = split_sample_cut(s, values, best.threshold);
    assert_int_equal(best.coarse, 0);
    assert_true(truth.left > 0 && truth.right > 0);
    assert_true(truth.left >= s->node.min_leaf && truth.right >= s->node.min_leaf);
    if (!isnan(truth.score)) assert_true(best.score == truth.score);
    assert_near(split_sample_gain(s, best.score), (double)truth.gain, 1e-9 * (double)s->node.total);
}

static void a_cut_between_bins_is_a_real_cut_and_never_beats_the_best(void **state) {
    (void)state;
    split_sample *s = new_sample();
    sporf_random random = spf_random_start(1, 0, SPF_USE_DRAW);
    static float values[ROWS_MAX];
    size_t coarse = 0;
    for (int n = 0; n < NODES; n++) {
        draw_node(s, &random);
        uint32_t kind = spf_random_below(&random, SPLIT_VALUE_KINDS);
        int is_whole = (kind == 0 || kind == 4) && spf_random_below(&random, 2);
        split_values_draw(&random, kind, values, s->node.rows);
        spf_whole whole = bounds_of(&random, values, s->node.rows);
        spf_split found = search_bins(s, values, is_whole ? &whole : NULL),
                  best = search_exactly(s, values);
        assert_true(best.found || !found.found);
        if (s->node.min_leaf == 1) assert_int_equal(found.found, best.found);
        if (!found.found) continue;
        spf_split close = refined(s, values, found);
        assert_true(found.score <= close.score && close.score <= best.score);
        assert_real(s, values, close);
        coarse += (size_t)found.coarse;
    }
    assert_true(coarse > NODES / 4);
    split_sample_free(s);
}

/* ---- bins that hold one value each ----------------------------------------------------------- */

static void few_whole_numbers_are_searched_exactly(void **state) {
    (void)state;
    static const float origins[] = {0, -128, 3, -1000, 60000};
    size_t seen[2] = {0};
    split_sample *s = new_sample();
    sporf_random random = spf_random_start(2, 0, SPF_USE_DRAW);
    static float values[ROWS_MAX];
    for (int n = 0; n < NODES; n++) {
        draw_node(s, &random);
        uint32_t range = 1 + spf_random_below(&random, SPF_BINS_MAX);
        float origin = origins[spf_random_below(&random, 5)];
        for (size_t i = 0; i < s->node.rows; i++)
            values[i] = origin + (float)spf_random_below(&random, range);
        spf_whole whole = bounds_of(&random, values, s->node.rows);
        spf_split found = search_bins(s, values, &whole);
        size_t numbers = (size_t)(whole.high - whole.low) + 1;
        int few = numbers * s->node.classes <= s->node.rows;
        if (few) assert_int_equal(found.coarse, 0);
        if (!found.coarse) assert_true(same_cut(found, search_exactly(s, values)));
        seen[found.coarse]++;
    }
    assert_true(seen[0] > NODES / 4);
    split_sample_free(s);
}

/* Where there are rows enough for it, more numbers are few. */
static void sums_of_bytes_are_searched_exactly_in_large_nodes(void **state) {
    (void)state;
    split_sample *s = new_sample();
    sporf_random random = spf_random_start(3, 0, SPF_USE_DRAW);
    static float values[ROWS_MAX];
    for (int n = 0; n < NODES / 10; n++) {
        split_sample_draw(s, &random, (split_shape){ROWS_MAX, 2, 3});
        uint32_t terms = 1 + spf_random_below(&random, 6);
        for (size_t i = 0; i < ROWS_MAX; i++) {
            values[i] = 0;
            for (uint32_t t = 0; t < terms; t++)
                values[i] += (t % 2 ? -1.0f : 1.0f) * (float)spf_random_below(&random, 256);
        }
        spf_whole whole = bounds_of(&random, values, ROWS_MAX);
        spf_split found = search_bins(s, values, &whole);
        assert_int_equal(found.coarse, 0);
        assert_true(same_cut(found, search_exactly(s, values)));
    }
    split_sample_free(s);
}

static void equally_spaced_values_fewer_than_bins_are_searched_exactly(void **state) {
    (void)state;
    static const float steps[] = {1, 0.1f, 1e-3f, 3e-38f, 1e-45f, 1e27f, 7};
    split_sample *s = new_sample();
    sporf_random random = spf_random_start(4, 0, SPF_USE_DRAW);
    static float values[ROWS_MAX];
    size_t bins_seen = 0;
    for (int n = 0; n < NODES; n++) {
        draw_node(s, &random);
        uint32_t distinct = 2 + spf_random_below(&random, SPF_BINS_MAX - 2), first = 0;
        float step = steps[spf_random_below(&random, 7)];
        if (spf_random_below(&random, 2)) first = distinct / 2;
        for (size_t i = 0; i < s->node.rows; i++) {
            uint32_t k = i == 0 ? 0 : i == 1 ? distinct - 1 : spf_random_below(&random, distinct);
            values[i] = ((float)k - (float)first) * step;
        }
        spf_split found = search_bins(s, values, NULL);
        if (found.coarse && distinct >= found.bins.count) continue;
        if (found.coarse && found.bins.count > bins_seen) bins_seen = found.bins.count;
        assert_true(same_cut(refined(s, values, found), search_exactly(s, values)));
    }
    assert_true(bins_seen >= 128);
    split_sample_free(s);
}

static void a_constant_column_finds_nothing(void **state) {
    (void)state;
    static const float constants[] = {0, -0.0f, 1, -1e30f, 1e30f, 1e-45f, 255};
    split_sample *s = new_sample();
    sporf_random random = spf_random_start(5, 0, SPF_USE_DRAW);
    static float values[ROWS_MAX];
    for (int n = 0; n < NODES / 10; n++) {
        draw_node(s, &random);
        float constant = constants[spf_random_below(&random, 7)];
        for (size_t i = 0; i < s->node.rows; i++) values[i] = constant;
        if (constant == 0) values[s->node.rows / 2] = -constant;
        spf_whole bounds = bounds_of(&random, values, s->node.rows), *whole = &bounds;
        if (fabsf(constant) > 255 || constant != floorf(constant)) whole = NULL;
        assert_int_equal(search_bins(s, values, whole).found, 0);
        spf_split before = {.found = 1, .score = -1e9, .threshold = 3}, after = before;
        assert_ok(spf_split_histogram(&s->node, values, whole, &s->scratch, &after));
        assert_true(same_cut(before, after));
    }
    split_sample_free(s);
}

/* ---- several columns ------------------------------------------------------------------------- */

static void only_a_better_cut_replaces_the_best(void **state) {
    (void)state;
    split_sample *s = new_sample();
    sporf_random random = spf_random_start(6, 0, SPF_USE_DRAW);
    static float values[ROWS_MAX];
    size_t replaced = 0, kept = 0;
    for (int n = 0; n < NODES; n++) {
        draw_node(s, &random);
        split_values_draw(&random, spf_random_below(&random, SPLIT_VALUE_KINDS), values,
                          s->node.rows);
        spf_split before = search_bins(s, values, NULL), after = before;
        if (spf_random_below(&random, 4) == 0)
            for (size_t i = 0; i < s->node.rows; i++) values[i] = -values[i];
        else
            split_values_draw(&random, spf_random_below(&random, SPLIT_VALUE_KINDS), values,
                              s->node.rows);
        spf_split alone = search_bins(s, values, NULL);
        assert_ok(spf_split_histogram(&s->node, values, NULL, &s->scratch, &after));
        int better = alone.found && (!before.found || alone.score > before.score);
        assert_true(same_cut(after, better ? alone : before));
        replaced += (size_t)(before.found && better);
        kept += (size_t)(before.found && !better);
    }
    assert_true(replaced > NODES / 10 && kept > NODES / 10);
    split_sample_free(s);
}

/* ---- how much bins may lose ------------------------------------------------------------------ */

/* In the nodes below one label in ten is wrong, so that near the best cut the shares of a class on
 * the two sides lie between 0.1 and 0.9. When a unit of weight changes sides there, Gini's sum of
 * squares over weight changes by at most (1.8 - 0.82) - (0.2 - 0.82) = 1.6, and the sum of
 * c ln (c / n) by at most ln 9 = 2.2. */
static const double CHANGE_BY_UNIT = 2.3;

/* So a cut within a bin of this share of the rows loses at most so much against the nearer edge of
 * the bin, which is one of the cuts tried. */
static double loss_within(double share) {
    return CHANGE_BY_UNIT * share * ROWS_MAX / 2;
}

/* Class 1 above `edge`, but for the wrong labels, and as many rows in each part of [0, 1). */
static void draw_dense(split_sample *s, sporf_random *random, sporf_criterion criterion, float edge,
                       float *values) {
    s->node.rows = ROWS_MAX;
    for (size_t i = 0; i < ROWS_MAX; i++) {
        values[i] = (float)spf_random_uniform(random);
        s->label[i] = (values[i] > edge) ^ (spf_random_below(random, 10) == 0);
        s->weight[i] = 1;
    }
    s->node.criterion = spf_criterion_of(criterion);
    s->node.min_leaf = 1;
    split_sample_count(s, 2);
}

typedef void (*distortion)(split_sample *s, sporf_random *random, float *values);

static void a_few_far_values(split_sample *s, sporf_random *random, float *values) {
    (void)s;
    for (int i = 0; i < 3; i++) values[spf_random_below(random, ROWS_MAX)] = 100;
}

static void far_values_on_both_sides(split_sample *s, sporf_random *random, float *values) {
    a_few_far_values(s, random, values);
    values[spf_random_below(random, ROWS_MAX)] = -73;
}

static void one_value_as_large_as_can_be(split_sample *s, sporf_random *random, float *values) {
    (void)s;
    values[spf_random_below(random, ROWS_MAX)] = 1e30f;
}

static void as_large_and_leaves_of_five(split_sample *s, sporf_random *random, float *values) {
    one_value_as_large_as_can_be(s, random, values);
    s->node.min_leaf = 5;
}

/* Half of the rows have the value 0, and a class by chance. */
static void half_of_one_value(split_sample *s, sporf_random *random, float *values) {
    for (size_t i = 0; i < ROWS_MAX; i += 2) {
        values[i] = 0;
        s->label[i] = spf_random_below(random, 2);
    }
    split_sample_count(s, 2);
}

/* Incomes, file sizes, counts: the same order, stretched until the largest is a million times the
 * median. */
static void a_heavy_tail(split_sample *s, sporf_random *random, float *values) {
    (void)s, (void)random;
    for (size_t i = 0; i < ROWS_MAX; i++)
        values[i] = (float)exp(13.8 * pow(2 * (double)values[i] - 1, 3));
}

/* About 256 bins for the dense rows, of which one may by chance hold twice as many as another; a
 * loss of 2 to 9 in 100 of the gain, and of next to nothing after the search near the cut. */
static const double FINE = 2.0 / 256;

/* Bins that hold more than one row in eight are looked at again. */
static const double HEAVY = 1.0 / 8;

/* The score found decides between columns, so it must be close even before the exact search near
 * the cut. */
static void assert_loss(distortion distort, double share) {
    static const float edges[] = {0.1f, 0.37f, 0.5f, 0.8f};
    split_sample *s = new_sample();
    sporf_random random = spf_random_start(7, 0, SPF_USE_DRAW);
    static float values[ROWS_MAX];
    for (int n = 0; n < 40; n++) {
        float edge = edges[n / 2 % 4];
        draw_dense(s, &random, n % 2 ? SPORF_GINI : SPORF_ENTROPY, edge, values);
        if (distort) distort(s, &random, values);
        spf_split best = search_exactly(s, values), found = search_bins(s, values, NULL);
        if (!found.found) fail_msg("edge %g: nothing was found", edge);
        double gain = split_sample_gain(s, best.score);
        double lost = gain - split_sample_gain(s, found.score);
        if (!(lost <= loss_within(share)))
            fail_msg("criterion %s, edge %g: bins lose %.3g of the gain, more than %.3g",
                     s->node.criterion->name, edge, lost / gain, loss_within(share) / gain);
        double close = split_sample_gain(s, refined(s, values, found).score);
        if (share == FINE) assert_near(close, gain, 0.02 * gain);
    }
    split_sample_free(s);
}

static void bins_lose_little(void **state) {
    (void)state;
    assert_loss(NULL, FINE);
}

static void a_few_far_values_do_not_hide_the_rest(void **state) {
    (void)state;
    assert_loss(a_few_far_values, FINE);
    assert_loss(far_values_on_both_sides, FINE);
}

static void a_value_of_1e30_does_not_hide_the_rest(void **state) {
    (void)state;
    assert_loss(one_value_as_large_as_can_be, FINE);
}

static void a_value_of_1e30_that_may_not_be_alone_does_not_hide_the_rest(void **state) {
    (void)state;
    assert_loss(as_large_and_leaves_of_five, FINE);
}

static void a_value_that_half_the_rows_have_does_not_hide_the_rest(void **state) {
    (void)state;
    assert_loss(half_of_one_value, FINE);
}

static void a_heavy_tail_does_not_hide_the_rest(void **state) {
    (void)state;
    assert_loss(a_heavy_tail, HEAVY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cut_between_bins_is_a_real_cut_and_never_beats_the_best),
        cmocka_unit_test(few_whole_numbers_are_searched_exactly),
        cmocka_unit_test(sums_of_bytes_are_searched_exactly_in_large_nodes),
        cmocka_unit_test(equally_spaced_values_fewer_than_bins_are_searched_exactly),
        cmocka_unit_test(a_constant_column_finds_nothing),
        cmocka_unit_test(only_a_better_cut_replaces_the_best),
        cmocka_unit_test(bins_lose_little),
        cmocka_unit_test(a_few_far_values_do_not_hide_the_rest),
        cmocka_unit_test(a_value_of_1e30_does_not_hide_the_rest),
        cmocka_unit_test(a_value_of_1e30_that_may_not_be_alone_does_not_hide_the_rest),
        cmocka_unit_test(a_value_that_half_the_rows_have_does_not_hide_the_rest),
        cmocka_unit_test(a_heavy_tail_does_not_hide_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
