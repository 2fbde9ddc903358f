/* Columns of noise: what they hold, and that all else stays as it is. */
#include "base/number.h"
#include <unistd.h>

#include "support/check.h"
#include "support/random_data.h"
#include "support/tmpfile.h"

static sporf_dataset *noisy(const sporf_dataset *data, size_t columns, uint64_t seed) {
    sporf_dataset *made = NULL;
    assert_ok(sporf_dataset_add_noise(data, columns, seed, &made));
    return made;
}

static void noise_is_normal(void **state) {
    (void)state;
    enum { ROWS = 20000 };
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 1, 2, 1), *more = noisy(data, 3, 5);
    const float *a = sporf_dataset_feature(more, 1), *b = sporf_dataset_feature(more, 2);
    double sum = 0, squares = 0, together = 0, within = 0, next = 0;
    for (size_t i = 0; i < ROWS; i++) {
        sum += a[i];
        squares += a[i] * a[i];
        together += a[i] * b[i];
        within += fabsf(a[i]) < 1;
        next += i > 0 ? a[i] * a[i - 1] : 0;
    }
    double sd = 1 / sqrt(ROWS);
    assert_near(sum / ROWS, 0, 4 * sd);
    assert_near(squares / ROWS, 1, 4 * sqrt(2) * sd);
    assert_near(together / ROWS, 0, 4 * sd);
    assert_near(next / ROWS, 0, 4 * sd);
    assert_near(within / ROWS, 0.6827, 4 * 0.47 * sd);
    sporf_dataset_free(data);
    sporf_dataset_free(more);
}

static void more_columns_and_more_rows_extend_fewer(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 100, 4, 2, 1);
    sporf_dataset *fewer_rows = random_data(DATA_SMOOTH, 60, 2, 2, 1);
    sporf_dataset *few = noisy(data, 3, 1), *many = noisy(data, 50, 1), *other = noisy(data, 3, 2);
    sporf_dataset *narrow = noisy(fewer_rows, 3, 1);
    for (size_t j = 0; j < 3; j++) {
        const float *column = sporf_dataset_feature(few, 4 + j);
        assert_memory_equal(column, sporf_dataset_feature(many, 4 + j), 100 * sizeof(float));
        assert_memory_equal(column, sporf_dataset_feature(narrow, 2 + j), 60 * sizeof(float));
        assert_memory_not_equal(column, sporf_dataset_feature(other, 4 + j), 100 * sizeof(float));
    }
    sporf_dataset_free(data);
    sporf_dataset_free(fewer_rows);
    sporf_dataset_free(few);
    sporf_dataset_free(many);
    sporf_dataset_free(other);
    sporf_dataset_free(narrow);
}

static void the_rest_of_a_table_is_copied(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d"};
    sporf_dataset *data = random_data(DATA_MIXED, 200, 4, 3, 1);
    double weights[200];
    for (size_t i = 0; i < 200; i++) weights[i] = (double)(i % 3);
    assert_ok(sporf_dataset_set_weights(data, weights, 200));
    assert_ok(sporf_dataset_set_feature_names(data, names, 4));
    assert_ok(sporf_dataset_set_label_name(data, "what"));
    sporf_dataset *more = noisy(data, 2, 1);
    assert_int_equal(sporf_dataset_features(more), 6);
    assert_int_equal(sporf_dataset_classes(more), 3);
    assert_string_equal(sporf_schema_label_name(sporf_dataset_schema(more)), "what");
    assert_memory_equal(sporf_dataset_labels(more), sporf_dataset_labels(data),
                        200 * sizeof(uint32_t));
    assert_memory_equal(sporf_dataset_weights(more), sporf_dataset_weights(data),
                        200 * sizeof(float));
    for (size_t j = 0; j < 4; j++) {
        assert_memory_equal(sporf_dataset_feature(more, j), sporf_dataset_feature(data, j),
                            200 * sizeof(float));
        assert_int_equal(sporf_schema_kind(sporf_dataset_schema(more), j),
                         sporf_schema_kind(sporf_dataset_schema(data), j));
        assert_int_equal(sporf_schema_levels(sporf_dataset_schema(more), j),
                         sporf_schema_levels(sporf_dataset_schema(data), j));
        assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(more), j), names[j]);
    }
    assert_int_equal(sporf_schema_kind(sporf_dataset_schema(more), 5), SPORF_KIND_NUMBER);
    assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(more), 5), "noise2");
    sporf_forest *forest = train_with(more, "trees", "3", (char *)NULL);
    assert_string_equal(sporf_schema_label_name(sporf_forest_schema(forest)), "what");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    sporf_dataset_free(more);
    sporf_dataset *numbers = with_targets(DATA_SMOOTH, 50, 2, 2, 1), *many = noisy(numbers, 1, 1);
    assert_int_equal(sporf_dataset_targets(many), 2);
    assert_memory_equal(sporf_dataset_target(many, 1), sporf_dataset_target(numbers, 1),
                        50 * sizeof(float));
    assert_null(sporf_schema_feature_name(sporf_dataset_schema(many), 2));
    sporf_dataset_free(numbers);
    sporf_dataset_free(many);
}

