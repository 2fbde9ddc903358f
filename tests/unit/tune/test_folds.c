/* Folds: every row is tested once, classes are dealt out evenly, files say what they mean. */
#include "data/dataset.h"

#include "support/check.h"
#include "support/random_data.h"
#include "support/tmpfile.h"

/* Each row is in the test rows of exactly the fold that it is said to be in. */
static void assert_parted(const sporf_folds *folds, size_t rows) {
    size_t *seen = need(rows, sizeof *seen), all = 0;
    assert_int_equal(folds->rows, rows);
    for (size_t k = 0; k < folds->count; k++) {
        const uint32_t *test = folds->test[k].rows;
        size_t count = folds->test[k].count;
        assert_true(count > 0);
        all += count;
        for (size_t i = 0; i < count; i++) {
            assert_true(i == 0 || test[i] > test[i - 1]);
            assert_int_equal(folds->fold[test[i]], k);
            seen[test[i]]++;
        }
    }
    assert_int_equal(all, rows);
    for (size_t i = 0; i < rows; i++) assert_int_equal(seen[i], 1);
    free(seen);
}

/* How many rows of a class a fold tests; all classes: the number of them. */
static size_t count_class(const sporf_folds *folds, const sporf_dataset *data, size_t fold,
                          size_t class) {
    size_t found = 0;
    const uint32_t *test = folds->test[fold].rows;
    for (size_t i = 0; i < folds->test[fold].count; i++)
        found += class == data->schema.classes.count || data->labels[test[i]] == class;
    return found;
}

static void classes_are_dealt_out_evenly(void **state) {
    (void)state;
    for (size_t rows = 5; rows < 200; rows += 13)
        for (size_t folds_count = 2; folds_count <= 5; folds_count++) {
            sporf_dataset *data = random_data(DATA_SMOOTH, rows, 2, 4, rows);
            sporf_folds *folds = NULL;
            assert_ok(sporf_folds_draw(data, folds_count, 7, &folds));
            assert_int_equal(folds->count, folds_count);
            assert_parted(folds, rows);
            for (size_t c = 0; c <= data->schema.classes.count; c++) {
                size_t least = SIZE_MAX, most = 0;
                for (size_t k = 0; k < folds_count; k++) {
                    size_t count = count_class(folds, data, k, c);
                    if (count < least) least = count;
                    if (count > most) most = count;
                }
                assert_true(most - least <= 1);
            }
            sporf_folds_free(folds);
            sporf_dataset_free(data);
        }
}

/* Neighbours in the order of the target are in different folds. */
static void numbers_are_dealt_out_in_their_order(void **state) {
    (void)state;
    enum { ROWS = 103, FOLDS = 5 };
    float values[ROWS];
    sporf_folds *folds = NULL;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 2, 2, 1);
    for (size_t i = 0; i < ROWS; i++) values[i] = (float)(i * 37 % ROWS); /* a permutation */
    set_targets(data, values, 1);
    assert_ok(sporf_folds_draw(data, FOLDS, 3, &folds));
    assert_parted(folds, ROWS);
    size_t at[ROWS];
    for (size_t i = 0; i < ROWS; i++) at[(size_t)values[i]] = i;
    for (size_t begin = 0; begin + FOLDS <= ROWS; begin += FOLDS) {
        unsigned seen = 0;
        for (size_t i = begin; i < begin + FOLDS; i++) seen |= 1u << folds->fold[at[i]];
        assert_int_equal(seen, (1u << FOLDS) - 1);
    }
    sporf_folds_free(folds);
    sporf_dataset_free(data);
}

static int same_folds(const sporf_folds *a, const sporf_folds *b) {
    return a->count == b->count && a->rows == b->rows &&
           memcmp(a->fold, b->fold, a->rows * sizeof(uint32_t)) == 0;
}

static void the_seed_makes_the_folds(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 90, 2, 3, 1);
    sporf_folds *folds[3];
    for (size_t i = 0; i < 3; i++) assert_ok(sporf_folds_draw(data, 5, i / 2, &folds[i]));
    assert_true(same_folds(folds[0], folds[1]));
    assert_false(same_folds(folds[0], folds[2]));
    for (size_t i = 0; i < 3; i++) sporf_folds_free(folds[i]);
    sporf_dataset_free(data);
}

