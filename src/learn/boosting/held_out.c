/* Rows are sorted by class, at random within a class; every so many rows one is held out. */
#include "learn/boosting/held_out.h"

#include "base/rng.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

static uint32_t class_of(spf_row_classes classes, size_t row) {
    return classes.label ? classes.label[row] : 0;
}

/* The rows of positive weight in random order, then stably by class. keys has room for two. */
static size_t order_rows(spf_row_classes classes, const spf_row_weights *weights, uint64_t seed,
                         uint64_t order, uint64_t *keys) {
    sporf_random random = spf_random_start(spf_tree_key(seed, 0), order, SPF_USE_HOLD_OUT);
    size_t count = 0;
    for (size_t i = 0; i < classes.rows; i++) {
        uint32_t place = spf_random_word(&random);
        if (spf_row_units(weights, i) > 0) keys[count++] = (uint64_t)place << 32 | i;
    }
    spf_sort_keys(keys, keys + classes.rows, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t row = (uint32_t)keys[i];
        keys[i] = (uint64_t)class_of(classes, row) << 32 | row;
    }
    spf_sort_keys(keys, keys + classes.rows, count);
    return count;
}

static int is_hit(double share, size_t place) {
    return floor(share * (double)(place + 1)) > floor(share * (double)place);
}

/* Gives a row back if all rows of its class are held out. */
static size_t release(const uint64_t *keys, size_t begin, size_t end, uint8_t *held) {
    for (size_t i = begin; i < end; i++)
        if (!held[(uint32_t)keys[i]]) return 0;
    held[(uint32_t)keys[begin]] = 0;
    return 1;
}

static size_t hold(const uint64_t *keys, size_t count, double share, size_t bag, uint8_t *held) {
    size_t taken = 0;
    for (size_t i = 0; i < count; i++)
        if (is_hit(share, i + bag)) taken += held[(uint32_t)keys[i]] = 1;
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && keys[end] >> 32 == keys[begin] >> 32;) end++;
        taken -= release(keys, begin, end, held);
    }
    return taken;
}

sporf_status spf_hold_out(spf_row_classes classes, const spf_row_weights *weights, double share,
                          uint64_t seed, size_t bag, uint8_t *held) {
    uint64_t *keys = spf_alloc(classes.rows, 2 * sizeof *keys);
    if (!keys) return spf_raise_memory();
    memset(held, 0, classes.rows);
    uint64_t order =
        (uint64_t)floor(share * (double)bag); /* a new one once every row was held out */
    size_t count = order_rows(classes, weights, seed, order, keys);
    size_t taken = hold(keys, count, share, bag, held);
    free(keys);
    if (taken > 0) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA,
                     "%zu rows are too few to hold out a share of %g" SPF_HINT
                     "hold out none (" SPF_OPTION_AS("valid", "0") "), or give a table to stop by",
                     count, share);
}
