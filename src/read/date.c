/* Recognises dates by their shape: three numbers in range, or two and the name of a month, and an
 * optional time of day. */
#include "read/date.h"

#include "base/number.h"
#include "data/cell.h"

#include <math.h>
#include <string.h>
#include <strings.h>

const char *const spf_date_part_name[SPF_DATE_PARTS] = {"",        "year", "month",
                                                        "weekday", "days", "hour"};

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

/* A number of `least` to `most` digits; -1 if there is none. */
static int number(date_text *text, int least, int most) {
    int value = 0, digits = 0;
    for (; digits < most && spf_is_digit(next(text)); digits++)
        value = value * 10 + (*text->at++ - '0');
    return digits >= least ? value : -1;
}

static int in_range(int value, int least, int most) {
    return value >= least && value <= most;
}

/* A year of four digits, or of two. */
static int scan_year(date_text *text, int *year) {
    const char *start = text->at;
    *year = number(text, 2, 4);
    if (text->at - start == 2) *year += *year < 69 ? 2000 : 1900;
    return *year >= 0 && text->at - start != 3;
}

/* ---- days ------------------------------------------------------------------------------------ */

/* Two more numbers after the first, both separated by the same character. */
static int two_more(date_text *text, int year_last, int *second, int *third) {
    char mark = next(text);
    if (!accept(text, "-/.")) return 0;
    *second = number(text, 1, 2);
    if (next(text) != mark || !accept(text, "-/.")) return 0;
    if (year_last) return *second >= 0 && scan_year(text, third);
    *third = number(text, 1, 2);
    return *second >= 0 && *third >= 0;
}

/* Which of two numbers is the day. Between points it is the first, if possible. */
static int find_day(int first, int second, char mark, spf_date_order order, spf_date *date) {
    if (!in_range(first, 1, 31) || !in_range(second, 1, 31) || (first > 12 && second > 12))
        return 0;
    date->order = first > 12    ? SPF_DATE_DMY
                  : second > 12 ? SPF_DATE_MDY
                  : mark == '.' ? SPF_DATE_DMY
                                : SPF_DATE_UNCLEAR;
    date->silent = first == second;
    if (mark == '.' && first <= 12 && second <= 12) date->silent = 1;
    if (date->order != SPF_DATE_UNCLEAR) order = date->order;
    date->day = order == SPF_DATE_MDY ? second : first;
    date->month = order == SPF_DATE_MDY ? first : second;
    return 1;
}

static int scan_numbers(date_text *text, spf_date_order order, spf_date *date) {
    const char *start = text->at;
    int first = number(text, 1, 4), second = -1, third = -1;
    char mark = next(text);
    date->silent = 1;
    if (text->at - start == 4) {
        if (!two_more(text, 0, &second, &third)) return 0;
        date->year = first;
        date->month = second;
        date->day = third;
        return 1;
    }
    if (text->at - start > 2 || !two_more(text, 1, &second, &third)) return 0;
    date->year = third;
    return find_day(first, second, mark, order, date);
}

/* The name of a month, whole or by its first three letters; 0 if there is none. */
static int scan_month(date_text *text) {
    static const char *const months[] = {"January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December"};
    enum { SHORT = 3 };
    size_t left = (size_t)(text->end - text->at);
    for (int i = 0; i < 12; i++) {
        size_t whole = strlen(months[i]);
        if (left >= whole && strncasecmp(text->at, months[i], whole) == 0) {
            text->at += whole;
            return i + 1;
        }
        if (left >= SHORT && strncasecmp(text->at, months[i], SHORT) == 0) {
            text->at += SHORT;
            accept(text, ".");
            return i + 1;
        }
    }
    return 0;
}

/* "1 Jan 2024", "01-Jan-24", "Jan 1, 2024". */
static int scan_named(date_text *text, spf_date *date) {
    date->silent = 1;
    if (spf_is_digit(next(text))) {
        date->day = number(text, 1, 2);
        char mark = next(text);
        if (!accept(text, " -/.")) return 0;
        if (mark == '.') accept(text, " ");
        date->month = scan_month(text);
        if (date->month == 0) return 0;
        while (accept(text, " -/,")) continue;
        return scan_year(text, &date->year);
    }
    date->month = scan_month(text);
    if (date->month == 0 || !accept(text, " -")) return 0;
    date->day = number(text, 1, 2);
    int parted = accept(text, ",") + accept(text, " ") + accept(text, "-");
    return date->day > 0 && parted > 0 && scan_year(text, &date->year);
}

