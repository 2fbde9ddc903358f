/* The model file: docs/model-format.md in code. Writing is atomic, reading validates everything. */
#ifndef SPF_IO_MODEL_FILE_H
#define SPF_IO_MODEL_FILE_H

#include "model/forest.h"

sporf_status spf_model_write(const sporf_forest *forest, const char *path);
sporf_status spf_model_read(const char *path, sporf_forest **out);

/* Maps a file and reads only what lies before its trees, which are not trusted until
 * spf_model_check has read them. */
sporf_status spf_model_map(const char *path, sporf_forest **out);
sporf_status spf_model_check(sporf_forest *forest);

/* Reads and checks them all the same, but remembers nothing. */
sporf_status spf_model_verify(const sporf_forest *forest);

/* The same from and to memory. Bytes given to encode's caller are freed with free(). */
sporf_status spf_model_encode(const sporf_forest *forest, void **bytes, size_t *size);
sporf_status spf_model_decode(const void *bytes, size_t size, sporf_forest **out);

#endif
