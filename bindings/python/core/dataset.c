/* Dataset: a table as the library sees it, made of an array or an Arrow table, and given labels,
 * targets, weights and names step by step. */
#include "core.h"

#include <string.h>

static PyObject *dataset_done(sporf_status status) {
    if (status != SPORF_OK) return core_raise_last(status);
    Py_RETURN_NONE;
}

static sporf_dataset *data_of(PyObject *self) {
    return ((core_dataset *)self)->data;
}

static core_dataset *allocate(PyObject *type) {
    allocfunc alloc = (allocfunc)PyType_GetSlot((PyTypeObject *)type, Py_tp_alloc);
    return (core_dataset *)alloc((PyTypeObject *)type, 0);
}

static PyObject *from_matrix(PyObject *type, PyObject *object) {
    core_dataset *self = allocate(type);
    if (!self) return NULL;
    if (core_buffer(object, "fd", 2, 0, "X", &self->matrix) != 0) {
        self->matrix.obj = NULL;
        Py_DECREF(self);
        return NULL;
    }
    sporf_matrix matrix = core_matrix(&self->matrix, 0, (size_t)self->matrix.shape[0]);
    sporf_status status;
    Py_BEGIN_ALLOW_THREADS status = sporf_dataset_from_matrix(&matrix, &self->data);
    Py_END_ALLOW_THREADS if (status == SPORF_OK) return (PyObject *)self;
    core_raise_last(status);
    Py_DECREF(self);
    return NULL;
}

static PyObject *of_outcomes(PyObject *type, PyObject *number) {
    size_t rows = PyLong_AsSize_t(number);
    if (PyErr_Occurred()) return NULL;
    core_dataset *self = allocate(type);
    if (!self) return NULL;
    sporf_status status = sporf_dataset_of_outcomes(rows, &self->data);
    if (status == SPORF_OK) return (PyObject *)self;
    core_raise_last(status);
    Py_DECREF(self);
    return NULL;
}

/* (rows): some rows, by their numbers. */
static PyObject *select_rows(PyObject *self, PyObject *rows) {
    Py_buffer numbers;
    if (core_contiguous(rows, "I", 0, "rows", &numbers) != 0) return NULL;
    core_dataset *chosen = allocate((PyObject *)Py_TYPE(self));
    sporf_status status = SPORF_OK;
    if (chosen)
        status = sporf_dataset_select(((core_dataset *)self)->data, numbers.buf,
                                      (size_t)numbers.len / sizeof(uint32_t), &chosen->data);
    PyBuffer_Release(&numbers);
    if (status == SPORF_OK) return (PyObject *)chosen;
    Py_DECREF(chosen);
    return core_raise_last(status);
}

static PyObject *from_arrow(PyObject *type, PyObject *stream) {
    core_dataset *self = allocate(type);
    if (!self) return NULL;
    if (core_arrow_read(stream, &self->data, &self->arrow) == 0) return (PyObject *)self;
    Py_DECREF(self);
    return NULL;
}

static PyObject *simulate(PyObject *type, PyObject *args) {
    const char *problem;
    Py_ssize_t rows, features;
    unsigned long long seed;
    if (!PyArg_ParseTuple(args, "snnK", &problem, &rows, &features, &seed)) return NULL;
    core_dataset *self = allocate(type);
    if (!self) return NULL;
    sporf_status status =
        sporf_simulate(problem, (size_t)rows, (size_t)features, seed, NULL, &self->data);
    if (status == SPORF_OK) return (PyObject *)self;
    core_raise_last(status);
    Py_DECREF(self);
    return NULL;
}

