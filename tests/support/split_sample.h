/* Random nodes for the splitters, with values chosen to be awkward: repeated, both zeros, denormal,
 * next to each other, as large as a table may hold; and the truth about any cut of them, counted
 * from scratch. */
#ifndef TEST_SPLIT_SAMPLE_H
#define TEST_SPLIT_SAMPLE_H

#include "base/rng.h"
#include "learn/splitting/split.h"

/* What to draw; classes that no row gets are left out. */
typedef struct split_shape {
    size_t rows, classes;
    uint32_t heaviest; /* weight of a row */
} split_shape;

/* A node with its arrays, made once for nodes of up to so many rows and classes. */
typedef struct split_sample {
    spf_split_node node;
    uint32_t *label, *weight, *tag, *class_total;
    uint64_t *pair;
    spf_xlogx xlogx;
    spf_split_scratch scratch;
    size_t rows_max, classes_max;
} split_sample;

/* `heaviest` is the weight of any row at most. A failure ends the test. */
split_sample *split_sample_create(size_t rows, size_t classes, uint32_t heaviest);
void split_sample_free(split_sample *sample);

/* Draws labels, weights, criterion and min_leaf. */
void split_sample_draw(split_sample *sample, sporf_random *random, split_shape shape);

/* Sets tags, pairs and totals from labels below `classes` and weights, both of node.rows rows;
 * classes are numbered anew, so that each has some weight. */
void split_sample_count(split_sample *sample, size_t classes);

/* Fills a column with values of one kind, numbered from 0. */
enum { SPLIT_VALUE_KINDS = 12 };
void split_values_draw(sporf_random *random, uint32_t kind, float *values, size_t rows);

/* One cut: rows of at most `a` on the left. */
typedef struct split_truth {
    uint64_t left, right; /* weights */
    double score;         /* as split.h defines it; NaN for entropy of nodes beyond its table */
    long double gain;     /* of the criterion, in units of weight, nothing taken from the library */
} split_truth;

split_truth split_sample_cut(const split_sample *sample, const float *values, float a);

/* The gain that a score stands for. */
double split_sample_gain(const split_sample *sample, double score);

#endif
