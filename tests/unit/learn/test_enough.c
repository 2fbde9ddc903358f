/* A number of trees that is auto, and a time that is over: which trees the forest has, and why. */
#include "support/check.h"
#include "support/random_data.h"
#include "support/same_bytes.h"
#include "support/watch.h"

enum { ROWS = 120, FEATURES = 4 };

static sporf_dataset *classes_data(void) {
    return random_data(DATA_SMOOTH, ROWS, FEATURES, 3, 1);
}

static sporf_dataset *targets_data(void) {
    return with_targets(DATA_SMOOTH, ROWS, FEATURES, 2, 1);
}

static sporf_forest *train_auto(const sporf_dataset *data, const char *threads) {
    return train_with(data, "trees", "auto", "threads", threads, (char *)NULL);
}

static sporf_forest *train_number(const sporf_dataset *data, size_t trees) {
    char number[24];
    snprintf(number, sizeof number, "%zu", trees);
    return train_with(data, "trees", number, (char *)NULL);
}

static sporf_forest *extend_to(const sporf_forest *forest, const sporf_dataset *data,
                               uint32_t trees) {
    sporf_params params = params_with("trees", "1", (char *)NULL);
    sporf_forest *more = NULL;
    params.trees = trees;
    assert_ok(sporf_forest_extend(forest, data, &params, NULL, &more));
    return more;
}

/* ---- the rule, once more and plainly --------------------------------------------------------- */

/* What each tree says of a row, as numbers between which squared distances are taken. */
typedef struct {
    size_t trees, outputs;
    double *said;   /* [rows x trees x outputs] */
    double *truth;  /* [rows x outputs] */
    uint32_t *bags; /* [trees x rows] */
} sayings;

static void fill_classes(const sporf_forest *forest, const sporf_dataset *data, sayings *s) {
    uint32_t *votes = calloc(ROWS * s->trees, sizeof *votes);
    sporf_predictions wanted;
    sporf_predictions_init(&wanted);
    wanted.tree_classes = votes;
    assert_ok(sporf_forest_predict(forest, data, NULL, &wanted));
    for (size_t i = 0; i < ROWS * s->trees; i++) s->said[i * s->outputs + votes[i]] = 1;
    for (size_t i = 0; i < ROWS; i++) s->truth[i * s->outputs + sporf_dataset_labels(data)[i]] = 1;
    free(votes);
}

static void fill_tree(const sporf_forest *forest, size_t tree, const uint32_t *leaves, sayings *s) {
    for (size_t n = 0; n < sporf_forest_nodes(forest, tree); n++) {
        sporf_node node;
        assert_ok(sporf_forest_node(forest, tree, n, &node));
        for (size_t i = 0; node.is_leaf && i < ROWS; i++)
            for (size_t k = 0; leaves[i * s->trees + tree] == node.leaf && k < s->outputs; k++)
                s->said[(i * s->trees + tree) * s->outputs + k] = node.values[k];
    }
}

static void fill_targets(const sporf_forest *forest, const sporf_dataset *data, sayings *s) {
    uint32_t *leaves = calloc(ROWS * s->trees, sizeof *leaves);
    sporf_predictions wanted;
    sporf_predictions_init(&wanted);
    wanted.leaves = leaves;
    assert_ok(sporf_forest_predict(forest, data, NULL, &wanted));
    for (size_t t = 0; t < s->trees; t++) fill_tree(forest, t, leaves, s);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t k = 0; k < s->outputs; k++)
            s->truth[i * s->outputs + k] = sporf_dataset_target(data, k)[i];
    free(leaves);
}

static sayings sayings_of(const sporf_forest *forest, const sporf_dataset *data) {
    sayings s = {.trees = sporf_forest_trees(forest)};
    size_t targets = sporf_forest_targets(forest);
    s.outputs = targets > 0 ? targets : sporf_forest_classes(forest);
    s.said = calloc(ROWS * s.trees * s.outputs, sizeof *s.said);
    s.truth = calloc(ROWS * s.outputs, sizeof *s.truth);
    s.bags = calloc(ROWS * s.trees, sizeof *s.bags);
    assert_ok(sporf_forest_bags(forest, data, NULL, NULL, s.bags));
    if (targets > 0)
        fill_targets(forest, data, &s);
    else
        fill_classes(forest, data, &s);
    return s;
}

static void free_sayings(sayings *s) {
    free(s->said);
    free(s->truth);
    free(s->bags);
}

typedef struct {
    double loss, variance, trees; /* of a row; the variance of one tree, without bias */
} row_facts;

static row_facts facts_of(const sayings *s, size_t row, size_t trees) {
    row_facts f = {0};
    for (size_t t = 0; t < trees; t++) f.trees += s->bags[t * ROWS + row] == 0;
    for (size_t k = 0; k < s->outputs; k++) {
        double mean = 0, squares = 0;
        for (size_t t = 0; t < trees; t++)
            if (s->bags[t * ROWS + row] == 0)
                mean += s->said[(row * s->trees + t) * s->outputs + k] / f.trees;
        for (size_t t = 0; t < trees; t++) {
            double from = s->said[(row * s->trees + t) * s->outputs + k] - mean;
            if (s->bags[t * ROWS + row] == 0) squares += from * from;
        }
        f.loss += pow(mean - s->truth[row * s->outputs + k], 2);
        f.variance += squares / (f.trees - 1);
    }
    return f;
}

