/* Models that keep samples: damage to them is named, and does no harm in files that are opened
 * unread. */
#include "data/dataset.h"
#include "io/model_file.h"
#include "io/model_format.h"

#include "support/check.h"
#include "support/encoded_model.h"

#include "support/random_data.h"
#include "support/wanted.h"

enum { LEAF_WEIGHTS = 12, STARTS = 23, ENDS, VALUES, WEIGHTS, QUANTILE_LEVELS, OOB_TARGETS };
enum { TREES = 3, TARGETS = 2 };

static model sampled_model(void) {
    sporf_dataset *data = with_targets(DATA_SMOOTH, 60, 3, TARGETS, 1);
    sporf_forest *forest = train_with(data, "trees", "3", "min-leaf", "4", (char *)NULL);
    model m = encode(forest);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    for (uint32_t id = STARTS; id <= OOB_TARGETS; id++) assert_true(entry_of(&m, id) != 0);
    return m;
}

/* As if it were mapped. */
static sporf_status open_unread(const model *m, sporf_forest **forest) {
    spf_model_buffer buffer = {.size = m->size};
    *forest = NULL;
    assert_int_equal(posix_memalign(&buffer.storage.base, MODEL_ALIGNMENT, m->size), 0);
    memcpy(buffer.storage.base, m->bytes, m->size);
    buffer.bytes = buffer.storage.base;
    sporf_status status = spf_model_decode_buffer(&buffer, SPF_MODEL_CHECK_FRAME, "it", forest);
    if (status != SPORF_OK) spf_model_buffer_free(&buffer);
    return status;
}

/* What a damaged model says of many rows: something, or that it is damaged. */
static void ask(const sporf_forest *forest) {
    sporf_dataset *data = with_targets(DATA_SMOOTH, 40, 3, 1, 2);
    double out[40 * TARGETS * 2];
    static const double levels[] = {0.1, 0.9};
    sporf_status status = sporf_forest_predict(
        forest, data, NULL,
        WANTED(.quantiles = levels, .quantiles_count = 2, .quantile_values = out));
    assert_true(status == SPORF_OK || status == SPORF_ERROR_MODEL);
    status = sporf_forest_predict(forest, data, NULL, WANTED(.interval = 0.5, .bounds = out));
    assert_true(status == SPORF_OK || status == SPORF_ERROR_MODEL);
    sporf_dataset_free(data);
}

/* Refused when it is read; when it is opened unread, at once or not. */
static void assert_faulty(const model *m, int at_once, const char *words) {
    sporf_forest *forest = NULL;
    assert_refused(spf_model_decode(m->bytes, m->size, &forest), SPORF_ERROR_MODEL, words);
    assert_int_equal(open_unread(m, &forest), at_once ? SPORF_ERROR_MODEL : SPORF_OK);
    if (at_once) return;
    ask(forest);
    assert_refused(spf_model_check(forest), SPORF_ERROR_MODEL, words);
    sporf_forest_free(forest);
}

static void assert_change_refused(uint32_t id, size_t at, uint32_t value, int at_once,
                                  const char *words) {
    model m = sampled_model();
    set32(&m, offset_of(&m, id) + at, value);
    fix_model_checksums(m.bytes, m.size);
    assert_faulty(&m, at_once, words);
    free(m.bytes);
}

/* Leaves a section out, or cuts its last bytes off. */
static void assert_loss_refused(uint32_t id, size_t lost, const char *words) {
    model m = sampled_model();
    size_t size = size_of(&m, id);
    const unsigned char *bytes = m.bytes + offset_of(&m, id);
    model less = with_section(&m, id, lost < size ? bytes : NULL, lost < size ? size - lost : 0);
    assert_faulty(&less, 1, words);
    free(less.bytes);
    free(m.bytes);
}

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void starts_are_checked(void **state) {
    (void)state;
    assert_change_refused(STARTS, 0, 1, 1, "there are samples of no tree");
    assert_change_refused(STARTS, 8, UINT32_MAX, 1, "its samples do not exist");
    assert_change_refused(STARTS, 12, UINT32_MAX, 1, "its samples do not exist");
    assert_change_refused(STARTS, 8 * TREES, 1 << 20, 1, "there are samples of no tree");
    assert_loss_refused(STARTS, 8, "the starts of samples are too few or too many");
    assert_loss_refused(STARTS, SIZE_MAX, "there are samples of no tree");
}

static void ends_are_checked(void **state) {
    (void)state;
    model m = sampled_model();
    size_t last = size_of(&m, ENDS) - 4;
    free(m.bytes);
    assert_change_refused(ENDS, 0, UINT32_MAX, 0, "tree 0: leaf 0 has no proper samples");
    assert_change_refused(ENDS, 4, 0, 0, "tree 0: leaf 1 has no proper samples");
    assert_change_refused(ENDS, last, 1 << 20, 0, "has no proper samples");
    assert_loss_refused(ENDS, 4, "the ends of samples are too few or too many");
    assert_loss_refused(ENDS, SIZE_MAX, "the ends of samples are too few or too many");
}

