/* Decides which columns of a CSV file are numbers and which are categories by counting cells: those
 * of the first records, or all cells if these do not decide it. */
#include "read/csv_parts.h"

#include "base/number.h"
#include "base/parallel.h"
#include "data/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_RECORDS = 1000, SAMPLE_BYTES = 1 << 17 };

/* Each thread sees cells in the order of the file. */
static void keep_first(const spf_csv_span *cell, spf_csv_span *first) {
    if (!first->begin) *first = *cell;
}

static void weigh_decimal(const spf_csv_span *cell, spf_decimal_sign sign, spf_csv_count *count) {
    size_t length = (size_t)(cell->end - cell->begin);
    if (sign == SPF_DECIMAL_POINT) keep_first(cell, &count->point);
    if (sign == SPF_DECIMAL_COMMA) keep_first(cell, &count->comma);
    if (sign == SPF_DECIMAL_EITHER)
        keep_first(cell, memchr(cell->begin, ',', length) ? &count->either : &count->dotted);
}

static void count_bare(const spf_csv_span *cell, spf_csv_count *count) {
    count->bare++;
    keep_first(cell, &count->number);
}

static void count_form(const spf_csv_span *cell, const spf_form *form, spf_csv_count *count) {
    if (form->kind == SPF_FORM_BARE) {
        count_bare(cell, count);
        return;
    }
    if (count->marked++ == 0) {
        count->marks = *cell;
        count->form = *form;
    } else if (!spf_form_equal(form, &count->form)) {
        keep_first(cell, &count->odd);
    }
}

static void count_date(const spf_csv_span *cell, spf_csv_count *count) {
    spf_date date;
    size_t length = (size_t)(cell->end - cell->begin);
    count->no_dates += (size_t)spf_is_missing_date(cell->begin, length);
    if (!spf_date_read(cell->begin, length, SPF_DATE_UNCLEAR, &date)) return;
    count->dates++;
    count->times += !isnan(date.hour);
    if (date.silent) return;
    keep_first(cell, date.order == SPF_DATE_DMY   ? &count->dmy
                     : date.order == SPF_DATE_MDY ? &count->mdy
                                                  : &count->unclear);
}

/* Counts a cell that is not a plain number. A cell that no kind of column can read is left to the
 * parser, which refuses it. */
static void count_other(const spf_csv_span *cell, spf_csv_count *count) {
    size_t length = (size_t)(cell->end - cell->begin);
    spf_decimal_sign sign;
    spf_form form;
    if (memchr(cell->begin, '\0', length) || spf_is_infinite(cell->begin, length)) {
        count_bare(cell, count);
    } else if (spf_amount_weigh(cell->begin, cell->end, &form, &sign)) {
        weigh_decimal(cell, sign, count);
        count_form(cell, &form, count);
        keep_first(cell, &count->example);
    } else {
        count->texts++;
        count->no_numbers += (size_t)spf_may_be_missing(cell->begin, length);
        count_date(cell, count);
    }
}

static void count_cell(const spf_csv_layout *layout, const spf_csv_field *field,
                       spf_csv_count *count) {
    const spf_csv_span cell = {field->begin, field->end};
    double value;
    if (spf_csv_is_missing_number(layout, field)) return;
    if (!spf_number_read(field->begin, field->end, &value)) {
        count_other(&cell, count);
        return;
    }
    count_bare(&cell, count);
    if (!count->point.begin) weigh_decimal(&cell, spf_plain_sign(field->begin, field->end), count);
}

/* Whether the cells of a column decide its kind, or how its numbers are written. */
static int is_counted(const spf_csv_layout *layout, const spf_csv_column *column) {
    return spf_csv_infers(layout, column) || column->kind == SPORF_KIND_NUMBER;
}

/* Counts the cells of the record at *p into counts[features]. */
static sporf_status count_record(const spf_csv_layout *layout, const char **p,
                                 spf_csv_count *counts, spf_csv_fault *fault) {
    const char *record = *p = spf_csv_record_at(&layout->dialect, *p, layout->end);
    size_t feature = 0;
    for (size_t j = 0; j < layout->columns; j++) {
        spf_csv_field field;
        spf_csv_fault_kind kind = spf_csv_scan_field(*p, layout->end, &layout->dialect, &field);
        if (kind == SPF_CSV_OK && field.last != (j + 1 == layout->columns)) kind = SPF_CSV_FIELDS;
        if (kind != SPF_CSV_OK) {
            *fault = (spf_csv_fault){kind, record, field.begin, field.end, j};
            return SPORF_ERROR_DATA;
        }
        *p = field.next;
        if (feature >= layout->features || layout->read[feature].column != j) continue;
        if (is_counted(layout, &layout->read[feature]))
            count_cell(layout, &field, &counts[feature]);
        do feature++;
        while (feature < layout->features && layout->read[feature].column == j);
    }
    return SPORF_OK;
}

static int asks_for_kinds(const spf_csv_layout *layout) {
    for (size_t i = 0; i < layout->features; i++)
        if (spf_csv_infers(layout, &layout->read[i])) return 1;
    return 0;
}

/* Whether some number is not a plain one, so that all cells have to be counted. */
static int shows_amounts(const spf_csv_layout *layout, const spf_csv_count *counts) {
    for (size_t i = 0; i < layout->features; i++)
        if (layout->read[i].kind == SPORF_KIND_NUMBER && counts[i].example.begin) return 1;
    return 0;
}

