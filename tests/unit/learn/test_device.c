/* A device in the place of the threads, played by the grower of the CPU: whatever it does not grow,
 * threads do, and nobody can tell from the forest.
 * Labels: threads */
#include "api/api_train.h"
#include "gpu/gpu.h"
#include "io/model_file.h"
#include "learn/device.h"
#include "learn/growing/layout.h"
#include "learn/settings/auto_settings.h"
#include "learn/settings/start_plan.h"
#include "learn/train.h"

#include "support/check.h"
#include "support/random_data.h"
#include "support/same_bytes.h"
#include "support/watch.h"

enum { TREES = 7, ROWS = 150, TREES_MAX = 2000 };

/* ---- the device ------------------------------------------------------------------------------ */

/* What it is to do, and what it was asked. */
static struct {
    const char *lack;
    int faster;
    uint32_t grows;      /* trees until it fails; UINT32_MAX: it never does */
    uint32_t step;       /* every step-th tree comes first */
    uint32_t together;   /* trees that it hands over at once, if their numbers are consecutive */
    int sorts;           /* out-of-bag rows are ascending, unlike those of threads */
    sporf_status status; /* of the failure */
    unsigned calls;
    uint32_t first, count;
} fake;

static const char *fake_lacks(const spf_settings *settings) {
    (void)settings;
    return fake.lack;
}

static int fake_is_faster(const spf_settings *settings, unsigned threads) {
    (void)settings;
    assert_true(threads > 0);
    return fake.faster;
}

typedef struct {
    const spf_device_work *work;
    spf_growth growth;
    uint32_t trees[TREES_MAX];
    spf_growing *growing[TREES_MAX];
    spf_grown waiting[TREES_MAX]; /* to be handed over */
    uint32_t first, count;        /* of these */
} fake_run;

static void hand_over(fake_run *run) {
    if (run->count > 0) run->work->done(run->work->context, run->first, run->waiting, run->count);
    run->count = 0;
}

/* Puts the out-of-bag rows in ascending order, as those of a GPU are. */
static void sort_rows(spf_grown *grown, size_t rows) {
    uint32_t *leaf_of = need(rows, sizeof *leaf_of);
    size_t count = 0;
    for (size_t i = 0; i < rows; i++) leaf_of[i] = UINT32_MAX;
    for (size_t i = 0; i < grown->oob_count; i++) leaf_of[grown->oob_row[i]] = grown->oob_leaf[i];
    for (size_t i = 0; i < rows; i++) {
        if (leaf_of[i] == UINT32_MAX) continue;
        grown->oob_row[count] = (uint32_t)i;
        grown->oob_leaf[count++] = leaf_of[i];
    }
    free(leaf_of);
}

static void take_tree(void *context, uint32_t tree, spf_grown *grown) {
    fake_run *run = context;
    if (fake.sorts) sort_rows(grown, run->work->plan->data->rows);
    if (tree != run->first + run->count) hand_over(run);
    if (run->count == 0) run->first = tree;
    run->waiting[run->count++] = *grown;
    if (run->count == fake.together) hand_over(run);
}

static sporf_status start_tree(void *context, size_t seed, spf_pool *pool, unsigned worker) {
    fake_run *run = context;
    return spf_grow(&run->growth, run->trees[seed], pool, worker, &run->growing[seed]);
}

/* Every step-th tree first, then the others. */
static void order_trees(const spf_device_work *work, fake_run *run) {
    uint32_t at = 0;
    for (uint32_t start = 0; start < fake.step; start++)
        for (uint32_t i = start; i < work->count; i += fake.step)
            run->trees[at++] = work->first + i;
}

static sporf_status fake_grow(const spf_device_work *work) {
    spf_plan plan = *work->plan;
    spf_workspace workspace = {0};
    static fake_run run;
    run = (fake_run){
        .work = work,
        .growth = {.plan = &plan, .workspaces = &workspace, .done = take_tree, .context = &run}};
    uint32_t count = work->count < fake.grows ? work->count : fake.grows;
    assert_in_range(work->count, 1, TREES_MAX);
    assert_true(plan.by_row.rows == 0); /* no copies were made for threads */
    fake.calls++;
    fake.first = work->first;
    fake.count = work->count;
    order_trees(work, &run);
    spf_layout_choose(&plan, spf_terms_of_node(work->settings), count, 1, 0);
    assert_ok(spf_workspace_create(&plan, &workspace));
    sporf_status status = spf_pool_run(count, 1, start_tree, &run);
    for (uint32_t i = 0; i < count; i++) spf_growing_free(run.growing[i]);
    spf_workspace_free(&workspace);
    hand_over(&run);
    if (status != SPORF_OK || fake.grows == UINT32_MAX) return status;
    return spf_raise(fake.status, "the memory of the device is full");
}

