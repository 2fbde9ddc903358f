/* Cutting a CSV file into chunks of whole records, in parallel. A byte lies inside a quoted field
 * if an odd number of quotes precedes it, so each piece of the file is looked at once for both
 * cases, and a walk over the pieces then tells which case it was. */
#include "data/csv.h"

#include "base/parallel.h"

#include <stdlib.h>
#include <string.h>

/* A piece of the file; index 0 for "starts outside quotes", 1 for inside. */
typedef struct {
    const char *begin, *end;
    size_t lines[2];      /* line ends outside quotes */
    const char *first[2]; /* the first of them */
    int odd;              /* number of quotes */
} csv_piece;

static void note_line(csv_piece *piece, int inside, const char *p) {
    if (piece->lines[inside]++ == 0) piece->first[inside] = p;
}

static void look_for_lines(csv_piece *piece) {
    const char *p = piece->begin;
    for (; (p = memchr(p, '\n', (size_t)(piece->end - p))); p++) note_line(piece, 0, p);
}

static void look_for_quotes(csv_piece *piece) {
    for (const char *p = piece->begin; p < piece->end; p++) {
        if (*p == '"') piece->odd = !piece->odd;
        if (*p == '\n') note_line(piece, piece->odd, p);
    }
}

static sporf_status look(void *context, size_t item, unsigned worker) {
    (void)worker;
    csv_piece *piece = (csv_piece *)context + item;
    if (memchr(piece->begin, '"', (size_t)(piece->end - piece->begin)))
        look_for_quotes(piece);
    else
        look_for_lines(piece);
    return SPORF_OK;
}

static void cut_pieces(const spf_csv_layout *layout, size_t chunk_bytes, size_t count,
                       csv_piece *pieces) {
    const char *begin = layout->body;
    for (size_t i = 0; i < count; i++) {
        size_t left = (size_t)(layout->end - begin);
        pieces[i].begin = begin;
        pieces[i].end = begin = begin + (left < chunk_bytes ? left : chunk_bytes);
    }
}

/* A chunk has the records that start after the line ends in its piece, and the first chunk also
 * the record that starts the body. */
static size_t make_chunks(const spf_csv_layout *layout, const csv_piece *pieces, size_t count,
                          spf_csv_chunk *chunks) {
    size_t made = 0, rows = 0;
    int inside = 0;
    for (size_t i = 0; i < count; i++) {
        size_t lines = pieces[i].lines[inside];
        if (i == 0 || lines > 0) {
            chunks[made].begin = i == 0 ? layout->body : pieces[i].first[inside] + 1;
            chunks[made].first_row = rows;
            chunks[made].rows = lines + (i == 0);
            rows += chunks[made++].rows;
        }
        inside ^= pieces[i].odd;
    }
    return made;
}

sporf_status spf_csv_split(const spf_csv_layout *layout, size_t chunk_bytes, unsigned workers,
                           spf_csv_chunk **chunks, size_t *count) {
    size_t size = (size_t)(layout->end - layout->body);
    size_t parts = size / chunk_bytes + (size % chunk_bytes != 0 || size == 0);
    sporf_status status = SPORF_OK;
    spf_csv_chunk *made = spf_alloc_zero(parts, sizeof *made);
    csv_piece *pieces = spf_alloc_zero(parts, sizeof *pieces);
    if (!made || !pieces) {
        status = spf_raise_memory();
        goto out;
    }
    cut_pieces(layout, chunk_bytes, parts, pieces);
    status = spf_parallel(parts, workers, look, pieces);
    if (status != SPORF_OK) goto out;
    *count = make_chunks(layout, pieces, parts, made);
    *chunks = made;
    made = NULL;
out:
    free(made);
    free(pieces);
    return status;
}

void spf_csv_chunks_clear(const spf_csv_layout *layout, spf_csv_chunk *chunks, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; chunks[i].texts && k < layout->coded; k++)
            spf_dictionary_free(&chunks[i].texts[k]);
        spf_dictionary_free(&chunks[i].words);
        free(chunks[i].texts);
        free(chunks[i].unknown);
        chunks[i] = (spf_csv_chunk){
            .begin = chunks[i].begin, .first_row = chunks[i].first_row, .rows = chunks[i].rows};
    }
}

sporf_status spf_csv_chunks_prepare(const spf_csv_layout *layout, spf_csv_chunk *chunks,
                                    size_t count) {
    for (size_t i = 0; layout->coded > 0 && i < count; i++) {
        chunks[i].texts = spf_alloc_zero(layout->coded, sizeof *chunks[i].texts);
        chunks[i].unknown = spf_alloc_zero(layout->coded, sizeof *chunks[i].unknown);
        if (!chunks[i].texts || !chunks[i].unknown) return spf_raise_memory();
    }
    return SPORF_OK;
}

void spf_csv_chunks_free(const spf_csv_layout *layout, spf_csv_chunk *chunks, size_t count) {
    spf_csv_chunks_clear(layout, chunks, count);
    free(chunks);
}
