/* A cell is parsed from both ends: parentheses, minus signs, a currency before the number and a
 * unit after it. The rest must be digits in groups of three and a fraction, which are copied to a
 * plain number and read as one. */
#include "data/amount.h"

#include "base/number.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NUMERAL_MAX = 64, GROUP = 3 };

/* The part of a cell that is not parsed yet. */
typedef struct {
    const char *at, *end;
} amount_text;

static char next(const amount_text *text) {
    return text->at < text->end ? *text->at : '\0';
}

static size_t left(const amount_text *text) {
    return (size_t)(text->end - text->at);
}

/* The length of the list's word that a text starts with; 0 if it starts with none. No word begins
 * with a digit. */
static size_t starts_with(const amount_text *text, const char *const *words) {
    char first = next(text);
    if (spf_is_digit(first) || text->at >= text->end) return 0;
    for (; *words; words++) {
        if (**words != first) continue;
        size_t length = strlen(*words);
        if (length <= left(text) && memcmp(text->at, *words, length) == 0) return length;
    }
    return 0;
}

/* Blanks: plain, no-break in UTF-8 and in Latin 1, narrow no-break, thin. */
static const char *const blanks[] = {" ", "\xc2\xa0", "\xa0", "\xe2\x80\xaf", "\xe2\x80\x89", NULL};

static const char *const minuses[] = {"-", "\xe2\x88\x92", NULL};

/* Signs and codes of currencies; longer ones before their own beginnings. */
static const char *const currencies[] = {
    "US$",          "AU$",  "CA$", "NZ$", "HK$", "A$",  "C$",  "R$",  "S$",  "$",
    "\xe2\x82\xac", /* euro */
    "\xc2\xa3",     /* pound */
    "\xc2\xa5",     /* yen */
    "\xc2\xa2",     /* cent */
    "\xe2\x82\xb9", /* rupee */
    "\xe2\x82\xbd", /* rouble */
    "\xe2\x82\xa9", /* won */
    "\xe2\x82\xba", /* lira */
    "\xe2\x82\xab", /* dong */
    "\xe2\x82\xb4", /* hryvnia */
    "\xe2\x82\xaa", /* shekel */
    "\xe2\x82\xb1", /* peso */
    "\xe2\x82\xa6", /* naira */
    "\x80",         /* euro, pound and yen in Windows-1252 */
    "\xa3",         "\xa5", "USD", "EUR", "GBP", "JPY", "CHF", "CNY", "SEK", "NOK",
    "DKK",          "ISK",  "PLN", "CZK", "HUF", "RON", "BGN", "AUD", "CAD", "NZD",
    "INR",          "BRL",  "ZAR", "RUB", "TRY", "KRW", "MXN", "SGD", "HKD", "TWD",
    "THB",          "IDR",  "PHP", "VND", "ILS", "UAH", "AED", "SAR", "ARS", "CLP",
    "COP",          "SFr.", "Fr.", "Rs.", "Rs",  "kr.", "kr",  "Kr",  NULL};

static void skip_blanks(amount_text *text) {
    for (size_t length; (length = starts_with(text, blanks)) > 0;) text->at += length;
}

static void trim_blanks(amount_text *text) {
    skip_blanks(text);
    if (left(text) > 0 && spf_is_digit(text->end[-1])) return;
    for (size_t i = 0; blanks[i];) {
        size_t length = strlen(blanks[i]);
        int found = length <= left(text) && memcmp(text->end - length, blanks[i], length) == 0;
        if (found) text->end -= length;
        i = found ? 0 : i + 1;
    }
}

static int accept(amount_text *text, const char *const *words) {
    size_t length = starts_with(text, words);
    text->at += length;
    return length > 0;
}

static size_t count_digits(const char *p, const char *end) {
    const char *start = p;
    while (p < end && spf_is_digit(*p)) p++;
    return (size_t)(p - start);
}

/* ---- digits ---------------------------------------------------------------------------------- */

/* A number while it is copied to its plain spelling; one that is too long is not read. */
typedef struct {
    char text[NUMERAL_MAX];
    size_t used;
} numeral;

static void put(numeral *n, const char *bytes, size_t count) {
    if (count < NUMERAL_MAX - n->used) memcpy(n->text + n->used, bytes, count);
    n->used = count < NUMERAL_MAX - n->used ? n->used + count : NUMERAL_MAX;
}

/* The length of the mark between thousands at the start of a text; 0 if there is none. */
static size_t group_mark(const amount_text *text, char decimal) {
    static const char *const with_point[] = {
        ",", "'", "\xe2\x80\x99", " ", "\xc2\xa0", "\xa0", "\x92", "\xe2\x80\xaf", "\xe2\x80\x89",
        NULL};
    static const char *const with_comma[] = {
        ".", "'", "\xe2\x80\x99", " ", "\xc2\xa0", "\xa0", "\x92", "\xe2\x80\xaf", "\xe2\x80\x89",
        NULL};
    size_t length = starts_with(text, decimal == '.' ? with_point : with_comma);
    if (length == 0) return 0;
    return count_digits(text->at + length, text->end) == GROUP ? length : 0;
}

