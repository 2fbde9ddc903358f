/* The first lines of a CSV file as one separator has them: how many fields they have, and what
 * those hold. */
#ifndef SPF_READ_CSV_LINES_H
#define SPF_READ_CSV_LINES_H

#include "read/csv_parts.h"

/* The first lines, as one separator has them. */
typedef struct spf_csv_lines {
    spf_csv_dialect dialect;
    size_t count;
    const char *at[SPF_CSV_LONG_HEAD];
    const char *end;                       /* of the last */
    size_t fields[SPF_CSV_LONG_HEAD];      /* 0: a quote is out of place */
    unsigned char open[SPF_CSV_LONG_HEAD]; /* its last field is empty */
} spf_csv_lines;

/* Counts the fields of at most `limit` records; the dialect is there. */
void spf_csv_count_lines(const spf_csv_layout *layout, size_t limit, spf_csv_lines *lines);

/* The number of fields that all lines from `first` on have; 0 where they differ. */
size_t spf_csv_common_fields(const spf_csv_lines *lines, size_t first);

/* Whether all lines from `first` on end with a separator. */
int spf_csv_all_open(const spf_csv_lines *lines, size_t first);

/* Whether the first cells from a line on may be names of rows: 1, 2, 3, ... or different texts. */
int spf_csv_are_row_names(const spf_csv_lines *lines, size_t first);

/* Whether a line has a field that is a number. */
int spf_csv_has_number(const spf_csv_lines *lines, size_t line);

/* Whether some field is a number in all lines from `first` on: text is full of blanks, too. All
 * lines are gone through side by side. */
int spf_csv_has_numbers(const spf_csv_lines *lines, size_t first);

/* Whether the fields of a line are texts, but no numbers: all of them, or at most the first and no
 * other. */
int spf_csv_holds_texts(const spf_csv_lines *lines, size_t line, int all);

/* The number of fields that most lines from `first` on have, or half of them with the first; 0
 * where there is none. */
size_t spf_csv_usual_fields(const spf_csv_lines *lines, size_t first);

/* Whether most of the lines from `first` on that have so many fields end with a separator. */
int spf_csv_mostly_open(const spf_csv_lines *lines, size_t first, size_t fields);

#endif
