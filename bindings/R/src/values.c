/* Failures and texts as values of R's. */
#include "core.h"

#include <stdio.h>
#include <string.h>

/* ---- failures -------------------------------------------------------------------------------- */

/* Copies a text to *to, which moves behind it. */
static const char *keep_text(const char *text, char **to, const char *end) {
    char *begin = *to;
    if (!text) return NULL;
    int length = snprintf(begin, (size_t)(end - begin), "%s", text);
    *to = length + 1 < end - begin ? begin + length + 1 : begin + strlen(begin);
    return begin;
}

void core_error_keep(sporf_status status, core_error *kept) {
    const sporf_error *error = sporf_error_details();
    char *to = kept->text, *end = kept->text + sizeof kept->text;
    kept->status = status;
    kept->count = error->parts_count < CORE_PARTS_MAX ? error->parts_count : CORE_PARTS_MAX;
    for (size_t i = 0; i < kept->count; i++) {
        kept->parts[i] = error->parts[i];
        kept->parts[i].text = keep_text(error->parts[i].text, &to, end);
        kept->parts[i].value = keep_text(error->parts[i].value, &to, end);
    }
}

static const char *kind_name(sporf_part_kind kind) {
    static const char *const names[] = {
        [SPORF_PART_TEXT] = "text",     [SPORF_PART_HINT] = "hint",
        [SPORF_PART_OPTION] = "option", [SPORF_PART_FILE] = "file",
        [SPORF_PART_LINE] = "line",     [SPORF_PART_ROW] = "row",
        [SPORF_PART_COLUMN] = "column", [SPORF_PART_NUMBERED] = "numbered",
        [SPORF_PART_CELL] = "cell"};
    return names[kind];
}

SEXP core_failure_of(const core_error *error) {
    const char *names[] = {"status", "kind", "text", "value", "number", ""};
    R_xlen_t count = (R_xlen_t)error->count;
    SEXP failure = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(failure, 0, Rf_ScalarInteger((int)error->status));
    SEXP kinds = Rf_allocVector(STRSXP, count);
    SET_VECTOR_ELT(failure, 1, kinds);
    SEXP texts = Rf_allocVector(STRSXP, count);
    SET_VECTOR_ELT(failure, 2, texts);
    SEXP values = Rf_allocVector(STRSXP, count);
    SET_VECTOR_ELT(failure, 3, values);
    SEXP numbers = Rf_allocVector(REALSXP, count);
    SET_VECTOR_ELT(failure, 4, numbers);
    for (R_xlen_t i = 0; i < count; i++) {
        SET_STRING_ELT(kinds, i, Rf_mkChar(kind_name(error->parts[i].kind)));
        SET_STRING_ELT(texts, i, core_text(error->parts[i].text));
        SET_STRING_ELT(values, i, core_text(error->parts[i].value));
        REAL(numbers)[i] = (double)error->parts[i].number;
    }
    Rf_setAttrib(failure, R_ClassSymbol, Rf_mkString("sporf_failure"));
    UNPROTECT(1);
    return failure;
}

SEXP core_failure(sporf_status status) {
    core_error error;
    core_error_keep(status, &error);
    return core_failure_of(&error);
}

SEXP core_failure_text(sporf_status status, const char *text) {
    core_error error = {.status = status, .count = 1};
    error.parts[0] = (sporf_part){.kind = SPORF_PART_TEXT, .text = text};
    return core_failure_of(&error);
}

/* ---- texts ----------------------------------------------------------------------------------- */

SEXP core_text(const char *text) {
    return text ? Rf_mkCharCE(text, CE_UTF8) : NA_STRING;
}

SEXP core_strings(const char *const *texts, size_t count) {
    SEXP strings = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count));
    for (size_t i = 0; i < count; i++) SET_STRING_ELT(strings, (R_xlen_t)i, core_text(texts[i]));
    UNPROTECT(1);
    return strings;
}

const char *core_utf8(SEXP strings, R_xlen_t i) {
    return Rf_translateCharUTF8(STRING_ELT(strings, i));
}

const char *const *core_texts(SEXP strings) {
    R_xlen_t count = Rf_xlength(strings);
    if (count == 0) return NULL;
    const char **texts = (const char **)R_alloc((size_t)count, sizeof *texts);
    for (R_xlen_t i = 0; i < count; i++) texts[i] = core_utf8(strings, i);
    return texts;
}

int core_is_pointer(SEXP value, const char *tag) {
    return TYPEOF(value) == EXTPTRSXP && R_ExternalPtrTag(value) == Rf_install(tag);
}

SEXP core_element(SEXP list, const char *name) {
    SEXP names = Rf_getAttrib(list, R_NamesSymbol);
    for (R_xlen_t i = 0; i < Rf_xlength(names); i++)
        if (strcmp(CHAR(STRING_ELT(names, i)), name) == 0) return VECTOR_ELT(list, i);
    return R_NilValue;
}
