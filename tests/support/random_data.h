/* Random labelled tables for tests of training. */
#ifndef TEST_RANDOM_DATA_H
#define TEST_RANDOM_DATA_H

#include "sporf.h"

typedef enum data_kind {
    DATA_SMOOTH,   /* continuous; classes overlap and depend on sums of features */
    DATA_TIED,     /* small whole numbers: equal rows with different labels */
    DATA_CONSTANT, /* as smooth, but every second column is constant */
    DATA_NOISE,    /* continuous, labels by chance */
    DATA_BYTES,    /* as smooth, but in whole numbers from 0 to 255 */
    DATA_MIXED,    /* as smooth, but every second column is a category, and values are missing */
} data_kind;

/* The same arguments give the same table. Every class occurs if there are rows enough. Ends the
 * test when memory runs out. Free with sporf_dataset_free. */
sporf_dataset *random_data(data_kind kind, size_t rows, size_t features, size_t classes,
                           uint64_t seed);

/* The same with numbers to predict in the place of classes. */
sporf_dataset *with_targets(data_kind kind, size_t rows, size_t features, size_t targets,
                            uint64_t seed);

/* Gives data so many targets, each of a value for every row. */
void set_targets(sporf_dataset *data, const float *values, size_t targets);

/* Gives rows weights of 0 to 4 steps, in turn. */
void weigh_rows(sporf_dataset *data, double step);

/* One of the paper's problems. */
sporf_dataset *simulated(const char *problem, size_t rows, size_t features, uint64_t seed);

/* Trains with options as text, "method", "rf", ..., NULL; a failure ends the test. */
sporf_forest *train_with(const sporf_dataset *data, ...);

/* The paper's settings (d = p, lambda = 3/p, pure leaves, raw units) in the place of those that the
 * library chooses. params_with and train_with start from them. */
void plain_params(sporf_params *params);

/* Parameters from options as text, likewise. */
sporf_params params_with(const char *first, ...);

#endif
