/* Adds noise columns to a CSV file, whose bytes stay as they are: text, quotes, missing cells, line
 * ends, with or without a header. */
#include "base/system.h"
#include "base/text.h"
#include "data/cell.h"
#include "data/output.h"
#include "read/csv_parts.h"
#include "simulate/noise.h"

#include <string.h>

typedef struct {
    spf_source source;
    spf_csv_layout layout;
    spf_strings names; /* of noise columns; empty without a header */
    size_t columns;
    uint64_t seed;
    size_t behind; /* columns that stay last: the label or targets */
    spf_output output;
} work;

/* The place of the noise in a record, and the next record. */
typedef struct {
    const char *place, *next;
} record;

/* The line end, if there is one, is not part of the record. */
static const char *without_line_end(const char *begin, const char *end) {
    if (end > begin && end[-1] == '\n') end--;
    if (end > begin && end[-1] == '\r') end--;
    return end;
}

/* Noise has decimal points, which do not fit a file with decimal commas. */
static sporf_status check_decimal(const work *w, size_t column, const spf_csv_field *field) {
    char place[SPF_PLACE_MAX], shown[SPF_EXCERPT_MAX];
    size_t length = (size_t)(field->end - field->begin);
    spf_decimal_sign sign;
    spf_form form;
    if (w->layout.dialect.separator == ',' || column >= w->layout.columns ||
        w->layout.plan[column].use == SPF_USE_LABEL || !memchr(field->begin, ',', length) ||
        !spf_amount_weigh(field->begin, field->end, &form, &sign) || sign == SPF_DECIMAL_POINT)
        return SPORF_OK;
    spf_csv_place(&w->layout, field->begin, column, place);
    return spf_raise(
        SPORF_ERROR_DATA,
        "%s: '%s' has a decimal comma, and noise is written with decimal points" SPF_HINT
        "write the numbers of the file with points",
        place, spf_excerpt(field->begin, length, shown));
}

static sporf_status scan_record(const work *w, const char *p, record *r) {
    spf_csv_field field = {.next = p};
    spf_csv_fault fault = {.record = p};
    const char *place = p;
    for (; !field.last; fault.column++) {
        if (fault.column + w->behind == w->layout.columns) place = field.next;
        fault.kind = spf_csv_scan_field(field.next, w->layout.end, &w->layout.dialect, &field);
        fault.begin = field.begin;
        fault.end = field.end;
        if (fault.kind != SPF_CSV_OK) return spf_csv_raise(&w->source, &w->layout, &fault);
        SPF_TRY(check_decimal(w, fault.column, &field));
    }
    if (fault.column != w->layout.columns) {
        fault.kind = SPF_CSV_FIELDS;
        return spf_csv_raise(&w->source, &w->layout, &fault);
    }
    r->next = field.next;
    r->place = w->behind > 0 ? place : without_line_end(p, field.next);
    return SPORF_OK;
}

static void put_noise(const work *w, size_t row, size_t column) {
    if (row == SIZE_MAX)
        spf_output_text(w->output.file, spf_strings_at(&w->names, column));
    else
        spf_output_float(w->output.file, spf_noise(w->seed, row, column));
}

/* Writes a record; the header is the row SIZE_MAX. */
static sporf_status put_record(const work *w, const char *p, size_t row, const char **next) {
    FILE *file = w->output.file;
    record r = {0};
    SPF_TRY(scan_record(w, p, &r));
    fwrite(p, 1, (size_t)(r.place - p), file);
    for (size_t j = 0; j < w->columns; j++) {
        if (w->behind == 0) spf_system_put(w->layout.dialect.separator, file);
        put_noise(w, row, j);
        if (w->behind > 0) spf_system_put(w->layout.dialect.separator, file);
    }
    fwrite(r.place, 1, (size_t)(r.next - r.place), file);
    *next = r.next;
    return ferror(file) ? spf_output_raise(&w->output) : SPORF_OK;
}

/* Copies bytes that are not a record, unchanged. */
static const char *put_up_to(const work *w, const char *p, const char *record) {
    fwrite(p, 1, (size_t)(record - p), w->output.file);
    return record;
}

