/* The idx files of MNIST, with their labels in a file of their own. */
#include "read/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/tmpfile.h"

static sporf_status read_idx(const void *bytes, size_t size, const char *label,
                             sporf_dataset **out) {
    sporf_read_options options;
    sporf_read_options_init(&options);
    options.threads = 1;
    options.label = label;
    *out = NULL;
    char *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    copy[size] = '\0';
    const spf_source source = {.name = "a.idx", .bytes = copy, .size = size};
    sporf_status status = spf_read_source(&source, &options, out);
    free(copy);
    return status;
}

static sporf_dataset *read_good(const void *bytes, size_t size, const char *label) {
    sporf_dataset *data = NULL;
    if (read_idx(bytes, size, label, &data) != SPORF_OK) fail_msg("%s", sporf_last_error());
    return data;
}

static void assert_refused(const void *bytes, size_t size, const char *words) {
    sporf_dataset *data = NULL;
    assert_int_equal(read_idx(bytes, size, NULL, &data), SPORF_ERROR_DATA);
    assert_null(data);
    if (!strstr(sporf_last_error(), words))
        fail_msg("expected '%s' in '%s'", words, sporf_last_error());
}

/* Two images of 2 x 3. */
static const unsigned char images[] = {0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0,   0,
                                       0, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 128, 255};

static void images_become_rows(void **state) {
    (void)state;
    sporf_dataset *data = read_good(images, sizeof images, NULL);
    assert_int_equal(data->rows, 2);
    assert_int_equal(data->features, 6);
    for (size_t i = 0; i < 12; i++)
        assert_true(data->columns[i % 6][i / 6] == (float)images[16 + i]);
    sporf_dataset_free(data);
}

static void every_type_is_big_endian(void **state) {
    (void)state;
    static const unsigned char files[][32] = {
        {0, 0, 0x09, 1, 0, 0, 0, 2, 0xfe, 3},
        {0, 0, 0x0b, 1, 0, 0, 0, 2, 0xff, 0xfe, 0, 3},
        {0, 0, 0x0c, 1, 0, 0, 0, 2, 0xff, 0xff, 0xff, 0xfe, 0, 0, 0, 3},
        {0, 0, 0x0d, 1, 0, 0, 0, 2, 0xc0, 0, 0, 0, 0x40, 0x40, 0, 0},
        {0, 0, 0x0e, 1, 0, 0, 0, 2, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x08},
    };
    static const size_t sizes[] = {10, 12, 16, 16, 24};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        sporf_dataset *data = read_good(files[i], sizes[i], NULL);
        assert_int_equal(data->rows, 2);
        assert_int_equal(data->features, 1);
        assert_true(data->columns[0][0] == -2 && data->columns[0][1] == 3);
        sporf_dataset_free(data);
    }
}

static void a_column_can_be_the_label(void **state) {
    (void)state;
    static const unsigned char bytes[] = {0, 0, 8, 2, 0, 0, 0, 3, 0, 0, 0, 2, 10, 1, 9, 2, 10, 3};
    sporf_dataset *data = read_good(bytes, sizeof bytes, "1");
    assert_int_equal(data->features, 1);
    assert_int_equal(sporf_dataset_classes(data), 2);
    assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), 0), "9");
    assert_int_equal(data->labels[0], 1);
    sporf_dataset_free(data);
}

static void sizes_that_do_not_fit_are_refused(void **state) {
    (void)state;
    for (size_t size = 4; size < sizeof images; size++)
        assert_refused(images, size, "a.idx: the idx header does not fit");
    unsigned char longer[sizeof images + 1] = {0};
    memcpy(longer, images, sizeof images);
    assert_refused(longer, sizeof longer, "does not fit");
    static const unsigned char huge[] = {0,   0,   0x0e, 4,   255, 255, 255, 255, 255, 255,
                                         255, 255, 255,  255, 255, 255, 255, 255, 255, 255};
    assert_refused(huge, sizeof huge, "does not fit");
    static const unsigned char none[] = {0, 0, 8, 2, 0, 0, 0, 0, 0, 0, 0, 5};
    assert_refused(none, sizeof none, "without values");
}

static void a_value_that_is_not_finite_is_named(void **state) {
    (void)state;
    static const unsigned char bytes[] = {0,    0,    0x0d, 1, 0,    0,    0, 2,
                                          0x7f, 0xc0, 0,    0, 0x7f, 0x80, 0, 0};
    assert_refused(bytes, sizeof bytes, "a.idx, row 1: missing value 'nan'");
}

