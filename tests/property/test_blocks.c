/* A file read block by block gives the rows that it gives as a whole, or the same refusal, for
 * blocks of any size, from a file and as it is unpacked.
 * Labels: full */
#include "read/blocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/check.h"
#include "support/tmpfile.h"

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* A schema of nothing: all columns are numbers, as they are in blocks without a schema. */
static const sporf_schema numbers;

static sporf_read_options options_for(sporf_format format, const char *label) {
    sporf_read_options options;
    sporf_read_options_init(&options);
    options.schema = &numbers;
    options.threads = 1;
    options.format = format;
    options.label = label;
    return options;
}

static const char *label_at(const sporf_dataset *data, size_t row) {
    return data->labels ? spf_strings_at(&data->schema.classes, data->labels[row]) : "";
}

/* Whether the block is rows first, first + 1, ... of the whole. Features of a whole svmlight file
 * that the block does not reach are zero in it. */
static void assert_rows(const sporf_dataset *block, const sporf_dataset *whole, size_t first) {
    assert_true(first + block->rows <= whole->rows && block->features <= whole->features);
    assert_int_equal(block->schema.names.count, whole->schema.names.count);
    assert_int_equal(!block->labels, !whole->labels);
    for (size_t j = 0; j < whole->features; j++) {
        if (whole->schema.names.count > 0)
            assert_string_equal(spf_strings_at(&block->schema.names, j),
                                spf_strings_at(&whole->schema.names, j));
        for (size_t i = 0; i < block->rows; i++) {
            float value = j < block->features ? block->columns[j][i] : 0;
            assert_memory_equal(&value, &whole->columns[j][first + i], sizeof value);
        }
    }
    for (size_t i = 0; i < block->rows; i++)
        assert_string_equal(label_at(block, i), label_at(whole, first + i));
}

typedef struct {
    const char *path;
    const sporf_read_options *options;
    size_t block_bytes, rows;
} block_reading;

/* Reads all blocks and compares them with the whole; NULL compares nothing. */
static sporf_status read_blocks(const block_reading *how, const sporf_dataset *whole) {
    sporf_reader *reader = NULL;
    size_t done = 0;
    sporf_status status = spf_reader_open(how->path, how->options, how->block_bytes, &reader);
    while (status == SPORF_OK) {
        sporf_dataset *block = NULL;
        status = sporf_reader_next(reader, how->rows, &block);
        if (!block) break;
        assert_in_range(block->rows, 1, how->rows);
        if (whole) assert_rows(block, whole, done);
        done += block->rows;
        sporf_dataset_free(block);
    }
    sporf_reader_free(reader);
    if (whole && status == SPORF_OK) assert_int_equal(done, whole->rows);
    return status;
}

/* Missing labels are counted in what was read. */
static void assert_same_words(const char *one, const char *other) {
    const char *count = strstr(one, "'), in ");
    size_t length = count ? (size_t)(count - one) : strlen(one) + 1;
    if (strncmp(one, other, length) != 0) fail_msg("%s, not %s", one, other);
}

static void assert_same_in_blocks(const char *path, const sporf_read_options *options,
                                  size_t block_bytes, size_t rows) {
    const block_reading how = {path, options, block_bytes, rows};
    sporf_dataset *whole = NULL;
    char words[SPF_ERROR_TEXT_MAX];
    sporf_status status = sporf_dataset_read(path, options, &whole);
    snprintf(words, sizeof words, "%s", sporf_last_error());
    sporf_status got = read_blocks(&how, whole);
    if (strstr(words, "a header and no rows")) { /* a file of no blocks */
        assert_int_equal(got, SPORF_OK);
        return;
    }
    if (got != status) fail_msg("%s, not %s", sporf_last_error(), words);
    if (status != SPORF_OK) assert_same_words(sporf_last_error(), words);
    sporf_dataset_free(whole);
}

/* The same bytes from a plain file, which is mapped, and packed, which are read as they come. */
static void assert_blocks_of(const void *bytes, size_t size, const sporf_read_options *options,
                             size_t block_bytes, size_t rows) {
    tmp_file plain = tmp_file_of("plain", bytes, size);
    assert_same_in_blocks(plain.path, options, block_bytes, rows);
    tmp_file packed = tmp_file_gzip("packed", bytes, size);
    assert_same_in_blocks(packed.path, options, block_bytes, rows);
    tmp_file_remove(&plain);
    tmp_file_remove(&packed);
}

static void assert_any_blocks(const char *text, const sporf_read_options *options) {
    for (size_t bytes = 1; bytes <= 4096; bytes = bytes * 3 / 2 + 1)
        for (size_t rows = 1; rows <= 64; rows *= 4)
            assert_blocks_of(text, strlen(text), options, bytes, rows);
}

