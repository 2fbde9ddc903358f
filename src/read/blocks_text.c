/* Blocks of CSV and svmlight files: cut at the end of a record and read as if they were files, with
 * the layout found at the start of the file and continued line numbers. */
#include "read/blocks.h"

#include <string.h>

/* Text in memory, from the first unread record. */
typedef struct {
    const char *begin, *end;
    int last;   /* nothing follows */
    int pauses; /* more follows, but has not come yet */
} text_span;

/* Reads more bytes than `seen`, up to `bytes`: fewer at the end of the file and if a pipe
 * pauses. */
static sporf_status look_at(sporf_reader *reader, size_t seen, size_t bytes, text_span *span) {
    SPF_TRY(spf_window_gather(&reader->window, seen + 1, bytes));
    size_t left = spf_window_left(&reader->window);
    span->last = reader->window.complete && left <= bytes;
    span->pauses = !reader->window.complete && left < bytes;
    span->begin = spf_window_begin(&reader->window);
    span->end = span->begin + (left < bytes ? left : bytes);
    return SPORF_OK;
}

/* How many bytes to read next, after `seen` of `bytes` were not enough. */
static size_t look_further(const text_span *span, size_t bytes, size_t *seen) {
    *seen = (size_t)(span->end - span->begin);
    return span->pauses ? bytes : 2 * bytes;
}

/* Whether the first record has a misplaced quote, which makes all that follows seem quoted. */
static int has_stray_quote(const sporf_reader *reader, const text_span *span) {
    const spf_csv_dialect *dialect = &reader->layout.dialect;
    spf_csv_field field = {.next = spf_csv_record_at(dialect, span->begin, span->end)};
    spf_csv_fault_kind kind = SPF_CSV_OK;
    while (kind == SPF_CSV_OK && !field.last)
        kind = spf_csv_scan_field(field.next, span->end, dialect, &field);
    return kind == SPF_CSV_STRAY_QUOTE;
}

/* The end of the records that are certain. Blank lines may be the end of the file or a fault inside
 * it: they belong to the record before them only if another one follows. If a pipe pauses, a record
 * with its line end does not wait for the next one. */
static const char *end_of_records(const text_span *span, char line_end) {
    const char *end = spf_csv_trim(span->begin, span->end), *p = end;
    if (!span->pauses || end == span->begin) return end;
    while (p < span->end && *p != line_end && (*p == ' ' || *p == '\r')) p++;
    return p < span->end && *p == line_end ? p + 1 : end;
}

/* A record with a misplaced quote may have no end: it is refused first. */
static sporf_status cut_csv(sporf_reader *reader, size_t records, spf_csv_cut *cut, int *last) {
    const spf_csv_dialect *dialect = &reader->layout.dialect;
    size_t seen = 0;
    text_span span;
    for (size_t bytes = reader->block_bytes;; bytes = look_further(&span, bytes, &seen)) {
        SPF_TRY(look_at(reader, seen, bytes, &span));
        const char *end = end_of_records(&span, dialect->line_end);
        *cut = spf_csv_pass_records(dialect, span.begin, end, records, 1);
        *last = span.last && cut->records < records;
        if (cut->records > 0 && !*last) return SPORF_OK;
        if (*last || has_stray_quote(reader, &span)) {
            *cut = (spf_csv_cut){.end = end, .next = span.end};
            return SPORF_OK;
        }
    }
}

/* Makes reader->part the bytes from the first unread one to end. Line numbers are those of the
 * whole file. */
static void take_part(sporf_reader *reader, const char *end) {
    reader->part = reader->window.source;
    reader->part.bytes = spf_window_begin(&reader->window);
    reader->part.size = (size_t)(end - reader->part.bytes);
    reader->part.lines = reader->lines;
}

static void pass(sporf_reader *reader, const char *to, size_t lines) {
    spf_window_use(&reader->window, (size_t)(to - spf_window_begin(&reader->window)));
    reader->lines += lines;
}

/* How many records of a paused pipe decide the layout, whatever follows. More than a few are needed
 * only if a label given by number decides whether there is a header, or if the first line may not
 * belong to the table. */
static size_t records_needed(const sporf_reader *reader, size_t all) {
    enum { HEADER_AND_ROW = 2 };
    const sporf_read_options *options = &reader->options;
    int few = all == SPF_CSV_HEAD && !(options->header == SPORF_HEADER_AUTO && options->label);
    return few ? HEADER_AND_ROW : SPF_CSV_HEAD;
}

