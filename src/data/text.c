/* Words for error messages about cells. */
#include "data/text.h"

#include "data/amount.h"
#include "data/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { EXCERPT_BYTES = 40 };

/* Whether a terminal takes a character of two or three bytes for more than that: the control
 * characters U+0080 to U+009F, and marks that end lines or turn the direction of text (U+2028 to
 * U+202E, U+2066 to U+2069). */
static int drives_terminals(const unsigned char *p) {
    if (p[0] == 0xc2) return p[1] < 0xa0;
    if (p[0] != 0xe2) return 0;
    return (p[1] == 0x80 && p[2] >= 0xa8 && p[2] <= 0xae) ||
           (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9);
}

/* How many bytes the character at text has that can be shown as it is; 0 for one that drives
 * terminals or what is not UTF-8. */
static size_t shown_length(const char *text, size_t left) {
    const unsigned char *p = (const unsigned char *)text;
    if (*p < 0x80) return *p >= 0x20 && *p != 0x7f;
    size_t length = *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;
    if (*p < 0xc2 || *p > 0xf4 || length > left) return 0;
    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80) return 0;
    return drives_terminals(p) ? 0 : length;
}

static size_t put_escaped(unsigned char c, char *out) {
    if (c == '\n') return (size_t)sprintf(out, "\\n");
    if (c == '\r') return (size_t)sprintf(out, "\\r");
    if (c == '\t') return (size_t)sprintf(out, "\\t");
    return (size_t)sprintf(out, "\\x%02x", c);
}

const char *spf_excerpt(const char *text, size_t length, char out[SPF_EXCERPT_MAX]) {
    size_t used = 0, i = 0;
    while (i < length && used < EXCERPT_BYTES) {
        size_t shown = shown_length(text + i, length - i);
        memcpy(out + used, text + i, shown);
        used += shown > 0 ? shown : put_escaped((unsigned char)text[i], out + used);
        i += shown > 0 ? shown : 1;
    }
    strcpy(out + used, i < length ? "..." : "");
    return out;
}

const char *spf_bytes_text(uint64_t bytes, char out[SPF_BYTES_TEXT_MAX]) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    uint64_t whole = bytes, rest = 0;
    size_t unit = 0;
    for (; whole >= 1024; unit++) {
        rest = whole % 1024;
        whole /= 1024;
    }
    if (unit == 0)
        snprintf(out, SPF_BYTES_TEXT_MAX, "%u bytes", (unsigned)bytes);
    else
        snprintf(out, SPF_BYTES_TEXT_MAX, "%u.%u %s", (unsigned)whole, (unsigned)(rest * 10 / 1024),
                 units[unit]);
    return out;
}

static int is_one_of(const char *text, size_t length, const char *const *words) {
    for (; *words; words++)
        if (**words == *text && strlen(*words) == length && memcmp(*words, text, length) == 0)
            return 1;
    return 0;
}

int spf_is_missing(const char *text, size_t length) {
    static const char *const words[] = {
        "NA",      "N/A",     "n/a",     "?",        "NaN",   "nan",   "NAN",    "Nan",
        "null",    "NULL",    "<NA>",    "#N/A",     "#NA",   "\\N",   "(null)", "(NULL)",
        "-nan",    "-NaN",    "#DIV/0!", "#VALUE!",  "#REF!", "#NUM!", "#NAME?", "#NULL!",
        "-1.#IND", "1.#QNAN", "1.#IND",  "-1.#QNAN", "#NV",   NULL};
    static const char first[] = "N?n<#\\(-1"; /* bytes of words: every cell comes here */
    enum { LONGEST = 8 };
    return length == 0 || (length <= LONGEST && memchr(first, *text, sizeof first - 1) &&
                           is_one_of(text, length, words));
}

int spf_may_be_missing(const char *text, size_t length) {
    static const char *const words[] = {
        "None",         "none",         "NONE", "na", "Na",   "nil",  "Nil",   "NIL",  "-",
        "--",           "---",          ".",    "..", "n.a.", "N.A.", "k. A.", "k.A.", "n.d.",
        "\xe2\x80\x93", "\xe2\x80\x94", NULL}; /* the last two: dashes */
    enum { LONGEST = 5 };
    return length > 0 && length <= LONGEST && is_one_of(text, length, words);
}

int spf_is_infinite(const char *text, size_t length) {
    if (length > 0 && (*text == '-' || *text == '+')) {
        text++;
        length--;
    }
    return (length == 3 && strncasecmp(text, "inf", 3) == 0) ||
           (length == 8 && strncasecmp(text, "infinity", 8) == 0);
}

sporf_status spf_raise_cell(const char *place, const char *text, size_t length) {
    char shown[SPF_EXCERPT_MAX];
    double value;
    spf_excerpt(text, length, shown);
    if (length == 0)
        return spf_raise(
            SPORF_ERROR_DATA,
            "%s: empty; a file of this kind has no missing values: fill it in, or give "
            "the table as CSV or .npy",
            place);
    if (spf_is_missing(text, length))
        return spf_raise(
            SPORF_ERROR_DATA,
            "%s: missing value '%s'; a file of this kind has none: fill it in, or give "
            "the table as CSV or .npy",
            place, shown);
    if (memchr(text, '\0', length))
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: a NUL byte in '%s'; is this a text file? UTF-16 must be saved as "
                         "UTF-8 first",
                         place, shown);
    if (spf_is_infinite(text, length))
        return spf_raise(SPORF_ERROR_DATA, "%s: '%s' is not finite; replace it", place, shown);
    if (spf_number_read(text, text + length, &value))
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: %s is beyond 1e30, the largest magnitude allowed; rescale the column",
                         place, shown);
    if (spf_is_bare_number(text, length))
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: '%s' is not a number; write numbers like 1234.56, with a decimal "
                         "point and nothing between thousands",
                         place, shown);
    return spf_raise(SPORF_ERROR_DATA, "%s: '%s' is not a number", place, shown);
}

const char *spf_skip_mark(const char *begin, size_t size) {
    return size >= 3 && memcmp(begin, "\xef\xbb\xbf", 3) == 0 ? begin + 3 : begin;
}