static void a_table_as_people_write_it(void **state) {
    (void)state;
    static const char *const texts[] = {
        "x,y,kind\n1,2,a\n3,4,b\n5,6,a\n",
        "x,y,kind\r\n1,2,a\r\n3,4,b\r\n5,6,a\r\n",
        "x,y,kind\n1,2,a\n3,4,b\n5,6,a",
        "x,y,kind\n1,2,a\n3,4,b\n5,6,a\n\n\r\n  \n\n",
        "\xef\xbb\xbfx;y;kind\n1;2;\"a\n\nb\"\n3;4;\"say \"\"\n\"\"\"\n5;6;\"\n\"\n7;8;9",
        "\"x\n1\",\"y\n2\",kind\n1,2,a\n3,4,b\n",
        "x,y,kind\n1,2,a\n3,4,b\n5,a\n7,8,c\n",
        "x,y,kind\n1,2,a\n3,4,b\n\n7,8,c\n",
        "x,y,kind\n\n1,2,a\n3,4,b\n",
        "x,y,kind\n1,2,a\n3,4,b\n5,text,a\n7,8,c\n",
        "x,y,kind\n1,2,a\n\"3\n\",4,b\n5,6,\n7,8,c\n",
        "x,y,kind\n1,2,a\n3,4,\"b\n5,6,a\n7,8,c\n",
        "x,y,kind\n1,2,a\n3,4,b\"\n5,6,a\n7,8,c\"\n9,1,a\n",
        "x,y,kind\n",
        "\n",
        "",
        "kind\na\nb\n",
        "1,2,3",
    };
    static const char *const labels[] = {NULL, "kind", "last"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t k = 0; k < sizeof labels / sizeof *labels; k++) {
            sporf_read_options options = options_for(SPORF_FORMAT_CSV, labels[k]);
            assert_any_blocks(texts[i], &options);
        }
}

/* Bytes that are mostly no table at all. One feature at least: that there is none shows in the
 * first block, whatever faults come later. */
static void any_bytes_as_csv(void **state) {
    (void)state;
    static const char letters[] = "01,,\n\n\"\"a;|#\r ";
    uint64_t random = 815;
    char text[121];
    for (int i = 0; i < DRAWN(6000); i++) {
        size_t length = next_random(&random) % 120;
        for (size_t k = 0; k < length; k++)
            text[k] = letters[next_random(&random) % (sizeof letters - 1)];
        sporf_read_options options = options_for(SPORF_FORMAT_CSV, i % 2 ? "2" : NULL);
        assert_blocks_of(text, length, &options, 1 + next_random(&random) % 9,
                         1 + next_random(&random) % 4);
    }
}

/* Rows that are mostly right, so that faults come late; quoted labels hold line ends. */
static void tables_with_late_faults(void **state) {
    (void)state;
    static const char *const good[] = {"1,2,a\n", "3,4,\"b\nb\"\r\n", "5,\"6\",\"\"\"\"\n"};
    static const char *const bad[] = {"1,2\n", "\n", "1,x,a\n", "1,2,\n", "1,2\",a\n", "1,2,a"};
    uint64_t random = 1234;
    char text[2048];
    for (int i = 0; i < DRAWN(3000); i++) {
        size_t rows = 1 + next_random(&random) % 60, fault = next_random(&random) % 120, used = 0;
        if (i % 3 == 0) used += (size_t)sprintf(text, "x,y,kind\n");
        for (size_t k = 0; k < rows; k++)
            used += (size_t)sprintf(text + used, "%s",
                                    k == fault ? bad[next_random(&random) % 6]
                                               : good[next_random(&random) % 3]);
        sporf_read_options options = options_for(SPORF_FORMAT_CSV, "3");
        assert_blocks_of(text, used, &options, 1 + next_random(&random) % 200,
                         1 + next_random(&random) % 20);
    }
}

static void svmlight_files(void **state) {
    (void)state;
    static const char *const texts[] = {
        "1 1:2 3:4\n-1 2:5\n1 1:1\n",       "\xef\xbb\xbf# a \" comment\n\n1 1:2\n\n# more\n2 2:3",
        "1 1:2 3:4\n# end\n\n\n",           "1\n2\n1\n2 4:1\n",
        "1 1:2\n2 1:3\n1 1:x\n2 1:1\n",     "1 1:2\n2 1:3\n1 1:1 1:1\n",
        "1 1:2\n2 1:3\nqid:1 1:1\n2 1:1\n", "# nothing\n\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sporf_read_options options = options_for(SPORF_FORMAT_SVMLIGHT, NULL);
        options.svmlight_features = 4;
        assert_any_blocks(texts[i], &options);
    }
}

static size_t write_npy(char *out, int fortran, size_t rows, size_t columns, const char *type,
                        const void *values, size_t size) {
    char text[128];
    int length =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': %s, 'shape': (%zu, %zu), }\n",
                 type, fortran ? "True" : "False", rows, columns);
    memcpy(out, "\x93NUMPY\x01", 8);
    out[8] = (char)length;
    out[9] = 0;
    memcpy(out + 10, text, (size_t)length);
    memcpy(out + 10 + length, values, size);
    return 10 + (size_t)length + size;
}

