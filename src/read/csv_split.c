/* Cuts a CSV file into chunks of whole records, in parallel. A byte is inside a quoted field if an
 * odd number of quotes precedes it. Each piece of the file is scanned once for both cases, and a
 * pass over the pieces then decides which case holds. */
#include "read/csv_parts.h"

#include "base/parallel.h"

#include <stdlib.h>
#include <string.h>

/* A piece of the file; index 0 if it starts outside quotes, 1 if inside. */
typedef struct {
    const char *begin, *end;
    size_t records[2];    /* that start after line ends outside quotes */
    const char *first[2]; /* the first of them */
    int inside[2];        /* ends inside quotes */
} csv_piece;

typedef struct {
    const spf_csv_layout *layout;
    csv_piece *pieces;
} split_job;

/* p is behind a line end. */
static inline void note_line(const spf_csv_layout *layout, csv_piece *piece, int inside,
                             const char *p) {
    if (p >= layout->end) return;
    if ((*p <= ' ' || *p == layout->dialect.comment) &&
        spf_csv_ignores(&layout->dialect, p, layout->end))
        return;
    if (piece->records[inside]++ == 0) piece->first[inside] = p;
}

static void look_for_lines(const spf_csv_layout *layout, csv_piece *piece) {
    const char *p = piece->begin;
    piece->inside[1] = 1;
    for (; (p = memchr(p, layout->dialect.line_end, (size_t)(piece->end - p))); p++)
        note_line(layout, piece, 0, p + 1);
}

static void look_for_quotes(const spf_csv_layout *layout, csv_piece *piece) {
    int odd = 0;
    for (const char *p = piece->begin; p < piece->end; p++) {
        if (*p == '"') odd = !odd;
        if (*p == layout->dialect.line_end) note_line(layout, piece, odd, p + 1);
    }
    piece->inside[0] = odd;
    piece->inside[1] = !odd;
}

/* Quotes in comments do not count, so each case is scanned separately. A piece begins at the start
 * of a line. */
static void look_past_comments(const spf_csv_layout *layout, csv_piece *piece, int inside) {
    const spf_csv_dialect *dialect = &layout->dialect;
    int at = inside, line_start = 1;
    for (const char *p = piece->begin; p < piece->end; p++) {
        if (line_start && !inside && *p == dialect->comment) {
            p = spf_csv_next_line(dialect, p, piece->end) - 1;
            if (*p != dialect->line_end) break;
        }
        if (*p == '"') inside = !inside;
        line_start = *p == dialect->line_end;
        if (line_start && !inside) note_line(layout, piece, at, p + 1);
    }
    piece->inside[at] = inside;
}

static sporf_status look(void *context, size_t item, unsigned worker) {
    (void)worker;
    const split_job *job = context;
    csv_piece *piece = &job->pieces[item];
    if (!memchr(piece->begin, '"', (size_t)(piece->end - piece->begin))) {
        look_for_lines(job->layout, piece);
    } else if (!job->layout->dialect.comment) {
        look_for_quotes(job->layout, piece);
    } else {
        look_past_comments(job->layout, piece, 0);
        look_past_comments(job->layout, piece, 1);
    }
    return SPORF_OK;
}

static void cut_pieces(const spf_csv_layout *layout, size_t chunk_bytes, size_t count,
                       csv_piece *pieces) {
    const char *begin = layout->body, *cut = begin;
    for (size_t i = 0; i < count; i++) {
        size_t left = (size_t)(layout->end - cut);
        cut += left < chunk_bytes ? left : chunk_bytes;
        pieces[i].begin = begin;
        if (begin < cut)
            begin = layout->dialect.comment
                        ? spf_csv_next_line(&layout->dialect, cut - 1, layout->end)
                        : cut;
        pieces[i].end = begin;
    }
}

/* A chunk has the records that start after the line ends of its piece; the first chunk also has the
 * first record of the body. */
static size_t make_chunks(const spf_csv_layout *layout, const csv_piece *pieces, size_t count,
                          spf_csv_chunk *chunks) {
    size_t made = 0, rows = 0;
    int inside = 0;
    for (size_t i = 0; i < count; i++) {
        size_t records = pieces[i].records[inside];
        if (i == 0 || records > 0) {
            chunks[made].begin = i == 0 ? layout->body : pieces[i].first[inside];
            chunks[made].first_row = rows;
            chunks[made].rows = records + (i == 0);
            rows += chunks[made++].rows;
        }
        inside = pieces[i].inside[inside];
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
    split_job job = {layout, pieces};
    status = spf_parallel(parts, workers, look, &job);
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
