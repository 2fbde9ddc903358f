/* Damaged and hostile models: every fault is named, nothing crashes, hangs or leaks. */
#include "io/model_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/model_checksums.h"
#include "support/plain_tree.h"
#include "support/random_forest.h"

typedef struct {
    unsigned char *bytes;
    size_t size;
} model;

static model encode(const sporf_forest *forest) {
    void *bytes = NULL;
    model result = {0};
    assert_int_equal(spf_model_encode(forest, &bytes, &result.size), SPORF_OK);
    result.bytes = bytes;
    return result;
}

static model make_model(uint64_t seed, const random_shape *shape) {
    sporf_forest *forest = random_forest(seed, shape);
    model result = encode(forest);
    sporf_forest_free(forest);
    return result;
}

/* Nine sections: 32 bytes are free between table and first section. */
static model plain_model(void) {
    random_shape shape = {.trees = 3, .features = 5, .classes = 3, .leaves = 8, .plain = 1};
    return make_model(4, &shape);
}

static void assert_refused(const unsigned char *bytes, size_t size, const char *words) {
    sporf_forest *forest = NULL;
    assert_int_equal(spf_model_decode(bytes, size, &forest), SPORF_ERROR_MODEL);
    assert_null(forest);
    if (!strstr(sporf_last_error(), words))
        fail_msg("expected '%s' in '%s'", words, sporf_last_error());
}

static void set32(model *m, size_t at, uint32_t value) {
    memcpy(m->bytes + at, &value, sizeof value);
}

static void set64(model *m, size_t at, uint64_t value) {
    memcpy(m->bytes + at, &value, sizeof value);
}

static uint64_t get64(const model *m, size_t at) {
    uint64_t value;
    memcpy(&value, m->bytes + at, sizeof value);
    return value;
}

/* Where the table's entry for section `id` lies. */
static size_t entry_of(const model *m, uint32_t id) {
    for (size_t at = 64;; at += 32)
        if ((uint32_t)get64(m, at) == id) return at;
}

static size_t offset_of(const model *m, uint32_t id) {
    return (size_t)get64(m, entry_of(m, id) + 8);
}

/* ---- the frame ------------------------------------------------------------------------------- */

static void other_files_are_not_models(void **state) {
    (void)state;
    assert_refused((const unsigned char *)"", 0, "not a sporf model");
    assert_refused((const unsigned char *)"a,b,c\n1,2,3\n", 12, "not a sporf model");
    assert_refused((const unsigned char *)"\x89PNG\r\n\x1a\n", 8, "not a sporf model");
    assert_refused((const unsigned char *)"\x89SPORF\r\n", 8, "cut off after 8 bytes");
}

static void every_truncation_is_seen(void **state) {
    (void)state;
    model m = plain_model();
    for (size_t size = 0; size < m.size; size++) {
        unsigned char *part = malloc(size ? size : 1);
        memcpy(part, m.bytes, size);
        assert_refused(part, size, size < 1 ? "not a sporf model" : "cut off");
        free(part);
    }
    free(m.bytes);
}

static void a_newer_version_is_named(void **state) {
    (void)state;
    model m = plain_model();
    set32(&m, 16, 2);
    fix_model_checksums(m.bytes, m.size);
    assert_refused(m.bytes, m.size, "format version 2");
    assert_refused(m.bytes, m.size, "newer version");
    free(m.bytes);
}

/* Changes 4 bytes of a fresh model, mends the checksums, and looks for words in the refusal. */
static void assert_change_refused(size_t at, uint32_t value, const char *words) {
    model m = plain_model();
    set32(&m, at, value);
    fix_model_checksums(m.bytes, m.size);
    assert_refused(m.bytes, m.size, words);
    assert_non_null(strstr(sporf_last_error(), "train the model again"));
    free(m.bytes);
}

static void the_header_is_checked(void **state) {
    (void)state;
    model m = plain_model();
    set64(&m, 8, get64(&m, 8) + 1);
    assert_refused(m.bytes, m.size, "checksum of the header");
    free(m.bytes);
    assert_change_refused(20, 1000000, "section table does not fit");
    assert_change_refused(32, 0, "0 trees");
    assert_change_refused(36, 1, "trees");
    assert_change_refused(40, 0, "0 features");
    assert_change_refused(44, 1, "features");
    assert_change_refused(48, 0, "0 classes");
    assert_change_refused(52, 1, "classes");
    assert_change_refused(56, 1, "reserved");
}

