/* Forest.dependence and Forest.interactions: how predictions change with features. */
#include "core.h"

enum { MOST_FEATURES = 2 };

static PyObject *doubles(const double *values, size_t count) {
    return PyBytes_FromStringAndSize((const char *)values, (Py_ssize_t)(count * sizeof *values));
}

/* What both functions take after what is theirs: (sample, seed, posteriors, raw, scores,
 * threads). */
static int read_options(PyObject *shared, sporf_dependence_options *options) {
    int posteriors, raw;
    unsigned long long sample, seed;
    if (!PyArg_ParseTuple(shared, "KKpppI", &sample, &seed, &posteriors, &raw, &options->scores,
                          &options->threads))
        return -1;
    options->sample = (size_t)sample;
    options->seed = seed;
    options->combine = posteriors ? SPORF_COMBINE_POSTERIORS : SPORF_COMBINE_VOTES;
    options->calibration = raw ? SPORF_CALIBRATE_NONE : SPORF_CALIBRATE_AUTO;
    return 0;
}

/* A list of features; free with PyMem_Free. */
static size_t *read_features(PyObject *list, size_t *count) {
    Py_ssize_t length = PySequence_Size(list);
    size_t *features = length < 0 ? NULL : PyMem_Calloc((size_t)length + 1, sizeof *features);
    if (!features) return PyErr_Occurred() ? NULL : (size_t *)PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < length && !PyErr_Occurred(); i++) {
        PyObject *item = PySequence_GetItem(list, i);
        features[i] = item ? PyLong_AsSize_t(item) : 0;
        Py_XDECREF(item);
    }
    *count = (size_t)length;
    if (!PyErr_Occurred()) return features;
    PyMem_Free(features);
    return NULL;
}

static PyObject *dependence_of(const sporf_dependence *d) {
    size_t results = d->points * d->outputs;
    PyObject *values = PyList_New(0);
    for (size_t i = 0; values && i < d->features_count; i++) {
        PyObject *one = doubles(d->values[i], d->values_count[i]);
        if (!one || PyList_Append(values, one) != 0) Py_CLEAR(values);
        Py_XDECREF(one);
    }
    if (!values) return NULL;
    PyObject *mean = doubles(d->mean, results);
    PyObject *rows = PyBytes_FromStringAndSize((const char *)d->rows,
                                               (Py_ssize_t)(d->rows_count * sizeof *d->rows));
    PyObject *individual =
        d->individual ? doubles(d->individual, d->rows_count * results) : Py_NewRef(Py_None);
    return Py_BuildValue("(NnNNN)", values, (Py_ssize_t)d->outputs, mean, rows, individual);
}

/* Takes the values of a grid, float64 in a row, or None. */
static int read_values(PyObject *given, size_t place, Py_buffer *buffer,
                       sporf_dependence_options *options) {
    if (given == Py_None) return 0;
    if (core_contiguous(given, "d", 0, "grid", buffer) != 0) return -1;
    options->values[place] = buffer->buf;
    options->values_count[place] = (size_t)(buffer->len / buffer->itemsize);
    return 0;
}

static PyObject *find(const sporf_forest *forest, const sporf_dataset *data,
                      const sporf_dependence_options *options, const size_t *features,
                      size_t count) {
    sporf_dependence *found = NULL;
    core_watch w = {0};
    sporf_hooks hooks = core_watch_hooks(&w);
    sporf_status status;
    Py_BEGIN_ALLOW_THREADS status =
        sporf_dependence_create(forest, data, options, &hooks, features, count, &found);
    Py_END_ALLOW_THREADS if (status != SPORF_OK) return core_watch_fail(&w, status);
    PyObject *result = dependence_of(found);
    sporf_dependence_free(found);
    return result;
}

/* (dataset, features, kind, grid, from, to, first values, second values, shared): (values of each
 * feature, outputs, mean, rows, individual), arrays as bytes. */
PyObject *core_forest_dependence(PyObject *self, PyObject *args) {
    PyObject *dataset, *list, *values[MOST_FEATURES], *shared, *result = NULL;
    Py_buffer buffers[MOST_FEATURES] = {{0}};
    sporf_dependence_options options;
    unsigned kind;
    unsigned long long grid;
    size_t count;
    sporf_dependence_options_init(&options);
    if (!PyArg_ParseTuple(args, "OOIKddOOO!", &dataset, &list, &kind, &grid, &options.from,
                          &options.to, &values[0], &values[1], &PyTuple_Type, &shared))
        return NULL;
    const sporf_dataset *data = core_data(core_state_of(self), dataset);
    if (!data || read_options(shared, &options) != 0) return NULL;
    options.kind = (sporf_dependence_kind)kind;
    options.grid = (size_t)grid;
    size_t *features = read_features(list, &count);
    if (features && read_values(values[0], 0, &buffers[0], &options) == 0 &&
        read_values(values[1], 1, &buffers[1], &options) == 0)
        result = find(((core_forest *)self)->forest, data, &options, features, count);
    for (size_t i = 0; i < MOST_FEATURES; i++)
        if (options.values[i]) PyBuffer_Release(&buffers[i]);
    PyMem_Free(features);
    return result;
}

static PyObject *interactions_of(const sporf_interactions *found) {
    PyObject *pairs = PyList_New(0), *totals = PyList_New(0);
    for (size_t i = 0; pairs && i < found->count; i++) {
        const sporf_interaction *one = &found->pairs[i];
        PyObject *pair = Py_BuildValue("(nndd)", (Py_ssize_t)one->first, (Py_ssize_t)one->second,
                                       one->h, one->strength);
        if (!pair || PyList_Append(pairs, pair) != 0) Py_CLEAR(pairs);
        Py_XDECREF(pair);
    }
    for (size_t i = 0; totals && i < found->features_count; i++) {
        PyObject *total = PyFloat_FromDouble(found->total[i]);
        if (!total || PyList_Append(totals, total) != 0) Py_CLEAR(totals);
        Py_XDECREF(total);
    }
    return Py_BuildValue("(NN)", pairs, totals);
}

/* (dataset, features, shared): ([(first, second, h, strength)], [total of each feature]). */
PyObject *core_forest_interactions(PyObject *self, PyObject *args) {
    PyObject *dataset, *list, *shared, *result = NULL;
    sporf_dependence_options options;
    sporf_interactions *found = NULL;
    size_t count;
    sporf_dependence_options_init(&options);
    if (!PyArg_ParseTuple(args, "OOO!", &dataset, &list, &PyTuple_Type, &shared)) return NULL;
    const sporf_dataset *data = core_data(core_state_of(self), dataset);
    if (!data || read_options(shared, &options) != 0) return NULL;
    size_t *features = read_features(list, &count);
    if (!features) return NULL;
    const sporf_forest *forest = ((core_forest *)self)->forest;
    core_watch w = {0};
    sporf_hooks hooks = core_watch_hooks(&w);
    sporf_status status;
    Py_BEGIN_ALLOW_THREADS status =
        sporf_interactions_create(forest, data, &options, &hooks, features, count, &found);
    Py_END_ALLOW_THREADS result =
        status == SPORF_OK ? interactions_of(found) : core_watch_fail(&w, status);
    sporf_interactions_free(found);
    PyMem_Free(features);
    return result;
}
