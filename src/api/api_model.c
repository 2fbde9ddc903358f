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

/* A part is not taken for a forest. */
static sporf_status refuse_part(const char *name, sporf_forest *forest, sporf_forest **out) {
    if (!spf_is_part(forest)) {
        *out = forest;
        return SPORF_OK;
    }
    sporf_status status =
        spf_raise(SPORF_ERROR_MODEL,
                  "%s is a part of a forest: it has trees %lu to %lu of %lu" SPF_HINT
                  "join all its parts first",
                  name, (unsigned long)forest->part.first + 1,
                  (unsigned long)(forest->part.first + forest->trees_count),
                  (unsigned long)forest->part.whole);
    sporf_forest_free(forest);
    return status;
}

sporf_status sporf_forest_load(const char *path, sporf_forest **out) {
    sporf_forest *forest = NULL;
    if (!path || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "loading needs a path and a place for "
                                               "the forest");
    SPF_TRY(spf_model_read(path, &forest));
    return refuse_part(path, forest, out);
}

sporf_status sporf_forest_map(const char *path, sporf_forest **out) {
    sporf_forest *forest = NULL;
    if (!path || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "opening needs a path and a place for the forest");
    SPF_TRY(spf_model_map(path, &forest));
    return refuse_part(path, forest, out);
}

sporf_status sporf_forest_check(sporf_forest *forest) {
    if (!forest) return spf_raise(SPORF_ERROR_ARGUMENT, "checking needs a forest");
    return spf_model_check(forest);
}

sporf_status sporf_forest_load_bytes(const void *bytes, size_t size, sporf_forest **out) {
    sporf_forest *forest = NULL;
    if (!bytes || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "loading needs bytes and a place for "
                                               "the forest");
    SPF_TRY(spf_model_decode(bytes, size, &forest));
    return refuse_part("the model", forest, out);
}

sporf_status sporf_forest_save_bytes(const sporf_forest *forest, void **bytes, size_t *size) {
    if (!forest || !bytes || !size)
        return spf_raise(SPORF_ERROR_ARGUMENT, "saving needs a forest and a place for the bytes");
    return spf_model_encode(forest, bytes, size);
}

void sporf_free(void *bytes) {
    free(bytes);
}
