/* Pointers to models. Beside each lie the bytes of its file, which R saves with it; a pointer that
 * was read back has no address, and is loaded from them when it is used. */
#include "core.h"
#include "routines.h"

#include <string.h>

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
    SEXP pointer = PROTECT(R_MakeExternalPtr(forest, Rf_install("sporf"), R_NilValue));
    R_RegisterCFinalizerEx(pointer, model_free, TRUE);
    UNPROTECT(1);
    return pointer;
}

/* Lays the bytes beside a new model, once the memory of the training is free. */
SEXP core_model_keep(SEXP pointer) {
    SEXP bytes = PROTECT(bytes_of(R_ExternalPtrAddr(pointer)));
    if (TYPEOF(bytes) == RAWSXP) R_SetExternalPtrProtected(pointer, bytes);
    UNPROTECT(1);
    return TYPEOF(bytes) == RAWSXP ? R_NilValue : bytes;
}

sporf_forest *core_forest(SEXP pointer, SEXP *failure) {
    sporf_forest *forest = R_ExternalPtrAddr(pointer);
    if (forest) return forest;
    SEXP bytes = R_ExternalPtrProtected(pointer);
    sporf_status status =
        TYPEOF(bytes) == RAWSXP
            ? sporf_forest_load_bytes(RAW(bytes), (size_t)Rf_xlength(bytes), &forest)
            : SPORF_ERROR_MODEL;
    if (status == SPORF_OK) {
        R_SetExternalPtrAddr(pointer, forest);
        R_RegisterCFinalizerEx(pointer, model_free, TRUE);
    } else {
        *failure = TYPEOF(bytes) == RAWSXP ? core_failure(status)
                                           : core_failure_text(status, "the model is lost");
    }
    return forest;
}

SEXP core_model_bytes(SEXP pointer) {
    return R_ExternalPtrProtected(pointer);
}

SEXP core_model_load(SEXP bytes) {
    SEXP failure = R_NilValue;
    SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, Rf_install("sporf"), bytes));
    sporf_forest *forest = core_forest(pointer, &failure);
    UNPROTECT(1);
    return forest ? pointer : failure;
}

SEXP core_model_read(SEXP path) {
    sporf_forest *forest = NULL;
    sporf_status status = sporf_forest_load(core_utf8(path, 0), &forest);
    return status == SPORF_OK ? core_model_new(forest) : core_failure(status);
}

SEXP core_model_write(SEXP pointer, SEXP path) {
    SEXP failure = R_NilValue;
    const sporf_forest *forest = core_forest(pointer, &failure);
    if (!forest) return failure;
    sporf_status status = sporf_forest_save(forest, core_utf8(path, 0));
    return status == SPORF_OK ? R_NilValue : core_failure(status);
}
