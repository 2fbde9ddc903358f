/* Trees so large that several threads grow each of them: neither threads nor interrupts change
 * anything, and a user's sampler is told the same by whichever thread asks it.
 * Labels: threads */
#include "support/check.h"
#include "support/every_forest.h"
#include "support/plain_tree.h"
#include "support/watch.h"

#include <stdatomic.h>
#include <time.h>

enum { ROWS = 24000, FEATURES = 6, CLASSES = 3, TREES = 5 };

/* With many projections the threads share the search in the largest nodes too. */
static const char *const methods[][2] = {{"sporf", "24"}, {"sporf", "2"}, {"rf", "2"},
                                         {"frc", "2"},    {"rr-rf", "2"}, {"ccf", "2"},
                                         {"patch", "2"}};
enum { METHODS = sizeof methods / sizeof *methods };
static const uint32_t thread_counts[] = {1, 2, 3, 8};
enum { THREAD_COUNTS = sizeof thread_counts / sizeof *thread_counts };

static sporf_dataset *data;

static int make_data(void **state) {
    (void)state;
    data = random_data(DATA_SMOOTH, ROWS, FEATURES, CLASSES, 1);
    return 0;
}

static int free_data(void **state) {
    (void)state;
    sporf_dataset_free(data);
    return 0;
}

static sporf_params params_for(const char *const *method, uint32_t trees, uint32_t threads) {
    sporf_params params = params_with("method", method[0], "projections", method[1], "patch-max",
                                      "2", "min-leaf", "60", "seed", "11", (char *)NULL);
    params.trees = trees;
    params.threads = threads;
    return params;
}

static sporf_forest *train(const sporf_params *params, const sporf_sampler *sampler) {
    sporf_hooks hooks;
    sporf_forest *forest = NULL;
    sporf_hooks_init(&hooks);
    hooks.sampler = sampler;
    assert_ok(sporf_forest_train(data, params, &hooks, &forest));
    return forest;
}

/* The forest is made of the first trees of the whole, and so are its out-of-bag results. */
static void assert_prefix(const sporf_forest *forest, const sporf_forest *whole) {
    for (size_t t = 0; t < forest->trees_count; t++) {
        assert_true(same_tree(plain_tree(forest, t), plain_tree(whole, t)));
        assert_int_equal(!forest->oob_curve, !whole->oob_curve);
        if (forest->oob_curve) assert_true(forest->oob_curve[t] == whole->oob_curve[t]);
    }
}

static void assert_same_bytes(const sporf_forest *a, const sporf_forest *b) {
    void *bytes[2];
    size_t size[2];
    assert_ok(sporf_forest_save_bytes(a, &bytes[0], &size[0]));
    assert_ok(sporf_forest_save_bytes(b, &bytes[1], &size[1]));
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    sporf_free(bytes[0]);
    sporf_free(bytes[1]);
}

/* ---- threads --------------------------------------------------------------------------------- */

/* Under the thread sanitizer each tree takes half a second. */
#ifdef __SANITIZE_THREAD__
enum { GROWN = 3 };
#else
enum { GROWN = TREES };
#endif

static void threads_do_not_change_a_byte_of_large_trees(void **state) {
    (void)state;
    for (size_t m = 0; m < METHODS; m++) {
        sporf_params params = params_for(methods[m], GROWN, 1);
        sporf_forest *whole = train(&params, NULL);
        for (uint32_t trees = 1; trees <= GROWN; trees++) {
            uint32_t threads = thread_counts[(trees + m) % THREAD_COUNTS];
            params = params_for(methods[m], trees, threads);
            sporf_forest *forest = train(&params, NULL);
            assert_int_equal(forest->trees_count, trees);
            assert_prefix(forest, whole);
            if (trees == GROWN) assert_same_bytes(forest, whole);
            sporf_forest_free(forest);
        }
        sporf_forest_free(whole);
    }
}

/* One tree, for which all threads work together. */
static void all_threads_grow_one_tree_alike(void **state) {
    (void)state;
    for (size_t m = 0; m < METHODS; m++) {
        sporf_params params = params_for(methods[m], 1, 1);
        sporf_forest *alone = train(&params, NULL);
        for (size_t i = 1; i < THREAD_COUNTS; i++) {
            params = params_for(methods[m], 1, thread_counts[i]);
            sporf_forest *together = train(&params, NULL);
            assert_same_bytes(alone, together);
            sporf_oob a, b;
            sporf_forest_oob(alone, &a);
            sporf_forest_oob(together, &b);
            if (a.votes) assert_memory_equal(a.votes, b.votes, ROWS * CLASSES * sizeof *a.votes);
            sporf_forest_free(together);
        }
        sporf_forest_free(alone);
    }
}

