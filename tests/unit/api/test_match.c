/* Columns of new data for the features of a model: by name where both have names, else by place. */
#include "api/match.h"

#include <math.h>

#include "support/check.h"
#include "support/random_data.h"
#include "support/wanted.h"

enum { ROWS = 4 };

/* Names that may be equal, as in files those of columns other than features. */
static void put_names(const char *const *names, size_t count, sporf_schema *schema) {
    for (size_t i = 0; i < count; i++)
        assert_ok(spf_strings_add(&schema->names, names[i], strlen(names[i])));
}

/* Column j holds values 10 j, 10 j + 1, ... so that each can be recognised. */
static sporf_dataset *table(size_t features, const char *const *names) {
    double *values = need(ROWS * features, sizeof *values);
    static const int64_t labels[ROWS] = {0, 1, 0, 1};
    for (size_t i = 0; i < ROWS * features; i++)
        values[i] = (double)(10 * (i % features) + i / features);
    sporf_matrix matrix = {values, SPORF_FLOAT64, ROWS, features, features, 1};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
    if (names) put_names(names, features, &data->schema);
    free(values);
    return data;
}

static sporf_forest *model(size_t features, const char *const *names) {
    sporf_dataset *data = table(features, NULL);
    sporf_forest *forest = train_with(data, "trees", "1", (char *)NULL);
    if (names) put_names(names, features, &forest->schema);
    sporf_dataset_free(data);
    return forest;
}

static sporf_status match(const sporf_forest *forest, size_t features, const char *const *names,
                          size_t *found) {
    sporf_dataset *data = table(features, names);
    const float **columns = NULL;
    int has_missing;
    sporf_status status = spf_match_columns(forest, data, &columns, &has_missing);
    for (size_t i = 0; status == SPORF_OK && i < forest->features; i++)
        for (size_t j = 0; j < features; j++)
            if (columns[i] == data->columns[j]) found[i] = j;
    free(columns);
    sporf_dataset_free(data);
    return status;
}

#define NAMES(...) ((const char *const[]){__VA_ARGS__})

static void assert_found(const size_t *found, size_t a, size_t b, size_t c) {
    assert_int_equal(found[0], a);
    assert_int_equal(found[1], b);
    assert_int_equal(found[2], c);
}

static void columns_are_found_by_name_in_any_order(void **state) {
    (void)state;
    sporf_forest *forest = model(3, NAMES("a", "b", "c"));
    size_t found[3];
    assert_ok(match(forest, 3, NAMES("a", "b", "c"), found));
    assert_found(found, 0, 1, 2);
    assert_ok(match(forest, 3, NAMES("c", "a", "b"), found));
    assert_found(found, 1, 2, 0);
    assert_ok(match(forest, 5, NAMES("x", "c", "b", "y", "a"), found));
    assert_found(found, 4, 2, 1);
    sporf_forest_free(forest);
}

static void without_names_on_both_sides_places_count(void **state) {
    (void)state;
    sporf_forest *named = model(3, NAMES("a", "b", "c")), *unnamed = model(3, NULL);
    size_t found[3];
    assert_ok(match(named, 3, NULL, found));
    assert_found(found, 0, 1, 2);
    assert_ok(match(unnamed, 3, NAMES("z", "y", "x"), found));
    assert_found(found, 0, 1, 2);
    assert_ok(match(unnamed, 3, NULL, found));
    assert_found(found, 0, 1, 2);
    sporf_forest_free(named);
    sporf_forest_free(unnamed);
}

static void another_number_of_features_is_refused(void **state) {
    (void)state;
    sporf_forest *named = model(3, NAMES("a", "b", "c")), *unnamed = model(3, NULL);
    size_t found[3];
    assert_refused(match(unnamed, 2, NULL, found), SPORF_ERROR_MODEL, "2 features");
    assert_refused(match(unnamed, 4, NAMES("a", "b", "c", "d"), found), SPORF_ERROR_MODEL,
                   "trained with 3");
    assert_refused(match(named, 4, NULL, found), SPORF_ERROR_MODEL, "4 features");
    sporf_forest_free(named);
    sporf_forest_free(unnamed);
}

