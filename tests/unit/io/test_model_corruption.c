/* Models damaged at random: nothing crashes, hangs or leaks, and what loads is fit for use. */
#include "io/model_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "predict/predict.h"
#include "support/encoded_model.h"
#include "support/mutate_model.h"
#include "support/plain_tree.h"

static model realistic_model(void) {
    random_shape shape = {.trees = 20, .features = 40, .classes = 7, .leaves = 60, .terms = 12};
    for (uint64_t seed = 0;; seed++) {
        model m = make_model(seed, &shape);
        if (m.bytes[20] == 15) return m; /* it has every optional section */
        free(m.bytes);
    }
}

static size_t place(sporf_random *random, size_t size) {
    return (size_t)spf_random_below64(random, size);
}

static void flip_bit(sporf_random *random, model *m) {
    m->bytes[place(random, m->size)] ^= (unsigned char)(1u << spf_random_below(random, 8));
}

static void change_bytes(sporf_random *random, model *m) {
    for (uint32_t n = 1 + spf_random_below(random, 8); n > 0; n--)
        m->bytes[place(random, m->size)] = (unsigned char)spf_random_below(random, 256);
}

static void change_word(sporf_random *random, model *m) {
    static const uint32_t words[] = {0,          1,          2,          3,         64,
                                     0x7fffffff, 0x80000000, UINT32_MAX, 0x7fc00000};
    uint32_t word = words[spf_random_below(random, sizeof words / sizeof *words)];
    memcpy(m->bytes + place(random, m->size / 4) * 4, &word, sizeof word);
}

static void cut(sporf_random *random, model *m) {
    m->size = place(random, m->size);
}

static void extend(sporf_random *random, model *m) {
    size_t more = 1 + place(random, 256);
    m->bytes = realloc(m->bytes, m->size + more);
    for (size_t i = 0; i < more; i++)
        m->bytes[m->size + i] = (unsigned char)(more % 2 ? 0 : spf_random_below(random, 256));
    m->size += more;
}

static void swap_blocks(sporf_random *random, model *m) {
    enum { BLOCK = 16 };
    unsigned char kept[BLOCK];
    size_t a = place(random, m->size / BLOCK) * BLOCK, b = place(random, m->size / BLOCK) * BLOCK;
    memcpy(kept, m->bytes + a, BLOCK);
    memcpy(m->bytes + a, m->bytes + b, BLOCK);
    memcpy(m->bytes + b, kept, BLOCK);
}

static void (*const damages[])(sporf_random *, model *) = {flip_bit, change_bytes, change_word,
                                                           cut,      extend,       swap_blocks};
enum { DAMAGES = sizeof damages / sizeof *damages };

/* A damaged copy, in memory of exactly its size. */
static model damaged(sporf_random *random, const model *m, int kind) {
    model copy = {malloc(m->size), m->size};
    memcpy(copy.bytes, m->bytes, m->size);
    damages[kind](random, &copy);
    copy.bytes = realloc(copy.bytes, copy.size ? copy.size : 1);
    return copy;
}

static void a_thousand_corruptions_are_all_refused(void **state) {
    (void)state;
    model m = realistic_model();
    sporf_random random = spf_random_start(1, 0, SPF_USE_SIMULATE);
    int counts[DAMAGES] = {0};
    for (int done = 0; done < 1000;) {
        int kind = (int)spf_random_below(&random, DAMAGES);
        model copy = damaged(&random, &m, kind);
        if (copy.size != m.size || memcmp(copy.bytes, m.bytes, m.size) != 0) {
            sporf_forest *forest = NULL;
            assert_int_equal(spf_model_decode(copy.bytes, copy.size, &forest), SPORF_ERROR_MODEL);
            assert_null(forest);
            assert_non_null(strstr(sporf_last_error(), "model"));
            counts[kind]++;
            done++;
        }
        free(copy.bytes);
    }
    for (int kind = 0; kind < DAMAGES; kind++) assert_true(counts[kind] > 50);
    free(m.bytes);
}

/* What loads is a valid forest: it can be walked, packed as plain, and saved and loaded again. */
static void use(const sporf_forest *forest, sporf_random *random) {
    if (forest->features > 100000) return;
    float *row = calloc(forest->features, sizeof *row);
    double *totals = calloc(forest->classes, sizeof *totals);
    double *packed = calloc(forest->classes, sizeof *packed);
    random_row(random, row, forest->features);
    for (size_t t = 0; t < forest->trees_count; t++) {
        uint32_t leaf = spf_tree_walk_row(plain_tree(forest, t), row);
        assert_true(spf_leaf_vote(plain_tree(forest, t), leaf) < forest->classes);
        spf_leaf_add_posterior(plain_tree(forest, t), leaf, totals);
    }
    for (size_t k = 0; k < forest->classes; k++) totals[k] /= (double)forest->trees_count;
    assert_true(spf_predict_row(
        forest, row, spf_combining_of(forest, SPORF_COMBINE_POSTERIORS, SPORF_CALIBRATE_NONE),
        packed));
    assert_memory_equal(packed, totals, forest->classes * sizeof *totals);
    model again = encode(forest);
    sporf_forest *copy = NULL;
    assert_int_equal(spf_model_decode(again.bytes, again.size, &copy), SPORF_OK);
    sporf_forest_free(copy);
    free(again.bytes);
    free(packed);
    free(totals);
    free(row);
}

static void corruptions_behind_right_checksums_do_no_harm(void **state) {
    (void)state;
    sporf_random random = spf_random_start(2, 0, SPF_USE_SIMULATE);
    model realistic = realistic_model();
    int refused = 0, loaded = 0;
    for (int i = 0; i < 4000; i++) {
        model small = make_model((uint64_t)i, NULL), m = i % 2 ? realistic : small;
        model copy = damaged(&random, &m, (int)spf_random_below(&random, DAMAGES));
        sporf_forest *forest = NULL;
        fix_model_checksums(copy.bytes, copy.size);
        sporf_status status = spf_model_decode(copy.bytes, copy.size, &forest);
        if (status == SPORF_OK) {
            use(forest, &random);
            loaded++;
        } else {
            assert_int_equal(status, SPORF_ERROR_MODEL);
            refused++;
        }
        sporf_forest_free(forest);
        free(copy.bytes);
        free(small.bytes);
    }
    free(realistic.bytes);
    if (refused < 100 || loaded < 100) fail_msg("%d refused, %d loaded", refused, loaded);
}

/* Sections dropped, emptied, doubled, resized and exchanged; counts and names changed. */
static void changes_of_the_structure_do_no_harm(void **state) {
    (void)state;
    sporf_random random = spf_random_start(3, 0, SPF_USE_SIMULATE);
    uint64_t dice = 1;
    int refused = 0, loaded = 0;
    for (int i = 0; i < 4000; i++) {
        model m = make_model((uint64_t)i % 50, NULL);
        sporf_forest *forest = NULL;
        mutate_model(&m, &dice);
        sporf_status status = spf_model_decode(m.bytes, m.size, &forest);
        assert_true(status == SPORF_OK || status == SPORF_ERROR_MODEL);
        if (status == SPORF_OK) use(forest, &random);
        loaded += status == SPORF_OK;
        refused += status != SPORF_OK;
        sporf_forest_free(forest);
        free(m.bytes);
    }
    assert_true(refused > 2000 && loaded > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_corruptions_are_all_refused),
        cmocka_unit_test(changes_of_the_structure_do_no_harm),
        cmocka_unit_test(corruptions_behind_right_checksums_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
