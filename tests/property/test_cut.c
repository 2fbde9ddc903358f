/* The best cut of a histogram is the best of all cuts that are allowed, each computed by itself
 * from the rows. */
#include "learn/boosting/cut.h"

#include "base/rng.h"
#include "support/check.h"

enum { ROWS_MOST = 60, BINS = 12 };

typedef struct {
    size_t rows;
    uint8_t bin[ROWS_MOST];
    uint32_t row[ROWS_MOST];
    float gradient[ROWS_MOST], hessian[ROWS_MOST];
    uint64_t pair[ROWS_MOST];
    spf_gradients gradients;
    spf_bin_column column;
    uint64_t bins[SPF_BINS_MOST];
    double l2, least_hessian; /* in the units of hessians themselves */
    spf_cut_rules rules;
    spf_cut_node node;
} problem;

static void make_rows(problem *p, sporf_random *random, int equal_hessians) {
    unsigned used = 1 + spf_random_below(random, BINS);
    p->rows = 1 + spf_random_below(random, ROWS_MOST);
    for (size_t i = 0; i < p->rows; i++) {
        p->row[i] = (uint32_t)i;
        p->bin[i] = (uint8_t)(spf_random_below(random, used) * (BINS / used));
        if (p->column.missing && spf_random_below(random, 4) == 0) p->bin[i] = BINS;
        p->gradient[i] = (float)(spf_random_normal(random) + 0.2 * p->bin[i]);
        p->hessian[i] = equal_hessians ? 1 : (float)(0.05 + spf_random_uniform(random));
    }
    p->gradients.pair = p->pair;
    spf_gradients_fill(&p->gradients, p->gradient, p->hessian, p->row, p->rows);
    memset(p->bins, 0, sizeof p->bins);
    for (size_t i = 0; i < p->rows; i++) p->bins[p->bin[i]] += p->pair[i];
}

static problem *make_problem(uint64_t seed) {
    problem *p = need(1, sizeof *p);
    sporf_random random = spf_random_start(seed, 1, SPF_USE_SIMULATE);
    p->column = (spf_bin_column){.bins = BINS,
                                 .missing = (uint8_t)spf_random_below(&random, 2),
                                 .category = spf_random_below(&random, 3) == 0};
    int bounded = spf_random_below(&random, 3) == 0;
    if (bounded && !p->column.category)
        p->column.monotone = (int8_t)((int)spf_random_below(&random, 3) - 1);
    make_rows(p, &random, seed % 4 == 0);
    p->l2 = spf_random_below(&random, 2) ? 0 : 3 * spf_random_uniform(&random);
    p->least_hessian = spf_random_below(&random, 2) ? 0 : 4 * spf_random_uniform(&random);
    p->rules = (spf_cut_rules){.l2 = p->l2 / p->gradients.hessian_unit,
                               .least_hessian = p->least_hessian / p->gradients.hessian_unit,
                               .min_leaf = 1 + spf_random_below(&random, 8),
                               .gradients = &p->gradients,
                               .bounded = bounded};
    p->node = (spf_cut_node){p->row, p->rows, p->gradients.total, -INFINITY, INFINITY};
    if (bounded && spf_random_below(&random, 2)) p->node.low = -0.4 - spf_random_uniform(&random);
    if (bounded && spf_random_below(&random, 2)) p->node.high = 0.2;
    return p;
}

/* ---- one cut --------------------------------------------------------------------------------- */

typedef struct {
    double g, h;
    size_t rows;
} side;

static void add(const problem *p, side *to, size_t row) {
    to->g += spf_pair_gradient(p->pair[row]) * p->gradients.gradient_unit;
    to->h += spf_pair_hessian(p->pair[row]) * p->gradients.hessian_unit;
    to->rows++;
}

static double value_of(const problem *p, const side *s) {
    return fmin(fmax(-s->g / (s->h + p->l2), p->node.low), p->node.high);
}

static double score_of(const problem *p, const side *s) {
    double value = value_of(p, s);
    return -(2 * s->g * value + (s->h + p->l2) * value * value);
}

static int fits(const problem *p, const side *s) {
    return s->rows >= p->rules.min_leaf && s->h >= p->least_hessian * (1 - 1e-12);
}

/* What sending the bins with a bit of `left` to the left gains; bit BINS is for missing values. 0
 * if it is not allowed. */
static double gain_of(const problem *p, unsigned left) {
    side l = {0}, r = {0}, all = {0};
    for (size_t i = 0; i < p->rows; i++) {
        add(p, left >> p->bin[i] & 1 ? &l : &r, i);
        add(p, &all, i);
    }
    if (l.rows == 0 || r.rows == 0 || !fits(p, &l) || !fits(p, &r)) return 0;
    if (p->column.monotone * (value_of(p, &r) - value_of(p, &l)) < 0) return 0;
    return score_of(p, &l) + score_of(p, &r) - score_of(p, &all);
}

/* ---- all cuts -------------------------------------------------------------------------------- */

/* If missing values alone are one side, it is the right one. */
static double best_number(const problem *p) {
    double best = 0;
    unsigned first = BINS;
    for (size_t i = 0; i < p->rows; i++)
        if (p->bin[i] < first) first = p->bin[i];
    for (unsigned after = first; after < BINS; after++)
        for (unsigned missing = 0; missing < 2; missing++)
            best = fmax(best, gain_of(p, ((2u << after) - 1) | missing << BINS));
    return best;
}