/* The digits before the decimal mark. A grouped number does not begin with 0. */
static void scan_whole(amount_text *text, char decimal, numeral *n, size_t *groups) {
    size_t digits = count_digits(text->at, text->end), length;
    int grouped = digits > 0 && digits <= GROUP && *text->at != '0';
    put(n, text->at, digits);
    text->at += digits;
    *groups = 0;
    const char *mark = text->at;
    while (grouped && (length = group_mark(text, decimal)) > 0 &&
           memcmp(mark, text->at, length) == 0) {
        put(n, text->at + length, GROUP);
        text->at += length + GROUP;
        ++*groups;
    }
}

static void scan_fraction(amount_text *text, char decimal, numeral *n) {
    size_t digits = next(text) == decimal ? count_digits(text->at + 1, text->end) : 0;
    if (digits == 0) return;
    put(n, ".", 1);
    put(n, text->at + 1, digits);
    text->at += 1 + digits;
}

static void scan_power(amount_text *text, numeral *n) {
    amount_text power = *text;
    if (next(&power) != 'e' && next(&power) != 'E') return;
    power.at++;
    if (next(&power) == '-' || next(&power) == '+') power.at++;
    size_t digits = count_digits(power.at, power.end);
    if (digits == 0) return;
    power.at += digits;
    put(n, text->at, (size_t)(power.at - text->at));
    *text = power;
}

/* Whether four groups separated by points are an IP address. */
static int is_address(const char *begin, const char *end) {
    for (const char *p = begin; p < end; p += count_digits(p, end) + 1)
        if (strtol(p, NULL, 10) > UINT8_MAX) return 0;
    return 1;
}

/* A number without its sign. */
static int scan_number(amount_text *text, char decimal, double *value) {
    numeral n = {.used = 0};
    const char *begin = text->at;
    size_t groups;
    if (!spf_is_digit(next(text)) && !(decimal == '.' && next(text) == '.')) return 0;
    scan_whole(text, decimal, &n, &groups);
    if (groups == GROUP && begin[count_digits(begin, text->end)] == '.' &&
        is_address(begin, text->at))
        return 0;
    scan_fraction(text, decimal, &n);
    if (groups == 0) scan_power(text, &n);
    if (n.used == 0 || n.used >= NUMERAL_MAX) return 0;
    n.text[n.used] = '\0';
    return spf_number_scan(n.text, value) != NULL;
}

/* ---- durations ------------------------------------------------------------------------------- */

/* ":ss" or ":mm", added to a value in the larger unit. */
static int scan_sixtieth(amount_text *text, double *value) {
    if (next(text) != ':' || count_digits(text->at + 1, text->end) != 2) return 0;
    double part = (text->at[1] - '0') * 10 + (text->at[2] - '0');
    if (part >= 60) return 0;
    *value = *value * 60 + part;
    text->at += 3;
    return 1;
}

static void scan_part_of_second(amount_text *text, double *value) {
    double scale = 1, part = 0;
    if (next(text) != '.' && next(text) != ',') return;
    if (count_digits(text->at + 1, text->end) == 0) return;
    for (text->at++; spf_is_digit(next(text)); text->at++) {
        scale *= 10;
        part = part * 10 + (*text->at - '0');
    }
    *value += part / scale;
}

/* AM or PM after a time on the 12-hour clock. */
static int take_half_day(amount_text *text, int parts, double hours, double *value) {
    skip_blanks(text);
    int pm = left(text) == 2 && strncasecmp(text->at, "pm", 2) == 0;
    int am = left(text) == 2 && strncasecmp(text->at, "am", 2) == 0;
    if ((!am && !pm) || hours < 1 || hours > 12) return 0;
    text->at += 2;
    if (parts == 2) *value *= 60;
    if (hours == 12) *value -= 12 * 3600;
    if (pm) *value += 12 * 3600;
    return 1;
}

static int scan_clock(amount_text *text, double *value, spf_form *form) {
    enum { DIGITS_MAX = 6 };
    size_t digits = count_digits(text->at, text->end);
    if (digits == 0 || digits > DIGITS_MAX || digits == left(text) || text->at[digits] != ':')
        return 0;
    double first = 0;
    for (size_t i = 0; i < digits; i++) first = first * 10 + (text->at[i] - '0');
    text->at += digits;
    *value = first;
    if (!scan_sixtieth(text, value)) return 0;
    int parts = 2 + scan_sixtieth(text, value);
    scan_part_of_second(text, value);
    form->kind = SPF_FORM_CLOCK;
    if (left(text) == 0) return 1;
    form->kind = SPF_FORM_HALF_DAY;
    return take_half_day(text, parts, first, value);
}

/* ---- signs and units ------------------------------------------------------------------------- */

static int is_foreign(char byte) { /* a byte of a character beyond ASCII */
    return (unsigned char)byte >= 0x80;
}

