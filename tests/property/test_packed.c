/* Packed prediction equals the plain walk, bit for bit: leaves, votes, probabilities and classes,
 * on forests and rows of every shape.
 * Labels: threads */
#include "data/dataset.h"
#include "model/unpack.h"
#include "predict/pack.h"
#include "predict/predict.h"
#include "predict/walk.h"
#include "predict/walk_checked.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/every_forest.h"
#include "support/plain_tree.h"
#include "support/random_forest.h"

/* ---- rows, and what the plain walk says about them ------------------------------------------- */

typedef struct {
    size_t rows, features;
    float *values;         /* row by row */
    float *turned;         /* column by column */
    const float **columns; /* [features] */
    int has_missing;
} table;

static void *need(void *memory) {
    if (!memory) abort();
    return memory;
}

static table make_table(size_t rows, size_t features) {
    table t = {rows,
               features,
               need(spf_alloc(rows * features, sizeof(float))),
               need(spf_alloc(rows * features, sizeof(float))),
               need(spf_alloc(features, sizeof(float *))),
               0};
    for (size_t j = 0; j < features; j++) t.columns[j] = t.turned + j * rows;
    return t;
}

static void turn(table *t) {
    for (size_t i = 0; i < t->rows; i++)
        for (size_t j = 0; j < t->features; j++)
            t->turned[j * t->rows + i] = t->values[i * t->features + j];
    for (size_t i = 0; i < t->rows * t->features; i++) t->has_missing |= isnan(t->values[i]);
}

static void free_table(table *t) {
    free(t->values);
    free(t->turned);
    free(t->columns);
}

/* Values that forests meet at their thresholds, and some beyond every table's range. */
static table random_table(uint64_t seed, size_t rows, size_t features) {
    static const float beyond[] = {FLT_MAX, -FLT_MAX, 3e38f, -2.5e38f, FLT_TRUE_MIN, -FLT_TRUE_MIN};
    sporf_random random = spf_random_start(seed, 7, SPF_USE_SIMULATE);
    table t = make_table(rows, features);
    for (size_t i = 0; i < rows * features; i++) {
        t.values[i] = random_value(&random);
        if (spf_random_below(&random, 20) == 0)
            t.values[i] = beyond[spf_random_below(&random, sizeof beyond / sizeof *beyond)];
    }
    turn(&t);
    return t;
}

static table random_mixed(uint64_t seed, size_t rows, size_t features) {
    sporf_random random = spf_random_start(seed, 9, SPF_USE_SIMULATE);
    table t = make_table(rows, features);
    for (size_t i = 0; i < rows; i++) random_mixed_row(&random, t.values + i * features, features);
    turn(&t);
    return t;
}

static table random_bytes(uint64_t seed, size_t rows, size_t features) {
    sporf_random random = spf_random_start(seed, 8, SPF_USE_SIMULATE);
    table t = make_table(rows, features);
    for (size_t i = 0; i < rows * features; i++)
        t.values[i] = (float)spf_random_below(&random, spf_random_below(&random, 2) ? 6 : 256);
    turn(&t);
    return t;
}

/* What a forest says, by the definitions in model/forest.h alone. */
typedef struct {
    uint32_t *leaves, *tree_classes; /* rows x trees */
    uint32_t *votes;                 /* rows x classes */
    double *probabilities[2];        /* rows x classes, by combination */
    uint32_t *classes[2];            /* [rows] */
} answers;

static answers make_answers(const sporf_forest *forest, size_t rows) {
    size_t by_tree = rows * forest->trees_count, by_class = rows * forest->classes;
    answers a = {.leaves = need(spf_alloc_zero(by_tree, sizeof *a.leaves)),
                 .tree_classes = need(spf_alloc_zero(by_tree, sizeof *a.tree_classes)),
                 .votes = need(spf_alloc_zero(by_class, sizeof *a.votes))};
    for (int c = 0; c < 2; c++) {
        a.probabilities[c] = need(spf_alloc_zero(by_class, sizeof(double)));
        a.classes[c] = need(spf_alloc_zero(rows, sizeof(uint32_t)));
    }
    return a;
}