static int is_enough(const sayings *s, size_t trees) {
    double loss = 0, limit = 0, variance = 0, rows = 0, squares = 0;
    for (size_t i = 0; i < ROWS; i++) {
        row_facts f = facts_of(s, i, trees);
        if (f.trees < 2) continue;
        rows++;
        loss += f.loss;
        limit += f.loss - f.variance / f.trees;
        variance += f.variance;
    }
    for (size_t i = 0; i < ROWS; i++) {
        row_facts f = facts_of(s, i, trees);
        if (f.trees >= 2) squares += pow(f.loss - loss / rows, 2);
    }
    double standard_error = sqrt(squares) / rows;
    return variance / rows / (double)trees <= fmax(0.005 * limit / rows, 0.05 * standard_error);
}

static void check_rule(sporf_dataset *data) {
    sporf_forest *forest = train_auto(data, "2");
    sayings s = sayings_of(forest, data);
    assert_int_equal(s.trees % 10, 0);
    assert_true(s.trees > 50 && s.trees < SPORF_TREES_MOST);
    for (size_t trees = 50; trees < s.trees; trees += 10) assert_false(is_enough(&s, trees));
    assert_true(is_enough(&s, s.trees));
    assert_string_equal(sporf_forest_stopped(forest), "enough");
    free_sayings(&s);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void training_ends_when_more_trees_would_hardly_help(void **state) {
    (void)state;
    check_rule(classes_data());
    check_rule(targets_data());
}

/* ---- which trees ----------------------------------------------------------------------------- */

/* Adding no trees leaves only the reason out. */
static void check_prefix(sporf_dataset *data) {
    sporf_forest *chosen = train_auto(data, "3");
    size_t trees = sporf_forest_trees(chosen);
    sporf_forest *same = extend_to(chosen, data, (uint32_t)trees);
    sporf_forest *number = train_number(data, trees), *more = train_number(data, trees + 7);
    sporf_forest *extended = extend_to(chosen, data, (uint32_t)trees + 7);
    assert_same_bytes(same, number);
    assert_same_oob(chosen, number);
    assert_same_bytes(extended, more);
    assert_null(sporf_forest_stopped(extended));
    sporf_forest_free(chosen);
    sporf_forest_free(same);
    sporf_forest_free(number);
    sporf_forest_free(more);
    sporf_forest_free(extended);
    sporf_dataset_free(data);
}

static void the_trees_are_those_of_that_number(void **state) {
    (void)state;
    check_prefix(classes_data());
    check_prefix(targets_data());
}

static void the_number_of_threads_does_not_matter(void **state) {
    (void)state;
    sporf_dataset *data = classes_data();
    sporf_forest *one = train_auto(data, "1");
    for (int i = 0; i < 3; i++) {
        sporf_forest *four = train_auto(data, "4");
        assert_same_bytes(one, four);
        assert_same_oob(one, four);
        sporf_forest_free(four);
    }
    sporf_forest_free(one);
    sporf_dataset_free(data);
}

static void a_few_trees_grow_until_they_are_enough(void **state) {
    (void)state;
    sporf_dataset *data = classes_data();
    sporf_forest *whole = train_auto(data, "2"), *few = train_number(data, 13);
    sporf_forest *grown = extend_to(few, data, 0), *again = extend_to(grown, data, 0);
    assert_same_bytes(grown, whole);
    assert_same_bytes(again, whole);
    size_t trees = sporf_forest_trees(whole) + 3;
    sporf_forest *many = train_number(data, trees), *kept = extend_to(many, data, 0);
    assert_int_equal(sporf_forest_trees(kept), trees);
    sporf_forest *all[] = {whole, few, grown, again, many, kept};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) sporf_forest_free(all[i]);
    sporf_dataset_free(data);
}

static void targets_that_are_all_equal_need_few_trees(void **state) {
    (void)state;
    static const float equal[ROWS];
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, FEATURES, 2, 1);
    set_targets(data, equal, 1);
    sporf_forest *forest = train_auto(data, "1");
    assert_int_equal(sporf_forest_trees(forest), 50);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- time and interrupts --------------------------------------------------------------------- */

static void check_time(const sporf_dataset *data, const char *learner, const char *projections) {
    sporf_params params;
    sporf_forest *forest = NULL;
    sporf_params_init(&params);
    assert_ok(sporf_params_set(&params, "learner", learner));
    assert_ok(sporf_params_set(&params, "projections", projections));
    assert_ok(sporf_params_set(&params, "trees", "1000000"));
    params.time = 1e-9;
    assert_ok(sporf_forest_train(data, &params, NULL, &forest));
    assert_true(sporf_forest_trees(forest) >= 1 && sporf_forest_trees(forest) < 100000);
    assert_string_equal(sporf_forest_stopped(forest), "time");
    assert_string_equal(sporf_forest_setting(forest, "stopped"), "time");
    assert_null(sporf_forest_setting(forest, "time"));
    sporf_forest_free(forest);
}

