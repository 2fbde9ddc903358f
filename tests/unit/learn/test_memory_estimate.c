/* The estimate of what training takes, against what it takes: never less, and not many times more.

 * Labels: full */
#include "base/rng.h"
#include "data/dataset.h"

#include "support/check.h"
#include "support/preview.h"
#include "support/random_data.h"
#include "support/repeated.h"

#include <malloc.h>

/* There under a sanitizer, which has an allocator of its own. */
size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

static size_t bytes_in_use(void) {
    if (__sanitizer_get_current_allocated_bytes) return __sanitizer_get_current_allocated_bytes();
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

typedef struct {
    size_t before, peak;
} gauge;

static int look(void *payload) {
    gauge *g = payload;
    size_t now = bytes_in_use();
    if (now > g->before && now - g->before > g->peak) g->peak = now - g->before;
    return 0;
}

static void look_after_tree(void *payload, size_t done, size_t trees) {
    (void)done, (void)trees;
    look(payload);
}

/* Packing calls no hook, but it allocates: every allocation looks too. The program is linked with
 * --wrap for these. */
static gauge *watching;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

static void *looked_at(void *block) {
    if (watching) look(watching);
    return block;
}

void *__wrap_malloc(size_t size) {
    return looked_at(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size) {
    return looked_at(__real_calloc(count, size));
}

static size_t peak_of_training(const sporf_dataset *data, const sporf_params *params) {
    gauge g = {.before = bytes_in_use()};
    sporf_hooks hooks;
    sporf_forest *forest = NULL;
    sporf_hooks_init(&hooks);
    hooks.payload = &g;
    hooks.interrupt = look;
    hooks.progress = look_after_tree;
    watching = &g;
    assert_ok(sporf_forest_train(data, params, &hooks, &forest));
    watching = NULL;
    look(&g);
    sporf_forest_free(forest);
    return g.peak;
}

/* The thread sanitizer's allocator rounds every request up. */
#ifdef __SANITIZE_THREAD__
static const double rounding = 0.25;
#else
static const double rounding = 0;
#endif

/* Small forests have a fixed cost that the estimate need not know to the byte. */
static void check_within(const sporf_dataset *data, sporf_params params, const char *what,
                         double most) {
    uint64_t estimate;
    params.threads = 1;
    estimate = preview_of(data, &params).memory;
    double peak = (double)peak_of_training(data, &params);
    double slack = (1 << 13) + rounding * peak;
    if ((double)estimate + slack < peak || (double)estimate > most * peak + slack)
        fail_msg("%s: estimated %llu bytes, took %.0f", what, (unsigned long long)estimate, peak);
}

static void check(const sporf_dataset *data, sporf_params params, const char *what) {
    check_within(data, params, what, 8);
}

static void the_estimate_holds_for_every_method(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rf", "frc", "rr-rf", "ccf", "patch"};
    static const char *const trees[] = {"1", "10"};
    sporf_dataset *data = random_data(DATA_NOISE, 1000, 20, 3, 1);
    for (size_t m = 0; m < 6; m++)
        for (size_t t = 0; t < 2; t++)
            check(data, params_with("method", methods[m], "trees", trees[t], (char *)NULL),
                  methods[m]);
    sporf_dataset_free(data);
}

static void the_estimate_holds_where_small_forests_choose(void **state) {
    (void)state;
    static const uint32_t trees[] = {1, 60, 300};
    sporf_dataset *data = random_data(DATA_SMOOTH, 800, 8, 3, 1);
    for (size_t t = 0; t < 3; t++) {
        sporf_params params;
        sporf_params_init(&params);
        params.trees = trees[t];
        check_within(data, params, "chosen", 64); /* few trees of large leaves may be chosen */
    }
    sporf_dataset_free(data);
}

static void the_estimate_holds_for_every_bag(void **state) {
    (void)state;
    static const char *const bags[] = {"bootstrap", "stratified", "subsample", "none"};
    sporf_dataset *data = random_data(DATA_NOISE, 3000, 4, 2, 2);
    for (size_t b = 0; b < 4; b++)
        check(data, params_with("bag", bags[b], "bag-fraction", "1", "trees", "10", (char *)NULL),
              bags[b]);
    check(data, params_with("bag", "subsample", "bag-fraction", "0.1", "trees", "30", (char *)NULL),
          "a small subsample");
    check(data, params_with("bag", "bootstrap", "bag-fraction", "0.1", "trees", "30", (char *)NULL),
          "a small bootstrap");
    check(data,
          params_with("bag", "stratified", "bag-fraction", "0.5", "trees", "30", (char *)NULL),
          "a stratified bootstrap of half the rows");
    sporf_dataset_free(data);
}

static void the_estimate_holds_for_bounded_trees(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_NOISE, 2000, 6, 150, 3);
    check(data, params_with("max-depth", "3", "trees", "200", (char *)NULL), "depth 3");
    check(data, params_with("min-leaf", "50", "trees", "100", (char *)NULL), "min-leaf 50");
    check(data, params_with("min-leaf-weight", "0.02", "trees", "100", (char *)NULL),
          "min-leaf-weight 0.02");
    check(data, params_with("trees", "50", (char *)NULL), "many classes");
    check(data, params_with("trees", "1", "bag", "none", (char *)NULL), "one tree");
    sporf_dataset_free(data);
}

static void the_estimate_holds_for_wide_tables_and_dense_projections(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_NOISE, 150, 200, 4, 4);
    check(data, params_with("trees", "10", (char *)NULL), "wide");
    check(data, params_with("density", "0.5", "trees", "10", (char *)NULL), "dense");
    check(data,
          params_with("method", "frc", "density", "0.5", "projections", "50", "trees", "10",
                      (char *)NULL),
          "dense frc");
    check(data, params_with("method", "patch", "patch-max", "100", "trees", "10", (char *)NULL),
          "large patches");
    check(data, params_with("method", "rr-rf", "projections", "20", "trees", "5", (char *)NULL),
          "a large rotation");
    check(data, params_with("method", "rf", "trees", "10", (char *)NULL), "wide rf");
    check(data, params_with("method", "ccf", "projections", "50", "trees", "10", (char *)NULL),
          "wide ccf");
    sporf_dataset_free(data);
}

