/* Prediction, in blocks of rows: a table of R's is never copied as a whole, and the user can
 * interrupt between two blocks. */
#include "core.h"
#include "routines.h"

#include <string.h>

enum { BLOCK_VALUES = 4 * 1024 * 1024, LEAST_BLOCK_ROWS = 1024 };

typedef enum {
    CLASSES,
    PROBABILITIES,
    VOTES,
    TREE_CLASSES,
    VALUES,
    LEAVES,
    QUANTILES,
    INTERVAL,
    SCORES
} what;

/* ---- what can be predicted ------------------------------------------------------------------- */

typedef struct {
    const sporf_forest *forest;
    sporf_predict_options options;
    what what;
    const double *levels; /* of quantiles, or of the interval */
    size_t levels_count;
    size_t width; /* columns of the result */
} request;

static size_t width_of(const request *r) {
    const sporf_forest *forest = r->forest;
    sporf_boosting boosting;
    switch (r->what) {
    case CLASSES:
        return 1;
    case PROBABILITIES:
    case VOTES:
        return sporf_forest_classes(forest);
    case TREE_CLASSES:
    case LEAVES:
        return sporf_forest_trees(forest);
    case VALUES:
        return sporf_forest_targets(forest);
    case QUANTILES:
        return sporf_forest_targets(forest) * r->levels_count;
    case INTERVAL:
        return sporf_forest_targets(forest) * 2;
    case SCORES:
        return sporf_forest_boosting(forest, &boosting) ? boosting.outputs : 0;
    }
    return 0;
}

static int is_whole(what what) {
    return what == CLASSES || what == VOTES || what == TREE_CLASSES || what == LEAVES;
}

static int numbers_from_1(what what) {
    return what == CLASSES || what == TREE_CLASSES;
}

static sporf_predictions wanted(const request *r, void *out) {
    sporf_predictions p = {.struct_size = sizeof p};
    switch (r->what) {
    case CLASSES:
        p.classes = out;
        break;
    case PROBABILITIES:
        p.probabilities = out;
        break;
    case VOTES:
        p.votes = out;
        break;
    case TREE_CLASSES:
        p.tree_classes = out;
        break;
    case VALUES:
        p.values = out;
        break;
    case LEAVES:
        p.leaves = out;
        break;
    case QUANTILES:
        p.quantiles = r->levels;
        p.quantiles_count = r->levels_count;
        p.quantile_values = out;
        break;
    case INTERVAL:
        p.interval = r->levels[0];
        p.bounds = out;
        break;
    case SCORES:
        p.scores = out;
        break;
    }
    return p;
}

/* ---- rows into R's matrix -------------------------------------------------------------------- */

/* Rows of a block, one after the other, into columns. */
static void put(const request *r, const void *block, size_t first, size_t rows, size_t all,
                SEXP result) {
    for (size_t j = 0; j < r->width; j++) {
        if (is_whole(r->what)) {
            int *to = INTEGER(result) + j * all + first, more = numbers_from_1(r->what);
            for (size_t i = 0; i < rows; i++)
                to[i] = (int)((const uint32_t *)block)[i * r->width + j] + more;
        } else {
            double *to = REAL(result) + j * all + first;
            for (size_t i = 0; i < rows; i++) to[i] = ((const double *)block)[i * r->width + j];
        }
    }
}

/* One row without a dataset; 0 where that cannot be done, or the library has to say why. */
static int predict_row(const request *r, const float *row, size_t features, void *out) {
    size_t classes = sporf_forest_classes(r->forest);
    if (r->options.calibration != SPORF_CALIBRATE_AUTO) return 0;
    if (r->what == CLASSES && classes > 0) {
        double *scratch = (double *)R_alloc(classes, sizeof *scratch);
        *(uint32_t *)out = core_row(r->forest, row, features, r->options.combine, scratch);
        return *(uint32_t *)out != SPORF_NO_CLASS;
    }
    if (r->what != (classes > 0 ? PROBABILITIES : VALUES)) return 0;
    return core_row(r->forest, row, features, r->options.combine, out) != SPORF_NO_CLASS;
}

static sporf_status predict_block(const request *r, const core_table *table, const float *values,
                                  size_t rows, void *out) {
    sporf_dataset *data = NULL;
    if (rows == 1 && predict_row(r, values, table->columns, out)) return SPORF_OK;
    sporf_status status = core_table_dataset(table, values, rows, &data);
    if (status == SPORF_OK) {
        sporf_predictions p = wanted(r, out);
        status = sporf_forest_predict(r->forest, data, &r->options, &p);
    }
    sporf_dataset_free(data);
    return status;
}

/* A block counts its rows from its own first one: the failure names the row as the user counts. */
static SEXP failure_in(sporf_status status, size_t first) {
    core_error error;
    core_error_keep(status, &error);
    for (size_t i = 0; i < error.count; i++)
        if (error.parts[i].kind == SPORF_PART_ROW) error.parts[i].number += first;
    return core_failure_of(&error);
}

static size_t block_rows(const core_table *table, size_t width) {
    size_t values = table->columns > width ? table->columns : width;
    size_t rows = BLOCK_VALUES / (values > 0 ? values : 1);
    if (rows < LEAST_BLOCK_ROWS) rows = LEAST_BLOCK_ROWS;
    return rows < table->rows ? rows : table->rows;
}

