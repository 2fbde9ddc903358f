/* Reads CSV: finds the layout, cuts the rows into chunks, parses these in parallel into the
 * columns, and merges the labels of the chunks. */
#include "read/csv_parts.h"

#include "base/parallel.h"
#include "base/text.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_BYTES_MIN = 1 << 16, /* less is not worth a thread */
    CHUNKS_PER_WORKER = 8,
    COLUMN_BYTES_MIN = 128, /* of a chunk, for each column, which may need a dictionary there */
};

/* Renumbers the codes of each chunk by one dictionary for all. */
static sporf_status merge_labels(const spf_csv_chunk *chunks, size_t count, spf_dictionary *merged,
                                 uint32_t *codes) {
    uint32_t *map = NULL;
    size_t capacity = 0;
    sporf_status status = SPORF_OK;
    for (size_t i = 0; status == SPORF_OK && i < count; i++) {
        status = spf_csv_merge_words(&chunks[i].words, merged, &map, &capacity);
        uint32_t *of_chunk = codes + chunks[i].first_row;
        for (size_t k = 0; status == SPORF_OK && k < chunks[i].rows; k++)
            of_chunk[k] = map[of_chunk[k]];
    }
    free(map);
    return status;
}

/* The name of a column, followed by the part if it is one of a date. */
static sporf_status add_name(const spf_csv_column *column, const char *base,
                             char name[SPF_CSV_NAME_MAX], spf_strings *names) {
    if (column->part == SPF_DATE_NONE) return spf_strings_add(names, base, strlen(base));
    return spf_strings_add(names, name, spf_csv_part_name(base, column->part, name));
}

/* Without a header, columns are named by their numbers if some are left out or the schema has
 * others, so that they can be found again. The label does not count. */
static sporf_status number_columns(const spf_csv_layout *layout,
                                   const spf_csv_column *const *column_at, spf_strings *names) {
    char number[32], name[SPF_CSV_NAME_MAX];
    size_t all = layout->schema ? spf_schema_columns(layout->schema)
                                : layout->columns - (size_t)layout->has_label;
    int parts = 0;
    for (size_t i = 0; i < layout->features; i++) parts |= column_at[i]->part != SPF_DATE_NONE;
    if (layout->features == all && !parts) return SPORF_OK;
    for (size_t i = names->count; i < layout->features; i++) {
        size_t column = column_at[i]->column;
        int after_label = layout->has_label && column > layout->label;
        snprintf(number, sizeof number, "%zu", column + 1 - (size_t)after_label);
        SPF_TRY(add_name(column_at[i], number, name, names));
    }
    return SPORF_OK;
}

/* Columns of a schema with names come first: they have the first places. */
static sporf_status name_in_order(const spf_csv_layout *layout,
                                  const spf_csv_column *const *column_at, spf_strings *names) {
    char name[SPF_CSV_NAME_MAX];
    if (layout->schema) SPF_TRY(spf_strings_copy(&layout->schema->names, names));
    if (layout->names.count == 0) return number_columns(layout, column_at, names);
    for (size_t i = names->count; i < layout->features; i++)
        SPF_TRY(add_name(column_at[i], spf_strings_at(&layout->names, column_at[i]->column), name,
                         names));
    return SPORF_OK;
}

static sporf_status name_columns(const spf_csv_layout *layout, sporf_dataset *data) {
    const spf_csv_column **column_at = spf_alloc(layout->features, sizeof *column_at);
    if (!column_at) return spf_raise_memory();
    for (size_t i = 0; i < layout->features; i++)
        column_at[layout->read[i].place] = &layout->read[i];
    sporf_status status = name_in_order(layout, column_at, &data->schema.names);
    free(column_at);
    if (status != SPORF_OK) return status;
    const char *label = layout->has_label && layout->names.count > 0
                            ? spf_strings_at(&layout->names, layout->label)
                            : "";
    if (!*label) return SPORF_OK;
    data->schema.label_name = spf_strdup(label);
    return data->schema.label_name ? SPORF_OK : spf_raise_memory();
}

/* Chunks start in order and run to their end, so the first chunk with a fault has the first fault
 * of the file, for any number of threads. */
static const spf_csv_fault *first_fault(const spf_csv_chunk *chunks) {
    while (chunks->fault.kind == SPF_CSV_OK) chunks++;
    return &chunks->fault;
}