static void values_and_weights_are_checked(void **state) {
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY}, weights[] = {0, -1, NAN, INFINITY};
    for (size_t i = 0; i < 3; i++)
        assert_change_refused(VALUES, 4, bits_of(bad[i]), 0, "leaf 0 has no proper samples");
    for (size_t i = 0; i < 4; i++)
        assert_change_refused(WEIGHTS, 4, bits_of(weights[i]), 0, "leaf 0 has no proper samples");
    assert_loss_refused(VALUES, 4, "the sample values are too few or too many");
    assert_loss_refused(VALUES, 8, "too few or too many");
    assert_loss_refused(VALUES, SIZE_MAX, "the ends of samples are too few or too many");
    assert_loss_refused(WEIGHTS, 4, "the sample weights are too few or too many");
}

static void levels_are_checked(void **state) {
    (void)state;
    static const float bad[] = {-0.1f, 1.1f, NAN};
    for (size_t i = 0; i < 3; i++)
        assert_change_refused(QUANTILE_LEVELS, 4, bits_of(bad[i]), 1, "do not ascend from 0 to 1");
    assert_change_refused(QUANTILE_LEVELS, 4 * 1001 - 4, 0, 1, "do not ascend from 0 to 1");
    assert_loss_refused(QUANTILE_LEVELS, 4, "levels of quantiles are too few or too many");
    assert_loss_refused(QUANTILE_LEVELS, 4 * 1001, "levels of quantiles are too few or too many");
}

static void assert_score_refused(size_t place, double value, const char *words) {
    model m = sampled_model();
    memcpy(m.bytes + offset_of(&m, OOB_TARGETS) + place * sizeof value, &value, sizeof value);
    fix_model_checksums(m.bytes, m.size);
    assert_faulty(&m, 1, words);
    free(m.bytes);
}

static void out_of_bag_results_of_targets_are_checked(void **state) {
    (void)state;
    for (size_t i = 0; i < 3 * TARGETS; i++) {
        const char *words = i < 3 ? "target 0 are out of range" : "target 1 are out of range";
        assert_score_refused(i, INFINITY, words);
        if (i % 3 < 2) assert_score_refused(i, -1, words);
    }
    assert_loss_refused(OOB_TARGETS, 8, "results of targets are too few or too many");
    assert_loss_refused(OOB_TARGETS, 24, "results of targets are too few or too many");
    static const double scores[3] = {1, 1, 1};
    random_shape shape = {.trees = 1, .features = 2, .classes = 2, .leaves = 3};
    model m = make_model(1, &shape), more = with_section(&m, OOB_TARGETS, scores, sizeof scores);
    assert_faulty(&more, 1, "results of targets are too few or too many");
    free(more.bytes);
    free(m.bytes);
}

/* Equal weights need not be told, and intervals do without levels. */
static void what_is_optional_may_be_left_out(void **state) {
    (void)state;
    static const uint32_t optional[] = {WEIGHTS, QUANTILE_LEVELS, OOB_TARGETS};
    for (size_t i = 0; i < 3; i++) {
        model m = sampled_model(), less = with_section(&m, optional[i], NULL, 0);
        sporf_forest *forest = NULL;
        assert_ok(spf_model_decode(less.bytes, less.size, &forest));
        ask(forest);
        sporf_forest_free(forest);
        free(less.bytes);
        free(m.bytes);
    }
}

static void forests_of_classes_have_no_samples(void **state) {
    (void)state;
    static const uint64_t starts[2] = {0, 0};
    random_shape shape = {.trees = 1, .features = 2, .classes = 2, .leaves = 3};
    model m = make_model(1, &shape), more = with_section(&m, STARTS, starts, sizeof starts);
    assert_faulty(&more, 1, "there are samples of classes");
    free(more.bytes);
    free(m.bytes);
}

static void the_fuzzer_starts_from_models_with_samples(void **state) {
    (void)state;
    sporf_forest *forest = NULL;
    assert_ok(sporf_forest_load("tests/fuzz/corpus/model/samples.sporf", &forest));
    assert_true(forest->packed.samples_count > 0 && forest->packed.sample_weight);
    assert_non_null(forest->oob_levels);
    ask(forest);
    sporf_forest_free(forest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_are_checked),
        cmocka_unit_test(ends_are_checked),
        cmocka_unit_test(values_and_weights_are_checked),
        cmocka_unit_test(levels_are_checked),
        cmocka_unit_test(out_of_bag_results_of_targets_are_checked),
        cmocka_unit_test(what_is_optional_may_be_left_out),
        cmocka_unit_test(forests_of_classes_have_no_samples),
        cmocka_unit_test(the_fuzzer_starts_from_models_with_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
