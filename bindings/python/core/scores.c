/* score_classes and score_curve: scores of predicted probabilities, and curves. */
#include "core.h"

#include <stdlib.h>

/* The rows of a call, in buffers of the caller's. */
typedef struct {
    sporf_scored_rows rows;
    Py_buffer probabilities, labels, weights, predicted; /* obj is NULL without */
} scored;

static void release(scored *s) {
    PyBuffer_Release(&s->probabilities);
    PyBuffer_Release(&s->labels);
    PyBuffer_Release(&s->weights);
    PyBuffer_Release(&s->predicted);
}

/* Takes arrays of `rows` items, of which the last two may be None. Returns 0, or -1 with an
 * exception; release it either way. */
static int take(scored *s, size_t rows, size_t classes, PyObject *probabilities, PyObject *labels,
                PyObject *weights, PyObject *predicted) {
    sporf_scored_rows_init(&s->rows);
    s->rows.rows = rows;
    s->rows.classes = classes;
    if (core_items(probabilities, "d", rows * classes, 0, "proba", &s->probabilities) != 0)
        return -1;
    if (core_items(labels, "IL", rows, 0, "labels", &s->labels) != 0) return -1;
    if (weights != Py_None && core_items(weights, "d", rows, 0, "weights", &s->weights) != 0)
        return -1;
    if (predicted != Py_None && core_items(predicted, "IL", rows, 0, "y_pred", &s->predicted) != 0)
        return -1;
    s->rows.probabilities = s->probabilities.buf;
    s->rows.labels = s->labels.buf;
    s->rows.weights = s->weights.obj ? s->weights.buf : NULL;
    s->rows.predicted = s->predicted.obj ? s->predicted.buf : NULL;
    return 0;
}

static PyObject *list_scores(const sporf_class_scores *scores) {
    PyObject *dictionary = PyDict_New();
    sporf_score score;
    const char *name;
    for (size_t i = 0; dictionary && (name = sporf_class_scores_at(scores, i, &score)); i++) {
        PyObject *row = Py_BuildValue("(ddd)", score.value, score.low, score.high);
        if (!row || PyDict_SetItemString(dictionary, name, row) != 0) Py_CLEAR(dictionary);
        Py_XDECREF(row);
    }
    return dictionary;
}

static PyObject *list_classes(const sporf_by_class *by_class, size_t classes) {
    PyObject *list = PyList_New((Py_ssize_t)classes);
    for (size_t k = 0; list && k < classes; k++) {
        const sporf_by_class *own = &by_class[k];
        PyObject *row =
            Py_BuildValue("(nddddddddd)", (Py_ssize_t)own->rows, own->weight, own->predicted_weight,
                          own->precision, own->recall, own->f1, own->auc, own->auc_low,
                          own->auc_high, own->average_precision);
        if (!row || PyList_SetItem(list, (Py_ssize_t)k, row) != 0) Py_CLEAR(list);
    }
    return list;
}

static PyObject *list_bins(const sporf_calibration *calibration) {
    PyObject *list = PyList_New(SPORF_CALIBRATION_BINS);
    for (Py_ssize_t b = 0; list && b < SPORF_CALIBRATION_BINS; b++) {
        const sporf_calibration_bin *bin = &calibration->bins[b];
        PyObject *row =
            Py_BuildValue("(dddd)", (double)bin->rows, bin->weight, bin->confidence, bin->accuracy);
        if (!row || PyList_SetItem(list, b, row) != 0) Py_CLEAR(list);
    }
    return list;
}

static PyObject *score(const scored *s, sporf_score_options *options) {
    sporf_calibration calibration;
    sporf_class_scores found;
    core_watch w = {0};
    sporf_hooks hooks = core_watch_hooks(&w);
    PyObject *result = NULL;
    sporf_status status;
    options->hooks = &hooks;
    sporf_class_scores_init(&found);
    found.by_class = calloc(s->rows.classes, sizeof *found.by_class);
    found.calibration = &calibration;
    if (!found.by_class) return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS status = sporf_score_classes(&s->rows, options, &found);
    Py_END_ALLOW_THREADS if (status != SPORF_OK) core_watch_fail(&w, status);
    else result = Py_BuildValue("(ndINNdN)", (Py_ssize_t)found.rows, found.weight, found.top_k,
                                list_scores(&found), list_classes(found.by_class, s->rows.classes),
                                calibration.error, list_bins(&calibration));
    free(found.by_class);
    return result;
}

