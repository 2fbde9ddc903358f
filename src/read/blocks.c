/* sporf_reader: opens a file, recognises its format, and returns its rows block by block. */
#include "read/blocks.h"

#include "base/system.h"
#include "read/joined.h"

#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_BYTES = 32 << 20,
    BLOCK_BYTES_MIN = 64 << 10, /* smaller blocks cost too much overhead */
    MEMORY_PARTS = 4, /* a block takes this part of max_memory, twice: as bytes and as table */
    HEAD_BYTES_MAX = 1 << 20,
};

/* How many bytes are read to recognise the format. */
static size_t head_bytes(const sporf_reader *reader) {
    if (reader->block_bytes < BLOCK_BYTES_MIN) return BLOCK_BYTES_MIN;
    return reader->block_bytes < HEAD_BYTES_MAX ? reader->block_bytes : HEAD_BYTES_MAX;
}

/* The start of the bytes in memory, in whole lines: half a line may look like another format. */
static spf_source head_of(const spf_window *window, size_t bytes) {
    spf_source head = window->source;
    size_t size = head.size < bytes ? head.size : bytes, lines = size;
    int cut = size < head.size || !window->complete;
    while (cut && lines > 0 && head.bytes[lines - 1] != '\n') lines--;
    head.size = lines > 0 ? lines : size;
    return head;
}

/* Reads the head; if a pipe pauses, the whole lines that have come. */
static sporf_status find_lines(sporf_reader *reader, size_t bytes) {
    const spf_window *window = &reader->window;
    const char *feed = NULL;
    for (size_t seen = 0; !feed; seen = spf_window_left(window)) {
        SPF_TRY(spf_window_gather(&reader->window, seen + 1, bytes));
        if (window->complete || spf_window_left(window) >= bytes) break;
        feed = memchr(spf_window_begin(window), '\n', spf_window_left(window));
    }
    return SPORF_OK;
}

static sporf_status start(sporf_reader *reader) {
    size_t bytes = head_bytes(reader);
    if (reader->options.format != SPORF_FORMAT_CSV) SPF_TRY(find_lines(reader, bytes));
    spf_source head = head_of(&reader->window, bytes);
    SPF_TRY(spf_find_format(&head, &reader->options, &reader->format));
    switch (reader->format) {
    case SPORF_FORMAT_NPY:
    case SPORF_FORMAT_IDX:
        return spf_matrix_start(reader);
    case SPORF_FORMAT_SVMLIGHT:
        return SPORF_OK;
    default:
        return spf_csv_start(reader);
    }
}

/* Refuses options that need the whole file. */
static sporf_status check_options(const char *path, const sporf_read_options *options) {
    if (options->label_file)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_FILE ": labels from a file of their own cannot be read in blocks",
                         path);
    if (options->categorical_count > 0 || options->ordinal_count > 0 || options->weight ||
        options->targets_count > 0 || options->labels_count > 0)
        return spf_raise(
            SPORF_ERROR_ARGUMENT,
            SPF_FILE
            ": categories, weights, targets and several labels cannot be found in blocks" SPF_HINT
            "give a schema, or read the file as a whole",
            path);
    return SPORF_OK;
}

/* A fault in unpacked data may come from a damaged gzip file, which is then reported instead. */
static sporf_status find_damage(sporf_reader *reader, sporf_status status) {
    char text[SPF_ERROR_TEXT_MAX];
    if (status != SPORF_ERROR_DATA || !reader->window.input.unpacker) return status;
    memcpy(text, spf_error_marked(), sizeof text);
    SPF_TRY(spf_input_verify(&reader->window.input));
    return spf_raise(status, "%s", text);
}

static sporf_status open_file(sporf_reader *reader, const char *path) {
    reader->path = path;
    SPF_TRY(spf_window_open(path, reader->options.max_memory, &reader->window));
    return find_damage(reader, start(reader));
}

/* Total bytes of the files; 0 if one of them is not on disk. */
static uint64_t bytes_of_files(const char *path, const sporf_read_options *options) {
    uint64_t all = 0;
    for (size_t i = 0; i <= options->more_files_count; i++) {
        spf_file_info info;
        const char *file = i == 0 ? path : options->more_files[i - 1];
        if (spf_system_look(file, &info) != 0 || info.kind != SPF_FILE_REGULAR) return 0;
        all += info.size;
    }
    return all;
}

sporf_status spf_reader_open(const char *path, const sporf_read_options *given, size_t block_bytes,
                             sporf_reader **out) {
    sporf_reader *reader = spf_alloc_zero(1, sizeof *reader);
    if (!reader) return spf_raise_memory();
    reader->block_bytes = block_bytes;
    reader->window.input.file = -1;
    sporf_status status = spf_read_options_complete(given, &reader->options);
    if (status == SPORF_OK) status = check_options(path, &reader->options);
    if (status == SPORF_OK) reader->bytes_all = bytes_of_files(path, &reader->options);
    if (status == SPORF_OK) status = open_file(reader, path);
    if (status != SPORF_OK)
        sporf_reader_free(reader);
    else
        *out = reader;
    return status;
}

