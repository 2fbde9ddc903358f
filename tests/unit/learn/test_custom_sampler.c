/* A user's own sampler: it can do what the built-in ones do, sees what it is promised, and its
 * mistakes are reported without a leak.
 * Labels: threads */
#include "support/check.h"
#include "support/every_forest.h"
#include "support/plain_tree.h"
#include "support/wanted.h"

#include <stdatomic.h>

static sporf_status train_by(const sporf_dataset *data, const sporf_sampler *sampler,
                             uint32_t threads, sporf_forest **forest) {
    sporf_params params = params_with("trees", "6", "seed", "3", (char *)NULL);
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.sampler = sampler;
    params.threads = threads;
    return sporf_forest_train(data, &params, &hooks, forest);
}

/* ---- as good as the built-in ----------------------------------------------------------------- */

enum { CHOSEN = 2, FEATURES = 5 };

/* Breiman's sampler with public means only: the front of a shuffle. */
static sporf_status draw_features(void *payload, void *state, const sporf_view *view,
                                  sporf_random *random, sporf_projections *candidates) {
    (void)payload, (void)state;
    uint32_t cards[FEATURES];
    const float one = 1;
    for (uint32_t i = 0; i < FEATURES; i++) cards[i] = i;
    if (view->features != FEATURES) return SPORF_ERROR_DATA;
    for (uint32_t i = 0; i < CHOSEN; i++) {
        uint32_t other = i + sporf_random_below(random, FEATURES - i), card = cards[other];
        cards[other] = cards[i];
        cards[i] = card;
        sporf_status status = sporf_projections_add(candidates, 1, &cards[i], &one);
        if (status != SPORF_OK) return status;
    }
    return SPORF_OK;
}

static void a_sampler_that_imitates_rf_grows_the_same_trees(void **state) {
    (void)state;
    const sporf_sampler sampler = {.name = "my-rf", .draw = draw_features};
    sporf_dataset *data = random_data(DATA_SMOOTH, 150, FEATURES, 3, 1);
    sporf_forest *rf = train_with(data, "method", "rf", "projections", "2", "trees", "6", "seed",
                                  "3", (char *)NULL);
    for (uint32_t threads = 1; threads <= 3; threads++) {
        sporf_forest *own = NULL;
        assert_ok(train_by(data, &sampler, threads, &own));
        for (size_t t = 0; t < 6; t++)
            assert_true(same_tree(plain_tree(rf, t), plain_tree(own, t)));
        assert_memory_equal(rf->oob_curve, own->oob_curve, 6 * sizeof *rf->oob_curve);
        sporf_forest_free(own);
    }
    sporf_forest_free(rf);
    sporf_dataset_free(data);
}

/* The same on a basis that is the features themselves, in reverse and with other lengths. */
static sporf_status reverse_features(void *payload, const sporf_view *view, sporf_random *random,
                                     sporf_projections *basis, void **state) {
    (void)payload, (void)random, (void)state;
    for (uint32_t i = 0; i < view->features; i++) {
        uint32_t feature = (uint32_t)view->features - 1 - i;
        float weight = -2;
        sporf_status status = sporf_projections_add(basis, 1, &feature, &weight);
        if (status != SPORF_OK) return status;
    }
    return SPORF_OK;
}

static sporf_dataset *reversed(const sporf_dataset *data) {
    size_t rows = sporf_dataset_rows(data);
    float *values = need(rows * FEATURES, sizeof *values);
    int64_t *labels = need(rows, sizeof *labels);
    for (size_t i = 0; i < rows; i++) labels[i] = sporf_dataset_labels(data)[i];
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < FEATURES; j++)
            values[i * FEATURES + j] = sporf_dataset_feature(data, FEATURES - 1 - j)[i];
    sporf_matrix matrix = {values, SPORF_FLOAT32, rows, FEATURES, FEATURES, 1};
    sporf_dataset *copy = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &copy));
    assert_ok(sporf_dataset_set_labels_int(copy, labels, rows));
    free(values);
    free(labels);
    return copy;
}