static void a_missing_column_is_named(void **state) {
    (void)state;
    sporf_forest *forest = model(3, NAMES("a", "b", "c"));
    size_t found[3];
    assert_refused(match(forest, 3, NAMES("a", "b", "d"), found), SPORF_ERROR_MODEL, "'c'");
    assert_refused(match(forest, 2, NAMES("a", "c"), found), SPORF_ERROR_MODEL, "'b'");
    assert_refused(match(forest, 3, NAMES("A", "b", "c"), found), SPORF_ERROR_MODEL, "'a'");
    sporf_forest_free(forest);
}

static void a_renamed_column_is_suggested(void **state) {
    (void)state;
    sporf_forest *forest = model(3, NAMES("colour", "height [cm]", "size"));
    size_t found[3];
    assert_refused(match(forest, 3, NAMES("color", "size", "height"), found), SPORF_ERROR_MODEL,
                   "the data have no column 'colour', of the 3 that the model was trained with; "
                   "other columns are 'color'; is 'color' meant for 'colour'?");
    assert_refused(match(forest, 3, NAMES("COLOUR", "height", "size"), found), SPORF_ERROR_MODEL,
                   "is 'COLOUR' meant for 'colour'?");
    assert_refused(match(forest, 2, NAMES("note", "size"), found), SPORF_ERROR_MODEL,
                   "no column 'colour', 'height [cm]', of the 3");
    assert_null(strstr(sporf_last_error(), "meant for"));
    sporf_forest_free(forest);
}

/* As many as fit into a message, which is many, and the number of the others. */
static void all_missing_columns_are_listed(void **state) {
    (void)state;
    enum { MANY = 90 };
    char text[MANY][8];
    const char *names[MANY];
    size_t found[MANY];
    for (size_t i = 0; i < MANY; i++) {
        snprintf(text[i], sizeof text[i], "x%zu", i + 10);
        names[i] = text[i];
    }
    sporf_forest *forest = model(30, names);
    assert_refused(match(forest, 1, NAMES("y"), found), SPORF_ERROR_MODEL, "'x10', 'x11'");
    for (size_t i = 0; i < 30; i++) assert_non_null(strstr(sporf_last_error(), text[i]));
    sporf_forest_free(forest);
    forest = model(MANY, names);
    assert_refused(match(forest, 1, NAMES("y"), found), SPORF_ERROR_MODEL, "'x63' and 36 more");
    assert_non_null(strstr(sporf_last_error(), "other columns are 'y'"));
    sporf_forest_free(forest);
}

static void a_feature_that_occurs_twice_is_refused(void **state) {
    (void)state;
    sporf_forest *forest = model(3, NAMES("a", "b", "c"));
    size_t found[3];
    assert_refused(match(forest, 4, NAMES("a", "b", "c", "b"), found), SPORF_ERROR_DATA, "'b'");
    assert_refused(match(forest, 3, NAMES("a", "b", "b"), found), SPORF_ERROR_DATA, "'b'");
    assert_ok(match(forest, 5, NAMES("x", "a", "b", "x", "c"), found));
    assert_found(found, 1, 2, 4);
    sporf_forest_free(forest);
}

/* A model may have been trained with equal names; only the same columns then say which is which. */
static void a_model_with_equal_names_takes_only_the_same_columns(void **state) {
    (void)state;
    sporf_forest *forest = model(3, NAMES("a", "b", "a"));
    size_t found[3];
    assert_ok(match(forest, 3, NAMES("a", "b", "a"), found));
    assert_found(found, 0, 1, 2);
    assert_refused(match(forest, 3, NAMES("b", "a", "c"), found), SPORF_ERROR_MODEL, "'a'");
    assert_refused(match(forest, 3, NAMES("a", "a", "b"), found), SPORF_ERROR_MODEL, "'a'");
    sporf_forest_free(forest);
}

