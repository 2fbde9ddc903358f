/* Forest.predict: what a forest says about the rows of an array or a Dataset, written into an array
 * of the caller's. An array is taken in blocks of rows: the copy that the library makes of it stays
 * small, and Ctrl-C is heard between them. A single row needs no copy at all. */
#include "core.h"

#include <math.h>
#include <string.h>

enum {
    BLOCK_VALUES = 1 << 21,
    GPU_BLOCK_VALUES = 1 << 26, /* each block copies the forest to the GPU */
    LEAST_BLOCK_ROWS = 1 << 10,
};

typedef struct request {
    const sporf_forest *forest;
    sporf_predict_options options;
    int for_gpu;          /* blocks are large enough for a GPU */
    const double *levels; /* of quantiles; or that of an interval */
    size_t levels_count;
    size_t tree; /* whose leaves are wanted */
} request;

typedef struct kind {
    const char *name, *letters; /* types of the results' items */
    size_t (*width)(const request *);
    void (*want)(const request *, void *out, sporf_predictions *wanted);
} kind;

static size_t one(const request *r) {
    (void)r;
    return 1;
}
static size_t by_class(const request *r) {
    return sporf_forest_classes(r->forest);
}
static size_t by_tree(const request *r) {
    return sporf_forest_trees(r->forest);
}
static size_t by_target(const request *r) {
    return sporf_forest_targets(r->forest);
}
static size_t by_label(const request *r) {
    return sporf_schema_label_columns(sporf_forest_schema(r->forest));
}
static size_t by_quantile(const request *r) {
    return sporf_forest_targets(r->forest) * r->levels_count;
}
static size_t by_bound(const request *r) {
    return sporf_forest_targets(r->forest) * 2;
}

static size_t by_output(const request *r) {
    sporf_boosting boosting;
    return sporf_forest_boosting(r->forest, &boosting) ? boosting.outputs : 0;
}

static void classes(const request *r, void *out, sporf_predictions *wanted) {
    (void)r;
    wanted->classes = out;
}
static void probabilities(const request *r, void *out, sporf_predictions *wanted) {
    (void)r;
    wanted->probabilities = out;
}
static void leaves(const request *r, void *out, sporf_predictions *wanted) {
    (void)r;
    wanted->leaves = out;
}
static void tree_leaves(const request *r, void *out, sporf_predictions *wanted) {
    wanted->tree = r->tree;
    wanted->tree_leaves = out;
}
static void values(const request *r, void *out, sporf_predictions *wanted) {
    (void)r;
    wanted->values = out;
}
static void scores(const request *r, void *out, sporf_predictions *wanted) {
    (void)r;
    wanted->scores = out;
}
static void label_classes(const request *r, void *out, sporf_predictions *wanted) {
    (void)r;
    wanted->label_classes = out;
}
static void quantiles(const request *r, void *out, sporf_predictions *wanted) {
    wanted->quantiles = r->levels;
    wanted->quantiles_count = r->levels_count;
    wanted->quantile_values = out;
}
static void interval(const request *r, void *out, sporf_predictions *wanted) {
    wanted->interval = r->levels[0];
    wanted->bounds = out;
}

static const kind kinds[] = {
    {"classes", "I", one, classes},        {"probabilities", "d", by_class, probabilities},
    {"leaves", "I", by_tree, leaves},      {"values", "d", by_target, values},
    {"scores", "d", by_output, scores},    {"quantiles", "d", by_quantile, quantiles},
    {"interval", "d", by_bound, interval}, {"label_classes", "I", by_label, label_classes},
    {"interval", "d", by_bound, interval}, {"tree_leaves", "I", one, tree_leaves},
};

static const kind *find_kind(const char *name) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
    PyErr_Format(PyExc_ValueError, "there is no prediction of '%s'", name);
    return NULL;
}

/* ---- one row --------------------------------------------------------------------------------- */