static void dealloc(PyObject *object) {
    core_dataset *self = (core_dataset *)object;
    PyTypeObject *type = Py_TYPE(object);
    sporf_dataset_free(self->data);
    if (self->matrix.obj) PyBuffer_Release(&self->matrix);
    core_arrow_free(self->arrow);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

/* ---- what is added to it --------------------------------------------------------------------- */

static PyObject *set_labels_int(PyObject *self, PyObject *object) {
    Py_buffer buffer;
    size_t rows = sporf_dataset_rows(data_of(self));
    if (core_items(object, "lq", rows, 0, "y", &buffer) != 0) return NULL;
    sporf_status status = sporf_dataset_set_labels_int(data_of(self), buffer.buf, rows);
    PyBuffer_Release(&buffer);
    return dataset_done(status);
}

/* Hands a sequence of str to a function of the library's. */
static PyObject *set_texts(PyObject *self, PyObject *sequence,
                           sporf_status (*set)(sporf_dataset *, const char *const *, size_t)) {
    PyObject *kept;
    size_t count;
    const char **texts = core_texts(sequence, &kept, &count);
    if (!texts) return NULL;
    sporf_status status = set(data_of(self), texts, count);
    PyMem_Free(texts);
    Py_DECREF(kept);
    return dataset_done(status);
}

static PyObject *set_labels_text(PyObject *self, PyObject *sequence) {
    return set_texts(self, sequence, sporf_dataset_set_labels_text);
}

static PyObject *set_feature_names(PyObject *self, PyObject *sequence) {
    return set_texts(self, sequence, sporf_dataset_set_feature_names);
}

static PyObject *set_weights(PyObject *self, PyObject *object) {
    Py_buffer buffer;
    size_t rows = sporf_dataset_rows(data_of(self));
    if (core_items(object, "d", rows, 0, "sample_weight", &buffer) != 0) return NULL;
    sporf_status status = sporf_dataset_set_weights(data_of(self), buffer.buf, rows);
    PyBuffer_Release(&buffer);
    return dataset_done(status);
}

static PyObject *set_targets(PyObject *self, PyObject *args) {
    PyObject *object, *names, *kept = NULL;
    if (!PyArg_ParseTuple(args, "OO", &object, &names)) return NULL;
    Py_buffer buffer;
    if (core_buffer(object, "fd", 2, 0, "y", &buffer) != 0) return NULL;
    const char **texts = NULL;
    size_t count = 0;
    if (names != Py_None && !(texts = core_texts(names, &kept, &count))) {
        PyBuffer_Release(&buffer);
        return NULL;
    }
    sporf_matrix matrix = core_matrix(&buffer, 0, (size_t)buffer.shape[0]);
    if (texts && count != matrix.columns) {
        PyErr_SetString(PyExc_ValueError, "y needs as many names as it has columns");
    } else {
        sporf_status status = sporf_dataset_set_targets(data_of(self), &matrix, texts);
        if (status != SPORF_OK) core_raise_last(status);
    }
    PyMem_Free(texts);
    Py_XDECREF(kept);
    PyBuffer_Release(&buffer);
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
}

static PyObject *set_label_name(PyObject *self, PyObject *name) {
    PyObject *kept;
    const char *text = core_bytes(name, &kept);
    if (!text) return NULL;
    sporf_status status = sporf_dataset_set_label_name(data_of(self), text);
    Py_DECREF(kept);
    return dataset_done(status);
}

static PyObject *set_weight_name(PyObject *self, PyObject *name) {
    PyObject *kept;
    const char *text = core_bytes(name, &kept);
    if (!text) return NULL;
    sporf_status status = sporf_dataset_set_weight_name(data_of(self), text);
    Py_DECREF(kept);
    return dataset_done(status);
}

static PyObject *add_label_column(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return dataset_done(sporf_dataset_add_label_column(data_of(self)));
}

static PyObject *set_levels(PyObject *self, PyObject *args) {
    PyObject *names, *kept;
    Py_ssize_t feature;
    int ordinal;
    if (!PyArg_ParseTuple(args, "npO", &feature, &ordinal, &names)) return NULL;
    size_t count;
    const char **texts = core_texts(names, &kept, &count);
    if (!texts) return NULL;
    sporf_status status =
        sporf_dataset_set_levels(data_of(self), (size_t)feature,
                                 ordinal ? SPORF_KIND_ORDINAL : SPORF_KIND_CATEGORY, texts, count);
    PyMem_Free(texts);
    Py_DECREF(kept);
    return dataset_done(status);
}

/* ---- what it holds --------------------------------------------------------------------------- */

/* The values lie in the dataset: the view is good while that lives. */
static PyObject *column(PyObject *self, PyObject *number) {
    Py_ssize_t feature = PyNumber_AsSsize_t(number, PyExc_IndexError);
    if (feature == -1 && PyErr_Occurred()) return NULL;
    const sporf_dataset *data = data_of(self);
    if (feature < 0 || (size_t)feature >= sporf_dataset_features(data))
        return PyErr_Format(PyExc_IndexError, "there is no column %zd", feature);
    return PyMemoryView_FromMemory((char *)sporf_dataset_feature(data, (size_t)feature),
                                   (Py_ssize_t)(sporf_dataset_rows(data) * sizeof(float)),
                                   PyBUF_READ);
}

/* The class of each row as bytes of uint32, numbered as the library sorts them. */
static PyObject *labels(PyObject *self, PyObject *ignored) {
    (void)ignored;
    const sporf_dataset *data = data_of(self);
    const uint32_t *of_rows = sporf_dataset_labels(data);
    if (!of_rows) Py_RETURN_NONE;
    return PyBytes_FromStringAndSize((const char *)of_rows,
                                     (Py_ssize_t)(sporf_dataset_rows(data) * sizeof *of_rows));
}

static PyObject *target(PyObject *self, PyObject *ignored) {
    (void)ignored;
    const sporf_dataset *data = data_of(self);
    const float *values = sporf_dataset_target(data, 0);
    if (!values) Py_RETURN_NONE;
    return PyBytes_FromStringAndSize((const char *)values,
                                     (Py_ssize_t)(sporf_dataset_rows(data) * sizeof *values));
}

static const char *class_name(const void *object, size_t index) {
    return sporf_schema_class_name(sporf_dataset_schema(object), index);
}

static PyObject *get_class_names(PyObject *self, void *closure) {
    (void)closure;
    const sporf_dataset *data = data_of(self);
    return core_names(data, sporf_dataset_classes(data), class_name);
}

static PyObject *has_levels(PyObject *self, PyObject *number) {
    Py_ssize_t feature = PyNumber_AsSsize_t(number, PyExc_IndexError);
    if (feature == -1 && PyErr_Occurred()) return NULL;
    return PyBool_FromLong(
        sporf_schema_levels(sporf_dataset_schema(data_of(self)), (size_t)feature) > 0);
}

/* The number of a column that has missing values, or None. */
static PyObject *missing_column(PyObject *self, PyObject *ignored) {
    (void)ignored;
    const sporf_dataset *data = data_of(self);
    for (size_t i = 0; i < sporf_dataset_features(data); i++)
        if (sporf_dataset_missing(data, i) > 0) return PyLong_FromSize_t(i);
    Py_RETURN_NONE;
}

static PyObject *get_rows(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromSize_t(sporf_dataset_rows(data_of(self)));
}

static PyObject *get_features(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromSize_t(sporf_dataset_features(data_of(self)));
}

static PyObject *get_classes(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromSize_t(sporf_dataset_classes(data_of(self)));
}

static PyMethodDef methods[] = {
    {"from_matrix", from_matrix, METH_O | METH_CLASS, "Makes a dataset of a matrix."},
    {"from_arrow", from_arrow, METH_O | METH_CLASS, "Makes a dataset of an Arrow stream."},
    {"of_outcomes", of_outcomes, METH_O | METH_CLASS, "Rows without columns."},
    {"simulate", simulate, METH_VARARGS | METH_CLASS, "Draws one of the paper's problems."},
    {"select", select_rows, METH_O, "A dataset of some rows."},
    {"set_labels_int", set_labels_int, METH_O, "Class labels that are whole numbers."},
    {"set_labels_text", set_labels_text, METH_O, "Class labels that are texts."},
    {"set_weights", set_weights, METH_O, "How much each row counts."},
    {"set_weight_name", set_weight_name, METH_O, "What the column of weights is called."},
    {"set_targets", set_targets, METH_VARARGS, "Numbers to be predicted, and their names or None."},
    {"set_feature_names", set_feature_names, METH_O, "Names of the features."},
    {"set_label_name", set_label_name, METH_O, "What the column of labels is called."},
    {"add_label_column", add_label_column, METH_NOARGS, "Makes the labels one of several."},
    {"set_levels", set_levels, METH_VARARGS, "Makes a feature a category or an order."},
    {"column", column, METH_O, "A view of a feature's values as bytes of float32."},
    {"has_levels", has_levels, METH_O, "Whether a feature is not numbers."},
    {"missing_column", missing_column, METH_NOARGS, "A column with missing values, or None."},
    {"labels", labels, METH_NOARGS, "Each row's class as bytes of uint32, or None."},
    {"target", target, METH_NOARGS, "The first target as bytes of float32, or None."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"rows", get_rows, NULL, NULL, NULL},
    {"features", get_features, NULL, NULL, NULL},
    {"classes", get_classes, NULL, NULL, NULL},
    {"class_names", get_class_names, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A table as the library sees it."},
    {Py_tp_dealloc, dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {0, NULL},
};

PyType_Spec core_dataset_spec = {
    .name = "sporf._core.Dataset",
    .basicsize = sizeof(core_dataset),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

sporf_dataset *core_data(const core_state *state, PyObject *object) {
    if (Py_IS_TYPE(object, state->dataset_type)) return data_of(object);
    PyErr_SetString(PyExc_TypeError, "a Dataset is needed");
    return NULL;
}
