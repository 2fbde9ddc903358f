/* Which columns of a CSV file are numbers and which are categories: cells are counted, those of the
 * first records to begin with, all where these were not enough to tell. */
#include "data/csv.h"

#include "base/parallel.h"
#include "data/number.h"
#include "data/text.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLE_RECORDS = 1000, SAMPLE_BYTES = 1 << 17 };

/* The cells of a column that are not missing, and the first that is no number to be used. */
typedef struct {
    size_t numbers, texts;
    spf_csv_fault first;
} kind_count;

/* What cannot be read whatever the kind of its column, is left to the parser to refuse. */
static void count_cell(const char *record, size_t column, const spf_csv_field *field,
                       kind_count *count) {
    size_t length = (size_t)(field->end - field->begin);
    double value;
    if (spf_is_missing(field->begin, length)) return;
    int readable =
        memchr(field->begin, '\0', length) || spf_number_read(field->begin, field->end, &value);
    if (readable || spf_means_number(field->begin, length))
        count->numbers++;
    else
        count->texts++;
    if (readable) return;
    if (!count->first.begin || field->begin < count->first.begin)
        count->first = (spf_csv_fault){.kind = SPF_CSV_TEXT,
                                       .record = record,
                                       .begin = field->begin,
                                       .end = field->end,
                                       .column = column};
}

/* Counts the cells of the record at *p into counts[features]. */
static sporf_status count_record(const spf_csv_layout *layout, const char **p, kind_count *counts,
                                 spf_csv_fault *fault) {
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
        if (layout->roles[j] != SPF_CSV_NUMBER && layout->roles[j] != SPF_CSV_LEVEL) continue;
        if (spf_csv_infers(layout, &layout->read[feature]))
            count_cell(record, j, &field, &counts[feature]);
        feature++;
    }
    return SPORF_OK;
}

static sporf_kind likely_kind(const kind_count *count) {
    return count->texts > 0 && count->texts >= count->numbers ? SPORF_KIND_CATEGORY
                                                              : SPORF_KIND_NUMBER;
}

static void set_kinds(spf_csv_layout *layout, const kind_count *counts) {
    for (size_t i = 0; i < layout->features; i++)
        if (spf_csv_infers(layout, &layout->read[i]))
            layout->read[i].kind = likely_kind(&counts[i]);
    spf_csv_set_roles(layout);
}

static int asks_for_kinds(const spf_csv_layout *layout) {
    for (size_t i = 0; i < layout->features; i++)
        if (spf_csv_infers(layout, &layout->read[i])) return 1;
    return 0;
}

sporf_status spf_csv_guess_kinds(spf_csv_layout *layout) {
    if (!asks_for_kinds(layout)) return SPORF_OK;
    kind_count *counts = spf_alloc_zero(layout->features, sizeof *counts);
    if (!counts) return spf_raise_memory();
    const char *p = layout->body;
    spf_csv_fault fault;
    for (size_t i = 0; i < SAMPLE_RECORDS && p < layout->end; i++)
        if (p - layout->body > SAMPLE_BYTES || count_record(layout, &p, counts, &fault) != SPORF_OK)
            break;
    set_kinds(layout, counts);
    free(counts);
    return SPORF_OK;
}

typedef struct {
    const spf_csv_layout *layout;
    spf_csv_chunk *chunks;
    kind_count *counts; /* [workers][features] */
} count_job;

static sporf_status count_chunk(void *context, size_t item, unsigned worker) {
    count_job *job = context;
    spf_csv_chunk *chunk = &job->chunks[item];
    kind_count *counts = job->counts + worker * job->layout->features;
    const char *p = chunk->begin;
    for (size_t i = 0; i < chunk->rows; i++) {
        if (p >= job->layout->end) p = job->layout->end; /* only after a fault further up */
        SPF_TRY(count_record(job->layout, &p, counts, &chunk->fault));
    }
    return SPORF_OK;
}

/* Adds up what the workers counted in the counts of the first. */
static void add_counts(kind_count *counts, size_t features, unsigned workers) {
    for (size_t i = features; i < features * workers; i++) {
        kind_count *sum = &counts[i % features];
        const spf_csv_fault *first = &counts[i].first;
        sum->numbers += counts[i].numbers;
        sum->texts += counts[i].texts;
        if (first->begin && (!sum->first.begin || first->begin < sum->first.begin))
            sum->first = *first;
    }
}

/* The first cell of all columns of numbers that is none to be used; NULL where there is none. */
static const spf_csv_fault *first_text(const kind_count *counts, size_t features) {
    const spf_csv_fault *first = NULL;
    for (size_t i = 0; i < features; i++) {
        if (!counts[i].first.begin || likely_kind(&counts[i]) == SPORF_KIND_CATEGORY) continue;
        if (!first || counts[i].first.begin < first->begin) first = &counts[i].first;
    }
    return first;
}

static sporf_status raise_first_fault(const spf_csv_layout *layout, const spf_csv_chunk *chunks) {
    while (chunks->fault.kind == SPF_CSV_OK) chunks++;
    return spf_csv_raise(layout->source, layout, &chunks->fault);
}

sporf_status spf_csv_settle_kinds(spf_csv_layout *layout, spf_csv_chunk *chunks, size_t count,
                                  unsigned workers) {
    count_job job = {.layout = layout, .chunks = chunks};
    SPF_TRY(spf_source_restore(layout->source));
    if (workers > count) workers = (unsigned)count;
    spf_csv_chunks_clear(layout, chunks, count);
    job.counts = spf_alloc_zero(layout->features * workers, sizeof *job.counts);
    if (!job.counts) return spf_raise_memory();
    sporf_status status = spf_parallel(count, workers, count_chunk, &job);
    if (status == SPORF_ERROR_DATA) status = raise_first_fault(layout, chunks);
    if (status == SPORF_OK) {
        add_counts(job.counts, layout->features, workers);
        const spf_csv_fault *text = first_text(job.counts, layout->features);
        if (text) status = spf_csv_raise(layout->source, layout, text);
        set_kinds(layout, job.counts);
    }
    free(job.counts);
    return status;
}
