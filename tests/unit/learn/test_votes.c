/* Out-of-bag votes of several trees at once are those of the trees one by one.
 * Labels: threads */
#include "base/rng.h"
#include "data/dataset.h"
#include "learn/growing/grow.h"
#include "learn/outcome/outcomes.h"
#include "learn/settings/settings.h"

#include "support/check.h"
#include "support/random_data.h"

enum { TREES = 11, LEAVES = 40, ENTRIES = 3 };

/* ---- trees of leaves only -------------------------------------------------------------------- */

/* Every leaf has one to three classes. */
static spf_tree random_leaves(sporf_random *random, size_t classes) {
    uint32_t *start = need(LEAVES + 1, sizeof *start), end = 0;
    uint32_t *class_of = need((size_t)LEAVES * ENTRIES, sizeof *class_of);
    float *weight = need((size_t)LEAVES * ENTRIES, sizeof *weight);
    for (uint32_t k = 0; k < LEAVES; k++) {
        uint32_t entries = 1 + spf_random_below(random, ENTRIES);
        start[k] = end;
        if (entries > classes) entries = (uint32_t)classes;
        uint32_t first = spf_random_below(random, (uint32_t)classes - entries + 1);
        for (uint32_t i = 0; i < entries; i++) {
            class_of[end] = first + i;
            weight[end++] = (float)(1 + spf_random_below(random, 5));
        }
    }
    start[LEAVES] = end;
    return (spf_tree){
        .leaves_count = LEAVES, .leaf_start = start, .leaf_class = class_of, .leaf_weight = weight};
}

/* One of `rare` rows is out of bag: in ascending order, or some later than they should. */
static spf_grown random_grown(sporf_random *random, size_t rows, size_t classes, uint32_t rare,
                              int ascending) {
    spf_grown grown = {.tree = random_leaves(random, classes),
                       .oob_row = need(rows, sizeof *grown.oob_row),
                       .oob_leaf = need(rows, sizeof *grown.oob_leaf)};
    for (size_t i = 0; i < rows; i++) {
        if (spf_random_below(random, rare) > 0) continue;
        grown.oob_row[grown.oob_count] = (uint32_t)i;
        grown.oob_leaf[grown.oob_count++] = spf_random_below(random, LEAVES);
    }
    for (size_t i = 1; !ascending && i < grown.oob_count; i += 2) {
        uint32_t row = grown.oob_row[i];
        grown.oob_row[i] = grown.oob_row[i - 1];
        grown.oob_row[i - 1] = row;
    }
    return grown;
}

/* ---- tallies --------------------------------------------------------------------------------- */

typedef struct {
    spf_tally *tally;
    double errors[TREES];
    sporf_forest forest;
} count;

static void start_count(const spf_outcome *outcome, count *c) {
    *c = (count){0};
    assert_ok(outcome->kind->tally(outcome, &c->tally));
}

static void end_count(count *c, unsigned threads) {
    assert_ok(c->tally->hand_over(c->tally, threads, &c->forest));
    c->tally->free(c->tally);
}

static void assert_same_number(double a, double b) {
    assert_true(a == b || (isnan(a) && isnan(b)));
}

static void assert_same_count(const count *a, const count *b, size_t classes) {
    const sporf_forest *x = &a->forest, *y = &b->forest;
    for (size_t t = 0; t < TREES; t++) assert_same_number(a->errors[t], b->errors[t]);
    assert_same_number(x->oob_score, y->oob_score);
    assert_int_equal(x->oob_rows, y->oob_rows);
    assert_memory_equal(x->oob_votes, y->oob_votes,
                        x->training_rows * classes * sizeof *x->oob_votes);
    for (int i = 0; i < 2; i++) {
        assert_same_number(x->trust[i].smoothing, y->trust[i].smoothing);
        assert_same_number(x->trust[i].power, y->trust[i].power);
        assert_same_number(x->trust[i].log_loss, y->trust[i].log_loss);
        assert_same_number(x->trust[i].brier, y->trust[i].brier);
    }
}

/* In groups of that many trees, of which those that are not ascending are added one by one. */
static void check_groups(const spf_outcome *outcome, const spf_grown *grown, const int *ascending,
                         size_t together, unsigned threads, const count *wanted) {
    count c;
    start_count(outcome, &c);
    for (size_t t = 0; t < TREES; t += together) {
        size_t trees = t + together < TREES ? together : TREES - t;
        int all = 1;
        for (size_t i = t; i < t + trees; i++) all &= ascending[i];
        int added = c.tally->add_all(c.tally, grown + t, trees, threads, c.errors + t);
        assert_int_equal(added, all);
        for (size_t i = t; !added && i < t + trees; i++)
            c.errors[i] = c.tally->add(c.tally, &grown[i]);
    }
    end_count(&c, threads);
    assert_same_count(&c, wanted, outcome->classes);
    free(c.forest.oob_votes);
}

static void check(size_t rows, size_t classes, uint32_t rare, int weighted, uint32_t unsorted) {
    sporf_random random = spf_random_start(rows + classes, 3, SPF_USE_SIMULATE);
    sporf_dataset *data = random_data(DATA_NOISE, rows, 1, classes, 1);
    sporf_params params = params_with("trees", "11", (char *)NULL);
    spf_grown grown[TREES];
    int ascending[TREES];
    spf_settings settings;
    spf_outcome outcome;
    count wanted;
    if (weighted) weigh_rows(data, 0.25);
    assert_ok(spf_settings_create(data, &params, NULL, &settings));
    assert_ok(spf_outcome_open(&spf_classification, data, settings.weights, 1, &outcome));
    for (uint32_t t = 0; t < TREES; t++) {
        ascending[t] = unsorted == 0 || t % unsorted > 0;
        grown[t] = random_grown(&random, rows, classes, t < 2 ? 8 * rare : rare, ascending[t]);
        ascending[t] |= grown[t].oob_count < 2;
    }
    start_count(&outcome, &wanted);
    for (size_t t = 0; t < TREES; t++)
        wanted.errors[t] = wanted.tally->add(wanted.tally, &grown[t]);
    end_count(&wanted, 1);
    for (size_t together = 1; together <= TREES; together += 5)
        for (unsigned threads = 1; threads <= 3; threads++)
            check_groups(&outcome, grown, ascending, together, threads, &wanted);
    free(wanted.forest.oob_votes);
    for (size_t t = 0; t < TREES; t++) spf_grown_free(&grown[t]);
    spf_outcome_close(&outcome);
    spf_settings_free(&settings);
    sporf_dataset_free(data);
}

/* ---- laws ------------------------------------------------------------------------------------ */

static void votes_of_several_trees_are_added_as_one_by_one(void **state) {
    (void)state;
    check(50, 2, 3, 0, 0);
    check(8191, 2, 3, 0, 0);
    check(30000, 2, 3, 0, 0);
    check(30000, 3, 2, 1, 0);
    check(20000, 11, 3, 1, 0);
    check(20000, 2, 5000, 0, 0); /* in some ranges of rows, no row is out of bag */
    check(20, 2, 60, 0, 0);      /* nor in some trees */
}

static void rows_in_another_order_are_left_to_add(void **state) {
    (void)state;
    check(50, 2, 3, 0, 1);
    check(20000, 3, 3, 1, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(votes_of_several_trees_are_added_as_one_by_one),
        cmocka_unit_test(rows_in_another_order_are_left_to_add),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
