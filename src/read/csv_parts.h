/* The parts of the CSV reader: a field scanner, the layout that the first lines settle, the cutting
 * of the rest into chunks of whole records, the parser of a chunk, and faults put into words.
 *
 * Quotes: a field is quoted as a whole, with inner quotes doubled, or not at all; a quote anywhere
 * else is a fault. In a file without that fault the number of quotes before a byte says whether it
 * lies inside a quoted field, which is what lets the chunks be found in parallel. */
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
    SPF_CSV_BAD_NUMBER, /* a feature's cell that is none, or too large */
    SPF_CSV_TEXT,       /* no number, in a column that was taken for numbers */
    SPF_CSV_UNLISTED,   /* a level that the order of the column does not have */
    SPF_CSV_LEVELS,     /* one more than can be numbered */
    SPF_CSV_BAD_LABEL,  /* missing, or with a NUL byte */
    SPF_CSV_BAD_DATE,   /* no date, in a column of dates */
} spf_csv_fault_kind;

typedef struct spf_csv_fault {
    spf_csv_fault_kind kind;
    const char *record;      /* where the record starts */
    const char *begin, *end; /* of the field */
    size_t column;           /* from 0 */
} spf_csv_fault;

typedef struct spf_csv_field {
    const char *begin, *end; /* the content, without outer quotes and without blanks around */
    const char *next;        /* after the separator or line end */
    int last;                /* closed by a line end or the end of the file */
    int quoted;
    int doubled; /* holds doubled quotes */
} spf_csv_field;

/* How a file separates its records and fields. */
typedef struct spf_csv_dialect {
    char separator;
    char line_end;  /* LF, also after CR; or CR alone */
    char comment;   /* lines that begin so are ignored; NUL for none */
    int blanks;     /* fields are separated by runs of blanks */
    int trailing;   /* a separator at the end of a line is none */
    int blank_rows; /* blank lines are rows: in a table of one column */
} spf_csv_dialect;

/* Scans the field at p <= end. The last of a line ends with it, or at end. */
spf_csv_fault_kind spf_csv_scan_field(const char *p, const char *end,
                                      const spf_csv_dialect *dialect, spf_csv_field *field);

/* Whether the line at p < end is ignored: blank, or a comment. */
int spf_csv_ignores(const spf_csv_dialect *dialect, const char *p, const char *end);

/* Where the next line begins; end where there is none. */
const char *spf_csv_next_line(const spf_csv_dialect *dialect, const char *p, const char *end);

/* The first record at p or after it; end where none is left. */
static inline const char *spf_csv_record_at(const spf_csv_dialect *dialect, const char *p,
                                            const char *end) {
    while (p < end && (*p <= ' ' || *p == dialect->comment) && spf_csv_ignores(dialect, p, end))
        p = spf_csv_next_line(dialect, p, end);
    return p;
}

/* Records from the start of a text. */
typedef struct spf_csv_cut {
    const char *end;  /* of the last, before its line end */
    const char *next; /* where the next one begins */
    size_t records, lines;
} spf_csv_cut;

/* Finds the end of the last of at most `records` that end with a line end before `end`; quotes may
 * be no more than other characters. */
spf_csv_cut spf_csv_pass_records(const spf_csv_dialect *dialect, const char *begin, const char *end,
                                 size_t records, int quotes);

/* What options say of separator and comments; the separator is NUL where it is to be found. */
sporf_status spf_csv_dialect_given(const sporf_read_options *options, spf_csv_dialect *dialect);

/* CR where lines end with that alone, LF otherwise: as the first lines outside of quotes tell. */
char spf_csv_find_line_end(const char *p, const char *end);

/* The line after those to be skipped; end where there are not so many. */
const char *spf_csv_skip_lines(const spf_csv_dialect *dialect, const char *p, const char *end,
                               size_t lines);

/* The text of a field, its doubled quotes made single, in out[field->end - field->begin]. Returns
 * its length. */
size_t spf_csv_field_text(const spf_csv_field *field, char *out);

typedef enum spf_csv_role {
    SPF_CSV_NUMBER,
    SPF_CSV_AMOUNT, /* a number that may be written in other ways than a plain one */
    SPF_CSV_LEVEL,  /* text that is numbered */
    SPF_CSV_DATE,   /* makes several features */
    SPF_CSV_LABEL,
    SPF_CSV_DROPPED,
} spf_csv_role;

/* The bytes of a cell. */
typedef struct spf_csv_span {
    const char *begin, *end;
} spf_csv_span;