/* Levels in the order of their own values, those in no row apart. */
static unsigned sort_levels(const problem *p, unsigned *order) {
    unsigned count = 0;
    double value[BINS];
    for (unsigned b = 0; b < BINS; b++) {
        side own = {0};
        for (size_t i = 0; i < p->rows; i++)
            if (p->bin[i] == b) add(p, &own, i);
        if (own.rows == 0) continue;
        value[b] = -own.g / (own.h + p->l2);
        unsigned at = count++;
        for (; at > 0 && value[order[at - 1]] > value[b]; at--) order[at] = order[at - 1];
        order[at] = b;
    }
    return count;
}

static double best_prefix(const problem *p) {
    unsigned order[BINS], count = sort_levels(p, order);
    double best = 0;
    for (unsigned missing = 0; missing < 2; missing++)
        for (unsigned i = 0, left = missing << BINS; i < count; i++) {
            left |= 1u << order[i];
            best = fmax(best, gain_of(p, left));
        }
    return best;
}

static double best_subset(const problem *p) {
    double best = 0;
    for (unsigned left = 0; left < 2u << BINS; left++) best = fmax(best, gain_of(p, left));
    return best;
}

/* ---- laws ------------------------------------------------------------------------------------ */

static spf_cut found_cut(const problem *p) {
    spf_cut cut = {0};
    spf_cut_search(&p->rules, &p->node, &p->column, 7, p->bins, p->bin, 1, &cut);
    return cut;
}

/* In the units of the derivatives themselves. */
static double real_gain(const problem *p, double gain) {
    const spf_gradients *g = &p->gradients;
    return gain * g->gradient_unit * g->gradient_unit / g->hessian_unit;
}

static unsigned left_of(const problem *p, const spf_cut *cut) {
    unsigned left = 0;
    for (unsigned b = 0; b <= BINS; b++)
        left |= (unsigned)(spf_cut_is_left(cut, &p->column, b) != 0) << b;
    return left;
}

static void assert_gain(double gain, double wanted, uint64_t seed) {
    if (!(fabs(gain - wanted) <= 1e-6 * (1 + fabs(wanted))))
        fail_msg("problem %llu: a gain of %.12g instead of %.12g", (unsigned long long)seed, gain,
                 wanted);
}

static void no_cut_is_better_than_the_one_found(void **state) {
    (void)state;
    size_t cuts = 0;
    for (uint64_t seed = 0; seed < CASES(6000); seed++) {
        problem *p = make_problem(seed);
        spf_cut cut = found_cut(p);
        double best = p->column.category ? best_prefix(p) : best_number(p);
        assert_gain(real_gain(p, cut.gain), best, seed);
        if (real_gain(p, cut.gain) > 1e-6) {
            uint64_t left = 0;
            cuts++;
            assert_int_equal(cut.column, 7);
            assert_gain(gain_of(p, left_of(p, &cut)), best, seed);
            for (size_t i = 0; i < p->rows; i++)
                if (spf_cut_is_left(&cut, &p->column, p->bin[i])) left += p->pair[i];
            assert_true(left == cut.left);
        }
        free(p);
    }
    assert_true(cuts > CASES(6000) / 3);
}

/* Without a penalty the order by values has the best subset (Fisher 1958). */
static void no_subset_of_levels_is_better(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < CASES(400); seed++) {
        problem *p = make_problem(seed);
        p->column.category = 1;
        p->column.monotone = 0;
        p->rules.bounded = 0;
        p->node.low = -INFINITY;
        p->node.high = INFINITY;
        p->l2 = p->rules.l2 = 0;
        p->least_hessian = p->rules.least_hessian = 0;
        p->rules.min_leaf = 1;
        if (p->rows > 14) p->rows = 14; /* each subset looks at every row */
        spf_gradients_fill(&p->gradients, p->gradient, p->hessian, p->row, p->rows);
        memset(p->bins, 0, sizeof p->bins);
        for (size_t i = 0; i < p->rows; i++) p->bins[p->bin[i]] += p->pair[i];
        p->node.count = p->rows;
        p->node.total = p->gradients.total;
        assert_gain(real_gain(p, found_cut(p).gain), best_subset(p), seed);
        free(p);
    }
}

static void unseen_missing_values_and_levels_go_with_the_heavier_side(void **state) {
    (void)state;
    size_t left = 0, right = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        problem *p = make_problem(seed);
        spf_cut cut = found_cut(p);
        double own = spf_pair_hessian(cut.left), other = spf_pair_hessian(p->node.total) - own;
        for (unsigned b = 0; b <= BINS && real_gain(p, cut.gain) > 1e-6; b++) {
            int is_missing = b == BINS && p->column.missing;
            if (p->bins[b] != 0 || !(is_missing || (b < BINS && p->column.category))) continue;
            assert_int_equal(spf_cut_is_left(&cut, &p->column, b), own > other);
            *(own > other ? &left : &right) += 1;
        }
        free(p);
    }
    assert_true(left > 0 && right > 0);
}

static void a_better_cut_of_another_column_stays(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        problem *p = make_problem(seed);
        spf_cut own = found_cut(p), best = {.gain = own.gain + 1, .column = 3, .after = 5};
        spf_cut_search(&p->rules, &p->node, &p->column, 7, p->bins, p->bin, 1, &best);
        assert_true(best.column == 3 && best.after == 5 && best.gain == own.gain + 1);
        free(p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_cut_is_better_than_the_one_found),
        cmocka_unit_test(no_subset_of_levels_is_better),
        cmocka_unit_test(unseen_missing_values_and_levels_go_with_the_heavier_side),
        cmocka_unit_test(a_better_cut_of_another_column_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
