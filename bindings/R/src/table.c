/* Tables of R's as the library sees them: in single precision, column by column. */
#include "core.h"
#include "routines.h"

#include <math.h>
#include <stdlib.h>

/* ---- columns --------------------------------------------------------------------------------- */

core_table core_table_of(SEXP list) {
    core_table table = {.values = core_element(list, "values"),
                        .names = core_element(list, "names"),
                        .levels = core_element(list, "levels"),
                        .codes = core_element(list, "codes"),
                        .is_ordered = core_element(list, "ordered")};
    if (Rf_isMatrix(table.values)) {
        table.rows = (size_t)Rf_nrows(table.values);
        table.columns = (size_t)Rf_ncols(table.values);
    } else {
        table.columns = (size_t)Rf_xlength(table.values);
        table.rows = (size_t)Rf_asReal(core_element(list, "rows"));
    }
    return table;
}

int core_table_is_whole(const core_table *table) {
    if (Rf_isMatrix(table->values)) return 1;
    for (size_t j = 0; j < table->columns; j++)
        if ((size_t)Rf_xlength(VECTOR_ELT(table->values, (R_xlen_t)j)) != table->rows) return 0;
    return 1;
}

static void copy_reals(const double *from, size_t rows, float *to) {
    for (size_t i = 0; i < rows; i++) to[i] = (float)from[i];
}

static void copy_whole(const int *from, size_t rows, float *to) {
    for (size_t i = 0; i < rows; i++) to[i] = from[i] == NA_INTEGER ? NAN : (float)from[i];
}

/* The codes of a factor as numbers of the model's levels. */
static void copy_levels(const int *from, size_t rows, SEXP codes, float *to) {
    const int *level = INTEGER(codes);
    R_xlen_t count = Rf_xlength(codes);
    for (size_t i = 0; i < rows; i++) {
        int is_known = from[i] > 0 && from[i] <= count;
        int number = is_known ? level[from[i] - 1] : NA_INTEGER;
        to[i] = number == NA_INTEGER ? NAN : (float)number;
    }
}

static void copy_vector(SEXP vector, size_t first, size_t rows, SEXP codes, float *to) {
    if (codes != R_NilValue)
        copy_levels(INTEGER(vector) + first, rows, codes, to);
    else if (TYPEOF(vector) == REALSXP)
        copy_reals(REAL(vector) + first, rows, to);
    else
        copy_whole((TYPEOF(vector) == LGLSXP ? LOGICAL(vector) : INTEGER(vector)) + first, rows,
                   to);
}

static SEXP codes_of(const core_table *table, size_t column) {
    return table->codes == R_NilValue ? R_NilValue : VECTOR_ELT(table->codes, (R_xlen_t)column);
}

void core_table_copy(const core_table *table, size_t first, size_t rows, float *to) {
    int is_matrix = Rf_isMatrix(table->values);
    for (size_t j = 0; j < table->columns; j++) {
        SEXP vector = is_matrix ? table->values : VECTOR_ELT(table->values, (R_xlen_t)j);
        size_t start = is_matrix ? j * table->rows + first : first;
        copy_vector(vector, start, rows, codes_of(table, j), to + j * rows);
    }
}

static sporf_status set_levels(const core_table *table, sporf_dataset *data) {
    for (size_t j = 0; table->levels != R_NilValue && j < table->columns; j++) {
        SEXP names = VECTOR_ELT(table->levels, (R_xlen_t)j);
        if (names == R_NilValue) continue;
        sporf_kind kind = LOGICAL(table->is_ordered)[j] ? SPORF_KIND_ORDINAL : SPORF_KIND_CATEGORY;
        sporf_status status =
            sporf_dataset_set_levels(data, j, kind, core_texts(names), (size_t)Rf_xlength(names));
        if (status != SPORF_OK) return status;
    }
    return SPORF_OK;
}

sporf_status core_table_dataset(const core_table *table, const float *values, size_t rows,
                                sporf_dataset **out) {
    sporf_matrix matrix = {values, SPORF_FLOAT32, rows, table->columns, 1, rows};
    sporf_status status = sporf_dataset_from_matrix(&matrix, out);
    if (status != SPORF_OK) return status;
    status = set_levels(table, *out);
    if (status == SPORF_OK && table->names != R_NilValue)
        status = sporf_dataset_set_feature_names(*out, core_texts(table->names), table->columns);
    if (status == SPORF_OK) return status;
    sporf_dataset_free(*out);
    *out = NULL;
    return status;
}

