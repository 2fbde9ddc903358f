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
    size_t rows, others, targets = sporf_forest_targets(a);
    sporf_forest_oob(a, &x);
    sporf_forest_oob(b, &y);
    assert_int_equal(x.votes_rows, y.votes_rows);
    assert_int_equal(!x.votes, !y.votes);
    if (x.votes)
        assert_memory_equal(x.votes, y.votes,
                            x.votes_rows * sporf_forest_classes(a) * sizeof *x.votes);
    const double *said = sporf_forest_oob_predictions(a, &rows);
    const double *other = sporf_forest_oob_predictions(b, &others);
    assert_int_equal(rows, others);
    assert_int_equal(!said, !other);
    if (said) assert_memory_equal(said, other, rows * targets * sizeof *said);
}

#endif
