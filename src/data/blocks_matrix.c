/* Blocks of .npy and idx files: some rows of the matrix. Where it lies by column, in Fortran's
 * order, a block is a part of every column, so that all of the file has to be at hand: mapped, or
 * held if it is packed or comes from a pipe. */
#include "data/blocks.h"

static sporf_status find_matrix(sporf_reader *reader) {
    const spf_window *window = &reader->window;
    return reader->format == SPORF_FORMAT_NPY
               ? spf_npy_matrix(&window->source, window->complete, &reader->matrix)
               : spf_idx_matrix(&window->source, window->complete, &reader->matrix);
}

static int lies_by_row(const spf_typed *matrix) {
    return matrix->row_stride == matrix->columns * spf_type_size(matrix->type);
}

sporf_status spf_matrix_start(sporf_reader *reader) {
    SPF_TRY(find_matrix(reader));
    if (!lies_by_row(&reader->matrix) && !reader->window.complete) {
        SPF_TRY(spf_window_need_all(&reader->window));
        SPF_TRY(find_matrix(reader));
    }
    const char *values = (const char *)reader->matrix.bytes;
    spf_window_use(&reader->window, (size_t)(values - reader->window.source.bytes));
    return SPORF_OK;
}

/* Brings the rows at hand, and with the last of them looks whether more follows. */
static sporf_status need_rows(sporf_reader *reader, size_t rows) {
    const spf_typed *matrix = &reader->matrix;
    size_t bytes = rows * matrix->row_stride;
    int last = reader->rows_done + rows == matrix->rows;
    SPF_TRY(spf_window_need(&reader->window, last ? bytes + 1 : bytes));
    size_t left = spf_window_left(&reader->window);
    if (left < bytes)
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: the bytes end after %zu of %zu rows; the file was not written or "
                         "copied whole",
                         matrix->name, reader->rows_done + left / matrix->row_stride, matrix->rows);
    if (last && left > bytes)
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: more bytes than its %zu x %zu values take; the file was not written "
                         "or copied whole",
                         matrix->name, matrix->rows, matrix->columns);
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
    int by_row = lies_by_row(&part);
    part.rows = rows_of_block(reader, asked);
    part.first_row = reader->rows_done;
    SPF_TRY(spf_source_check_table(&reader->window.source, part.rows, part.columns,
                                   reader->options.max_memory));
    if (by_row) SPF_TRY(need_rows(reader, part.rows));
    part.bytes = (const unsigned char *)spf_window_begin(&reader->window) +
                 (by_row ? 0 : part.first_row * part.row_stride);
    SPF_TRY(spf_typed_read(&part, &reader->options, out));
    if (by_row) spf_window_use(&reader->window, part.rows * part.row_stride);
    reader->rows_done += part.rows;
    reader->ended = reader->rows_done == reader->matrix.rows;
    return SPORF_OK;
}
