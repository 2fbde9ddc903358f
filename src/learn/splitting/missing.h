/* Missing values of candidates. All rows of a node without a projected value go to one side, and
 * both sides are tried: filled with a number below all others they go left with any cut, with one
 * above all others right. Splitters need not know.
 *
 * A candidate with a single term is missing if its feature is. In sums of several terms the column
 * mean replaces a missing number (model/sets.h), except for samplers that do not draw slots, such
 * as patch: there the sum is missing if a term is. */
#ifndef SPF_LEARN_SPLITTING_MISSING_H
#define SPF_LEARN_SPLITTING_MISSING_H

#include <stddef.h>

typedef enum spf_missing_side {
    SPF_MISSING_NONE,
    SPF_MISSING_GO_LEFT,
    SPF_MISSING_GO_RIGHT
} spf_missing_side;

int spf_missing_exist(const float *values, size_t count);

/* Fills in the missing values for one side. Returns 0 if all values are missing. */
int spf_missing_fill(float *values, size_t count, spf_missing_side side);

/* The number that does it, for values in that range. */
float spf_missing_fill_of(float low, float high, spf_missing_side side);

/* Puts missing values left of every threshold; without it they are right of it. */
void spf_missing_send_left(float *values, size_t count);

/* The threshold to store for one found with missing values filled in: a cut that separates missing
 * from all other values must do so for new values, too. */
float spf_missing_threshold(const float *values, size_t count, spf_missing_side side,
                            float threshold);

/* The same for values in that range. */
float spf_missing_threshold_of(float low, float high, spf_missing_side side, float threshold);

#endif
