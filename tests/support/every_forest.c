/* Forests of every kind. */
#include "support/every_forest.h"

#include "api/params.h"
#include "learn/rows/bag.h"

#include "support/check.h"

typedef struct {
    const char *name;
    data_kind kind;
    size_t rows, features, classes;
} table_case;

static const table_case tables[] = {
    {"smooth", DATA_SMOOTH, 120, 6, 3},
    {"tied", DATA_TIED, 125, 4, 2},
    {"constant columns", DATA_CONSTANT, 80, 5, 4},
    {"two rows", DATA_SMOOTH, 2, 3, 2},
    {"300 classes", DATA_NOISE, 310, 4, 300},
    {"one feature", DATA_SMOOTH, 60, 1, 2},
    {"just large enough for bins", DATA_SMOOTH, 200, 4, 2},
    {"nothing varies", DATA_CONSTANT, 20, 1, 3},
    {"mixed", DATA_MIXED, 250, 6, 2},
    {"mixed, 4 classes", DATA_MIXED, 150, 5, 4},
};

static const table_case large_tables[] = {
    {"large", DATA_SMOOTH, 8000, 18, 2},
    {"large, tied", DATA_TIED, 8000, 18, 5},
    {"large, 40 classes", DATA_NOISE, 8000, 6, 40},
    {"large, of bytes", DATA_BYTES, 8000, 70, 10},
    {"large, mixed", DATA_MIXED, 8000, 12, 2},
};

static const char *const methods[][4] = {
    {"sporf", "weights", "sign"},  {"sporf", "nonzeros", "poisson"}, {"sporf", "weights", "normal"},
    {"rf", "projections", "sqrt"}, {"rf", "projections", "p"},       {"frc", "density", "2/p"},
    {"rr-rf", "weights", "auto"},  {"ccf", "weights", "auto"},       {"patch", "patch-max", "2"},
};

static const char *const criteria[] = {"gini", "entropy"};
static const char *const splits[] = {"auto", "exact"};
static const char *const bags[] = {"bootstrap", "stratified", "subsample", "none"};
static const char *const scales[] = {"none", "sd", "range", "iqr"};