static void the_section_table_is_checked(void **state) {
    (void)state;
    model m = plain_model();
    size_t nodes = entry_of(&m, 8), last = entry_of(&m, 14);
    assert_change_refused(nodes, 1, "not in order");
    assert_change_refused(nodes, 7, "not in order");
    assert_change_refused(nodes + 4, 1, "section 8 has unknown flags");
    assert_change_refused(nodes + 8, (uint32_t)offset_of(&m, 8) + 4, "section 8 is not aligned");
    assert_change_refused(nodes + 8, (uint32_t)offset_of(&m, 7), "section 8 overlaps");
    assert_change_refused(nodes + 8, 64, "section 8 overlaps");
    assert_change_refused(nodes + 12, 1, "section 8 reaches beyond the end");
    assert_change_refused(nodes + 20, UINT32_MAX, "section 8 reaches beyond the end");
    assert_change_refused(offset_of(&m, 1) - 4, 1, "padding before section 1");
    assert_change_refused(last + 16, 4, "bytes follow the last section");
    assert_change_refused(last, 15, "section 15 needs a newer version");
    assert_change_refused(last, 0x80000001u, "leaf weights is missing");
    free(m.bytes);
}

static void a_wrong_section_checksum_names_the_section(void **state) {
    (void)state;
    model m = plain_model();
    m.bytes[offset_of(&m, 11)] ^= 1;
    assert_refused(m.bytes, m.size, "section 11 (term weights)");
    free(m.bytes);
}

/* Appends a section of 3 bytes with the given id. */
static model with_extra_section(uint32_t id) {
    model m = plain_model();
    size_t offset = (m.size + 63) / 64 * 64, end = offset_of(&m, 1) - 32;
    model grown = {calloc(offset + 3, 1), offset + 3};
    memcpy(grown.bytes, m.bytes, m.size);
    memcpy(grown.bytes + offset, "new", 3);
    set32(&grown, 20, 10);
    set32(&grown, end, id);
    set64(&grown, end + 8, offset);
    set64(&grown, end + 16, 3);
    fix_model_checksums(grown.bytes, grown.size);
    free(m.bytes);
    return grown;
}

static void an_unknown_section_is_skipped_only_if_it_says_so(void **state) {
    (void)state;
    sporf_forest *forest = NULL;
    model skippable = with_extra_section(0x80000001u), binding = with_extra_section(99);
    assert_int_equal(spf_model_decode(skippable.bytes, skippable.size, &forest), SPORF_OK);
    assert_refused(binding.bytes, binding.size, "section 99 needs a newer version");
    skippable.bytes[skippable.size - 1] ^= 1;
    assert_refused(skippable.bytes, skippable.size, "checksum of section 2147483649");
    sporf_forest_free(forest);
    free(skippable.bytes);
    free(binding.bytes);
}

/* ---- sections -------------------------------------------------------------------------------- */

static void strings_are_checked(void **state) {
    (void)state;
    model m = plain_model();
    size_t names = offset_of(&m, 1); /* count 3, offsets 0 8 16 24, "class 0\0..." */
    assert_int_equal(get64(&m, names), 3);
    assert_change_refused(names, 0, "class names do not fit");
    assert_change_refused(names, 1000, "class names do not fit");
    assert_change_refused(names + 4, 0x80000000u, "class names do not fit");
    assert_change_refused(names + 8, 1, "class names do not fill");
    assert_change_refused(names + 32, 25, "class names do not fill");
    assert_change_refused(names + 16, 0, "string 0 of the class names has no proper place");
    assert_change_refused(names + 16, 17, "string 0 of the class names is not closed");
    assert_change_refused(names + 20, 1, "string 0 of the class names has no proper place");
    assert_change_refused(names + 40, 0x00616161, "string 0 of the class names is not closed");
    assert_change_refused(names + 44, 0x61616161, "string 0 of the class names is not closed");
    assert_change_refused(48, 4, "3 class names for 4 classes");
    free(m.bytes);
}

