/* Recognising dates, which are left out of tables: a forest can do nothing with them as they are.
 */
#ifndef SPF_DATA_DATE_H
#define SPF_DATA_DATE_H

#include <stddef.h>

/* Whether a text is a date, with or without a time of day: as in ISO 8601 (2024-02-29,
 * 2024/02/29 23:59, 2024-02-29T23:59:59.5+01:00), or day and month in either order and the year
 * (29.2.2024, 2/29/24). */
int spf_is_date(const char *text, size_t length);

#endif
