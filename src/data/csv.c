/* Reading CSV: settle the layout, cut the rows into chunks, parse these in parallel straight into
 * the columns, merge the labels of the chunks. */
#include "data/csv.h"

#include "base/parallel.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_BYTES_MIN = 1 << 16, /* less does not pay for a thread */
    CHUNKS_PER_WORKER = 8,
};

/* Renumbers the codes of each chunk to those of one dictionary for all. */
static sporf_status merge_words(const spf_csv_chunk *chunks, size_t count, spf_dictionary *merged,
                                uint32_t *codes) {
    uint32_t *map = NULL;
    size_t capacity = 0;
    sporf_status status = SPORF_OK;
    for (size_t i = 0; status == SPORF_OK && i < count; i++) {
        const spf_strings *words = &chunks[i].words.words;
        status = SPF_RESERVE(map, capacity, words->count);
        for (size_t k = 0; status == SPORF_OK && k < words->count; k++) {
            const char *word = spf_strings_at(words, k);
            status = spf_dictionary_add(merged, word, strlen(word), &map[k]);
        }
        if (status != SPORF_OK) break;
        uint32_t *of_chunk = codes + chunks[i].first_row;
        for (size_t k = 0; k < chunks[i].rows; k++) of_chunk[k] = map[of_chunk[k]];
    }
    free(map);
    return status;
}

static sporf_status name_columns(const spf_csv_layout *layout, sporf_dataset *data) {
    for (size_t i = 0; i < layout->names.count; i++) {
        const char *name = spf_strings_at(&layout->names, i);
        if (layout->roles[i] == SPF_CSV_FEATURE)
            SPF_TRY(spf_strings_add(&data->schema.names, name, strlen(name)));
        if (layout->roles[i] != SPF_CSV_LABEL || !*name) continue;
        data->label_name = spf_strdup(name);
        if (!data->label_name) return spf_raise_memory();
    }
    return SPORF_OK;
}

static sporf_status raise_first_fault(const spf_source *source, const spf_csv_layout *layout,
                                      const spf_csv_chunk *chunks) {
    while (chunks->fault.kind == SPF_CSV_OK) chunks++;
    return spf_csv_raise(source, layout, &chunks->fault);
}

/* Chunks start in order and run to their end, so the first chunk with a fault has the first fault
 * of the file, however many threads there are. */
static sporf_status fill(const spf_source *source, const spf_csv_layout *layout,
                         spf_csv_chunk *chunks, size_t count, unsigned workers,
                         sporf_dataset *data) {
    spf_dictionary merged = {0};
    uint32_t *codes = NULL;
    sporf_status status = SPORF_OK;
    if (layout->has_label) {
        codes = spf_alloc(data->rows, sizeof *codes);
        if (!codes) return spf_raise_memory();
    }
    status = spf_csv_parse(layout, chunks, count, workers, data, codes);
    if (status == SPORF_ERROR_DATA) status = raise_first_fault(source, layout, chunks);
    if (status == SPORF_OK && codes) status = merge_words(chunks, count, &merged, codes);
    if (status == SPORF_OK && codes) status = spf_dataset_take_labels(data, &merged, codes);
    if (status != SPORF_OK) free(codes);
    if (status == SPORF_OK) status = name_columns(layout, data);
    spf_dictionary_free(&merged);
    return status;
}

static sporf_status read_rows(const spf_source *source, const sporf_read_options *options,
                              const spf_csv_layout *layout, spf_csv_chunk *chunks, size_t count,
                              sporf_dataset **out) {
    size_t rows = chunks[count - 1].first_row + chunks[count - 1].rows;
    sporf_dataset *data = NULL;
    SPF_TRY(spf_source_check_table(source, rows, layout->features, options->max_memory));
    SPF_TRY(spf_dataset_create(rows, layout->features, &data));
    sporf_status status =
        fill(source, layout, chunks, count, spf_thread_count(options->threads), data);
    if (status != SPORF_OK)
        sporf_dataset_free(data);
    else
        *out = data;
    return status;
}

static sporf_status read_in_chunks(const spf_csv_layout *layout, const sporf_read_options *options,
                                   size_t chunk_bytes, sporf_dataset **out) {
    spf_csv_chunk *chunks = NULL;
    size_t count = 0;
    sporf_status status =
        spf_csv_split(layout, chunk_bytes, spf_thread_count(options->threads), &chunks, &count);
    if (status == SPORF_OK) status = read_rows(layout->source, options, layout, chunks, count, out);
    for (size_t i = 0; i < count; i++) spf_dictionary_free(&chunks[i].words);
    free(chunks);
    return status;
}

sporf_status spf_csv_read_body(const spf_csv_layout *layout, const sporf_read_options *options,
                               sporf_dataset **out) {
    size_t size = (size_t)(layout->end - layout->body);
    size_t share = size / ((size_t)spf_thread_count(options->threads) * CHUNKS_PER_WORKER) + 1;
    return read_in_chunks(layout, options, share > CHUNK_BYTES_MIN ? share : CHUNK_BYTES_MIN, out);
}

static sporf_status find_layout(const spf_source *source, const sporf_read_options *options,
                                spf_csv_layout *layout) {
    return spf_csv_layout_find(source, spf_csv_trim(source->bytes, source->bytes + source->size),
                               options, layout);
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
