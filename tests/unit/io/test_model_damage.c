/* Damaged and hostile models: every fault of the frame and of the sections is named. */
#include "io/model_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/encoded_model.h"

enum { CLASS_NAMES = 1, FEATURE_NAMES, LABEL_NAME, SETTINGS, SCALE, OUT_OF_BAG, TREES, NODES };
enum { PROJECTION_STARTS = 9, TERM_FEATURES, TERM_WEIGHTS, LEAF_WEIGHTS };
enum { LEAF_CLASSES = 13, MIXED_STARTS, ENTRY_CLASSES, ENTRY_WEIGHTS };

/* It has every section but the leaf classes, which few forests have. Fifteen entries leave 32 bytes
 * free between the table and the first section. */
static model small_model(void) {
    random_shape shape = {.trees = 3, .features = 20, .classes = 3, .leaves = 8, .terms = 14};
    for (uint64_t seed = 0;; seed++) {
        model m = make_model(seed, &shape);
        int long_projections = size_of(&m, PROJECTION_STARTS) > 8;
        int mixed_leaves = size_of(&m, MIXED_STARTS) > 8;
        if (m.bytes[20] == 15 && long_projections && mixed_leaves) return m;
        free(m.bytes);
    }
}

/* So many leaves and classes that references cannot hold both: the leaf classes lie in a table. */
static model many_classes_model(void) {
    random_shape shape = {
        .trees = 1, .features = 3, .classes = 32769, .leaves = 17000, .terms = 1, .plain = 1};
    for (uint64_t seed = 0;; seed++) {
        model m = make_model(seed, &shape);
        if (entry_of(&m, LEAF_CLASSES)) return m;
        free(m.bytes);
    }
}

static void assert_refused(const unsigned char *bytes, size_t size, const char *words) {
    sporf_forest *forest = NULL;
    assert_int_equal(spf_model_decode(bytes, size, &forest), SPORF_ERROR_MODEL);
    assert_null(forest);
    if (!strstr(sporf_last_error(), words))
        fail_msg("expected '%s' in '%s'", words, sporf_last_error());
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
    model m = small_model();
    for (size_t size = 0; size < m.size; size++) {
        unsigned char *part = malloc(size ? size : 1);
        memcpy(part, m.bytes, size);
        assert_refused(part, size, size < 1 ? "not a sporf model" : "cut off");
        free(part);
    }
    free(m.bytes);
}

static void bytes_behind_the_end_are_seen(void **state) {
    (void)state;
    model m = small_model();
    m.bytes = realloc(m.bytes, m.size + 1);
    m.bytes[m.size] = 0;
    assert_refused(m.bytes, m.size + 1, "longer than it says");
    free(m.bytes);
}

static void other_versions_are_named(void **state) {
    (void)state;
    model m = small_model();
    set32(&m, 16, 7);
    fix_model_checksums(m.bytes, m.size);
    assert_refused(m.bytes, m.size, "format version 7");
    assert_refused(m.bytes, m.size, "newer version");
    set32(&m, 16, 2);
    fix_model_checksums(m.bytes, m.size);
    assert_refused(m.bytes, m.size, "format version 2");
    assert_refused(m.bytes, m.size, "older version; train the model again");
    free(m.bytes);
}

/* Changes 4 bytes of a fresh model, mends the checksums, and looks for words in the refusal. */
static void assert_change_refused(size_t at, uint32_t value, const char *words) {
    model m = small_model();
    set32(&m, at, value);
    fix_model_checksums(m.bytes, m.size);
    assert_refused(m.bytes, m.size, words);
    assert_non_null(strstr(sporf_last_error(), "train the model again"));
    free(m.bytes);
}

