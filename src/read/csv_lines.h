/* The first lines of a CSV file as one separator divides them: the number of fields, and their
 * contents. */
#ifndef SPF_READ_CSV_LINES_H
#define SPF_READ_CSV_LINES_H

#include "read/csv_parts.h"

/* The first lines, divided by one separator. */
typedef struct spf_csv_lines {
    spf_csv_dialect dialect;
    size_t count;
    const char *at[SPF_CSV_LONG_HEAD];
    const char *end;                       /* end of the last line */
    size_t fields[SPF_CSV_LONG_HEAD];      /* 0: a misplaced quote */
    unsigned char open[SPF_CSV_LONG_HEAD]; /* the last field is empty */
} spf_csv_lines;

/* Counts the fields of at most `limit` records with the layout's dialect. */
void spf_csv_count_lines(const spf_csv_layout *layout, size_t limit, spf_csv_lines *lines);

/* The number of fields if it is the same in all lines from `first` on; otherwise 0. */
size_t spf_csv_common_fields(const spf_csv_lines *lines, size_t first);

/* Whether all lines from `first` on end with a separator. */
int spf_csv_all_open(const spf_csv_lines *lines, size_t first);

/* Whether the first cells of the lines from `first` on may be row names: 1, 2, 3, ... or distinct
 * texts. */
int spf_csv_are_row_names(const spf_csv_lines *lines, size_t first);

/* Whether a line has a field that is a number. */
int spf_csv_has_number(const spf_csv_lines *lines, size_t line);

/* Whether some field is a number in all lines from `first` on: unlike a table, running text has
 * blanks but no such field. */
int spf_csv_has_numbers(const spf_csv_lines *lines, size_t first);

/* Whether the fields of a line are text: all of them (`all`), or at most the first, with the others
 * empty. */
int spf_csv_holds_texts(const spf_csv_lines *lines, size_t line, int all);

/* The number of fields of most lines from `first` on, or of half of them if the first is among
 * these; 0 if there is none. */
size_t spf_csv_usual_fields(const spf_csv_lines *lines, size_t first);

/* Whether most of the lines from `first` on with that many fields end with a separator. */
int spf_csv_mostly_open(const spf_csv_lines *lines, size_t first, size_t fields);

#endif