/* ---- a user's sampler ------------------------------------------------------------------------ */

/* What prepare was told about each tree. */
typedef struct {
    int has_basis; /* whether the sampler makes one */
    atomic_int prepared[TREES], finished, faults;
    _Atomic uint64_t told[TREES]; /* a hash of view and random numbers */
} witness;

static uint64_t mix(uint64_t hash, uint64_t word) {
    return (hash ^ word) * 0x100000001b3u;
}

static uint64_t hash_view(const sporf_view *view, sporf_random *random) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < view->rows; i++)
        hash = mix(mix(mix(hash, view->row[i]), view->weight[i]), view->label[i]);
    for (int i = 0; i < 5; i++) hash = mix(hash, sporf_random_below(random, 1u << 31));
    return mix(mix(mix(hash, view->features), view->classes), view->depth) | 1;
}

static int is_the_table(const sporf_view *view) {
    int right = view->features == FEATURES && view->tree < TREES;
    for (size_t f = 0; right && f < FEATURES; f++)
        right &= view->columns[f] == sporf_dataset_feature(data, f);
    for (size_t i = 0; right && i < view->rows; i++)
        right &= view->label[i] == sporf_dataset_labels(data)[view->row[i]];
    return right;
}

static sporf_status testify(void *payload, const sporf_view *view, sporf_random *random,
                            sporf_projections *basis, void **state) {
    witness *w = payload;
    uint64_t unknown = 0, hash = hash_view(view, random);
    const float weights[] = {1, -1};
    if (!is_the_table(view)) w->faults++;
    if (!atomic_compare_exchange_strong(&w->told[view->tree], &unknown, hash) && unknown != hash)
        w->faults++;
    w->prepared[view->tree]++;
    uint32_t *own = malloc(sizeof *own);
    if (!own) return SPORF_ERROR_MEMORY;
    *own = view->tree;
    *state = own;
    if (!basis) w->faults++;
    for (uint32_t f = 0; w->has_basis && f < FEATURES; f++) {
        const uint32_t pair[] = {f, (f + 1) % FEATURES};
        sporf_status status = sporf_projections_add(basis, 2, pair, weights);
        if (status != SPORF_OK) return status;
    }
    return SPORF_OK;
}

static sporf_status draw_two(void *payload, void *state, const sporf_view *view,
                             sporf_random *random, sporf_projections *candidates) {
    witness *w = payload;
    const float one = 1;
    const struct timespec pause = {.tv_nsec = 3000000}; /* so that others come to help */
    if (view->rows > 5000) nanosleep(&pause, NULL);
    if (*(const uint32_t *)state != view->tree) w->faults++;
    if (!w->has_basis && !is_the_table(view)) w->faults++;
    for (int i = 0; i < 2; i++) {
        uint32_t feature = sporf_random_below(random, FEATURES);
        sporf_status status = sporf_projections_add(candidates, 1, &feature, &one);
        if (status != SPORF_OK) return status;
    }
    return SPORF_OK;
}

static void finish_testimony(void *payload, void *state) {
    witness *w = payload;
    w->finished++;
    free(state);
}

/* Every thread that works on a tree prepares; on a single tree, at most once. What helpers add to
 * the basis again is not used. */
static void assert_testimony(const witness *w, uint32_t trees, uint32_t threads) {
    int prepared = 0;
    assert_int_equal(w->faults, 0);
    for (uint32_t t = 0; t < trees; t++) {
        assert_true(w->prepared[t] >= 1);
        if (trees == 1) assert_true(w->prepared[t] <= (int)threads);
        if (threads == 1) assert_int_equal(w->prepared[t], 1);
        prepared += w->prepared[t];
    }
    assert_int_equal(w->finished, prepared);
}

static void helpers_prepare_a_sampler_as_the_first_thread_did(void **state) {
    (void)state;
    for (int has_basis = 0; has_basis < 2; has_basis++) {
        sporf_forest *whole = NULL;
        int helped = 0;
        for (size_t i = 0; i < THREAD_COUNTS; i++)
            for (uint32_t trees = TREES; trees <= TREES; trees -= 2) {
                witness w = {.has_basis = has_basis};
                const sporf_sampler sampler = {.name = "witness",
                                               .payload = &w,
                                               .prepare = testify,
                                               .draw = draw_two,
                                               .finish = finish_testimony};
                sporf_params params = params_for(methods[0], trees, thread_counts[i]);
                sporf_forest *forest = train(&params, &sampler);
                assert_testimony(&w, trees, thread_counts[i]);
                if (trees == 1) helped += w.prepared[0] > 1;
                if (!whole)
                    whole = forest;
                else
                    assert_prefix(forest, whole);
                if (forest != whole) sporf_forest_free(forest);
            }
        assert_true(helped > 0);
        sporf_forest_free(whole);
    }
}