/* Rows are then copied together for subtrees, and the table row by row. */
static void the_estimate_holds_for_tables_larger_than_the_cache(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rf", "frc", "rr-rf", "ccf", "patch"};
    sporf_dataset *data = random_data(DATA_NOISE, 20000, 8, 2, 4);
    for (size_t m = 0; m < 6; m++)
        check(data, params_with("method", methods[m], "max-depth", "2", "trees", "2", (char *)NULL),
              methods[m]);
    check(data,
          params_with("bag", "stratified", "criterion", "entropy", "max-depth", "2", "trees", "2",
                      (char *)NULL),
          "stratified, entropy");
    sporf_dataset_free(data);
}

static void the_estimate_holds_for_missing_values(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_NOISE, 2000, 10, 20, 4);
    for (size_t j = 0; j < 10; j++)
        for (size_t i = j; i < 2000; i += 9) spf_dataset_column(data, j)[i] = NAN;
    data->has_missing = 1;
    check(data, params_with("trees", "20", (char *)NULL), "missing");
    check(data, params_with("density", "0.8", "min-leaf", "10", "trees", "20", (char *)NULL),
          "missing, dense");
    sporf_dataset_free(data);
}

static void the_estimate_holds_for_scaling(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_NOISE, 2000, 3, 2, 5);
    check(data, params_with("scale", "iqr", "max-depth", "1", "trees", "5", (char *)NULL), "iqr");
    sporf_dataset_free(data);
}

static void the_estimate_holds_for_weighted_rows(void **state) {
    (void)state;
    static const char *const bags[] = {"bootstrap", "stratified", "subsample", "none"};
    static const char *const methods[] = {"sporf", "rf", "ccf"};
    sporf_dataset *data = random_data(DATA_NOISE, 1500, 6, 3, 8);
    double *times = whole_weights(1500, 3, 8);
    for (size_t whole = 0; whole < 2; whole++) {
        for (size_t i = 0; i < 1500; i++) times[i] = whole ? ceil(times[i]) : times[i] * 0.7;
        assert_ok(sporf_dataset_set_weights(data, times, 1500));
        for (size_t b = 0; b < 4; b++)
            for (size_t m = 0; m < 3; m++)
                check(data,
                      params_with("bag", bags[b], "method", methods[m], "criterion",
                                  m == 1 ? "entropy" : "gini", "bag-fraction", "0.9", "min-leaf",
                                  b % 2 ? "1" : "2", "trees", "5", (char *)NULL),
                      bags[b]);
    }
    free(times);
    sporf_dataset_free(data);
}

/* From few rows that fill many leaves to many that fill few. */
static void the_estimate_holds_for_honest_trees(void **state) {
    (void)state;
    static const char *const shares[] = {"0.02", "0.2", "0.5", "0.9"};
    static const char *const methods[] = {"sporf", "rf", "rr-rf", "ccf"};
    for (size_t classes = 2; classes <= 150; classes *= 8)
        for (size_t h = 0; h < 4; h++)
            for (size_t m = 0; m < 4; m++) {
                sporf_dataset *data = random_data(DATA_NOISE, 2000, 5, classes, 10);
                char what[64];
                snprintf(what, sizeof what, "honest %s, %s, %zu classes", shares[h], methods[m],
                         classes);
                check(data,
                      params_with("honest", shares[h], "method", methods[m], "trees",
                                  m % 2 ? "1" : "10", (char *)NULL),
                      what);
                sporf_dataset_free(data);
            }
}

