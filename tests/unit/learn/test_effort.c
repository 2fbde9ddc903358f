/* What the choice of settings may cost, and what it reports meanwhile.
 * Labels: full */
#include "support/check.h"
#include "support/preview.h"
#include "support/random_data.h"
#include "support/same_bytes.h"

#include "data/dataset.h"

/* What the hooks were told. */
typedef struct {
    size_t pilots, trees, faults; /* faults: calls that do not rise, or in the wrong order */
    double share;
    size_t stop_at; /* pilot trees; 0: never */
    int inside;
} told;

static void hear_choosing(void *payload, size_t pilot_trees, double share) {
    told *t = payload;
    t->faults += t->inside++ || pilot_trees <= t->pilots || t->trees > 0;
    t->faults += !(share >= 0 && share <= 1);
    t->pilots = pilot_trees;
    t->share = share;
    t->inside--;
}

static void hear_trees(void *payload, size_t done, size_t trees) {
    told *t = payload;
    t->faults += t->inside++ || done <= t->trees || done > trees;
    t->trees = done;
    t->inside--;
}

static int stops(void *payload) {
    const told *t = payload;
    return t->stop_at > 0 && t->pilots >= t->stop_at;
}

static sporf_params left_to_the_library(uint32_t trees, sporf_effort effort) {
    sporf_params params;
    sporf_params_init(&params);
    params.trees = trees;
    params.effort = effort;
    params.threads = 1;
    return params;
}

static sporf_status train(const sporf_dataset *data, const sporf_params *params, told *t,
                          double *seconds, sporf_profile *profile, sporf_forest **forest) {
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.payload = t;
    hooks.choosing = hear_choosing;
    hooks.progress = hear_trees;
    hooks.interrupt = stops;
    hooks.search_seconds = seconds;
    hooks.profile = profile;
    return sporf_forest_train(data, params, &hooks, forest);
}

static double rows_times_candidates(const sporf_profile *profile) {
    double sum = 0;
    for (size_t s = 0; s < SPORF_PROFILE_SIZES; s++) sum += (double)profile->row_projections[s];
    return sum;
}

/* ---- what it may cost ------------------------------------------------------------------------ */

/* The work of a training without a search. */
static double work_without(const sporf_dataset *data, const sporf_params *params) {
    sporf_forest *forest = NULL;
    sporf_profile profile;
    told t = {0};
    assert_ok(train(data, params, &t, NULL, &profile, &forest));
    assert_int_equal(t.pilots, 0);
    sporf_forest_free(forest);
    return rows_times_candidates(&profile);
}

/* The work that a search adds, except that of a moment, as a share of the forest's: with the
 * settings chosen, or with the first ones if these cost more, as the search then sees it. */
static double share_of_search(const sporf_dataset *data, uint32_t trees, size_t *pilots) {
    const double moment = 2.5e7;
    sporf_params params = left_to_the_library(trees, SPORF_EFFORT_DEFAULT), recorded;
    sporf_profile profile;
    sporf_forest *chosen = NULL;
    told t = {0};
    double seconds = 0;
    assert_ok(train(data, &params, &t, &seconds, &profile, &chosen));
    assert_int_equal(t.faults, 0);
    assert_int_equal(t.trees, trees);
    assert_int_equal(seconds > 0, t.pilots > 0);
    sporf_params_init(&recorded);
    assert_ok(sporf_forest_params(chosen, &recorded));
    recorded.threads = 1;
    params.effort = SPORF_EFFORT_LOW;
    double forest = work_without(data, &recorded), first = work_without(data, &params);
    double extra = rows_times_candidates(&profile) - forest;
    sporf_forest_free(chosen);
    *pilots = t.pilots;
    return extra <= moment ? 0 : extra / (forest > first ? forest : first);
}

static sporf_dataset *noise_of_many_classes(void) {
    enum { ROWS = 5000, CLASSES = 100 };
    static int64_t labels[ROWS];
    sporf_dataset *data = simulated("trunk", ROWS, 30, 1);
    for (size_t i = 0; i < ROWS; i++) labels[i] = (int64_t)(i * 37 % CLASSES);
    assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
    return data;
}

static void a_search_costs_a_share_of_the_forest(void **state) {
    (void)state;
    sporf_dataset *data = noise_of_many_classes();
    size_t pilots;
    /* A count of steps, which is the same in every build. */
    if (!IS_SANITIZED) {
        assert_true(share_of_search(data, 60, &pilots) <= 0.25);
        assert_true(pilots > 0);
    }
    assert_true(share_of_search(data, 10, &pilots) <= 0.25);
    assert_true(share_of_search(data, 1, &pilots) == 0);
    assert_int_equal(pilots, 0);
    sporf_dataset_free(data);
}

