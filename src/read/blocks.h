/* Reading a table block by block: shared by the formats. */
#ifndef SPF_READ_BLOCKS_H
#define SPF_READ_BLOCKS_H

#include "read/csv_parts.h"
#include "read/typed.h"
#include "read/window.h"

struct sporf_reader {
    const char *path;     /* of the open file */
    size_t files_done;    /* of several files: those before the open one */
    uint64_t bytes_done;  /* bytes of the files done */
    uint64_t bytes_all;   /* of all files; 0 if unknown */
    const char *first;    /* name of the first file */
    spf_csv_layout shape; /* its layout, when others are read */
    spf_typed wide;       /* its matrix */
    sporf_read_options options;
    sporf_format format;
    size_t block_bytes; /* approximate size of a block, as a table and in the file */
    spf_window window;
    int started; /* a block has been returned */
    int ended;   /* the last one has been returned */
    /* for text formats */
    spf_source part; /* the block, treated as a file */
    size_t lines;    /* line ends before the rest */
    spf_csv_layout layout;
    /* for matrices */
    spf_typed matrix;
    size_t rows_done;
    int scattered;           /* the rows of a block are not contiguous in the file */
    uint64_t values;         /* then: offset of the values in the file */
    unsigned char *gathered; /* then: the values of a block */
    size_t gathered_capacity;
};

/* The public functions with blocks of about block_bytes. Results must not depend on that size. */
sporf_status spf_reader_open(const char *path, const sporf_read_options *given, size_t block_bytes,
                             sporf_reader **out);

/* How many rows of `features` numbers make a block, at most `asked`. */
static inline size_t spf_reader_rows(const sporf_reader *reader, size_t features, size_t asked) {
    size_t rows = reader->block_bytes / sizeof(float) / (features > 0 ? features : 1);
    if (rows > SPF_ROWS_MAX) rows = SPF_ROWS_MAX;
    if (rows > asked) rows = asked;
    return rows > 0 ? rows : 1;
}

/* For each format: reads the start of the file; reads the next block of at most `rows`, and leaves
 * *out NULL if none is left. */
sporf_status spf_csv_start(sporf_reader *reader);
sporf_status spf_csv_next(sporf_reader *reader, size_t rows, sporf_dataset **out);
sporf_status spf_svmlight_next(sporf_reader *reader, size_t rows, sporf_dataset **out);
sporf_status spf_matrix_start(sporf_reader *reader);
sporf_status spf_matrix_next(sporf_reader *reader, size_t rows, sporf_dataset **out);

#endif
