/* Files that somebody changes while they are read, and bytes that are let go and read again. */
#include "read/blocks.h"
#include "read/original.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/same_dataset.h"
#include "support/tmpfile.h"

enum { ROWS = 150000, SHORTER = 20000, BLOCK = 64 << 10 };

static void assert_changed(sporf_status status) {
    if (status != SPORF_ERROR_IO || !strstr(sporf_last_error(), "changed while it was read"))
        fail_msg("status %d: %s", (int)status, sporf_last_error());
}

/* A table of some megabytes that was written long ago. */
static tmp_file old_table(void) {
    char *text = malloc(ROWS * 24 + 8), *p = text;
    assert_non_null(text);
    p += sprintf(p, "a,b\n");
    for (int i = 0; i < ROWS; i++) p += sprintf(p, "%d,%d\n", i % 977, i);
    tmp_file file = tmp_file_of("t.csv", text, (size_t)(p - text));
    const struct timespec long_ago[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
    assert_int_equal(utimensat(AT_FDCWD, file.path, long_ago, 0), 0);
    free(text);
    return file;
}

static void shrink(const char *path) {
    assert_int_equal(truncate(path, SHORTER), 0);
}

static void grow(const char *path) {
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fputs("1,2\n", file);
    fclose(file);
}

/* The same number of bytes, of which one is another. */
static void rewrite(const char *path) {
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    fputc('z', file);
    fclose(file);
}

static void (*const changes[])(const char *path) = {shrink, grow, rewrite};
enum { CHANGES = sizeof changes / sizeof *changes };

static void a_change_between_opening_and_reading_is_an_error(void **state) {
    (void)state;
    for (size_t i = 0; i < CHANGES; i++) {
        tmp_file file = old_table();
        spf_window window;
        spf_original *original = NULL;
        assert_int_equal(spf_window_open(file.path, 0, &window), SPORF_OK);
        changes[i](file.path);
        assert_changed(spf_original_read(&window.input, &original));
        assert_null(original);
        spf_window_close(&window);
        tmp_file_remove(&file);
    }
}

static void a_change_between_two_blocks_is_an_error(void **state) {
    (void)state;
    for (size_t i = 0; i < CHANGES; i++) {
        tmp_file file = old_table();
        sporf_reader *reader = NULL;
        sporf_dataset *block = NULL;
        assert_int_equal(spf_reader_open(file.path, NULL, BLOCK, &reader), SPORF_OK);
        assert_int_equal(sporf_reader_next(reader, 100, &block), SPORF_OK);
        changes[i](file.path);
        sporf_status status = SPORF_OK;
        while (status == SPORF_OK && block) {
            sporf_dataset_free(block);
            status = sporf_reader_next(reader, SIZE_MAX, &block);
        }
        assert_changed(status);
        sporf_reader_free(reader);
        tmp_file_remove(&file);
    }
}

/* A matrix of single bytes, 4096 x 1024, by row or by column. */
static tmp_file old_matrix(const char *fortran) {
    size_t size = 128 + ((size_t)4096 << 10);
    char *bytes = calloc(size, 1);
    assert_non_null(bytes);
    memcpy(bytes, "\x93NUMPY\x01\x00\x76\x00", 10);
    memset(bytes + 10, ' ', 118);
    int used = sprintf(bytes + 10, "{'descr': '|u1', 'fortran_order': %s, 'shape': (4096, 1024), }",
                       fortran);
    bytes[10 + used] = ' ';
    bytes[127] = '\n';
    for (size_t i = 128; i < size; i++) bytes[i] = (char)(i * 2654435761u >> 13);
    tmp_file file = tmp_file_of("m.npy", bytes, size);
    free(bytes);
    return file;
}

static void a_matrix_that_shrinks_is_an_error_in_either_order(void **state) {
    (void)state;
    static const char *const orders[] = {"False", "True"};
    for (size_t i = 0; i < 2; i++) {
        tmp_file file = old_matrix(orders[i]);
        sporf_reader *reader = NULL;
        sporf_dataset *block = NULL;
        assert_int_equal(spf_reader_open(file.path, NULL, BLOCK, &reader), SPORF_OK);
        assert_int_equal(sporf_reader_next(reader, 7, &block), SPORF_OK);
        sporf_dataset_free(block);
        shrink(file.path);
        sporf_status status = SPORF_OK;
        for (block = NULL; status == SPORF_OK; sporf_dataset_free(block), block = NULL)
            status = sporf_reader_next(reader, 4000, &block);
        assert_changed(status);
        sporf_reader_free(reader);
        tmp_file_remove(&file);
    }
}

static void a_matrix_by_column_is_read_in_blocks_without_holding_it(void **state) {
    (void)state;
    tmp_file file = old_matrix("True");
    sporf_read_options options;
    sporf_read_options_init(&options);
    sporf_dataset *whole = NULL, *block = NULL;
    assert_int_equal(sporf_dataset_read(file.path, &options, &whole), SPORF_OK);
    options.max_memory = 1 << 20; /* a quarter of the file */
    sporf_reader *reader = NULL;
    assert_int_equal(sporf_reader_open(file.path, &options, &reader), SPORF_OK);
    size_t done = 0;
    while (sporf_reader_next(reader, 1000, &block) == SPORF_OK && block) {
        for (size_t j = 0; j < whole->features; j += 101)
            assert_memory_equal(block->columns[j], whole->columns[j] + done,
                                block->rows * sizeof(float));
        done += block->rows;
        sporf_dataset_free(block);
    }
    assert_int_equal(done, 4096);
    sporf_reader_free(reader);
    sporf_dataset_free(whole);
    tmp_file_remove(&file);
}

static void bytes_let_go_are_read_again(void **state) {
    (void)state;
    tmp_file file = old_table();
    spf_source source;
    size_t size;
    char *text = tmp_file_read(&file, &size);
    assert_int_equal(spf_source_open(file.path, 0, &source), SPORF_OK);
    assert_int_equal(source.size, size);
    spf_source_release(&source, source.bytes + 10, size - 20);
    assert_int_equal(spf_source_restore(&source), SPORF_OK);
    assert_memory_equal(source.bytes, text, size + 1);
    spf_source_release(&source, source.bytes, size);
    shrink(file.path);
    assert_changed(spf_source_restore(&source));
    spf_source_close(&source);
    tmp_file_remove(&file);
    free(text);
}

/* Numbers first, then words: kinds are settled by all of the file when much of it has been let go.
 */
static char *late_words(size_t words, size_t *size) {
    char *text = malloc((size_t)ROWS * 16), *p = text;
    assert_non_null(text);
    p += sprintf(p, "a,b\n");
    for (size_t i = 0; i < ROWS; i++)
        p += sprintf(p, i < ROWS - words ? "%zu,%zu\n" : "w%zu,%zu\n", i % 3, i);
    *size = (size_t)(p - text);
    return text;
}

static void a_late_surprise_is_read_as_from_memory(void **state) {
    (void)state;
    const size_t words[] = {ROWS - 40000, 1};
    for (size_t i = 0; i < 2; i++) {
        size_t size;
        char *text = late_words(words[i], &size), said[SPF_ERROR_TEXT_MAX];
        tmp_file file = tmp_file_of("late.csv", text, size);
        sporf_read_options options;
        sporf_read_options_init(&options);
        sporf_dataset *read = NULL, *expected = NULL;
        sporf_status status = sporf_dataset_read(file.path, &options, &read);
        snprintf(said, sizeof said, "%s", sporf_last_error());
        const spf_source source = {.name = file.path, .bytes = text, .size = size};
        assert_int_equal(spf_read_csv(&source, &options, &expected), status);
        if (status == SPORF_OK)
            assert_true(same_dataset(read, expected));
        else
            assert_string_equal(said, sporf_last_error());
        sporf_dataset_free(read);
        sporf_dataset_free(expected);
        tmp_file_remove(&file);
        free(text);
    }
}

static void kept_columns_are_there_when_the_rest_is_let_go(void **state) {
    (void)state;
    static const char *const kept[] = {"2"};
    tmp_file files[] = {old_table(), old_matrix("False")};
    for (size_t i = 0; i < 2; i++) {
        sporf_read_options options;
        sporf_read_options_init(&options);
        options.kept = kept;
        options.kept_count = 1;
        sporf_dataset *data = NULL;
        assert_int_equal(sporf_dataset_read(files[i].path, &options, &data), SPORF_OK);
        for (size_t row = 0; row < sporf_dataset_rows(data); row += 7)
            assert_true(atof(sporf_dataset_kept_field(data, row, 0)) == data->columns[1][row]);
        sporf_dataset_free(data);
        tmp_file_remove(&files[i]);
    }
}

/* One row is a cell short, and the checksum of the packed bytes is wrong. */
static void damage_to_packed_bytes_is_told_before_faults_of_the_table(void **state) {
    (void)state;
    need_gzip();
    static const char text[] = "a,b\n1,2\n3\n4,5\n";
    tmp_file file = tmp_file_gzip("t.csv.gz", text, strlen(text));
    size_t size;
    char *packed = tmp_file_read(&file, &size);
    packed[size - 8] ^= 1;
    tmp_file_write(&file, packed, size);
    sporf_reader *reader = NULL;
    sporf_dataset *block = NULL;
    sporf_status status = spf_reader_open(file.path, NULL, 4, &reader);
    while (status == SPORF_OK) {
        sporf_dataset_free(block);
        status = sporf_reader_next(reader, 1, &block);
        if (status == SPORF_OK && !block) break;
    }
    assert_int_equal(status, SPORF_ERROR_DATA);
    assert_non_null(strstr(sporf_last_error(), "damaged gzip data"));
    sporf_reader_free(reader);
    tmp_file_remove(&file);
    free(packed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_between_opening_and_reading_is_an_error),
        cmocka_unit_test(a_change_between_two_blocks_is_an_error),
        cmocka_unit_test(a_matrix_that_shrinks_is_an_error_in_either_order),
        cmocka_unit_test(a_matrix_by_column_is_read_in_blocks_without_holding_it),
        cmocka_unit_test(bytes_let_go_are_read_again),
        cmocka_unit_test(a_late_surprise_is_read_as_from_memory),
        cmocka_unit_test(kept_columns_are_there_when_the_rest_is_let_go),
        cmocka_unit_test(damage_to_packed_bytes_is_told_before_faults_of_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
