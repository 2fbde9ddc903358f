/* Random valid forests. Trees are built in preorder from nothing but a number of leaves: a subtree
 * of k leaves has 2k - 1 nodes, so that right children are known before they exist. */
#include "support/random_forest.h"

#include "predict/pack.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *need(void *memory) {
    if (memory) return memory;
    fputs("random_forest: out of memory\n", stderr);
    abort();
}

static void *array(size_t count, size_t size) {
    return need(spf_alloc_zero(count, size));
}

static uint32_t between(sporf_random *random, uint32_t low, uint32_t high) {
    return low + spf_random_below(random, high - low + 1);
}

float random_value(sporf_random *random) {
    static const float special[] = {0.0f, -0.0f, 1e-42f, -1e-42f, 1e30f, -1e30f, 0x1p-126f, 3e-30f};
    switch (spf_random_below(random, 4)) {
    case 0:
        return (float)between(random, 0, 8) - 4.0f;
    case 1:
        return ((float)between(random, 0, 16) - 8.0f) * 0.5f;
    case 2:
        return (float)spf_random_normal(random);
    default:
        return special[spf_random_below(random, sizeof special / sizeof *special)];
    }
}

void random_row(sporf_random *random, float *row, size_t features) {
    for (size_t i = 0; i < features; i++) row[i] = random_value(random);
}

enum { LEVELS = 70 };

static int is_category(size_t feature) {
    return feature % 3 == 1;
}

void random_mixed_row(sporf_random *random, float *row, size_t features) {
    for (size_t i = 0; i < features; i++) {
        row[i] = is_category(i) ? (float)spf_random_below(random, LEVELS) : random_value(random);
        if (spf_random_below(random, 8) == 0) row[i] = NAN;
    }
}