/* Every pair of rows of a class is as likely to be tested together as any other. */
static void rows_are_drawn_by_chance(void **state) {
    (void)state;
    enum { ROWS = 12, DRAWS = 2000 };
    size_t together[ROWS - 1] = {0};
    int64_t labels[ROWS] = {0};
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 1, 2, 1);
    assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        sporf_folds *folds = NULL;
        assert_ok(sporf_folds_draw(data, 3, seed, &folds));
        const uint32_t *fold = folds->fold;
        for (size_t i = 1; i < ROWS; i++) together[i - 1] += fold[i] == fold[0];
        sporf_folds_free(folds);
    }
    assert_equally_likely(together, ROWS - 1, DRAWS * 3.0 / 11);
    sporf_dataset_free(data);
}

static void rows_without_labels_are_dealt_out_evenly(void **state) {
    (void)state;
    enum { ROWS = 20, COUNT = 3 };
    const float values[ROWS] = {0};
    const sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, 1, 1, 1};
    sporf_dataset *data = NULL;
    sporf_folds *folds = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_folds_draw(data, COUNT, 1, &folds));
    assert_parted(folds, ROWS);
    for (size_t k = 0; k < COUNT; k++)
        assert_in_range(folds->test[k].count, ROWS / COUNT, ROWS / COUNT + 1);
    sporf_folds_free(folds);
    sporf_dataset_free(data);
}

static void what_cannot_be_drawn_is_refused(void **state) {
    (void)state;
    sporf_folds *folds = NULL;
    sporf_dataset *data = random_data(DATA_SMOOTH, 9, 2, 3, 1);
    assert_refused(sporf_folds_draw(data, 1, 1, &folds), SPORF_ERROR_ARGUMENT,
                   "from 2 to the number of rows");
    assert_refused(sporf_folds_draw(data, 10, 1, &folds), SPORF_ERROR_ARGUMENT, "got 10");
    assert_refused(sporf_folds_draw(NULL, 2, 1, &folds), SPORF_ERROR_ARGUMENT, "need data");
    const uint32_t one[] = {0, 0, 0}, hole[] = {0, 2, 0}, far[] = {0, 1, 9};
    assert_refused(sporf_folds_create(one, 3, &folds), SPORF_ERROR_ARGUMENT, "in one");
    assert_refused(sporf_folds_create(hole, 3, &folds), SPORF_ERROR_ARGUMENT, "fold 1 has no rows");
    assert_refused(sporf_folds_create(far, 3, &folds), SPORF_ERROR_ARGUMENT, "fold 9");
    assert_null(folds);
    sporf_dataset_free(data);
}

/* ---- files ----------------------------------------------------------------------------------- */

static sporf_status read_text(const char *text, size_t rows, sporf_folds **folds) {
    tmp_file file = tmp_file_of("x.folds", text, strlen(text));
    sporf_status status = sporf_folds_read(file.path, rows, folds);
    tmp_file_remove(&file);
    return status;
}

static void files_are_read_with_any_line_ends_and_blanks(void **state) {
    (void)state;
    static const char *const texts[] = {"2,5\n1,3\n4\n",      "2,5\r\n1,3\r\n4\r\n",
                                        "2,5\n1,3\n4",        "5, 2\n 3 ,1 \n4\n",
                                        "2,5,\n1,3\n4\n\n\n", "\357\273\2772,5\n\t1,3\n4\n"};
    const uint32_t wanted[] = {1, 0, 1, 2, 0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sporf_folds *folds = NULL;
        assert_ok(read_text(texts[i], 5, &folds));
        assert_int_equal(folds->count, 3);
        assert_memory_equal(folds->fold, wanted, sizeof wanted);
        assert_parted(folds, 5);
        sporf_folds_free(folds);
    }
}

