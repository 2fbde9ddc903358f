/* Parts of forests in files: the same after saving and loading, refused if any number of their
 * sections is wrong, and never taken for models. */
#include "io/model_file.h"

#include "support/check.h"
#include "support/encoded_model.h"
#include "support/random_data.h"
#include "support/tmpfile.h"

#include <string.h>

enum { VERSION_AT = 16 };
enum { OUT_OF_BAG = 6, LEVELS = 27, OOB_TARGETS = 28, CALIBRATION = 29, BOOSTING = 30 };
enum { PART = 31, PART_ROWS = 32, PART_OOB = 33 };
enum { FIRST, WHOLE, ROWS_OF_TABLE, TABLE, WEIGHTED, VERSION }; /* words of the section */
enum { ROWS = 60, TREES = 3, WHOLE_TREES = 9 };

static sporf_forest_part *part_of(int numbers, int weighted) {
    sporf_dataset *data =
        numbers ? with_targets(DATA_MIXED, ROWS, 4, 2, 1) : random_data(DATA_SMOOTH, ROWS, 4, 3, 1);
    double weights[ROWS];
    sporf_params params = params_with("trees", "9", (char *)NULL);
    sporf_forest_part *part = NULL;
    for (size_t i = 0; i < ROWS; i++) weights[i] = 1 + (double)(i % 3);
    if (weighted) assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
    assert_ok(sporf_forest_part_train(data, &params, NULL, 3, TREES, &part));
    sporf_dataset_free(data);
    return part;
}

static model model_of(int numbers, int weighted) {
    sporf_forest_part *part = part_of(numbers, weighted);
    void *bytes;
    model m;
    assert_ok(sporf_forest_part_save_bytes(part, &bytes, &m.size));
    m.bytes = bytes;
    sporf_forest_part_free(part);
    return m;
}

static void assert_faulty(model *m, const char *words) {
    sporf_forest_part *part = NULL;
    fix_model_checksums(m->bytes, m->size);
    assert_refused(sporf_forest_part_load_bytes(m->bytes, m->size, &part), SPORF_ERROR_MODEL,
                   words);
    assert_null(part);
}

static void assert_word_refused(size_t word, uint64_t value, const char *words) {
    model m = model_of(0, 1);
    set64(&m, offset_of(&m, PART) + 8 * word, value);
    assert_faulty(&m, words);
    free(m.bytes);
}

static void saved_parts_are_the_same(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        model m = model_of(kind / 2, kind % 2);
        sporf_forest_part *part = NULL;
        void *again;
        size_t size;
        sporf_forest_part_info info;
        sporf_forest_part_info_init(&info);
        assert_int_equal(get32(&m, VERSION_AT), 5);
        assert_ok(sporf_forest_part_load_bytes(m.bytes, m.size, &part));
        assert_ok(sporf_forest_part_save_bytes(part, &again, &size));
        assert_int_equal(size, m.size);
        assert_memory_equal(again, m.bytes, size);
        assert_ok(sporf_forest_part_describe(part, &info));
        assert_int_equal(info.first, 3);
        assert_int_equal(info.trees, TREES);
        assert_int_equal(info.whole, WHOLE_TREES);
        assert_int_equal(info.rows, ROWS);
        sporf_forest_part_free(part);
        sporf_free(again);
        free(m.bytes);
    }
}

static void parts_are_no_models_and_models_no_parts(void **state) {
    (void)state;
    model m = model_of(0, 0);
    sporf_forest *forest = NULL;
    sporf_forest_part *part = part_of(1, 0);
    tmp_file file = tmp_file_name("x.part");
    assert_refused(sporf_forest_load_bytes(m.bytes, m.size, &forest), SPORF_ERROR_MODEL,
                   "is a part of a forest: it has trees 4 to 6 of 9");
    assert_ok(sporf_forest_part_save(part, file.path));
    assert_refused(sporf_forest_load(file.path, &forest), SPORF_ERROR_MODEL, "join all its parts");
    assert_refused(sporf_forest_map(file.path, &forest), SPORF_ERROR_MODEL, "is a part");
    sporf_forest_part_free(part);
    part = NULL;
    assert_refused(sporf_forest_part_load("tests/fuzz/corpus/model/boosted.sporf", &part),
                   SPORF_ERROR_MODEL, "is a whole model");
    assert_null(part);
    tmp_file_remove(&file);
    free(m.bytes);
}

static void numbers_are_in_range(void **state) {
    (void)state;
    assert_word_refused(FIRST, 7, "its trees are not among the 9");
    assert_word_refused(FIRST, UINT64_MAX, "its trees are not among the 9");
    assert_word_refused(WHOLE, 5, "its trees are not among the 5");
    assert_word_refused(WHOLE, UINT64_MAX, "its trees are not among");
    assert_word_refused(WHOLE, 0, "its trees are not among");
    assert_word_refused(ROWS_OF_TABLE, 0, "out of range");
    assert_word_refused(ROWS_OF_TABLE, UINT64_MAX / 4, "out of range");
    assert_word_refused(ROWS_OF_TABLE, ROWS + 1, "too few or too many");
    assert_word_refused(WEIGHTED, 2, "out of range");
    assert_word_refused(WEIGHTED, 0, "too few or too many");
    model m = model_of(0, 0);
    memset(m.bytes + offset_of(&m, PART) + 8 * VERSION, 'x', 24);
    assert_faulty(&m, "has no end");
    free(m.bytes);
}