/* ---- ties ------------------------------------------------------------------------------------ */

static sporf_status draw_all(void *payload, void *state, const sporf_view *view,
                             sporf_random *random, sporf_projections *candidates) {
    (void)payload, (void)state, (void)random;
    const float one = 1;
    for (uint32_t f = 0; f < view->features; f++) {
        sporf_status status = sporf_projections_add(candidates, 1, &f, &one);
        if (status != SPORF_OK) return status;
    }
    return SPORF_OK;
}

/* In a table of equal columns all candidates are equally good. */
static void the_first_of_equal_candidates_wins_in_nodes_of_every_size(void **state) {
    (void)state;
    enum { COPIES = 24 };
    float *values = need((size_t)ROWS * COPIES, sizeof *values);
    int64_t *labels = need(ROWS, sizeof *labels);
    for (size_t i = 0; i < ROWS; i++) labels[i] = sporf_dataset_labels(data)[i];
    for (size_t f = 0; f < COPIES; f++)
        memcpy(values + f * ROWS, sporf_dataset_feature(data, 0), ROWS * sizeof *values);
    sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, COPIES, 1, ROWS};
    sporf_dataset *equal = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &equal));
    assert_ok(sporf_dataset_set_labels_int(equal, labels, ROWS));
    const sporf_sampler sampler = {.name = "all", .draw = draw_all};
    for (int split = 0; split < 2; split++)
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            sporf_params params = params_for(methods[0], 1, threads);
            sporf_hooks hooks;
            sporf_forest *forest = NULL;
            sporf_hooks_init(&hooks);
            hooks.sampler = &sampler;
            params.split = split ? SPORF_SPLIT_EXACT : SPORF_SPLIT_AUTO;
            assert_ok(sporf_forest_train(equal, &params, &hooks, &forest));
            const spf_tree *tree = plain_tree(forest, 0);
            assert_true(tree->projections_count > 100);
            for (uint32_t i = 0; i < tree->projections_count; i++)
                assert_int_equal(tree->term_feature[i], 0);
            sporf_forest_free(forest);
        }
    sporf_dataset_free(equal);
    free(values);
    free(labels);
}

/* ---- interrupts ------------------------------------------------------------------------------ */

static void an_interrupted_forest_of_large_trees_is_the_beginning_of_the_whole(void **state) {
    (void)state;
    for (size_t m = 0; m < METHODS; m += 4) {
        sporf_params params = params_for(methods[m], TREES, 1);
        sporf_forest *whole = train(&params, NULL);
        size_t partial = 0, nothing = 0;
        size_t stopped = 1;
        for (size_t patience = 1; stopped > 0; patience *= 4) {
            stopped = 0;
            for (size_t i = 0; i < THREAD_COUNTS; i++) {
                watch w = watch_for(patience);
                sporf_hooks hooks = watch_hooks(&w);
                sporf_forest *forest = NULL;
                params.threads = thread_counts[i];
                sporf_status status = sporf_forest_train(data, &params, &hooks, &forest);
                assert_int_equal(w.faults, 0);
                if (status == SPORF_OK) {
                    assert_prefix(forest, whole);
                    partial += forest->trees_count < TREES;
                } else {
                    assert_int_equal(status, SPORF_ERROR_CANCELLED);
                    assert_null(forest);
                    nothing++;
                }
                stopped += !forest || forest->trees_count < TREES;
                sporf_forest_free(forest);
            }
        }
        assert_true(partial > 0 && nothing > 0);
        sporf_forest_free(whole);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_change_a_byte_of_large_trees),
        cmocka_unit_test(all_threads_grow_one_tree_alike),
        cmocka_unit_test(helpers_prepare_a_sampler_as_the_first_thread_did),
        cmocka_unit_test(the_first_of_equal_candidates_wins_in_nodes_of_every_size),
        cmocka_unit_test(an_interrupted_forest_of_large_trees_is_the_beginning_of_the_whole),
    };
    return cmocka_run_group_tests(tests, make_data, free_data);
}
