/* The readers behind sporf_dataset_read: each turns the bytes of one format into a dataset. The
 * bytes are in memory as a whole; `name` is the file's for error messages. */
#ifndef SPF_READ_READER_H
#define SPF_READ_READER_H

#include "data/dataset.h"

struct spf_original;

/* Where the lines of one of several files lie that were put together. */
typedef struct spf_source_part {
    const char *name;
    size_t begin; /* among the bytes of all */
    size_t lines; /* line ends of the file in front of them */
} spf_source_part;

typedef struct spf_source {
    const char *name;
    const char *bytes; /* bytes[size] is a readable NUL */
    size_t size;
    size_t lines;                  /* line ends in front of bytes, where these are not the first */
    int single;                    /* a table of one column is expected */
    void *owned;                   /* to free */
    struct spf_original *original; /* the file on disk that they were read from, or NULL */
    const spf_source_part *parts;  /* [parts_count], where they are those of several files */
    size_t parts_count;
} spf_source;

/* The line that a byte lies in, from 1, and its file. */
size_t spf_source_line(const spf_source *source, char line_end, const char *at, const char **name);

/* Reads a file ("-": standard input), unpacking gzip; spf_source_close afterwards. Its bytes count
 * against max_memory, 0 for no limit. */
sporf_status spf_source_open(const char *path, uint64_t max_memory, spf_source *source);
void spf_source_close(spf_source *source);

/* Tells that some bytes have been read and need not stay in memory, as long as they could be read
 * from disk again: from then on they may be gone. A source of NULL is none. */
void spf_source_release(const spf_source *source, const void *begin, size_t size);

/* Reads again what was released. */
sporf_status spf_source_restore(const spf_source *source);

/* Raises SPORF_ERROR_MEMORY, with the figures, for a table that is beyond max_memory together with
 * the bytes held for its source, or beyond the memory of this machine where there is no limit. */
sporf_status spf_source_check_table(const spf_source *source, size_t rows, size_t features,
                                    uint64_t max_memory);

/* The same for a table that needs bytes beside it while it is made; how many there may be; and the
 * error where they turn out to be texts that need more. */
sporf_status spf_source_check_memory(const spf_source *source, size_t rows, size_t features,
                                     uint64_t beside, uint64_t max_memory);
uint64_t spf_source_memory_left(const spf_source *source, size_t rows, size_t features,
                                uint64_t max_memory);
sporf_status spf_source_raise_texts(const spf_source *source, uint64_t max_memory);

/* A reader takes options that are complete and checked. A table of a label column and nothing else
 * comes out with no features. */
sporf_status spf_read_csv(const spf_source *source, const sporf_read_options *options,
                          sporf_dataset **out);
sporf_status spf_read_npy(const spf_source *source, const sporf_read_options *options,
                          sporf_dataset **out);
sporf_status spf_read_idx(const spf_source *source, const sporf_read_options *options,
                          sporf_dataset **out);
sporf_status spf_read_svmlight(const spf_source *source, const sporf_read_options *options,
                               sporf_dataset **out);

/* The same, cut for the threads into pieces of about chunk_bytes: the result must not depend on it.
 */
sporf_status spf_read_csv_in_chunks(const spf_source *source, const sporf_read_options *options,
                                    size_t chunk_bytes, sporf_dataset **out);

/* The matrix that a file holds, where it lies. The source holds at least the header; the file must
 * have as many bytes as that says, unless 0 says that nobody knows. */
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

/* The options as this version knows them, checked. */
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