/* Whether all columns of a data frame are plain numbers, without a class. */
SEXP core_is_plain(SEXP frame) {
    for (R_xlen_t j = 0; j < Rf_xlength(frame); j++) {
        SEXP column = VECTOR_ELT(frame, j);
        if (TYPEOF(column) != REALSXP || Rf_isObject(column)) return Rf_ScalarLogical(0);
    }
    return Rf_ScalarLogical(1);
}

/* ---- datasets -------------------------------------------------------------------------------- */

static const char dataset_tag[] = "sporf dataset";

typedef struct {
    sporf_dataset *data;
    float *values; /* that the dataset borrows; NULL: it has its own */
} dataset;

static void dataset_free(SEXP pointer) {
    dataset *self = R_ExternalPtrAddr(pointer);
    if (!self) return;
    sporf_dataset_free(self->data);
    free(self->values);
    free(self);
    R_ClearExternalPtr(pointer);
}

/* An empty one, which R frees. */
static SEXP dataset_new(dataset **self) {
    *self = calloc(1, sizeof **self);
    SEXP pointer = PROTECT(R_MakeExternalPtr(*self, Rf_install(dataset_tag), R_NilValue));
    R_RegisterCFinalizerEx(pointer, dataset_free, TRUE);
    UNPROTECT(1);
    return pointer;
}

sporf_dataset *core_data(SEXP pointer) {
    dataset *self = core_is_pointer(pointer, dataset_tag) ? R_ExternalPtrAddr(pointer) : NULL;
    if (!self || !self->data) Rf_error("the dataset is gone");
    return self->data;
}

static SEXP no_memory(void) {
    return core_failure_text(SPORF_ERROR_MEMORY, "out of memory");
}

SEXP core_dataset(SEXP list) {
    core_table table = core_table_of(list);
    if (!core_table_is_whole(&table)) return core_failure_text(SPORF_ERROR_DATA, CORE_NOT_WHOLE);
    dataset *self;
    SEXP pointer = PROTECT(dataset_new(&self)), result = pointer;
    size_t cells = table.rows * table.columns;
    if (self) self->values = malloc((cells > 0 ? cells : 1) * sizeof *self->values);
    if (!self || !self->values) {
        result = no_memory();
    } else {
        core_table_copy(&table, 0, table.rows, self->values);
        sporf_status status = core_table_dataset(&table, self->values, table.rows, &self->data);
        if (status != SPORF_OK) result = core_failure(status);
    }
    UNPROTECT(1);
    return result;
}

/* At most so many rows of a dataset, without replacement: each is taken with the chance that makes
 * all samples equally likely (Knuth's algorithm S). The command draws the same. */
SEXP core_dataset_draw(SEXP pointer, SEXP number, SEXP seed) {
    const sporf_dataset *data = core_data(pointer);
    size_t rows = sporf_dataset_rows(data), most = (size_t)Rf_asReal(number), count = 0;
    if (most > rows) most = rows;
    uint32_t *chosen = (uint32_t *)(void *)R_alloc(most + 1, sizeof *chosen);
    uint64_t state = ((uint64_t)Rf_asReal(seed) * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u) | 1;
    for (size_t i = 0; i < rows; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        if (state % (rows - i) < most - count) chosen[count++] = (uint32_t)i;
    }
    dataset *self;
    SEXP drawn = PROTECT(dataset_new(&self)), result = drawn;
    if (!self) {
        result = no_memory();
    } else {
        sporf_status status = sporf_dataset_select(data, chosen, count, &self->data);
        if (status != SPORF_OK) result = core_failure(status);
    }
    UNPROTECT(1);
    return result;
}

SEXP core_dataset_free(SEXP pointer) {
    dataset_free(pointer);
    return R_NilValue;
}

/* ---- what is to be predicted, and weights ---------------------------------------------------- */

static SEXP done(sporf_status status) {
    return status == SPORF_OK ? R_NilValue : core_failure(status);
}

static const char *name_of(SEXP name) {
    return name == R_NilValue ? NULL : core_utf8(name, 0);
}