/* A column that goes into the table. */
typedef struct spf_csv_column {
    size_t column; /* in the file, from 0 */
    size_t place;  /* in the table */
    int given;     /* the kind is given, whatever the cells suggest */
    sporf_kind kind;
    spf_form form;               /* how its numbers are written */
    int seen;                    /* blocks before this one had numbers in it */
    spf_date_part part;          /* of a date; SPF_DATE_NONE: the cell itself */
    spf_date_order order;        /* of day and month in its dates */
    size_t coded;                /* its number among the columns with levels */
    const spf_dictionary *known; /* its levels; NULL: the texts that there are */
} spf_csv_column;

typedef struct spf_csv_layout {
    spf_csv_dialect dialect;
    int plain; /* a number closed by the separator is the whole field */
    size_t columns;
    int row_names; /* the first column, which the header does not name, as R writes it */
    int has_label;
    size_t label;               /* its column, from 0 */
    unsigned char *roles;       /* [columns]: of spf_csv_role */
    spf_column_plan *plan;      /* [columns] */
    size_t features;            /* columns that go into the table, weights and targets among them */
    spf_csv_column *read;       /* [features], in the order of the file */
    size_t coded;               /* of them those with levels */
    const char *const *missing; /* [missing_count]: spellings of missing values */
    size_t missing_count;
    int infer;                 /* kinds that are not given are what the cells suggest */
    int dates;                 /* columns of dates make features */
    spf_date_order date_order; /* that options give */
    char decimal;              /* the mark before a fraction: a point or a comma */
    int decimal_known;         /* options or cells have told it */
    int decimal_given;         /* options have */
    int comma_expected;    /* it is a comma, unless they tell otherwise: so it was in training */
    int points;            /* blocks were read with decimal points before it was known */
    int doubtful;          /* all cells have to be counted before any is parsed */
    int settled;           /* they have been, and the columns are what they say */
    spf_notes notes;       /* about how numbers are written */
    atomic_uchar *rounded; /* [features]: whole numbers lost digits; NULL: nobody asks */
    size_t *kept;          /* [kept_count]: columns that are kept as they are written */
    size_t kept_count;
    size_t known_count;
    spf_dictionary *known;      /* [known_count]: levels known beforehand; NULL for none */
    const sporf_schema *schema; /* what the table has to be like; NULL for anything */
    spf_strings names;          /* [columns]; empty without a header */
    const char *first;          /* the first record, which may be the header */
    const char *head;           /* the end of the lines to look at */
    const char *body;           /* the first record after the header */
    size_t first_line;          /* its line, from 1 */
    size_t body_line;           /* that of the first after the header */
    const char *title;          /* the first line above the table that is ignored; NULL for none */
    size_t title_length;
    const char *end; /* of the last record; blank lines after it are left out */
    const spf_source *source;
    atomic_ullong *text_bytes; /* of all different texts so far; NULL: nobody counts them */
    uint64_t text_bytes_max;   /* more of them are refused */
    uint64_t max_memory;       /* as the options have it */
} spf_csv_layout;

/* Whether a level is missing: a word that says so is one like others in quotes, unless options list
 * it; blanks are missing in quotes, too. */
int spf_csv_is_missing(const spf_csv_layout *layout, const spf_csv_field *field);

/* The same of a label, whose blanks in quotes are the name of a class. */
int spf_csv_is_missing_label(const spf_csv_layout *layout, const spf_csv_field *field);

/* The same among numbers, where more words say so, in quotes or not. */
int spf_csv_is_missing_number(const spf_csv_layout *layout, const spf_csv_field *field);

/* Whether options list the field's text as missing. */
int spf_csv_is_listed(const spf_csv_layout *layout, const spf_csv_field *field);

/* The end without the blank lines that close many files. */
const char *spf_csv_trim(const char *begin, const char *end);

/* Settles separator, header and the role of each column from the records that lie before end: all
 * of the file's, or at least spf_csv_head_records of them. spf_csv_layout_free afterwards, also on
 * failure.
 *
 * Unless options give it or the first line is "sep=;", the separator is the one of tab, semicolon
 * and comma that the first line has most of outside quotes; the earlier one in a tie. If the lines
 * after it have another number of fields, all separators, bars and blanks among them, are tried
 * (csv_shape.c): lines in front of a table are ignored if they are of one field or begin with '#'.
 *
 * Unless options say so, the first line is a header if
 *  - one of its cells is the name of the label, weight or a target, of a column to be ignored or
 *    read as a category (a column given by number has none), of the first of the columns asked for
 *    or of a schema; or all names of a schema are there, numbers that no column could have,
 *  - or none of its cells is a number, and it has several cells, or the second line has a number,
 * or there is no second line; but not if one says that a value is missing ("NA", "?"),
 *  - or its cell of the label, or else of the first target or the weight, is not a number while
 * those of the next lines are,
 *  - or its numbers are years in a row, those of the next lines are not, and its cell of the label
 * is a word that is none of theirs. */
