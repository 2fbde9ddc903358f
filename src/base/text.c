/* Offending text and sizes, formatted for error messages. */
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { EXCERPT_BYTES = 40, NAME_BYTES = 100 };

/* Whether a character of two or three bytes controls the terminal: control characters U+0080 to
 * U+009F, line separators and direction marks (U+2028 to U+202E, U+2066 to U+2069). */
static int drives_terminals(const unsigned char *p) {
    if (p[0] == 0xc2) return p[1] < 0xa0;
    if (p[0] != 0xe2) return 0;
    return (p[1] == 0x80 && p[2] >= 0xa8 && p[2] <= 0xae) ||
           (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9);
}

/* Bytes of the character at text if it can be printed as it is; 0 for control characters and bytes
 * that are not UTF-8. */
static size_t shown_length(const char *text, size_t left) {
    const unsigned char *p = (const unsigned char *)text;
    if (*p < 0x80) return *p >= 0x20 && *p != 0x7f;
    size_t length = *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;
    if (*p < 0xc2 || *p > 0xf4 || length > left) return 0;
    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80) return 0;
    return drives_terminals(p) ? 0 : length;
}

/* Writes at most ESCAPED_MAX bytes, the 0 at the end included. */
enum { ESCAPED_MAX = sizeof "\\xff" };
static size_t put_escaped(unsigned char c, char *out) {
    const char *letter = c == '\n' ? "n" : c == '\r' ? "r" : c == '\t' ? "t" : NULL;
    if (letter) return (size_t)snprintf(out, ESCAPED_MAX, "\\%s", letter);
    return (size_t)snprintf(out, ESCAPED_MAX, "\\x%02x", c);
}

/* Writes at least `most` bytes of a longer text, and a character and an ellipsis more at most. */
static const char *put_shown(const char *text, size_t length, size_t most, char *out) {
    size_t used = 0, i = 0;
    while (i < length && used < most) {
        size_t shown = shown_length(text + i, length - i);
        memcpy(out + used, text + i, shown);
        used += shown > 0 ? shown : put_escaped((unsigned char)text[i], out + used);
        i += shown > 0 ? shown : 1;
    }
    strcpy(out + used, i < length ? "..." : "");
    return out;
}

const char *spf_excerpt(const char *text, size_t length, char out[SPF_EXCERPT_MAX]) {
    return put_shown(text, length, EXCERPT_BYTES, out);
}

const char *spf_name_text(const char *name, char out[SPF_NAME_TEXT_MAX]) {
    return put_shown(name, strlen(name), NAME_BYTES, out);
}

const char *spf_named(const char *before, const char *name, const char *after,
                      char out[SPF_NAME_TEXT_MAX]) {
    char shown[SPF_NAME_TEXT_MAX];
    *out = '\0';
    if (name) snprintf(out, SPF_NAME_TEXT_MAX, "%s%s%s", before, spf_name_text(name, shown), after);
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