static void free_answers(answers *a) {
    free(a->leaves);
    free(a->tree_classes);
    free(a->votes);
    for (int c = 0; c < 2; c++) {
        free(a->probabilities[c]);
        free(a->classes[c]);
    }
}

static answers plain_answers(const sporf_forest *forest, const table *t) {
    answers a = make_answers(forest, t->rows);
    size_t classes = forest->classes, trees = forest->trees_count;
    for (size_t i = 0; i < t->rows; i++) {
        double *sums[2] = {a.probabilities[0] + i * classes, a.probabilities[1] + i * classes};
        for (size_t n = 0; n < trees; n++) {
            const spf_tree *tree = plain_tree(forest, n);
            uint32_t leaf = spf_tree_walk_row(tree, t->values + i * t->features);
            uint32_t vote = spf_leaf_vote(tree, leaf);
            a.leaves[i * trees + n] = leaf;
            a.tree_classes[i * trees + n] = vote;
            a.votes[i * classes + vote]++;
            sums[SPORF_COMBINE_VOTES][vote] += 1;
            spf_leaf_add_posterior(tree, leaf, sums[SPORF_COMBINE_POSTERIORS]);
        }
        for (int c = 0; c < 2; c++) {
            for (size_t k = 0; k < classes; k++) sums[c][k] /= (double)trees;
            a.classes[c][i] = spf_argmax(sums[c], classes);
        }
    }
    return a;
}

/* ---- the law --------------------------------------------------------------------------------- */

static void check_batch(const sporf_forest *forest, const table *t, const answers *plain,
                        unsigned threads) {
    size_t by_tree = t->rows * forest->trees_count, by_class = t->rows * forest->classes;
    for (int c = 0; c < 2; c++) {
        answers packed = make_answers(forest, t->rows);
        spf_predictions out = {.classes = packed.classes[c],
                               .outputs = packed.probabilities[c],
                               .votes = packed.votes,
                               .tree_classes = packed.tree_classes,
                               .leaves = packed.leaves};
        assert_int_equal(
            spf_predict(forest, &(spf_values){t->columns, t->rows, t->has_missing},
                        spf_combining_of(forest, (sporf_combine)c, SPORF_CALIBRATE_NONE), threads,
                        &out),
            SPORF_OK);
        assert_memory_equal(packed.leaves, plain->leaves, by_tree * sizeof *plain->leaves);
        assert_memory_equal(packed.tree_classes, plain->tree_classes,
                            by_tree * sizeof *plain->tree_classes);
        assert_memory_equal(packed.votes, plain->votes, by_class * sizeof *plain->votes);
        assert_memory_equal(packed.classes[c], plain->classes[c], t->rows * sizeof(uint32_t));
        assert_memory_equal(packed.probabilities[c], plain->probabilities[c],
                            by_class * sizeof(double));
        free_answers(&packed);
    }
}

static void check_single_rows(const sporf_forest *forest, const table *t, const answers *plain) {
    size_t classes = forest->classes;
    double *totals = need(spf_alloc(classes, sizeof *totals));
    for (size_t i = 0; i < t->rows; i++)
        for (int c = 0; c < 2; c++) {
            const float *row = t->values + i * t->features;
            assert_true(spf_predict_row(
                forest, row, spf_combining_of(forest, (sporf_combine)c, SPORF_CALIBRATE_NONE),
                totals));
            assert_int_equal(spf_argmax(totals, classes), plain->classes[c][i]);
            assert_memory_equal(totals, plain->probabilities[c] + i * classes,
                                classes * sizeof *totals);
        }
    free(totals);
}

/* The walk on columns in place, which only tables much wider than the forest get otherwise, and the
 * one that checks each step. */
