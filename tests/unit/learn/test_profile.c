/* The profile of a training: it counts what the forest holds, its times fit into the time that
 * passed, and it changes nothing.
 * Labels: threads */
#include "support/check.h"
#include "support/every_forest.h"
#include "support/plain_tree.h"
#include "support/watch.h"

#include <stdatomic.h>
#include <time.h>

enum { FEATURES = 6 };

/* Asked for each candidate of a large node, this leaves the other threads time to help with the
 * first one. */
static int linger(void *payload) {
    const struct timespec pause = {.tv_nsec = 10000000};
    if (atomic_fetch_add((atomic_int *)payload, 1) < 5) nanosleep(&pause, NULL);
    return 0;
}

static sporf_forest *train_profiled(const sporf_dataset *data, const sporf_params *params,
                                    sporf_profile *profile) {
    atomic_int asked = 0;
    sporf_hooks hooks;
    sporf_forest *forest = NULL;
    sporf_hooks_init(&hooks);
    hooks.profile = profile;
    hooks.payload = &asked;
    if (sporf_dataset_rows(data) > 10000) hooks.interrupt = linger;
    assert_ok(sporf_forest_train(data, params, &hooks, &forest));
    return forest;
}

static uint64_t sum_of(const uint64_t *counts) {
    uint64_t sum = 0;
    for (int size = 0; size < SPORF_PROFILE_SIZES; size++) sum += counts[size];
    return sum;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static unsigned size_of(uint64_t rows) {
    unsigned size = 0;
    while (rows >> (size + 1)) size++;
    return size;
}

/* Rows in each node of a tree whose rows weigh 1: those of the leaves below. */
static uint64_t *rows_of_nodes(const spf_tree *tree) {
    uint64_t *rows = need(tree->nodes_count, sizeof *rows);
    for (uint32_t i = tree->nodes_count; i-- > 0;) {
        const spf_node *node = &tree->nodes[i];
        if (node->right) {
            rows[i] = rows[i + 1] + rows[node->right];
            continue;
        }
        for (uint32_t e = tree->leaf_start[node->content]; e < tree->leaf_start[node->content + 1];
             e++)
            rows[i] += (uint64_t)tree->leaf_weight[e];
    }
    return rows;
}

/* Without a bag rows weigh 1, and with continuous values a node is either split or pure, so that
 * just the splits were searched, with as many candidates as asked for, or fewer where one of the
 * first was perfect. */
typedef struct {
    size_t rows, classes;
    const char *split;
    uint32_t candidates, trees, threads;
} counting;

static void check_counts(counting c) {
    sporf_dataset *data = random_data(DATA_SMOOTH, c.rows, FEATURES, c.classes, 1);
    sporf_params params =
        params_with("method", "rf", "bag", "none", "split", c.split, (char *)NULL);
    sporf_profile profile, wanted = {0};
    params.projections = (sporf_amount){c.candidates, 0};
    params.trees = c.trees;
    params.threads = c.threads;
    memset(&profile, 0xff, sizeof profile);
    sporf_forest *forest = train_profiled(data, &params, &profile);
    for (size_t t = 0; t < forest->trees_count; t++) {
        const spf_tree *tree = plain_tree(forest, t);
        uint64_t *in_node = rows_of_nodes(tree);
        assert_int_equal(in_node[0], c.rows);
        for (uint32_t i = 0; i < tree->nodes_count; i++) {
            wanted.nodes[size_of(in_node[i])]++;
            if (tree->nodes[i].right)
                wanted.row_projections[size_of(in_node[i])] += c.candidates * in_node[i];
        }
        free(in_node);
    }
    for (int size = 0; size < SPORF_PROFILE_SIZES; size++)
        if (profile.nodes[size] != wanted.nodes[size] ||
            profile.row_projections[size] > wanted.row_projections[size] ||
            profile.row_projections[size] * c.candidates < wanted.row_projections[size])
            fail_msg("%u threads: %llu nodes of 2^%d rows instead of %llu, %llu row projections "
                     "instead of %llu",
                     c.threads, (unsigned long long)profile.nodes[size], size,
                     (unsigned long long)wanted.nodes[size],
                     (unsigned long long)profile.row_projections[size],
                     (unsigned long long)wanted.row_projections[size]);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void nodes_and_row_projections_are_those_of_the_forest(void **state) {
    (void)state;
    check_counts((counting){300, 3, "auto", 3, 3, 1});
    check_counts((counting){3000, 2, "auto", 1, 5, 1});
    check_counts((counting){3000, 5, "exact", 2, 3, 2});
    check_counts((counting){2, 2, "auto", 6, 2, 3});
}

/* Nodes that threads share count once. */
static void helpers_count_nothing_twice(void **state) {
    (void)state;
    for (uint32_t threads = 1; threads <= 4; threads++)
        check_counts((counting){80000, 2, "auto", FEATURES, 1, threads});
}

static void counts_node(const forest_case *c, const sporf_forest *forest) {
    sporf_profile profile;
    sporf_forest_summary summary;
    sporf_forest *other = train_profiled(c->data, &c->params, &profile);
    assert_ok(sporf_forest_summarise(other, &summary));
    assert_int_equal(sum_of(profile.nodes), summary.nodes);
    for (size_t t = 0; t < forest->trees_count; t++)
        assert_true(same_tree(plain_tree(forest, t), plain_tree(other, t)));
    for (int size = 0; size < SPORF_PROFILE_SIZES; size++)
        assert_true(profile.nodes[size] > 0 || profile.row_projections[size] == 0);
    sporf_forest_free(other);
}

static void a_profile_changes_no_forest_and_counts_every_node(void **state) {
    (void)state;
    for_every_forest(counts_node, 3);
}

static void times_fit_into_the_time_that_passed(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 5000, FEATURES, 3, 1);
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        sporf_params params = params_with("trees", "4", (char *)NULL);
        sporf_profile profile;
        double started = now(), sum = 0;
        params.threads = threads;
        sporf_forest_free(train_profiled(data, &params, &profile));
        double passed = now() - started;
        for (int phase = 0; phase < SPORF_PHASES; phase++) {
            double of_phase = 0;
            for (int size = 0; size < SPORF_PROFILE_SIZES; size++) {
                assert_true(profile.seconds[phase][size] >= 0);
                if (profile.nodes[size] == 0) assert_true(profile.seconds[phase][size] == 0);
                of_phase += profile.seconds[phase][size];
            }
            assert_true(of_phase > 0);
            sum += of_phase;
        }
        assert_true(sum <= passed * threads);
        assert_true(sum > 0.05 * passed);
    }
    sporf_dataset_free(data);
}

