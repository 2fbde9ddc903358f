/* Blocks of .npy and idx files: some rows of the matrix. In a matrix in Fortran order a block is a
 * part of every column: it is gathered from a plain file; from gzip or a pipe the whole file is
 * held in memory. */
#include "read/blocks.h"

/* Bytes of the whole file; 0 if not known yet. */
static uint64_t file_bytes(const spf_window *window) {
    if (window->input.plain) return window->input.size;
    return window->complete ? window->source.size : 0;
}

static sporf_status find_matrix(sporf_reader *reader) {
    const spf_window *window = &reader->window;
    return reader->format == SPORF_FORMAT_NPY
               ? spf_npy_matrix(&window->source, file_bytes(window), &reader->matrix)
               : spf_idx_matrix(&window->source, file_bytes(window), &reader->matrix);
}

static int lies_by_row(const spf_typed *matrix) {
    return matrix->row_stride == matrix->columns * spf_type_size(matrix->type);
}

sporf_status spf_matrix_start(sporf_reader *reader) {
    SPF_TRY(find_matrix(reader));
    const char *values = (const char *)reader->matrix.bytes;
    reader->values = (uint64_t)(values - reader->window.source.bytes);
    int by_row = lies_by_row(&reader->matrix);
    reader->scattered = !by_row && reader->window.input.plain;
    if (!by_row && !reader->scattered && !reader->window.complete) {
        SPF_TRY(spf_window_need_all(&reader->window));
        SPF_TRY(find_matrix(reader));
    }
    spf_window_use(&reader->window, (size_t)reader->values);
    return SPORF_OK;
}

/* Reads the rows of a block, or those that have come if a pipe pauses. At the last row, checks
 * whether more bytes follow. */
static sporf_status need_rows(sporf_reader *reader, size_t *rows) {
    const spf_typed *matrix = &reader->matrix;
    int last = reader->rows_done + *rows == matrix->rows;
    size_t row = matrix->row_stride, bytes = *rows * row;
    SPF_TRY(spf_window_gather(&reader->window, last ? row + 1 : row, last ? bytes + 1 : bytes));
    size_t left = spf_window_left(&reader->window);
    if (left < bytes && reader->window.complete)
        return spf_raise(
            SPORF_ERROR_DATA,
            SPF_FILE
            ": the bytes end after %zu of %zu rows: the file was not written or copied completely",
            matrix->name, reader->rows_done + left / row, matrix->rows);
    if (last && left > bytes)
        return spf_raise(SPORF_ERROR_DATA,
                         SPF_FILE ": more bytes than its %zu x %zu values take: the file was not "
                                  "written or copied completely",
                         matrix->name, matrix->rows, matrix->columns);
    if (last ? !reader->window.complete : left < bytes) *rows = (left - (size_t)last) / row;
    return SPORF_OK;
}

/* Reads the block's part of each column. */
static sporf_status gather(sporf_reader *reader, spf_typed *part) {
    size_t size = spf_type_size(part->type), bytes = part->rows * size;
    SPF_TRY(SPF_RESERVE(reader->gathered, reader->gathered_capacity, bytes * part->columns));
    for (size_t j = 0; j < part->columns; j++)
        SPF_TRY(spf_input_read_at(&reader->window.input,
                                  reader->values + j * part->column_stride + part->first_row * size,
                                  reader->gathered + j * bytes, bytes));
    part->bytes = reader->gathered;
    part->column_stride = bytes;
    return SPORF_OK;
}

static sporf_status find_rows(sporf_reader *reader, spf_typed *part) {
    if (reader->scattered) return gather(reader, part);
    int by_row = lies_by_row(&reader->matrix);
    if (by_row) SPF_TRY(need_rows(reader, &part->rows));
    part->bytes = (const unsigned char *)spf_window_begin(&reader->window) +
                  (by_row ? 0 : part->first_row * part->row_stride);
    return SPORF_OK;
}

static size_t rows_of_block(const sporf_reader *reader, size_t asked) {
    const spf_typed *matrix = &reader->matrix;
    size_t left = matrix->rows - reader->rows_done;
    size_t wide =
        spf_type_size(matrix->type) > sizeof(float) ? 2 * matrix->columns : matrix->columns;
    return spf_reader_rows(reader, wide, asked < left ? asked : left);
}

sporf_status spf_matrix_next(sporf_reader *reader, size_t asked, sporf_dataset **out) {
    spf_typed part = reader->matrix;
    part.rows = rows_of_block(reader, asked);
    part.first_row = reader->rows_done;
    SPF_TRY(spf_source_check_table(&reader->window.source, part.rows, part.columns,
                                   reader->options.max_memory));
    SPF_TRY(find_rows(reader, &part));
    SPF_TRY(spf_typed_read(&part, &reader->options, out));
    if (lies_by_row(&part)) spf_window_use(&reader->window, part.rows * part.row_stride);
    reader->rows_done += part.rows;
    reader->ended = reader->rows_done == reader->matrix.rows;
    return SPORF_OK;
}