static void the_header_is_checked(void **state) {
    (void)state;
    model m = small_model();
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
    model m = small_model();
    size_t nodes = entry_of(&m, NODES), last = entry_of(&m, ENTRY_WEIGHTS);
    assert_change_refused(nodes, 1, "not in order");
    assert_change_refused(nodes, 7, "not in order");
    assert_change_refused(nodes + 4, 1, "section 8 has unknown flags");
    assert_change_refused(nodes + 8, (uint32_t)offset_of(&m, NODES) + 4,
                          "section 8 is not aligned");
    assert_change_refused(nodes + 8, (uint32_t)offset_of(&m, TREES), "section 8 overlaps");
    assert_change_refused(nodes + 8, 64, "section 8 overlaps");
    assert_change_refused(nodes + 12, 1, "section 8 reaches beyond the end");
    assert_change_refused(nodes + 20, UINT32_MAX, "section 8 reaches beyond the end");
    assert_change_refused(offset_of(&m, 1) - 4, 1, "padding before section 1");
    assert_change_refused(last + 16, 4, "bytes follow the last section");
    assert_change_refused(last, 37, "section 37 needs a newer version");
    assert_change_refused(last, 0x80000001u, "entry weights is missing");
    free(m.bytes);
}

static void a_wrong_section_checksum_names_the_section(void **state) {
    (void)state;
    model m = small_model();
    m.bytes[offset_of(&m, TERM_WEIGHTS)] ^= 1;
    assert_refused(m.bytes, m.size, "section 11 (term weights)");
    free(m.bytes);
}

static void an_unknown_section_is_skipped_only_if_it_says_so(void **state) {
    (void)state;
    sporf_forest *forest = NULL;
    model m = small_model(), skippable = with_section(&m, 0x80000001u, "new", 3),
          binding = with_section(&m, 99, "new", 3);
    assert_int_equal(spf_model_decode(skippable.bytes, skippable.size, &forest), SPORF_OK);
    assert_refused(binding.bytes, binding.size, "section 99 needs a newer version");
    skippable.bytes[skippable.size - 1] ^= 1;
    assert_refused(skippable.bytes, skippable.size, "checksum of section 2147483649");
    sporf_forest_free(forest);
    free(skippable.bytes);
    free(binding.bytes);
    free(m.bytes);
}

/* Gives section `id` of a model other bytes, or takes it away, and looks for words in the refusal.
 */
static void assert_section_refused(const model *m, uint32_t id, const void *bytes, size_t size,
                                   const char *words) {
    model changed = with_section(m, id, bytes, size);
    assert_refused(changed.bytes, changed.size, words);
    free(changed.bytes);
}

static void required_sections_are_required_and_others_are_not(void **state) {
    (void)state;
    static const char *const required[] = {
        [CLASS_NAMES] = "class names",
        [TREES] = "tree table",
        [NODES] = "nodes",
        [PROJECTION_STARTS] = "projection starts",
        [TERM_FEATURES] = "term features",
        [TERM_WEIGHTS] = "term weights",
        [LEAF_WEIGHTS] = "leaf weights",
        [MIXED_STARTS] = "starts of mixed leaves",
        [ENTRY_CLASSES] = "entry classes",
        [ENTRY_WEIGHTS] = "entry weights",
    };
    model m = small_model();
    for (uint32_t id = CLASS_NAMES; id <= ENTRY_WEIGHTS; id++) {
        char words[100];
        sporf_forest *forest = NULL;
        snprintf(words, sizeof words, "the section with the %s is missing", required[id]);
        if (required[id]) {
            assert_section_refused(&m, id, NULL, 0, words);
            continue;
        }
        model changed = with_section(&m, id, NULL, 0);
        assert_int_equal(spf_model_decode(changed.bytes, changed.size, &forest), SPORF_OK);
        sporf_forest_free(forest);
        free(changed.bytes);
    }
    free(m.bytes);
}

/* ---- sections -------------------------------------------------------------------------------- */