/* The work of reading the records of a layout. */
typedef struct {
    spf_csv_layout *layout;
    const sporf_read_options *options;
    unsigned workers;
    spf_csv_chunk *chunks;
    size_t count;
    sporf_dataset *data;
    uint32_t *codes;          /* class codes; NULL without labels */
    const char **records;     /* [rows]: the beginning of each record; NULL if no column is kept */
    spf_column_plan *plan;    /* [features]: the role of each column */
    atomic_ullong text_bytes; /* bytes of the distinct texts */
} csv_work;

/* Checks the memory of columns with levels before any text is read: a dictionary in each chunk, two
 * for all, and the results for the column. */
static sporf_status budget(csv_work *w) {
    enum { DICTIONARY_BYTES = 160, COLUMN_BYTES = 320 };
    spf_csv_layout *layout = w->layout;
    uint64_t beside = layout->coded * ((w->count + 2) * DICTIONARY_BYTES + COLUMN_BYTES);
    uint64_t left = spf_source_memory_left(layout->source, w->data->rows, layout->features,
                                           w->options->max_memory);
    atomic_store(&w->text_bytes, 0);
    layout->text_bytes = &w->text_bytes;
    layout->text_bytes_max = left > beside ? left - beside : 0;
    layout->max_memory = w->options->max_memory;
    return spf_source_check_memory(layout->source, w->data->rows, layout->features, beside,
                                   w->options->max_memory);
}

/* *again is set if a numeric column has other cells than plain numbers: then all cells of the file
 * have to be counted first. */
static sporf_status parse(csv_work *w, int *again) {
    SPF_TRY(budget(w));
    SPF_TRY(spf_csv_chunks_prepare(w->layout, w->chunks, w->count));
    sporf_status status =
        spf_csv_parse(w->layout, w->chunks, w->count, w->workers, w->data, w->codes, w->records);
    if (status != SPORF_ERROR_DATA) return status;
    *again = !w->layout->resolved && first_fault(w->chunks)->kind == SPF_CSV_TEXT;
    return *again ? SPORF_OK : spf_csv_raise(w->layout->source, w->layout, first_fault(w->chunks));
}

/* A class that only the first line has may be the name of the column. */
static sporf_status note_lone_class(const csv_work *w) {
    const sporf_dataset *data = w->data;
    char shown[SPF_EXCERPT_MAX];
    enum { ROWS_MIN = 4 };
    if (w->layout->names.count > 0 || w->options->header == SPORF_HEADER_NO ||
        data->rows < ROWS_MIN || data->schema.classes.count < 3)
        return SPORF_OK;
    for (size_t i = 1; i < data->rows; i++)
        if (data->labels[i] == data->labels[0]) return SPORF_OK;
    const char *name = spf_strings_at(&data->schema.classes, data->labels[0]);
    return spf_notes_add(&w->data->notes, SPORF_NOTE_LINES, NULL,
                         "only the first line has the class '%s'" SPF_HINT
                         "if it is the header, say so (" SPF_OPTION_AS("header", "yes") ")",
                         spf_excerpt(name, strlen(name), shown));
}

static sporf_status take_labels(csv_work *w) {
    spf_dictionary merged = {0};
    sporf_status status = merge_labels(w->chunks, w->count, &merged, w->codes);
    if (status == SPORF_OK) status = spf_dataset_take_labels(w->data, &merged, w->codes);
    if (status == SPORF_OK) w->codes = NULL;
    spf_dictionary_free(&merged);
    return status;
}

static void add_unknown(spf_unknown_levels *sum, const spf_unknown_levels *chunk) {
    if (sum->cells == 0) memcpy(sum->example, chunk->example, sizeof sum->example);
    sum->cells += chunk->cells;
}

/* Counts cells with levels that the schema does not have. */
static sporf_status count_unknown(csv_work *w) {
    const spf_csv_layout *layout = w->layout;
    if (!layout->schema || layout->coded == 0) return SPORF_OK;
    w->data->unknown = spf_alloc_zero(layout->features, sizeof *w->data->unknown);
    if (!w->data->unknown) return spf_raise_memory();
    for (size_t j = 0; j < layout->features; j++) {
        const spf_csv_column *column = &layout->read[j];
        if (column->kind == SPORF_KIND_NUMBER) continue;
        for (size_t i = 0; i < w->count; i++)
            add_unknown(&w->data->unknown[column->place], &w->chunks[i].unknown[column->coded]);
    }
    return SPORF_OK;
}

