/* Numbers as text: the cases that need more than one multiplication, and writing. */
#include "base/number.h"

#include "base/system.h"

#include <math.h>
#include <string.h>

enum { FIVES_MAX = 27 }; /* 5^27 is the largest power of five in 63 bits */

const double spf_power_of_ten[SPF_EXACT_POWER_MAX + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static const uint64_t power_of_five[FIVES_MAX + 1] = {1u,
                                                      5u,
                                                      25u,
                                                      125u,
                                                      625u,
                                                      3125u,
                                                      15625u,
                                                      78125u,
                                                      390625u,
                                                      1953125u,
                                                      9765625u,
                                                      48828125u,
                                                      244140625u,
                                                      1220703125u,
                                                      6103515625ull,
                                                      30517578125ull,
                                                      152587890625ull,
                                                      762939453125ull,
                                                      3814697265625ull,
                                                      19073486328125ull,
                                                      95367431640625ull,
                                                      476837158203125ull,
                                                      2384185791015625ull,
                                                      11920928955078125ull,
                                                      59604644775390625ull,
                                                      298023223876953125ull,
                                                      1490116119384765625ull,
                                                      7450580596923828125ull};

/* mantissa / 10^power, rounded once. The mantissa is divided by 5^power as a 126-bit integer, so
 * that the quotient has at least 62 bits; a remainder is noted in its last bit, which then decides
 * ties as the lost bits would have when the quotient is rounded to a double. */
static double divide_by_power_of_ten(uint64_t mantissa, int power) {
    if (mantissa == 0) return 0;
    uint64_t divisor = power_of_five[power];
    int up = __builtin_clzll(mantissa), down = __builtin_clzll(divisor) - 1;
    unsigned __int128 dividend = (unsigned __int128)(mantissa << up) << 62;
    divisor <<= down;
    uint64_t quotient = (uint64_t)(dividend / divisor);
    if (dividend % divisor != 0) quotient |= 1;
    return ldexp((double)quotient, down - power - up - 62);
}

double spf_number_round(const char *text, size_t digits, uint64_t mantissa, long power) {
    if (digits <= SPF_EXACT_DIGITS_MAX && power <= 0 && power >= -FIVES_MAX)
        return divide_by_power_of_ten(mantissa, (int)-power);
    return spf_system_scan_double(text);
}

static const char *skip_blanks(const char *p, const char *end) {
    while (p < end && (*p == ' ' || *p == '\t')) p++;
    return p;
}

int spf_number_read(const char *begin, const char *end, double *value) {
    begin = skip_blanks(begin, end);
    if (begin == end) return 0;
    const char *rest = spf_number_scan(begin, value);
    return rest && rest <= end && skip_blanks(rest, end) == end;
}

static size_t print_digits(double value, int digits, char text[SPF_NUMBER_TEXT_MAX]) {
    return (size_t)spf_system_print_double(text, SPF_NUMBER_TEXT_MAX, digits, value);
}

/* digits / 10^places, written out. */
static size_t print_decimal(int negative, uint64_t digits, int places,
                            char text[SPF_NUMBER_TEXT_MAX]) {
    char reversed[SPF_NUMBER_TEXT_MAX];
    size_t count = 0, length = 0;
    for (int place = 0; digits > 0 || place <= places; place++, digits /= 10) {
        if (place == places && places > 0) reversed[count++] = '.';
        reversed[count++] = (char)('0' + digits % 10);
    }
    if (negative) text[length++] = '-';
    while (count > 0) text[length++] = reversed[--count];
    text[length] = '\0';
    return length;
}

/* The text without exponent that has the fewest places and reads back as the same number, to single
 * or double precision; 0 if there is none of up to 2^53 units. The reader will divide the same two
 * exact numbers as this test does. */
static size_t print_fixed(double value, double below, int single, char text[SPF_NUMBER_TEXT_MAX]) {
    double size = fabs(value);
    if (!(size < below) || (size > 0 && size < 1e-4)) return 0;
    for (int places = 0; places <= SPF_EXACT_POWER_MAX; places++) {
        double scaled = size * spf_power_of_ten[places];
        if (scaled >= 0x1p53) return 0;
        uint64_t digits = (uint64_t)(scaled + 0.5);
        double back = (double)digits / spf_power_of_ten[places];
        if (single ? (float)back == (float)size : back == size)
            return print_decimal(signbit(value) != 0, digits, places, text);
    }
    return 0;
}

size_t spf_number_write_double(double value, char text[SPF_NUMBER_TEXT_MAX]) {
    size_t length = print_fixed(value, 0x1p53, 0, text);
    double back;
    for (int digits = 6; length == 0; digits++) {
        size_t printed = print_digits(value, digits, text);
        if (digits == 17 || (spf_number_scan(text, &back) && back == value)) length = printed;
    }
    return length;
}

size_t spf_number_write_float(float value, char text[SPF_NUMBER_TEXT_MAX]) {
    size_t length = print_fixed(value, 0x1p24, 1, text);
    double back;
    for (int digits = 6; length == 0; digits++) {
        size_t printed = print_digits(value, digits, text);
        if (digits == 9 || (spf_number_scan(text, &back) && (float)back == value)) length = printed;
    }
    return length;
}