static void check_other_walks(const sporf_forest *forest, const table *t, const answers *plain) {
    int mixed = t->has_missing || forest->packed.sets.count > 0;
    spf_rows columns = {.kind = SPF_ROWS_COLUMNS,
                        .features = t->features,
                        .stride = 1,
                        .mixed = mixed,
                        .columns = t->columns};
    spf_rows floats = {.kind = SPF_ROWS_FLOATS,
                       .features = t->features,
                       .stride = t->features,
                       .mixed = mixed,
                       .floats = t->values};
    size_t trees = forest->trees_count, first = t->rows / 3;
    uint32_t *leaf = need(spf_alloc(t->rows, sizeof *leaf));
    for (size_t n = 0; n < trees; n++) {
        spf_walk_rows(&forest->packed, n, n + 1, &columns, first, t->rows - first, leaf);
        for (size_t i = first; i < t->rows; i++) {
            uint32_t expected = plain->leaves[i * trees + n];
            assert_int_equal(spf_ref_leaf(&forest->packed, leaf[i - first]), expected);
            uint32_t careful = spf_walk_checked(forest, n, &floats, i);
            assert_int_equal(careful, leaf[i - first]);
        }
    }
    free(leaf);
}

static void check_forest(const sporf_forest *forest, const table *t) {
    answers plain = plain_answers(forest, t);
    check_batch(forest, t, &plain, 1);
    check_batch(forest, t, &plain, 3);
    check_single_rows(forest, t, &plain);
    check_other_walks(forest, t, &plain);
    free_answers(&plain);
}

static void check_shape(uint64_t seed, const random_shape *shape, size_t rows) {
    sporf_forest *forest = random_forest(seed, shape);
    table wild = random_table(seed, rows, forest->features);
    table bytes = random_bytes(seed, rows, forest->features);
    table mixed = random_mixed(seed, rows, forest->features);
    check_forest(forest, &wild);
    check_forest(forest, &bytes);
    check_forest(forest, &mixed);
    free_table(&wild);
    free_table(&bytes);
    free_table(&mixed);
    sporf_forest_free(forest);
}

/* ---- forests of every shape ------------------------------------------------------------------ */

static void random_forests(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) check_shape(seed, NULL, 50);
}

static void single_leaves(void **state) {
    (void)state;
    check_shape(1, &(random_shape){.leaves = 1, .trees = 40}, 10);
}

static void stumps(void **state) {
    (void)state;
    check_shape(2, &(random_shape){.leaves = 2, .trees = 40}, 100);
}

static void trees_of_depth_60_and_more(void **state) {
    (void)state;
    check_shape(3, &(random_shape){.leaves = 61, .trees = 20, .chains = 1}, 200);
    check_shape(4, &(random_shape){.leaves = 5000, .trees = 3, .chains = 1}, 40);
}

static void two_to_a_thousand_classes(void **state) {
    static const size_t classes[] = {1, 2, 3, 10, 255, 256, 257, 1000};
    (void)state;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        check_shape(10 + i, &(random_shape){.classes = classes[i], .leaves = 300, .trees = 20}, 30);
}

static void projections_of_every_length(void **state) {
    (void)state;
    for (size_t terms = 1; terms <= 20; terms++)
        check_shape(30 + terms, &(random_shape){.terms = terms, .features = 40, .leaves = 100}, 30);
    check_shape(60, &(random_shape){.terms = 300, .features = 300, .leaves = 50}, 20);
}

static void sets_of_levels(void **state) {
    (void)state;
    for (size_t terms = 1; terms <= 12; terms++)
        check_shape(
            100 + terms,
            &(random_shape){.terms = terms, .features = 12, .leaves = 100, .mixed = 1, .trees = 20},
            60);
    check_shape(120, &(random_shape){.trees = 2, .features = 900, .leaves = 40, .mixed = 1}, 20);
}

static void more_trees_than_a_row_takes_at_once(void **state) {
    (void)state;
    check_shape(70, &(random_shape){.trees = 600, .leaves = 10}, 20);
}