static void a_basis_of_the_features_in_reverse_is_the_table_in_reverse(void **state) {
    (void)state;
    const sporf_sampler plain = {.name = "plain", .draw = draw_features};
    const sporf_sampler on_basis = {
        .name = "basis", .prepare = reverse_features, .draw = draw_features};
    sporf_dataset *data = random_data(DATA_SMOOTH, 150, FEATURES, 3, 1), *turned = reversed(data);
    sporf_forest *a = NULL, *b = NULL;
    assert_ok(train_by(turned, &plain, 1, &a));
    assert_ok(train_by(data, &on_basis, 1, &b));
    for (size_t t = 0; t < 6; t++) {
        assert_int_equal(plain_tree(a, t)->nodes_count, plain_tree(b, t)->nodes_count);
        for (uint32_t i = 0; i < plain_tree(a, t)->nodes_count; i++)
            assert_true(plain_tree(a, t)->nodes[i].threshold ==
                            plain_tree(b, t)->nodes[i].threshold &&
                        plain_tree(a, t)->nodes[i].right == plain_tree(b, t)->nodes[i].right);
    }
    double of_a[450], of_b[450];
    assert_ok(sporf_forest_predict(a, turned, NULL, WANTED(.probabilities = of_a)));
    assert_ok(sporf_forest_predict(b, data, NULL, WANTED(.probabilities = of_b)));
    assert_memory_equal(of_a, of_b, sizeof of_a);
    sporf_forest_free(a);
    sporf_forest_free(b);
    sporf_dataset_free(data);
    sporf_dataset_free(turned);
}

/* Differences of all pairs: more directions than features, in scaled units made raw already. */
static sporf_status all_differences(void *payload, const sporf_view *view, sporf_random *random,
                                    sporf_projections *basis, void **state) {
    (void)payload, (void)random, (void)state;
    const float weights[] = {1, -1};
    for (uint32_t i = 0; i < view->features; i++)
        for (uint32_t j = i + 1; j < view->features; j++) {
            const uint32_t pair[] = {i, j};
            sporf_status status = sporf_projections_add(basis, 2, pair, weights);
            if (status != SPORF_OK) return status;
        }
    return SPORF_OK;
}

static sporf_status draw_all(void *payload, void *state, const sporf_view *view,
                             sporf_random *random, sporf_projections *candidates) {
    (void)state, (void)random;
    const float one = 1;
    if (view->features != FEATURES * (FEATURES - 1) / 2 || view->scale) ++*(atomic_int *)payload;
    for (uint32_t i = 0; i < view->features; i++) {
        sporf_status status = sporf_projections_add(candidates, 1, &i, &one);
        if (status != SPORF_OK) return status;
    }
    return SPORF_OK;
}

static void a_basis_may_have_more_directions_than_features(void **state) {
    (void)state;
    atomic_int faults = 0;
    const sporf_sampler sampler = {
        .name = "pairs", .payload = &faults, .prepare = all_differences, .draw = draw_all};
    sporf_dataset *data = random_data(DATA_SMOOTH, 150, FEATURES, 3, 1);
    sporf_params params = params_with("trees", "3", "scale", "sd", "bag", "none", (char *)NULL);
    sporf_hooks hooks;
    sporf_forest *forest = NULL;
    uint32_t classes[150];
    sporf_hooks_init(&hooks);
    hooks.sampler = &sampler;
    assert_ok(sporf_forest_train(data, &params, &hooks, &forest));
    assert_int_equal(faults, 0);
    assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.classes = classes)));
    assert_memory_equal(classes, sporf_dataset_labels(data), sizeof classes);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- what it sees ---------------------------------------------------------------------------- */

typedef struct {
    const sporf_dataset *data;
    atomic_int prepared, drawn, finished, open, faults;
} observer;

static int view_is_right(const observer *o, const sporf_view *view) {
    uint64_t weight = 0;
    int right = view->features == sporf_dataset_features(o->data) &&
                view->classes == sporf_dataset_classes(o->data) && view->rows > 0 && view->tree < 6;
    for (size_t j = 0; j < view->features; j++)
        right &= view->columns[j] == sporf_dataset_feature(o->data, j);
    for (size_t i = 0; i < view->rows; i++) {
        right &= view->row[i] < sporf_dataset_rows(o->data) && view->weight[i] > 0;
        right &= view->label[i] == sporf_dataset_labels(o->data)[view->row[i]];
        weight += view->weight[i];
    }
    if (view->depth == 0) right &= weight == sporf_dataset_rows(o->data);
    return right;
}

