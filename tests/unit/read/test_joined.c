/* Several files of one shape are the table that one file of all their rows is. */
#include "read/blocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/same_dataset.h"
#include "support/tmpfile.h"

typedef struct {
    const void *bytes;
    size_t size;
} piece;

#define TEXT(text)                                                                                 \
    { text, sizeof(text) - 1 }

static sporf_read_options options_for(const char *label) {
    sporf_read_options options;
    sporf_read_options_init(&options);
    options.label = label;
    return options;
}

/* Reads the pieces as files a, b, c. */
static sporf_status read_pieces(const piece *pieces, size_t count, const sporf_read_options *given,
                                sporf_dataset **out) {
    static const char *const names[] = {"a", "b", "c"};
    tmp_file files[3];
    const char *paths[3] = {NULL};
    for (size_t i = 0; i < count; i++) {
        files[i] = tmp_file_of(names[i], pieces[i].bytes, pieces[i].size);
        paths[i] = files[i].path;
    }
    sporf_read_options options = *given;
    options.more_files = paths + 1;
    options.more_files_count = count - 1;
    sporf_status status = sporf_dataset_read(paths[0], &options, out);
    for (size_t i = 0; i < count; i++) tmp_file_remove(&files[i]);
    return status;
}

static void assert_joins(const piece *pieces, size_t count, piece whole, const char *label) {
    const sporf_read_options options = options_for(label);
    sporf_dataset *joined = NULL, *expected = NULL;
    if (read_pieces(&whole, 1, &options, &expected) != SPORF_OK) fail_msg("%s", sporf_last_error());
    if (read_pieces(pieces, count, &options, &joined) != SPORF_OK)
        fail_msg("%s", sporf_last_error());
    assert_true(same_dataset(joined, expected));
    sporf_dataset_free(joined);
    sporf_dataset_free(expected);
}

static void two_decimal_marks_are_told_with_their_files(void **state) {
    (void)state;
    const piece pieces[] = {TEXT("x;y\n1,5;2\n"), TEXT("x;y\n1;2\n2.5;3\n")};
    const sporf_read_options options = options_for(NULL);
    sporf_dataset *data = NULL;
    assert_int_equal(read_pieces(pieces, 2, &options, &data), SPORF_ERROR_DATA);
    const char *words = sporf_last_error(), *other = strstr(words, "'2.5' (");
    assert_non_null(strstr(words, "a line 2, column 1 ('x'): '1,5' is a number with a decimal"));
    assert_non_null(other);
    assert_non_null(strstr(other, "b line 3, column 1) is one with a decimal point"));
}

static void csv_files_are_one_table(void **state) {
    (void)state;
    const piece pieces[] = {TEXT("x,town,y\n1,rome,a\n2,oslo,b\n"),
                            TEXT("\xef\xbb\xbfx,town,y\r\n3,bern,c\r\n\r\n"),
                            TEXT("\"x\",town,y\n4,rome,b")};
    const piece whole = TEXT("x,town,y\n1,rome,a\n2,oslo,b\n3,bern,c\n4,rome,b\n");
    assert_joins(pieces, 3, whole, "y");
}

/* A column of numbers in one file and of words in most others is one of words. */
static void kinds_are_those_of_all_files(void **state) {
    (void)state;
    const piece pieces[] = {TEXT("x,y\n1,a\n2,b\n"), TEXT("x,y\nred,a\nblue,b\nred,b\n")};
    const piece whole = TEXT("x,y\n1,a\n2,b\nred,a\nblue,b\nred,b\n");
    assert_joins(pieces, 2, whole, "y");
}

static void files_without_header_have_none_at_all(void **state) {
    (void)state;
    const piece pieces[] = {TEXT("1,2,a\n3,4,b\n"), TEXT("5,6,a\n")};
    const piece whole = TEXT("1,2,a\n3,4,b\n5,6,a\n");
    assert_joins(pieces, 2, whole, "last");
}

static void svmlight_files_are_one_table(void **state) {
    (void)state;
    const piece pieces[] = {TEXT("1 1:2 3:4\n"), TEXT("0 5:1\n\n"), TEXT("2 2:1")};
    const piece whole = TEXT("1 1:2 3:4\n0 5:1\n2 2:1\n");
    assert_joins(pieces, 3, whole, NULL);
}

#define IDX(rows) "\0\0\x08\x02\0\0\0" rows "\0\0\0\x02"