static sporf_status check_columns(csv_work *w) {
    const spf_csv_layout *layout = w->layout;
    for (size_t i = 0; i < layout->features; i++) {
        spf_column_plan *plan = &w->plan[layout->read[i].place];
        plan->rounded = layout->rounded[i];
        plan->column = layout->read[i].column;
        plan->derived = layout->read[i].part != SPF_DATE_NONE;
        plan->name = layout->names.count > 0 ? spf_strings_at(&layout->names, plan->column) : NULL;
    }
    SPF_TRY(spf_plan_useless(w->data, w->plan));
    return spf_csv_check_names(layout, w->plan);
}

/* Notes on what was found above and beside the table. */
static sporf_status note_shape(csv_work *w) {
    const spf_csv_layout *layout = w->layout;
    char shown[SPF_EXCERPT_MAX];
    if (layout->row_names && !layout->plan[0].claimed)
        SPF_TRY(spf_notes_leave_out(&w->data->notes, SPORF_LEFT_OUT_ROW_NAMES, "1",
                                    "row names, which the header does not name"));
    if (!layout->title) return SPORF_OK;
    return spf_notes_add(&w->data->notes, SPORF_NOTE_LINES, NULL,
                         "the table begins in " SPF_LINE ": what is above it is ignored ('%s')",
                         layout->first_line,
                         spf_excerpt(layout->title, layout->title_length, shown));
}

static const char *other_encoding(const spf_strings *texts) {
    for (size_t i = 0; i < texts->count; i++)
        if (!spf_is_utf8(spf_strings_at(texts, i))) return spf_strings_at(texts, i);
    return NULL;
}

/* Names of columns, classes or levels that are not UTF-8, as old spreadsheets save them. */
static sporf_status note_encoding(const csv_work *w) {
    const sporf_schema *schema = &w->data->schema;
    const char *text = other_encoding(&w->layout->names);
    char shown[SPF_EXCERPT_MAX];
    if (!text) text = other_encoding(&schema->classes);
    for (size_t j = 0; !text && schema->kinds && j < schema->count; j++)
        text = other_encoding(&schema->levels[j]);
    if (!text) return SPORF_OK;
    return spf_notes_add(
        &w->data->notes, SPORF_NOTE_ENCODING, NULL,
        "the file is not UTF-8, as '%s' shows: its letters are kept byte by byte" SPF_HINT
        "save it as UTF-8 (in spreadsheets: CSV UTF-8), so that they "
        "match those of other files",
        spf_excerpt(text, strlen(text), shown));
}

static sporf_status plan_columns(csv_work *w) {
    const spf_csv_layout *layout = w->layout;
    w->plan = spf_alloc(layout->features, sizeof *w->plan);
    if (layout->has_label) w->codes = spf_alloc(w->data->rows, sizeof *w->codes);
    if (layout->kept_count > 0) w->records = spf_alloc(w->data->rows, sizeof *w->records);
    if (!w->plan || (layout->has_label && !w->codes) || (layout->kept_count > 0 && !w->records))
        return spf_raise_memory();
    for (size_t i = 0; i < layout->features; i++)
        w->plan[layout->read[i].place] = layout->plan[layout->read[i].column];
    return SPORF_OK;
}

/* *again is set if columns turn out to be of another kind. */
static sporf_status fill(csv_work *w, int *again) {
    const spf_csv_layout *layout = w->layout;
    SPF_TRY(plan_columns(w));
    SPF_TRY(parse(w, again));
    if (*again) return SPORF_OK;
    if (w->records) SPF_TRY(spf_csv_keep(layout, w->records, w->data));
    for (size_t i = 0; i < w->count; i++) w->data->has_missing |= w->chunks[i].has_missing;
    if (w->codes) {
        SPF_TRY(take_labels(w));
        if (layout->infer) SPF_TRY(note_lone_class(w));
    }
    SPF_TRY(name_columns(layout, w->data));
    w->data->schema.decimal_comma = layout->decimal == ',';
    SPF_TRY(count_unknown(w));
    if (layout->infer) SPF_TRY(note_shape(w));
    SPF_TRY(spf_notes_copy(&w->layout->notes, &w->data->notes));
    SPF_TRY(
        spf_csv_finish_levels(layout, w->chunks, w->count, w->workers, w->data, w->plan, again));
    if (*again) return SPORF_OK;
    if (layout->infer) SPF_TRY(check_columns(w));
    if (layout->infer) SPF_TRY(note_encoding(w));
    return spf_dataset_part(w->data, layout->source->name, w->plan);
}