/* Two features were otherwise one column, and the table a column short. */
static void whole_numbers_name_one_column_each(void **state) {
    (void)state;
    sporf_forest *forest = model(2, NAMES("3", "1"));
    size_t found[2];
    assert_ok(match(forest, 5, NULL, found));
    assert_int_equal(found[0], 2);
    assert_int_equal(found[1], 0);
    sporf_forest_free(forest);
    forest = model(2, NAMES("1", "1"));
    assert_refused(match(forest, 5, NULL, found), SPORF_ERROR_MODEL, "two columns named '1'");
    sporf_forest_free(forest);
}

static void empty_names_are_names_too(void **state) {
    (void)state;
    sporf_forest *forest = model(3, NAMES("", "b", "c"));
    size_t found[3];
    assert_ok(match(forest, 3, NAMES("c", "", "b"), found));
    assert_found(found, 1, 2, 0);
    sporf_forest_free(forest);
}

/* ---- levels ---------------------------------------------------------------------------------- */

/* A model of three features, the second of them a category. */
static sporf_forest *model_with_levels(const char *const *levels, size_t count) {
    sporf_forest *forest = model(3, NAMES("a", "b", "c"));
    spf_strings list = {0};
    for (size_t i = 0; i < count; i++)
        assert_ok(spf_strings_add(&list, levels[i], strlen(levels[i])));
    assert_ok(spf_schema_set_levels(&forest->schema, 3, 1, SPORF_KIND_CATEGORY, &list));
    return forest;
}

/* Rows with the numbers 0, 1, 2 and none in the column b, which come third here. */
static sporf_dataset *table_with_levels(const char *const *levels, size_t count) {
    static const float values[] = {1, 1, 1, 1, 2, 2, 2, 2, 0, 1, 2, NAN};
    const sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, 3, 1, ROWS};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_feature_names(data, NAMES("c", "a", "b"), 3));
    if (count > 0) assert_ok(sporf_dataset_set_levels(data, 2, SPORF_KIND_CATEGORY, levels, count));
    return data;
}

static void levels_get_the_numbers_of_the_model(void **state) {
    (void)state;
    sporf_forest *forest = model_with_levels(NAMES("blue", "green", "red", "white"), 4);
    sporf_dataset *data = table_with_levels(NAMES("red", "pink", "blue"), 3);
    const float **columns = NULL;
    int has_missing;
    assert_ok(spf_match_columns(forest, data, &columns, &has_missing));
    assert_true(columns[0] == data->columns[1] && columns[2] == data->columns[0]);
    assert_true(columns[1][0] == 2 && isnan(columns[1][1]) && columns[1][2] == 0);
    assert_true(isnan(columns[1][3]));
    free(columns);
    sporf_dataset_free(data);
    data = table_with_levels(NAMES("blue", "green", "red", "white"), 4);
    assert_ok(spf_match_columns(forest, data, &columns, &has_missing));
    assert_true(columns[1] == data->columns[2]);
    assert_int_equal(has_missing, data->has_missing);
    free(columns);
    sporf_dataset_free(data);
    sporf_forest_free(forest);
}

/* A grade in order, and a number that tells as much; nothing is missing. */
static sporf_dataset *grades(const char *const *levels, size_t count, size_t rows) {
    float *values = need(2 * rows, sizeof *values);
    int64_t *labels = need(rows, sizeof *labels);
    for (size_t i = 0; i < rows; i++) {
        values[2 * i] = (float)(i % count);
        values[2 * i + 1] = (float)(i * 7 % 50);
        labels[i] = (i % count >= 2) ^ (i * 7 % 50 >= 20);
    }
    sporf_matrix matrix = {values, SPORF_FLOAT32, rows, 2, 2, 1};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, rows));
    assert_ok(sporf_dataset_set_levels(data, 0, SPORF_KIND_ORDINAL, levels, count));
    free(labels);
    free(values);
    return data;
}

