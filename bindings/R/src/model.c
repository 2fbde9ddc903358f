/* Pointers to models. Beside each lie the bytes of its file, which R saves with it; a pointer that
 * was read back has no address, and is loaded from them when it is used. */
#include "core.h"
#include "routines.h"

#include <string.h>

static const char model_tag[] = "sporf";

static void model_free(SEXP pointer) {
    sporf_forest_free(R_ExternalPtrAddr(pointer));
    R_ClearExternalPtr(pointer);
}

static SEXP bytes_of(const sporf_forest *forest) {
    void *bytes = NULL;
    size_t size = 0;
    sporf_status status = sporf_forest_save_bytes(forest, &bytes, &size);
    if (status != SPORF_OK) return core_failure(status);
    SEXP raw = Rf_allocVector(RAWSXP, (R_xlen_t)size);
    memcpy(RAW(raw), bytes, size);
    sporf_free(bytes);
    return raw;
}

SEXP core_model_new(sporf_forest *forest) {
    SEXP pointer = PROTECT(R_MakeExternalPtr(forest, Rf_install(model_tag), R_NilValue));
    R_RegisterCFinalizerEx(pointer, model_free, TRUE);
    UNPROTECT(1);
    return pointer;
}

static SEXP lost(void) {
    return core_failure_text(SPORF_ERROR_MODEL,
                             "the model is lost: train it again, or read it from a file");
}

sporf_forest *core_forest(SEXP pointer, SEXP *failure) {
    sporf_forest *forest = NULL;
    if (!core_is_pointer(pointer, model_tag)) {
        *failure = lost();
        return NULL;
    }
    if ((forest = R_ExternalPtrAddr(pointer))) return forest;
    SEXP bytes = R_ExternalPtrProtected(pointer);
    if (TYPEOF(bytes) != RAWSXP) {
        *failure = lost();
        return NULL;
    }
    sporf_status status = sporf_forest_load_bytes(RAW(bytes), (size_t)Rf_xlength(bytes), &forest);
    if (status == SPORF_OK) {
        R_SetExternalPtrAddr(pointer, forest);
        R_RegisterCFinalizerEx(pointer, model_free, TRUE);
    } else {
        *failure = core_failure(status);
    }
    return forest;
}

/* Lays the bytes beside a new model, once the memory of the training is free. */
SEXP core_model_keep(SEXP pointer) {
    SEXP failure = R_NilValue;
    const sporf_forest *forest = core_forest(pointer, &failure);
    if (!forest) return failure;
    SEXP bytes = PROTECT(bytes_of(forest));
    if (TYPEOF(bytes) == RAWSXP) R_SetExternalPtrProtected(pointer, bytes);
    UNPROTECT(1);
    return TYPEOF(bytes) == RAWSXP ? R_NilValue : bytes;
}

SEXP core_model_bytes(SEXP pointer) {
    SEXP failure = R_NilValue;
    return core_forest(pointer, &failure) ? R_ExternalPtrProtected(pointer) : failure;
}

SEXP core_model_load(SEXP bytes) {
    SEXP failure = R_NilValue;
    SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, Rf_install(model_tag), bytes));
    sporf_forest *forest = core_forest(pointer, &failure);
    UNPROTECT(1);
    return forest ? pointer : failure;
}

SEXP core_model_read(SEXP path) {
    sporf_forest *forest = NULL;
    sporf_status status = sporf_forest_load(core_utf8(path, 0), &forest);
    if (status != SPORF_OK) return core_failure(status);
    if (sporf_schema_label_columns(sporf_forest_schema(forest)) == 0) return core_model_new(forest);
    sporf_forest_free(forest);
    return core_failure_text(SPORF_ERROR_MODEL,
                             "the model predicts several labels, which this package does not: use "
                             "the command or Python");
}

SEXP core_model_write(SEXP pointer, SEXP path) {
    SEXP failure = R_NilValue;
    const sporf_forest *forest = core_forest(pointer, &failure);
    if (!forest) return failure;
    sporf_status status = sporf_forest_save(forest, core_utf8(path, 0));
    return status == SPORF_OK ? R_NilValue : core_failure(status);
}
