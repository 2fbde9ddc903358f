/* The readers behind sporf_dataset_read: each turns the bytes of one format into a dataset. The
 * bytes are in memory as a whole (mapped, or unpacked); `name` is the file's for error messages. */
#ifndef SPF_DATA_READER_H
#define SPF_DATA_READER_H

#include "data/dataset.h"

typedef struct spf_source {
    const char *name;
    const char *bytes;
    size_t size;
    void *owned;  /* to free */
    void *mapped; /* to unmap */
    size_t mapped_size;
} spf_source;

/* Opens a file ("-": standard input), unpacking gzip; spf_source_close afterwards. */
sporf_status spf_source_open(const char *path, spf_source *source);
void spf_source_close(spf_source *source);

sporf_status spf_read_csv(const spf_source *source, const sporf_read_options *options,
                          sporf_dataset **out);
sporf_status spf_read_npy(const spf_source *source, const sporf_read_options *options,
                          sporf_dataset **out);
sporf_status spf_read_idx(const spf_source *source, const sporf_read_options *options,
                          sporf_dataset **out);
sporf_status spf_read_svmlight(const spf_source *source, const sporf_read_options *options,
                               sporf_dataset **out);

/* Chooses the reader by options->format, or by content. */
sporf_status spf_read_source(const spf_source *source, const sporf_read_options *options,
                             sporf_dataset **out);

#endif