static void unknown_grades_are_missing_even_where_nothing_else_is(void **state) {
    (void)state;
    enum { GRADES = 400 };
    sporf_dataset *known = grades(NAMES("a", "b", "c", "d"), 4, GRADES);
    sporf_dataset *strange = grades(NAMES("a", "b", "x", "d"), 4, GRADES);
    sporf_forest *forest = train_with(known, "method", "rf", "trees", "20", (char *)NULL);
    uint32_t found[GRADES];
    double shares[2];
    assert_ok(sporf_forest_predict(forest, strange, NULL, WANTED(.classes = found)));
    for (size_t i = 0; i < GRADES; i++) {
        float row[2] = {strange->columns[0][i], strange->columns[1][i]};
        if (row[0] == 2) row[0] = NAN;
        assert_int_equal(found[i],
                         sporf_forest_predict_row(forest, row, SPORF_COMBINE_VOTES, shares));
    }
    sporf_forest_free(forest);
    sporf_dataset_free(strange);
    sporf_dataset_free(known);
}

static void unknown_levels_are_counted_beforehand(void **state) {
    (void)state;
    sporf_forest *forest = model_with_levels(NAMES("blue", "green", "red"), 3);
    sporf_dataset *strange = table_with_levels(NAMES("red", "pink", "grey"), 3);
    sporf_dataset *known = table_with_levels(NAMES("red", "blue", "green"), 3);
    sporf_dataset *unused = table_with_levels(NAMES("red", "blue", "green", "pink"), 4);
    size_t rows = 9;
    const char *example = "";
    assert_ok(sporf_forest_unknown_levels(forest, strange, 1, &rows, &example));
    assert_int_equal(rows, 2);
    assert_string_equal(example, "pink");
    assert_ok(sporf_forest_unknown_levels(forest, strange, 0, &rows, &example));
    assert_int_equal(rows, 0);
    assert_null(example);
    assert_ok(sporf_forest_unknown_levels(forest, known, 1, &rows, NULL));
    assert_int_equal(rows, 0);
    assert_ok(sporf_forest_unknown_levels(forest, unused, 1, &rows, NULL));
    assert_int_equal(rows, 0);
    sporf_dataset_free(strange);
    sporf_dataset_free(known);
    sporf_dataset_free(unused);
    sporf_forest_free(forest);
}

/* As prediction would. */
static void unknown_levels_are_not_looked_for_where_nothing_fits(void **state) {
    (void)state;
    sporf_forest *forest = model_with_levels(NAMES("x", "y", "z"), 3);
    sporf_dataset *numbers = table_with_levels(NULL, 0);
    size_t rows;
    assert_refused(sporf_forest_unknown_levels(forest, numbers, 1, &rows, NULL), SPORF_ERROR_MODEL,
                   "column 3 ('b') has numbers");
    assert_refused(sporf_forest_unknown_levels(forest, numbers, 3, &rows, NULL),
                   SPORF_ERROR_ARGUMENT, "there is no feature 3: the forest has 3");
    assert_refused(sporf_forest_unknown_levels(forest, NULL, 0, &rows, NULL), SPORF_ERROR_ARGUMENT,
                   "must not be NULL");
    sporf_dataset_free(numbers);
    sporf_forest_free(forest);
}

static void numbers_are_not_taken_for_levels(void **state) {
    (void)state;
    sporf_forest *forest = model_with_levels(NAMES("x", "y", "z"), 3);
    sporf_forest *plain = model(3, NAMES("a", "b", "c"));
    sporf_dataset *numbers = table_with_levels(NULL, 0);
    sporf_dataset *levels = table_with_levels(NAMES("x", "y", "z"), 3);
    const float **columns = NULL;
    int has_missing;
    assert_refused(spf_match_columns(forest, numbers, &columns, &has_missing), SPORF_ERROR_MODEL,
                   "column 3 ('b') has numbers, but the model was trained with categories");
    assert_refused(spf_match_columns(plain, levels, &columns, &has_missing), SPORF_ERROR_MODEL,
                   "column 3 ('b') has categories, but the model was trained with numbers");
    sporf_dataset_free(numbers);
    sporf_dataset_free(levels);
    sporf_forest_free(forest);
    sporf_forest_free(plain);
}