static int compare_numbers(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Up to `most` distinct numbers below bound, ascending; returns how many. */
static uint32_t distinct(sporf_random *random, uint32_t most, uint32_t bound, uint32_t *numbers) {
    uint32_t drawn = between(random, 1, most < bound ? most : bound), kept = 0;
    for (uint32_t i = 0; i < drawn; i++) numbers[i] = spf_random_below(random, bound);
    qsort(numbers, drawn, sizeof *numbers, compare_numbers);
    for (uint32_t i = 0; i < drawn; i++)
        if (kept == 0 || numbers[i] != numbers[kept - 1]) numbers[kept++] = numbers[i];
    return kept;
}

static float random_weight(sporf_random *random) {
    float weight = spf_random_below(random, 2) ? 1.0f : -1.0f;
    if (spf_random_below(random, 2)) weight *= 0.01f + 0.99f * (float)spf_random_uniform(random);
    return weight;
}

typedef struct {
    sporf_random random;
    size_t features, classes, leaves, terms;
    int chains, mixed;
} builder;

/* The leaves of a split's left side. */
static uint32_t part_leaves(builder *b, int style, uint32_t leaves) {
    switch (style) {
    case 0:
        return 1;
    case 1:
        return leaves - 1;
    case 2:
        return leaves / 2;
    default:
        return between(&b->random, 1, leaves - 1);
    }
}

static spf_node *build_nodes(builder *b, spf_tree *tree) {
    uint32_t *waiting = array((size_t)tree->leaves_count + 1, sizeof *waiting), depth = 1;
    spf_node *nodes = array(tree->nodes_count, sizeof *nodes);
    int style = (int)spf_random_below(&b->random, b->chains ? 2 : 4);
    uint32_t leaf = 0, split = 0;
    waiting[0] = tree->leaves_count;
    for (uint32_t at = 0; depth > 0; at++) {
        uint32_t leaves = waiting[--depth];
        if (leaves == 1) {
            nodes[at].content = leaf++;
            continue;
        }
        uint32_t left = part_leaves(b, style, leaves);
        float threshold = random_value(&b->random) + 0.0f;
        uint32_t has_missing = spf_random_below(&b->random, 2) ? SPF_MISSING_LEFT : 0;
        nodes[at] = (spf_node){threshold, at + 2 * left, split++ | has_missing};
        waiting[depth++] = leaves - left;
        waiting[depth++] = left;
    }
    free(waiting);
    return nodes;
}

static uint32_t random_set(builder *b, spf_set_list *sets, uint32_t feature) {
    uint32_t first = spf_random_below(&b->random, LEVELS), number;
    uint32_t last = between(&b->random, first, LEVELS - 1);
    if (spf_set_list_open(sets, feature, first, last, &number) != SPORF_OK) need(NULL);
    for (uint32_t level = first; level <= last; level++)
        if (spf_random_below(&b->random, 2)) spf_set_list_put(sets, level);
    return number;
}

static uint32_t random_fill(builder *b, spf_set_list *sets, uint32_t feature) {
    uint32_t number;
    float fill = random_value(&b->random);
    if (spf_set_list_add_filled(sets, feature, fill, &number) != SPORF_OK) need(NULL);
    return number;
}

/* Sets in the place of categories, behind the features. */
static void name_sets(builder *b, spf_set_list *sets, uint32_t *feature, uint32_t terms) {
    uint32_t *drawn = array(terms, sizeof *drawn), kept = 0;
    memcpy(drawn, feature, terms * sizeof *drawn);
    for (uint32_t i = 0; i < terms; i++)
        if (!is_category(drawn[i]) && drawn[i] % 4 != 0) feature[kept++] = drawn[i];
    for (uint32_t i = 0; i < terms; i++)
        if (is_category(drawn[i]))
            feature[kept++] = (uint32_t)b->features + random_set(b, sets, drawn[i]);
        else if (drawn[i] % 4 == 0)
            feature[kept++] = (uint32_t)b->features + random_fill(b, sets, drawn[i]);
    free(drawn);
}

static void build_projections(builder *b, spf_tree *tree) {
    spf_set_list sets = {0};
    size_t room = (size_t)tree->projections_count * b->terms;
    uint32_t *start = array((size_t)tree->projections_count + 1, sizeof *start);
    uint32_t *feature = array(room, sizeof *feature);
    float *weight = array(room, sizeof *weight);
    for (uint32_t p = 0; p < tree->projections_count; p++) {
        uint32_t terms =
            distinct(&b->random, (uint32_t)b->terms, (uint32_t)b->features, feature + start[p]);
        start[p + 1] = start[p] + terms;
        for (uint32_t i = start[p]; i < start[p + 1]; i++) weight[i] = random_weight(&b->random);
        if (b->mixed) name_sets(b, &sets, feature + start[p], start[p + 1] - start[p]);
        if (terms > 0) weight[start[p]] = fabsf(weight[start[p]]);
    }
    tree->features = b->features;
    tree->sets = spf_set_list_view(&sets);
    tree->projection_start = start;
    tree->term_feature = feature;
    tree->term_weight = weight;
}

static void build_leaves(builder *b, spf_tree *tree) {
    uint32_t most = b->classes < 5 ? (uint32_t)b->classes : 5;
    uint32_t *start = array((size_t)tree->leaves_count + 1, sizeof *start);
    uint32_t *class_index = array((size_t)tree->leaves_count * most, sizeof *class_index);
    float *weight = array((size_t)tree->leaves_count * most, sizeof *weight);
    for (uint32_t k = 0; k < tree->leaves_count; k++) {
        uint32_t wanted = spf_random_below(&b->random, 2) ? 1 : most;
        uint32_t entries =
            distinct(&b->random, wanted, (uint32_t)b->classes, class_index + start[k]);
        start[k + 1] = start[k] + entries;
        for (uint32_t i = start[k]; i < start[k + 1]; i++)
            weight[i] = (float)between(&b->random, 1, 4);
    }
    tree->leaf_start = start;
    tree->leaf_class = class_index;
    tree->leaf_weight = weight;
}

static void build_tree(builder *b, spf_tree *tree) {
    uint32_t leaves = between(&b->random, 1, (uint32_t)b->leaves);
    if (spf_random_below(&b->random, 8) == 0) leaves = 1;
    if (spf_random_below(&b->random, 8) == 0) leaves = (uint32_t)b->leaves;
    *tree = (spf_tree){
        .nodes_count = 2 * leaves - 1, .projections_count = leaves - 1, .leaves_count = leaves};
    tree->nodes = build_nodes(b, tree);
    build_projections(b, tree);
    build_leaves(b, tree);
}

static void add_name(spf_strings *list, const char *prefix, size_t number) {
    char text[64];
    int length = snprintf(text, sizeof text, "%s%zu", prefix, number);
    if (spf_strings_add(list, text, (size_t)length) != SPORF_OK) need(NULL);
}

/* A level's name is its number. */
static void add_levels(sporf_forest *forest) {
    for (size_t i = 0; i < forest->features; i++) {
        spf_strings names = {0};
        if (!is_category(i)) continue;
        for (size_t k = 0; k < LEVELS; k++) add_name(&names, "", k);
        if (spf_schema_set_levels(&forest->schema, forest->features, i, SPORF_KIND_CATEGORY,
                                  &names) != SPORF_OK)
            need(NULL);
    }
}

static void add_optional_parts(builder *b, sporf_forest *forest) {
    sporf_random *random = &b->random;
    if (spf_random_below(random, 2))
        for (size_t i = 0; i < forest->features; i++) add_name(&forest->schema.names, "f ", i);
    if (spf_random_below(random, 2))
        forest->schema.label_name = need(spf_strdup("klasse \xc3\xa4"));
    for (uint32_t i = spf_random_below(random, 4); i > 0; i--) {
        add_name(&forest->settings, "setting", i);
        if (spf_strings_add(&forest->settings, "", 0) != SPORF_OK) need(NULL);
    }
    if (spf_random_below(random, 2)) {
        forest->scale = array(forest->features, sizeof *forest->scale);
        for (size_t i = 0; i < forest->features; i++)
            forest->scale[i] = 0.5f + (float)spf_random_uniform(random);
    }
    if (spf_random_below(random, 2)) {
        forest->oob_rows = between(random, 1, 1000);
        forest->oob_error = spf_random_uniform(random);
        forest->oob_score = spf_random_uniform(random);
        forest->oob_curve = array(forest->trees_count, sizeof *forest->oob_curve);
        for (size_t i = 0; i < forest->trees_count; i++)
            forest->oob_curve[i] = i < 2 ? NAN : spf_random_uniform(random);
    }
}

sporf_forest *random_plain_forest(uint64_t seed, const random_shape *shape) {
    random_shape want = shape ? *shape : (random_shape){0};
    builder b = {.random = spf_random_start(seed, 0, SPF_USE_SIMULATE),
                 .chains = want.chains,
                 .mixed = want.mixed};
    sporf_random *random = &b.random;
    sporf_forest *forest = array(1, sizeof *forest);
    forest->oob_error = forest->oob_score = NAN;
    forest->trees_count = want.trees ? want.trees : between(random, 1, 12);
    forest->features = want.features ? want.features : between(random, 1, 30);
    forest->classes = want.classes ? want.classes : between(random, 1, 12);
    b.features = forest->features;
    b.classes = forest->classes;
    b.leaves = want.leaves ? want.leaves : between(random, 1, 40);
    b.terms = want.terms ? want.terms : between(random, 1, 6);
    forest->trees = array(forest->trees_count, sizeof *forest->trees);
    for (size_t i = 0; i < forest->trees_count; i++) build_tree(&b, &forest->trees[i]);
    for (size_t i = 0; i < forest->classes; i++) add_name(&forest->schema.classes, "class ", i);
    if (want.mixed) add_levels(forest);
    if (!want.plain) add_optional_parts(&b, forest);
    return forest;
}

sporf_forest *random_forest(uint64_t seed, const random_shape *shape) {
    sporf_forest *forest = random_plain_forest(seed, shape);
    if (spf_pack(forest, 1) != SPORF_OK) need(NULL);
    return forest;
}