static void strings_are_checked(void **state) {
    (void)state;
    model m = small_model();
    size_t names = offset_of(&m, CLASS_NAMES); /* count 3, offsets 0 8 16 24, "class 0\0..." */
    assert_int_equal(get64(&m, names), 3);
    assert_change_refused(names, 0, "the class names is too short for its strings");
    assert_change_refused(names, 1000, "the class names is too short for its strings");
    assert_change_refused(names + 4, 0x80000000u, "the class names is too short for its strings");
    assert_change_refused(names + 8, 1, "the section with the class names do not match its size");
    assert_change_refused(names + 32, 25, "the section with the class names do not match its size");
    assert_change_refused(names + 16, 0, "string 0 of the class names has no proper place");
    assert_change_refused(names + 16, 17, "string 0 of the class names is not closed");
    assert_change_refused(names + 20, 1, "string 0 of the class names has no proper place");
    assert_change_refused(names + 40, 0x00616161, "string 0 of the class names is not closed");
    assert_change_refused(names + 44, 0x61616161, "string 0 of the class names is not closed");
    assert_change_refused(48, 4, "3 class names for 4 classes");
    for (uint32_t id = CLASS_NAMES; id <= SETTINGS; id++)
        assert_section_refused(&m, id, "", 0, "is empty");
    free(m.bytes);
}

typedef struct {
    uint64_t count, offsets[4];
    char text[8];
} three_strings;

static void numbers_of_strings_are_checked(void **state) {
    (void)state;
    model m = small_model();
    three_strings three = {3, {0, 1, 3, 5}, {0, 'u', 0, 'v', 0}};
    assert_section_refused(&m, FEATURE_NAMES, &three, sizeof three - 3,
                           "3 feature names for 20 features");
    assert_section_refused(&m, SETTINGS, &three, sizeof three - 3, "last setting has no value");
    assert_section_refused(&m, LABEL_NAME, &three, sizeof three - 3, "more than one label name");
    free(m.bytes);
}

static void scale_factors_are_checked(void **state) {
    (void)state;
    model m = small_model();
    float factors[21] = {0};
    assert_section_refused(&m, SCALE, factors, 19 * sizeof *factors, "one scale factor for each");
    assert_section_refused(&m, SCALE, factors, 21 * sizeof *factors, "one scale factor for each");
    factors[7] = INFINITY;
    assert_section_refused(&m, SCALE, factors, 20 * sizeof *factors, "scale factor 7 is inf");
    free(m.bytes);
}

typedef struct {
    uint64_t rows;
    double error, kappa;
    uint64_t curve;
    double errors[3];
} out_of_bag;

static void assert_oob_refused(out_of_bag oob, size_t size, const char *words) {
    model m = small_model();
    assert_section_refused(&m, OUT_OF_BAG, &oob, size, words);
    free(m.bytes);
}

static void out_of_bag_results_are_checked(void **state) {
    (void)state;
    const out_of_bag good = {5, 0.5, -0.25, 3, {NAN, 0, 1}};
    out_of_bag oob = good;
    assert_oob_refused(good, 31, "out-of-bag results has the wrong size");
    assert_oob_refused(good, sizeof good - 8, "out-of-bag results has the wrong size");
    oob.curve = 2;
    assert_oob_refused(oob, sizeof oob - 8, "out-of-bag results has the wrong size");
    oob.curve = 0;
    assert_oob_refused(oob, sizeof oob, "out-of-bag results has the wrong size");
    oob = good, oob.rows = (uint64_t)1 << 32;
    assert_oob_refused(oob, sizeof oob, "out-of-bag results are out of range");
    oob = good, oob.error = 1.5;
    assert_oob_refused(oob, sizeof oob, "out-of-bag results are out of range");
    oob = good, oob.kappa = -INFINITY;
    assert_oob_refused(oob, sizeof oob, "out-of-bag results are out of range");
    oob = good, oob.errors[2] = -0.5;
    assert_oob_refused(oob, sizeof oob, "out-of-bag error 2 is -0.5");
}