/* Whether enough of the file is in memory for its layout: all of it, or enough records. */
static int holds_head(const sporf_reader *reader, spf_csv_dialect *dialect, text_span *head) {
    dialect->line_end = spf_csv_find_line_end(head->begin, head->end);
    const char *end = end_of_records(head, dialect->line_end);
    const char *table = spf_csv_skip_lines(dialect, head->begin, end, reader->options.skip_lines);
    size_t records = spf_csv_head_records(table, end);
    spf_csv_cut cut = spf_csv_pass_records(dialect, table, end, records, 1);
    int enough = cut.records >= (head->pauses ? records_needed(reader, records) : records);
    if (enough || head->last) head->end = enough ? cut.end : end;
    return enough || head->last;
}

static sporf_status find_head(sporf_reader *reader, text_span *head) {
    spf_csv_dialect dialect;
    size_t seen = 0;
    SPF_TRY(spf_csv_dialect_given(&reader->options, &dialect));
    for (size_t bytes = reader->block_bytes;; bytes = look_further(head, bytes, &seen)) {
        SPF_TRY(look_at(reader, seen, bytes, head));
        if (holds_head(reader, &dialect, head)) return SPORF_OK;
    }
}

sporf_status spf_csv_start(sporf_reader *reader) {
    text_span head;
    SPF_TRY(find_head(reader, &head));
    take_part(reader, head.end);
    SPF_TRY(spf_csv_layout_find(&reader->part, head.end, &reader->options, &reader->layout));
    const char *body = reader->layout.body;
    size_t lines = 0;
    for (const char *p = head.begin; p < body; lines++)
        p = spf_csv_next_line(&reader->layout.dialect, p, body);
    reader->ended = head.last && body >= head.end;
    pass(reader, body, lines);
    return SPORF_OK;
}

/* The rest may be comments only. A blank last line may be a row: it then keeps its line end, which
 * marks it. */
static sporf_status read_part(sporf_reader *reader, const spf_csv_cut *cut, sporf_dataset **out) {
    spf_csv_layout *layout = &reader->layout;
    const char *end = layout->dialect.blank_rows && cut->records > 0 ? cut->next : cut->end;
    take_part(reader, end);
    layout->body = spf_csv_record_at(&layout->dialect, reader->part.bytes, end);
    layout->end = end;
    if (cut->records == 0 && layout->body >= end) return SPORF_OK;
    return spf_csv_read_body(layout, &reader->options, out);
}

sporf_status spf_csv_next(sporf_reader *reader, size_t rows, sporf_dataset **out) {
    spf_csv_cut cut;
    int last;
    rows = spf_reader_rows(reader, reader->layout.features, rows);
    SPF_TRY(cut_csv(reader, rows, &cut, &last));
    reader->ended = last;
    SPF_TRY(read_part(reader, &cut, out));
    if (*out) spf_csv_note_block(&reader->layout, *out);
    pass(reader, cut.next, cut.lines);
    return SPORF_OK;
}

static const spf_csv_dialect every_line = {.line_end = '\n', .blank_rows = 1};

static sporf_status cut_svmlight(sporf_reader *reader, size_t records, spf_csv_cut *cut,
                                 int *last) {
    size_t seen = 0;
    text_span span;
    for (size_t bytes = reader->block_bytes;; bytes = look_further(&span, bytes, &seen)) {
        SPF_TRY(look_at(reader, seen, bytes, &span));
        *cut = spf_csv_pass_records(&every_line, span.begin, span.end, records, 0);
        *last = span.last && cut->records < records;
        if (*last) cut->next = span.end;
        if (*last || cut->records > 0) return SPORF_OK;
    }
}

/* A block has no fewer features than the one before it. */
static sporf_status read_svmlight(sporf_reader *reader, sporf_dataset **out) {
    SPF_TRY(spf_read_svmlight(&reader->part, &reader->options, out));
    reader->options.svmlight_features = (*out)->features;
    return SPORF_OK;
}

sporf_status spf_svmlight_next(sporf_reader *reader, size_t rows, sporf_dataset **out) {
    enum { FIRST_ROWS = 256 }; /* while the number of features is unknown */
    size_t features = reader->options.svmlight_features;
    rows =
        spf_reader_rows(reader, features, features == 0 && rows > FIRST_ROWS ? FIRST_ROWS : rows);
    while (!*out && !reader->ended) {
        spf_csv_cut cut;
        int last;
        SPF_TRY(cut_svmlight(reader, rows, &cut, &last));
        take_part(reader, cut.next);
        if (spf_svmlight_has_rows(&reader->part) || (last && !reader->started))
            SPF_TRY(read_svmlight(reader, out));
        pass(reader, cut.next, cut.lines);
        reader->ended = last;
    }
    return SPORF_OK;
}