static sporf_status resolve_kinds(csv_work *w) {
    return spf_csv_resolve_kinds(w->layout, w->chunks, w->count, w->workers);
}

/* Reads the rows by the layout, which may first need a count of the whole file. */
static sporf_status try_rows(csv_work *w, int *again) {
    const spf_csv_chunk *last = &w->chunks[w->count - 1];
    size_t rows = last->first_row + last->rows, features = w->layout->features;
    *again = 0;
    SPF_TRY(spf_source_check_table(w->layout->source, rows, features, w->options->max_memory));
    SPF_TRY(spf_dataset_create(rows, features, &w->data));
    sporf_status status = fill(w, again);
    free(w->codes);
    free(w->records);
    free(w->plan);
    w->codes = NULL;
    w->records = NULL;
    w->plan = NULL;
    if (status == SPORF_OK && !*again) return SPORF_OK;
    sporf_dataset_free(w->data);
    w->data = NULL;
    return status;
}

static sporf_status read_rows(csv_work *w, sporf_dataset **out) {
    int again = w->layout->doubtful || spf_csv_has_unclear_dates(w->layout) ||
                (w->layout->comma_expected && !w->layout->decimal_known);
    w->layout->resolved = 0;
    do {
        if (again) SPF_TRY(resolve_kinds(w));
        SPF_TRY(try_rows(w, &again));
    } while (again);
    *out = w->data;
    return SPORF_OK;
}

static sporf_status read_in_chunks(spf_csv_layout *layout, const sporf_read_options *options,
                                   size_t chunk_bytes, sporf_dataset **out) {
    csv_work w = {
        .layout = layout, .options = options, .workers = spf_thread_count(options->threads)};
    sporf_status status = spf_csv_split(layout, chunk_bytes, w.workers, &w.chunks, &w.count);
    if (status == SPORF_OK) status = read_rows(&w, out);
    layout->text_bytes = NULL;
    spf_csv_chunks_free(layout, w.chunks, w.count);
    return status;
}

sporf_status spf_csv_read_body(spf_csv_layout *layout, const sporf_read_options *options,
                               sporf_dataset **out) {
    size_t size = (size_t)(layout->end - layout->body);
    size_t share = size / ((size_t)spf_thread_count(options->threads) * CHUNKS_PER_WORKER) + 1;
    size_t least = CHUNK_BYTES_MIN + layout->columns * COLUMN_BYTES_MIN;
    return read_in_chunks(layout, options, share > least ? share : least, out);
}

static sporf_status find_layout(const spf_source *source, const sporf_read_options *options,
                                spf_csv_layout *layout) {
    SPF_TRY(spf_csv_layout_find(source, spf_csv_trim(source->bytes, source->bytes + source->size),
                                options, layout));
    SPF_TRY(spf_csv_check_rows(layout));
    layout->infer = !options->schema;
    if (!layout->infer) return SPORF_OK;
    layout->rounded = spf_alloc_zero(layout->features, sizeof *layout->rounded);
    return layout->rounded ? spf_csv_guess_kinds(layout) : spf_raise_memory();
}

sporf_status spf_read_csv_in_chunks(const spf_source *source, const sporf_read_options *options,
                                    size_t chunk_bytes, sporf_dataset **out) {
    spf_csv_layout layout;
    sporf_status status = find_layout(source, options, &layout);
    if (status == SPORF_OK) status = read_in_chunks(&layout, options, chunk_bytes, out);
    spf_csv_layout_free(&layout);
    return status;
}

sporf_status spf_read_csv(const spf_source *source, const sporf_read_options *options,
                          sporf_dataset **out) {
    spf_csv_layout layout;
    sporf_status status = find_layout(source, options, &layout);
    if (status == SPORF_OK) status = spf_csv_read_body(&layout, options, out);
    spf_csv_layout_free(&layout);
    return status;
}
