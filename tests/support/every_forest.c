/* Forests of every kind. */
#include "support/every_forest.h"

#include "learn/bag.h"

#include "support/check.h"

typedef struct {
    const char *name;
    data_kind kind;
    size_t rows, features, classes;
} table_case;

static const table_case tables[] = {
    {"smooth", DATA_SMOOTH, 120, 6, 3},
    {"tied", DATA_TIED, 150, 4, 2},
    {"constant columns", DATA_CONSTANT, 80, 5, 4},
    {"two rows", DATA_SMOOTH, 2, 3, 2},
    {"300 classes", DATA_NOISE, 310, 4, 300},
    {"one feature", DATA_SMOOTH, 60, 1, 2},
    {"nothing varies", DATA_CONSTANT, 20, 1, 3},
};

static const char *const methods[][4] = {
    {"sporf", "weights", "sign"},  {"sporf", "nonzeros", "poisson"}, {"sporf", "weights", "normal"},
    {"rf", "projections", "sqrt"}, {"rf", "projections", "p"},       {"frc", "density", "2/p"},
    {"rr-rf", "weights", "auto"},  {"ccf", "weights", "auto"},       {"patch", "patch-max", "2"},
};

static const char *const criteria[] = {"gini", "entropy"};
static const char *const bags[] = {"bootstrap", "stratified", "subsample", "none"};
static const char *const scales[] = {"none", "sd", "range", "iqr"};

enum {
    TABLES = sizeof tables / sizeof *tables,
    METHODS = sizeof methods / sizeof *methods,
    CRITERIA = 2,
    BAGS = 4
};

static char running[256];

int name_broken_case(void **state) {
    (void)state;
    if (running[0]) print_error("the case was: %s\n", running);
    running[0] = '\0';
    return 0;
}

static void run_case(const table_case *table, const sporf_dataset *data, const char *const *method,
                     const char *criterion, const char *bag, const char *scale, uint32_t trees,
                     forest_law law) {
    forest_case c = {.data = data,
                     .params = params_with("method", method[0], method[1], method[2], "criterion",
                                           criterion, "bag", bag, "scale", scale, "seed", "7",
                                           "threads", "1", (char *)NULL)};
    sporf_forest *forest = NULL;
    c.params.trees = trees;
    snprintf(running, sizeof running, "%s: method %s, %s %s, criterion %s, bag %s, scale %s",
             table->name, method[0], method[1], method[2], criterion, bag, scale);
    assert_ok(sporf_forest_train(data, &c.params, NULL, &forest));
    law(&c, forest);
    sporf_forest_free(forest);
}

void for_every_forest(forest_law law, uint32_t trees) {
    for (size_t t = 0; t < TABLES; t++) {
        sporf_dataset *data = random_data(tables[t].kind, tables[t].rows, tables[t].features,
                                          tables[t].classes, t + 1);
        for (size_t m = 0; m < METHODS; m++)
            for (size_t k = 0; k < CRITERIA; k++)
                for (size_t b = 0; b < BAGS; b++)
                    run_case(&tables[t], data, methods[m], criteria[k], bags[b],
                             scales[(t + m + k + b) % 4], trees, law);
        sporf_dataset_free(data);
    }
    running[0] = '\0';
}

void bag_of_tree(const forest_case *c, uint32_t tree, uint32_t *weights) {
    spf_bagger bagger;
    sporf_random random = spf_random_start(spf_tree_key(c->params.seed, tree), 1, SPF_USE_BAG);
    assert_ok(spf_bagger_create(c->data, c->params.bag, c->params.bag_fraction, &bagger));
    spf_bagger_draw(&bagger, &random, weights);
    spf_bagger_free(&bagger);
}

int same_tree(const spf_tree *a, const spf_tree *b) {
    if (a->nodes_count != b->nodes_count || a->projections_count != b->projections_count ||
        a->leaves_count != b->leaves_count ||
        memcmp(a->nodes, b->nodes, a->nodes_count * sizeof *a->nodes) ||
        memcmp(a->projection_start, b->projection_start,
               (a->projections_count + 1) * sizeof *a->projection_start) ||
        memcmp(a->leaf_start, b->leaf_start, (a->leaves_count + 1) * sizeof *a->leaf_start))
        return 0;
    size_t terms = a->projection_start[a->projections_count],
           entries = a->leaf_start[a->leaves_count];
    return !memcmp(a->term_feature, b->term_feature, terms * sizeof *a->term_feature) &&
           !memcmp(a->term_weight, b->term_weight, terms * sizeof *a->term_weight) &&
           !memcmp(a->leaf_class, b->leaf_class, entries * sizeof *a->leaf_class) &&
           !memcmp(a->leaf_weight, b->leaf_weight, entries * sizeof *a->leaf_weight);
}
