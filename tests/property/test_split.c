/* The exact splitter against brute force: every cut of a small node, its children counted from
 * scratch. Values are chosen to be awkward: repeated, both zeros, denormal, next to each other, as
 * large as a table may hold. */
#include "learn/split.h"

#include "base/rng.h"

#include <float.h>

#include "support/check.h"

enum { ROWS_MAX = 130, CLASSES_MAX = 50, NODES = 20000 };

typedef struct {
    spf_split_node node;
    float value[ROWS_MAX];
    uint32_t label[ROWS_MAX], weight[ROWS_MAX], class_total[CLASSES_MAX], present[CLASSES_MAX];
    size_t classes;
} sample;

typedef struct {
    spf_split_scratch scratch;
    spf_xlogx xlogx;
} tools;

static tools new_tools(void) {
    tools t;
    assert_ok(spf_split_scratch_create(ROWS_MAX, CLASSES_MAX, &t.scratch));
    assert_ok(spf_xlogx_create(5 * ROWS_MAX, &t.xlogx));
    return t;
}

static void free_tools(tools *t) {
    spf_split_scratch_free(&t->scratch);
    spf_xlogx_free(&t->xlogx);
}

/* ---- random nodes ---------------------------------------------------------------------------- */

static float neighbour(sporf_random *random, float start) {
    for (uint32_t steps = spf_random_below(random, 6); steps > 0; steps--)
        start = nextafterf(start, FLT_MAX);
    return start;
}

static float draw_value(sporf_random *random, uint32_t kind) {
    static const float special[] = {0.0f,     -0.0f,     1e-45f, -1e-45f, 0x1p-148f,  -0x1p-148f,
                                    FLT_MIN,  -FLT_MIN,  1.0f,   -1.0f,   1e30f,      -1e30f,
                                    9.99e29f, -9.99e29f, 1e-30f, 0x1p24f, 0x1p24f + 2};
    static const float starts[] = {1.0f, -1.0f, 0x1p-149f, -0x3p-149f, 0x1.fffffcp-1f, 9.9e29f};
    switch (kind) {
    case 0:
        return (float)spf_random_below(random, 4);
    case 1:
        return (float)spf_random_normal(random);
    case 2:
        return special[spf_random_below(random, sizeof special / sizeof *special)];
    default:
        return neighbour(random, starts[kind % (sizeof starts / sizeof *starts)]);
    }
}

static sample draw_sample(sporf_random *random, const tools *t) {
    sample s = {.classes = 2 + spf_random_below(random, CLASSES_MAX - 1)};
    uint32_t kind = spf_random_below(random, 9), heaviest = 1 + spf_random_below(random, 5);
    uint32_t used = 1 + spf_random_below(random, (uint32_t)s.classes);
    s.node.rows = 1 + spf_random_below(random, spf_random_below(random, 8) ? 20 : ROWS_MAX);
    for (size_t i = 0; i < s.node.rows; i++) {
        s.value[i] = draw_value(random, kind);
        s.label[i] = (uint32_t)s.classes - 1 - spf_random_below(random, used);
        s.weight[i] = 1 + spf_random_below(random, heaviest);
        s.class_total[s.label[i]] += s.weight[i];
        s.node.total += s.weight[i];
    }
    for (uint32_t k = 0; k < s.classes; k++)
        if (s.class_total[k] > 0) s.present[s.node.present_count++] = k;
    s.node.criterion = spf_random_below(random, 2) ? SPORF_GINI : SPORF_ENTROPY;
    s.node.min_leaf = spf_random_below(random, 2) ? 1 : 1 + spf_random_below(random, 12);
    s.node.xlogx = &t->xlogx;
    return s;
}

static void connect(sample *s) {
    s->node.label = s->label;
    s->node.weight = s->weight;
    s->node.class_total = s->class_total;
    s->node.present = s->present;
}

/* ---- brute force ----------------------------------------------------------------------------- */

/* One cut: rows of at most `a` on the left, the next larger value being b. */
typedef struct {
    float a, b;
    uint64_t left, right; /* weights */
    double score;         /* as the header defines it, from the children's counts */
    long double exact;    /* the same with nothing taken from the library */
} cut;

