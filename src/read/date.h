/* Dates as text, and the numbers made of them. */
#ifndef SPF_READ_DATE_H
#define SPF_READ_DATE_H

#include <stddef.h>

/* Which of two numbers of a date is the day. */
typedef enum spf_date_order {
    SPF_DATE_UNCLEAR, /* both could be */
    SPF_DATE_DMY,
    SPF_DATE_MDY,
} spf_date_order;

typedef struct spf_date {
    int year, month, day;
    double hour;          /* since midnight, with its fraction; NaN if there is no time */
    spf_date_order order; /* proved by the text, or unclear */
    int silent;           /* the order does not matter for this date */
} spf_date;

/* Reads a date, with or without a time of day: as in ISO 8601 (2024-02-29, 2024/02/29 23:59,
 * 2024-02-29T23:59:59.5+01:00; the zone is ignored), day and month in either order and the year
 * (29.2.2024, 2/29/24), or with an English month (1 Jan 2024, 01-Jan-24, January 1, 2024). Between
 * points the day comes first. `order` decides if the text does not; two digits of a year are 1969
 * to 2068. Returns whether the text is a date. */
int spf_date_read(const char *text, size_t length, spf_date_order order, spf_date *date);

int spf_is_date(const char *text, size_t length);

/* Whether a text stands for a missing date in a column of dates: "-", "None", "0000-00-00". */
int spf_is_missing_date(const char *text, size_t length);

/* The features made of a date. */
typedef enum spf_date_part {
    SPF_DATE_NONE,
    SPF_DATE_YEAR,
    SPF_DATE_MONTH,
    SPF_DATE_WEEKDAY, /* 1 is Monday, 7 is Sunday */
    SPF_DATE_DAYS,    /* since 1970-01-01, with the fraction of the day */
    SPF_DATE_HOUR,    /* since midnight, if there is a time */
    SPF_DATE_PARTS,
} spf_date_part;

/* "year", "month": the part of a feature's name after the point. */
extern const char *const spf_date_part_name[SPF_DATE_PARTS];

float spf_date_value(const spf_date *date, spf_date_part part);

#endif
