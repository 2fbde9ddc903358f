/* What samplers mean for boosting: each method's sums become candidates, a user's too, and those
 * that look at the rows of a node are refused. */
#include "data/dataset.h"

#include "support/check.h"
#include "support/random_data.h"

enum { ROWS = 300, FEATURES = 6 };

static sporf_params short_params(const char *method) {
    return params_with("learner", "boosting", "rounds", "8", "max-depth", "3", "threads", "2",
                       "valid", "0", "method", method, (char *)NULL);
}

/* A target to which all numbers add alike. */
static sporf_dataset *summed(data_kind kind) {
    sporf_dataset *data = random_data(kind, ROWS, FEATURES, 2, 1);
    float sums[ROWS] = {0};
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < FEATURES; j += kind == DATA_MIXED ? 2 : 1)
            if (!isnan(data->columns[j][i])) sums[i] += data->columns[j][i] / (float)(1 + j % 3);
    set_targets(data, sums, 1);
    return data;
}

/* Terms of the widest split of a model. */
static size_t most_terms(const sporf_forest *forest) {
    size_t most = 0;
    for (size_t t = 0; t < sporf_forest_trees(forest); t++)
        for (size_t n = 0; n < sporf_forest_nodes(forest, t); n++) {
            sporf_node node;
            assert_ok(sporf_forest_node(forest, t, n, &node));
            if (!node.is_leaf && node.terms > most) most = node.terms;
        }
    return most;
}

static size_t terms_of(const sporf_dataset *data, const char *method, const sporf_sampler *own) {
    sporf_params params = short_params(method);
    sporf_hooks hooks;
    sporf_forest *forest = NULL;
    sporf_hooks_init(&hooks);
    hooks.sampler = own;
    assert_ok(sporf_forest_train(data, &params, &hooks, &forest));
    size_t terms = most_terms(forest);
    sporf_forest_free(forest);
    return terms;
}

static void methods_that_add_features_boost_with_sums(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "frc", "rr-rf", "patch"};
    sporf_dataset *data = summed(DATA_SMOOTH);
    for (size_t m = 0; m < 4; m++)
        if (terms_of(data, methods[m], NULL) < 2) fail_msg("%s splits by no sum", methods[m]);
    assert_int_equal(terms_of(data, "rf", NULL), 1);
    sporf_dataset_free(data);
}

static void a_method_that_looks_at_rows_is_refused(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, FEATURES, 3, 1);
    sporf_params params = short_params("ccf");
    sporf_forest *forest = NULL;
    assert_refused(sporf_forest_train(data, &params, NULL, &forest), SPORF_ERROR_ARGUMENT,
                   "ccf looks at the rows of each node");
    assert_null(forest);
    sporf_dataset_free(data);
}

/* ---- a user's sampler ------------------------------------------------------------------------ */

/* Adds more sums in each round than in the one before. */
static sporf_status draw_pairs(void *payload, void *state, const sporf_view *view,
                               sporf_random *random, sporf_projections *candidates) {
    (void)payload, (void)state, (void)random;
    static const float weights[2] = {1, 0.5f};
    for (uint32_t j = 0; j < 1 + 20 * (uint32_t)view->tree; j++) {
        const uint32_t features[2] = {j % FEATURES, (j + 1 + j / FEATURES % 2) % FEATURES};
        sporf_status status = sporf_projections_add(candidates, 2, features, weights);
        if (status != SPORF_OK) return status;
    }
    return SPORF_OK;
}

static sporf_status make_basis(void *payload, const sporf_view *view, sporf_random *random,
                               sporf_projections *basis, void **state) {
    (void)payload, (void)view, (void)random, (void)state;
    static const uint32_t features[3] = {0, 1, 4};
    static const float weights[3] = {1, 0.1f, 0.5f};
    return sporf_projections_add(basis, 3, features, weights);
}

static sporf_status draw_direction(void *payload, void *state, const sporf_view *view,
                                   sporf_random *random, sporf_projections *candidates) {
    (void)payload, (void)state, (void)view, (void)random;
    static const uint32_t first = 0;
    static const float weight = 1;
    return sporf_projections_add(candidates, 1, &first, &weight);
}

static sporf_sampler sampler_of(int basis, int ignores_rows) {
    return (sporf_sampler){.name = "own",
                           .prepare = basis ? make_basis : NULL,
                           .draw = basis ? draw_direction : draw_pairs,
                           .traits = {.struct_size = sizeof(sporf_traits),
                                      .ignores_rows = ignores_rows,
                                      .mixes_features = 1}};
}

/* Whether or not they say that they make a basis, on numbers and on categories. */
static void sums_of_a_sampler_of_ones_own_are_candidates(void **state) {
    (void)state;
    static const data_kind kinds[] = {DATA_SMOOTH, DATA_MIXED};
    for (size_t k = 0; k < 2; k++) {
        sporf_dataset *data = summed(kinds[k]);
        sporf_sampler own = sampler_of(0, 1), basis = sampler_of(1, 1);
        assert_int_equal(terms_of(data, "sporf", &own), 2);
        assert_int_equal(terms_of(data, "sporf", &basis), 3);
        basis.traits.makes_basis = 1;
        assert_int_equal(terms_of(data, "sporf", &basis), 3);
        sporf_dataset_free(data);
    }
}

static void a_sampler_that_may_look_at_rows_is_refused(void **state) {
    (void)state;
    sporf_dataset *data = summed(DATA_SMOOTH);
    for (int basis = 0; basis < 2; basis++) {
        sporf_sampler own = sampler_of(basis, 0);
        sporf_params params = short_params("sporf");
        sporf_hooks hooks;
        sporf_forest *forest = NULL;
        sporf_hooks_init(&hooks);
        hooks.sampler = &own;
        assert_refused(sporf_forest_train(data, &params, &hooks, &forest), SPORF_ERROR_ARGUMENT,
                       "own looks at the rows of each node");
    }
    sporf_dataset_free(data);
}

static sporf_status fail_to_draw(void *payload, void *state, const sporf_view *view,
                                 sporf_random *random, sporf_projections *candidates) {
    (void)payload, (void)state, (void)random, (void)candidates;
    return view->tree < 2 ? SPORF_OK : SPORF_ERROR_DATA;
}

static void a_sampler_that_fails_is_named(void **state) {
    (void)state;
    sporf_dataset *data = summed(DATA_SMOOTH);
    sporf_sampler own = sampler_of(0, 1);
    sporf_params params = short_params("sporf");
    sporf_hooks hooks;
    sporf_forest *forest = NULL;
    sporf_hooks_init(&hooks);
    own.draw = fail_to_draw;
    hooks.sampler = &own;
    assert_refused(sporf_forest_train(data, &params, &hooks, &forest), SPORF_ERROR_DATA,
                   "the sampler 'own' failed with status 2");
    assert_null(forest);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_that_add_features_boost_with_sums),
        cmocka_unit_test(a_method_that_looks_at_rows_is_refused),
        cmocka_unit_test(sums_of_a_sampler_of_ones_own_are_candidates),
        cmocka_unit_test(a_sampler_that_may_look_at_rows_is_refused),
        cmocka_unit_test(a_sampler_that_fails_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