/* The values of the first row in single precision; 0 where one is nothing to predict from. */
static int copy_row(const Py_buffer *x, float *row) {
    const float most = 1e30F;
    const char *at = x->buf;
    int is_float = core_letter(x) == 'f';
    for (Py_ssize_t i = 0; i < x->shape[1]; i++, at += x->strides[1]) {
        row[i] = is_float ? *(const float *)at : (float)*(const double *)at;
        if (!(fabsf(row[i]) <= most) && !isnan(row[i])) return 0;
    }
    return 1;
}

/* Without a dataset; 0 where that cannot be done, and it says why. */
static int predict_row(const request *r, const kind *kind, const Py_buffer *x, void *out) {
    size_t features = (size_t)x->shape[1], classes_count = sporf_forest_classes(r->forest);
    int done = 0;
    if (features != sporf_forest_features(r->forest)) return 0;
    if (r->options.calibration != SPORF_CALIBRATE_AUTO) return 0;
    float *row = PyMem_Malloc(features * sizeof *row);
    double *scratch = PyMem_Malloc((classes_count > 0 ? classes_count : 1) * sizeof *scratch);
    if (row && scratch && copy_row(x, row)) {
        if (kind->want == classes && classes_count > 0) {
            *(uint32_t *)out =
                sporf_forest_predict_row(r->forest, row, r->options.combine, scratch);
            done = *(uint32_t *)out != SPORF_NO_CLASS;
        } else if (kind->want == (classes_count > 0 ? probabilities : values)) {
            done =
                sporf_forest_predict_row(r->forest, row, r->options.combine, out) != SPORF_NO_CLASS;
        }
    }
    PyMem_Free(row);
    PyMem_Free(scratch);
    return done;
}

/* ---- many rows ------------------------------------------------------------------------------- */

static sporf_status predict(const request *r, const kind *kind, const sporf_dataset *data,
                            void *out) {
    sporf_predictions wanted = {.struct_size = sizeof wanted};
    kind->want(r, out, &wanted);
    return sporf_forest_predict(r->forest, data, &r->options, &wanted);
}

static sporf_status predict_part(const request *r, const kind *kind, const Py_buffer *x,
                                 size_t first, size_t rows, void *out) {
    sporf_matrix matrix = core_matrix(x, first, rows);
    sporf_dataset *data = NULL;
    sporf_status status = sporf_dataset_from_matrix(&matrix, &data);
    if (status == SPORF_OK) status = predict(r, kind, data, out);
    sporf_dataset_free(data);
    return status;
}

/* A part counts its rows from its own first one; the whole array is looked at again, so that the
 * message names the row as the caller counts. */
static void raise_for(const Py_buffer *x, size_t first, sporf_status status) {
    if (first > 0 && status == SPORF_ERROR_DATA) {
        sporf_matrix all = core_matrix(x, 0, (size_t)x->shape[0]);
        sporf_dataset *data = NULL;
        sporf_status again = sporf_dataset_from_matrix(&all, &data);
        sporf_dataset_free(data);
        if (again != SPORF_OK) status = again;
    }
    core_raise_last(status);
}

static int predict_matrix(const request *r, const kind *kind, const Py_buffer *x,
                          const Py_buffer *out) {
    size_t rows = (size_t)x->shape[0], columns = (size_t)x->shape[1];
    size_t width = kind->width(r) * (size_t)out->itemsize;
    size_t block = (r->for_gpu ? GPU_BLOCK_VALUES : BLOCK_VALUES) / (columns > 0 ? columns : 1);
    if (block < LEAST_BLOCK_ROWS) block = LEAST_BLOCK_ROWS;
    for (size_t first = 0; first < rows; first += block) {
        size_t count = rows - first < block ? rows - first : block;
        sporf_status status;
        Py_BEGIN_ALLOW_THREADS status =
            predict_part(r, kind, x, first, count, (char *)out->buf + first * width);
        Py_END_ALLOW_THREADS if (status != SPORF_OK) raise_for(x, first, status);
        if (status != SPORF_OK || PyErr_CheckSignals() != 0) return -1;
    }
    return 0;
}

