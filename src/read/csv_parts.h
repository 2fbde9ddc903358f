/* The parts of the CSV reader: a field scanner, the layout, which the first lines decide, the
 * cutting of the rest into chunks of whole records, the parser of a chunk, and error messages.
 *
 * Quotes: a field is quoted as a whole, with inner quotes doubled, or not at all; a quote anywhere
 * else is a fault. In a file without that fault the number of quotes before a byte decides whether
 * it is inside a quoted field, so that chunks can be found in parallel. */
#ifndef SPF_READ_CSV_PARTS_H
#define SPF_READ_CSV_PARTS_H

#include "data/amount.h"
#include "data/cell.h"
#include "read/columns.h"
#include "read/date.h"
#include "read/reader.h"

#include <stdatomic.h>

typedef enum spf_csv_fault_kind {
    SPF_CSV_OK,
    SPF_CSV_STRAY_QUOTE,
    SPF_CSV_OPEN_QUOTE, /* never closed */
    SPF_CSV_FIELDS,     /* too few or too many in a record */
    SPF_CSV_BAD_NUMBER, /* a feature's cell that is not a number, or too large */
    SPF_CSV_TEXT,       /* text in a column that was taken for numbers */
    SPF_CSV_UNLISTED,   /* a level that is not in the column's order */
    SPF_CSV_LEVELS,     /* more levels than can be numbered */
    SPF_CSV_BAD_LABEL,  /* missing, or with a NUL byte */
    SPF_CSV_BAD_DATE,   /* not a date, in a column of dates */
} spf_csv_fault_kind;

typedef struct spf_csv_fault {
    spf_csv_fault_kind kind;
    const char *record;      /* start of the record */
    const char *begin, *end; /* of the field */
    size_t column;           /* from 0 */
} spf_csv_fault;

typedef struct spf_csv_field {
    const char *begin, *end; /* the content, without outer quotes and surrounding blanks */
    const char *next;        /* after the separator or line end */
    int last;                /* ended by a line end or the end of the file */
    int quoted;
    int doubled; /* contains doubled quotes */
} spf_csv_field;

/* How a file separates its records and fields. */
typedef struct spf_csv_dialect {
    char separator;
    char line_end;  /* LF, also after CR; or CR alone */
    char comment;   /* lines that begin with it are ignored; NUL for none */
    int blanks;     /* fields are separated by runs of blanks */
    int trailing;   /* a separator at the end of a line is ignored */
    int blank_rows; /* blank lines are rows, in a table of one column */
} spf_csv_dialect;

/* Scans the field at p <= end. The last one of a line ends at the line end, or at end. */
spf_csv_fault_kind spf_csv_scan_field(const char *p, const char *end,
                                      const spf_csv_dialect *dialect, spf_csv_field *field);

/* Whether the line at p < end is ignored: blank, or a comment. */
int spf_csv_ignores(const spf_csv_dialect *dialect, const char *p, const char *end);

/* The beginning of the next line; end if there is none. */
const char *spf_csv_next_line(const spf_csv_dialect *dialect, const char *p, const char *end);

/* The first record at p or after it; end if none is left. */
static inline const char *spf_csv_record_at(const spf_csv_dialect *dialect, const char *p,
                                            const char *end) {
    while (p < end && (*p <= ' ' || *p == dialect->comment) && spf_csv_ignores(dialect, p, end))
        p = spf_csv_next_line(dialect, p, end);
    return p;
}

/* Records from the start of a text. */
typedef struct spf_csv_cut {
    const char *end;  /* of the last, before its line end */
    const char *next; /* beginning of the next record */
    size_t records, lines;
} spf_csv_cut;

/* Finds the end of at most `records` records that end with a line end before `end`. Quotes are
 * handled only if the dialect has them. */
spf_csv_cut spf_csv_pass_records(const spf_csv_dialect *dialect, const char *begin, const char *end,
                                 size_t records, int quotes);

/* The separator and comment character from the options; the separator is NUL if it is to be
 * found. */
sporf_status spf_csv_dialect_given(const sporf_read_options *options, spf_csv_dialect *dialect);

/* CR if the first lines outside quotes end with CR alone, otherwise LF. */
char spf_csv_find_line_end(const char *p, const char *end);

/* The line after the skipped ones; end if there are fewer lines. */
const char *spf_csv_skip_lines(const spf_csv_dialect *dialect, const char *p, const char *end,
                               size_t lines);

/* The text of a field, with doubled quotes made single, in out[field->end - field->begin]. Returns
 * its length. */
size_t spf_csv_field_text(const spf_csv_field *field, char *out);

