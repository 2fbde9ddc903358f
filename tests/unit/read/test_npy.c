/* NumPy files: every type, byte order and layout, and headers that make no sense.
 * Labels: threads */
#include "read/reader.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BYTES_MAX = 4096 };

typedef struct {
    char bytes[BYTES_MAX];
    size_t size;
} npy;

static void put(npy *file, const void *bytes, size_t size) {
    assert_true(file->size + size < BYTES_MAX);
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
}

static npy npy_of(int version, const char *header) {
    npy file = {0};
    size_t length = strlen(header);
    unsigned char lead[] = {0x93,
                            'N',
                            'U',
                            'M',
                            'P',
                            'Y',
                            (unsigned char)version,
                            0,
                            (unsigned char)length,
                            (unsigned char)(length >> 8),
                            0,
                            0};
    put(&file, lead, version == 1 ? 10 : 12);
    put(&file, header, length);
    return file;
}

/* The value's bytes in the type that descr names. */
static void put_value(npy *file, const char *descr, double value) {
    unsigned char bytes[8] = {0};
    size_t size = (size_t)(descr[2] - '0');
    float single = (float)value;
    int64_t whole = (int64_t)value;
    uint16_t half = value == 0 ? 0 : (uint16_t)(15 << 10); /* only 0 and 1 are used */
    if (descr[1] == 'f' && size == 8)
        memcpy(bytes, &value, 8);
    else if (descr[1] == 'f' && size == 4)
        memcpy(bytes, &single, 4);
    else if (descr[1] == 'f')
        memcpy(bytes, &half, 2);
    else
        memcpy(bytes, &whole, size);
    if (descr[0] == '>')
        for (size_t i = 0; i < size / 2; i++) {
            unsigned char other = bytes[i];
            bytes[i] = bytes[size - 1 - i];
            bytes[size - 1 - i] = other;
        }
    put(file, bytes, size);
}

static sporf_status read_npy(const npy *file, const char *label, sporf_dataset **out) {
    sporf_read_options options;
    sporf_read_options_init(&options);
    options.threads = 2;
    options.label = label;
    *out = NULL;
    /* a block of just this size, so that reading past it is noticed */
    char *bytes = malloc(file->size + 1);
    assert_non_null(bytes);
    memcpy(bytes, file->bytes, file->size);
    bytes[file->size] = '\0';
    const spf_source source = {.name = "a.npy", .bytes = bytes, .size = file->size};
    sporf_status status = spf_read_source(&source, &options, out);
    free(bytes);
    return status;
}

static void assert_refused(const npy *file, const char *label, const char *words) {
    sporf_dataset *data = NULL;
    assert_int_equal(read_npy(file, label, &data), SPORF_ERROR_DATA);
    assert_null(data);
    if (!strstr(sporf_last_error(), words))
        fail_msg("expected '%s' in '%s'", words, sporf_last_error());
}

static void assert_header_refused(const char *header, const char *words) {
    npy file = npy_of(1, header);
    assert_refused(&file, NULL, words);
}

/* A 3 x 2 table of 0 and 1 in a type and order. */
static void check_type(int version, const char *descr, int fortran) {
    static const double table[3][2] = {{0, 1}, {1, 1}, {0, 0}};
    char header[200];
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': %s, 'shape': (3, 2), }  \n",
             descr, fortran ? "True" : "False");
    npy file = npy_of(version, header);
    for (size_t i = 0; i < 6; i++)
        put_value(&file, descr, fortran ? table[i % 3][i / 3] : table[i / 2][i % 2]);
    sporf_dataset *data = NULL;
    if (read_npy(&file, NULL, &data) != SPORF_OK) fail_msg("%s: %s", descr, sporf_last_error());
    assert_int_equal(data->rows, 3);
    assert_int_equal(data->features, 2);
    for (size_t i = 0; i < 6; i++)
        if (data->columns[i % 2][i / 2] != (float)table[i / 2][i % 2]) fail_msg("%s", descr);
    sporf_dataset_free(data);
}

static void every_type_order_and_version_gives_the_same_table(void **state) {
    (void)state;
    static const char *const types[] = {"|b1", "|i1", "|u1", "<i2", ">i2", "<u2", ">u2", "<i4",
                                        ">i4", "<u4", ">u4", "<i8", ">i8", "<u8", ">u8", "<f2",
                                        ">f2", "<f4", ">f4", "<f8", ">f8", "=f4"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (int version = 1; version <= 3; version++)
            for (int fortran = 0; fortran < 2; fortran++) check_type(version, types[i], fortran);
}

static void signs_and_sizes_survive(void **state) {
    (void)state;
    npy file = npy_of(1, "{'descr': '>i8', 'fortran_order': False, 'shape': (3,)}");
    const unsigned char values[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe,  /* -2 */
                                    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00,  /* 2^32 */
                                    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02}; /* 258 */
    put(&file, values, sizeof values);
    sporf_dataset *data = NULL;
    assert_int_equal(read_npy(&file, NULL, &data), SPORF_OK);
    assert_int_equal(data->features, 1);
    assert_true(data->columns[0][0] == -2 && data->columns[0][1] == 0x1p32f &&
                data->columns[0][2] == 258);
    sporf_dataset_free(data);
}

static void halves_are_read_to_the_last_subnormal(void **state) {
    (void)state;
    npy file = npy_of(1, "{'descr': '<f2', 'fortran_order': False, 'shape': (4,)}");
    const uint16_t values[] = {0x0001, 0x7bff, 0xc000, 0x3555};
    put(&file, values, sizeof values);
    sporf_dataset *data = NULL;
    assert_int_equal(read_npy(&file, NULL, &data), SPORF_OK);
    assert_true(data->columns[0][0] == 0x1p-24f && data->columns[0][1] == 65504 &&
                data->columns[0][2] == -2 && data->columns[0][3] == 0.333251953125f);
    sporf_dataset_free(data);
}

static npy labelled(const char *descr) {
    static const double table[3][2] = {{10, 0.5}, {9, 1.5}, {10, 2}};
    char header[100];
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (3, 2)}",
             descr);
    npy file = npy_of(1, header);
    for (size_t i = 0; i < 6; i++) put_value(&file, descr, table[i / 2][i % 2]);
    return file;
}