static const spf_device device = {fake_lacks, fake_is_faster, fake_grow};

static void set_device(uint32_t grows, uint32_t step) {
    memset(&fake, 0, sizeof fake);
    fake.faster = 1;
    fake.grows = grows;
    fake.step = step;
    fake.together = 1;
    fake.status = SPORF_ERROR_DEVICE;
}

/* ---- trainings ------------------------------------------------------------------------------- */

static struct {
    unsigned count;
    char last[400];
} notes;

static void take_note(void *payload, const char *text) {
    (void)payload;
    notes.count++;
    snprintf(notes.last, sizeof notes.last, "%s", text);
}

static void expect_note(const char *words) {
    assert_int_equal(notes.count, 1);
    if (!strstr(notes.last, words)) fail_msg("\"%s\" is without \"%s\"", notes.last, words);
}

/* Trains as sporf_forest_train does, but with the device, or without for NULL. */
static sporf_status train(const sporf_dataset *data, const sporf_params *params, sporf_hooks *hooks,
                          const spf_device *with, const sporf_forest *given, sporf_forest **out) {
    spf_settings settings;
    memset(&notes, 0, sizeof notes);
    hooks->note = take_note;
    assert_ok(spf_settings_create(data, params, NULL, &settings));
    settings.device = with;
    sporf_status status = spf_auto_serves(&settings, params)
                              ? spf_auto_train(&settings, params, hooks, spf_train_packed, out)
                              : spf_train_packed(&settings, hooks, given, out);
    spf_settings_free(&settings);
    return status;
}

static sporf_forest *trained(const sporf_dataset *data, const sporf_params *params,
                             const spf_device *with, const sporf_forest *given) {
    sporf_forest *forest = NULL;
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    assert_ok(train(data, params, &hooks, with, given, &forest));
    return forest;
}

static void expect_same(const sporf_dataset *data, const sporf_params *params,
                        const sporf_forest *wanted) {
    sporf_forest *forest = trained(data, params, &device, NULL);
    assert_same_bytes(forest, wanted);
    assert_same_oob(forest, wanted);
    sporf_forest_free(forest);
}

/* ---- laws ------------------------------------------------------------------------------------ */

/* Fails after each number of trees, in order and out of order. */
static void check_every_failure(const sporf_dataset *data, sporf_params params) {
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        params.threads = threads;
        sporf_forest *wanted = trained(data, &params, NULL, NULL);
        assert_int_equal(notes.count, 0);
        for (uint32_t grows = 0; grows <= TREES; grows++)
            for (uint32_t step = 1; step <= 3; step++) {
                set_device(grows, step);
                expect_same(data, &params, wanted);
                assert_int_equal(fake.calls, 1);
                expect_note("the memory of the device is full");
            }
        set_device(UINT32_MAX, 2);
        expect_same(data, &params, wanted);
        assert_int_equal(notes.count, 0);
        sporf_forest_free(wanted);
    }
}

/* Hands over one tree, some or all at once. */
static void check_every_group(const sporf_dataset *data, sporf_params params) {
    params.threads = 1;
    sporf_forest *wanted = trained(data, &params, NULL, NULL);
    for (params.threads = 1; params.threads <= 3; params.threads++)
        for (uint32_t together = 1; together <= TREES; together += 2)
            for (int sorts = 0; sorts < 2; sorts++) {
                set_device(together == 5 ? 6 : UINT32_MAX, 1 + together % 2);
                fake.together = together;
                fake.sorts = sorts;
                expect_same(data, &params, wanted);
            }
    sporf_forest_free(wanted);
}

static void it_does_not_matter_how_many_trees_come_at_once(void **state) {
    (void)state;
    sporf_dataset *classes = random_data(DATA_SMOOTH, ROWS, 6, 3, 1);
    sporf_dataset *weighted = random_data(DATA_SMOOTH, ROWS, 6, 12, 2);
    sporf_dataset *many = random_data(DATA_SMOOTH, 20000, 3, 2, 3);
    sporf_dataset *numbers = with_targets(DATA_MIXED, ROWS, 6, 2, 4);
    weigh_rows(weighted, 0.5);
    check_every_group(classes, params_with("trees", "7", (char *)NULL));
    check_every_group(classes, params_with("trees", "7", "bag", "none", (char *)NULL));
    check_every_group(weighted, params_with("trees", "7", (char *)NULL));
    check_every_group(many, params_with("trees", "7", "max-depth", "6", (char *)NULL));
    check_every_group(numbers, params_with("trees", "7", (char *)NULL));
    sporf_dataset_free(classes);
    sporf_dataset_free(weighted);
    sporf_dataset_free(many);
    sporf_dataset_free(numbers);
}

