/* What trees predict is the outcome's: another one in its place changes leaves or targets, and
 * growing knows nothing of it. */
#include "data/dataset.h"
#include "learn/growing/builder.h"
#include "learn/growing/grow.h"
#include "learn/outcome/outcomes.h"

#include "support/check.h"
#include "support/every_forest.h"
#include "support/plain_tree.h"
#include "support/random_data.h"

enum { ROWS = 200, FEATURES = 4 };

/* All features, one by one. */
static sporf_status draw_all(void *payload, void *state, const sporf_view *view,
                             sporf_random *random, sporf_projections *candidates) {
    (void)payload, (void)state, (void)random;
    const float one = 1;
    sporf_status status = SPORF_OK;
    for (uint32_t j = 0; status == SPORF_OK && j < view->features; j++)
        status = sporf_projections_add(candidates, 1, &j, &one);
    return status;
}

/* ---- a plan by hand -------------------------------------------------------------------------- */

typedef struct {
    spf_plan plan;
    spf_row_weights weights;
    spf_workspace workspace;
    spf_growth growth;
    spf_growing *growing;
    spf_grown grown;
} nursery;

static void take(void *context, uint32_t tree, spf_grown *grown) {
    (void)tree;
    ((nursery *)context)->grown = *grown;
}

static sporf_status start(void *context, size_t seed, spf_pool *pool, unsigned worker) {
    nursery *n = context;
    return spf_grow(&n->growth, (uint32_t)seed, pool, worker, &n->growing);
}

static void open_nursery(nursery *n, const sporf_dataset *data) {
    *n = (nursery){.plan = {.data = data,
                            .table = {.rows = data->rows,
                                      .features = data->features,
                                      .stride = 1,
                                      .columns = data->columns},
                            .sampler = {.name = "all", .draw = draw_all},
                            .criterion = &spf_criterion_gini,
                            .min_split = 5,
                            .min_leaf = 1,
                            .branch_rows = SIZE_MAX,
                            .block_least = SIZE_MAX}};
    assert_ok(spf_row_weights_create(data, spf_row_classes_of(data), NULL, SPORF_WEIGHT_RELATIVE,
                                     &n->weights));
    assert_ok(spf_bagger_create(spf_row_classes_of(data), &n->weights, SPORF_BAG_BOOTSTRAP, 1,
                                &n->plan.bagger));
    assert_ok(spf_outcome_open(spf_outcome_kind_of(data), data, &n->weights, 0, &n->plan.outcome));
}

/* Grows one tree by the plan as it is now. */
static const spf_tree *grow(nursery *n) {
    assert_ok(spf_workspace_create(&n->plan, &n->workspace));
    n->growth = (spf_growth){&n->plan, &n->workspace, take, n};
    assert_ok(spf_pool_run(1, 1, start, n));
    return &n->grown.tree;
}

static void close_nursery(nursery *n) {
    spf_growing_free(n->growing);
    spf_grown_free(&n->grown);
    spf_workspace_free(&n->workspace);
    spf_outcome_close(&n->plan.outcome);
    spf_bagger_free(&n->plan.bagger);
    spf_row_weights_free(&n->weights);
}

/* ---- laws ------------------------------------------------------------------------------------ */

static void targets_ask_for_regression_and_labels_for_classification(void **state) {
    (void)state;
    sporf_dataset *classes = random_data(DATA_SMOOTH, ROWS, FEATURES, 3, 1);
    sporf_dataset *numbers = with_targets(DATA_SMOOTH, ROWS, FEATURES, 2, 1);
    assert_ptr_equal(spf_outcome_kind_of(classes), &spf_classification);
    assert_ptr_equal(spf_outcome_kind_of(numbers), &spf_regression);
    sporf_dataset_free(classes);
    sporf_dataset_free(numbers);
}

/* Half of what regression puts there, as with a learning rate. */
static sporf_status fill_halves(spf_workspace *workspace, spf_builder *builder) {
    const double half = workspace->targets.mean[0] / 2;
    sporf_status status = spf_builder_fill_leaf(builder, workspace->present,
                                                workspace->present_count, workspace->class_total);
    return status == SPORF_OK ? spf_builder_add_values(builder, &half, 1) : status;
}