/* Closes a file that has been read; the shape of the first one is kept. */
static void close_file(sporf_reader *reader) {
    if (reader->files_done++ == 0) {
        const sporf_read_options options =
            spf_joined_options(&reader->options, reader->format, &reader->layout);
        reader->options.format = options.format;
        reader->options.header = options.header;
        reader->first = reader->window.input.name;
        reader->shape = reader->layout;
        reader->wide = reader->matrix;
        reader->layout = (spf_csv_layout){0};
    }
    reader->bytes_done += reader->window.input.size;
    spf_csv_layout_free(&reader->layout);
    spf_window_close(&reader->window);
    reader->lines = reader->rows_done = 0;
    reader->ended = 0;
}

static sporf_status open_next(sporf_reader *reader) {
    close_file(reader);
    SPF_TRY(open_file(reader, reader->options.more_files[reader->files_done - 1]));
    switch (reader->format) {
    case SPORF_FORMAT_NPY:
    case SPORF_FORMAT_IDX:
        return spf_joined_check_matrix(&reader->wide, &reader->matrix);
    case SPORF_FORMAT_SVMLIGHT:
        return SPORF_OK;
    default:
        return spf_joined_check_csv(reader->first, &reader->shape, reader->window.input.name,
                                    &reader->layout);
    }
}

static size_t block_bytes(uint64_t max_memory) {
    uint64_t part = max_memory / MEMORY_PARTS;
    if (max_memory == 0 || part > BLOCK_BYTES) return BLOCK_BYTES;
    return part > BLOCK_BYTES_MIN ? (size_t)part : BLOCK_BYTES_MIN;
}

sporf_status sporf_reader_open(const char *path, const sporf_read_options *given,
                               sporf_reader **out) {
    sporf_read_options options;
    if (!path || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "reading: path and out must not be NULL");
    *out = NULL;
    SPF_TRY(spf_read_options_complete(given, &options));
    return spf_reader_open(path, &options, block_bytes(options.max_memory), out);
}

static sporf_status read_block(sporf_reader *reader, size_t rows, sporf_dataset **out) {
    switch (reader->format) {
    case SPORF_FORMAT_NPY:
    case SPORF_FORMAT_IDX:
        return spf_matrix_next(reader, rows, out);
    case SPORF_FORMAT_SVMLIGHT:
        return spf_svmlight_next(reader, rows, out);
    default:
        return spf_csv_next(reader, rows, out);
    }
}

/* The next block, of this file or a later one; *data stays NULL if none is left. */
static sporf_status find_block(sporf_reader *reader, size_t rows, sporf_dataset **data) {
    while (!*data) {
        if (!reader->ended)
            SPF_TRY(find_damage(reader, read_block(reader, rows, data)));
        else if (reader->files_done < reader->options.more_files_count)
            SPF_TRY(open_next(reader));
        else
            return SPORF_OK;
    }
    return SPORF_OK;
}

sporf_status sporf_reader_next(sporf_reader *reader, size_t rows, sporf_dataset **out) {
    sporf_dataset *data = NULL;
    if (!reader || !out || rows == 0)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "a block needs a reader, a place for it and at least one row");
    *out = NULL;
    SPF_TRY(find_block(reader, rows, &data));
    if (!data) return SPORF_OK;
    sporf_status status = spf_check_features(data, &reader->options, reader->path);
    if (status != SPORF_OK) {
        sporf_dataset_free(data);
        return status;
    }
    reader->started = 1;
    *out = data;
    return SPORF_OK;
}

const char *sporf_reader_kept_name(const sporf_reader *reader, size_t index) {
    const spf_csv_layout *layout = &reader->layout;
    if (index >= layout->kept_count || layout->names.count == 0) return NULL;
    return spf_strings_at(&layout->names, layout->kept[index]);
}

void sporf_reader_progress(const sporf_reader *reader, uint64_t *done, uint64_t *total) {
    spf_window_progress(&reader->window, done, total);
    if (reader->scattered) *done = *total / reader->matrix.rows * reader->rows_done;
    if (reader->options.more_files_count == 0) return;
    *done += reader->bytes_done;
    *total = reader->bytes_all;
}

void sporf_reader_free(sporf_reader *reader) {
    if (!reader) return;
    spf_csv_layout_free(&reader->layout);
    spf_csv_layout_free(&reader->shape);
    free(reader->gathered);
    spf_window_close(&reader->window);
    free(reader);
}