/* Trees beyond those that are enough are forgotten, and progress counts one by one. */
static void a_forest_is_judged_within_a_group(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 6, 3, 6);
    sporf_params params = params_with("trees", "auto", "threads", "2", (char *)NULL);
    sporf_forest *wanted = trained(data, &params, NULL, NULL);
    assert_string_equal(sporf_forest_stopped(wanted), "enough");
    for (uint32_t together = 1; together <= 64; together += 21) {
        watch w = watch_always();
        sporf_hooks hooks = watch_hooks(&w);
        sporf_forest *forest = NULL;
        set_device(UINT32_MAX, 1);
        fake.together = together;
        fake.sorts = 1;
        assert_ok(train(data, &params, &hooks, &device, NULL, &forest));
        assert_same_bytes(forest, wanted);
        assert_same_oob(forest, wanted);
        assert_int_equal(w.calls, sporf_forest_trees(wanted));
        assert_int_equal(w.faults, 0);
        sporf_forest_free(forest);
    }
    sporf_forest_free(wanted);
    sporf_dataset_free(data);
}

static void threads_grow_what_a_device_leaves(void **state) {
    (void)state;
    sporf_dataset *classes = random_data(DATA_SMOOTH, ROWS, 6, 3, 1);
    sporf_dataset *bytes = random_data(DATA_BYTES, ROWS, 6, 2, 2);
    sporf_dataset *mixed = random_data(DATA_MIXED, ROWS, 6, 3, 3);
    sporf_dataset *numbers = with_targets(DATA_MIXED, ROWS, 6, 2, 4);
    check_every_failure(classes, params_with("trees", "7", (char *)NULL));
    check_every_failure(classes, params_with("trees", "7", "bag", "none", (char *)NULL));
    check_every_failure(bytes, params_with("trees", "7", "criterion", "entropy", (char *)NULL));
    check_every_failure(mixed, params_with("trees", "7", "device", "gpu", (char *)NULL));
    check_every_failure(numbers, params_with("trees", "7", "method", "rf", (char *)NULL));
    sporf_dataset_free(classes);
    sporf_dataset_free(bytes);
    sporf_dataset_free(mixed);
    sporf_dataset_free(numbers);
}

/* Of a failure that is not the device's, there is no forest. */
static void other_failures_end_the_training(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 1);
    sporf_params params = params_with("trees", "7", (char *)NULL);
    sporf_forest *forest = NULL;
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    set_device(3, 1);
    fake.status = SPORF_ERROR_MEMORY;
    assert_refused(train(data, &params, &hooks, &device, NULL, &forest), SPORF_ERROR_MEMORY,
                   "memory of the device");
    assert_null(forest);
    assert_int_equal(notes.count, 0);
    sporf_dataset_free(data);
}

static void a_device_that_lacks_something_is_not_used(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 1);
    sporf_params params = params_with("trees", "7", "device", "gpu", (char *)NULL);
    sporf_forest *wanted = trained(data, &params, NULL, NULL);
    set_device(UINT32_MAX, 1);
    fake.lack = "sub-samples by class";
    expect_same(data, &params, wanted);
    assert_int_equal(fake.calls, 0);
    expect_note("the GPU does not support sub-samples by class; the CPU grows this forest");
    params.device = SPORF_DEVICE_AUTO;
    expect_same(data, &params, wanted);
    assert_int_equal(fake.calls, 0);
    assert_int_equal(notes.count, 0);
    sporf_forest_free(wanted);
    sporf_dataset_free(data);
}

