/* Boosted models in files: the same after saving and loading, and refused if any number of the
 * section is wrong. */
#include "io/model_file.h"

#include "support/check.h"
#include "support/encoded_model.h"
#include "support/random_booster.h"
#include "support/same_bytes.h"
#include "support/tmpfile.h"

enum { VERSION_AT = 16, TREES_AT = 32, CLASSES_AT = 48 };
enum { OUT_OF_BAG = 6, TARGET_NAMES = 21, LEAF_VALUES = 22, SAMPLE_STARTS = 23 };
enum { OOB_TARGETS = 28, CALIBRATION = 29, BOOSTING = 30 };
enum { LINK, OUTPUTS, BAGS, VALID_ROWS, TRIED, NUMBERS }; /* words of the section */

static const booster_shape values = {
    SPF_LINK_NONE, 0, 2, 2, 3, 1, 10, {.plain = 1, .features = 3, .leaves = 6}};
static const booster_shape odds = {
    SPF_LINK_LOG_ODDS, 2, 0, 1, 4, 0, 0, {.plain = 1, .features = 3, .leaves = 6}};
static const booster_shape shares = {
    SPF_LINK_SOFTMAX, 3, 0, 1, 4, 0, 5, {.plain = 1, .features = 3, .leaves = 6}};

static model model_of(const booster_shape *shape) {
    sporf_forest *forest = random_booster(1, shape);
    model m = encode(forest);
    sporf_forest_free(forest);
    return m;
}

static void assert_faulty(model *m, const char *words) {
    sporf_forest *forest = NULL;
    fix_model_checksums(m->bytes, m->size);
    assert_refused(spf_model_decode(m->bytes, m->size, &forest), SPORF_ERROR_MODEL, words);
    assert_null(forest);
}

static void assert_word_refused(const booster_shape *shape, size_t word, uint64_t value,
                                const char *words) {
    model m = model_of(shape);
    set64(&m, offset_of(&m, BOOSTING) + 8 * word, value);
    assert_faulty(&m, words);
    free(m.bytes);
}

static void assert_number_refused(size_t number, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    assert_word_refused(&values, NUMBERS + number, bits, "a number of the boosting is");
}

/* ---- saving and loading ---------------------------------------------------------------------- */

static void assert_same_boosting(const sporf_forest *a, const sporf_forest *b) {
    sporf_boosting x, y;
    assert_true(sporf_forest_boosting(a, &x) && sporf_forest_boosting(b, &y));
    assert_int_equal(a->boosting.link, b->boosting.link);
    assert_int_equal(x.outputs, y.outputs);
    assert_int_equal(x.bags, y.bags);
    assert_int_equal(x.rounds, y.rounds);
    assert_int_equal(x.tried, y.tried);
    assert_int_equal(x.valid_rows, y.valid_rows);
    assert_memory_equal(x.base, y.base, x.outputs * sizeof *x.base);
    assert_memory_equal(x.train_losses, y.train_losses, x.tried * sizeof *x.train_losses);
    assert_int_equal(!x.valid_losses, !y.valid_losses);
    if (x.valid_losses)
        assert_memory_equal(x.valid_losses, y.valid_losses, x.tried * sizeof *x.valid_losses);
}

static void saved_models_are_the_same(void **state) {
    (void)state;
    tmp_file file = tmp_file_name("boosted.sporf");
    for (size_t i = 0; i < booster_shapes_count; i++) {
        sporf_forest *forest = random_booster(i, &booster_shapes[i]), *loaded = NULL,
                     *mapped = NULL;
        assert_ok(spf_model_write(forest, file.path));
        assert_ok(spf_model_read(file.path, &loaded));
        assert_ok(spf_model_map(file.path, &mapped));
        assert_same_bytes(forest, loaded);
        assert_same_bytes(forest, mapped);
        assert_same_boosting(forest, loaded);
        assert_same_boosting(forest, mapped);
        sporf_forest_free(mapped);
        sporf_forest_free(loaded);
        sporf_forest_free(forest);
    }
    tmp_file_remove(&file);
}

static void forests_keep_their_version(void **state) {
    (void)state;
    model boosted = model_of(&odds), forest = make_model(1, NULL);
    assert_int_equal(get32(&boosted, VERSION_AT), 4);
    assert_int_equal(get32(&forest, VERSION_AT), 3);
    assert_true(entry_of(&boosted, BOOSTING) != 0 && entry_of(&forest, BOOSTING) == 0);
    free(boosted.bytes);
    free(forest.bytes);
}

/* ---- damage ---------------------------------------------------------------------------------- */

static void version_and_section_belong_together(void **state) {
    (void)state;
    model m = model_of(&odds), less = with_section(&m, BOOSTING, NULL, 0);
    assert_faulty(&less, "the section with the boosting is missing");
    set32(&m, VERSION_AT, 3);
    assert_faulty(&m, "the section with the boosting is in a forest");
    free(less.bytes);
    free(m.bytes);
}