typedef enum spf_csv_role {
    SPF_CSV_NUMBER,
    SPF_CSV_AMOUNT, /* a number that need not be plain */
    SPF_CSV_LEVEL,  /* text, numbered as levels */
    SPF_CSV_DATE,   /* becomes several features */
    SPF_CSV_LABEL,
    SPF_CSV_DROPPED,
} spf_csv_role;

/* The bytes of a cell. */
typedef struct spf_csv_span {
    const char *begin, *end;
} spf_csv_span;

/* A column that is read into the table. */
typedef struct spf_csv_column {
    size_t column; /* in the file, from 0 */
    size_t place;  /* in the table */
    int given;     /* the kind is given, not inferred from the cells */
    sporf_kind kind;
    spf_form form;               /* form of its numbers */
    int seen;                    /* earlier blocks had numbers in it */
    spf_date_part part;          /* part of a date; SPF_DATE_NONE: the cell itself */
    spf_date_order order;        /* order of day and month */
    size_t coded;                /* index among the columns with levels */
    const spf_dictionary *known; /* its levels; NULL: those found in the file */
} spf_csv_column;

typedef struct spf_csv_layout {
    spf_csv_dialect dialect;
    int plain; /* a number followed by the separator is the whole field */
    size_t columns;
    int row_names; /* the first column has row names without a name in the header, as R writes them
                    */
    int has_label;
    size_t label;               /* its column, from 0 */
    unsigned char *roles;       /* [columns]: a spf_csv_role */
    spf_column_plan *plan;      /* [columns] */
    size_t features;            /* columns that are read, with weights and targets */
    spf_csv_column *read;       /* [features], in the order of the file */
    size_t coded;               /* number of columns with levels */
    const char *const *missing; /* [missing_count]: spellings of missing values */
    size_t missing_count;
    int infer;                 /* infer kinds that are not given from the cells */
    int dates;                 /* date columns become features */
    spf_date_order date_order; /* from the options */
    char decimal;              /* the decimal mark: a point or a comma */
    int decimal_known;         /* by options or cells */
    int decimal_given;         /* by options */
    int comma_expected; /* it is a comma unless options or cells show otherwise, as in training */
    int points;         /* blocks were read with decimal points before it was known */
    int doubtful;       /* all cells must be counted before any is parsed */
    int resolved;       /* all cells have been counted, and the kinds are final */
    spf_notes notes;    /* about how numbers are written */
    atomic_uchar *rounded; /* [features]: integers lost digits; NULL: not needed */
    size_t *kept;          /* [kept_count]: columns that are copied as text */
    size_t kept_count;
    size_t known_count;
    spf_dictionary *known;      /* [known_count]: levels known beforehand; NULL for none */
    const sporf_schema *schema; /* the schema that the table must match; NULL for any */
    spf_strings names;          /* [columns]; empty without a header */
    const char *first;          /* the first record, which may be the header */
    const char *head;           /* end of the lines to inspect */
    const char *body;           /* the first record after the header */
    size_t first_line;          /* its line, from 1 */
    size_t body_line;           /* line of the first record after the header */
    const char *title;          /* the first ignored line above the table; NULL for none */
    size_t title_length;
    const char *end; /* end of the last record, without blank lines after it */
    const spf_source *source;
    atomic_ullong *text_bytes; /* bytes of all distinct texts so far; NULL: not counted */
    uint64_t text_bytes_max;   /* limit of text_bytes */
    uint64_t max_memory;       /* from the options */
} spf_csv_layout;

/* Whether a level is missing. Words such as NA are levels if they are in quotes and options do not
 * list them; blanks are missing even in quotes. */
int spf_csv_is_missing(const spf_csv_layout *layout, const spf_csv_field *field);

/* The same for a label; blanks in quotes are a class name. */
int spf_csv_is_missing_label(const spf_csv_layout *layout, const spf_csv_field *field);

/* The same for numbers: more words count as missing, in quotes or not. */
int spf_csv_is_missing_number(const spf_csv_layout *layout, const spf_csv_field *field);

/* Whether options list the field's text as missing. */
int spf_csv_is_listed(const spf_csv_layout *layout, const spf_csv_field *field);

/* The end without trailing blank lines. */
const char *spf_csv_trim(const char *begin, const char *end);

