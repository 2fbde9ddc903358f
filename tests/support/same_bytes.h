/* Forests as the bytes of their files, and whether two are the same. */
#ifndef TEST_SAME_BYTES_H
#define TEST_SAME_BYTES_H

#include "support/check.h"

typedef struct {
    void *bytes;
    size_t size;
} image;

static inline image image_of(const sporf_forest *forest) {
    image i = {0};
    assert_ok(sporf_forest_save_bytes(forest, &i.bytes, &i.size));
    return i;
}

static inline void assert_same_bytes(const sporf_forest *a, const sporf_forest *b) {
    image x = image_of(a), y = image_of(b);
    assert_int_equal(x.size, y.size);
    assert_memory_equal(x.bytes, y.bytes, x.size);
    sporf_free(x.bytes);
    sporf_free(y.bytes);
}

/* What is kept beside the file: votes, and predictions of numbers. */
static inline void assert_same_oob(const sporf_forest *a, const sporf_forest *b) {
    sporf_oob x, y;
    sporf_forest_oob(a, &x);
    sporf_forest_oob(b, &y);
    assert_int_equal(x.training_rows, y.training_rows);
    assert_int_equal(!x.votes, !y.votes);
    if (x.votes)
        assert_memory_equal(x.votes, y.votes,
                            x.training_rows * sporf_forest_classes(a) * sizeof *x.votes);
    assert_int_equal(!x.predictions, !y.predictions);
    if (x.predictions)
        assert_memory_equal(x.predictions, y.predictions,
                            x.training_rows * sporf_forest_targets(a) * sizeof *x.predictions);
}

#endif
