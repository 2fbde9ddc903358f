/* The exact splitter against brute force: every cut of a small node, its children counted from
 * scratch. */
#include "support/check.h"
#include "support/split_sample.h"

enum { ROWS_MAX = 130, CLASSES_MAX = 50, WEIGHT_MAX = 5, NODES = 12000 };

static split_sample *new_sample(void) {
    return split_sample_create(ROWS_MAX, CLASSES_MAX, WEIGHT_MAX);
}

/* A node, and one column of values for it. */
static void draw(split_sample *s, sporf_random *random, float *values) {
    split_shape shape = {.heaviest = 1 + spf_random_below(random, WEIGHT_MAX)};
    shape.classes = 1 + spf_random_below(random, spf_random_below(random, 3) ? CLASSES_MAX : 3);
    shape.rows = 1 + spf_random_below(random, spf_random_below(random, 8) ? 20 : ROWS_MAX);
    split_sample_draw(s, random, shape);
    split_values_draw(random, spf_random_below(random, SPLIT_VALUE_KINDS), values, shape.rows);
}

static spf_split search(split_sample *s, const float *values) {
    spf_split best = {0};
    assert_ok(spf_split_exact(&s->node, values, &s->scratch, &best));
    return best;
}

/* ---- brute force ----------------------------------------------------------------------------- */

/* One cut: rows of at most `a` on the left, the next larger value being b. */
typedef struct {
    float a, b;
    split_truth truth;
} cut;

/* The smallest value above `floor`, or 0 where there is none. */
static int next_value(const float *values, size_t rows, const float *floor, float *next) {
    int found = 0;
    for (size_t i = 0; i < rows; i++)
        if ((!floor || values[i] > *floor) && (!found || values[i] < *next)) {
            *next = values[i];
            found = 1;
        }
    return found;
}

/* All cuts that min_leaf allows, from left to right. */
static size_t list_cuts(const split_sample *s, const float *values, cut *cuts) {
    size_t count = 0, rows = s->node.rows;
    float a = 0, b = 0;
    for (int more = next_value(values, rows, NULL, &a); more && next_value(values, rows, &a, &b);
         a = b) {
        cut c = {a, b, split_sample_cut(s, values, a)};
        if (c.truth.left >= s->node.min_leaf && c.truth.right >= s->node.min_leaf)
            cuts[count++] = c;
    }
    return count;
}

/* ---- laws ------------------------------------------------------------------------------------ */

static void assert_threshold(const cut *c, float threshold) {
    float middle = (float)(((long double)c->a + (long double)c->b) / 2);
    assert_true(threshold >= c->a && threshold < c->b);
    assert_true(threshold == (middle < c->b ? middle : c->a));
}

static void the_best_cut_is_that_of_brute_force(void **state) {
    (void)state;
    split_sample *s = new_sample();
    sporf_random random = spf_random_start(1, 0, SPF_USE_DRAW);
    static cut cuts[ROWS_MAX];
    float values[ROWS_MAX];
    size_t split = 0, pairs = 0;
    for (int n = 0; n < NODES; n++) {
        draw(s, &random, values);
        spf_split best = search(s, values);
        size_t count = list_cuts(s, values, cuts), first = 0;
        double tolerance = 1e-10 * (double)s->node.total;
        assert_int_equal(best.found, count > 0);
        if (count == 0) continue;
        long double highest = cuts[0].truth.gain;
        for (size_t i = 1; i < count; i++) {
            if (cuts[i].truth.score > cuts[first].truth.score) first = i;
            if (cuts[i].truth.gain > highest) highest = cuts[i].truth.gain;
        }
        assert_true(best.score == cuts[first].truth.score);
        assert_near((double)cuts[first].truth.gain, (double)highest, tolerance);
        assert_near(split_sample_gain(s, best.score), (double)highest, tolerance);
        assert_threshold(&cuts[first], best.threshold);
        assert_int_equal(best.coarse, 0);
        split++;
        pairs += spf_split_is_pair(&s->node);
    }
    assert_true(split > NODES / 2 && pairs > NODES / 20);
    split_sample_free(s);
}

static void a_threshold_parts_the_rows_as_its_cut_does(void **state) {
    (void)state;
    split_sample *s = new_sample();
    sporf_random random = spf_random_start(2, 0, SPF_USE_DRAW);
    float values[ROWS_MAX];
    for (int n = 0; n < NODES; n++) {
        draw(s, &random, values);
        spf_split best = search(s, values);
        uint64_t left = 0;
        for (size_t i = 0; i < s->node.rows; i++)
            left += values[i] <= best.threshold ? s->weight[i] : 0;
        if (!best.found) continue;
        assert_true(left >= s->node.min_leaf && s->node.total - left >= s->node.min_leaf);
        assert_true(left > 0 && left < s->node.total);
    }
    split_sample_free(s);
}