static void the_tree_table_has_an_entry_for_each_tree(void **state) {
    (void)state;
    assert_change_refused(32, 4, "tree table does not have 4 entries");
}

/* Elements of the sections from 7 on. */
static const struct {
    uint32_t id;
    size_t element;
    const char *name;
} arrays[] = {
    {TREES, 32, "tree table"},
    {NODES, 28, "nodes"},
    {PROJECTION_STARTS, 8, "projection starts"},
    {TERM_FEATURES, 4, "term features"},
    {TERM_WEIGHTS, 4, "term weights"},
    {LEAF_WEIGHTS, 4, "leaf weights"},
    {MIXED_STARTS, 8, "starts of mixed leaves"},
    {ENTRY_CLASSES, 4, "entry classes"},
    {ENTRY_WEIGHTS, 4, "entry weights"},
};
enum { ARRAYS = sizeof arrays / sizeof *arrays };

/* Changes the length of a section by so many bytes; new ones are 0. */
static model resized(const model *m, uint32_t id, long change) {
    size_t size = size_of(m, id), wanted = (size_t)((long)size + change);
    unsigned char *bytes = calloc(wanted + 1, 1);
    memcpy(bytes, m->bytes + offset_of(m, id), wanted < size ? wanted : size);
    model result = with_section(m, id, bytes, wanted);
    free(bytes);
    return result;
}

static void assert_resized_refused(const model *m, uint32_t id, long change, const char *words) {
    model changed = resized(m, id, change);
    assert_refused(changed.bytes, changed.size, words);
    free(changed.bytes);
}

static void a_part_of_an_element_is_refused(void **state) {
    (void)state;
    model m = small_model();
    for (int i = 0; i < ARRAYS; i++) {
        char words[100];
        snprintf(words, sizeof words, "the section with the %s ends in the middle of an element",
                 arrays[i].name);
        for (long more = 1; more < (long)arrays[i].element; more++)
            assert_resized_refused(&m, arrays[i].id, more, words);
    }
    free(m.bytes);
}

static void an_element_more_or_less_is_refused(void **state) {
    (void)state;
    static const char *const more[ARRAYS] = {
        "tree table does not have 3 entries",         "nodes or leaves of no tree",
        "projection starts do not lead through",      "term weights are too few or too many",
        "term weights are too few or too many",       "leaves or projections of no tree",
        "starts of mixed leaves do not lead through", "entry weights are too few or too many",
        "entry weights are too few or too many",
    };
    static const char *const less[ARRAYS] = {
        [0] = "tree table does not have 3 entries",
        [1] = "", /* whatever the last node is missed for */
        [5] = "tree 2: its leaves do not exist",
    };
    model m = small_model();
    for (int i = 0; i < ARRAYS; i++) {
        long element = (long)arrays[i].element;
        assert_resized_refused(&m, arrays[i].id, element, more[i]);
        assert_resized_refused(&m, arrays[i].id, -element, less[i] ? less[i] : more[i]);
    }
    free(m.bytes);
}

static void starts_lead_through_their_section(void **state) {
    (void)state;
    model m = small_model();
    size_t projections = offset_of(&m, PROJECTION_STARTS), mixed = offset_of(&m, MIXED_STARTS);
    assert_change_refused(projections, 1, "projection starts do not lead through");
    assert_change_refused(mixed, 1, "starts of mixed leaves do not lead through");
    assert_change_refused(projections + size_of(&m, PROJECTION_STARTS) - 4, 1,
                          "projection starts do not lead through");
    assert_change_refused(mixed + size_of(&m, MIXED_STARTS) - 4, 1,
                          "starts of mixed leaves do not lead through");
    assert_section_refused(&m, PROJECTION_STARTS, "", 0, "the projection starts is empty");
    assert_section_refused(&m, MIXED_STARTS, "", 0, "starts of mixed leaves is empty");
    free(m.bytes);
}

