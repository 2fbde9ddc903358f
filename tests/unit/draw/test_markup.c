/* Text from anywhere becomes text that is safe in markup; numbers for readers. */
#include "draw/markup.h"

#include "support/check.h"

static void assert_text(const char *text, size_t most, const char *wanted) {
    spf_markup markup = {0};
    spf_markup_put(&markup, "");
    spf_markup_text(&markup, text, most);
    assert_int_equal(markup.status, SPORF_OK);
    assert_string_equal(markup.text, wanted);
    spf_markup_free(&markup);
}

static void characters_of_markup_become_entities(void **state) {
    (void)state;
    assert_text("\"><script>alert(1)</script>", 0,
                "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
    assert_text("it's & that", 0, "it&#39;s &amp; that");
    assert_text("", 0, "");
}

static void control_characters_are_shown(void **state) {
    (void)state;
    assert_text("a\nb\tc\x01\x7f", 0,
                "a\xe2\x90\x8a"
                "b\xe2\x90\x89"
                "c\xe2\x90\x81\xe2\x90\xa1");
    assert_text("\xc2\x85", 0, "\xef\xbf\xbd");
}

static void bytes_that_are_not_utf8_are_replaced(void **state) {
    (void)state;
    assert_text("a\xff", 0, "a\xef\xbf\xbd");
    assert_text("\xc3", 0, "\xef\xbf\xbd");                                 /* cut off */
    assert_text("\xc0\xaf", 0, "\xef\xbf\xbd\xef\xbf\xbd");                 /* too long */
    assert_text("\xed\xa0\x80", 0, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"); /* half of a pair */
    assert_text("\xef\xbf\xbe", 0, "\xef\xbf\xbd");                         /* not a character */
    assert_text("gr\xc3\xbc\xc3\x9f \xf0\x9f\x8c\xb2", 0, "gr\xc3\xbc\xc3\x9f \xf0\x9f\x8c\xb2");
}

static void marks_of_direction_do_not_leave_the_text(void **state) {
    (void)state;
    assert_text("abc\xe2\x80\xaegpj", 0, "abc\xef\xbf\xbdgpj"); /* U+202E */
    assert_text("\xd7\x90\xe2\x81\xa9", 0,
                "\xe2\x81\xa8\xd7\x90\xef\xbf\xbd\xe2\x81\xa9"); /* Hebrew, then U+2069 */
}

static void long_texts_are_cut(void **state) {
    (void)state;
    assert_text("abcdef", 6, "abcdef");
    assert_text("abcdefg", 6, "abcde\xe2\x80\xa6");
    assert_text("\xc3\xa4\xc3\xb6\xc3\xbc", 2, "\xc3\xa4\xe2\x80\xa6");
}

static void assert_shown(double value, int digits, const char *wanted) {
    char text[SPF_NUMBER_SHOWN_MAX];
    assert_int_equal(spf_number_shown(value, digits, text), strlen(wanted));
    assert_string_equal(text, wanted);
}

static void numbers_are_short(void **state) {
    (void)state;
    assert_shown(0, 3, "0");
    assert_shown(0.012345, 3, "0.0123");
    assert_shown(-0.5, 3, "-0.5");
    assert_shown(1234.5, 3, "1234");
    assert_shown(12345, 3, "12,345");
    assert_shown(1234567.25, 3, "1,234,567");
    assert_shown(-123456, 9, "-123,456");
    assert_shown(0.000012, 2, "1.2e-05");
    assert_shown(3e20, 2, "3.0e+20");
    assert_shown(NAN, 3, "\xe2\x80\x93");
    assert_shown(99.97, 3, "100");
}

static void assert_fixed(double value, int decimals, const char *wanted) {
    spf_markup markup = {0};
    spf_markup_fixed(&markup, value, decimals);
    assert_string_equal(markup.text, wanted);
    spf_markup_free(&markup);
}

static void fixed_numbers_have_no_zeros_at_their_end(void **state) {
    (void)state;
    assert_fixed(10, 1, "10");
    assert_fixed(10.25, 1, "10.2");
    assert_fixed(-0.01, 1, "0");
    assert_fixed(NAN, 1, "0");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_of_markup_become_entities),
        cmocka_unit_test(control_characters_are_shown),
        cmocka_unit_test(bytes_that_are_not_utf8_are_replaced),
        cmocka_unit_test(marks_of_direction_do_not_leave_the_text),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(numbers_are_short),
        cmocka_unit_test(fixed_numbers_have_no_zeros_at_their_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
