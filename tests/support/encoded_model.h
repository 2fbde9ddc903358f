/* Forests as the bytes of model files, in memory of their own. */
#ifndef TEST_ENCODED_MODEL_H
#define TEST_ENCODED_MODEL_H

#include "io/model_file.h"
#include "support/model_checksums.h"
#include "support/random_forest.h"

static inline model encode(const sporf_forest *forest) {
    void *bytes = NULL;
    model result = {0};
    assert_int_equal(spf_model_encode(forest, &bytes, &result.size), SPORF_OK);
    result.bytes = bytes;
    return result;
}

static inline model make_model(uint64_t seed, const random_shape *shape) {
    sporf_forest *forest = random_forest(seed, shape);
    model result = encode(forest);
    sporf_forest_free(forest);
    return result;
}

#endif
