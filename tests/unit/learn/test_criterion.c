/* A criterion of one's own, written as CONTRIBUTING.md says, in every splitter: the share of rows
 * that the majority of their child gets wrong. Its scores are whole numbers, so that brute force
 * finds the same ones. */
#include "learn/splitting/criterion_scans.h"

#include "support/check.h"
#include "support/split_sample.h"

/* ---- the criterion --------------------------------------------------------------------------- */

static void majority_open(spf_split_node *node) {
    (void)node;
}

static double majority_perfect(const spf_split_node *node) {
    return (double)node->total;
}

static inline spf_sums majority_start(const spf_split_node *node) {
    (void)node;
    return (spf_sums){0};
}

static inline void majority_move(const spf_split_node *node, spf_sums *sums, uint32_t k,
                                 uint64_t left, uint64_t weight) {
    (void)node, (void)sums, (void)k, (void)left, (void)weight;
}

/* The weight of the largest class of each child. */
static inline double majority_score(const spf_split_node *node, const spf_sums *sums,
                                    const uint32_t *left) {
    uint32_t most_left = 0, most_right = 0;
    (void)sums;
    for (size_t k = 0; k < node->classes; k++) {
        uint32_t right = node->class_total[k] - left[k];
        most_left = left[k] > most_left ? left[k] : most_left;
        most_right = right > most_right ? right : most_right;
    }
    return (double)most_left + (double)most_right;
}

static const spf_rules majority_rules = {majority_start, majority_move, majority_score,
                                         spf_may_always_exceed};

static void majority_scan_rows(const spf_split_node *node, const float *values,
                               const spf_order *order, uint32_t *left, spf_split *best) {
    spf_scan_rows(node, values, order, left, best, &majority_rules);
}

static void majority_scan_lane(const spf_split_node *node, const uint32_t *lane, size_t stride,
                               uint32_t mask, uint32_t *left, spf_lane_cut *cut) {
    spf_scan_lane(node, lane, stride, mask, left, cut, &majority_rules);
}

static void majority_walk_counts(spf_bin_walk *walk) {
    spf_walk_counts(walk, &majority_rules);
}

static void majority_walk_tags(spf_bin_walk *walk) {
    spf_walk_tags(walk, &majority_rules);
}

static const spf_criterion majority = {
    .name = "majority",
    .open = majority_open,
    .perfect = majority_perfect,
    .scan_rows = majority_scan_rows,
    .scan_lane = majority_scan_lane,
    .walk_counts = majority_walk_counts,
    .walk_tags = majority_walk_tags,
};

/* ---- its cuts -------------------------------------------------------------------------------- */

enum { ROWS_MAX = 800, CLASSES_MAX = 50, WEIGHT_MAX = 4, NODES = 300 };

static void draw(split_sample *s, sporf_random *random, uint32_t rows_most, float *values) {
    static const uint32_t classes[] = {2, 3, 7, CLASSES_MAX};
    split_shape shape = {2 + spf_random_below(random, rows_most - 1),
                         classes[spf_random_below(random, 4)], WEIGHT_MAX};
    split_sample_draw(s, random, shape);
    s->node.criterion = &majority;
    for (size_t i = 0; i < s->node.rows; i++) values[i] = (float)spf_random_below(random, 60);
}

/* The score of the cut behind a value, from scratch; -1 where a child would be too light. */
static double score_behind(const split_sample *s, const float *values, float threshold) {
    uint32_t count[2][CLASSES_MAX] = {{0}}, total[2] = {0}, most[2] = {0};
    for (size_t i = 0; i < s->node.rows; i++) {
        int side = values[i] > threshold;
        count[side][s->label[i]] += s->weight[i];
        total[side] += s->weight[i];
    }
    for (int side = 0; side < 2; side++)
        for (size_t k = 0; k < CLASSES_MAX; k++)
            most[side] = count[side][k] > most[side] ? count[side][k] : most[side];
    int allowed = total[0] > 0 && total[1] > 0 && total[0] >= s->node.min_leaf &&
                  total[1] >= s->node.min_leaf;
    return allowed ? (double)most[0] + (double)most[1] : -1;
}

static double best_score(const split_sample *s, const float *values) {
    double best = -1;
    for (float value = 0; value < 60; value++) best = fmax(best, score_behind(s, values, value));
    return best;
}

static void assert_best(const split_sample *s, const float *values, const spf_split *cut) {
    double best = best_score(s, values);
    assert_int_equal(cut->found, best >= 0);
    if (!cut->found) return;
    assert_true(cut->score == best && score_behind(s, values, cut->threshold) == best);
    assert_true(cut->score <= spf_split_perfect(&s->node));
}

static void a_criterion_of_ones_own_is_searched_by_every_splitter(void **state) {
    (void)state;
    static float values[SPF_LANES_MAX * SPF_LANES_ROWS + ROWS_MAX];
    split_sample *s = split_sample_create(ROWS_MAX, CLASSES_MAX, WEIGHT_MAX);
    sporf_random random = spf_random_start(5, 0, SPF_USE_DRAW);
    const spf_whole whole = {0, 59};
    size_t winner;
    for (int n = 0; n < NODES; n++) {
        spf_split exact = {0}, lanes = {0}, bins = {0};
        draw(s, &random, n % 2 ? ROWS_MAX : SPF_LANES_ROWS, values);
        assert_ok(spf_split_exact(&s->node, values, &s->scratch, &exact));
        assert_best(s, values, &exact);
        assert_ok(spf_split_histogram(&s->node, values, &whole, &s->scratch, &bins));
        if (bins.found && bins.coarse)
            assert_ok(spf_split_refine(&s->node, values, &s->scratch, &bins));
        assert_best(s, values, &bins);
        if (s->node.rows > SPF_LANES_ROWS) continue;
        assert_ok(spf_split_lanes(&s->node, values, 1, &s->scratch, &lanes, &winner));
        assert_best(s, values, &lanes);
    }
    split_sample_free(s);
}

static void the_table_names_criteria_as_the_option_does(void **state) {
    (void)state;
    for (size_t i = 0; sporf_option_at(i); i++) {
        const sporf_option *option = sporf_option_at(i);
        if (strcmp(option->name, "criterion")) continue;
        assert_string_equal(option->choices, "gini|entropy");
        assert_string_equal(spf_criterion_of(SPORF_GINI)->name, "gini");
        assert_string_equal(spf_criterion_of(SPORF_ENTROPY)->name, "entropy");
        return;
    }
    fail_msg("there is no option 'criterion'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_criterion_of_ones_own_is_searched_by_every_splitter),
        cmocka_unit_test(the_table_names_criteria_as_the_option_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