/* (rows, classes, proba, labels, weights, predicted, confidence, replicates, seed, top_k, threads):
 * (rows, weight, top_k, {score: (value, low, high)}, what there is of each class, the calibration
 * error, its bins). */
PyObject *core_score_classes(PyObject *module, PyObject *args) {
    PyObject *probabilities, *labels, *weights, *predicted, *result = NULL;
    Py_ssize_t rows, classes;
    unsigned long long seed;
    sporf_score_options options;
    scored s = {0};
    (void)module;
    sporf_score_options_init(&options);
    if (!PyArg_ParseTuple(args, "nnOOOOdIKII", &rows, &classes, &probabilities, &labels, &weights,
                          &predicted, &options.confidence, &options.replicates, &seed,
                          &options.top_k, &options.threads))
        return NULL;
    options.seed = seed;
    if (take(&s, (size_t)rows, (size_t)classes, probabilities, labels, weights, predicted) == 0)
        result = score(&s, &options);
    release(&s);
    return result;
}

/* (rows, classes, proba, labels, weights, class): points as bytes of float64, four for each. */
PyObject *core_score_curve(PyObject *module, PyObject *args) {
    PyObject *probabilities, *labels, *weights, *result = NULL;
    Py_ssize_t rows, classes;
    unsigned class_index;
    scored s = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "nnOOOI", &rows, &classes, &probabilities, &labels, &weights,
                          &class_index))
        return NULL;
    if (take(&s, (size_t)rows, (size_t)classes, probabilities, labels, weights, Py_None) == 0) {
        size_t count = 0;
        sporf_status status = SPORF_OK;
        sporf_curve_point *points = calloc((size_t)rows + 1, sizeof *points);
        Py_BEGIN_ALLOW_THREADS if (points) status =
            sporf_score_curve(&s.rows, class_index, points, &count);
        Py_END_ALLOW_THREADS if (!points) PyErr_NoMemory();
        else if (status != SPORF_OK) core_raise_last(status);
        else result =
            PyBytes_FromStringAndSize((const char *)points, (Py_ssize_t)(count * sizeof *points));
        free(points);
    }
    release(&s);
    return result;
}

/* Out-of-bag probabilities as bytes of float64. */
PyObject *core_forest_oob_probabilities(PyObject *self, PyObject *ignored) {
    (void)ignored;
    const sporf_forest *forest = ((core_forest *)self)->forest;
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    size_t count = oob.training_rows * sporf_forest_classes(forest);
    PyObject *result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * sizeof(double)));
    if (!result) return NULL;
    sporf_status status =
        sporf_forest_oob_probabilities(forest, (double *)(void *)PyBytes_AsString(result));
    if (status == SPORF_OK) return result;
    Py_DECREF(result);
    return core_raise_last(status);
}

/* The classes that the forest decides for by these probabilities, as bytes of uint32;
 * SPORF_NO_CLASS for rows without any. */
PyObject *core_forest_oob_classes(PyObject *self, PyObject *ignored) {
    const sporf_forest *forest = ((core_forest *)self)->forest;
    PyObject *probabilities = core_forest_oob_probabilities(self, ignored);
    if (!probabilities) return NULL;
    size_t size = (size_t)PyBytes_Size(probabilities);
    size_t rows = size / sizeof(double) / sporf_forest_classes(forest);
    sporf_status status = SPORF_OK;
    PyObject *result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(rows * sizeof(uint32_t)));
    if (result)
        status = sporf_forest_decide(forest,
                                     (const double *)(const void *)PyBytes_AsString(probabilities),
                                     rows, (uint32_t *)(void *)PyBytes_AsString(result));
    Py_DECREF(probabilities);
    if (status == SPORF_OK) return result;
    Py_DECREF(result);
    return core_raise_last(status);
}
