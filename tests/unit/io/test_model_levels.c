/* Models of tables with categories: damage to kinds, levels and sets is named, in files that are
 * opened unread, too; and the fuzzer starts from such files. */
#include "io/model_file.h"
#include "io/model_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/encoded_model.h"

enum { KINDS = 17, LEVEL_NAMES, SETS, SET_WORDS };
enum { NUMBER = 0, CATEGORY = 1 }; /* features 0 and 1: see is_category of random_forest.c */

static model typed_model(void) {
    random_shape shape = {.trees = 3, .features = 4, .classes = 3, .leaves = 8, .mixed = 1};
    for (uint64_t seed = 0;; seed++) {
        model m = make_model(seed, &shape);
        if (entry_of(&m, SETS)) return m;
        free(m.bytes);
    }
}

static sporf_status open_unread(const model *m) {
    spf_model_buffer buffer = {0};
    unsigned char *copy = NULL;
    sporf_forest *forest = NULL;
    assert_int_equal(spf_model_buffer_create(m->size, &buffer, &copy), SPORF_OK);
    memcpy(copy, m->bytes, m->size);
    sporf_status status = spf_model_decode_buffer(&buffer, SPF_MODEL_CHECK_FRAME, "it", &forest);
    if (status == SPORF_OK)
        sporf_forest_free(forest);
    else
        spf_model_buffer_free(&buffer);
    return status;
}

static void assert_faulty(const model *m, const char *words) {
    sporf_forest *forest = NULL;
    assert_int_equal(spf_model_decode(m->bytes, m->size, &forest), SPORF_ERROR_MODEL);
    if (!strstr(sporf_last_error(), words))
        fail_msg("expected '%s' in '%s'", words, sporf_last_error());
    assert_int_equal(open_unread(m), SPORF_ERROR_MODEL);
}

/* Changes 4 bytes of a section. */
static void assert_change_refused(uint32_t id, size_t at, uint32_t value, const char *words) {
    model m = typed_model();
    set32(&m, offset_of(&m, id) + at, value);
    fix_model_checksums(m.bytes, m.size);
    assert_faulty(&m, words);
    free(m.bytes);
}

static void assert_lack_refused(uint32_t id, const char *words) {
    model m = typed_model(), less = with_section(&m, id, NULL, 0);
    assert_faulty(&less, words);
    free(less.bytes);
    free(m.bytes);
}

static void kinds_are_checked(void **state) {
    (void)state;
    assert_change_refused(KINDS, 8 * NUMBER, 3, "feature 0 has no proper kind");
    assert_change_refused(KINDS, 8 * NUMBER, SPORF_KIND_CATEGORY, "feature 0 has no proper kind");
    assert_change_refused(KINDS, 8 * NUMBER + 4, 1, "feature 0 has no proper kind");
    assert_change_refused(KINDS, 8 * CATEGORY, SPORF_KIND_NUMBER, "feature 1 has no proper kind");
    assert_change_refused(KINDS, 8 * CATEGORY + 4, 0, "feature 1 has no proper kind");
    assert_change_refused(KINDS, 8 * CATEGORY + 4, UINT32_MAX, "feature 1 has no proper kind");
    assert_change_refused(KINDS, 8 * CATEGORY + 4, 69, "names of levels of no feature");
    assert_lack_refused(KINDS, "the kinds of features or the names of levels are missing");
    assert_lack_refused(LEVEL_NAMES, "the kinds of features or the names of levels are missing");
}

static void sets_are_checked(void **state) {
    (void)state;
    enum { FEATURE = 0, FIRST = 4, START = 8, WORDS = 12 };
    assert_change_refused(SETS, FEATURE, 4, "set 0 holds no levels of a category");
    assert_change_refused(SETS, FEATURE, NUMBER, "set 0 holds no levels of a category");
    assert_change_refused(SETS, FIRST, 70, "set 0 holds no levels of a category");
    assert_change_refused(SETS, FIRST, UINT32_MAX, "set 0 holds no levels of a category");
    assert_change_refused(SETS, WORDS, 0, "set 0 holds no levels of a category");
    assert_change_refused(SETS, WORDS, 4, "set 0 holds no levels of a category");
    assert_change_refused(SETS, WORDS, UINT32_MAX, "set 0 holds no levels of a category");
    assert_change_refused(SETS, START, 1 << 20, "set 0 of levels has no proper place");
    assert_change_refused(SETS, START, UINT32_MAX, "set 0 of levels has no proper place");
    assert_lack_refused(SET_WORDS, "set 0 of levels has no proper place");
}

/* A set may end with a word of which only the first bit stands for a level. */
static void the_last_levels_have_a_place(void **state) {
    (void)state;
    model m = typed_model();
    set32(&m, offset_of(&m, SETS) + 4, 69);
    set32(&m, offset_of(&m, SETS) + 12, 1);
    fix_model_checksums(m.bytes, m.size);
    sporf_forest *forest = NULL;
    assert_int_equal(spf_model_decode(m.bytes, m.size, &forest), SPORF_OK);
    assert_int_equal(open_unread(&m), SPORF_OK);
    sporf_forest_free(forest);
    free(m.bytes);
}

static void the_fuzzer_starts_from_models_of_this_version(void **state) {
    (void)state;
    static const char *const seeds[] = {"every-section", "sets-of-levels", "stumps",
                                        "chain",         "single-leaf",    "long-projections"};
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        char path[200];
        sporf_forest *forest = NULL;
        snprintf(path, sizeof path, "tests/fuzz/corpus/model/%s.sporf", seeds[i]);
        if (sporf_forest_load(path, &forest) != SPORF_OK) fail_msg("%s", sporf_last_error());
        if (i < 2) assert_true(sporf_forest_level_sets(forest) > 0);
        sporf_forest_free(forest);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_are_checked),
        cmocka_unit_test(sets_are_checked),
        cmocka_unit_test(the_last_levels_have_a_place),
        cmocka_unit_test(the_fuzzer_starts_from_models_of_this_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
