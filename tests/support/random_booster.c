/* Random forests whose leaves hold one value each, with what makes boosted models of them. */
#include "support/random_booster.h"

#include "predict/pack.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TREES(...)                                                                                 \
    { .plain = 1, __VA_ARGS__ }

const booster_shape booster_shapes[] = {
    {SPF_LINK_NONE, 0, 1, 1, 5, 0, 0, TREES(.features = 3, .leaves = 8)},
    {SPF_LINK_NONE, 0, 3, 2, 4, 2, 70, TREES(.features = 6, .leaves = 12, .terms = 12)},
    {SPF_LINK_LOG, 0, 1, 3, 7, 1, 9, TREES(.features = 2, .leaves = 5)},
    {SPF_LINK_LOG, 0, 2, 1, 1, 0, 0, TREES(.features = 9, .leaves = 20, .mixed = 1)},
    {SPF_LINK_LOG_ODDS, 2, 0, 1, 300, 3, 11, TREES(.features = 5, .leaves = 6)},
    {SPF_LINK_LOG_ODDS, 2, 0, 4, 6, 0, 0, TREES(.features = 7, .leaves = 30, .mixed = 1)},
    {SPF_LINK_SOFTMAX, 2, 0, 1, 3, 0, 0, TREES(.features = 3, .leaves = 4)},
    {SPF_LINK_SOFTMAX, 3, 0, 2, 9, 4, 100, TREES(.features = 8, .leaves = 16, .terms = 3)},
    {SPF_LINK_SOFTMAX, 11, 0, 1, 2, 0, 1, TREES(.features = 4, .leaves = 1)},
};

const size_t booster_shapes_count = sizeof booster_shapes / sizeof *booster_shapes;

static void *need(void *memory) {
    if (memory) return memory;
    fputs("random_booster: out of memory\n", stderr);
    abort();
}

static void add_names(spf_strings *list, const char *prefix, size_t count) {
    spf_strings_free(list);
    for (size_t i = 0; i < count; i++) {
        char text[32];
        int length = snprintf(text, sizeof text, "%s%zu", prefix, i);
        if (spf_strings_add(list, text, (size_t)length) != SPORF_OK) need(NULL);
    }
}

static double *random_numbers(sporf_random *random, size_t count) {
    double *numbers = need(spf_alloc(count, sizeof *numbers));
    for (size_t i = 0; i < count; i++) numbers[i] = spf_random_normal(random);
    return numbers;
}

static void add_values(sporf_random *random, spf_tree *tree) {
    float *values = need(spf_alloc(tree->leaves_count, sizeof *values));
    for (uint32_t k = 0; k < tree->leaves_count; k++) values[k] = (float)spf_random_normal(random);
    tree->leaf_value = values;
}

/* Random forests may have out-of-bag results. */
static void drop_oob(sporf_forest *forest) {
    free(forest->oob_curve);
    forest->oob_curve = NULL;
    forest->oob_rows = 0;
    forest->oob_error = forest->oob_score = NAN;
}

static size_t outputs_of(const booster_shape *shape) {
    if (shape->targets > 0) return shape->targets;
    return shape->link == SPF_LINK_LOG_ODDS ? 1 : shape->classes;
}

static void add_boosting(sporf_random *random, const booster_shape *shape, sporf_forest *forest) {
    spf_boosting *boosting = &forest->boosting;
    *boosting = (spf_boosting){.link = shape->link,
                               .outputs = outputs_of(shape),
                               .bags = shape->bags,
                               .valid_rows = shape->valid_rows,
                               .tried = shape->rounds + shape->dropped};
    boosting->base = random_numbers(random, boosting->outputs);
    boosting->losses = random_numbers(random, spf_boosting_losses(boosting));
}

sporf_forest *random_booster(uint64_t seed, const booster_shape *shape) {
    sporf_random random = spf_random_start(seed, 3, SPF_USE_SIMULATE);
    random_shape trees = shape->trees;
    trees.trees = outputs_of(shape) * shape->bags * shape->rounds;
    trees.classes = 1;
    sporf_forest *forest = random_plain_forest(seed, &trees);
    for (size_t t = 0; t < forest->trees_count; t++) add_values(&random, &forest->trees[t]);
    forest->targets = shape->targets;
    forest->classes = shape->targets > 0 ? 1 : shape->classes;
    add_names(&forest->schema.classes, "class ", forest->classes);
    add_names(&forest->schema.target_names, "target ", forest->targets);
    drop_oob(forest);
    add_boosting(&random, shape, forest);
    if (spf_pack(forest, 1) != SPORF_OK) need(NULL);
    return forest;
}