static void tables_wider_than_the_forest_is_large(void **state) {
    (void)state;
    check_shape(80, &(random_shape){.trees = 2, .features = 100000, .leaves = 40}, 20);
}

static void blocks_of_many_rows(void **state) {
    (void)state;
    check_shape(90, &(random_shape){.trees = 3, .features = 3, .leaves = 50}, 70000);
}

/* Rows that are taken for bytes until one is not. */
static void bytes_that_end_late(void **state) {
    (void)state;
    sporf_forest *forest = random_forest(6, &(random_shape){.features = 9, .leaves = 60});
    table t = random_bytes(6, 3000, forest->features);
    t.values[2900 * t.features + 4] = 2.5f;
    turn(&t);
    check_forest(forest, &t);
    free_table(&t);
    sporf_forest_free(forest);
}

/* So many leaves and classes that a reference cannot hold both. */
static void classes_in_a_table(void **state) {
    (void)state;
    random_shape shape = {
        .trees = 9, .features = 4, .classes = 8000, .leaves = 1 << 18, .terms = 2};
    sporf_forest *forest = random_forest(5, &shape);
    table t = random_table(5, 200, forest->features);
    assert_non_null(forest->packed.leaf_class);
    check_forest(forest, &t);
    free_table(&t);
    sporf_forest_free(forest);
}

/* ---- trained forests ------------------------------------------------------------------------- */

static void predicts_as_its_plain_trees(const forest_case *c, const sporf_forest *forest) {
    size_t rows = c->data->rows < 100 ? c->data->rows : 100;
    table t = make_table(rows, c->data->features);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < t.features; j++)
            t.values[i * t.features + j] = c->data->columns[j][i];
    turn(&t);
    check_forest(forest, &t);
    free_table(&t);
}

static void forests_of_every_method(void **state) {
    (void)state;
    for_every_forest(predicts_as_its_plain_trees, 5);
}

/* ---- packing and unpacking ------------------------------------------------------------------- */

/* Sets may be numbered otherwise. */
static void assert_same_feature(const spf_tree *a, uint32_t x, const spf_tree *b, uint32_t y) {
    if (x < a->features) {
        assert_int_equal(x, y);
        return;
    }
    const spf_set *s = &a->sets.sets[x - a->features], *t = &b->sets.sets[y - b->features];
    assert_int_equal(s->feature, t->feature);
    assert_int_equal(s->first, t->first);
    assert_int_equal(s->words, t->words);
    assert_memory_equal(&s->fill, &t->fill, sizeof s->fill);
    assert_memory_equal(a->sets.words + s->start, b->sets.words + t->start, s->words * 4);
}

static void assert_same_content(const spf_tree *a, const spf_tree *b) {
    assert_int_equal(a->nodes_count, b->nodes_count);
    assert_int_equal(a->leaves_count, b->leaves_count);
    for (uint32_t i = 0; i < a->nodes_count; i++) {
        const spf_node *x = &a->nodes[i], *y = &b->nodes[i];
        assert_int_equal(x->right, y->right);
        assert_memory_equal(&x->threshold, &y->threshold, sizeof x->threshold);
        if (x->right == 0) continue;
        assert_int_equal(x->content & SPF_MISSING_LEFT, y->content & SPF_MISSING_LEFT);
        uint32_t p = spf_split_projection(x), q = spf_split_projection(y);
        uint32_t from = a->projection_start[p], other = b->projection_start[q];
        uint32_t terms = a->projection_start[p + 1] - from;
        assert_int_equal(terms, b->projection_start[q + 1] - other);
        for (uint32_t i = 0; i < terms; i++)
            assert_same_feature(a, a->term_feature[from + i], b, b->term_feature[other + i]);
        assert_memory_equal(a->term_weight + from, b->term_weight + other, terms * 4);
    }
    uint32_t entries = a->leaf_start[a->leaves_count];
    assert_memory_equal(a->leaf_start, b->leaf_start, (a->leaves_count + 1) * 4);
    assert_memory_equal(a->leaf_class, b->leaf_class, entries * 4);
    assert_memory_equal(a->leaf_weight, b->leaf_weight, entries * 4);
}