static sporf_status observe_prepare(void *payload, const sporf_view *view, sporf_random *random,
                                    sporf_projections *basis, void **state) {
    (void)random, (void)basis;
    observer *o = payload;
    if (!view_is_right(o, view) || view->depth != 0) o->faults++;
    o->prepared++;
    o->open++;
    *state = malloc(1);
    return SPORF_OK;
}

static sporf_status observe_draw(void *payload, void *state, const sporf_view *view,
                                 sporf_random *random, sporf_projections *candidates) {
    observer *o = payload;
    if (!view_is_right(o, view) || !state || view->rows < 2) o->faults++;
    o->drawn++;
    return draw_features(NULL, NULL, view, random, candidates);
}

static void observe_finish(void *payload, void *state) {
    observer *o = payload;
    o->finished++;
    o->open--;
    free(state);
}

static void a_sampler_sees_the_rows_of_its_node(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 150, FEATURES, 3, 1);
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        observer o = {.data = data};
        const sporf_sampler sampler = {.name = "observer",
                                       .payload = &o,
                                       .prepare = observe_prepare,
                                       .draw = observe_draw,
                                       .finish = observe_finish};
        sporf_forest *forest = NULL;
        size_t splits = 0;
        assert_ok(train_by(data, &sampler, threads, &forest));
        for (size_t t = 0; t < 6; t++)
            splits += plain_tree(forest, t)->nodes_count - plain_tree(forest, t)->leaves_count;
        assert_int_equal(o.faults, 0);
        assert_int_equal(o.prepared, 6);
        assert_int_equal(o.finished, 6);
        assert_int_equal(o.open, 0);
        assert_true((size_t)o.drawn >= splits && o.drawn > 50);
        sporf_forest_free(forest);
    }
    sporf_dataset_free(data);
}

/* Weights count in scaled units: equal ones weigh a feature by its factor. */
static sporf_status draw_sum(void *payload, void *state, const sporf_view *view,
                             sporf_random *random, sporf_projections *candidates) {
    (void)state, (void)random;
    const uint32_t features[] = {0, 1};
    const float ones[] = {1, 1};
    if (view->scale) memcpy(payload, view->scale, 2 * sizeof(float));
    return sporf_projections_add(candidates, 2, features, ones);
}

