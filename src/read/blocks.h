/* Reading a table block by block: what the formats share. */
#ifndef SPF_READ_BLOCKS_H
#define SPF_READ_BLOCKS_H

#include "read/csv_parts.h"
#include "read/typed.h"
#include "read/window.h"

struct sporf_reader {
    const char *path;     /* of the file that is open */
    size_t files_done;    /* of several, before it */
    uint64_t bytes_done;  /* of these */
    uint64_t bytes_all;   /* of all files; 0 where nobody knows */
    const char *first;    /* the first one's name */
    spf_csv_layout shape; /* and layout, when others are read */
    spf_typed wide;       /* or matrix */
    sporf_read_options options;
    sporf_format format;
    size_t block_bytes; /* a block takes about as much, as a table and in the file */
    spf_window window;
    int started; /* a block has been handed out */
    int ended;   /* the last one has */
    /* of text */
    spf_source part; /* the block, as if it were a file */
    size_t lines;    /* line ends in front of what is left */
    spf_csv_layout layout;
    /* of matrices */
    spf_typed matrix;
    size_t rows_done;
    int scattered;           /* the rows of a block lie far apart in the file */
    uint64_t values;         /* where the values begin there, then */
    unsigned char *gathered; /* values of a block, then */
    size_t gathered_capacity;
};

/* The public functions with blocks of about block_bytes: no result may depend on it. */
sporf_status spf_reader_open(const char *path, const sporf_read_options *given, size_t block_bytes,
                             sporf_reader **out);

/* Rows of `features` numbers that make a block, at most as many as asked for. */
static inline size_t spf_reader_rows(const sporf_reader *reader, size_t features, size_t asked) {
    size_t rows = reader->block_bytes / sizeof(float) / (features > 0 ? features : 1);
    if (rows > SPF_ROWS_MAX) rows = SPF_ROWS_MAX;
    if (rows > asked) rows = asked;
    return rows > 0 ? rows : 1;
}

/* For each format: looks at the start of the file; reads the next block of at most `rows`, where
 * *out stays NULL if none is left. */
sporf_status spf_csv_start(sporf_reader *reader);
sporf_status spf_csv_next(sporf_reader *reader, size_t rows, sporf_dataset **out);
sporf_status spf_svmlight_next(sporf_reader *reader, size_t rows, sporf_dataset **out);
sporf_status spf_matrix_start(sporf_reader *reader);
sporf_status spf_matrix_next(sporf_reader *reader, size_t rows, sporf_dataset **out);

#endif
