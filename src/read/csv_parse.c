/* Parses chunks of CSV records. Some rows of numbers at a time go into a tile that fits the cache
 * and from there into the columns, so that a wide table does not touch a distant cache line for
 * every cell. */
#include "read/csv_parts.h"

#include "base/number.h"
#include "base/parallel.h"
#include "data/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TILE_VALUES = 1 << 15,
    TILE_ROWS_MIN = 16, /* one cache line of each column */
    TILE_ROWS_MAX = 256,
};

/* Integers up to this are exact in single precision. */
#define WHOLE_MAX 0x1p24

typedef struct {
    const spf_csv_layout *layout;
    spf_csv_chunk *chunks;
    sporf_dataset *data;
    uint32_t *codes;
    const char **records;
    size_t tile_rows;
    float *tiles; /* one per worker */
} parse_job;

/* One record while it is parsed. */
typedef struct {
    const spf_csv_layout *layout;
    spf_csv_chunk *chunk;
    const char *begin;
    float *first;   /* where the first feature goes */
    float *values;  /* where the next one goes */
    uint32_t *code; /* where the label goes */
} csv_row;

static sporf_status fail(const csv_row *row, spf_csv_fault_kind kind, size_t column,
                         const spf_csv_field *field) {
    row->chunk->fault = (spf_csv_fault){kind, row->begin, field->begin, field->end, column};
    return SPORF_ERROR_DATA;
}

/* Looks a text up among the known ones, or adds it; *found tells whether it was found or added. */
static sporf_status find_text(const char *text, size_t length, const spf_dictionary *known,
                              spf_dictionary *words, uint32_t *code, int *found) {
    *found = 1;
    if (!known) return spf_dictionary_add(words, text, length, code);
    *found = spf_level_find(known, text, length, code);
    return SPORF_OK;
}

/* The same for a field, with doubled quotes made single. */
static sporf_status find_field(const spf_csv_field *field, const spf_dictionary *known,
                               spf_dictionary *words, uint32_t *code, int *found) {
    size_t length = (size_t)(field->end - field->begin);
    if (!field->doubled) return find_text(field->begin, length, known, words, code, found);
    char *text = spf_alloc(length, 1);
    if (!text) return spf_raise_memory();
    size_t used = spf_csv_field_text(field, text);
    sporf_status status = find_text(text, used, known, words, code, found);
    free(text);
    return status;
}

static sporf_status parse_label(const csv_row *row, size_t column, const spf_csv_field *field) {
    int found = 1;
    if (spf_csv_is_missing_label(row->layout, field) ||
        memchr(field->begin, '\0', (size_t)(field->end - field->begin)))
        return fail(row, SPF_CSV_BAD_LABEL, column, field);
    return find_field(field, NULL, &row->chunk->words, row->code, &found);
}

static void put_missing(csv_row *row) {
    *row->values++ = NAN;
    row->chunk->has_missing = 1;
}

static sporf_status parse_level(csv_row *row, const spf_csv_field *field) {
    const spf_csv_column *column = &row->layout->read[row->values - row->first];
    spf_dictionary *words = &row->chunk->texts[column->coded];
    uint32_t code = 0;
    int found = 1;
    if (memchr(field->begin, '\0', (size_t)(field->end - field->begin)))
        return fail(row, SPF_CSV_BAD_NUMBER, column->column, field);
    if (spf_csv_is_missing(row->layout, field)) {
        put_missing(row);
        return SPORF_OK;
    }
    SPF_TRY(find_field(field, column->known, words, &code, &found));
    if (!found && !row->layout->schema) return fail(row, SPF_CSV_UNLISTED, column->column, field);
    if (code >= SPF_LEVELS_MAX) return fail(row, SPF_CSV_LEVELS, column->column, field);
    if (found) {
        *row->values++ = (float)code;
        return SPORF_OK;
    }
    spf_unknown_levels *unknown = &row->chunk->unknown[column->coded];
    if (unknown->cells++ == 0)
        spf_excerpt(field->begin, (size_t)(field->end - field->begin), unknown->example);
    put_missing(row);
    return SPORF_OK;
}

static inline int is_small(double value) {
    return value >= -WHOLE_MAX && value <= WHOLE_MAX;
}

/* Whether a text begins with an integer without point and exponent, after blanks. */
static int is_whole(const char *text) {
    while (*text == ' ') text++;
    if (*text == '-' || *text == '+') text++;
    while (spf_is_digit(*text)) text++;
    return *text != '.' && *text != 'e' && *text != 'E';
}

