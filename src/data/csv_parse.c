/* Parsing chunks of CSV records. Numbers go, some rows at a time, into a tile that fits the cache
 * and from there into the columns, so that a wide table does not touch a far cache line for every
 * cell. */
#include "data/csv.h"

#include "base/parallel.h"
#include "data/number.h"
#include "data/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    TILE_VALUES = 1 << 15,
    TILE_ROWS_MIN = 16, /* one cache line of each column */
    TILE_ROWS_MAX = 256,
};

typedef struct {
    const spf_csv_layout *layout;
    spf_csv_chunk *chunks;
    sporf_dataset *data;
    uint32_t *codes;
    size_t tile_rows;
    float *tiles; /* one for each worker */
} parse_job;

/* One record on its way into the table. */
typedef struct {
    const spf_csv_layout *layout;
    spf_csv_chunk *chunk;
    const char *begin;
    float *values;  /* the next feature's place */
    uint32_t *code; /* the label's place */
} csv_row;

static sporf_status fail(const csv_row *row, spf_csv_fault_kind kind, size_t column,
                         const spf_csv_field *field) {
    row->chunk->fault = (spf_csv_fault){kind, row->begin, field->begin, field->end, column};
    return SPORF_ERROR_DATA;
}

static sporf_status add_label(const csv_row *row, const spf_csv_field *field) {
    size_t length = (size_t)(field->end - field->begin);
    if (!field->doubled)
        return spf_dictionary_add(&row->chunk->words, field->begin, length, row->code);
    char *text = spf_alloc(length, 1);
    if (!text) return spf_raise_memory();
    size_t used = spf_csv_field_text(field, text);
    sporf_status status = spf_dictionary_add(&row->chunk->words, text, used, row->code);
    free(text);
    return status;
}

static sporf_status parse_label(const csv_row *row, size_t column, const spf_csv_field *field) {
    size_t length = (size_t)(field->end - field->begin);
    int missing = field->quoted ? length == 0 : spf_is_missing(field->begin, length);
    if (missing || memchr(field->begin, '\0', length))
        return fail(row, SPF_CSV_BAD_LABEL, column, field);
    return add_label(row, field);
}

static sporf_status parse_field(csv_row *row, size_t column, const char **p) {
    const spf_csv_layout *layout = row->layout;
    spf_csv_field field;
    double value;
    spf_csv_fault_kind kind = spf_csv_scan_field(*p, layout->end, layout->separator, &field);
    if (kind != SPF_CSV_OK) return fail(row, kind, column, &field);
    if (field.last != (column + 1 == layout->columns))
        return fail(row, SPF_CSV_FIELDS, column, &field);
    *p = field.next;
    if (layout->roles[column] == SPF_CSV_DROPPED) return SPORF_OK;
    if (layout->roles[column] == SPF_CSV_LABEL) return parse_label(row, column, &field);
    if (!spf_number_read(field.begin, field.end, &value) || !spf_double_ok(value))
        return fail(row, SPF_CSV_BAD_NUMBER, column, &field);
    *row->values++ = (float)value;
    return SPORF_OK;
}

/* A plain number closed by `close`, the separator or the line end; blanks in front of it. Returns
 * what follows, NULL where the field is anything else. */
static inline const char *parse_plain(const char *p, char close, float *out) {
    double value;
    while (*p == ' ') p++;
    p = spf_number_scan(p, &value);
    if (!p) return NULL;
    if (close == '\n' && *p == '\r') p++;
    if (*p != close || !spf_double_ok(value)) return NULL;
    *out = (float)value;
    return p + 1;
}

static sporf_status parse_record(csv_row *row, const char **p) {
    const spf_csv_layout *layout = row->layout;
    const unsigned char *roles = layout->roles;
    row->begin = *p;
    for (size_t j = 0; j < layout->columns; j++) {
        char close = j + 1 == layout->columns ? '\n' : layout->separator;
        const char *next = NULL;
        if (roles[j] == SPF_CSV_FEATURE) next = parse_plain(*p, close, row->values);
        if (next) {
            row->values++;
            *p = next;
        } else {
            SPF_TRY(parse_field(row, j, p));
        }
    }
    return SPORF_OK;
}

static void empty_tile(const float *tile, size_t rows, size_t first_row, sporf_dataset *data) {
    size_t features = data->features;
    for (size_t j = 0; j < features; j++) {
        float *out = spf_dataset_column(data, j) + first_row;
        for (size_t i = 0; i < rows; i++) out[i] = tile[i * features + j];
    }
}

static sporf_status parse_chunk(void *context, size_t item, unsigned worker) {
    parse_job *job = context;
    spf_csv_chunk *chunk = &job->chunks[item];
    size_t features = job->layout->features;
    float *tile = job->tiles + worker * job->tile_rows * features;
    csv_row row = {.layout = job->layout, .chunk = chunk};
    const char *p = chunk->begin;
    for (size_t done = 0; done < chunk->rows;) {
        size_t first = chunk->first_row + done, left = chunk->rows - done;
        size_t rows = left < job->tile_rows ? left : job->tile_rows;
        for (size_t i = 0; i < rows; i++) {
            row.values = tile + i * features;
            row.code = job->codes ? &job->codes[first + i] : NULL;
            if (p >= job->layout->end) p = job->layout->end; /* only after a fault further up */
            SPF_TRY(parse_record(&row, &p));
        }
        empty_tile(tile, rows, first, job->data);
        done += rows;
    }
    spf_source_release(job->layout->source, chunk->begin, (size_t)(p - chunk->begin));
    return SPORF_OK;
}

/* No more workers than keep the tiles small beside the table. */
static unsigned useful_workers(unsigned workers, size_t rows, size_t tile_rows) {
    size_t useful = 1 + rows / (4 * tile_rows);
    return workers < useful ? workers : (unsigned)useful;
}

sporf_status spf_csv_parse(const spf_csv_layout *layout, spf_csv_chunk *chunks, size_t count,
                           unsigned workers, sporf_dataset *data, uint32_t *codes) {
    parse_job job = {.layout = layout, .chunks = chunks, .data = data, .codes = codes};
    job.tile_rows = TILE_VALUES / (layout->features + 1);
    if (job.tile_rows < TILE_ROWS_MIN) job.tile_rows = TILE_ROWS_MIN;
    if (job.tile_rows > TILE_ROWS_MAX) job.tile_rows = TILE_ROWS_MAX;
    if (workers > count) workers = (unsigned)count;
    workers = useful_workers(workers, data->rows, job.tile_rows);
    job.tiles = spf_alloc(workers * job.tile_rows * layout->features, sizeof *job.tiles);
    if (!job.tiles) return spf_raise_memory();
    sporf_status status = spf_parallel(count, workers, parse_chunk, &job);
    free(job.tiles);
    return status;
}