static void score_cut(const sample *s, const tools *t, cut *c) {
    uint64_t counts[2][CLASSES_MAX] = {{0}}, totals[2] = {0};
    double squares[2] = {0}, logs[2] = {0};
    long double exact = 0;
    for (size_t i = 0; i < s->node.rows; i++) {
        int side = s->value[i] > c->a;
        counts[side][s->label[i]] += s->weight[i];
        totals[side] += s->weight[i];
    }
    for (int side = 0; side < 2; side++)
        for (size_t k = 0; k < s->classes; k++) {
            uint64_t n = counts[side][k];
            squares[side] += (double)(n * n);
            logs[side] += t->xlogx.table[n];
            if (n == 0) continue;
            exact += s->node.criterion == SPORF_GINI
                         ? (long double)(n * n) / (long double)totals[side]
                         : (long double)n * logl((long double)n / (long double)totals[side]);
        }
    c->left = totals[0];
    c->right = totals[1];
    c->exact = exact;
    c->score = s->node.criterion == SPORF_GINI
                   ? squares[0] / (double)totals[0] + squares[1] / (double)totals[1]
                   : logs[0] - t->xlogx.table[totals[0]] + logs[1] - t->xlogx.table[totals[1]];
}

/* The smallest value above `floor`, or 0 where there is none. */
static int next_value(const sample *s, const float *floor, float *next) {
    int found = 0;
    for (size_t i = 0; i < s->node.rows; i++)
        if ((!floor || s->value[i] > *floor) && (!found || s->value[i] < *next)) {
            *next = s->value[i];
            found = 1;
        }
    return found;
}