enum { SPF_CSV_HEAD = 11, SPF_CSV_LONG_HEAD = 64 };
size_t spf_csv_head_records(const char *p, const char *end);
sporf_status spf_csv_layout_find(const spf_source *source, const char *end,
                                 const sporf_read_options *options, spf_csv_layout *layout);
void spf_csv_layout_free(spf_csv_layout *layout);

/* Refuses a header without rows. */
sporf_status spf_csv_check_rows(const spf_csv_layout *layout);

/* Finds the first record, the separator and whether there are row names, in the file from
 * layout->body to layout->end; layout->dialect has what options give. One column is taken for what
 * it is only if it is wanted. layout->first stays NULL where there is no record. */
sporf_status spf_csv_find_shape(const spf_source *source, int one_column, spf_csv_layout *layout);

/* Says for each column what it is for, from the options alone. */
sporf_status spf_csv_assign(spf_csv_layout *layout, const sporf_read_options *options);

/* Refuses two columns of one name, if one of them is a feature: new tables could not be matched.
 * plan[features] says what became of those that were read; what options leave out does not count.
 */
sporf_status spf_csv_check_names(const spf_csv_layout *layout, const spf_column_plan *plan);

/* Keeps the columns that a schema tells of, with its kinds and levels. */
sporf_status spf_csv_use_schema(spf_csv_layout *layout, const sporf_schema *schema);

/* Brings roles and numbers of columns in line with their kinds. */
void spf_csv_set_roles(spf_csv_layout *layout);

/* Records that lie one after the other and are parsed by one thread. */
typedef struct spf_csv_chunk {
    const char *begin;
    size_t first_row, rows;
    spf_dictionary words;  /* of the labels in the chunk */
    spf_dictionary *texts; /* [coded]: of the columns with levels */
    size_t *unknown;       /* [coded]: cells whose level is not among the known ones */
    uint64_t text_bytes;   /* that were counted of them */
    int has_missing;       /* some value is missing */
    spf_csv_fault fault;
} spf_csv_chunk;

/* Cuts the records after the header into chunks of about chunk_bytes. Free *chunks with
 * spf_csv_chunks_free. */
sporf_status spf_csv_split(const spf_csv_layout *layout, size_t chunk_bytes, unsigned workers,
                           spf_csv_chunk **chunks, size_t *count);
void spf_csv_chunks_free(const spf_csv_layout *layout, spf_csv_chunk *chunks, size_t count);

/* Readies chunks to be parsed, also for a second time with other kinds of columns: to be called
 * with the layout that they were last parsed with, and then with the new one. */
void spf_csv_chunks_clear(const spf_csv_layout *layout, spf_csv_chunk *chunks, size_t count);
sporf_status spf_csv_chunks_prepare(const spf_csv_layout *layout, spf_csv_chunk *chunks,
                                    size_t count);

static inline int spf_csv_infers(const spf_csv_layout *layout, const spf_csv_column *column) {
    return layout->infer && !column->given;
}

/* The cells of a column that are not missing, by what they are, and those that decide how the
 * column is read: the first ones of their kind in the file. */
typedef struct spf_csv_count {
    size_t bare;   /* numbers alone, also infinite ones */
    size_t marked; /* numbers with a sign or unit, and durations */
    size_t texts;
    size_t dates, times;               /* of the texts: dates, and those with a time */
    size_t no_dates;                   /* of the texts: what stands for a missing date */
    size_t no_numbers;                 /* and what may stand for a missing number */
    spf_form form;                     /* of the first that is marked */
    spf_csv_span number;               /* the first that is bare */
    spf_csv_span marks;                /* the first that is marked */
    spf_csv_span odd;                  /* the first that is marked otherwise */
    spf_csv_span example;              /* the first number that is not a plain one */
    spf_csv_span dmy, mdy, unclear;    /* the first dates that say so about their order */
    spf_csv_span point, comma, either; /* the first that say so about the decimal mark */
    spf_csv_span dotted;               /* the first that may have either, without a comma: 1.234 */
} spf_csv_count;