/* A batch of one row whose town is null has no type to tell that it is a category. */
static void a_column_without_values_is_of_any_kind(void **state) {
    (void)state;
    static const float values[] = {1, 2, NAN};
    const sporf_matrix matrix = {values, SPORF_FLOAT32, 1, 3, 1, 1};
    sporf_forest *forest = model_with_levels(NAMES("x", "y", "z"), 3);
    sporf_dataset *data = NULL;
    const float **columns = NULL;
    int has_missing = 0;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_feature_names(data, NAMES("c", "a", "b"), 3));
    assert_ok(spf_match_columns(forest, data, &columns, &has_missing));
    assert_true(isnan(columns[1][0]) && columns[0][0] == 2 && has_missing);
    free(columns);
    sporf_dataset_free(data);
    sporf_forest_free(forest);
}

static void units_of_names_must_agree(void **state) {
    (void)state;
    sporf_forest *forest = model(3, NAMES("a [cm]", "b", "c"));
    size_t found[3];
    assert_ok(match(forest, 3, NAMES("c", "b [s]", "a"), found));
    assert_found(found, 2, 1, 0);
    assert_refused(match(forest, 3, NAMES("a [in]", "b", "c"), found), SPORF_ERROR_DATA,
                   "trained with 'a [cm]'");
    sporf_forest_free(forest);
}

/* The law behind it all: shuffled columns give the same predictions. */
static void predictions_follow_the_names(void **state) {
    (void)state;
    static const char *const names[] = {"u", "v", "w", "x"};
    sporf_dataset *data = random_data(DATA_SMOOTH, 100, 4, 3, 1);
    assert_ok(sporf_dataset_set_feature_names(data, names, 4));
    sporf_forest *forest = train_with(data, "trees", "20", (char *)NULL);
    float *values = need(100 * 4, sizeof *values);
    for (size_t j = 0; j < 4; j++)
        memcpy(values + 100 * j, sporf_dataset_feature(data, 3 - j), 100 * sizeof *values);
    sporf_matrix matrix = {values, SPORF_FLOAT32, 100, 4, 1, 100};
    sporf_dataset *turned = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &turned));
    assert_ok(sporf_dataset_set_feature_names(turned, NAMES("x", "w", "v", "u"), 4));
    double plain[300], by_name[300];
    assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.probabilities = plain)));
    assert_ok(sporf_forest_predict(forest, turned, NULL, WANTED(.probabilities = by_name)));
    assert_memory_equal(plain, by_name, sizeof plain);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    sporf_dataset_free(turned);
    free(values);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_found_by_name_in_any_order),
        cmocka_unit_test(without_names_on_both_sides_places_count),
        cmocka_unit_test(another_number_of_features_is_refused),
        cmocka_unit_test(a_missing_column_is_named),
        cmocka_unit_test(a_renamed_column_is_suggested),
        cmocka_unit_test(all_missing_columns_are_listed),
        cmocka_unit_test(a_feature_that_occurs_twice_is_refused),
        cmocka_unit_test(a_model_with_equal_names_takes_only_the_same_columns),
        cmocka_unit_test(whole_numbers_name_one_column_each),
        cmocka_unit_test(empty_names_are_names_too),
        cmocka_unit_test(levels_get_the_numbers_of_the_model),
        cmocka_unit_test(unknown_grades_are_missing_even_where_nothing_else_is),
        cmocka_unit_test(unknown_levels_are_counted_beforehand),
        cmocka_unit_test(unknown_levels_are_not_looked_for_where_nothing_fits),
        cmocka_unit_test(numbers_are_not_taken_for_levels),
        cmocka_unit_test(a_column_without_values_is_of_any_kind),
        cmocka_unit_test(units_of_names_must_agree),
        cmocka_unit_test(predictions_follow_the_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