static int days_in(int month, int year) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

static int scan_day(date_text *text, spf_date_order order, spf_date *date) {
    const char *start = text->at;
    if (!scan_numbers(text, order, date)) {
        text->at = start;
        *date = (spf_date){.hour = NAN};
        if (!scan_named(text, date)) return 0;
    }
    return in_range(date->month, 1, 12) && in_range(date->day, 1, days_in(date->month, date->year));
}

/* ---- times ----------------------------------------------------------------------------------- */

static int scan_zone(date_text *text) {
    if (accept(text, "Zz")) return 1;
    if (!accept(text, "+-")) return 1;
    if (!in_range(number(text, 2, 2), 0, 14)) return 0;
    accept(text, ":");
    return !spf_is_digit(next(text)) || in_range(number(text, 2, 2), 0, 59);
}

static void scan_fraction(date_text *text, double *seconds) {
    double scale = 1;
    if (!accept(text, ".,")) return;
    for (; spf_is_digit(next(text)); text->at++) {
        scale /= 10;
        *seconds += scale * (*text->at - '0');
    }
}

/* "PM" or "am" after a time of at most 12 hours; *hours is converted to 24. Returns 0 if letters
 * follow that are neither. */
static int scan_half(date_text *text, int *hours) {
    accept(text, " ");
    char half = next(text);
    if (!accept(text, "AaPp")) return 1;
    if (!accept(text, "Mm") || !in_range(*hours, 1, 12)) return 0;
    *hours = *hours % 12 + (half == 'P' || half == 'p' ? 12 : 0);
    return 1;
}

static int scan_time(date_text *text, double *hour) {
    int hours = number(text, 1, 2), minutes, whole = 0;
    double seconds = 0;
    if (!in_range(hours, 0, 24) || !accept(text, ":")) return 0;
    minutes = number(text, 2, 2);
    if (!in_range(minutes, 0, 59)) return 0;
    if (accept(text, ":")) {
        whole = number(text, 2, 2);
        if (!in_range(whole, 0, 60)) return 0;
    }
    scan_fraction(text, &seconds);
    if (!scan_half(text, &hours)) return 0;
    *hour = hours + minutes / 60.0 + (whole + seconds) / 3600;
    return scan_zone(text);
}

int spf_date_read(const char *bytes, size_t length, spf_date_order order, spf_date *date) {
    date_text text = {bytes, bytes + length};
    *date = (spf_date){.hour = NAN};
    if (!scan_day(&text, order, date)) return 0;
    if (text.at == text.end) return 1;
    return accept(&text, "Tt ") && scan_time(&text, &date->hour) && text.at == text.end;
}

/* A date with day and month in one order may be invalid in the other. */
int spf_is_date(const char *text, size_t length) {
    spf_date date;
    return spf_date_read(text, length, SPF_DATE_DMY, &date) ||
           spf_date_read(text, length, SPF_DATE_MDY, &date);
}

/* A date of nothing but zeros, as databases write it, with or without a time. */
static int is_zero_date(const char *text, size_t length) {
    size_t zeros = 0, marks = 0;
    for (size_t i = 0; i < length; i++) {
        zeros += text[i] == '0';
        marks += i > 0 && strchr("-/.", text[i]) && text[i];
        if (!text[i] || !strchr("0-/.: T", text[i])) return 0;
    }
    return zeros >= 6 && marks >= 2;
}

int spf_is_missing_date(const char *text, size_t length) {
    return spf_may_be_missing(text, length) || is_zero_date(text, length);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Days since 1970-01-01 of the Gregorian calendar: years are counted from March, so that the leap
 * day comes last. */
static long days_since(const spf_date *date) {
    long year = date->month <= 2 ? date->year - 1 : date->year;
    long month = date->month <= 2 ? date->month + 9 : date->month - 3;
    long leap = year / 4 - year / 100 + year / 400;
    return year * 365 + leap + (month * 153 + 2) / 5 + date->day - 1 - 719468;
}

float spf_date_value(const spf_date *date, spf_date_part part) {
    long days = days_since(date);
    switch (part) {
    case SPF_DATE_YEAR:
        return (float)date->year;
    case SPF_DATE_MONTH:
        return (float)date->month;
    case SPF_DATE_WEEKDAY: /* 1970-01-01 was a Thursday */
        return (float)(((days + 3) % 7 + 7) % 7 + 1);
    case SPF_DATE_DAYS:
        return (float)((double)days + (isnan(date->hour) ? 0 : date->hour / 24));
    default:
        return (float)date->hour;
    }
}
