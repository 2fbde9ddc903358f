/* Arguments that are missing: every function that needs one says so, and follows no NULL. */
#include "support/check.h"
#include "support/random_data.h"

#define assert_needed(call) assert_refused(call, SPORF_ERROR_ARGUMENT, "")

static void data_are_not_made_of_nothing(void **state) {
    (void)state;
    sporf_dataset *data = NULL;
    sporf_reader *reader = NULL;
    assert_needed(sporf_dataset_read(NULL, NULL, &data));
    assert_needed(sporf_dataset_read("x.csv", NULL, NULL));
    assert_needed(sporf_dataset_from_matrix(NULL, &data));
    assert_needed(sporf_dataset_from_arrow(NULL, NULL, NULL, &data));
    assert_needed(sporf_dataset_select(NULL, NULL, 0, &data));
    assert_needed(sporf_dataset_add_noise(NULL, 1, 1, &data));
    assert_needed(sporf_dataset_prepare(NULL, NULL, &data, NULL));
    assert_needed(sporf_simulate(NULL, 10, 0, 1, NULL, &data));
    assert_needed(sporf_simulate("orthant", 10, 0, 1, NULL, NULL));
    assert_needed(sporf_reader_open(NULL, NULL, &reader));
    assert_needed(sporf_dataset_write_csv(NULL, "x.csv"));
    assert_null(data);
    assert_null(reader);
}

static void nothing_is_not_set(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 5, 2, 2, 1);
    assert_needed(sporf_dataset_set_labels_int(NULL, NULL, 0));
    assert_needed(sporf_dataset_set_labels_text(data, NULL, 5));
    assert_needed(sporf_dataset_set_targets(NULL, NULL, NULL));
    assert_needed(sporf_dataset_set_weights(NULL, NULL, 0));
    assert_needed(sporf_dataset_set_feature_names(data, NULL, 2));
    assert_needed(sporf_dataset_set_levels(data, 0, SPORF_KIND_CATEGORY, NULL, 2));
    assert_needed(sporf_params_set(NULL, "trees", "1"));
    assert_needed(sporf_params_get(NULL, "trees", NULL, 0));
    sporf_dataset_free(data);
}

static void forests_do_not_come_from_nothing(void **state) {
    (void)state;
    sporf_forest *forest = NULL;
    sporf_preview preview = {.struct_size = sizeof preview};
    char *html = NULL;
    size_t size;
    const sporf_forest *const none[] = {NULL};
    assert_needed(sporf_forest_train(NULL, NULL, NULL, &forest));
    assert_needed(sporf_report_html(NULL, 1, NULL, NULL, NULL, &html, &size));
    assert_needed(sporf_report_html(none, 1, NULL, NULL, NULL, &html, &size));
    assert_needed(sporf_forest_extend(NULL, NULL, NULL, NULL, &forest));
    assert_needed(sporf_train_preview(NULL, NULL, &preview));
    assert_needed(sporf_forest_load(NULL, &forest));
    assert_needed(sporf_forest_load("x.sporf", NULL));
    assert_needed(sporf_forest_map(NULL, &forest));
    assert_needed(sporf_forest_load_bytes(NULL, 0, &forest));
    assert_null(forest);
}

static void without_a_forest_there_is_no_answer(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 5, 2, 2, 1);
    sporf_predictions predictions = {0};
    sporf_evaluation evaluation;
    sporf_forest_summary summary;
    sporf_ranking *ranking = NULL;
    sporf_strength strength;
    double value;
    uint32_t row = 0;
    void *bytes = NULL;
    size_t size;
    assert_needed(sporf_forest_predict(NULL, data, NULL, &predictions));
    assert_needed(sporf_forest_evaluate(NULL, data, NULL, &evaluation));
    assert_needed(sporf_forest_save(NULL, "x.sporf"));
    assert_needed(sporf_forest_save_bytes(NULL, &bytes, &size));
    assert_needed(sporf_forest_summarise(NULL, &summary));
    assert_needed(sporf_forest_importances(NULL, &value));
    assert_needed(sporf_ranking_create(NULL, 1, &ranking));
    assert_needed(sporf_forest_proximities(NULL, data, data, NULL, 1, &row, &row, &value));
    assert_needed(sporf_forest_nearest(NULL, data, data, NULL, 1, &row, &value));
    assert_needed(sporf_forest_strength(NULL, data, NULL, NULL, &strength));
    assert_needed(sporf_forest_bags(NULL, data, NULL, NULL, &(uint32_t){0}));
    assert_needed(sporf_forest_permutation_importances(NULL, data, NULL, NULL, &value, NULL));
    assert_needed(sporf_forest_group_importances(NULL, data, NULL, NULL, NULL, 0, NULL, NULL));
    assert_needed(sporf_corrected_importances(NULL, data, NULL, NULL, NULL, 0, NULL, NULL));
    assert_needed(sporf_drop_column(NULL, data, NULL, NULL, NULL, 0, NULL, NULL));
    sporf_dataset_free(data);
}

static void folds_and_searches_need_data(void **state) {
    (void)state;
    sporf_folds *folds = NULL;
    sporf_search *search = NULL;
    sporf_crossval *crossval = NULL;
    uint64_t bytes;
    assert_needed(sporf_folds_draw(NULL, 3, 1, &folds));
    assert_needed(sporf_folds_create(NULL, 0, &folds));
    assert_needed(sporf_folds_read(NULL, 3, &folds));
    assert_needed(sporf_folds_write(NULL, "x"));
    assert_needed(sporf_search_run(NULL, NULL, NULL, &search));
    assert_needed(sporf_search_memory(NULL, NULL, NULL, &bytes));
    assert_needed(sporf_crossval_run(NULL, NULL, NULL, NULL, &crossval));
    assert_null(folds);
    assert_null(search);
    assert_null(crossval);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_are_not_made_of_nothing),
        cmocka_unit_test(nothing_is_not_set),
        cmocka_unit_test(forests_do_not_come_from_nothing),
        cmocka_unit_test(without_a_forest_there_is_no_answer),
        cmocka_unit_test(folds_and_searches_need_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