static void matrices_in_either_order(void **state) {
    (void)state;
    enum { ROWS = 37, COLUMNS = 3 };
    double values[ROWS * COLUMNS];
    char file[sizeof values + 256];
    for (size_t fault = 0; fault < 2; fault++) {
        for (size_t i = 0; i < ROWS * COLUMNS; i++) values[i] = (double)i / 2;
        if (fault) values[ROWS * COLUMNS - 8] = 1e300;
        for (int fortran = 0; fortran < 2; fortran++)
            for (size_t bytes = 1; bytes < 2000; bytes = 2 * bytes + 5) {
                size_t size = write_npy(file, fortran, ROWS, COLUMNS, "<f8", values, sizeof values);
                sporf_read_options options = options_for(SPORF_FORMAT_AUTO, fault ? NULL : "2");
                assert_blocks_of(file, size, &options, bytes, 5 + bytes);
            }
    }
}

/* What is known to end elsewhere is refused at once, all else when its end is reached. */
static void matrices_of_another_size_than_they_say(void **state) {
    (void)state;
    enum { ROWS = 600000, COLUMNS = 4 };
    static const char values[ROWS * COLUMNS];
    static char file[sizeof values + 256];
    static const char *const words[] = {"more bytes than its 599999 x 4 values",
                                        "the bytes end after 600000 of 600001 rows"};
    sporf_read_options options = options_for(SPORF_FORMAT_AUTO, NULL);
    for (size_t i = 0; i < 2; i++) {
        size_t size = write_npy(file, 0, ROWS - 1 + 2 * i, COLUMNS, "|i1", values, sizeof values);
        tmp_file plain = tmp_file_of("plain", file, size);
        tmp_file packed = tmp_file_gzip("packed", file, size);
        const block_reading how = {packed.path, &options, 1 << 16, SIZE_MAX};
        assert_same_in_blocks(plain.path, &options, 1 << 16, SIZE_MAX);
        assert_int_equal(read_blocks(&how, NULL), SPORF_ERROR_DATA);
        assert_non_null(strstr(sporf_last_error(), words[i]));
        tmp_file_remove(&plain);
        tmp_file_remove(&packed);
    }
}

static void images(void **state) {
    (void)state;
    char bytes[16 + 23 * 6] = "\0\0\x08\x03\0\0\0\x17\0\0\0\x02\0\0\0\x03";
    for (size_t i = 16; i < sizeof bytes; i++) bytes[i] = (char)(7 * i);
    sporf_read_options options = options_for(SPORF_FORMAT_AUTO, NULL);
    for (size_t rows = 1; rows < 30; rows += 4)
        assert_blocks_of(bytes, sizeof bytes, &options, 16 * rows, 25);
}

/* The public way, with blocks as large as they come. */
static void a_reader_as_the_world_sees_it(void **state) {
    (void)state;
    static const char text[] = "x,kind\n1,a\n2,b\n3,a\n";
    tmp_file file = tmp_file_of("a.csv", text, strlen(text));
    sporf_read_options options = options_for(SPORF_FORMAT_AUTO, "kind");
    sporf_reader *reader = NULL;
    sporf_dataset *block = NULL;
    uint64_t done, total;
    assert_int_equal(sporf_reader_open(file.path, &options, &reader), SPORF_OK);
    assert_int_equal(sporf_reader_next(reader, 2, &block), SPORF_OK);
    assert_int_equal(sporf_dataset_rows(block), 2);
    sporf_dataset_free(block);
    sporf_reader_progress(reader, &done, &total);
    assert_true(done > 0 && done < total && total == strlen(text));
    assert_int_equal(sporf_reader_next(reader, SIZE_MAX, &block), SPORF_OK);
    assert_int_equal(sporf_dataset_rows(block), 1);
    sporf_dataset_free(block);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sporf_reader_next(reader, 1, &block), SPORF_OK);
        assert_null(block);
    }
    sporf_reader_progress(reader, &done, &total);
    assert_int_equal(done, total);
    assert_int_equal(sporf_reader_next(reader, 0, &block), SPORF_ERROR_ARGUMENT);
    sporf_reader_free(reader);
    options.label = NULL;
    options.label_file = file.path;
    assert_int_equal(sporf_reader_open(file.path, &options, &reader), SPORF_ERROR_ARGUMENT);
    assert_null(reader);
    tmp_file_remove(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_as_people_write_it),
        cmocka_unit_test(any_bytes_as_csv),
        cmocka_unit_test(tables_with_late_faults),
        cmocka_unit_test(svmlight_files),
        cmocka_unit_test(matrices_in_either_order),
        cmocka_unit_test(matrices_of_another_size_than_they_say),
        cmocka_unit_test(images),
        cmocka_unit_test(a_reader_as_the_world_sees_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