static SEXP predict_all(const request *r, const core_table *table, SEXP result) {
    size_t block = block_rows(table, r->width),
           item = is_whole(r->what) ? sizeof(uint32_t) : sizeof(double);
    float *values = (float *)(void *)R_alloc(block * table->columns + 1, sizeof *values);
    void *out = R_alloc(block * r->width + 1, (int)item);
    for (size_t first = 0; first < table->rows; first += block) {
        size_t rows = table->rows - first < block ? table->rows - first : block;
        core_table_copy(table, first, rows, values);
        sporf_status status = predict_block(r, table, values, rows, out);
        if (status != SPORF_OK) return failure_in(status, first);
        put(r, out, first, rows, table->rows, result);
        if (table->rows > block) R_CheckUserInterrupt();
    }
    return result;
}

static what what_of(const char *name) {
    static const char *const names[] = {
        [CLASSES] = "classes",     [PROBABILITIES] = "probabilities",
        [VOTES] = "votes",         [TREE_CLASSES] = "trees",
        [VALUES] = "values",       [LEAVES] = "leaves",
        [QUANTILES] = "quantiles", [INTERVAL] = "interval",
        [SCORES] = "scores"};
    what i = CLASSES;
    while (strcmp(names[i], name) != 0) i++;
    return i;
}

/* A matrix with a row for each row of the table. */
SEXP core_predict(SEXP model, SEXP list, SEXP name, SEXP levels, SEXP posteriors, SEXP raw,
                  SEXP threads) {
    SEXP failure = R_NilValue;
    core_table table = core_table_of(list);
    if (!core_table_is_whole(&table)) return core_failure_text(SPORF_ERROR_DATA, CORE_NOT_WHOLE);
    request r = {.forest = core_forest(model, &failure),
                 .what = what_of(CHAR(STRING_ELT(name, 0))),
                 .levels = levels == R_NilValue ? NULL : REAL(levels),
                 .levels_count = (size_t)Rf_xlength(levels)};
    if (!r.forest) return failure;
    sporf_predict_options_init(&r.options);
    r.options.combine = Rf_asLogical(posteriors) ? SPORF_COMBINE_POSTERIORS : SPORF_COMBINE_VOTES;
    r.options.calibration = Rf_asLogical(raw) ? SPORF_CALIBRATE_NONE : SPORF_CALIBRATE_AUTO;
    r.options.threads = (unsigned)Rf_asInteger(threads);
    r.width = width_of(&r);
    SEXP result =
        PROTECT(Rf_allocMatrix(is_whole(r.what) ? INTSXP : REALSXP, (int)table.rows, (int)r.width));
    result = predict_all(&r, &table, result);
    UNPROTECT(1);
    return result;
}

/* ---- similar rows ---------------------------------------------------------------------------- */

enum { PAIRS_AT_ONCE = 1024 * 1024 };

SEXP core_proximities(SEXP model, SEXP first, SEXP second, SEXP threads) {
    SEXP failure = R_NilValue;
    const sporf_forest *forest = core_forest(model, &failure);
    if (!forest) return failure;
    const sporf_dataset *a = core_data(first), *b = core_data(second);
    size_t rows = sporf_dataset_rows(a), columns = sporf_dataset_rows(b), all = rows * columns;
    size_t block = all < PAIRS_AT_ONCE ? all : PAIRS_AT_ONCE;
    SEXP result = PROTECT(Rf_allocMatrix(REALSXP, (int)rows, (int)columns));
    uint32_t *of_a = (uint32_t *)(void *)R_alloc(block + 1, sizeof *of_a);
    uint32_t *of_b = (uint32_t *)(void *)R_alloc(block + 1, sizeof *of_b);
    sporf_predict_options options;
    sporf_predict_options_init(&options);
    options.threads = (unsigned)Rf_asInteger(threads);
    for (size_t at = 0; at < all; at += block) {
        size_t pairs = all - at < block ? all - at : block;
        for (size_t i = 0; i < pairs; i++) {
            of_a[i] = (uint32_t)((at + i) % rows);
            of_b[i] = (uint32_t)((at + i) / rows);
        }
        sporf_status status =
            sporf_forest_proximities(forest, a, b, &options, pairs, of_a, of_b, REAL(result) + at);
        if (status != SPORF_OK) {
            UNPROTECT(1);
            return core_failure(status);
        }
        R_CheckUserInterrupt();
    }
    UNPROTECT(1);
    return result;
}

/* A list of two matrices with `count` rows: for each row of the data, a column of each. */
SEXP core_nearest(SEXP model, SEXP reference, SEXP data, SEXP number, SEXP threads) {
    const char *names[] = {"rows", "proximity", ""};
    SEXP failure = R_NilValue;
    const sporf_forest *forest = core_forest(model, &failure);
    if (!forest) return failure;
    size_t rows = sporf_dataset_rows(core_data(data)), count = (size_t)Rf_asReal(number);
    SEXP result = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(result, 0, Rf_allocMatrix(INTSXP, (int)count, (int)rows));
    SET_VECTOR_ELT(result, 1, Rf_allocMatrix(REALSXP, (int)count, (int)rows));
    int *nearest = INTEGER(VECTOR_ELT(result, 0));
    uint32_t *found = (uint32_t *)(void *)R_alloc(rows * count + 1, sizeof *found);
    sporf_predict_options options;
    sporf_predict_options_init(&options);
    options.threads = (unsigned)Rf_asInteger(threads);
    sporf_status status = sporf_forest_nearest(forest, core_data(reference), core_data(data),
                                               &options, count, found, REAL(VECTOR_ELT(result, 1)));
    for (size_t i = 0; status == SPORF_OK && i < rows * count; i++) nearest[i] = (int)found[i] + 1;
    UNPROTECT(1);
    return status == SPORF_OK ? result : core_failure(status);
}