/* A program compiled before there were profiles passes a shorter struct. */
static void hooks_of_an_older_header_have_no_profile(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 60, FEATURES, 2, 1);
    sporf_params params = params_with("trees", "2", (char *)NULL);
    sporf_profile profile, before;
    sporf_hooks hooks;
    sporf_forest *forest = NULL;
    memset(&profile, 0x5a, sizeof profile);
    before = profile;
    sporf_hooks_init(&hooks);
    hooks.profile = &profile;
    hooks.struct_size = offsetof(sporf_hooks, profile);
    assert_ok(sporf_forest_train(data, &params, &hooks, &forest));
    assert_memory_equal(&profile, &before, sizeof profile);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void a_training_that_is_stopped_has_a_profile_too(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 300, FEATURES, 2, 1);
    sporf_params params = params_with("trees", "2", "threads", "1", (char *)NULL);
    sporf_profile profile;
    watch w = watch_for(0);
    sporf_hooks hooks = watch_hooks(&w);
    sporf_forest *forest = NULL;
    memset(&profile, 0xff, sizeof profile);
    hooks.profile = &profile;
    assert_int_equal(sporf_forest_train(data, &params, &hooks, &forest), SPORF_ERROR_CANCELLED);
    assert_true(sum_of(profile.nodes) <= 1);
    assert_int_equal(sum_of(profile.row_projections), 0);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_and_row_projections_are_those_of_the_forest),
        cmocka_unit_test(helpers_count_nothing_twice),
        cmocka_unit_test_teardown(a_profile_changes_no_forest_and_counts_every_node,
                                  name_broken_case),
        cmocka_unit_test(times_fit_into_the_time_that_passed),
        cmocka_unit_test(hooks_of_an_older_header_have_no_profile),
        cmocka_unit_test(a_training_that_is_stopped_has_a_profile_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
