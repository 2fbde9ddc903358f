/* Copies strips of rows, column by column, on all threads. */
#include "learn/rows/copies.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <stdlib.h>

enum { STRIP_ROWS = 64 };

typedef struct {
    const sporf_dataset *data;
    spf_copies *to;
} copying;

static size_t end_of(size_t begin, size_t length, size_t rows) {
    return begin + length < rows ? begin + length : rows;
}

static sporf_status copy_strip(void *context, size_t strip, unsigned worker) {
    (void)worker;
    const copying *c = context;
    size_t rows = c->data->rows, features = c->data->features;
    size_t begin = strip * STRIP_ROWS, end = end_of(begin, STRIP_ROWS, rows);
    for (size_t f = 0; f < features; f++) {
        const float *column = c->data->columns[f];
        if (c->to->by_row.bytes) {
            uint8_t *by_row = (uint8_t *)c->to->row_storage + f;
            uint8_t *by_column = (uint8_t *)c->to->column_storage + f * rows;
            for (size_t i = begin; i < end; i++) by_column[i] = (uint8_t)column[i];
            for (size_t i = begin; i < end; i++) by_row[i * features] = by_column[i];
        } else {
            float *by_row = (float *)c->to->row_storage + f;
            for (size_t i = begin; i < end; i++) by_row[i * features] = column[i];
        }
    }
    return SPORF_OK;
}

static sporf_status make_bytes(const sporf_dataset *data, spf_copies *copies) {
    size_t features = data->features, cells = data->rows * features;
    uint8_t *by_row = copies->row_storage = spf_alloc_large(cells);
    uint8_t *by_column = copies->column_storage = spf_alloc_large(cells);
    const uint8_t **row_pointers = copies->row_pointers = spf_alloc(features, sizeof(uint8_t *));
    const uint8_t **column_pointers = copies->column_pointers =
        spf_alloc(features, sizeof(uint8_t *));
    if (!by_row || !by_column || !row_pointers || !column_pointers) return spf_raise_memory();
    for (size_t f = 0; f < features; f++) {
        row_pointers[f] = by_row + f;
        column_pointers[f] = by_column + f * data->rows;
    }
    copies->by_row = (spf_table){data->rows, features, .stride = features, .bytes = row_pointers};
    copies->by_column = (spf_table){data->rows, features, .stride = 1, .bytes = column_pointers};
    return SPORF_OK;
}

static sporf_status make_floats(const sporf_dataset *data, spf_copies *copies) {
    size_t features = data->features;
    float *by_row = copies->row_storage = spf_alloc_large(data->rows * features * sizeof(float));
    const float **pointers = copies->row_pointers = spf_alloc(features, sizeof(float *));
    if (!by_row || !pointers) return spf_raise_memory();
    for (size_t f = 0; f < features; f++) pointers[f] = by_row + f;
    copies->by_row = (spf_table){data->rows, features, .stride = features, .columns = pointers};
    return SPORF_OK;
}

sporf_status spf_copies_create(const sporf_dataset *data, int bytes, double most, unsigned threads,
                               spf_copies *copies) {
    *copies = (spf_copies){0};
    double cells = (double)data->rows * (double)data->features;
    if (cells * (bytes ? sizeof(uint8_t) : sizeof(float)) > most) return SPORF_OK;
    unsigned workers = spf_thread_count(threads);
    copying c = {.data = data, .to = copies};
    SPF_TRY(bytes ? make_bytes(data, copies) : make_floats(data, copies));
    return spf_parallel((data->rows + STRIP_ROWS - 1) / STRIP_ROWS, workers, copy_strip, &c);
}

void spf_copies_free(spf_copies *copies) {
    free(copies->row_storage);
    free(copies->column_storage);
    free(copies->row_pointers);
    free(copies->column_pointers);
    *copies = (spf_copies){0};
}
