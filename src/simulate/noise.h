/* Standard normal noise as a function of seed, row and column. */
#ifndef SPF_SIMULATE_NOISE_H
#define SPF_SIMULATE_NOISE_H

#include "base/strings.h"

/* The noise of a row and column; it depends on nothing else but the seed. */
float spf_noise(uint64_t seed, size_t row, size_t column);

/* Appends the names noise1, noise2, ...; one that exists already is an error. */
sporf_status spf_noise_names(size_t columns, spf_strings *names);

/* Checks the number of noise columns beside `others` others. */
sporf_status spf_noise_check(size_t columns, size_t others);

#endif