static void labels_come_from_a_file_of_their_own(void **state) {
    (void)state;
    static const unsigned char labels[] = {0, 0, 8, 1, 0, 0, 0, 2, 7, 3};
    tmp_file data_file = tmp_file_gzip("images.gz", images, sizeof images);
    tmp_file label_files[] = {tmp_file_of("labels", labels, sizeof labels),
                              tmp_file_gzip("labels.gz", labels, sizeof labels),
                              tmp_file_of("labels.txt", "7\n3\n", 4),
                              tmp_file_of("labels.csv", "kind\r\n7\r\n3", 10)};
    for (size_t i = 0; i < 4; i++) {
        sporf_read_options options;
        sporf_read_options_init(&options);
        options.label_file = label_files[i].path;
        sporf_dataset *data = NULL;
        if (sporf_dataset_read(data_file.path, &options, &data) != SPORF_OK)
            fail_msg("%s", sporf_last_error());
        assert_int_equal(sporf_dataset_features(data), 6);
        assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), 0), "3");
        assert_int_equal(sporf_dataset_labels(data)[0], 1);
        assert_int_equal(sporf_dataset_labels(data)[1], 0);
        assert_int_equal(data->schema.label_name != NULL, i == 3);
        sporf_dataset_free(data);
        tmp_file_remove(&label_files[i]);
    }
    tmp_file_remove(&data_file);
}

static void a_label_file_must_fit(void **state) {
    (void)state;
    tmp_file data_file = tmp_file_of("images", images, sizeof images);
    static const struct {
        const char *text, *words;
    } cases[] = {{"7\n3\n1\n", "3 labels for 2 rows"},
                 {"7,1\n3,1\n", "one column, this one has 2"},
                 {"", "empty"},
                 {"a\n\"\"\n", "no class label"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tmp_file labels = tmp_file_of("labels", cases[i].text, strlen(cases[i].text));
        sporf_read_options options;
        sporf_read_options_init(&options);
        options.label_file = labels.path;
        sporf_dataset *data = NULL;
        assert_int_equal(sporf_dataset_read(data_file.path, &options, &data), SPORF_ERROR_DATA);
        assert_null(data);
        if (!strstr(sporf_last_error(), cases[i].words)) fail_msg("%s", sporf_last_error());
        tmp_file_remove(&labels);
    }
    tmp_file_remove(&data_file);
}

static void mnist_reads_as_it_should(void **state) {
    (void)state;
    const char *folder = getenv("SPORF_DATA");
    char path[600], labels[600];
    if (!folder) folder = "../shared/data";
    snprintf(path, sizeof path, "%s/mnist/t10k-images-idx3-ubyte.gz", folder);
    snprintf(labels, sizeof labels, "%s/mnist/t10k-labels-idx1-ubyte.gz", folder);
    need_gzip();
    if (access(path, R_OK) != 0) {
        print_message("no %s: set SPORF_DATA\n", path);
        skip();
    }
    sporf_read_options options;
    sporf_read_options_init(&options);
    options.label_file = labels;
    sporf_dataset *data = NULL;
    if (sporf_dataset_read(path, &options, &data) != SPORF_OK) fail_msg("%s", sporf_last_error());
    assert_int_equal(data->rows, 10000);
    assert_int_equal(data->features, 784);
    assert_int_equal(sporf_dataset_classes(data), 10);
    assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), data->labels[0]), "7");
    double sum = 0;
    for (size_t j = 0; j < 784; j++)
        for (size_t i = 0; i < data->rows; i++) sum += data->columns[j][i];
    assert_true(sum / 7840000 > 33 && sum / 7840000 < 34); /* the known mean grey, 33.79 */
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_become_rows),
        cmocka_unit_test(every_type_is_big_endian),
        cmocka_unit_test(a_column_can_be_the_label),
        cmocka_unit_test(sizes_that_do_not_fit_are_refused),
        cmocka_unit_test(a_value_that_is_not_finite_is_named),
        cmocka_unit_test(labels_come_from_a_file_of_their_own),
        cmocka_unit_test(a_label_file_must_fit),
        cmocka_unit_test(mnist_reads_as_it_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