static void auto_takes_a_device_that_is_faster(void **state) {
    (void)state;
    static const struct {
        sporf_device wish;
        int faster;
        unsigned calls;
    } cases[] = {{SPORF_DEVICE_AUTO, 0, 0},
                 {SPORF_DEVICE_AUTO, 1, 1},
                 {SPORF_DEVICE_CPU, 1, 0},
                 {SPORF_DEVICE_GPU, 0, 1},
                 {SPORF_DEVICE_GPU, 1, 1}};
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 1);
    sporf_params params = params_with("trees", "7", (char *)NULL);
    sporf_forest *wanted = trained(data, &params, NULL, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_device(UINT32_MAX, 1);
        fake.faster = cases[i].faster;
        params.device = cases[i].wish;
        expect_same(data, &params, wanted);
        assert_int_equal(fake.calls, cases[i].calls);
        assert_int_equal(notes.count, 0);
    }
    sporf_forest_free(wanted);
    sporf_dataset_free(data);
}

/* A profile tells of the phases of threads. */
static void threads_grow_a_forest_with_a_profile(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 1);
    sporf_params params = params_with("trees", "7", "device", "gpu", (char *)NULL);
    sporf_forest *forest = NULL;
    sporf_profile profile;
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.profile = &profile;
    set_device(UINT32_MAX, 1);
    assert_ok(train(data, &params, &hooks, &device, NULL, &forest));
    assert_int_equal(fake.calls, 0);
    expect_note("the GPU does not support a profile");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void a_device_grows_the_trees_after_given_ones(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_MIXED, ROWS, 6, 3, 3);
    sporf_params params = params_with("trees", "7", (char *)NULL), fewer = params;
    fewer.trees = 3;
    sporf_forest *first = trained(data, &fewer, NULL, NULL);
    sporf_forest *wanted = trained(data, &params, NULL, NULL);
    for (uint32_t grows = 0; grows <= 4; grows++) {
        set_device(grows == 4 ? UINT32_MAX : grows, 2);
        sporf_forest *forest = trained(data, &params, &device, first);
        assert_int_equal(fake.first, 3);
        assert_int_equal(fake.count, 4);
        assert_same_bytes(forest, wanted);
        assert_same_oob(forest, wanted);
        sporf_forest_free(forest);
    }
    set_device(UINT32_MAX, 1); /* nothing is left to grow */
    sporf_forest *again = trained(data, &fewer, &device, first);
    assert_int_equal(fake.calls, 0);
    assert_same_bytes(again, first);
    sporf_forest_free(again);
    sporf_forest_free(first);
    sporf_forest_free(wanted);
    sporf_dataset_free(data);
}

static void *part_of(const sporf_dataset *data, const sporf_params *params, const spf_device *with,
                     size_t *size) {
    spf_settings settings;
    sporf_forest *forest = NULL, *packed = NULL;
    void *bytes = NULL;
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    assert_ok(spf_settings_create(data, params, NULL, &settings));
    settings.device = with;
    assert_ok(spf_train_part(&settings, &hooks, 5, &forest));
    forest->part.whole = 20;
    assert_ok(spf_finish_training(&settings, &hooks, 20, forest, &packed));
    assert_ok(spf_model_encode(packed, &bytes, size));
    sporf_forest_free(packed);
    spf_settings_free(&settings);
    return bytes;
}

static void a_device_grows_parts(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 6, 3, 3);
    sporf_params params = params_with("trees", "7", (char *)NULL);
    size_t wanted_size, size;
    void *wanted = part_of(data, &params, NULL, &wanted_size);
    for (uint32_t grows = 0; grows <= TREES; grows += 3) {
        set_device(grows, 1 + grows % 2);
        fake.together = 3;
        void *bytes = part_of(data, &params, &device, &size);
        assert_int_equal(fake.first, 5);
        assert_int_equal(fake.count, TREES);
        assert_int_equal(size, wanted_size);
        assert_memory_equal(bytes, wanted, size);
        sporf_free(bytes);
    }
    sporf_free(wanted);
    sporf_dataset_free(data);
}

/* Their trees are few at a time, and the device grows what comes after them. */
static void pilot_forests_stay_on_the_cpu(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 12, 2, 5);
    sporf_params params;
    sporf_params_init(&params);
    params.trees = 60;
    params.threads = 2;
    sporf_forest *wanted = trained(data, &params, NULL, NULL);
    for (int fails = 0; fails < 2; fails++) {
        set_device(fails ? 4 : UINT32_MAX, 3);
        expect_same(data, &params, wanted);
        assert_int_equal(fake.calls, 1);
        assert_int_equal(fake.first + fake.count, 60);
        assert_int_equal(notes.count, fails);
    }
    sporf_forest_free(wanted);
    sporf_dataset_free(data);
}

