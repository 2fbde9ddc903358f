/* Text with markup: what comes from tables and models is escaped here and nowhere else. */
#include "draw/markup.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void spf_markup_free(spf_markup *markup) {
    free(markup->text);
    *markup = (spf_markup){0};
}

static void put_bytes(spf_markup *markup, const char *bytes, size_t count) {
    if (markup->status != SPORF_OK) return;
    markup->status = SPF_RESERVE(markup->text, markup->capacity, markup->length + count + 1);
    if (markup->status != SPORF_OK) return;
    memcpy(markup->text + markup->length, bytes, count);
    markup->length += count;
    markup->text[markup->length] = '\0';
}

void spf_markup_put(spf_markup *markup, const char *text) {
    put_bytes(markup, text, strlen(text));
}

void spf_markup_format(spf_markup *markup, const char *format, ...) {
    char text[1024];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (length < 0) return;
    put_bytes(markup, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

/* ---- characters ------------------------------------------------------------------------------ */

static void put_character(spf_markup *markup, uint32_t c) {
    char bytes[4];
    size_t count = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = count; i-- > 0; c >>= 6)
        bytes[i] = (char)(count == 1 ? c : i == 0 ? lead[count] | c : 0x80 | (c & 0x3F));
    put_bytes(markup, bytes, count);
}

/* Marks that change the direction or the shape of what follows without being seen. */
static int is_invisible(uint32_t c) {
    return c == 0x061C || (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) ||
           (c >= 0xE0000 && c <= 0xE0FFF);
}

static int is_right_to_left(uint32_t c) {
    return (c >= 0x0590 && c <= 0x08FF) || (c >= 0xFB1D && c <= 0xFDFF) ||
           (c >= 0xFE70 && c <= 0xFEFE) || (c >= 0x10800 && c <= 0x10FFF) ||
           (c >= 0x1E800 && c <= 0x1EFFF);
}

/* Characters that say nothing by themselves are shown as others. */
static void put_visible(spf_markup *markup, uint32_t c) {
    if (c < 0x20)
        put_character(markup, 0x2400 + c);
    else if (c == 0x7F)
        put_character(markup, 0x2421);
    else if (c < 0xA0 && c > 0x7F)
        put_character(markup, SPF_UTF8_REPLACEMENT);
    else if (is_invisible(c) || (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF))
        put_character(markup, SPF_UTF8_REPLACEMENT);
    else
        put_character(markup, c);
}

static void put_escaped(spf_markup *markup, uint32_t c) {
    const char *entity = c == '&'    ? "&amp;"
                         : c == '<'  ? "&lt;"
                         : c == '>'  ? "&gt;"
                         : c == '"'  ? "&quot;"
                         : c == '\'' ? "&#39;"
                                     : NULL;
    if (entity)
        spf_markup_put(markup, entity);
    else
        put_visible(markup, c);
}

static int turns(const char *text) {
    uint32_t c;
    while (*text) {
        text = spf_utf8_next(text, &c);
        if (is_right_to_left(c)) return 1;
    }
    return 0;
}

/* Where the ellipsis stands, if the text is too long, otherwise NULL. */
static const char *find_cut(const char *text, size_t most) {
    const char *cut = NULL;
    size_t count = 0;
    uint32_t c;
    for (const char *p = text; *p && most > 0 && count <= most; count++) {
        if (count == most - 1) cut = p;
        p = spf_utf8_next(p, &c);
    }
    return count <= most ? NULL : cut;
}

static void put_all(spf_markup *markup, const char *text, size_t most,
                    void (*put)(spf_markup *, uint32_t)) {
    const char *cut = find_cut(text, most);
    uint32_t c;
    while (*text && text != cut) {
        text = spf_utf8_next(text, &c);
        put(markup, c);
    }
    if (cut) put_character(markup, 0x2026);
}

void spf_markup_text(spf_markup *markup, const char *text, size_t most) {
    int isolate = turns(text);
    if (isolate) put_character(markup, 0x2068);
    put_all(markup, text, most, put_escaped);
    if (isolate) put_character(markup, 0x2069);
}

void spf_markup_plain(spf_markup *markup, const char *text, size_t most) {
    put_all(markup, text, most, put_visible);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Whatever the locale. */
static void mend_point(char *text) {
    for (; *text; text++)
        if (!strchr("0123456789+-e", *text)) *text = '.';
}

static void drop_zeros(char *text) {
    if (!strchr(text, '.')) return;
    size_t end = strlen(text);
    while (text[end - 1] == '0') end--;
    if (text[end - 1] == '.') end--;
    text[end] = '\0';
}

/* A number with fixed decimals; "-0" is 0. */
static void write_fixed(double value, int decimals, char text[SPF_NUMBER_SHOWN_MAX]) {
    snprintf(text, SPF_NUMBER_SHOWN_MAX, "%.*f", decimals, value);
    mend_point(text);
    drop_zeros(text);
    if (strcmp(text, "-0") == 0) memcpy(text, "0", 2);
}

void spf_markup_fixed(spf_markup *markup, double value, int decimals) {
    char text[SPF_NUMBER_SHOWN_MAX];
    if (!(fabs(value) < 1e15)) value = 0;
    write_fixed(value, decimals, text);
    spf_markup_put(markup, text);
}

/* Commas between thousands, from the right. */
static void put_thousands(char text[SPF_NUMBER_SHOWN_MAX]) {
    char *start = text + (*text == '-');
    size_t whole = strcspn(start, ".");
    if (whole < 5) return;
    for (size_t at = whole - 3;; at -= 3) {
        memmove(start + at + 1, start + at, strlen(start + at) + 1);
        start[at] = ',';
        if (at <= 3) return;
    }
}

/* 1 for 1 to 9.99, and fewer below: 0 for 0.1, -1 for 0.01. */
static int digits_before_point(double size) {
    int digits = 1;
    while (size >= 10) size /= 10, digits++;
    while (size < 1 && size > 0) size *= 10, digits--;
    return digits;
}

size_t spf_number_shown(double value, int digits, char text[SPF_NUMBER_SHOWN_MAX]) {
    double size = fabs(value);
    if (isnan(value)) {
        memcpy(text, "\xe2\x80\x93", 4);
    } else if (isinf(value)) {
        memcpy(text, value > 0 ? "\xe2\x88\x9e" : "-\xe2\x88\x9e", value > 0 ? 4 : 5);
    } else if (size != 0 && (size < 1e-4 || size >= 1e15)) {
        snprintf(text, SPF_NUMBER_SHOWN_MAX, "%.*e", digits - 1, value);
        mend_point(text);
    } else {
        int whole = digits_before_point(size);
        write_fixed(value, digits > whole ? digits - whole : 0, text);
        put_thousands(text);
    }
    return strlen(text);
}

void spf_markup_number(spf_markup *markup, double value, int digits) {
    char text[SPF_NUMBER_SHOWN_MAX];
    spf_number_shown(value, digits, text);
    spf_markup_put(markup, text);
}
