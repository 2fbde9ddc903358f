/* Numbers as text, whatever the locale: scanning to the nearest double, and the shortest text that
 * reads back as the same number. */
#ifndef SPF_BASE_NUMBER_H
#define SPF_BASE_NUMBER_H

#include "base/error.h"

enum { SPF_NUMBER_TEXT_MAX = 32, SPF_EXACT_POWER_MAX = 22, SPF_EXACT_DIGITS_MAX = 19 };

/* 10^0 .. 10^22: the powers of ten that a double holds exactly. */
extern const double spf_power_of_ten[SPF_EXACT_POWER_MAX + 1];

/* The nearest double if mantissa and power are not both exact doubles. digits is the number of
 * digits in the text; the mantissa is right only if they are at most SPF_EXACT_DIGITS_MAX. */
double spf_number_round(const char *text, size_t digits, uint64_t mantissa, long power);

static inline int spf_is_digit(char c) {
    return (unsigned char)(c - '0') < 10;
}

/* Adds the exponent after an 'e' at text to *power; returns text itself if no number follows. */
static inline const char *spf_number_scan_power(const char *text, long *power) {
    const char *p = text + 1;
    int negative = *p == '-';
    if (*p == '-' || *p == '+') p++;
    if (!spf_is_digit(*p)) return text;
    long value = 0;
    for (; spf_is_digit(*p); p++)
        if (value < 100000) value = value * 10 + (*p - '0');
    *power += negative ? -value : value;
    return p;
}

/* Scans a decimal number ("+1", ".5", "5.", "1e-3"; not hexadecimal, no blanks) at text, which must
 * be followed by a byte that is no part of a number: a separator, a line end, a NUL. Returns the
 * byte after it, NULL if no number starts. A value beyond double is infinite. Method: Clinger's
 * exact case (mantissa and power of ten both exact doubles) inline, everything else in
 * spf_number_round. */
static inline const char *spf_number_scan(const char *text, double *value) {
    const char *p = text;
    int negative = *p == '-';
    if (*p == '-' || *p == '+') p++;
    uint64_t mantissa = 0;
    long power = 0;
    const char *start = p;
    for (; spf_is_digit(*p); p++) mantissa = mantissa * 10 + (uint64_t)(*p - '0');
    size_t digits = (size_t)(p - start);
    if (*p == '.') {
        const char *fraction = ++p;
        for (; spf_is_digit(*p); p++) mantissa = mantissa * 10 + (uint64_t)(*p - '0');
        digits += (size_t)(p - fraction);
        power = -(long)(p - fraction);
    }
    if (digits == 0) return NULL;
    if (*p == 'e' || *p == 'E') p = spf_number_scan_power(p, &power);
    double result;
    if (digits > SPF_EXACT_DIGITS_MAX || mantissa > (uint64_t)1 << 53 ||
        power < -SPF_EXACT_POWER_MAX || power > SPF_EXACT_POWER_MAX)
        result = spf_number_round(start, digits, mantissa, power);
    else if (power < 0)
        result = (double)mantissa / spf_power_of_ten[-power];
    else
        result = (double)mantissa * spf_power_of_ten[power];
    *value = negative ? -result : result;
    return p;
}

/* Whether all of begin .. end is a number, with blanks around it allowed. *end must be readable and
 * no part of a number. */
int spf_number_read(const char *begin, const char *end, double *value);

/* Writes a short text, of at most 9 or 17 significant digits, that reads back as the same number;
 * integers below 2^24 or 2^53 without point or exponent. Returns its length. */
size_t spf_number_write_float(float value, char text[SPF_NUMBER_TEXT_MAX]);
size_t spf_number_write_double(double value, char text[SPF_NUMBER_TEXT_MAX]);

#endif