/* The first trees stay, whether the device has noticed the interrupt or failed meanwhile. */
static void an_interrupt_keeps_the_trees_of_a_device(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 6, 3, 3);
    sporf_params params = params_with("trees", "7", "threads", "1", (char *)NULL);
    for (uint32_t grows = 3; grows <= 4; grows++) {
        watch w = watch_until(3);
        sporf_hooks hooks = watch_hooks(&w);
        sporf_forest *forest = NULL;
        set_device(grows, 1);
        assert_ok(train(data, &params, &hooks, &device, NULL, &forest));
        assert_int_equal(sporf_forest_trees(forest), 3);
        assert_string_equal(sporf_forest_stopped(forest), "interrupt");
        assert_int_equal(notes.count, 0);
        params.trees = 3;
        sporf_forest *wanted = trained(data, &params, NULL, NULL);
        assert_same_bytes(forest, wanted);
        params.trees = TREES;
        sporf_forest_free(wanted);
        sporf_forest_free(forest);
    }
    sporf_dataset_free(data);
}

/* ---- without a GPU --------------------------------------------------------------------------- */

static void a_gpu_that_is_not_there_is_an_error(void **state) {
    (void)state;
    const char *why = NULL;
    if (spf_gpu(&why)) skip();
    assert_non_null(why);
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 1);
    sporf_params params = params_with("trees", "7", "device", "gpu", (char *)NULL);
    sporf_forest *forest = NULL;
    sporf_forest_part *part = NULL;
    assert_refused(sporf_forest_train(data, &params, NULL, &forest), SPORF_ERROR_DEVICE, why);
    assert_string_equal(sporf_error_details()->option, "device");
    assert_refused(sporf_forest_part_train(data, &params, NULL, 0, 2, &part), SPORF_ERROR_DEVICE,
                   "use device 'cpu'");
    params.device = SPORF_DEVICE_AUTO;
    assert_ok(sporf_forest_train(data, &params, NULL, &forest));
    sporf_params more = params_with("trees", "9", "device", "gpu", (char *)NULL);
    sporf_forest *extended = NULL;
    assert_refused(sporf_forest_extend(forest, data, &more, NULL, &extended), SPORF_ERROR_DEVICE,
                   why);
    assert_null(extended);
    uint32_t classes[ROWS];
    sporf_predictions wanted = {.struct_size = sizeof wanted, .classes = classes};
    sporf_predict_options options;
    sporf_predict_options_init(&options);
    options.device = SPORF_DEVICE_GPU;
    assert_refused(sporf_forest_predict(forest, data, &options, &wanted), SPORF_ERROR_DEVICE, why);
    assert_string_equal(sporf_error_details()->option, "device");
    options.device = SPORF_DEVICE_CPU;
    assert_ok(sporf_forest_predict(forest, data, &options, &wanted));
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void boosting_and_rows_apart_are_for_the_cpu(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 1);
    sporf_params params = params_with("rounds", "2", "learner", "boosting", (char *)NULL);
    sporf_forest *forest = NULL;
    sporf_crown *crown = NULL;
    assert_ok(sporf_forest_train(data, &params, NULL, &forest));
    sporf_forest_free(forest);
    forest = NULL;
    params.device = SPORF_DEVICE_GPU;
    assert_refused(sporf_forest_train(data, &params, NULL, &forest), SPORF_ERROR_ARGUMENT,
                   "device 'gpu' cannot be used for boosted models");
    params.learner = SPORF_LEARNER_FOREST;
    assert_refused(sporf_crown_create(data, data, &params, NULL, 10, 1, &crown),
                   SPORF_ERROR_ARGUMENT, "device 'gpu' cannot be used for rows apart");
    assert_null(crown);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_grow_what_a_device_leaves),
        cmocka_unit_test(it_does_not_matter_how_many_trees_come_at_once),
        cmocka_unit_test(a_forest_is_judged_within_a_group),
        cmocka_unit_test(other_failures_end_the_training),
        cmocka_unit_test(a_device_that_lacks_something_is_not_used),
        cmocka_unit_test(auto_takes_a_device_that_is_faster),
        cmocka_unit_test(threads_grow_a_forest_with_a_profile),
        cmocka_unit_test(a_device_grows_the_trees_after_given_ones),
        cmocka_unit_test(a_device_grows_parts),
        cmocka_unit_test(pilot_forests_stay_on_the_cpu),
        cmocka_unit_test(an_interrupt_keeps_the_trees_of_a_device),
        cmocka_unit_test(a_gpu_that_is_not_there_is_an_error),
        cmocka_unit_test(boosting_and_rows_apart_are_for_the_cpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