static void a_time_that_is_over_leaves_at_least_one_tree(void **state) {
    (void)state;
    sporf_dataset *data = classes_data();
    check_time(data, "forest", "p");
    check_time(data, "forest", "auto");
    check_time(data, "boosting", "auto");
    sporf_dataset_free(data);
}

static void a_forest_that_ended_in_time_is_the_first_trees_of_the_whole(void **state) {
    (void)state;
    sporf_dataset *data = classes_data();
    sporf_forest *forest = train_with(data, "trees", "1000000", "time", "0.05s", (char *)NULL);
    sporf_forest *number = train_number(data, sporf_forest_trees(forest));
    sporf_forest *same = extend_to(forest, data, (uint32_t)sporf_forest_trees(forest));
    assert_same_bytes(same, number);
    assert_same_oob(forest, number);
    sporf_forest_free(forest);
    sporf_forest_free(number);
    sporf_forest_free(same);
    sporf_dataset_free(data);
}

static void an_interrupt_is_told_but_not_stored(void **state) {
    (void)state;
    sporf_dataset *data = classes_data();
    sporf_params params = params_with("trees", "auto", (char *)NULL);
    watch w = watch_until(7);
    sporf_hooks hooks = watch_hooks(&w);
    sporf_forest *forest = NULL, *all = train_number(data, 5);
    assert_ok(sporf_forest_train(data, &params, &hooks, &forest));
    assert_string_equal(sporf_forest_stopped(forest), "interrupt");
    assert_null(sporf_forest_setting(forest, "stopped"));
    assert_null(sporf_forest_stopped(all));
    sporf_forest_free(forest);
    sporf_forest_free(all);
    sporf_dataset_free(data);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void auto_needs_out_of_bag_rows(void **state) {
    (void)state;
    sporf_dataset *data = classes_data();
    sporf_params params = params_with("trees", "auto", "bag", "none", (char *)NULL);
    sporf_forest *forest = NULL;
    assert_refused(sporf_forest_train(data, &params, NULL, &forest), SPORF_ERROR_ARGUMENT,
                   "needs out-of-bag rows");
    sporf_dataset_free(data);
}

static void parts_and_searches_have_a_number_of_trees(void **state) {
    (void)state;
    sporf_dataset *data = classes_data();
    sporf_params params = params_with("trees", "auto", (char *)NULL);
    sporf_params timed = params_with("trees", "10", "time", "1h", (char *)NULL);
    sporf_forest_part *part = NULL;
    sporf_search *search = NULL;
    assert_refused(sporf_forest_part_train(data, &params, NULL, 0, 5, &part), SPORF_ERROR_ARGUMENT,
                   "parts of a forest");
    assert_refused(sporf_forest_part_train(data, &timed, NULL, 0, 5, &part), SPORF_ERROR_ARGUMENT,
                   "time cannot be used for parts of a forest");
    assert_refused(sporf_search_run(data, &params, NULL, &search), SPORF_ERROR_ARGUMENT,
                   "equally many trees");
    assert_refused(sporf_search_run(data, &timed, NULL, &search), SPORF_ERROR_ARGUMENT,
                   "for one training");
    sporf_dataset_free(data);
}

static void times_have_units(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double seconds;
    } times[] = {{"90", 90}, {"90s", 90}, {"1.5m", 90}, {"2h", 7200}, {"none", 0}};
    static const char *const wrong[] = {"0", "-1", "s", "", "3x", "1e9h", "nan"};
    sporf_params params;
    sporf_params_init(&params);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        assert_ok(sporf_params_set(&params, "time", times[i].text));
        assert_true(params.time == times[i].seconds);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_refused(sporf_params_set(&params, "time", wrong[i]), SPORF_ERROR_ARGUMENT,
                       "time must be");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(training_ends_when_more_trees_would_hardly_help),
        cmocka_unit_test(the_trees_are_those_of_that_number),
        cmocka_unit_test(the_number_of_threads_does_not_matter),
        cmocka_unit_test(a_few_trees_grow_until_they_are_enough),
        cmocka_unit_test(targets_that_are_all_equal_need_few_trees),
        cmocka_unit_test(a_time_that_is_over_leaves_at_least_one_tree),
        cmocka_unit_test(a_forest_that_ended_in_time_is_the_first_trees_of_the_whole),
        cmocka_unit_test(an_interrupt_is_told_but_not_stored),
        cmocka_unit_test(auto_needs_out_of_bag_rows),
        cmocka_unit_test(parts_and_searches_have_a_number_of_trees),
        cmocka_unit_test(times_have_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
