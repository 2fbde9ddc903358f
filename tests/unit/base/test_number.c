/* Numbers as text: the nearest double whatever the spelling and the locale, and texts that read
 * back as what was written. */
#include "base/number.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/check.h"

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static double read_number(const char *text) {
    double value = 0;
    if (!spf_number_read(text, text + strlen(text), &value)) fail_msg("'%s' was not read", text);
    return value;
}

static void assert_reads_as_strtod(const char *text) {
    double value = read_number(text), expected = strtod(text, NULL);
    if (memcmp(&value, &expected, sizeof value) != 0)
        fail_msg("'%s' gave %a, not %a", text, value, expected);
}

static void the_usual_spellings_are_numbers(void **state) {
    (void)state;
    assert_true(read_number("+1") == 1);
    assert_true(read_number(".5") == 0.5);
    assert_true(read_number("5.") == 5);
    assert_true(read_number("-1e-3") == -1e-3);
    assert_true(read_number("1E+5") == 1e5);
    assert_true(read_number("007") == 7);
    assert_true(read_number("  2.5\t ") == 2.5);
}

static void other_words_are_not(void **state) {
    (void)state;
    static const char *const words[] = {"",    " ",     ".",        "-",           "+",   "e5",
                                        "1e",  "1e+",   "0x1",      "--1",         "1 2", "1.2.3",
                                        "1,5", "inf",   "infinity", "nan",         "1f",  "+-1",
                                        "- 1", "1_000", ".e1",      "\xef\xbc\x91"};
    double value;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (spf_number_read(words[i], words[i] + strlen(words[i]), &value))
            fail_msg("'%s' was read as %g", words[i], value);
}

static void hard_cases_are_rounded_once(void **state) {
    (void)state;
    static const char *const texts[] = {
        "9007199254740993", /* 2^53 + 1: a tie */
        "9007199254740993.0",
        "9007199254740993.00000000000000000001",
        "0.1",
        "0.30000000000000004",
        "2.2250738585072011e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "1.7976931348623157e308",
        "1.7976931348623159e308",
        "123456789012345678901234567890",
        "1e23",
        "8.5e22",
        "1e-27",
        "18446744073709551615e-27",
        "9999999999999999999e-27",
        "9999999999999999999",
        "0.000000000000000000000000000000000000000000000001",
        "179769313486231580793728971405301e276",
        "5e-324",
        "1e-400",
        "1e400",
        "0e999999999",
        "7205759403792793.5",
        "7205759403792794.5",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) assert_reads_as_strtod(texts[i]);
}

static void random_texts_read_as_strtod_reads_them(void **state) {
    (void)state;
    uint64_t random = 88172645463325252u;
    char text[96];
    for (int i = 0; i < DRAWN(200000); i++) {
        unsigned long long a = next_random(&random) >> next_random(&random) % 64;
        unsigned long long b = next_random(&random) >> next_random(&random) % 64;
        int power = (int)(next_random(&random) % 80) - 40;
        switch (i % 4) {
        case 0:
            snprintf(text, sizeof text, "%llu.%llu", a, b);
            break;
        case 1:
            snprintf(text, sizeof text, "-0.%llue%d", a, power);
            break;
        case 2:
            snprintf(text, sizeof text, "%llue%d", a, power);
            break;
        default:
            snprintf(text, sizeof text, "%.17g", (double)a / (double)(b + 1));
        }
        assert_reads_as_strtod(text);
    }
}

static void assert_float_comes_back(float value) {
    char text[SPF_NUMBER_TEXT_MAX];
    size_t length = spf_number_write_float(value, text);
    assert_int_equal(length, strlen(text));
    float back = (float)read_number(text);
    if (memcmp(&back, &value, sizeof back) != 0) fail_msg("%a was written as %s", value, text);
}

static void what_is_written_reads_back_to_the_bit(void **state) {
    (void)state;
    uint64_t random = 12345;
    char text[SPF_NUMBER_TEXT_MAX];
    for (int i = 0; i < 200000; i++) {
        uint64_t bits = next_random(&random);
        uint32_t low = (uint32_t)bits;
        float single;
        double twice;
        memcpy(&single, &low, sizeof single);
        memcpy(&twice, &bits, sizeof twice);
        if (single - single == 0) assert_float_comes_back(single);
        assert_float_comes_back((float)((double)(int32_t)low / 1e6));
        if (twice - twice != 0) continue;
        size_t length = spf_number_write_double(twice, text);
        assert_int_equal(length, strlen(text));
        double back = read_number(text);
        assert_memory_equal(&back, &twice, sizeof back);
    }
}

static void written_texts_are_short(void **state) {
    (void)state;
    static const struct {
        float value;
        const char *text;
    } cases[] = {{0, "0"},          {-0.0f, "-0"},        {1, "1"},
                 {-3, "-3"},        {0.1f, "0.1"},        {2.5f, "2.5"},
                 {100, "100"},      {0.001f, "0.001"},    {1e30f, "1e+30"},
                 {1e-30f, "1e-30"}, {1234.56f, "1234.56"}};
    char text[SPF_NUMBER_TEXT_MAX];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        spf_number_write_float(cases[i].value, text);
        assert_string_equal(text, cases[i].text);
    }
    spf_number_write_double(0.1, text);
    assert_string_equal(text, "0.1");
    spf_number_write_double(4503599627370496.0, text);
    assert_string_equal(text, "4503599627370496");
}

static void a_locale_with_a_comma_changes_nothing(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    const char *set = NULL;
    for (size_t i = 0; !set && i < sizeof names / sizeof *names; i++)
        set = setlocale(LC_ALL, names[i]);
    if (!set) {
        print_message("no locale with a decimal comma on this machine\n");
        skip();
    }
    char text[SPF_NUMBER_TEXT_MAX];
    double value = read_number("2.5e-30");
    size_t length = spf_number_write_float(2.5e-30f, text);
    setlocale(LC_ALL, "C");
    assert_true(value == 2.5e-30);
    assert_int_equal(length, strlen("2.5e-30"));
    assert_string_equal(text, "2.5e-30");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_usual_spellings_are_numbers),
        cmocka_unit_test(other_words_are_not),
        cmocka_unit_test(hard_cases_are_rounded_once),
        cmocka_unit_test(random_texts_read_as_strtod_reads_them),
        cmocka_unit_test(what_is_written_reads_back_to_the_bit),
        cmocka_unit_test(written_texts_are_short),
        cmocka_unit_test(a_locale_with_a_comma_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