static void so_it_does_for_targets_and_tall_tables(void **state) {
    (void)state;
    sporf_dataset *targets = simulated("friedman1", 2000, 10, 1);
    sporf_dataset *tall = simulated("sparse-parity", 10500, 8, 1);
    size_t pilots;
    assert_true(share_of_search(targets, 100, &pilots) <= 0.25);
    assert_true(pilots > 0);
    assert_true(share_of_search(tall, 30, &pilots) <= 0.25);
    assert_true(pilots > 0);
    sporf_dataset_free(targets);
    sporf_dataset_free(tall);
}

/* ---- low effort ------------------------------------------------------------------------------ */

static void low_effort_grows_no_pilot_trees(void **state) {
    (void)state;
    sporf_dataset *tables[] = {simulated("sparse-parity", 300, 12, 1),
                               simulated("friedman1", 300, 10, 1)};
    for (size_t i = 0; i < 2; i++) {
        sporf_params params = left_to_the_library(20, SPORF_EFFORT_LOW);
        sporf_preview preview = preview_of(tables[i], &params);
        sporf_forest *forest = NULL;
        told t = {0};
        double seconds = 0;
        assert_ok(train(tables[i], &params, &t, &seconds, NULL, &forest));
        assert_int_equal(t.pilots, 0);
        assert_true(seconds == 0);
        assert_false(preview.chooses);
        assert_int_equal(preview.projections, atoi(sporf_forest_setting(forest, "projections")));
        assert_true(preview.nonzeros == atof(sporf_forest_setting(forest, "density")));
        sporf_forest_free(forest);
        sporf_dataset_free(tables[i]);
    }
}

static void its_settings_do_not_depend_on_the_labels(void **state) {
    (void)state;
    enum { ROWS = 200 };
    static const char *const names[] = {"projections", "density", "min-leaf"};
    sporf_dataset *data = simulated("sparse-parity", ROWS, 12, 1);
    sporf_params params = left_to_the_library(10, SPORF_EFFORT_LOW);
    sporf_forest *one = NULL, *other = NULL;
    int64_t labels[ROWS];
    assert_ok(sporf_forest_train(data, &params, NULL, &one));
    for (size_t i = 0; i < ROWS; i++) labels[i] = data->columns[5][i] > 0.2f;
    assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
    assert_ok(sporf_forest_train(data, &params, NULL, &other));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(sporf_forest_setting(one, names[i]),
                            sporf_forest_setting(other, names[i]));
    sporf_forest_free(one);
    sporf_forest_free(other);
    sporf_dataset_free(data);
}

static void effort_does_not_matter_if_nothing_is_left_to_choose(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 100, 5, 2, 1);
    sporf_forest *forests[3] = {NULL};
    for (int effort = SPORF_EFFORT_LOW; effort <= SPORF_EFFORT_HIGH; effort++) {
        sporf_params params = left_to_the_library(20, (sporf_effort)effort);
        assert_ok(sporf_params_set(&params, "projections", "p"));
        assert_false(preview_of(data, &params).chooses);
        assert_ok(sporf_forest_train(data, &params, NULL, &forests[effort]));
        assert_same_bytes(forests[0], forests[effort]);
    }
    for (size_t i = 0; i < 3; i++) sporf_forest_free(forests[i]);
    sporf_dataset_free(data);
}

/* ---- stopping -------------------------------------------------------------------------------- */

static void stopping_the_search_leaves_no_forest(void **state) {
    (void)state;
    sporf_dataset *data = simulated("sparse-parity", 500, 12, 1);
    sporf_params params = left_to_the_library(200, SPORF_EFFORT_DEFAULT);
    for (size_t stop_at = 1; stop_at <= 41; stop_at += 20) {
        told t = {.stop_at = stop_at};
        double seconds = 0;
        sporf_forest *forest = NULL;
        assert_int_equal(train(data, &params, &t, &seconds, NULL, &forest), SPORF_ERROR_CANCELLED);
        assert_null(forest);
        assert_int_equal(t.faults, 0);
        assert_int_equal(t.trees, 0);
        assert_true(t.pilots >= stop_at && t.pilots <= stop_at + 1);
        assert_non_null(strstr(sporf_last_error(), "stopped before settings were chosen"));
    }
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_costs_a_share_of_the_forest),
        cmocka_unit_test(so_it_does_for_targets_and_tall_tables),
        cmocka_unit_test(low_effort_grows_no_pilot_trees),
        cmocka_unit_test(its_settings_do_not_depend_on_the_labels),
        cmocka_unit_test(effort_does_not_matter_if_nothing_is_left_to_choose),
        cmocka_unit_test(stopping_the_search_leaves_no_forest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