static void wrong_files_are_refused_by_line(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"1,2\n3,6\n4,5\n", "line 2: there is no row 6"},
        {"1,2\n0,3\n4,5\n", "line 2: there is no row 0"},
        {"1,2\n3,99999999999999999999\n4,5\n", "line 2: there is no row"},
        {"1,2\n3\n4,2,5\n", "line 3: row 2 is already in line 1"},
        {"1,1\n2,3,4,5\n", "line 1: row 1 is already in line 1"},
        {"1,2\n4,5\n", "row 3 of 5 is in none"},
        {"1,2\nthree\n4,5\n", "line 2: 'three' is not a row number"},
        {"1,2\n3.5\n4,5\n", "line 2: '3.5' is not a row number"},
        {"1,2\n-3\n4,5\n", "line 2: '-3' is not a row number"},
        {"1 2\n3,4,5\n", "line 1: '1 2' is not a row number"},
        {"1,,2\n3,4,5\n", "line 1: '' is not a row number"},
        {"1,2\n\n3,4,5\n", "line 2 is blank"},
        {"\n1,2\n3,4,5\n", "line 1 is blank"},
        {"1,2,3,4,5\n", "one fold only"},
        {"", "no folds"},
        {"\n\n", "no folds"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sporf_folds *folds = NULL;
        assert_refused(read_text(cases[i][0], 5, &folds), SPORF_ERROR_DATA, cases[i][1]);
        assert_non_null(strstr(sporf_last_error(), "x.folds"));
        assert_null(folds);
    }
    sporf_folds *folds = NULL;
    assert_refused(sporf_folds_read("nowhere.folds", 5, &folds), SPORF_ERROR_IO, "nowhere.folds");
}

static void written_folds_are_read_back(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 77, 2, 3, 1);
    sporf_folds *drawn = NULL, *read = NULL;
    tmp_file file = tmp_file_name("kept.folds");
    assert_ok(sporf_folds_draw(data, 10, 1, &drawn));
    assert_ok(sporf_folds_write(drawn, file.path));
    assert_ok(sporf_folds_read(file.path, 77, &read));
    assert_true(same_folds(drawn, read));
    assert_refused(sporf_folds_write(drawn, "nowhere/x.folds"), SPORF_ERROR_IO, "nowhere");
    tmp_file_remove(&file);
    sporf_folds_free(drawn);
    sporf_folds_free(read);
    sporf_dataset_free(data);
}

static void splitting_gives_both_parts_in_order(void **state) {
    (void)state;
    enum { ROWS = 40 };
    sporf_dataset *data = random_data(DATA_MIXED, ROWS, 4, 3, 1), *train = NULL, *test = NULL;
    sporf_folds *folds = NULL;
    assert_ok(sporf_folds_draw(data, 4, 1, &folds));
    assert_ok(sporf_folds_split(folds, data, 2, &train, &test));
    size_t at_train = 0, at_test = 0;
    for (size_t i = 0; i < ROWS; i++) {
        int tested = folds->fold[i] == 2;
        const sporf_dataset *part = tested ? test : train;
        size_t row = tested ? at_test++ : at_train++;
        assert_int_equal(part->labels[row], data->labels[i]);
        for (size_t j = 0; j < 4; j++)
            assert_memory_equal(&part->columns[j][row], &data->columns[j][i], sizeof(float));
    }
    assert_int_equal(at_train, train->rows);
    assert_int_equal(at_test, test->rows);
    sporf_dataset *other = random_data(DATA_SMOOTH, ROWS + 1, 4, 3, 1), *none = NULL;
    assert_refused(sporf_folds_split(folds, data, 4, &none, NULL), SPORF_ERROR_ARGUMENT, "fold 4");
    assert_refused(sporf_folds_split(folds, other, 1, &none, NULL), SPORF_ERROR_ARGUMENT,
                   "41 rows");
    sporf_dataset_free(other);
    sporf_dataset_free(train);
    sporf_dataset_free(test);
    sporf_dataset_free(data);
    sporf_folds_free(folds);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_dealt_out_evenly),
        cmocka_unit_test(numbers_are_dealt_out_in_their_order),
        cmocka_unit_test(the_seed_makes_the_folds),
        cmocka_unit_test(rows_are_drawn_by_chance),
        cmocka_unit_test(rows_without_labels_are_dealt_out_evenly),
        cmocka_unit_test(what_cannot_be_drawn_is_refused),
        cmocka_unit_test(files_are_read_with_any_line_ends_and_blanks),
        cmocka_unit_test(wrong_files_are_refused_by_line),
        cmocka_unit_test(written_folds_are_read_back),
        cmocka_unit_test(splitting_gives_both_parts_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