static int is_letter(char byte) {
    return isalpha((unsigned char)byte) || is_foreign(byte);
}

/* Whether the rest of a cell is a unit: "kg", "m2", "km/h", "sq ft", "%". A digit may only be its
 * last character. */
static int is_unit(const amount_text *text) {
    size_t length = left(text);
    const char *p = text->at;
    if (length == 0 || length > SPF_SIGN_MAX || !(is_letter(*p) || strchr("%$", *p))) return 0;
    if (length > 1 && (*p == 'e' || *p == 'E') && spf_is_digit(p[1])) return 0; /* a power */
    for (size_t i = 1; i < length; i++) {
        int power =
            spf_is_digit(p[i]) && i + 1 == length && (is_letter(p[i - 1]) || p[i - 1] == '^');
        int blank = p[i] == ' ' && p[i - 1] != ' ';
        if (!is_letter(p[i]) && !power && !blank && !(p[i] && strchr("%$/.^*", p[i]))) return 0;
    }
    return 1;
}

/* A currency before the number, if there is one. */
static void take_before(amount_text *text, spf_form *form) {
    size_t length = starts_with(text, currencies);
    if (length == 0) return;
    memcpy(form->before, text->at, length);
    form->kind = SPF_FORM_MARKED;
    text->at += length;
    skip_blanks(text);
}

static int take_after(amount_text *text, spf_form *form) {
    skip_blanks(text);
    if (left(text) == 0) return 1;
    if (!is_unit(text)) return 0;
    memcpy(form->after, text->at, left(text));
    form->kind = SPF_FORM_MARKED;
    text->at = text->end;
    return 1;
}

/* A minus after the number, as accounting programs write it. */
static int take_last_minus(amount_text *text) {
    amount_text rest = *text;
    if (!accept(&rest, minuses) || left(&rest) > 0) return 0;
    *text = rest;
    return 1;
}

static int take_parentheses(amount_text *text) {
    if (left(text) < 3 || *text->at != '(' || text->end[-1] != ')') return 0;
    text->at++;
    text->end--;
    trim_blanks(text);
    return 1;
}

/* Parses what may precede the digits. Returns the number of minus signs; parentheses count as
 * one. */
static int take_front(amount_text *text, spf_form *form) {
    static const char *const pluses[] = {"+", NULL};
    int negative = take_parentheses(text);
    int sign = accept(text, minuses);
    if (!sign && !negative) accept(text, pluses);
    skip_blanks(text);
    take_before(text, form);
    return negative + sign + (form->kind == SPF_FORM_MARKED ? accept(text, minuses) : 0);
}

int spf_amount_read(const char *begin, const char *end, char decimal, double *value,
                    spf_form *form) {
    amount_text text = {begin, end};
    *form = (spf_form){.kind = SPF_FORM_BARE};
    trim_blanks(&text);
    int negative = take_front(&text, form);
    amount_text clock = text;
    if (form->kind == SPF_FORM_BARE && scan_clock(&clock, value, form)) {
        text = clock;
    } else {
        form->kind = form->before[0] ? SPF_FORM_MARKED : SPF_FORM_BARE;
        if (!scan_number(&text, decimal, value)) return 0;
        if (negative == 0) negative = take_last_minus(&text);
        if (!take_after(&text, form)) return 0;
    }
    if (negative > 0) *value = -*value;
    return left(&text) == 0 && negative <= 1;
}

int spf_form_equal(const spf_form *one, const spf_form *other) {
    return memcmp(one, other, sizeof *one) == 0;
}

int spf_amount_weigh(const char *begin, const char *end, spf_form *form, spf_decimal_sign *sign) {
    double with_point, with_comma;
    spf_form other;
    int point = spf_amount_read(begin, end, '.', &with_point, form);
    int comma = spf_amount_read(begin, end, ',', &with_comma, point ? &other : form);
    if (point && comma)
        *sign = with_point == with_comma ? SPF_DECIMAL_SILENT : SPF_DECIMAL_EITHER;
    else
        *sign = point ? SPF_DECIMAL_POINT : SPF_DECIMAL_COMMA;
    return point || comma;
}

/* 1.234 could be 1234; any other plain number with a point excludes a decimal comma. */
spf_decimal_sign spf_plain_sign(const char *begin, const char *end) {
    const char *point = memchr(begin, '.', (size_t)(end - begin));
    if (!point) return SPF_DECIMAL_SILENT;
    if (*begin == '-' || *begin == '+') begin++;
    int grouped = point > begin && point - begin <= GROUP && *begin != '0' &&
                  end - point == GROUP + 1 && count_digits(point + 1, end) == GROUP;
    return grouped ? SPF_DECIMAL_EITHER : SPF_DECIMAL_POINT;
}

int spf_is_bare_number(const char *text, size_t length) {
    spf_form form;
    spf_decimal_sign sign;
    double value;
    if (spf_number_read(text, text + length, &value)) return 1;
    return spf_amount_weigh(text, text + length, &form, &sign) && form.kind == SPF_FORM_BARE;
}