/* Kinds of columns: a category where at least half of the cells that are not missing are text,
 * otherwise a number; numbers with a sign or unit are numbers where all cells have the same. The
 * first guess is by the first records; where something else than plain numbers turns up in columns
 * of numbers, or numbers among texts, all of the file is counted. Then text in a column of numbers
 * is an error. */
sporf_status spf_csv_guess_kinds(spf_csv_layout *layout);
sporf_status spf_csv_settle_kinds(spf_csv_layout *layout, spf_csv_chunk *chunks, size_t count,
                                  unsigned workers);

/* Sets kinds and forms of the columns, and the decimal mark of the file, as counts[features] of all
 * its cells say. */
void spf_csv_set_kinds(spf_csv_layout *layout, const spf_csv_count *counts);
sporf_status spf_csv_set_decimal(spf_csv_layout *layout, const spf_csv_count *counts);

/* The first number whose point may separate thousands, where no number of the file proves what is
 * decimal and fields are separated by semicolons or tabs; NULL otherwise. */
const spf_csv_span *spf_csv_unclear_point(const spf_csv_layout *layout,
                                          const spf_csv_count *counts);

/* Columns of dates: whether some are to become features, or have days and months that are not told
 * apart yet; the orders of these are told by the cells, and each column becomes one for each part
 * of its dates. */
int spf_csv_shows_dates(const spf_csv_layout *layout, const spf_csv_count *counts);
int spf_csv_has_unclear_dates(const spf_csv_layout *layout);
sporf_status spf_csv_expand_dates(spf_csv_layout *layout, const spf_csv_count *counts);
sporf_status spf_csv_set_orders(spf_csv_layout *layout, const spf_csv_count *counts);

/* The name of a feature that a part of a column of dates makes: "when.year". Returns its length. */
enum { SPF_CSV_NAME_MAX = 1024 };
size_t spf_csv_part_name(const char *name, spf_date_part part, char out[SPF_CSV_NAME_MAX]);

/* Notes in the layout which columns are read as numbers though their cells are not plain ones. */
sporf_status spf_csv_note_amounts(spf_csv_layout *layout, const spf_csv_count *counts);

/* Notes what a block of a file has told, for the next ones: data is what was read of it. */
void spf_csv_note_block(spf_csv_layout *layout, const sporf_dataset *data);

/* Parses all chunks into the columns of data and codes[rows], which number the words of each
 * chunk; levels are numbered likewise. records[rows], unless NULL, get where each begins. Where it
 * returns SPORF_ERROR_DATA, no text is set: the first chunk with a fault has it. */
sporf_status spf_csv_parse(const spf_csv_layout *layout, spf_csv_chunk *chunks, size_t count,
                           unsigned workers, sporf_dataset *data, uint32_t *codes,
                           const char **records);

/* Keeps the columns of the layout that are to be kept, of records[rows]. */
sporf_status spf_csv_keep(const spf_csv_layout *layout, const char *const *records,
                          sporf_dataset *data);

/* Adds the words of a chunk to those of all; *map, of *capacity, gives the new numbers. */
sporf_status spf_csv_merge_words(const spf_dictionary *of_chunk, spf_dictionary *merged,
                                 uint32_t **map, size_t *capacity);

/* Numbers the levels of all chunks alike and in order, and gives the table its kinds. Columns that
 * are of no use are marked in plan[features], by their place in the table. *doubtful tells that the
 * kinds have to be settled, which then raises an error. */
sporf_status spf_csv_finish_levels(const spf_csv_layout *layout, const spf_csv_chunk *chunks,
                                   size_t count, unsigned workers, sporf_dataset *data,
                                   spf_column_plan *plan, int *doubtful);

/* Reads the records from layout->body to layout->end; spf_read_csv is that for a whole file. */
sporf_status spf_csv_read_body(spf_csv_layout *layout, const sporf_read_options *options,
                               sporf_dataset **out);

/* The line in which a byte lies, from 1, and the name of its file. */
size_t spf_csv_line(const spf_csv_layout *layout, const char *at, const char **file);

/* "data.csv line 7, column 3 ('width')": where a cell of a column begins; NULL: without a line. */
void spf_csv_place(const spf_csv_layout *layout, const char *begin, size_t column,
                   char place[SPF_PLACE_MAX]);

/* What options call a column: by its name or its number. */
const char *spf_csv_name(const spf_csv_layout *layout, size_t column, char number[32]);

/* Raises a fault: file, line, column, text and what to do. */
sporf_status spf_csv_raise(const spf_source *source, const spf_csv_layout *layout,
                           const spf_csv_fault *fault);

#endif