/* All cuts that min_leaf allows, from left to right. */
static size_t list_cuts(const sample *s, const tools *t, cut *cuts) {
    size_t count = 0;
    float a = 0, b = 0;
    for (int more = next_value(s, NULL, &a); more && next_value(s, &a, &b); a = b) {
        cut c = {.a = a, .b = b};
        score_cut(s, t, &c);
        if (c.left >= s->node.min_leaf && c.right >= s->node.min_leaf) cuts[count++] = c;
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
    tools t = new_tools();
    sporf_random random = spf_random_start(1, 0, SPF_USE_DRAW);
    static cut cuts[ROWS_MAX];
    size_t split = 0;
    for (int n = 0; n < NODES; n++) {
        sample s = draw_sample(&random, &t);
        connect(&s);
        spf_split best = {0};
        spf_split_exact(&s.node, s.value, &t.scratch, &best);
        size_t count = list_cuts(&s, &t, cuts), first = 0;
        assert_int_equal(best.found, count > 0);
        if (count == 0) continue;
        long double highest = cuts[0].exact;
        for (size_t i = 1; i < count; i++) {
            if (cuts[i].score > cuts[first].score) first = i;
            if (cuts[i].exact > highest) highest = cuts[i].exact;
        }
        assert_true(best.score == cuts[first].score);
        assert_near((double)cuts[first].exact, (double)highest, 1e-10 * (double)s.node.total);
        assert_near(best.score, (double)highest, 1e-10 * (double)s.node.total);
        assert_threshold(&cuts[first], best.threshold);
        split++;
    }
    assert_true(split > NODES / 2);
    free_tools(&t);
}

static void a_threshold_parts_the_rows_as_its_cut_does(void **state) {
    (void)state;
    tools t = new_tools();
    sporf_random random = spf_random_start(2, 0, SPF_USE_DRAW);
    for (int n = 0; n < NODES; n++) {
        sample s = draw_sample(&random, &t);
        connect(&s);
        spf_split best = {0};
        spf_split_exact(&s.node, s.value, &t.scratch, &best);
        uint64_t left = 0;
        for (size_t i = 0; i < s.node.rows; i++)
            left += s.value[i] <= best.threshold ? s.weight[i] : 0;
        if (!best.found) continue;
        assert_true(left >= s.node.min_leaf && s.node.total - left >= s.node.min_leaf);
        assert_true(left > 0 && left < s.node.total);
    }
    free_tools(&t);
}

/* Mirrored or in ranks, a column has the same children to offer: the first one keeps its place. */
static void another_column_with_the_same_cuts_does_not_win(void **state) {
    (void)state;
    tools t = new_tools();
    sporf_random random = spf_random_start(3, 0, SPF_USE_DRAW);
    for (int n = 0; n < NODES; n++) {
        sample s = draw_sample(&random, &t);
        connect(&s);
        float mirrored[ROWS_MAX], rank[ROWS_MAX];
        for (size_t i = 0; i < s.node.rows; i++) {
            mirrored[i] = -s.value[i];
            rank[i] = 0;
            for (size_t j = 0; j < s.node.rows; j++) rank[i] += s.value[j] < s.value[i];
        }
        spf_split best = {0}, after;
        spf_split_exact(&s.node, s.value, &t.scratch, &best);
        after = best;
        spf_split_exact(&s.node, mirrored, &t.scratch, &after);
        spf_split_exact(&s.node, rank, &t.scratch, &after);
        assert_true(after.found == best.found && after.score == best.score &&
                    after.threshold == best.threshold);
    }
    free_tools(&t);
}

/* Rows of equal value may come in any order, and a row may be written as often as it weighs. */
static void order_and_weights_of_rows_do_not_matter(void **state) {
    (void)state;
    tools t = new_tools();
    sporf_random random = spf_random_start(4, 0, SPF_USE_DRAW);
    for (int n = 0; n < NODES / 4; n++) {
        sample s = draw_sample(&random, &t), written = s;
        if (s.node.total > ROWS_MAX) continue;
        connect(&s);
        connect(&written);
        written.node.rows = 0;
        for (size_t i = s.node.rows; i-- > 0;)
            for (uint32_t w = 0; w < s.weight[i]; w++) {
                written.value[written.node.rows] = s.value[i];
                written.label[written.node.rows] = s.label[i];
                written.weight[written.node.rows++] = 1;
            }
        spf_split a = {0}, b = {0};
        spf_split_exact(&s.node, s.value, &t.scratch, &a);
        spf_split_exact(&written.node, written.value, &t.scratch, &b);
        assert_true(a.found == b.found && a.score == b.score && a.threshold == b.threshold);
    }
    free_tools(&t);
}

static void only_pure_children_reach_the_perfect_score(void **state) {
    (void)state;
    tools t = new_tools();
    sporf_random random = spf_random_start(5, 0, SPF_USE_DRAW);
    size_t perfect = 0;
    for (int n = 0; n < NODES; n++) {
        sample s = draw_sample(&random, &t);
        connect(&s);
        spf_split best = {0};
        spf_split_exact(&s.node, s.value, &t.scratch, &best);
        if (!best.found) continue;
        size_t classes[2] = {0};
        for (uint32_t k = 0; k < s.classes; k++) {
            int seen[2] = {0};
            for (size_t i = 0; i < s.node.rows; i++)
                if (s.label[i] == k) seen[s.value[i] > best.threshold] = 1;
            classes[0] += seen[0];
            classes[1] += seen[1];
        }
        int pure = classes[0] == 1 && classes[1] == 1;
        assert_int_equal(best.score >= spf_split_perfect(&s.node), pure);
        perfect += pure;
    }
    assert_true(perfect > 100);
    free_tools(&t);
}

static void scratch_is_left_clean(void **state) {
    (void)state;
    tools t = new_tools();
    sporf_random random = spf_random_start(6, 0, SPF_USE_DRAW);
    for (int n = 0; n < 500; n++) {
        sample s = draw_sample(&random, &t);
        connect(&s);
        spf_split best = {0};
        spf_split_exact(&s.node, s.value, &t.scratch, &best);
        for (int k = 0; k < CLASSES_MAX; k++) assert_int_equal(t.scratch.left[k], 0);
    }
    free_tools(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_cut_is_that_of_brute_force),
        cmocka_unit_test(a_threshold_parts_the_rows_as_its_cut_does),
        cmocka_unit_test(another_column_with_the_same_cuts_does_not_win),
        cmocka_unit_test(order_and_weights_of_rows_do_not_matter),
        cmocka_unit_test(only_pure_children_reach_the_perfect_score),
        cmocka_unit_test(scratch_is_left_clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
