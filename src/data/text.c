/* Words for error messages about cells. */
#include "data/text.h"

#include "data/number.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { EXCERPT_BYTES = 40 };

/* The longest prefix of at most EXCERPT_BYTES bytes that does not cut a UTF-8 sequence. */
static size_t excerpt_length(const char *text, size_t length) {
    if (length <= EXCERPT_BYTES) return length;
    size_t cut = EXCERPT_BYTES;
    while (cut > EXCERPT_BYTES - 4 && ((unsigned char)text[cut] & 0xc0) == 0x80) cut--;
    return cut;
}

const char *spf_excerpt(const char *text, size_t length, char out[SPF_EXCERPT_MAX]) {
    size_t shown = excerpt_length(text, length), used = 0, i = 0;
    enum { ROOM = SPF_EXCERPT_MAX - sizeof "\\x00" - sizeof "..." };
    for (; i < shown && used < ROOM; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x20 && c != 0x7f)
            out[used++] = (char)c;
        else if (c == '\n' || c == '\r' || c == '\t')
            used += (size_t)sprintf(out + used, "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
        else
            used += (size_t)sprintf(out + used, "\\x%02x", c);
    }
    strcpy(out + used, i < length ? "..." : "");
    return out;
}

const char *spf_bytes_text(uint64_t bytes, char out[SPF_BYTES_TEXT_MAX]) {
    static const char *const units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    if (bytes < 1000) {
        snprintf(out, SPF_BYTES_TEXT_MAX, "%u bytes", (unsigned)bytes);
        return out;
    }
    uint64_t whole = bytes, part = 0;
    size_t unit = 0;
    for (; whole >= 1000; unit++) {
        part = whole % 1000 / 100;
        whole /= 1000;
    }
    snprintf(out, SPF_BYTES_TEXT_MAX, "%u.%u %s", (unsigned)whole, (unsigned)part, units[unit - 1]);
    return out;
}

static int is_one_of(const char *text, size_t length, const char *const *words) {
    for (; *words; words++)
        if (strlen(*words) == length && memcmp(*words, text, length) == 0) return 1;
    return 0;
}

int spf_is_missing(const char *text, size_t length) {
    static const char *const words[] = {"NA",  "N/A", "n/a",  "?",    "NaN",
                                        "nan", "NAN", "null", "NULL", NULL};
    return length == 0 || is_one_of(text, length, words);
}

static int is_infinite(const char *text, size_t length) {
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
                         "%s: empty; missing values are not supported yet: fill the cell or remove "
                         "its row or column",
                         place);
    if (spf_is_missing(text, length))
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: missing value '%s'; missing values are not supported yet: fill the "
                         "cell or remove its row or column",
                         place, shown);
    if (memchr(text, '\0', length))
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: a NUL byte in '%s'; is this a text file? UTF-16 must be saved as "
                         "UTF-8 first",
                         place, shown);
    if (is_infinite(text, length))
        return spf_raise(SPORF_ERROR_DATA, "%s: '%s' is not finite; replace it", place, shown);
    if (spf_number_read(text, text + length, &value))
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: %s is beyond 1e30, the largest magnitude allowed; rescale the column",
                         place, shown);
    return spf_raise(SPORF_ERROR_DATA,
                     "%s: '%s' is not a number; text columns are not supported yet: turn the "
                     "column into numbers or remove it",
                     place, shown);
}