SEXP core_set_labels(SEXP pointer, SEXP codes, SEXP levels, SEXP name) {
    sporf_dataset *data = core_data(pointer);
    const char *const *texts = core_texts(levels);
    size_t rows = (size_t)Rf_xlength(codes);
    const char **labels = malloc((rows > 0 ? rows : 1) * sizeof *labels);
    if (!labels) return no_memory();
    R_xlen_t count = Rf_xlength(levels);
    for (size_t i = 0; i < rows; i++) {
        int code = INTEGER(codes)[i];
        labels[i] = code > 0 && code <= count ? texts[code - 1] : ""; /* which is refused */
    }
    sporf_status status = sporf_dataset_set_labels_text(data, labels, rows);
    free(labels);
    if (status == SPORF_OK) status = sporf_dataset_set_label_name(data, name_of(name));
    return done(status);
}

SEXP core_set_targets(SEXP pointer, SEXP targets, SEXP names) {
    size_t rows = (size_t)Rf_nrows(targets), columns = (size_t)Rf_ncols(targets);
    sporf_matrix matrix = {REAL(targets), SPORF_FLOAT64, rows, columns, 1, rows};
    const char *const *texts = names == R_NilValue ? NULL : core_texts(names);
    return done(sporf_dataset_set_targets(core_data(pointer), &matrix, texts));
}

SEXP core_set_weights(SEXP pointer, SEXP weights, SEXP name) {
    sporf_dataset *data = core_data(pointer);
    sporf_status status =
        sporf_dataset_set_weights(data, REAL(weights), (size_t)Rf_xlength(weights));
    if (status == SPORF_OK) status = sporf_dataset_set_weight_name(data, name_of(name));
    return done(status);
}

/* ---- simulated ones -------------------------------------------------------------------------- */

static SEXP simulated_features(const sporf_dataset *data) {
    size_t rows = sporf_dataset_rows(data), columns = sporf_dataset_features(data);
    SEXP matrix = Rf_allocMatrix(REALSXP, (int)rows, (int)columns);
    for (size_t j = 0; j < columns; j++) {
        const float *from = sporf_dataset_feature(data, j);
        for (size_t i = 0; i < rows; i++) REAL(matrix)[j * rows + i] = from[i];
    }
    return matrix;
}

/* The target, or the numbers of classes from 1 on. */
static SEXP simulated_outcome(const sporf_dataset *data) {
    size_t rows = sporf_dataset_rows(data);
    const float *target = sporf_dataset_targets(data) > 0 ? sporf_dataset_target(data, 0) : NULL;
    const uint32_t *labels = sporf_dataset_labels(data);
    SEXP outcome = Rf_allocVector(target ? REALSXP : INTSXP, (R_xlen_t)rows);
    for (size_t i = 0; i < rows; i++) {
        if (target)
            REAL(outcome)[i] = target[i];
        else
            INTEGER(outcome)[i] = (int)labels[i] + 1;
    }
    return outcome;
}

SEXP core_simulate(SEXP problem, SEXP rows, SEXP features, SEXP seed, SEXP noise) {
    const char *names[] = {"x", "y", "classes", ""};
    double spread = noise == R_NilValue ? 0 : Rf_asReal(noise);
    dataset *self;
    SEXP pointer = PROTECT(dataset_new(&self));
    if (!self) {
        UNPROTECT(1);
        return no_memory();
    }
    sporf_status status = sporf_simulate(core_utf8(problem, 0), (size_t)Rf_asReal(rows),
                                         (size_t)Rf_asReal(features), (uint64_t)Rf_asReal(seed),
                                         noise == R_NilValue ? NULL : &spread, &self->data);
    SEXP result;
    if (status == SPORF_OK) {
        const sporf_schema *schema = sporf_dataset_schema(self->data);
        size_t classes = sporf_dataset_classes(self->data);
        result = PROTECT(Rf_mkNamed(VECSXP, names));
        SET_VECTOR_ELT(result, 0, simulated_features(self->data));
        SET_VECTOR_ELT(result, 1, simulated_outcome(self->data));
        SET_VECTOR_ELT(result, 2, Rf_allocVector(STRSXP, (R_xlen_t)classes));
        for (size_t k = 0; k < classes; k++)
            SET_STRING_ELT(VECTOR_ELT(result, 2), (R_xlen_t)k,
                           core_text(sporf_schema_class_name(schema, k)));
        dataset_free(pointer);
        UNPROTECT(1);
    } else {
        result = core_failure(status);
    }
    UNPROTECT(1);
    return result;
}
