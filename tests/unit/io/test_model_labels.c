/* Models for several labels: they come back as they were saved, and damage to what is about labels
 * is named. */
#include "data/dataset.h"
#include "io/model_file.h"

#include "support/check.h"
#include "support/encoded_model.h"
#include "support/random_data.h"
#include "support/wanted.h"

enum { LEAF_VALUES = 22, COLUMNS = 34, ENDS, OOB_LABELS };
enum { VERSION_AT = 16, ROWS = 60, LABELS = 2, TARGETS = 5 };

static sporf_dataset *labelled(void) {
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 3, 2, 1);
    int64_t classes[ROWS];
    for (size_t i = 0; i < ROWS; i++) classes[i] = (int64_t)(i % 3);
    assert_ok(sporf_dataset_set_label_name(data, "a"));
    assert_ok(sporf_dataset_add_label_column(data));
    assert_ok(sporf_dataset_set_labels_int(data, classes, ROWS));
    assert_ok(sporf_dataset_set_label_name(data, "b"));
    assert_ok(sporf_dataset_add_label_column(data));
    return data;
}

static model labels_model(void) {
    sporf_dataset *data = labelled();
    sporf_forest *forest = train_with(data, "trees", "3", (char *)NULL);
    model m = encode(forest);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    for (uint32_t id = COLUMNS; id <= OOB_LABELS; id++) assert_true(entry_of(&m, id) != 0);
    return m;
}

static void a_model_comes_back_as_it_was_saved(void **state) {
    (void)state;
    sporf_dataset *data = labelled();
    sporf_forest *forest = train_with(data, "trees", "3", (char *)NULL), *back = NULL;
    model m = encode(forest);
    assert_ok(spf_model_decode(m.bytes, m.size, &back));
    const sporf_schema *schema = sporf_forest_schema(back);
    assert_int_equal(sporf_schema_label_columns(schema), LABELS);
    assert_string_equal(sporf_schema_label_column_name(schema, 1), "b");
    assert_int_equal(sporf_schema_label_column_classes(schema, 1), 3);
    assert_string_equal(sporf_schema_label_column_class(schema, 1, 2), "2");
    assert_memory_equal(sporf_forest_oob_labels(forest), sporf_forest_oob_labels(back),
                        (LABELS + 1) * sizeof(double));
    uint32_t before[ROWS * LABELS], after[ROWS * LABELS];
    assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.label_classes = before)));
    assert_ok(sporf_forest_predict(back, data, NULL, WANTED(.label_classes = after)));
    assert_memory_equal(before, after, sizeof before);
    model again = encode(back);
    assert_int_equal(m.size, again.size);
    assert_memory_equal(m.bytes, again.bytes, m.size);
    free(m.bytes);
    free(again.bytes);
    sporf_forest_free(forest);
    sporf_forest_free(back);
    sporf_dataset_free(data);
}

static void assert_faulty(model *m, const char *words) {
    sporf_forest *forest = NULL;
    fix_model_checksums(m->bytes, m->size);
    assert_refused(spf_model_decode(m->bytes, m->size, &forest), SPORF_ERROR_MODEL, words);
    free(m->bytes);
}

static void assert_end_refused(size_t label, uint64_t end, const char *words) {
    model m = labels_model();
    set64(&m, offset_of(&m, ENDS) + 8 * label, end);
    assert_faulty(&m, words);
}

static void assert_section_refused(uint32_t id, const void *bytes, size_t size, const char *words) {
    model m = labels_model();
    model changed = with_section(&m, id, bytes, size);
    free(m.bytes);
    assert_faulty(&changed, words);
}

static void ends_lead_through_the_targets(void **state) {
    (void)state;
    static const uint64_t three[] = {2, 4, 5};
    assert_end_refused(0, 0, "label column 0 has no proper classes");
    assert_end_refused(0, 3, "target 2 is not named after its label");
    assert_end_refused(0, TARGETS, "is not named after its label");
    assert_end_refused(1, 2, "label column 1 has no proper classes");
    assert_end_refused(1, 1, "label column 1 has no proper classes");
    assert_end_refused(1, 4, "there are targets of no label");
    assert_end_refused(1, 6, "label column 1 has no proper classes");
    assert_end_refused(1, UINT64_MAX, "label column 1 has no proper classes");
    assert_section_refused(ENDS, three, sizeof three, "not one end for each label column");
    assert_section_refused(ENDS, three, 8, "not one end for each label column");
    assert_section_refused(ENDS, three, 12, "not one end for each label column");
    assert_section_refused(ENDS, NULL, 0, "not one end for each label column");
}

static void names_of_label_columns_are_checked(void **state) {
    (void)state;
    model m = labels_model();
    size_t at = offset_of(&m, COLUMNS) + 4 * 8; /* count, and three offsets */
    m.bytes[at + 2] = 'a';
    assert_faulty(&m, "label columns 0 and 1 have the same name");
    m = labels_model();
    m.bytes[at] = 'c';
    assert_faulty(&m, "target 0 is not named after its label");
    assert_section_refused(COLUMNS, NULL, 0, "not one end for each label column");
}

static void errors_of_labels_are_checked(void **state) {
    (void)state;
    static const double errors[] = {0.5, 0.5, 1.5, 0};
    assert_section_refused(OOB_LABELS, errors, 3 * sizeof *errors, "is out of range");
    assert_section_refused(OOB_LABELS, errors, sizeof errors, "too few or too many");
    assert_section_refused(OOB_LABELS, errors, 8, "too few or too many");
}

static void leaf_values_are_shares(void **state) {
    (void)state;
    static const float values[] = {-0.01F, 1.01F};
    for (size_t i = 0; i < 2; i++) {
        uint32_t bits;
        model m = labels_model();
        memcpy(&bits, &values[i], sizeof bits);
        set32(&m, offset_of(&m, LEAF_VALUES), bits);
        assert_faulty(&m, "leaf value 0 is not the share of a class");
    }
}

/* Earlier programs refuse the version, and say that they are too old for it. */
static void several_labels_have_a_version_of_their_own(void **state) {
    (void)state;
    model m = labels_model();
    assert_int_equal(get32(&m, VERSION_AT), 6);
    set32(&m, VERSION_AT, 3);
    assert_faulty(&m, "the label columns are in another kind of model");
    m = labels_model();
    set32(&m, VERSION_AT, 7);
    assert_faulty(&m, "it was made by a newer version");
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, 3, 2, 1);
    sporf_forest *forest = train_with(data, "trees", "2", (char *)NULL);
    m = encode(forest);
    set32(&m, VERSION_AT, 6);
    assert_faulty(&m, "the label columns are missing");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_comes_back_as_it_was_saved),
        cmocka_unit_test(ends_lead_through_the_targets),
        cmocka_unit_test(names_of_label_columns_are_checked),
        cmocka_unit_test(errors_of_labels_are_checked),
        cmocka_unit_test(leaf_values_are_shares),
        cmocka_unit_test(several_labels_have_a_version_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
