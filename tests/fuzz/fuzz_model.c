/* libFuzzer target for model files. Each input is decoded as it is, and again with its checksums
 * mended so that what lies behind them is reached. Whatever loads must be fit for use. */
#include "io/model_file.h"

#include <stdlib.h>
#include <string.h>

#include "support/model_checksums.h"
#include "support/plain_tree.h"

enum { FEATURES_MAX = 1 << 16 };

static void require(int condition) {
    if (!condition) abort();
}

static void walk(const sporf_forest *forest, float value) {
    static float row[FEATURES_MAX];
    double *totals = calloc(forest->classes, sizeof *totals);
    require(totals != NULL);
    for (size_t i = 0; i < forest->features; i++) row[i] = i % 3 ? value : -value;
    for (size_t t = 0; t < forest->trees_count; t++) {
        uint32_t leaf = spf_tree_walk_row(plain_tree(forest, t), row);
        require(spf_leaf_vote(plain_tree(forest, t), leaf) < forest->classes);
        spf_leaf_add_posterior(plain_tree(forest, t), leaf, totals);
    }
    require(spf_argmax(totals, forest->classes) < forest->classes);
    free(totals);
}

/* A forest that loads is saved and loaded again, and the second save has the bytes of the first. */
static void save_twice(const sporf_forest *forest) {
    sporf_forest *copy = NULL;
    void *first = NULL, *second = NULL;
    size_t first_size = 0, second_size = 0;
    require(spf_model_encode(forest, &first, &first_size) == SPORF_OK);
    require(spf_model_decode(first, first_size, &copy) == SPORF_OK);
    require(spf_model_encode(copy, &second, &second_size) == SPORF_OK);
    require(first_size == second_size && memcmp(first, second, first_size) == 0);
    sporf_forest_free(copy);
    free(first);
    free(second);
}

static void decode(const void *bytes, size_t size) {
    static const float values[] = {0, 1, -2.5f, 1e30f};
    sporf_forest *forest = NULL;
    sporf_status status = spf_model_decode(bytes, size, &forest);
    require(status == SPORF_OK || (status == SPORF_ERROR_MODEL && !forest));
    if (status != SPORF_OK) return;
    if (forest->features <= FEATURES_MAX)
        for (int i = 0; i < 4; i++) walk(forest, values[i]);
    save_twice(forest);
    sporf_forest_free(forest);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) return 0;
    memcpy(copy, data, size);
    decode(data, size);
    fix_model_checksums(copy, size);
    decode(copy, size);
    free(copy);
    return 0;
}
