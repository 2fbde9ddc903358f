/* Spellings of missing and infinite values, and error messages about cells. */
#include "data/cell.h"

#include "base/number.h"
#include "base/text.h"
#include "data/amount.h"

#include <string.h>
#include <strings.h>

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
    static const char first[] = "N?n<#\\(-1"; /* first bytes of the words, for a quick test */
    enum { LONGEST = 8 };
    return length == 0 || (length <= LONGEST && memchr(first, *text, sizeof first - 1) &&
                           is_one_of(text, length, words));
}

int spf_may_be_missing(const char *text, size_t length) {
    static const char *const words[] = {
        "None",         "none",         "NONE", "na", "Na",   "nil",  "Nil",   "NIL",  "-",
        "--",           "---",          ".",    "..", "n.a.", "N.A.", "k. A.", "k.A.", "n.d.",
        "\xe2\x80\x93", "\xe2\x80\x94", NULL}; /* the last two are dashes */
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
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: empty, and a file of this kind cannot have missing values" SPF_HINT
                         "fill it in, or give the table as CSV or .npy",
                         place);
    if (spf_is_missing(text, length))
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: missing value '%s', which a file of this kind cannot have" SPF_HINT
                         "fill it in, or give the table as CSV or .npy",
                         place, shown);
    if (memchr(text, '\0', length))
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: a NUL byte in '%s'" SPF_HINT
                         "is this a text file? UTF-16 must be saved as UTF-8 first",
                         place, shown);
    if (spf_is_infinite(text, length))
        return spf_raise(SPORF_ERROR_DATA, "%s: '%s' is not finite" SPF_HINT "replace it", place,
                         shown);
    if (spf_number_read(text, text + length, &value))
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: %s is beyond 1e30, the largest magnitude allowed" SPF_HINT
                         "rescale the column",
                         place, shown);
    if (spf_is_bare_number(text, length))
        return spf_raise(
            SPORF_ERROR_DATA,
            "%s: '%s' is not a number" SPF_HINT
            "write numbers like 1234.56, with a decimal point and nothing between thousands",
            place, shown);
    return spf_raise(SPORF_ERROR_DATA, "%s: '%s' is not a number", place, shown);
}

const char *spf_skip_mark(const char *begin, size_t size) {
    return size >= 3 && memcmp(begin, "\xef\xbb\xbf", 3) == 0 ? begin + 3 : begin;
}
