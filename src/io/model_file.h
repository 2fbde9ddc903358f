/* The model file, described in docs/model-format.md. Writing is atomic, reading validates
 * everything. */
#ifndef SPF_IO_MODEL_FILE_H
#define SPF_IO_MODEL_FILE_H

#include "model/forest.h"

sporf_status spf_model_write(const sporf_forest *forest, const char *path);
sporf_status spf_model_read(const char *path, sporf_forest **out);

/* Maps a file and reads only the sections before its trees, which are not trusted until
 * spf_model_check has read them. */
sporf_status spf_model_map(const char *path, sporf_forest **out);
sporf_status spf_model_check(sporf_forest *forest);

/* Reads and checks the trees as well, but does not record the result. */
sporf_status spf_model_verify(const sporf_forest *forest);

/* The same from and to memory. The bytes of spf_model_encode are freed with free(). */
sporf_status spf_model_encode(const sporf_forest *forest, void **bytes, size_t *size);
sporf_status spf_model_decode(const void *bytes, size_t size, sporf_forest **out);

#endif