static void nothing_is_lost_by_packing(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        random_shape shape = {.terms = seed % 20, .trees = seed % 40, .mixed = seed % 2};
        sporf_forest *plain = random_plain_forest(seed, &shape),
                     *packed = random_forest(seed, &shape);
        assert_int_equal(spf_packed_validate(packed), SPORF_OK);
        for (size_t t = 0; t < plain->trees_count; t++)
            assert_same_content(&plain->trees[t], plain_tree(packed, t));
        sporf_forest_free(plain);
        sporf_forest_free(packed);
    }
}

static void children_lie_behind_their_parents_the_likelier_next(void **state) {
    (void)state;
    random_shape shape = {.trees = 1, .leaves = 4000, .features = 5, .terms = 1};
    sporf_forest *forest = random_forest(3, &shape);
    const spf_packed *packed = &forest->packed;
    size_t next = 0, splits = 0;
    for (uint64_t i = 0; i < packed->nodes_count; i++) {
        const uint32_t *child = packed->nodes[i].child;
        int split = !(child[0] & SPF_REF_STOP) || !(child[1] & SPF_REF_STOP);
        splits += split;
        next += split && (child[0] == 1 || child[1] == 1);
    }
    assert_true(next * 10 > splits * 9); /* all but the top levels */
    sporf_forest_free(forest);
}

static void assert_same_file(const sporf_forest *a, const sporf_forest *b) {
    void *bytes[2] = {NULL, NULL};
    size_t size[2];
    assert_int_equal(sporf_forest_save_bytes(a, &bytes[0], &size[0]), SPORF_OK);
    assert_int_equal(sporf_forest_save_bytes(b, &bytes[1], &size[1]), SPORF_OK);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    sporf_free(bytes[0]);
    sporf_free(bytes[1]);
}

/* Trees of several bins, large enough for every thread to get some. */
static void any_number_of_threads_packs_the_same_bytes(void **state) {
    (void)state;
    static const random_shape shapes[] = {
        {.trees = 37, .leaves = 1500, .terms = 3},
        {.trees = 37, .leaves = 1500, .terms = 12},
        {.trees = 20, .leaves = 1500, .mixed = 1},
        {.trees = 18, .leaves = 1500, .chains = 1, .classes = 300},
        {.trees = 2, .leaves = 9000},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        sporf_forest *wanted = random_forest(i, &shapes[i]);
        for (unsigned threads = 2; threads <= 5; threads++) {
            sporf_forest *forest = random_plain_forest(i, &shapes[i]);
            assert_int_equal(spf_pack(forest, threads), SPORF_OK);
            assert_same_file(forest, wanted);
            sporf_forest_free(forest);
        }
        sporf_forest_free(wanted);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_forests),
        cmocka_unit_test(single_leaves),
        cmocka_unit_test(stumps),
        cmocka_unit_test(trees_of_depth_60_and_more),
        cmocka_unit_test(two_to_a_thousand_classes),
        cmocka_unit_test(projections_of_every_length),
        cmocka_unit_test(sets_of_levels),
        cmocka_unit_test(more_trees_than_a_row_takes_at_once),
        cmocka_unit_test(tables_wider_than_the_forest_is_large),
        cmocka_unit_test(blocks_of_many_rows),
        cmocka_unit_test(bytes_that_end_late),
        cmocka_unit_test(classes_in_a_table),
        cmocka_unit_test_teardown(forests_of_every_method, name_broken_case),
        cmocka_unit_test(nothing_is_lost_by_packing),
        cmocka_unit_test(children_lie_behind_their_parents_the_likelier_next),
        cmocka_unit_test(any_number_of_threads_packs_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