static void matrices_are_one_table(void **state) {
    (void)state;
    const piece pieces[] = {TEXT(IDX("\x02") "\1\2\3\4"), TEXT(IDX("\x01") "\5\6")};
    const piece whole = TEXT(IDX("\x03") "\1\2\3\4\5\6");
    assert_joins(pieces, 2, whole, "1");
    assert_joins(pieces, 2, whole, NULL);
}

static void assert_refused(piece first, piece second, const char *label, const char *words) {
    const piece pieces[] = {first, second};
    const sporf_read_options options = options_for(label);
    sporf_dataset *data = NULL;
    assert_int_equal(read_pieces(pieces, 2, &options, &data), SPORF_ERROR_DATA);
    if (!strstr(sporf_last_error(), words)) fail_msg("%s", sporf_last_error());
}

static void other_shapes_are_refused_with_both_names(void **state) {
    (void)state;
    const piece table = TEXT("x,z,y\n1,2,a\n3,4,b\n"), matrix = TEXT(IDX("\x02") "\1\2\3\4");
    assert_refused(table, (piece)TEXT("z,x,y\n1,2,a\n"), "y",
                   "-b: column 1 is 'z' in its first line, but 'x' in ");
    assert_refused(table, (piece)TEXT("1,2,a\n3,4,b\n"), "3", "column 1 is '1' in its first line");
    assert_refused(table, (piece)TEXT("x,y\n1,a\n"), "y", "-b: 2 columns, but 3 in ");
    assert_refused(table, (piece)TEXT("x;z;y\n1;2;a\n"), "y", "separated differently than in ");
    assert_refused(matrix, (piece)TEXT("\0\0\x08\x02\0\0\0\x01\0\0\0\x01\5"), NULL,
                   "-b: 1 columns, but 2 in ");
    assert_refused(matrix, (piece)TEXT("\0\0\x09\x02\0\0\0\x01\0\0\0\x02\5\6"), NULL,
                   "-b: values are of another type than in ");
}

static void faults_are_told_with_their_own_file_and_line(void **state) {
    (void)state;
    assert_refused((piece)TEXT("x,y\n1,a\n2,b\n"), (piece)TEXT("x,y\n1,a\n2\n"), "y",
                   "-b line 3: 1 field");
    assert_refused((piece)TEXT("1 1:2\n"), (piece)TEXT("# c\n1 1:2\n0 1:z\n"), NULL, "-b line 3");
}

/* Blocks go on in the next file. */
static void blocks_are_those_of_one_file(void **state) {
    (void)state;
    tmp_file a = tmp_file_of("a", "x,z\n1,2\n3,4\n", 12);
    tmp_file b = tmp_file_of("b", "x,z\n5,6\n7,8\n", 12);
    tmp_file c = tmp_file_of("c", "z,x\n9,10\n", 9);
    for (int wrong = 0; wrong < 2; wrong++) {
        const char *more[] = {b.path, c.path};
        sporf_read_options options = options_for(NULL);
        options.more_files = more;
        options.more_files_count = wrong ? 2 : 1;
        sporf_reader *reader = NULL;
        sporf_dataset *block = NULL;
        sporf_status status;
        float rows = 0;
        assert_int_equal(spf_reader_open(a.path, &options, 3, &reader), SPORF_OK);
        while ((status = sporf_reader_next(reader, 1, &block)) == SPORF_OK && block) {
            assert_true(block->columns[0][0] == 2 * rows + 1);
            sporf_dataset_free(block);
            rows++;
        }
        assert_true(rows == 4);
        assert_int_equal(status, wrong ? SPORF_ERROR_DATA : SPORF_OK);
        if (wrong) assert_non_null(strstr(sporf_last_error(), "column 1 is 'z'"));
        sporf_reader_free(reader);
    }
    tmp_file_remove(&a);
    tmp_file_remove(&b);
    tmp_file_remove(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_files_are_one_table),
        cmocka_unit_test(two_decimal_marks_are_told_with_their_files),
        cmocka_unit_test(kinds_are_those_of_all_files),
        cmocka_unit_test(files_without_header_have_none_at_all),
        cmocka_unit_test(svmlight_files_are_one_table),
        cmocka_unit_test(matrices_are_one_table),
        cmocka_unit_test(other_shapes_are_refused_with_both_names),
        cmocka_unit_test(faults_are_told_with_their_own_file_and_line),
        cmocka_unit_test(blocks_are_those_of_one_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