sporf_status spf_csv_guess_kinds(spf_csv_layout *layout) {
    if (!asks_for_kinds(layout)) return SPORF_OK;
    spf_csv_count *counts = spf_alloc_zero(layout->features, sizeof *counts);
    if (!counts) return spf_raise_memory();
    const char *p = layout->body;
    spf_csv_fault fault;
    for (size_t i = 0; i < SAMPLE_RECORDS && p < layout->end; i++)
        if (p - layout->body > SAMPLE_BYTES || count_record(layout, &p, counts, &fault) != SPORF_OK)
            break;
    spf_csv_set_kinds(layout, counts);
    layout->doubtful = shows_amounts(layout, counts) || spf_csv_shows_dates(layout, counts) ||
                       spf_csv_unclear_point(layout, counts) != NULL;
    free(counts);
    return SPORF_OK;
}

typedef struct {
    const spf_csv_layout *layout;
    spf_csv_chunk *chunks;
    spf_csv_count *counts; /* [workers][features] */
} count_job;

static sporf_status count_chunk(void *context, size_t item, unsigned worker) {
    count_job *job = context;
    spf_csv_chunk *chunk = &job->chunks[item];
    spf_csv_count *counts = job->counts + worker * job->layout->features;
    const char *p = chunk->begin;
    for (size_t i = 0; i < chunk->rows; i++) {
        if (p >= job->layout->end) p = job->layout->end; /* only after an earlier fault */
        SPF_TRY(count_record(job->layout, &p, counts, &chunk->fault));
    }
    return SPORF_OK;
}

static void earlier(const spf_csv_span *cell, spf_csv_span *first) {
    if (cell->begin && (!first->begin || cell->begin < first->begin)) *first = *cell;
}

/* Merges the first marked cells of two counts. The first cell with another mark is the earlier
 * count's `odd`, the later count's `odd` if both begin with the same mark, or else the later
 * count's first marked cell: whichever comes first. */
static void add_forms(const spf_csv_count *more, spf_csv_count *sum) {
    const spf_csv_count *first = more, *second = sum;
    if (more->marked == 0) return;
    if (sum->marked > 0 && sum->marks.begin < more->marks.begin) {
        first = sum;
        second = more;
    }
    spf_csv_span odd = first->odd, marks = first->marks;
    spf_form form = first->form;
    if (second->marked > 0)
        earlier(spf_form_equal(&form, &second->form) ? &second->odd : &second->marks, &odd);
    sum->odd = odd;
    sum->marks = marks;
    sum->form = form;
}

static void add_count(const spf_csv_count *more, spf_csv_count *sum) {
    add_forms(more, sum);
    sum->bare += more->bare;
    sum->marked += more->marked;
    sum->texts += more->texts;
    sum->dates += more->dates;
    sum->times += more->times;
    sum->no_dates += more->no_dates;
    sum->no_numbers += more->no_numbers;
    earlier(&more->dmy, &sum->dmy);
    earlier(&more->mdy, &sum->mdy);
    earlier(&more->unclear, &sum->unclear);
    earlier(&more->number, &sum->number);
    earlier(&more->example, &sum->example);
    earlier(&more->point, &sum->point);
    earlier(&more->comma, &sum->comma);
    earlier(&more->either, &sum->either);
    earlier(&more->dotted, &sum->dotted);
}

static void drop(const char *from, spf_csv_span *cell) {
    if (cell->begin >= from) *cell = (spf_csv_span){NULL, NULL};
}

/* Drops cells behind a place, so that the progress of other threads does not matter. */
static void drop_behind(const char *place, spf_csv_count *counts, size_t features) {
    for (size_t i = 0; i < features; i++) {
        spf_csv_count *count = &counts[i];
        spf_csv_span *const cells[] = {
            &count->number, &count->marks, &count->example, &count->point,   &count->comma,
            &count->either, &count->dmy,   &count->mdy,     &count->unclear, &count->dotted};
        for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) drop(place, cells[k]);
    }
}

/* A broken record does not decide kinds. If kinds are given, the records before it are read, so
 * that the first fault in the file is reported. */
static sporf_status take_fault(const spf_csv_layout *layout, const spf_csv_chunk *chunks,
                               spf_csv_count *counts, size_t count) {
    while (chunks->fault.kind == SPF_CSV_OK) chunks++;
    if (layout->infer) return spf_csv_raise(layout->source, layout, &chunks->fault);
    drop_behind(chunks->fault.record, counts, count);
    return SPORF_OK;
}

sporf_status spf_csv_resolve_kinds(spf_csv_layout *layout, spf_csv_chunk *chunks, size_t count,
                                   unsigned workers) {
    count_job job = {.layout = layout, .chunks = chunks};
    SPF_TRY(spf_source_restore(layout->source));
    size_t features = layout->features;
    if (workers > count) workers = (unsigned)count;
    spf_csv_chunks_clear(layout, chunks, count);
    job.counts = spf_alloc_zero(features * workers, sizeof *job.counts);
    if (!job.counts) return spf_raise_memory();
    sporf_status status = spf_parallel(count, workers, count_chunk, &job);
    if (status == SPORF_ERROR_DATA)
        status = take_fault(layout, chunks, job.counts, features * workers);
    for (size_t i = features; status == SPORF_OK && i < features * workers; i++)
        add_count(&job.counts[i], &job.counts[i % features]);
    if (status == SPORF_OK) {
        spf_csv_set_kinds(layout, job.counts);
        status = spf_csv_set_decimal(layout, job.counts);
        layout->resolved = 1;
    }
    if (status == SPORF_OK && layout->infer) status = spf_csv_note_amounts(layout, job.counts);
    if (status == SPORF_OK) status = spf_csv_set_orders(layout, job.counts);
    if (status == SPORF_OK) status = spf_csv_expand_dates(layout, job.counts);
    free(job.counts);
    spf_csv_chunks_clear(layout, chunks, count);
    return status;
}