enum {
    TABLES = sizeof tables / sizeof *tables,
    LARGE_TABLES = sizeof large_tables / sizeof *large_tables,
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

typedef struct {
    const char *const *method;
    const char *criterion, *bag, *scale, *split, *threads;
} variant;

/* rr-rf and ccf need numbers everywhere. */
static int takes(const table_case *table, const char *const *method) {
    return table->kind != DATA_MIXED ||
           (strcmp(method[0], "rr-rf") != 0 && strcmp(method[0], "ccf") != 0);
}

static void run_case(const table_case *table, const sporf_dataset *data, variant v, uint32_t trees,
                     forest_law law) {
    forest_case c = {.data = data,
                     .params =
                         params_with("method", v.method[0], v.method[1], v.method[2], "criterion",
                                     v.criterion, "bag", v.bag, "scale", v.scale, "split", v.split,
                                     "seed", "7", "threads", v.threads, (char *)NULL)};
    sporf_forest *forest = NULL;
    c.params.trees = trees;
    snprintf(running, sizeof running,
             "%s: method %s, %s %s, criterion %s, bag %s, scale %s, split %s", table->name,
             v.method[0], v.method[1], v.method[2], v.criterion, v.bag, v.scale, v.split);
    assert_ok(sporf_forest_train(data, &c.params, NULL, &forest));
    law(&c, forest);
    sporf_forest_free(forest);
}

static sporf_dataset *make_table(const table_case *table, uint64_t seed) {
    return random_data(table->kind, table->rows, table->features, table->classes, seed);
}

void for_every_forest(forest_law law, uint32_t trees) {
    for (size_t t = 0; t < TABLES; t++) {
        sporf_dataset *data = make_table(&tables[t], t + 1);
        for (size_t m = 0; m < METHODS; m++)
            for (size_t k = 0; k < CASES(CRITERIA) && takes(&tables[t], methods[m]); k++)
                for (size_t b = 0; b < CASES(BAGS); b++)
                    run_case(&tables[t], data,
                             (variant){methods[m], criteria[k], bags[b],
                                       scales[(t + m + k + b) % 4], splits[(t + b) % 2], "1"},
                             trees, law);
        sporf_dataset_free(data);
    }
    running[0] = '\0';
}

void for_every_large_forest(forest_law law, uint32_t trees) {
    for (size_t t = 0; t < LARGE_TABLES; t++) {
        sporf_dataset *data = make_table(&large_tables[t], t + 1);
        for (size_t m = 0; m < METHODS; m++) {
            int slow = strcmp(methods[m][0], "ccf") == 0 && large_tables[t].features > 20;
            int left_out = IS_SANITIZED && (t + m / 2) % 2; /* each table and each method remains */
            if (slow || left_out || !takes(&large_tables[t], methods[m])) continue;
            run_case(&large_tables[t], data,
                     (variant){methods[m], criteria[(t + m) / 2 % 2], bags[(t + m) % BAGS],
                               scales[m % 4], splits[m % 3 == 1], m % 2 ? "1" : "3"},
                     trees, law);
        }
        sporf_dataset_free(data);
    }
    running[0] = '\0';
}

void bag_of_tree(const forest_case *c, uint32_t tree, uint32_t *weights) {
    spf_row_weights given;
    spf_bagger bagger;
    sporf_random random = spf_random_start(spf_tree_key(c->params.seed, tree), 1, SPF_USE_BAG);
    sporf_params params;
    assert_ok(spf_params_read(&c->params, &params));
    assert_ok(spf_row_weights_create(c->data, spf_row_classes_of(c->data), params.class_weights,
                                     params.weight_is, &given));
    double fraction = spf_bag_fraction(params.bag, params.bag_fraction);
    assert_ok(
        spf_bagger_create(spf_row_classes_of(c->data), &given, params.bag, fraction, &bagger));
    spf_bagger_draw(&bagger, &random, weights);
    spf_bagger_weigh(&bagger, weights);
    spf_bagger_free(&bagger);
    spf_row_weights_free(&given);
}

uint32_t part_bag_of_tree(const forest_case *c, uint32_t tree, uint32_t *bag,
                          uint32_t *estimation) {
    sporf_random random = spf_random_start(spf_tree_key(c->params.seed, tree), 1, SPF_USE_HONEST);
    return spf_bag_part(c->params.honest, sporf_dataset_rows(c->data), &random, bag, estimation);
}

/* Terms name the same features, and sets that hold the same. */
static int same_terms(const spf_tree *a, const spf_tree *b, size_t terms) {
    for (size_t i = 0; i < terms; i++) {
        uint32_t x = a->term_feature[i], y = b->term_feature[i];
        if (x < a->features && x == y) continue;
        if (x < a->features || y < b->features) return 0;
        const spf_set *s = &a->sets.sets[x - a->features], *t = &b->sets.sets[y - b->features];
        if (s->feature != t->feature || s->first != t->first || s->words != t->words ||
            memcmp(a->sets.words + s->start, b->sets.words + t->start, s->words * 4))
            return 0;
    }
    return 1;
}

int same_splits(const spf_tree *a, const spf_tree *b) {
    if (a->nodes_count != b->nodes_count || a->projections_count != b->projections_count ||
        a->leaves_count != b->leaves_count ||
        memcmp(a->nodes, b->nodes, a->nodes_count * sizeof *a->nodes) ||
        memcmp(a->projection_start, b->projection_start,
               (a->projections_count + 1) * sizeof *a->projection_start))
        return 0;
    size_t terms = a->projection_start[a->projections_count];
    return same_terms(a, b, terms) &&
           !memcmp(a->term_weight, b->term_weight, terms * sizeof *a->term_weight);
}

int same_tree(const spf_tree *a, const spf_tree *b) {
    if (!same_splits(a, b) ||
        memcmp(a->leaf_start, b->leaf_start, (a->leaves_count + 1) * sizeof *a->leaf_start))
        return 0;
    size_t entries = a->leaf_start[a->leaves_count];
    return !memcmp(a->leaf_class, b->leaf_class, entries * sizeof *a->leaf_class) &&
           !memcmp(a->leaf_weight, b->leaf_weight, entries * sizeof *a->leaf_weight);
}