/* Whether a number above WHOLE_MAX can be used. Notes an integer that single precision changes. */
static __attribute__((noinline)) int take_large(const csv_row *row, const char *text,
                                                double value) {
    if (!row->layout->rounded) return spf_double_ok(value);
    atomic_uchar *rounded = &row->layout->rounded[row->values - row->first];
    if (!atomic_load_explicit(rounded, memory_order_relaxed) && (double)(float)value != value &&
        is_whole(text))
        atomic_store_explicit(rounded, 1, memory_order_relaxed);
    return spf_double_ok(value);
}

/* Numbers that are not plain are read if their form is known. */
static int read_number(const csv_row *row, const spf_csv_field *field, double *value) {
    const spf_csv_layout *layout = row->layout;
    const spf_csv_column *column = &layout->read[row->values - row->first];
    spf_form form;
    if (layout->roles[column->column] == SPF_CSV_NUMBER &&
        spf_number_read(field->begin, field->end, value))
        return 1;
    if (!layout->resolved && !layout->decimal_known) return 0;
    return spf_amount_read(field->begin, field->end, layout->decimal, value, &form) &&
           spf_form_equal(&form, &column->form);
}

/* Whether a cell that is not a number here may have another kind or another form. */
static int may_be_read(const csv_row *row, const spf_csv_field *field) {
    const spf_csv_column *column = &row->layout->read[row->values - row->first];
    spf_decimal_sign sign;
    spf_form form;
    if (memchr(field->begin, '\0', (size_t)(field->end - field->begin))) return 0;
    return spf_csv_infers(row->layout, column) ||
           spf_amount_weigh(field->begin, field->end, &form, &sign);
}

static sporf_status parse_number(csv_row *row, size_t column, const spf_csv_field *field) {
    const spf_csv_layout *layout = row->layout;
    size_t length = (size_t)(field->end - field->begin);
    double value;
    int listed = layout->missing_count > 0 && spf_csv_is_listed(layout, field);
    int number = !listed && read_number(row, field, &value);
    if (number && (is_small(value) || take_large(row, field->begin, value))) {
        *row->values++ = (float)value;
        return SPORF_OK;
    }
    int infers = spf_csv_infers(layout, &layout->read[row->values - row->first]);
    if (spf_csv_is_missing_number(layout, field) ||
        ((!infers || layout->resolved) && spf_may_be_missing(field->begin, length))) {
        put_missing(row);
        return SPORF_OK;
    }
    int text = !number && !layout->resolved && may_be_read(row, field);
    return fail(row, text ? SPF_CSV_TEXT : SPF_CSV_BAD_NUMBER, column, field);
}

/* A cell makes one value for each part of its date. */
static sporf_status parse_date(csv_row *row, size_t column, const spf_csv_field *field) {
    const spf_csv_column *part = &row->layout->read[row->values - row->first];
    const spf_csv_column *end = row->layout->read + row->layout->features;
    spf_date date;
    size_t length = (size_t)(field->end - field->begin);
    int missing =
        spf_csv_is_missing_number(row->layout, field) || spf_is_missing_date(field->begin, length);
    if (!missing && !spf_date_read(field->begin, length, part->order, &date))
        return fail(row, SPF_CSV_BAD_DATE, column, field);
    if (!missing && !date.silent && date.order != SPF_DATE_UNCLEAR && part->order != date.order)
        return fail(row, SPF_CSV_BAD_DATE, column, field);
    for (; part < end && part->column == column; part++) {
        float value = missing ? NAN : spf_date_value(&date, part->part);
        row->chunk->has_missing |= isnan(value);
        *row->values++ = value;
    }
    return SPORF_OK;
}

static sporf_status parse_field(csv_row *row, size_t column, const char **p) {
    const spf_csv_layout *layout = row->layout;
    spf_csv_field field;
    spf_csv_fault_kind kind = spf_csv_scan_field(*p, layout->end, &layout->dialect, &field);
    if (kind != SPF_CSV_OK) return fail(row, kind, column, &field);
    if (field.last != (column + 1 == layout->columns))
        return fail(row, SPF_CSV_FIELDS, column, &field);
    *p = field.next;
    switch (layout->roles[column]) {
    case SPF_CSV_NUMBER:
    case SPF_CSV_AMOUNT:
        return parse_number(row, column, &field);
    case SPF_CSV_DATE:
        return parse_date(row, column, &field);
    case SPF_CSV_LEVEL:
        return parse_level(row, &field);
    case SPF_CSV_LABEL:
        return parse_label(row, column, &field);
    default:
        return SPORF_OK;
    }
}