/* A category of so many levels among numbers, with some values missing. */
static sporf_dataset *with_levels(size_t rows, size_t features, size_t classes, size_t levels) {
    sporf_dataset *data = random_data(DATA_NOISE, rows, features, classes, 9);
    sporf_random random = spf_random_start(levels, 1, SPF_USE_SIMULATE);
    char(*names)[32] = need(levels, sizeof *names);
    const char **list = need(levels, sizeof *list);
    float *column = spf_dataset_column(data, 0);
    for (size_t i = 0; i < rows; i++) {
        uint32_t level = spf_random_below(&random, (uint32_t)levels);
        column[i] = i % 10 == 0 ? NAN : (float)level;
    }
    for (size_t k = 0; k < levels; k++) {
        snprintf(names[k], sizeof *names, "level %zu", k);
        list[k] = names[k];
    }
    data->has_missing = 1;
    assert_ok(sporf_dataset_set_levels(data, 0, SPORF_KIND_CATEGORY, list, levels));
    free(list);
    free(names);
    return data;
}

/* Levels may tell the classes of noise apart long before the rows run out: trees are then far
 * smaller than they could be. */
static void the_estimate_holds_for_categories(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rf", "frc"};
    static const size_t levels[] = {2, 40, 1000, 20000};
    for (size_t l = 0; l < 4; l++)
        for (size_t classes = 2; classes <= 20; classes += 18)
            for (size_t m = 0; m < 3; m++) {
                sporf_dataset *data = with_levels(2000, 5, classes, levels[l]);
                char what[64];
                snprintf(what, sizeof what, "%s, %zu levels, %zu classes", methods[m], levels[l],
                         classes);
                check_within(data, params_with("method", methods[m], "trees", "8", (char *)NULL),
                             what, 30);
                sporf_dataset_free(data);
            }
}

static void the_estimate_holds_for_numbers(void **state) {
    (void)state;
    static const char *const bags[] = {"bootstrap", "subsample", "none"};
    static const char *const least[] = {"1", "5", "50"};
    static const char *const samples[] = {"keep", "drop"};
    for (size_t c = 0; c < 36; c++) {
        sporf_dataset *data = with_targets(DATA_SMOOTH, 2000, 5, c % 2 ? 3 : 1, 9);
        const char *bag = bags[c / 2 % 3], *leaf = least[c / 6 % 3], *keep = samples[c / 18];
        char what[64];
        snprintf(what, sizeof what, "%s, min-leaf %s, samples %s", bag, leaf, keep);
        check(
            data,
            params_with("bag", bag, "min-leaf", leaf, "samples", keep, "trees", "20", (char *)NULL),
            what);
        sporf_dataset_free(data);
    }
}

static void training_beyond_its_limit_is_refused_before_it_starts(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_NOISE, 500, 4, 2, 6);
    sporf_params params = params_with("trees", "20", "threads", "1", (char *)NULL);
    sporf_forest *forest = NULL;
    params.max_memory = preview_of(data, &params).memory;
    assert_ok(sporf_forest_train(data, &params, NULL, &forest));
    sporf_forest_free(forest);
    forest = NULL;
    params.max_memory -= 1;
    assert_refused(sporf_forest_train(data, &params, NULL, &forest), SPORF_ERROR_MEMORY,
                   "max-memory");
    assert_null(forest);
    sporf_dataset_free(data);
}

static void the_estimate_grows_with_trees_and_threads(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_NOISE, 500, 4, 2, 7);
    sporf_params params = params_with("trees", "8", "threads", "1", (char *)NULL);
    uint64_t base, threads, trees;
    base = preview_of(data, &params).memory;
    params.threads = 8;
    threads = preview_of(data, &params).memory;
    params.threads = 1;
    params.trees = 800;
    trees = preview_of(data, &params).memory;
    assert_true(threads > base && trees > 10 * base);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_estimate_holds_for_every_method),
        cmocka_unit_test(the_estimate_holds_where_small_forests_choose),
        cmocka_unit_test(the_estimate_holds_for_every_bag),
        cmocka_unit_test(the_estimate_holds_for_bounded_trees),
        cmocka_unit_test(the_estimate_holds_for_wide_tables_and_dense_projections),
        cmocka_unit_test(the_estimate_holds_for_tables_larger_than_the_cache),
        cmocka_unit_test(the_estimate_holds_for_missing_values),
        cmocka_unit_test(the_estimate_holds_for_scaling),
        cmocka_unit_test(the_estimate_holds_for_weighted_rows),
        cmocka_unit_test(the_estimate_holds_for_honest_trees),
        cmocka_unit_test(the_estimate_holds_for_categories),
        cmocka_unit_test(the_estimate_holds_for_numbers),
        cmocka_unit_test(training_beyond_its_limit_is_refused_before_it_starts),
        cmocka_unit_test(the_estimate_grows_with_trees_and_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
