/* Random valid forests of every shape, for tests that hold for any forest. */
#ifndef TEST_RANDOM_FOREST_H
#define TEST_RANDOM_FOREST_H

#include "base/rng.h"
#include "model/forest.h"

/* What to build; 0 leaves a choice to chance. */
typedef struct random_shape {
    size_t trees, features, classes;
    size_t leaves; /* most of a tree */
    size_t terms;  /* most of a projection */
    int chains;    /* every tree is as deep as it has splits */
    int plain;     /* no optional parts: names of features and label, settings, scale, out-of-bag */
    int mixed;     /* every third feature is a category */
} random_shape;

/* The same seed and shape (NULL for all by chance) give the same forest. Free with
 * sporf_forest_free. Ends the program when memory runs out. */
sporf_forest *random_forest(uint64_t seed, const random_shape *shape);

/* The same before its trees are packed. */
sporf_forest *random_plain_forest(uint64_t seed, const random_shape *shape);

/* A value that features and thresholds share, so that equality is common: small integers and
 * halves, both zeros, denormal, large and ordinary numbers. */
float random_value(sporf_random *random);

/* Fills a row of random values. */
void random_row(sporf_random *random, float *row, size_t features);

/* The same for a mixed forest: some values are missing, and categories have levels. */
void random_mixed_row(sporf_random *random, float *row, size_t features);

#endif
