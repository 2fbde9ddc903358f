/* Dates by their shape: three numbers in range, parted alike, and a time of day after them. */
#include "data/date.h"

#include "data/number.h"

#include <string.h>

typedef struct {
    const char *at, *end;
} date_text;

static char next(const date_text *text) {
    return text->at < text->end ? *text->at : '\0';
}

static int accept(date_text *text, const char *choices) {
    char c = next(text);
    if (!c || !strchr(choices, c)) return 0;
    text->at++;
    return 1;
}

/* A number of `least` to `most` digits; -1 where there is none. */
static int number(date_text *text, int least, int most) {
    int value = 0, digits = 0;
    for (; digits < most && spf_is_digit(next(text)); digits++)
        value = value * 10 + (*text->at++ - '0');
    return digits >= least ? value : -1;
}

static int in_range(int value, int least, int most) {
    return value >= least && value <= most;
}

/* Two more numbers after the first, both parted by the same character. */
static int two_more(date_text *text, int year_last, int *second, int *third) {
    char mark = next(text);
    if (!accept(text, "-/.")) return 0;
    *second = number(text, 1, 2);
    if (next(text) != mark || !accept(text, "-/.")) return 0;
    const char *start = text->at;
    *third = year_last ? number(text, 2, 4) : number(text, 1, 2);
    return *second >= 0 && *third >= 0 && text->at - start != 3;
}

static int scan_day(date_text *text) {
    const char *start = text->at;
    int first = number(text, 1, 4), second = -1, third = -1;
    if (text->at - start == 4)
        return two_more(text, 0, &second, &third) && in_range(second, 1, 12) &&
               in_range(third, 1, 31);
    return text->at - start <= 2 && two_more(text, 1, &second, &third) && in_range(first, 1, 31) &&
           in_range(second, 1, 31) && (first <= 12 || second <= 12);
}

static int scan_zone(date_text *text) {
    if (accept(text, "Zz")) return 1;
    if (!accept(text, "+-")) return 1;
    if (!in_range(number(text, 2, 2), 0, 14)) return 0;
    accept(text, ":");
    return !spf_is_digit(next(text)) || in_range(number(text, 2, 2), 0, 59);
}

static int scan_time(date_text *text) {
    if (!in_range(number(text, 1, 2), 0, 24) || !accept(text, ":") ||
        !in_range(number(text, 2, 2), 0, 59))
        return 0;
    if (accept(text, ":") && !in_range(number(text, 2, 2), 0, 60)) return 0;
    if (accept(text, ".,"))
        while (spf_is_digit(next(text))) text->at++;
    return scan_zone(text);
}

int spf_is_date(const char *bytes, size_t length) {
    date_text text = {bytes, bytes + length};
    if (!scan_day(&text)) return 0;
    if (text.at == text.end) return 1;
    return accept(&text, "Tt ") && scan_time(&text) && text.at == text.end;
}