/* Finds separator, header and the role of each column from the records before `end`: all records of
 * the file, or at least spf_csv_head_records of them. spf_csv_layout_free afterwards, also on
 * failure.
 *
 * Unless options give it or the first line is "sep=;", the separator is the most frequent one of
 * tab, semicolon and comma in the first line outside quotes; in a tie, the one listed first. If the
 * lines below have another number of fields, all separators are tried, with bars and blanks
 * (csv_shape.c): lines above the table are ignored if they have one field or begin with '#'.
 *
 * Unless options decide it, the first line is a header if
 *  - one of its cells is the name of the label, the weights or a target, of a column to be ignored
 *    or read as a category, or of the first of the columns asked for (columns given by number have
 *    no name); or it has all names of a schema, at least one of which is not a column number; or
 *    these are three numbers or more in their order, and one is 0,
 *  - or none of its cells is a number, and it has several cells, or the second line has a number,
 *    or there is no second line; but not if a cell is a missing value ("NA", "?"),
 *  - or its cell of the label, or else of the first target or the weights, is not a number while
 *    those of the next lines are,
 *  - or its numbers are consecutive years, those of the next lines are not, and its cell of the
 *    label is a word that does not occur there. */
enum { SPF_CSV_HEAD = 11, SPF_CSV_LONG_HEAD = 64 };
size_t spf_csv_head_records(const char *p, const char *end);
sporf_status spf_csv_layout_find(const spf_source *source, const char *end,
                                 const sporf_read_options *options, spf_csv_layout *layout);
void spf_csv_layout_free(spf_csv_layout *layout);

/* Refuses a header without rows. */
sporf_status spf_csv_check_rows(const spf_csv_layout *layout);

/* Finds the first record, the separator and whether there are row names, in the file from
 * layout->body to layout->end; layout->dialect has what options give. A table of one column is
 * accepted only if one_column is set. layout->first stays NULL if there is no record. */
sporf_status spf_csv_find_shape(const spf_source *source, int one_column, spf_csv_layout *layout);

/* Sets the role of each column, from the options alone. */
sporf_status spf_csv_assign(spf_csv_layout *layout, const sporf_read_options *options);

/* Refuses two columns with the same name if one of them is a feature, since new tables could not be
 * matched. plan[features] has the roles of the columns read; columns that options leave out do not
 * count. */
sporf_status spf_csv_check_names(const spf_csv_layout *layout, const spf_column_plan *plan);

/* Keeps the columns of a schema, with its kinds and levels. */
sporf_status spf_csv_use_schema(spf_csv_layout *layout, const sporf_schema *schema);

/* Updates roles and numbers of columns to their kinds. */
void spf_csv_set_roles(spf_csv_layout *layout);

/* Consecutive records that one thread parses. */
typedef struct spf_csv_chunk {
    const char *begin;
    size_t first_row, rows;
    spf_dictionary words;        /* of the labels in the chunk */
    spf_dictionary *texts;       /* [coded]: of the columns with levels */
    spf_unknown_levels *unknown; /* [coded] */
    uint64_t text_bytes;         /* bytes counted of these texts */
    int has_missing;             /* some value is missing */
    spf_csv_fault fault;
} spf_csv_chunk;

/* Cuts the records after the header into chunks of about chunk_bytes. Free *chunks with
 * spf_csv_chunks_free. */
sporf_status spf_csv_split(const spf_csv_layout *layout, size_t chunk_bytes, unsigned workers,
                           spf_csv_chunk **chunks, size_t *count);
void spf_csv_chunks_free(const spf_csv_layout *layout, spf_csv_chunk *chunks, size_t count);

/* Prepares chunks for parsing. To parse again with other kinds of columns, call it with the layout
 * of the last parsing first, and then with the new one. */
void spf_csv_chunks_clear(const spf_csv_layout *layout, spf_csv_chunk *chunks, size_t count);
sporf_status spf_csv_chunks_prepare(const spf_csv_layout *layout, spf_csv_chunk *chunks,
                                    size_t count);

static inline int spf_csv_infers(const spf_csv_layout *layout, const spf_csv_column *column) {
    return layout->infer && !column->given;
}

/* Counts of a column's cells that are not missing, by type, and those cells that decide how the
 * column is read: the first ones of their type in the file. */
typedef struct spf_csv_count {
    size_t bare;   /* numbers without sign or unit, also infinite ones */
    size_t marked; /* numbers with a sign or unit, and durations */
    size_t texts;
    size_t dates, times;               /* of the texts: dates, and those with a time */
    size_t no_dates;                   /* of the texts: spellings of a missing date */
    size_t no_numbers;                 /* of the texts: spellings of a missing number */
    spf_form form;                     /* of the first marked cell */
    spf_csv_span number;               /* the first bare number */
    spf_csv_span marks;                /* the first marked cell */
    spf_csv_span odd;                  /* the first with another mark */
    spf_csv_span example;              /* the first number that is not a plain one */
    spf_csv_span dmy, mdy, unclear;    /* the first dates that show this order */
    spf_csv_span point, comma, either; /* the first numbers that show this decimal mark */
    spf_csv_span dotted;               /* the first that fits either mark and has no comma: 1.234 */
} spf_csv_count;