/* A plain number, after blanks, that `close` (the separator or the line end) ends. Returns what
 * follows, or NULL if the field is anything else. */
static inline const char *parse_plain(const csv_row *row, const char *text, char close) {
    double value;
    const char *p = text;
    while (*p == ' ') p++;
    p = spf_number_scan(p, &value);
    if (!p) return NULL;
    if (close == '\n' && *p == '\r') p++;
    if (*p != close) return NULL;
    if (!is_small(value) && !take_large(row, text, value)) return NULL;
    *row->values = (float)value;
    return p + 1;
}

static sporf_status parse_record(csv_row *row, const char **p) {
    const spf_csv_layout *layout = row->layout;
    const unsigned char *roles = layout->roles;
    row->begin = *p = spf_csv_record_at(&layout->dialect, *p, layout->end);
    for (size_t j = 0; j < layout->columns; j++) {
        char close =
            j + 1 == layout->columns ? layout->dialect.line_end : layout->dialect.separator;
        const char *next = NULL;
        if (roles[j] == SPF_CSV_NUMBER && layout->plain) next = parse_plain(row, *p, close);
        if (next) {
            row->values++;
            *p = next;
        } else {
            SPF_TRY(parse_field(row, j, p));
        }
    }
    return SPORF_OK;
}

static void empty_tile(const spf_csv_layout *layout, const float *tile, size_t rows,
                       size_t first_row, sporf_dataset *data) {
    size_t features = data->features;
    for (size_t j = 0; j < features; j++) {
        float *out = spf_dataset_column(data, layout->read[j].place) + first_row;
        for (size_t i = 0; i < rows; i++) out[i] = tile[i * features + j];
    }
}

/* Memory of a dictionary's words, offsets and slots; three times, since the words of all chunks are
 * merged and then sorted. */
static uint64_t bytes_of_words(const spf_dictionary *dictionary) {
    enum { COPIES = 3, WORD_BYTES = 20 };
    const spf_strings *words = &dictionary->words;
    if (words->count == 0) return 0;
    return COPIES * (words->count * WORD_BYTES + words->offsets[words->count]);
}

/* Counts the texts of the last rows before more are read. */
static sporf_status count_texts(const spf_csv_layout *layout, spf_csv_chunk *chunk) {
    uint64_t bytes = bytes_of_words(&chunk->words);
    if (!layout->text_bytes) return SPORF_OK;
    for (size_t k = 0; k < layout->coded; k++) bytes += bytes_of_words(&chunk->texts[k]);
    uint64_t more = bytes - chunk->text_bytes;
    uint64_t all = atomic_fetch_add_explicit(layout->text_bytes, more, memory_order_relaxed) + more;
    chunk->text_bytes = bytes;
    if (more == 0 || all <= layout->text_bytes_max) return SPORF_OK;
    return spf_source_raise_texts(layout->source, layout->max_memory);
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
            row.first = row.values = tile + i * features;
            row.code = job->codes ? &job->codes[first + i] : NULL;
            if (p >= job->layout->end) p = job->layout->end; /* only after an earlier fault */
            SPF_TRY(parse_record(&row, &p));
            if (job->records) job->records[first + i] = row.begin;
        }
        empty_tile(job->layout, tile, rows, first, job->data);
        SPF_TRY(count_texts(job->layout, chunk));
        done += rows;
    }
    if (job->layout->kept_count == 0) /* otherwise records are read again */
        spf_source_release(job->layout->source, chunk->begin, (size_t)(p - chunk->begin));
    return SPORF_OK;
}

/* Limits the workers so that the tiles stay small beside the table. */
static unsigned useful_workers(unsigned workers, size_t rows, size_t tile_rows) {
    size_t useful = 1 + rows / (4 * tile_rows);
    return workers < useful ? workers : (unsigned)useful;
}

sporf_status spf_csv_parse(const spf_csv_layout *layout, spf_csv_chunk *chunks, size_t count,
                           unsigned workers, sporf_dataset *data, uint32_t *codes,
                           const char **records) {
    parse_job job = {
        .layout = layout, .chunks = chunks, .data = data, .codes = codes, .records = records};
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