static void rows_have_classes_or_numbers(void **state) {
    (void)state;
    model m = model_of(0, 1);
    set32(&m, offset_of(&m, PART_ROWS) + 4 * 7, 3);
    assert_faulty(&m, "row 7 of the part has no class");
    set32(&m, offset_of(&m, PART_ROWS) + 4 * 7, 2);
    set32(&m, offset_of(&m, PART_ROWS) + 4 * (ROWS + 5), 0x7fc00000);
    assert_faulty(&m, "weight 5 of the part is no number");
    free(m.bytes);
    m = model_of(1, 0);
    set32(&m, offset_of(&m, PART_ROWS) + 4 * 70, 0x7f800000);
    assert_faulty(&m, "target 70 of the part is no number");
    free(m.bytes);
}

static void assert_byte_refused(size_t at, int value) {
    model m = model_of(0, 0);
    m.bytes[offset_of(&m, PART_OOB) + at] = (unsigned char)value;
    assert_faulty(&m, "do not fit its rows and trees");
    free(m.bytes);
}

/* Starts, a bit for each of 60 rows, and their leaves, of one byte each. */
static void out_of_bag_rows_fit(void **state) {
    (void)state;
    enum { STARTS = 8 * (TREES + 1), BITS = (ROWS + 7) / 8 };
    for (size_t word = 0; word <= TREES; word++) {
        model m = model_of(0, 0);
        set64(&m, offset_of(&m, PART_OOB) + 8 * word, word == TREES ? 1 : UINT64_MAX / 2);
        assert_faulty(&m, "do not fit its rows and trees");
        free(m.bytes);
    }
    assert_byte_refused(STARTS, 0xff);
    assert_byte_refused(STARTS, 0);
    assert_byte_refused(STARTS + BITS - 1, 0xf0);
    assert_byte_refused(STARTS + BITS, 0xff);
    static const uint64_t zeros[TREES] = {0};
    model m = model_of(0, 0), few = with_section(&m, PART_OOB, zeros, sizeof zeros);
    assert_faulty(&few, "do not fit its rows and trees");
    free(m.bytes);
    free(few.bytes);
}

/* Whether there are any follows from the bags. */
static void out_of_bag_rows_are_needed(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 3, 1);
    sporf_params params = params_with("trees", "1", (char *)NULL);
    sporf_forest_part *part = NULL;
    sporf_forest *forest = NULL;
    model m;
    void *bytes;
    assert_ok(sporf_forest_part_train(data, &params, NULL, 0, 1, &part));
    assert_ok(sporf_forest_part_save_bytes(part, &bytes, &m.size));
    m.bytes = bytes;
    sporf_forest_part_free(part);
    model none = with_section(&m, PART_OOB, NULL, 0);
    assert_ok(sporf_forest_part_load_bytes(none.bytes, none.size, &part));
    assert_refused(sporf_forest_join((const sporf_forest_part *const[]){part}, NULL, 1, 1, &forest),
                   SPORF_ERROR_MODEL, "does not have the out-of-bag rows of its bags");
    sporf_joining *joining = NULL;
    assert_ok(sporf_joining_create(1, &joining));
    assert_refused(sporf_joining_add(joining, part, "x.part"), SPORF_ERROR_MODEL,
                   "x.part does not have the out-of-bag rows of its bags");
    assert_refused(sporf_joining_end(joining, 1, &forest), SPORF_ERROR_ARGUMENT, "or failed");
    sporf_joining_free(joining);
    assert_null(forest);
    free(m.bytes);
    free(none.bytes);
    sporf_dataset_free(data);
}

static void version_and_sections_belong_together(void **state) {
    (void)state;
    static const uint64_t zeros[64] = {0};
    static const uint32_t results[] = {OUT_OF_BAG, OOB_TARGETS, CALIBRATION, BOOSTING};
    model m = model_of(0, 0);
    for (size_t i = 0; i < 4; i++) {
        model more = with_section(&m, results[i], zeros, sizeof zeros);
        sporf_forest_part *part = NULL;
        fix_model_checksums(more.bytes, more.size);
        assert_int_equal(sporf_forest_part_load_bytes(more.bytes, more.size, &part),
                         SPORF_ERROR_MODEL);
        free(more.bytes);
    }
    model without = with_section(&m, PART, NULL, 0);
    assert_faulty(&without, "a section of a part is missing");
    free(without.bytes);
    without = with_section(&m, PART_ROWS, NULL, 0);
    assert_faulty(&without, "a section of a part is missing");
    free(without.bytes);
    set32(&m, VERSION_AT, 3);
    assert_faulty(&m, "a section of a part is in a whole model");
    free(m.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saved_parts_are_the_same),
        cmocka_unit_test(parts_are_no_models_and_models_no_parts),
        cmocka_unit_test(numbers_are_in_range),
        cmocka_unit_test(rows_have_classes_or_numbers),
        cmocka_unit_test(out_of_bag_rows_fit),
        cmocka_unit_test(out_of_bag_rows_are_needed),
        cmocka_unit_test(version_and_sections_belong_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
