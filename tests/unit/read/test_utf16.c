/* Text in UTF-16 is read as the same text in UTF-8 is. */
#include "read/blocks.h"
#include "read/utf16.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/same_dataset.h"
#include "support/tmpfile.h"

/* Characters of one, two, three and four bytes in UTF-8. */
static const char table[] =
    "Gr\xc3\xb6\xc3\x9f"
    "e,\xe6\x9d\xb1,y\n1,a\xf0\x9f\x8c\xb3,x\n2,b,y\n3,a\xf0\x9f\x8c\xb3,x\n";

/* The UTF-16 units of a text in UTF-8. */
static size_t units_of(const char *text, unsigned *units) {
    size_t count = 0;
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        int more = *p < 0x80 ? 0 : *p < 0xe0 ? 1 : *p < 0xf0 ? 2 : 3;
        unsigned point = more == 0 ? *p : *p & (0x3fu >> more);
        for (p++; more > 0; more--, p++) point = point << 6 | (*p & 0x3f);
        if (point >= 0x10000) units[count++] = 0xd800 + ((point - 0x10000) >> 10);
        units[count++] = point >= 0x10000 ? 0xdc00 + (point & 0x3ff) : point;
    }
    return count;
}

static size_t widen(const char *text, int big_endian, int mark, unsigned char *bytes) {
    unsigned units[512];
    size_t count = units_of(text, units + 1), at = 0;
    units[0] = 0xfeff;
    for (size_t i = mark ? 0 : 1; i <= count; i++) {
        bytes[at++] = (unsigned char)(big_endian ? units[i] >> 8 : units[i]);
        bytes[at++] = (unsigned char)(big_endian ? units[i] : units[i] >> 8);
    }
    return at;
}

static sporf_dataset *read_bytes(const void *bytes, size_t size) {
    tmp_file file = tmp_file_of("t.csv", bytes, size);
    sporf_read_options options;
    sporf_read_options_init(&options);
    options.label = "y";
    sporf_dataset *data = NULL;
    sporf_status status = sporf_dataset_read(file.path, &options, &data);
    if (status != SPORF_OK) fail_msg("%s", sporf_last_error());
    tmp_file_remove(&file);
    return data;
}

static void every_order_with_and_without_mark_gives_the_same_table(void **state) {
    (void)state;
    sporf_dataset *expected = read_bytes(table, strlen(table));
    assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(expected), 0),
                        "Gr\xc3\xb6\xc3\x9f"
                        "e");
    for (int i = 0; i < 4; i++) {
        unsigned char bytes[1024];
        size_t size = widen(table, i & 1, i & 2, bytes);
        sporf_dataset *data = read_bytes(bytes, size);
        assert_true(same_dataset(data, expected));
        sporf_dataset_free(data);
    }
    sporf_dataset_free(expected);
}

static void blocks_and_packed_files_are_converted_too(void **state) {
    (void)state;
    need_gzip();
    unsigned char bytes[1024];
    size_t size = widen("a,b\n1,2\n3,4\n5,6\n", 0, 1, bytes), rows = 0;
    tmp_file file = tmp_file_gzip("t.csv.gz", bytes, size);
    sporf_reader *reader = NULL;
    sporf_dataset *block = NULL;
    assert_int_equal(spf_reader_open(file.path, NULL, 5, &reader), SPORF_OK);
    while (sporf_reader_next(reader, 1, &block) == SPORF_OK && block) {
        assert_true(block->columns[1][0] == (float)(2 * ++rows));
        sporf_dataset_free(block);
    }
    assert_int_equal(rows, 3);
    sporf_reader_free(reader);
    tmp_file_remove(&file);
}

static void pieces_of_any_size_give_the_same_bytes(void **state) {
    (void)state;
    unsigned char bytes[1024], out[2048];
    size_t size = widen(table, 1, 1, bytes);
    for (size_t piece = 1; piece < 9; piece++) {
        spf_utf16 text = {.name = "t", .big_endian = 1};
        size_t done = 0;
        for (size_t i = 0; i < size; i += piece) {
            size_t used, count = size - i < piece ? size - i : piece;
            assert_int_equal(spf_utf16_convert(&text, bytes + i, count, out + done, &used),
                             SPORF_OK);
            assert_true(used <= spf_utf16_room(count));
            done += used;
        }
        assert_int_equal(spf_utf16_finish(&text), SPORF_OK);
        assert_int_equal(done, strlen(table));
        assert_memory_equal(out, table, done);
    }
}

static void assert_refused(const void *bytes, size_t size, const char *words) {
    tmp_file file = tmp_file_of("t.csv", bytes, size);
    sporf_dataset *data = NULL;
    assert_int_equal(sporf_dataset_read(file.path, NULL, &data), SPORF_ERROR_DATA);
    if (!strstr(sporf_last_error(), words)) fail_msg("%s", sporf_last_error());
    tmp_file_remove(&file);
}

static void half_a_character_is_refused_with_its_line(void **state) {
    (void)state;
    assert_refused("\xff\xfe"
                   "a\0\n\0"
                   "\x00\xd8"
                   "1\0",
                   10, "line 2: half of a surrogate pair (0xD800)");
    assert_refused("\xff\xfe"
                   "a\0\n\0"
                   "1\0\n\0"
                   "\x00\xdc",
                   12, "line 3: half of a surrogate pair (0xDC00)");
    assert_refused("\xff\xfe"
                   "a\0\n\0"
                   "\x00\xd8",
                   8, "line 2: half of a surrogate pair");
    assert_refused("\xff\xfe"
                   "a\0\n\0"
                   "1",
                   7, "ends in the middle of a character");
    assert_refused("\xff\xfe\0\0a\0\0\0", 8, "text in UTF-32");
}

/* Bytes that are not UTF-8 stay as they are, and messages show them. */
static void other_encodings_keep_their_bytes(void **state) {
    (void)state;
    static const char latin[] = "Stra\xdf"
                                "e,y\nK\xf6ln,x\nBonn,y\n";
    sporf_dataset *data = read_bytes(latin, strlen(latin));
    assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(data), 0), "Stra\xdf"
                                                                                  "e");
    assert_string_equal(sporf_schema_level_name(sporf_dataset_schema(data), 0, 1), "K\xf6ln");
    sporf_dataset_free(data);
    assert_refused("a,b\n1,2\nK\xf6ln\n", 13, "line 3");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_with_and_without_mark_gives_the_same_table),
        cmocka_unit_test(blocks_and_packed_files_are_converted_too),
        cmocka_unit_test(pieces_of_any_size_give_the_same_bytes),
        cmocka_unit_test(half_a_character_is_refused_with_its_line),
        cmocka_unit_test(other_encodings_keep_their_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