/* Mirrored or in ranks, a column has the same children to offer: the first one keeps its place. */
static void another_column_with_the_same_cuts_does_not_win(void **state) {
    (void)state;
    split_sample *s = new_sample();
    sporf_random random = spf_random_start(3, 0, SPF_USE_DRAW);
    float values[ROWS_MAX];
    for (int n = 0; n < NODES; n++) {
        draw(s, &random, values);
        float mirrored[ROWS_MAX], rank[ROWS_MAX];
        for (size_t i = 0; i < s->node.rows; i++) {
            mirrored[i] = -values[i];
            rank[i] = 0;
            for (size_t j = 0; j < s->node.rows; j++) rank[i] += values[j] < values[i];
        }
        spf_split best = search(s, values), after = best;
        assert_ok(spf_split_exact(&s->node, mirrored, &s->scratch, &after));
        assert_ok(spf_split_exact(&s->node, rank, &s->scratch, &after));
        assert_true(after.found == best.found && after.score == best.score &&
                    after.threshold == best.threshold);
    }
    split_sample_free(s);
}

/* Rows of equal value may come in any order, and a row may be written as often as it weighs. */
static void order_and_weights_of_rows_do_not_matter(void **state) {
    (void)state;
    split_sample *s = new_sample(), *written = new_sample();
    sporf_random random = spf_random_start(4, 0, SPF_USE_DRAW);
    float values[ROWS_MAX], written_values[ROWS_MAX];
    for (int n = 0; n < NODES / 4; n++) {
        draw(s, &random, values);
        if (s->node.total > ROWS_MAX) continue;
        size_t rows = 0;
        for (size_t i = s->node.rows; i-- > 0;)
            for (uint32_t w = 0; w < s->weight[i]; w++) {
                written_values[rows] = values[i];
                written->label[rows] = s->label[i];
                written->weight[rows++] = 1;
            }
        written->node = s->node;
        written->node.rows = rows;
        split_sample_count(written, s->node.classes);
        spf_split a = search(s, values), b = search(written, written_values);
        assert_true(a.found == b.found && a.score == b.score && a.threshold == b.threshold);
    }
    split_sample_free(s);
    split_sample_free(written);
}

/* Weights as large as those of the largest tables, with which sums of squares take 62 bits. */
static void huge_weights_overflow_nothing(void **state) {
    (void)state;
    enum { ROWS = 15, HEAVIEST = (1 << 27) - 1 };
    split_sample *s = split_sample_create(ROWS, 4, HEAVIEST);
    sporf_random random = spf_random_start(5, 0, SPF_USE_DRAW);
    static cut cuts[ROWS];
    float values[ROWS];
    for (int n = 0; n < NODES / 10; n++) {
        split_shape shape = {2 + spf_random_below(&random, ROWS - 1),
                             2 + spf_random_below(&random, 3), HEAVIEST};
        split_sample_draw(s, &random, shape);
        split_values_draw(&random, spf_random_below(&random, SPLIT_VALUE_KINDS), values,
                          shape.rows);
        spf_split best = search(s, values);
        size_t count = list_cuts(s, values, cuts);
        assert_int_equal(best.found, count > 0);
        if (count == 0) continue;
        double tolerance = 1e-10 * (double)s->node.total;
        long double highest = cuts[0].truth.gain;
        for (size_t i = 1; i < count; i++)
            if (cuts[i].truth.gain > highest) highest = cuts[i].truth.gain;
        assert_near(split_sample_gain(s, best.score), (double)highest, tolerance);
        split_truth truth = split_sample_cut(s, values, best.threshold);
        assert_near((double)truth.gain, (double)highest, tolerance);
    }
    split_sample_free(s);
}

static void only_pure_children_reach_the_perfect_score(void **state) {
    (void)state;
    split_sample *s = new_sample();
    sporf_random random = spf_random_start(6, 0, SPF_USE_DRAW);
    float values[ROWS_MAX];
    size_t perfect = 0;
    for (int n = 0; n < NODES; n++) {
        draw(s, &random, values);
        spf_split best = search(s, values);
        if (!best.found) continue;
        size_t classes[2] = {0};
        for (uint32_t k = 0; k < s->node.classes; k++) {
            int seen[2] = {0};
            for (size_t i = 0; i < s->node.rows; i++)
                if (s->label[i] == k) seen[values[i] > best.threshold] = 1;
            classes[0] += (size_t)seen[0];
            classes[1] += (size_t)seen[1];
        }
        int pure = classes[0] == 1 && classes[1] == 1;
        assert_int_equal(best.score >= spf_split_perfect(&s->node), pure);
        perfect += (size_t)pure;
    }
    assert_true(perfect > 100);
    split_sample_free(s);
}

static void scratch_is_left_clean(void **state) {
    (void)state;
    split_sample *s = new_sample();
    sporf_random random = spf_random_start(7, 0, SPF_USE_DRAW);
    float values[ROWS_MAX];
    for (int n = 0; n < 500; n++) {
        draw(s, &random, values);
        search(s, values);
        for (int k = 0; k < CLASSES_MAX; k++) assert_int_equal(s->scratch.left[k], 0);
    }
    split_sample_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_cut_is_that_of_brute_force),
        cmocka_unit_test(a_threshold_parts_the_rows_as_its_cut_does),
        cmocka_unit_test(another_column_with_the_same_cuts_does_not_win),
        cmocka_unit_test(order_and_weights_of_rows_do_not_matter),
        cmocka_unit_test(huge_weights_overflow_nothing),
        cmocka_unit_test(only_pure_children_reach_the_perfect_score),
        cmocka_unit_test(scratch_is_left_clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