static void what_makes_no_sense_is_refused(void **state) {
    (void)state;
    static const char *const names[] = {"a", "noise2"};
    sporf_dataset *data = random_data(DATA_SMOOTH, 20, 2, 2, 1), *made = NULL;
    assert_refused(sporf_dataset_add_noise(data, 0, 1, &made), SPORF_ERROR_ARGUMENT, "ask for 1");
    assert_refused(sporf_dataset_add_noise(data, SIZE_MAX, 1, &made), SPORF_ERROR_ARGUMENT,
                   "ask for 1");
    assert_refused(sporf_dataset_add_noise(data, INT32_MAX, 1, &made), SPORF_ERROR_ARGUMENT,
                   "at most");
    assert_refused(sporf_dataset_add_noise(NULL, 1, 1, &made), SPORF_ERROR_ARGUMENT, "needs data");
    assert_refused(sporf_dataset_add_noise(data, 1, 1, NULL), SPORF_ERROR_ARGUMENT, "a place");
    assert_ok(sporf_dataset_set_feature_names(data, names, 2));
    assert_refused(sporf_dataset_add_noise(data, 2, 1, &made), SPORF_ERROR_DATA,
                   "already a column 'noise2'");
    assert_null(made);
    sporf_dataset *one = noisy(data, 1, 1);
    sporf_dataset_free(one);
    sporf_dataset_free(data);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* The numbers of noise as text, of two rows and two columns. */
static void expect(const char *text, const char *label, const char *format) {
    tmp_file in = tmp_file_of("in.csv", text, strlen(text)), out = tmp_file_name("out.csv");
    sporf_dataset *data = random_data(DATA_SMOOTH, 2, 1, 2, 1), *more = noisy(data, 2, 3);
    sporf_read_options options;
    char wanted[512];
    size_t size;
    sporf_read_options_init(&options);
    options.label = label;
    assert_ok(sporf_file_add_noise(in.path, &options, 2, 3, out.path));
    char *got = tmp_file_read(&out, &size), number[4][SPF_NUMBER_TEXT_MAX + 1];
    for (size_t i = 0; i < 4; i++)
        number[i][spf_number_write_float(sporf_dataset_feature(more, 1 + i % 2)[i / 2],
                                         number[i])] = 0;
    snprintf(wanted, sizeof wanted, format, number[0], number[1], number[2], number[3]);
    assert_string_equal(got, wanted);
    free(got);
    tmp_file_remove(&in);
    tmp_file_remove(&out);
    sporf_dataset_free(data);
    sporf_dataset_free(more);
}

static void a_file_keeps_its_bytes(void **state) {
    (void)state;
    expect("a,b\n1,x\n2,y\n", NULL, "a,b,noise1,noise2\n1,x,%s,%s\n2,y,%s,%s\n");
    expect("a,b\n1,x\n2,y\n", "b", "a,noise1,noise2,b\n1,%s,%s,x\n2,%s,%s,y\n");
    expect("a,b\n1,x\n2,y\n", "a", "a,b,noise1,noise2\n1,x,%s,%s\n2,y,%s,%s\n");
    expect("1\t2\n3\t4", NULL, "1\t2\t%s\t%s\n3\t4\t%s\t%s");
    expect("1;2\r\n;NA\r\n\r\n", "last", "1;%s;%s;2\r\n;%s;%s;NA\r\n\r\n");
    expect("\xef\xbb\xbf\"a \"\"q\"\"\n\",b\n \"u,v\" , 1 \n?,2\n", NULL,
           "\xef\xbb\xbf\"a \"\"q\"\"\n\",b,noise1,noise2\n \"u,v\" , 1 ,%s,%s\n?,2,%s,%s\n");
    expect("a\n1\n2\n", "a", "noise1,noise2,a\n%s,%s,1\n%s,%s,2\n");
}

static void a_faulty_file_is_refused_and_leaves_none(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } faulty[] = {
        {"a,b\n1,2\n3\n", "line 3"},
        {"a,b\n1,2,3\n", "line 2"},
        {"a,b\n1,\"2\n", "never closed"},
        {"noise1,b\n1,2\n", "noise1"},
        {"", "empty"},
        {"PK\x03\x04", "zip"},
    };
    tmp_file out = tmp_file_name("out.csv");
    for (size_t i = 0; i < sizeof faulty / sizeof *faulty; i++) {
        tmp_file in = tmp_file_of("in.csv", faulty[i].text, strlen(faulty[i].text));
        assert_refused(sporf_file_add_noise(in.path, NULL, 2, 1, out.path), SPORF_ERROR_DATA,
                       faulty[i].words);
        assert_int_equal(tmp_file_count(&out), 0);
        tmp_file_remove(&in);
    }
    assert_refused(sporf_file_add_noise(NULL, NULL, 2, 1, out.path), SPORF_ERROR_ARGUMENT,
                   "a file");
    assert_refused(sporf_file_add_noise("nowhere.csv", NULL, 0, 1, out.path), SPORF_ERROR_ARGUMENT,
                   "ask for 1");
    assert_refused(sporf_file_add_noise("nowhere.csv", NULL, 1, 1, out.path), SPORF_ERROR_IO,
                   "nowhere.csv");
}