static void the_tree_table_is_checked(void **state) {
    (void)state;
    model m = plain_model();
    size_t table = offset_of(&m, 7);
    assert_change_refused(32, 4, "does not have 4 entries");
    for (size_t field = 0; field < 40; field += 8) {
        assert_change_refused(table + 64 + field, 0, "tree 1: its parts");
        assert_change_refused(table + field + 4, 0x80000000u, "tree 0: its parts");
    }
    for (size_t field = 40; field < 60; field += 4)
        assert_change_refused(table + field, UINT32_MAX, "tree 0: its parts");
    assert_change_refused(table + 60, 1, "tree 0: a reserved field");
    assert_change_refused(entry_of(&m, 14) + 16, (uint32_t)(m.size - offset_of(&m, 14)) - 1,
                          "bytes follow");
    free(m.bytes);
}

static void trees_are_validated(void **state) {
    (void)state;
    model m = plain_model();
    size_t nodes = offset_of(&m, 8);
    assert_change_refused(nodes, 0x7f800000u, "tree 0: node 0");
    assert_change_refused(offset_of(&m, 10), 5, "uses feature 5 of 5");
    assert_change_refused(offset_of(&m, 14), 0, "class weight 0");
    free(m.bytes);
}

static void elements_beyond_the_last_tree_are_refused(void **state) {
    (void)state;
    model m = plain_model();
    model longer = {calloc(m.size + 4, 1), m.size + 4};
    memcpy(longer.bytes, m.bytes, m.size);
    size_t size = entry_of(&m, 14) + 16;
    set64(&longer, size, get64(&m, size) + 4);
    fix_model_checksums(longer.bytes, longer.size);
    assert_refused(longer.bytes, longer.size, "more leaf weights than the trees have");
    set64(&longer, size, get64(&m, size) + 2);
    fix_model_checksums(longer.bytes, longer.size - 2);
    assert_refused(longer.bytes, longer.size - 2, "leaf weights end in the middle");
    free(longer.bytes);
    free(m.bytes);
}

/* ---- random damage --------------------------------------------------------------------------- */

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

static model realistic_model(void) {
    random_shape shape = {.trees = 20, .features = 40, .classes = 7, .leaves = 60, .terms = 5};
    for (uint64_t seed = 0;; seed++) {
        model m = make_model(seed, &shape);
        if (m.bytes[20] == 14) return m; /* it has every optional section */
        free(m.bytes);
    }
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
            assert_refused(copy.bytes, copy.size, "model");
            counts[kind]++;
            done++;
        }
        free(copy.bytes);
    }
    for (int kind = 0; kind < DAMAGES; kind++) assert_true(counts[kind] > 50);
    free(m.bytes);
}

/* What loads is a valid forest: it can be walked, and saved and loaded again. */
static void use(const sporf_forest *forest, sporf_random *random) {
    if (forest->features > 100000) return;
    float *row = calloc(forest->features, sizeof *row);
    double *totals = calloc(forest->classes, sizeof *totals);
    random_row(random, row, forest->features);
    for (size_t t = 0; t < forest->trees_count; t++) {
        uint32_t leaf = spf_tree_walk_row(plain_tree(forest, t), row);
        assert_true(spf_leaf_vote(plain_tree(forest, t), leaf) < forest->classes);
        spf_leaf_add_posterior(plain_tree(forest, t), leaf, totals);
    }
    model again = encode(forest);
    sporf_forest *copy = NULL;
    assert_int_equal(spf_model_decode(again.bytes, again.size, &copy), SPORF_OK);
    sporf_forest_free(copy);
    free(again.bytes);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_files_are_not_models),
        cmocka_unit_test(every_truncation_is_seen),
        cmocka_unit_test(a_newer_version_is_named),
        cmocka_unit_test(the_header_is_checked),
        cmocka_unit_test(the_section_table_is_checked),
        cmocka_unit_test(a_wrong_section_checksum_names_the_section),
        cmocka_unit_test(an_unknown_section_is_skipped_only_if_it_says_so),
        cmocka_unit_test(strings_are_checked),
        cmocka_unit_test(the_tree_table_is_checked),
        cmocka_unit_test(trees_are_validated),
        cmocka_unit_test(elements_beyond_the_last_tree_are_refused),
        cmocka_unit_test(a_thousand_corruptions_are_all_refused),
        cmocka_unit_test(corruptions_behind_right_checksums_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
