/* One row of plain numbers: R's own steps around it would take longer than the trees. */
#include "core.h"
#include "routines.h"

#include <math.h>
#include <string.h>

uint32_t core_row(const sporf_forest *forest, const float *row, size_t features,
                  sporf_combine combine, double *out) {
    if (features != sporf_forest_features(forest)) return SPORF_NO_CLASS;
    for (size_t j = 0; j < features; j++)
        if (fabsf(row[j]) > 1e30F) return SPORF_NO_CLASS;
    return sporf_forest_predict_row(forest, row, combine, out);
}

/* ---- the row --------------------------------------------------------------------------------- */

static int is_plain(SEXP vector) {
    return (TYPEOF(vector) == REALSXP || TYPEOF(vector) == INTSXP) && !Rf_isObject(vector);
}

static float value_of(SEXP vector, R_xlen_t i) {
    if (TYPEOF(vector) == REALSXP) return (float)REAL_RO(vector)[i];
    return INTEGER_RO(vector)[i] == NA_INTEGER ? NAN : (float)INTEGER_RO(vector)[i];
}

/* R keeps each text once: those of the same bytes and encoding are the same object. */
static int is_among(SEXP name, SEXP names) {
    for (R_xlen_t j = 0; j < Rf_xlength(names); j++)
        if (STRING_ELT(names, j) == name) return 1;
    return 0;
}

/* Features without names are columns in their order; those with names, too, perhaps with other
 * columns between them. */
static int read_frame(SEXP frame, SEXP features, R_xlen_t count, float *row) {
    SEXP names = Rf_getAttrib(frame, R_NamesSymbol);
    R_xlen_t columns = Rf_xlength(frame), found = 0;
    int by_name = features != R_NilValue;
    if (by_name ? TYPEOF(names) != STRSXP : columns != count) return 0;
    for (R_xlen_t j = 0; j < columns; j++) {
        SEXP column = VECTOR_ELT(frame, j);
        if (by_name && (found == count || STRING_ELT(names, j) != STRING_ELT(features, found))) {
            if (is_among(STRING_ELT(names, j), features)) return 0;
            continue;
        }
        if (!is_plain(column) || Rf_xlength(column) != 1) return 0;
        row[found++] = value_of(column, 0);
    }
    return found == count;
}

static int read_matrix(SEXP matrix, SEXP features, R_xlen_t count, float *row) {
    if (!Rf_isMatrix(matrix) || !is_plain(matrix)) return 0;
    if (Rf_nrows(matrix) != 1 || Rf_ncols(matrix) != count) return 0;
    SEXP dimnames = Rf_getAttrib(matrix, R_DimNamesSymbol);
    SEXP names = dimnames == R_NilValue ? R_NilValue : VECTOR_ELT(dimnames, 1);
    int by_name = names != R_NilValue && features != R_NilValue;
    for (R_xlen_t j = 0; j < count; j++) {
        if (by_name && STRING_ELT(names, j) != STRING_ELT(features, j)) return 0;
        row[j] = value_of(matrix, j);
    }
    return 1;
}

/* ---- the result ------------------------------------------------------------------------------ */

static SEXP as_factor(uint32_t class_index, SEXP known) {
    SEXP factor = PROTECT(Rf_ScalarInteger(INTEGER_RO(core_element(known, "places"))[class_index]));
    Rf_setAttrib(factor, R_LevelsSymbol, core_element(known, "levels"));
    Rf_setAttrib(factor, R_ClassSymbol, Rf_mkString("factor"));
    UNPROTECT(1);
    return factor;
}