static sporf_status put_table(const work *w) {
    const char *p = put_up_to(w, w->source.bytes, w->layout.first);
    if (w->names.count > 0) SPF_TRY(put_record(w, p, SIZE_MAX, &p));
    for (size_t row = 0;; row++) {
        p = put_up_to(w, p, spf_csv_record_at(&w->layout.dialect, p, w->layout.end));
        if (p >= w->layout.end) break;
        SPF_TRY(put_record(w, p, row, &p));
    }
    fwrite(p, 1, (size_t)(w->source.bytes + w->source.size - p), w->output.file);
    return ferror(w->output.file) ? spf_output_raise(&w->output) : SPORF_OK;
}

static sporf_status name_noise(work *w) {
    spf_strings all = {0};
    size_t columns = w->layout.names.count;
    if (columns == 0) return SPORF_OK;
    sporf_status status = spf_strings_copy(&w->layout.names, &all);
    if (status == SPORF_OK) status = spf_noise_names(w->columns, &all);
    for (size_t j = columns; status == SPORF_OK && j < all.count; j++)
        status = spf_strings_add(&w->names, spf_strings_at(&all, j), spf_strings_length(&all, j));
    spf_strings_free(&all);
    return status;
}

static size_t count_behind(const spf_csv_layout *layout) {
    size_t count = 0;
    for (size_t j = layout->columns; j-- > 0; count++)
        if (layout->plan[j].use != SPF_USE_LABEL && layout->plan[j].use != SPF_USE_TARGET) break;
    return count;
}

static sporf_status add_to_csv(work *w, const sporf_read_options *options, const char *output) {
    const spf_source *source = &w->source;
    SPF_TRY(spf_csv_layout_find(source, spf_csv_trim(source->bytes, source->bytes + source->size),
                                options, &w->layout));
    SPF_TRY(spf_csv_check_rows(&w->layout));
    SPF_TRY(spf_noise_check(w->columns, w->layout.columns));
    if (w->layout.row_names || w->layout.dialect.trailing)
        return spf_raise(SPORF_ERROR_DATA,
                         SPF_FILE ": the header has another number of fields than the rows" SPF_HINT
                                  "make them equal, so that noise columns can be added",
                         source->name);
    SPF_TRY(name_noise(w));
    w->behind = count_behind(&w->layout);
    SPF_TRY(spf_output_open(output, &w->output));
    return spf_output_close(&w->output, put_table(w));
}

/* Numeric files have no text to keep. */
static sporf_status add_to_other(work *w, const sporf_read_options *options, const char *output) {
    sporf_dataset *data = NULL, *noisy = NULL;
    SPF_TRY(spf_read_source(&w->source, options, &data));
    sporf_status status = sporf_dataset_add_noise(data, w->columns, w->seed, &noisy);
    if (status == SPORF_OK) status = sporf_dataset_write_csv(noisy, output);
    sporf_dataset_free(data);
    sporf_dataset_free(noisy);
    return status;
}

sporf_status sporf_file_add_noise(const char *path, const sporf_read_options *given, size_t columns,
                                  uint64_t seed, const char *output) {
    sporf_read_options options;
    sporf_format format;
    work w = {.columns = columns, .seed = seed};
    if (!path || !output)
        return spf_raise(SPORF_ERROR_ARGUMENT, "noise needs a file to read and one to write");
    SPF_TRY(spf_read_options_complete(given, &options));
    if (options.more_files_count > 0)
        return spf_raise(SPORF_ERROR_ARGUMENT, "noise is added to one file at a time");
    SPF_TRY(spf_noise_check(columns, 0));
    SPF_TRY(spf_source_open(path, options.max_memory, &w.source));
    sporf_status status = spf_find_format(&w.source, &options, &format);
    if (status == SPORF_OK)
        status = format == SPORF_FORMAT_CSV ? add_to_csv(&w, &options, output)
                                            : add_to_other(&w, &options, output);
    spf_csv_layout_free(&w.layout);
    spf_strings_free(&w.names);
    spf_source_close(&w.source);
    return status;
}
