/* Messages in parts: what is marked comes out as data, and all parts together say the same. */
#include "base/error.h"

#include "support/check.h"

#include <string.h>

/* The parts of a message that was just raised. */
static const sporf_error *raise_marked(void) {
    spf_raise(SPORF_ERROR_DATA,
              SPF_FILE " " SPF_LINE ", " SPF_COLUMN ": '%s' is not a number" SPF_HINT
                       "say which is the decimal mark (" SPF_OPTION_AS(
                           "decimal", "%s") ") or raise " SPF_OPTION("max-memory"),
              "a.csv", (size_t)3, (size_t)2, "1,5", ",");
    return sporf_error_details();
}

static void a_message_is_split_into_what_it_names(void **state) {
    (void)state;
    static const sporf_part wanted[] = {
        {.kind = SPORF_PART_FILE, .text = "a.csv"},
        {.kind = SPORF_PART_TEXT, .text = " "},
        {.kind = SPORF_PART_LINE, .text = "line", .number = 3},
        {.kind = SPORF_PART_TEXT, .text = ", "},
        {.kind = SPORF_PART_COLUMN, .text = "column", .number = 2},
        {.kind = SPORF_PART_TEXT, .text = ": '1,5' is not a number"},
        {.kind = SPORF_PART_HINT, .text = "; "},
        {.kind = SPORF_PART_TEXT, .text = "say which is the decimal mark ("},
        {.kind = SPORF_PART_OPTION, .text = "decimal", .value = ","},
        {.kind = SPORF_PART_TEXT, .text = ") or raise "},
        {.kind = SPORF_PART_OPTION, .text = "max-memory"},
    };
    const sporf_error *error = raise_marked();
    assert_int_equal(error->parts_count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < error->parts_count; i++) {
        assert_int_equal(error->parts[i].kind, wanted[i].kind);
        assert_string_equal(error->parts[i].text, wanted[i].text);
        assert_int_equal(error->parts[i].number, wanted[i].number);
        assert_int_equal(!error->parts[i].value, !wanted[i].value);
        if (wanted[i].value) assert_string_equal(error->parts[i].value, wanted[i].value);
    }
}

static void an_error_tells_its_place(void **state) {
    (void)state;
    const sporf_error *error = raise_marked();
    assert_int_equal(error->status, SPORF_ERROR_DATA);
    assert_string_equal(error->file, "a.csv");
    assert_int_equal(error->line, 3);
    assert_int_equal(error->column, 2);
    assert_int_equal(error->row, 0);
}

static void options_of_the_hint_are_not_at_fault(void **state) {
    (void)state;
    assert_null(raise_marked()->option);
    spf_raise(SPORF_ERROR_ARGUMENT, SPF_OPTION("%s") " must be positive" SPF_HINT "raise it",
              "trees");
    assert_string_equal(sporf_error_details()->option, "trees");
}

static void the_plain_text_has_no_marks(void **state) {
    (void)state;
    raise_marked();
    assert_string_equal(sporf_last_error(),
                        "a.csv line 3, column 2: '1,5' is not a number; say "
                        "which is the decimal mark (decimal ',') or raise max-memory");
}

static void an_error_raised_again_keeps_its_parts(void **state) {
    (void)state;
    char text[SPF_ERROR_TEXT_MAX];
    size_t parts = raise_marked()->parts_count;
    strcpy(text, spf_error_marked());
    spf_raise(SPORF_ERROR_DATA, "something else");
    spf_raise(SPORF_ERROR_DATA, "%s", text);
    assert_int_equal(sporf_error_details()->parts_count, parts);
    assert_string_equal(sporf_error_details()->file, "a.csv");
}

/* Whatever bytes data bring into a message, its parts stay within it and say all that is text. */
static void marks_that_are_not_whole_are_text(void **state) {
    (void)state;
    static const char *const texts[] = {"\1", "\1o", "a\1", "a\1otrees", "\2", "\1\2", "a\2b\1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        spf_raise(SPORF_ERROR_DATA, "%s", texts[i]);
        assert_string_equal(sporf_last_error(), texts[i]);
    }
}

static void a_message_of_very_many_marks_is_cut(void **state) {
    (void)state;
    char many[SPF_ERROR_TEXT_MAX];
    memset(many, '\3', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    spf_raise(SPORF_ERROR_DATA, "%s", many);
    assert_int_equal(sporf_error_details()->parts_count, SPF_PARTS_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_is_split_into_what_it_names),
        cmocka_unit_test(an_error_tells_its_place),
        cmocka_unit_test(options_of_the_hint_are_not_at_fault),
        cmocka_unit_test(the_plain_text_has_no_marks),
        cmocka_unit_test(an_error_raised_again_keeps_its_parts),
        cmocka_unit_test(marks_that_are_not_whole_are_text),
        cmocka_unit_test(a_message_of_very_many_marks_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