static int predict_dataset(const request *r, const kind *kind, const sporf_dataset *data,
                           void *out) {
    sporf_status status;
    Py_BEGIN_ALLOW_THREADS status = predict(r, kind, data, out);
    Py_END_ALLOW_THREADS if (status == SPORF_OK) return 0;
    core_raise_last(status);
    return -1;
}

static int predict_array(const core_forest *self, const request *r, const kind *kind,
                         PyObject *array, PyObject *result) {
    Py_buffer x, out;
    if (core_buffer(array, "fd", 2, 0, "X", &x) != 0) return -1;
    size_t rows = (size_t)x.shape[0];
    int status = core_items(result, kind->letters, rows * kind->width(r), 1, "out", &out);
    if (status == 0) {
        if (rows != 1 || self->has_levels || !predict_row(r, kind, &x, out.buf))
            status = predict_matrix(r, kind, &x, &out);
        PyBuffer_Release(&out);
    }
    PyBuffer_Release(&x);
    return status;
}

static int predict_table(const request *r, const kind *kind, const sporf_dataset *data,
                         PyObject *result) {
    Py_buffer out;
    size_t items = sporf_dataset_rows(data) * kind->width(r);
    if (core_items(result, kind->letters, items, 1, "out", &out) != 0) return -1;
    int status = predict_dataset(r, kind, data, out.buf);
    PyBuffer_Release(&out);
    return status;
}

PyObject *core_forest_predict(PyObject *object, PyObject *args) {
    core_forest *self = (core_forest *)object;
    core_state *state = core_state_of(object);
    PyObject *data, *result, *levels = Py_None;
    const char *name, *device = "auto";
    int posteriors, raw = 0;
    unsigned threads;
    Py_ssize_t tree = 0;
    request r = {.forest = self->forest};
    Py_buffer of_levels = {.obj = NULL};
    if (!PyArg_ParseTuple(args, "OsOpI|Opns", &data, &name, &result, &posteriors, &threads, &levels,
                          &raw, &tree, &device))
        return NULL;
    r.tree = (size_t)tree;
    const kind *kind = find_kind(name);
    if (!kind) return NULL;
    if (levels != Py_None) {
        if (core_contiguous(levels, "d", 0, "levels", &of_levels) != 0) return NULL;
        r.levels = of_levels.buf;
        r.levels_count = (size_t)(of_levels.len / of_levels.itemsize);
    }
    if (r.levels_count == 0 && (kind->want == quantiles || kind->want == interval)) {
        PyErr_SetString(PyExc_ValueError, "quantiles and intervals need levels");
        if (of_levels.obj) PyBuffer_Release(&of_levels);
        return NULL;
    }
    sporf_predict_options_init(&r.options);
    r.options.combine = posteriors ? SPORF_COMBINE_POSTERIORS : SPORF_COMBINE_VOTES;
    r.options.calibration = raw ? SPORF_CALIBRATE_NONE : SPORF_CALIBRATE_AUTO;
    r.options.threads = threads;
    /* A model that was trained on a GPU predicts where there is none, and few rows are faster on
     * the CPU. */
    r.options.device = strcmp(device, "cpu") == 0 ? SPORF_DEVICE_CPU : SPORF_DEVICE_AUTO;
    r.for_gpu = strcmp(device, "gpu") == 0;
    int status = Py_IS_TYPE(data, state->dataset_type)
                     ? predict_table(&r, kind, core_data(state, data), result)
                     : predict_array(self, &r, kind, data, result);
    if (of_levels.obj) PyBuffer_Release(&of_levels);
    if (status != 0) return NULL;
    Py_RETURN_NONE;
}