static void a_table_may_be_written_over_itself(void **state) {
    (void)state;
    static const char text[] = "a,b,c\n1,2,x\n3,4,y\n";
    tmp_file other = tmp_file_name("other.csv");
    size_t size;
    for (size_t i = 0; i < 3; i++) {
        tmp_file file = tmp_file_of("own.csv", text, sizeof text - 1);
        tmp_file link = tmp_file_name("link.csv"), second = tmp_file_name("second.csv");
        assert_true(symlink(file.path, link.path) == 0 && symlink(link.path, second.path) == 0);
        const char *const paths[] = {file.path, link.path, second.path};
        assert_ok(sporf_file_add_noise(file.path, NULL, 2, 1, other.path));
        char *wanted = tmp_file_read(&other, &size);
        assert_ok(sporf_file_add_noise(file.path, NULL, 2, 1, paths[i]));
        char *got = tmp_file_read(&file, &size);
        assert_string_equal(got, wanted);
        free(got);
        free(wanted);
        tmp_file_remove(&file);
        tmp_file_remove(&link);
        tmp_file_remove(&second);
    }
    tmp_file_remove(&other);
}

static void other_formats_become_csv(void **state) {
    (void)state;
    static const char text[] = "1 1:2 3:4\n2 2:5\n";
    tmp_file in = tmp_file_of("in.svm", text, strlen(text)), out = tmp_file_name("out.csv");
    assert_ok(sporf_file_add_noise(in.path, NULL, 2, 1, out.path));
    sporf_read_options options;
    sporf_dataset *data = NULL;
    sporf_read_options_init(&options);
    options.label = "class";
    assert_ok(sporf_dataset_read(out.path, &options, &data));
    assert_int_equal(sporf_dataset_features(data), 5);
    assert_int_equal(sporf_dataset_classes(data), 2);
    sporf_dataset_free(data);
    tmp_file_remove(&in);
    tmp_file_remove(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_is_normal),
        cmocka_unit_test(more_columns_and_more_rows_extend_fewer),
        cmocka_unit_test(the_rest_of_a_table_is_copied),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(a_file_keeps_its_bytes),
        cmocka_unit_test(a_faulty_file_is_refused_and_leaves_none),
        cmocka_unit_test(a_table_may_be_written_over_itself),
        cmocka_unit_test(other_formats_become_csv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