/* The library's classes in the order of R's levels. */
static SEXP as_shares(const double *shares, SEXP known) {
    const int *places = INTEGER_RO(core_element(known, "places"));
    SEXP levels = core_element(known, "levels");
    R_xlen_t classes = Rf_xlength(levels);
    SEXP matrix = PROTECT(Rf_allocMatrix(REALSXP, 1, (int)classes));
    SEXP dimnames = PROTECT(Rf_allocVector(VECSXP, 2));
    for (R_xlen_t k = 0; k < classes; k++) REAL(matrix)[k] = 0;
    for (R_xlen_t k = 0; k < Rf_xlength(core_element(known, "places")); k++)
        REAL(matrix)[places[k] - 1] = shares[k];
    SET_VECTOR_ELT(dimnames, 1, levels);
    Rf_setAttrib(matrix, R_DimNamesSymbol, dimnames);
    UNPROTECT(2);
    return matrix;
}

static SEXP as_result(SEXP object, SEXP predictions) {
    const char *names[] = {"predictions", "num.trees", "num.independent.variables",
                           "num.samples", "treetype",  ""};
    SEXP result = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(result, 0, predictions);
    SET_VECTOR_ELT(result, 3, Rf_ScalarInteger(1));
    SET_VECTOR_ELT(result, 1, core_element(object, names[1]));
    SET_VECTOR_ELT(result, 2, core_element(object, names[2]));
    SET_VECTOR_ELT(result, 4, core_element(object, names[4]));
    Rf_setAttrib(result, R_ClassSymbol, Rf_mkString("sporf.prediction"));
    UNPROTECT(1);
    return result;
}

/* ---- both ------------------------------------------------------------------------------------ */

/* "response" or "prob", the two that are answered here. */
static int is_type(SEXP type, const char *name) {
    return TYPEOF(type) == STRSXP && Rf_xlength(type) == 1 &&
           strcmp(CHAR(STRING_ELT(type, 0)), name) == 0;
}

/* Reads the row that `data` is; NULL where R has to look closer. */
static const float *row_of(SEXP known, SEXP data, size_t *count) {
    SEXP features = core_element(known, "features"), formula = core_element(known, "formula");
    if (Rf_asLogical(core_element(features, "any.levels"))) return NULL;
    if (formula != R_NilValue && core_element(formula, "terms") != R_NilValue) return NULL;
    *count = (size_t)Rf_asReal(core_element(features, "count"));
    float *row = (float *)(void *)R_alloc(*count + 1, sizeof *row);
    int is_read = (Rf_inherits(data, "data.frame") ? read_frame : read_matrix)(
        data, core_element(features, "names"), (R_xlen_t)*count, row);
    return is_read ? row : NULL;
}

/* What predict.sporf returns for a row; NULL where it has to look closer. */
SEXP core_predict_row(SEXP object, SEXP data, SEXP type) {
    SEXP failure = R_NilValue, known = core_element(object, "forest");
    int wants_shares = is_type(type, "prob");
    if (!wants_shares && !is_type(type, "response")) return R_NilValue;
    size_t count = 0;
    const float *row = row_of(known, data, &count);
    if (!row) return R_NilValue;
    const sporf_forest *forest = core_forest(core_element(object, "model"), &failure);
    if (!forest) return R_NilValue;

    size_t classes = sporf_forest_classes(forest), targets = sporf_forest_targets(forest);
    if (classes == 0 && (wants_shares || targets != 1)) return R_NilValue;
    int posteriors = Rf_asLogical(core_element(object, "probability"));
    sporf_combine combine = posteriors ? SPORF_COMBINE_POSTERIORS : SPORF_COMBINE_VOTES;
    double *out = (double *)(void *)R_alloc(classes + targets, sizeof *out);
    uint32_t class_index = core_row(forest, row, count, combine, out);
    if (class_index == SPORF_NO_CLASS) return R_NilValue;
    SEXP predictions = PROTECT(classes == 0                 ? Rf_ScalarReal(out[0])
                               : wants_shares || posteriors ? as_shares(out, known)
                                                            : as_factor(class_index, known));
    SEXP result = as_result(object, predictions);
    UNPROTECT(1);
    return result;
}
