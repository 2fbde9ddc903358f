/* Random valid boosted models, for tests that hold for any of them. */
#ifndef TEST_RANDOM_BOOSTER_H
#define TEST_RANDOM_BOOSTER_H

#include "support/random_forest.h"

/* What to build. */
typedef struct booster_shape {
    spf_link link;
    size_t classes; /* at least 2 with log odds and softmax, otherwise 0 */
    size_t targets; /* at least 1 with the other links, otherwise 0 */
    size_t bags, rounds;
    size_t dropped;     /* rounds that were tried after the last one */
    size_t valid_rows;  /* held out */
    random_shape trees; /* except their number and classes */
} booster_shape;

/* Models of each link, of several sizes. */
extern const booster_shape booster_shapes[];
extern const size_t booster_shapes_count;

/* The same seed and shape give the same model. Free with sporf_forest_free. Ends the program when
 * memory runs out. */
sporf_forest *random_booster(uint64_t seed, const booster_shape *shape);

#endif
