/* Fold files: one line for each fold, with the numbers of its test rows, from 1, separated by
 * commas. */
#include "base/memory.h"
#include "base/text.h"
#include "data/cell.h"
#include "data/output.h"
#include "read/reader.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    const char *at, *end;
    size_t line; /* from 1 */
    size_t rows;
    uint32_t *fold; /* [rows]: from 1; 0 while a row is in none */
} parser;

static int is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(parser *p) {
    while (p->at < p->end && is_blank(*p->at)) p->at++;
}

static int at_line_end(const parser *p) {
    return p->at == p->end || *p->at == '\n';
}

static sporf_status raise_number(const parser *p) {
    char text[SPF_EXCERPT_MAX];
    const char *end = p->at;
    while (end < p->end && *end != ',' && *end != '\n' && *end != '\r') end++;
    return spf_raise(
        SPORF_ERROR_DATA,
        SPF_FILE ", " SPF_LINE ": '%s' is not a row number" SPF_HINT
                 "a line lists the test rows of a fold, numbered from 1 and separated by commas",
        p->name, p->line, spf_excerpt(p->at, (size_t)(end - p->at), text));
}

static sporf_status take_row(parser *p, uint64_t row) {
    if (row < 1 || row > p->rows)
        return spf_raise(SPORF_ERROR_DATA,
                         SPF_FILE ", " SPF_LINE
                                  ": there is no row %llu: the data have the rows 1 to %zu",
                         p->name, p->line, (unsigned long long)row, p->rows);
    uint32_t *fold = &p->fold[row - 1];
    if (*fold > 0)
        return spf_raise(SPORF_ERROR_DATA,
                         SPF_FILE
                         ", " SPF_LINE
                         ": row %llu is already in line %lu; each row is tested in one fold",
                         p->name, p->line, (unsigned long long)row, (unsigned long)*fold);
    *fold = (uint32_t)p->line;
    return SPORF_OK;
}

/* One row number, and the comma after it. */
static sporf_status read_number(parser *p) {
    const char *start = p->at, *digit = p->at;
    uint64_t row = 0;
    for (; digit < p->end && *digit >= '0' && *digit <= '9'; digit++)
        if (row <= UINT32_MAX) row = row * 10 + (uint64_t)(*digit - '0');
    if (digit == start) return raise_number(p);
    p->at = digit;
    skip_blanks(p);
    if (!at_line_end(p) && *p->at != ',') {
        p->at = start;
        return raise_number(p);
    }
    SPF_TRY(take_row(p, row));
    if (p->at < p->end && *p->at == ',') p->at++;
    skip_blanks(p);
    return SPORF_OK;
}

/* Blank lines are allowed only at the end. */
static sporf_status read_line(parser *p, size_t *lines) {
    skip_blanks(p);
    if (!at_line_end(p) && *lines + 1 < p->line)
        return spf_raise(SPORF_ERROR_DATA,
                         SPF_FILE ", " SPF_LINE
                                  " is blank: each line lists the test rows of a fold",
                         p->name, *lines + 1);
    if (!at_line_end(p)) *lines = p->line;
    while (!at_line_end(p)) SPF_TRY(read_number(p));
    if (p->at < p->end) p->at++;
    return SPORF_OK;
}

static sporf_status check_lines(const parser *p, size_t lines) {
    if (lines < 2)
        return spf_raise(SPORF_ERROR_DATA,
                         SPF_FILE " has %s: it must have a line for each of two or more folds",
                         p->name, lines == 0 ? "no folds" : "one fold only");
    for (size_t i = 0; i < p->rows; i++)
        if (p->fold[i] == 0)
            return spf_raise(
                SPORF_ERROR_DATA,
                SPF_FILE ": row %zu of %zu is in none of its %zu folds; each row must be in one",
                p->name, i + 1, p->rows, lines);
    return SPORF_OK;
}

static sporf_status parse(parser *p, sporf_folds **out) {
    size_t lines = 0;
    for (p->line = 1; p->at < p->end; p->line++) SPF_TRY(read_line(p, &lines));
    SPF_TRY(check_lines(p, lines));
    for (size_t i = 0; i < p->rows; i++) p->fold[i]--;
    return sporf_folds_create(p->fold, p->rows, out);
}

sporf_status sporf_folds_read(const char *path, size_t rows, sporf_folds **out) {
    spf_source source;
    if (!path || !out || rows == 0)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "reading folds needs a path, the number of rows and a place");
    SPF_TRY(spf_source_open(path, 0, &source));
    const char *begin = spf_skip_mark(source.bytes, source.size);
    parser p = {.name = source.name, .at = begin, .end = source.bytes + source.size, .rows = rows};
    p.fold = spf_alloc_zero(rows, sizeof *p.fold);
    sporf_status status = p.fold ? parse(&p, out) : spf_raise_memory();
    free(p.fold);
    spf_source_close(&source);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static sporf_status put_folds(const sporf_folds *folds, const spf_output *output) {
    for (size_t k = 0; k < folds->count; k++) {
        const sporf_fold *test = &folds->test[k];
        for (size_t i = 0; i < test->count; i++)
            fprintf(output->file, "%lu%c", (unsigned long)test->rows[i] + 1,
                    i + 1 < test->count ? ',' : '\n');
    }
    return ferror(output->file) ? spf_output_raise(output) : SPORF_OK;
}

sporf_status sporf_folds_write(const sporf_folds *folds, const char *path) {
    spf_output output;
    if (!folds || !path)
        return spf_raise(SPORF_ERROR_ARGUMENT, "writing folds: folds and path must not be NULL");
    SPF_TRY(spf_output_open(path, &output));
    return spf_output_close(&output, put_folds(folds, &output));
}