static void links_fit_classes_and_targets(void **state) {
    (void)state;
    static const char words[] = "outputs of the boosting do not fit";
    for (uint64_t link = 0; link < 6; link++) {
        if (link != SPF_LINK_NONE && link != SPF_LINK_LOG)
            assert_word_refused(&values, LINK, link, words);
        if (link != SPF_LINK_LOG_ODDS) assert_word_refused(&odds, LINK, link, words);
        if (link != SPF_LINK_SOFTMAX) assert_word_refused(&shares, LINK, link, words);
    }
    static const uint64_t outputs[] = {0, 4, 5, UINT32_MAX, UINT64_MAX};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        assert_word_refused(&values, OUTPUTS, outputs[i], words);
        assert_word_refused(&odds, OUTPUTS, outputs[i], words);
        assert_word_refused(&shares, OUTPUTS, outputs[i], words);
    }
}

static void trees_are_those_of_whole_rounds(void **state) {
    (void)state;
    static const char words[] = "not those of whole rounds";
    static const uint64_t bags[] = {0, 4, 5, 7, UINT32_MAX, (uint64_t)1 << 63, UINT64_MAX};
    for (size_t i = 0; i < sizeof bags / sizeof *bags; i++)
        assert_word_refused(&values, BAGS, bags[i], words);
    assert_word_refused(&values, TRIED, 2, words);
    assert_word_refused(&values, VALID_ROWS, UINT64_MAX, words);
}

static void the_section_has_its_size(void **state) {
    (void)state;
    static const char words[] = "boosting has the wrong size";
    assert_word_refused(&values, TRIED, 3, words);
    assert_word_refused(&values, TRIED, 5, words);
    assert_word_refused(&values, TRIED, UINT64_MAX, words);
    assert_word_refused(&values, TRIED, ((uint64_t)1 << 61) + 4, words);
    assert_word_refused(&values, VALID_ROWS, 0, words);
    assert_word_refused(&odds, VALID_ROWS, 1, words);
    model m = model_of(&values);
    for (size_t size = 1; size < size_of(&m, BOOSTING); size++) {
        model less = with_section(&m, BOOSTING, m.bytes + offset_of(&m, BOOSTING), size);
        assert_faulty(&less, size < 8 * NUMBERS ? "do not fit" : words);
        free(less.bytes);
    }
    free(m.bytes);
}

static void bases_and_losses_are_finite(void **state) {
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 3; i++)
        for (size_t number = 0; number < 2 + 2 * 4; number++) assert_number_refused(number, bad[i]);
}

static void leaf_values_are_needed_and_finite(void **state) {
    (void)state;
    model m = model_of(&shares), less = with_section(&m, LEAF_VALUES, NULL, 0);
    assert_faulty(&less, "leaf values are too few or too many");
    free(less.bytes);
    less = with_section(&m, LEAF_VALUES, m.bytes + offset_of(&m, LEAF_VALUES),
                        size_of(&m, LEAF_VALUES) - 4);
    assert_faulty(&less, "leaf values are too few or too many");
    set32(&m, offset_of(&m, LEAF_VALUES), 0x7f800000);
    assert_faulty(&m, "leaf value 0 is not finite");
    free(less.bytes);
    free(m.bytes);
}

/* One target or class less than the outputs. */
static void names_fit_the_outputs(void **state) {
    (void)state;
    model m = model_of(&shares), less = with_section(&m, TARGET_NAMES, "", 0);
    assert_faulty(&less, "target names is empty");
    set64(&m, CLASSES_AT, 2);
    assert_faulty(&m, "3 class names for 2 classes");
    free(less.bytes);
    free(m.bytes);
    m = model_of(&values);
    less = with_section(&m, TARGET_NAMES, NULL, 0);
    assert_faulty(&less, "outputs of the boosting do not fit");
    free(less.bytes);
    free(m.bytes);
}

static void sections_of_forests_are_refused(void **state) {
    (void)state;
    static const uint64_t zeros[64] = {0};
    model m = model_of(&values);
    for (uint32_t id = OUT_OF_BAG; id <= CALIBRATION; id++) {
        if (id > OUT_OF_BAG && id < SAMPLE_STARTS) continue;
        model more = with_section(&m, id, zeros, sizeof zeros);
        assert_faulty(&more, "it is boosted and has");
        free(more.bytes);
    }
    free(m.bytes);
}

static void the_fuzzer_starts_from_boosted_models(void **state) {
    (void)state;
    sporf_forest *forest = NULL;
    assert_ok(sporf_forest_load("tests/fuzz/corpus/model/boosted.sporf", &forest));
    assert_true(forest->boosting.outputs == 3 && forest->boosting.bags == 2);
    sporf_forest_free(forest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saved_models_are_the_same),
        cmocka_unit_test(forests_keep_their_version),
        cmocka_unit_test(version_and_section_belong_together),
        cmocka_unit_test(links_fit_classes_and_targets),
        cmocka_unit_test(trees_are_those_of_whole_rounds),
        cmocka_unit_test(the_section_has_its_size),
        cmocka_unit_test(bases_and_losses_are_finite),
        cmocka_unit_test(leaf_values_are_needed_and_finite),
        cmocka_unit_test(names_fit_the_outputs),
        cmocka_unit_test(sections_of_forests_are_refused),
        cmocka_unit_test(the_fuzzer_starts_from_boosted_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
