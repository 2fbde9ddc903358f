/* The readers behind sporf_dataset_read: each turns the bytes of one format into a dataset. All
 * bytes are in memory; `name` is the file for error messages. */
#ifndef SPF_READ_READER_H
#define SPF_READ_READER_H

#include "data/dataset.h"

struct spf_original;

/* The lines of one of several joined files. */
typedef struct spf_source_part {
    const char *name;
    size_t begin; /* offset among the joined bytes */
    size_t lines; /* line ends of the file before them */
} spf_source_part;

typedef struct spf_source {
    const char *name;
    const char *bytes; /* bytes[size] is a readable NUL */
    size_t size;
    size_t lines;                  /* line ends before bytes, for a part of a file */
    int single;                    /* a table of one column is expected */
    void *owned;                   /* to free */
    struct spf_original *original; /* the file on disk that the bytes were read from, or NULL */
    const spf_source_part *parts;  /* [parts_count]: the files, if several were joined */
    size_t parts_count;
} spf_source;

/* The line of a byte, from 1, and its file. */
size_t spf_source_line(const spf_source *source, char line_end, const char *at, const char **name);

/* Reads a file ("-": standard input), unpacking gzip; spf_source_close afterwards. Its bytes count
 * against max_memory (0: the memory of the machine). */
sporf_status spf_source_open(const char *path, uint64_t max_memory, spf_source *source);
void spf_source_close(spf_source *source);

/* Marks bytes as read. They may then be dropped from memory if they can be read from disk again. A
 * source of NULL is ignored. */
void spf_source_release(const spf_source *source, const void *begin, size_t size);

/* Reads dropped bytes again. */
sporf_status spf_source_restore(const spf_source *source);

/* Raises SPORF_ERROR_MEMORY, with the figures, if a table and the bytes held for its source exceed
 * max_memory (0: the memory of the machine). */
sporf_status spf_source_check_table(const spf_source *source, size_t rows, size_t features,
                                    uint64_t max_memory);

/* The same for a table that needs `beside` more bytes while it is made; the bytes that remain; and
 * the error for texts that need more. */
sporf_status spf_source_check_memory(const spf_source *source, size_t rows, size_t features,
                                     uint64_t beside, uint64_t max_memory);
uint64_t spf_source_memory_left(const spf_source *source, size_t rows, size_t features,
                                uint64_t max_memory);
sporf_status spf_source_raise_texts(const spf_source *source, uint64_t max_memory);

/* Readers take complete and checked options. A table with only a label column has no features. */
sporf_status spf_read_csv(const spf_source *source, const sporf_read_options *options,
                          sporf_dataset **out);
sporf_status spf_read_npy(const spf_source *source, const sporf_read_options *options,
                          sporf_dataset **out);
sporf_status spf_read_idx(const spf_source *source, const sporf_read_options *options,
                          sporf_dataset **out);
sporf_status spf_read_svmlight(const spf_source *source, const sporf_read_options *options,
                               sporf_dataset **out);

/* The same with chunks of about chunk_bytes for the threads. Results must not depend on that
 * size. */
sporf_status spf_read_csv_in_chunks(const spf_source *source, const sporf_read_options *options,
                                    size_t chunk_bytes, sporf_dataset **out);

/* The matrix in a file, in place. The source holds at least the header; file_bytes must agree with
 * it (0: size unknown). */
struct spf_typed;
sporf_status spf_npy_matrix(const spf_source *source, uint64_t file_bytes,
                            struct spf_typed *matrix);
sporf_status spf_idx_matrix(const spf_source *source, uint64_t file_bytes,
                            struct spf_typed *matrix);

/* Whether there is anything but blank lines and comments. */
int spf_svmlight_has_rows(const spf_source *source);

/* Whether the bytes look like the format. */
int spf_is_npy(const spf_source *source);
int spf_is_idx(const spf_source *source);
int spf_is_svmlight(const spf_source *source);

/* The options as this version knows them, checked and completed. */
sporf_status spf_read_options_complete(const sporf_read_options *given,
                                       sporf_read_options *options);

/* The format by options->format, or by content. */
sporf_status spf_find_format(const spf_source *source, const sporf_read_options *options,
                             sporf_format *format);

/* Raises SPORF_ERROR_DATA for a table without features. */
sporf_status spf_check_features(const sporf_dataset *data, const sporf_read_options *options,
                                const char *name);

/* Chooses the reader by options->format, or by content. */
sporf_status spf_read_source(const spf_source *source, const sporf_read_options *options,
                             sporf_dataset **out);

#endif
