/* Noise: numbers from N(0, 1) by their place. */
#ifndef SPF_SIMULATE_NOISE_H
#define SPF_SIMULATE_NOISE_H

#include "base/strings.h"

/* The value at a row and a column of noise: of nothing but these and the seed. */
float spf_noise(uint64_t seed, size_t row, size_t column);

/* Appends the names of noise columns, noise1 and so on; one that is there already is an error. */
sporf_status spf_noise_names(size_t columns, spf_strings *names);

/* Raises what makes a number of noise columns unusable beside so many others. */
sporf_status spf_noise_check(size_t columns, size_t others);

#endif