static void another_leaf_value_leaves_splits_as_they_are(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, FEATURES, 1, 2);
    spf_outcome_kind own = spf_regression;
    nursery mean, half;
    own.fill_leaf = fill_halves;
    open_nursery(&mean, data);
    open_nursery(&half, data);
    half.plan.outcome.kind = &own;
    const spf_tree *a = grow(&mean), *b = grow(&half);
    assert_true(a->leaves_count > 10);
    assert_int_equal(a->nodes_count, b->nodes_count);
    assert_memory_equal(a->nodes, b->nodes, a->nodes_count * sizeof *a->nodes);
    for (uint32_t i = 0; i < a->leaves_count; i++)
        assert_true(b->leaf_value[i] == a->leaf_value[i] / 2);
    close_nursery(&mean);
    close_nursery(&half);
    sporf_dataset_free(data);
}

/* As boosting puts residuals in the place of targets. */
static void other_targets_of_a_plan_grow_the_tree_of_a_table_that_has_them(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, FEATURES, 1, 3);
    sporf_dataset *other = with_targets(DATA_SMOOTH, ROWS, FEATURES, 1, 3);
    for (size_t i = 0; i < ROWS; i++) other->target_storage[i] = other->columns[0][i] * 2 + 1;
    nursery given, put;
    open_nursery(&given, other);
    open_nursery(&put, data);
    put.plan.outcome.values = other->target_storage;
    assert_true(same_tree(grow(&given), grow(&put)));
    close_nursery(&given);
    close_nursery(&put);
    sporf_dataset_free(data);
    sporf_dataset_free(other);
}

static void assert_moves_back_cost_as_much(const sporf_dataset *data) {
    nursery n;
    open_nursery(&n, data);
    const spf_tree *tree = grow(&n);
    spf_move there[ROWS], back[ROWS];
    double lost[ROWS], won[ROWS], all = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        there[i] = (spf_move){i, i % tree->leaves_count, i * 7 % tree->leaves_count};
        back[i] = (spf_move){i, there[i].after, there[i].before};
    }
    n.plan.outcome.kind->cost_moves(&n.plan.outcome, tree, there, ROWS, lost);
    n.plan.outcome.kind->cost_moves(&n.plan.outcome, tree, back, ROWS, won);
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(lost[i] == -won[i]);
        all += fabs(lost[i]);
    }
    assert_true(all > 0);
    close_nursery(&n);
}

static void a_row_that_moves_back_costs_what_it_gained(void **state) {
    (void)state;
    sporf_dataset *classes = random_data(DATA_SMOOTH, ROWS, FEATURES, 3, 4);
    sporf_dataset *numbers = with_targets(DATA_SMOOTH, ROWS, FEATURES, 2, 4);
    assert_moves_back_cost_as_much(classes);
    assert_moves_back_cost_as_much(numbers);
    sporf_dataset_free(classes);
    sporf_dataset_free(numbers);
}

static void assert_tally_without_rows_knows_no_error(const sporf_dataset *data) {
    nursery n;
    spf_tally *tally = NULL;
    open_nursery(&n, data);
    spf_grown none = {.tree = *grow(&n)};
    assert_ok(n.plan.outcome.kind->tally(&n.plan.outcome, &tally));
    assert_true(isnan(tally->add(tally, &none)));
    assert_false(isnan(tally->add(tally, &n.grown)));
    tally->free(tally);
    close_nursery(&n);
}

static void an_error_is_known_once_a_row_was_out_of_bag(void **state) {
    (void)state;
    sporf_dataset *classes = random_data(DATA_SMOOTH, ROWS, FEATURES, 3, 5);
    sporf_dataset *numbers = with_targets(DATA_SMOOTH, ROWS, FEATURES, 2, 5);
    assert_tally_without_rows_knows_no_error(classes);
    assert_tally_without_rows_knows_no_error(numbers);
    sporf_dataset_free(classes);
    sporf_dataset_free(numbers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets_ask_for_regression_and_labels_for_classification),
        cmocka_unit_test(another_leaf_value_leaves_splits_as_they_are),
        cmocka_unit_test(other_targets_of_a_plan_grow_the_tree_of_a_table_that_has_them),
        cmocka_unit_test(a_row_that_moves_back_costs_what_it_gained),
        cmocka_unit_test(an_error_is_known_once_a_row_was_out_of_bag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