/* Kinds of columns: a category if at least half of the cells that are not missing are text,
 * otherwise a number; numbers with a sign or unit are numeric if all cells have the same one. The
 * first records give a guess; if a numeric column turns out to have anything but plain numbers, or
 * a text column numbers, the whole file is counted. After that, text in a numeric column is an
 * error. */
sporf_status spf_csv_guess_kinds(spf_csv_layout *layout);
sporf_status spf_csv_resolve_kinds(spf_csv_layout *layout, spf_csv_chunk *chunks, size_t count,
                                   unsigned workers);

/* Sets the kinds and forms of columns, and the decimal mark, from counts[features] of all cells. */
void spf_csv_set_kinds(spf_csv_layout *layout, const spf_csv_count *counts);
sporf_status spf_csv_set_decimal(spf_csv_layout *layout, const spf_csv_count *counts);

/* The first number whose point may separate thousands, if no number shows the decimal mark and
 * fields are separated by semicolons or tabs; otherwise NULL. */
const spf_csv_span *spf_csv_unclear_point(const spf_csv_layout *layout,
                                          const spf_csv_count *counts);

/* Date columns: whether some become features, or have an unclear order of day and month; finding
 * that order from the cells; replacing each column by one for each part of its dates. */
int spf_csv_shows_dates(const spf_csv_layout *layout, const spf_csv_count *counts);
int spf_csv_has_unclear_dates(const spf_csv_layout *layout);
sporf_status spf_csv_expand_dates(spf_csv_layout *layout, const spf_csv_count *counts);
sporf_status spf_csv_set_orders(spf_csv_layout *layout, const spf_csv_count *counts);

/* The name of the feature for a part of a date column: "when.year". Returns its length. */
enum { SPF_CSV_NAME_MAX = 1024 };
size_t spf_csv_part_name(const char *name, spf_date_part part, char out[SPF_CSV_NAME_MAX]);

/* Adds notes on columns that are numeric although their cells are not plain numbers. */
sporf_status spf_csv_note_amounts(spf_csv_layout *layout, const spf_csv_count *counts);

/* Passes what a block has shown on to the next blocks; data is the table read from it. */
void spf_csv_note_block(spf_csv_layout *layout, const sporf_dataset *data);

/* Parses all chunks into the columns of data and codes[rows], which number the words of each chunk;
 * levels are numbered likewise. records[rows], unless NULL, gets the start of each record.
 * SPORF_ERROR_DATA is returned without a message: the first chunk with a fault has the reason. */
sporf_status spf_csv_parse(const spf_csv_layout *layout, spf_csv_chunk *chunks, size_t count,
                           unsigned workers, sporf_dataset *data, uint32_t *codes,
                           const char **records);

/* Copies the kept columns of records[rows]. */
sporf_status spf_csv_keep(const spf_csv_layout *layout, const char *const *records,
                          sporf_dataset *data);

/* Adds the words of a chunk to the merged ones; *map, of *capacity, gives the new numbers. */
sporf_status spf_csv_merge_words(const spf_dictionary *of_chunk, spf_dictionary *merged,
                                 uint32_t **map, size_t *capacity);

/* Numbers the levels of all chunks in one order, and sets the kinds of the table. Uninformative
 * columns are marked in plan[features], by their place in the table. *doubtful is set if the kinds
 * have to be resolved, which then raises an error. */
sporf_status spf_csv_finish_levels(const spf_csv_layout *layout, const spf_csv_chunk *chunks,
                                   size_t count, unsigned workers, sporf_dataset *data,
                                   spf_column_plan *plan, int *doubtful);

/* Reads the records from layout->body to layout->end; spf_read_csv does it for a whole file. */
sporf_status spf_csv_read_body(spf_csv_layout *layout, const sporf_read_options *options,
                               sporf_dataset **out);

/* The line of a byte, from 1, and the name of its file. */
size_t spf_csv_line(const spf_csv_layout *layout, const char *at, const char **file);

/* "data.csv line 7, column 3 ('width')": the place of the cell that begins at `begin`; NULL:
 * without a line. */
void spf_csv_place(const spf_csv_layout *layout, const char *begin, size_t column,
                   char place[SPF_PLACE_MAX]);

/* How options name a column: by its name or its number. */
const char *spf_csv_name(const spf_csv_layout *layout, size_t column, char number[32]);

/* Raises a fault with file, line, column, text and what to do. */
sporf_status spf_csv_raise(const spf_source *source, const spf_csv_layout *layout,
                           const spf_csv_fault *fault);

#endif