static void leaf_classes_are_there_where_references_cannot_hold_them(void **state) {
    (void)state;
    static const uint32_t zeros[100];
    model m = small_model(), many = many_classes_model();
    sporf_forest *forest = NULL;
    assert_int_equal(spf_model_decode(many.bytes, many.size, &forest), SPORF_OK);
    sporf_forest_free(forest);
    assert_section_refused(&m, LEAF_CLASSES, zeros, size_of(&m, LEAF_WEIGHTS),
                           "leaf classes are given twice");
    assert_section_refused(&m, LEAF_CLASSES, zeros, 4, "leaf classes are too few or too many");
    assert_section_refused(&many, LEAF_CLASSES, NULL, 0, "leaf classes are missing");
    assert_resized_refused(&many, LEAF_CLASSES, 4, "leaf classes are too few or too many");
    assert_resized_refused(&many, LEAF_CLASSES, 2, "leaf classes ends in the middle");
    set32(&many, offset_of(&many, LEAF_CLASSES), 32769);
    fix_model_checksums(many.bytes, many.size);
    assert_refused(many.bytes, many.size, "class 32769");
    free(many.bytes);
    free(m.bytes);
}

static void a_calibration_is_read_and_its_numbers_are_checked(void **state) {
    (void)state;
    enum { CALIBRATION = 29 };
    const double good[8] = {0.03, 2, 0.4, 0.2, 1, 16, 0, 2};
    const double bad[] = {NAN, INFINITY, -1, 1e300};
    sporf_forest *forest = NULL;
    sporf_calibration_map map;
    model m = small_model(), with = with_section(&m, CALIBRATION, good, sizeof good);
    assert_int_equal(spf_model_decode(with.bytes, with.size, &forest), SPORF_OK);
    assert_true(sporf_forest_calibration(forest, SPORF_COMBINE_POSTERIORS, &map));
    assert_true(map.smoothing == 1 && map.power == 16 && map.brier == 2 && map.weights[3] == 1);
    sporf_forest_free(forest);
    free(with.bytes);
    for (size_t i = 0; i < 8; i++)
        for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
            double changed[8];
            memcpy(changed, good, sizeof good);
            changed[i] = bad[b];
            if (i % 4 == 2 && bad[b] == 1e300) continue; /* a log loss may be large */
            with = with_section(&m, CALIBRATION, changed, sizeof changed);
            assert_refused(with.bytes, with.size, "calibration are out of range");
            free(with.bytes);
        }
    with = with_section(&m, CALIBRATION, good, sizeof good - 8);
    assert_refused(with.bytes, with.size, "calibration has the wrong size");
    free(with.bytes);
    free(m.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_files_are_not_models),
        cmocka_unit_test(every_truncation_is_seen),
        cmocka_unit_test(bytes_behind_the_end_are_seen),
        cmocka_unit_test(other_versions_are_named),
        cmocka_unit_test(the_header_is_checked),
        cmocka_unit_test(the_section_table_is_checked),
        cmocka_unit_test(a_calibration_is_read_and_its_numbers_are_checked),
        cmocka_unit_test(a_wrong_section_checksum_names_the_section),
        cmocka_unit_test(an_unknown_section_is_skipped_only_if_it_says_so),
        cmocka_unit_test(required_sections_are_required_and_others_are_not),
        cmocka_unit_test(strings_are_checked),
        cmocka_unit_test(numbers_of_strings_are_checked),
        cmocka_unit_test(scale_factors_are_checked),
        cmocka_unit_test(out_of_bag_results_are_checked),
        cmocka_unit_test(the_tree_table_has_an_entry_for_each_tree),
        cmocka_unit_test(a_part_of_an_element_is_refused),
        cmocka_unit_test(an_element_more_or_less_is_refused),
        cmocka_unit_test(starts_lead_through_their_section),
        cmocka_unit_test(leaf_classes_are_there_where_references_cannot_hold_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
