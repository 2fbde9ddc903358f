/* The public functions for model files. */
#include "base/parallel.h"
#include "io/model_file.h"

#include <stdlib.h>

const char *sporf_version(void) {
    return SPORF_VERSION;
}

unsigned sporf_cores(void) {
    return spf_thread_count(0);
}

sporf_status sporf_forest_save(const sporf_forest *forest, const char *path) {
    if (!forest || !path)
        return spf_raise(SPORF_ERROR_ARGUMENT, "saving needs a forest and a path");
    return spf_model_write(forest, path);
}

sporf_status sporf_forest_load(const char *path, sporf_forest **out) {
    if (!path || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "loading needs a path and a place for "
                                               "the forest");
    return spf_model_read(path, out);
}

sporf_status sporf_forest_map(const char *path, sporf_forest **out) {
    if (!path || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "opening needs a path and a place for the forest");
    return spf_model_map(path, out);
}

sporf_status sporf_forest_check(sporf_forest *forest) {
    if (!forest) return spf_raise(SPORF_ERROR_ARGUMENT, "checking needs a forest");
    return spf_model_check(forest);
}

sporf_status sporf_forest_load_bytes(const void *bytes, size_t size, sporf_forest **out) {
    if (!bytes || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "loading needs bytes and a place for "
                                               "the forest");
    return spf_model_decode(bytes, size, out);
}

sporf_status sporf_forest_save_bytes(const sporf_forest *forest, void **bytes, size_t *size) {
    if (!forest || !bytes || !size)
        return spf_raise(SPORF_ERROR_ARGUMENT, "saving needs a forest and a place for the bytes");
    return spf_model_encode(forest, bytes, size);
}

void sporf_free(void *bytes) {
    free(bytes);
}