static void weights_are_in_scaled_units(void **state) {
    (void)state;
    float scale[2] = {0};
    const sporf_sampler sampler = {.name = "sum", .payload = scale, .draw = draw_sum};
    sporf_dataset *data = random_data(DATA_SMOOTH, 150, FEATURES, 2, 1);
    sporf_params params = params_with("trees", "1", "scale", "range", "threads", "1", (char *)NULL);
    sporf_hooks hooks;
    sporf_forest *forest = NULL;
    sporf_node root;
    sporf_hooks_init(&hooks);
    hooks.sampler = &sampler;
    assert_ok(sporf_forest_train(data, &params, &hooks, &forest));
    assert_ok(sporf_forest_node(forest, 0, 0, &root));
    assert_int_equal(root.terms, 2);
    assert_true(scale[0] > 0 && scale[1] > 0 && scale[0] != scale[1]);
    assert_near(root.weights[0] / root.weights[1], scale[0] / scale[1], 1e-6);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void a_forest_names_its_sampler(void **state) {
    (void)state;
    const sporf_sampler named = {.name = "walnut", .draw = draw_features},
                        unnamed = {.draw = draw_features};
    sporf_dataset *data = random_data(DATA_SMOOTH, 50, FEATURES, 2, 1);
    for (int i = 0; i < 2; i++) {
        sporf_forest *forest = NULL;
        assert_ok(train_by(data, i == 0 ? &named : &unnamed, 1, &forest));
        const char *value;
        assert_string_equal(sporf_forest_setting_at(forest, 0, &value), "sampler");
        assert_string_equal(value, i == 0 ? "walnut" : "custom");
        assert_null(sporf_forest_setting(forest, "method"));
        sporf_forest_free(forest);
    }
    sporf_dataset_free(data);
}

/* ---- mistakes -------------------------------------------------------------------------------- */

typedef enum {
    OUT_OF_RANGE,
    REPEATED,
    NOT_FINITE,
    OWN_ERROR,
    ODD_STATUS,
    PREPARE_FAILS,
    BASIS_AND_PAIRS,
    BASIS_BEYOND,
    NOTHING,
    MISTAKES
} mistake;

typedef struct {
    mistake kind;
    atomic_int open;
} culprit;

static sporf_status prepare_badly(void *payload, const sporf_view *view, sporf_random *random,
                                  sporf_projections *basis, void **state) {
    culprit *c = payload;
    if (c->kind == PREPARE_FAILS && view->tree == 2) return SPORF_ERROR_IO;
    c->open++;
    *state = malloc(16);
    return c->kind == BASIS_AND_PAIRS || c->kind == BASIS_BEYOND
               ? reverse_features(NULL, view, random, basis, state)
               : SPORF_OK;
}

static sporf_status draw_badly(void *payload, void *state, const sporf_view *view,
                               sporf_random *random, sporf_projections *candidates) {
    culprit *c = payload;
    const uint32_t beyond[] = {0, FEATURES}, twice[] = {1, 1}, pair[] = {0, 1};
    const float ones[] = {1, 1}, nan[] = {1, NAN};
    if (c->kind == NOTHING) return SPORF_OK;
    if (view->tree < 2) return draw_features(NULL, state, view, random, candidates);
    switch (c->kind) {
    case OUT_OF_RANGE:
        return sporf_projections_add(candidates, 2, beyond, ones);
    case REPEATED:
        return sporf_projections_add(candidates, 2, twice, ones);
    case NOT_FINITE:
        return sporf_projections_add(candidates, 2, pair, nan);
    case OWN_ERROR:
        return SPORF_ERROR_DATA;
    case ODD_STATUS:
        return (sporf_status)77;
    case BASIS_AND_PAIRS:
        return sporf_projections_add(candidates, 2, pair, ones);
    case BASIS_BEYOND:
        return sporf_projections_add(candidates, 1, &beyond[1], ones);
    default:
        return draw_features(NULL, state, view, random, candidates);
    }
}

static void finish_badly(void *payload, void *state) {
    culprit *c = payload;
    c->open--;
    free(state);
}

static void mistakes_of_a_sampler_are_reported(void **state) {
    (void)state;
    static const struct {
        int status;
        const char *words;
    } wanted[MISTAKES] = {
        [OUT_OF_RANGE] = {SPORF_ERROR_ARGUMENT, "feature 5"},
        [REPEATED] = {SPORF_ERROR_ARGUMENT, "twice"},
        [NOT_FINITE] = {SPORF_ERROR_ARGUMENT, "not finite"},
        [OWN_ERROR] = {SPORF_ERROR_DATA, "'culprit' failed with status 2"},
        [ODD_STATUS] = {77, "'culprit' failed with status 77"},
        [PREPARE_FAILS] = {SPORF_ERROR_IO, "'culprit' failed with status 4"},
        [BASIS_AND_PAIRS] = {SPORF_ERROR_ARGUMENT, "'culprit' made a basis"},
        [BASIS_BEYOND] = {SPORF_ERROR_ARGUMENT, "feature 5"},
    };
    sporf_dataset *data = random_data(DATA_SMOOTH, 150, FEATURES, 3, 1);
    for (mistake kind = 0; kind < NOTHING; kind++)
        for (uint32_t threads = 1; threads <= 4; threads += 3) {
            culprit c = {.kind = kind};
            const sporf_sampler sampler = {.name = "culprit",
                                           .payload = &c,
                                           .prepare = prepare_badly,
                                           .draw = draw_badly,
                                           .finish = finish_badly};
            sporf_forest *forest = NULL;
            assert_refused(train_by(data, &sampler, threads, &forest),
                           (sporf_status)wanted[kind].status, wanted[kind].words);
            assert_null(forest);
            assert_int_equal(c.open, 0);
        }
    sporf_dataset_free(data);
}

static void a_sampler_that_offers_nothing_grows_single_leaves(void **state) {
    (void)state;
    culprit c = {.kind = NOTHING};
    const sporf_sampler sampler = {.name = "nothing",
                                   .payload = &c,
                                   .prepare = prepare_badly,
                                   .draw = draw_badly,
                                   .finish = finish_badly};
    sporf_dataset *data = random_data(DATA_SMOOTH, 150, FEATURES, 3, 1);
    sporf_forest *forest = NULL;
    assert_ok(train_by(data, &sampler, 2, &forest));
    for (size_t t = 0; t < 6; t++) assert_int_equal(sporf_forest_nodes(forest, t), 1);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void a_sampler_must_draw(void **state) {
    (void)state;
    const sporf_sampler sampler = {.name = "idle"};
    sporf_dataset *data = random_data(DATA_SMOOTH, 20, FEATURES, 2, 1);
    sporf_forest *forest = NULL;
    assert_refused(train_by(data, &sampler, 1, &forest), SPORF_ERROR_ARGUMENT, "draw");
    sporf_dataset_free(data);
}

/* ---- traits ---------------------------------------------------------------------------------- */

typedef struct {
    atomic_int columns; /* in some node the sampler could look at the data */
} seen;

static sporf_status draw_and_look(void *payload, void *state, const sporf_view *view,
                                  sporf_random *random, sporf_projections *candidates) {
    seen *s = payload;
    if (view->columns) atomic_store(&s->columns, 1);
    return draw_features(payload, state, view, random, candidates);
}

/* Copies of bytes have no columns of floats to look at. */
static void rows_are_copied_for_samplers_that_ignore_them(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_BYTES, 60000, FEATURES, 2, 1);
    for (int known = 0; known < 2; known++) {
        seen s = {0};
        const sporf_sampler sampler = {
            .name = "blind",
            .payload = &s,
            .draw = draw_and_look,
            .traits = {.struct_size = known ? sizeof(sporf_traits) : 0, .ignores_rows = 1}};
        sporf_forest *forest = NULL;
        assert_ok(train_by(data, &sampler, 2, &forest));
        assert_int_equal(s.columns, !known);
        sporf_forest_free(forest);
    }
    sporf_dataset_free(data);
}

static void traits_that_do_not_fit_are_refused(void **state) {
    (void)state;
    sporf_dataset *numbers = random_data(DATA_SMOOTH, 50, FEATURES, 2, 1);
    sporf_dataset *typed = random_data(DATA_MIXED, 50, FEATURES, 2, 1);
    sporf_sampler sampler = {.name = "mine", .draw = draw_features};
    sporf_forest *forest = NULL;
    sampler.traits = (sporf_traits){.struct_size = sizeof(sporf_traits) + 8};
    assert_refused(train_by(numbers, &sampler, 1, &forest), SPORF_ERROR_ARGUMENT, "struct_size");
    sampler.traits = (sporf_traits){.struct_size = sizeof(sporf_traits), .draws_slots = 1};
    assert_refused(train_by(numbers, &sampler, 1, &forest), SPORF_ERROR_ARGUMENT, "ignores_rows");
    sampler.traits = (sporf_traits){.struct_size = sizeof(sporf_traits), .needs_numbers = 1};
    assert_refused(train_by(typed, &sampler, 1, &forest), SPORF_ERROR_DATA, "mine needs numbers");
    sampler.traits = (sporf_traits){.struct_size = sizeof(sporf_traits), .ignores_rows = 1};
    sampler.prepare = reverse_features;
    assert_refused(train_by(numbers, &sampler, 1, &forest), SPORF_ERROR_ARGUMENT, "makes_basis");
    sporf_dataset_free(numbers);
    sporf_dataset_free(typed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sampler_that_imitates_rf_grows_the_same_trees),
        cmocka_unit_test(a_basis_of_the_features_in_reverse_is_the_table_in_reverse),
        cmocka_unit_test(a_basis_may_have_more_directions_than_features),
        cmocka_unit_test(a_sampler_sees_the_rows_of_its_node),
        cmocka_unit_test(weights_are_in_scaled_units),
        cmocka_unit_test(a_forest_names_its_sampler),
        cmocka_unit_test(mistakes_of_a_sampler_are_reported),
        cmocka_unit_test(a_sampler_that_offers_nothing_grows_single_leaves),
        cmocka_unit_test(a_sampler_must_draw),
        cmocka_unit_test(rows_are_copied_for_samplers_that_ignore_them),
        cmocka_unit_test(traits_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