static void whole_labels_print_without_a_point(void **state) {
    (void)state;
    npy file = labelled("<f8");
    sporf_dataset *data = NULL;
    assert_int_equal(read_npy(&file, "1", &data), SPORF_OK);
    assert_int_equal(data->features, 1);
    assert_int_equal(sporf_dataset_classes(data), 2);
    assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), 0), "9");
    assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), 1), "10");
    assert_int_equal(data->labels[0], 1);
    assert_int_equal(data->labels[1], 0);
    assert_int_equal(data->labels[2], 1);
    assert_true(data->columns[0][1] == 1.5f);
    sporf_dataset_free(data);
    file = labelled("<f4");
    assert_int_equal(read_npy(&file, "last", &data), SPORF_OK);
    assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), 0), "0.5");
    assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), 2), "2");
    assert_true(data->columns[0][0] == 10);
    sporf_dataset_free(data);
}

static void large_integer_labels_keep_every_digit(void **state) {
    (void)state;
    npy file = npy_of(1, "{'descr': '<u8', 'fortran_order': False, 'shape': (3, 2)}");
    const uint64_t values[] = {UINT64_MAX, 1, 9007199254740993u, 2, 9007199254740992u, 3};
    put(&file, values, sizeof values);
    sporf_dataset *data = NULL;
    assert_int_equal(read_npy(&file, "1", &data), SPORF_OK);
    assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), data->labels[0]),
                        "18446744073709551615");
    assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), data->labels[1]),
                        "9007199254740993");
    assert_int_equal(sporf_dataset_classes(data), 3);
    sporf_dataset_free(data);
}

static void a_label_column_must_exist(void **state) {
    (void)state;
    npy file = labelled("<f4");
    assert_refused(&file, "3", "a.npy: no column '3'; its columns have no names");
    assert_refused(&file, "kind", "number from 1 to 2 or 'last'");
}

static void values_that_cannot_be_used_are_named(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *words;
    } cases[] = {{-INFINITY, "a.npy, row 2, column 2: '-inf' is not finite"},
                 {1e31, "a.npy, row 2, column 2: 1e+31 is beyond 1e30"}};
    for (size_t i = 0; i < 2; i++) {
        npy file = npy_of(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)}");
        for (int k = 0; k < 4; k++) put_value(&file, "<f8", k == 3 ? cases[i].value : k);
        assert_refused(&file, NULL, cases[i].words);
    }
}

static void types_that_are_not_numbers_are_refused(void **state) {
    (void)state;
    assert_header_refused("{'descr': [('x', '<f4'), ('y', '<i4')], 'fortran_order': False, "
                          "'shape': (2,)}",
                          "structured array");
    assert_header_refused("{'descr': '|O', 'fortran_order': False, 'shape': (2,)}", "type '|O'");
    assert_header_refused("{'descr': '<U5', 'fortran_order': False, 'shape': (2,)}", "type '<U5'");
    assert_header_refused("{'descr': '<c8', 'fortran_order': False, 'shape': (2,)}", "type '<c8'");
    assert_header_refused("{'descr': '', 'fortran_order': False, 'shape': (2,)}", "type ''");
}

static void headers_that_make_no_sense_are_refused(void **state) {
    (void)state;
    static const char *const headers[] = {
        "",
        "{",
        "{}",
        "{'descr'",
        "{'descr': ",
        "{'descr': '<f4",
        "{'descr': '<f4'}",
        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': [1]}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
        "{'descr': '<f4' 'fortran_order': False, 'shape': (1,)}",
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        assert_header_refused(headers[i], "header cannot be understood");
}

static void shapes_that_do_not_fit_are_refused(void **state) {
    (void)state;
    assert_header_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}",
                          "2 x 3 values of 4 bytes do not fit the 0 bytes there are");
    assert_header_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, "
                          "4611686018427387904)}",
                          "do not fit");
    assert_header_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3)}",
                          "empty array");
    assert_header_refused("{'descr': '<f4', 'fortran_order': False, 'shape': ()}", "0 dimensions");
    assert_header_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2, 2)}",
                          "3 dimensions; reshape");
}

static void files_cut_anywhere_are_refused(void **state) {
    (void)state;
    npy whole = labelled("<f4");
    for (size_t size = 6; size < whole.size; size++) {
        npy cut = whole;
        cut.size = size;
        assert_refused(&cut, NULL, "a.npy: ");
    }
    npy other = npy_of(4, "{}");
    assert_refused(&other, NULL, "version 4 is not known");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_order_and_version_gives_the_same_table),
        cmocka_unit_test(signs_and_sizes_survive),
        cmocka_unit_test(halves_are_read_to_the_last_subnormal),
        cmocka_unit_test(whole_labels_print_without_a_point),
        cmocka_unit_test(large_integer_labels_keep_every_digit),
        cmocka_unit_test(a_label_column_must_exist),
        cmocka_unit_test(values_that_cannot_be_used_are_named),
        cmocka_unit_test(types_that_are_not_numbers_are_refused),
        cmocka_unit_test(headers_that_make_no_sense_are_refused),
        cmocka_unit_test(shapes_that_do_not_fit_are_refused),
        cmocka_unit_test(files_cut_anywhere_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
