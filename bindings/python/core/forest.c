/* Forest: a trained forest, which never changes. It is pickled as the bytes of its model file. */
#include "core.h"

#include <string.h>

static const sporf_forest *forest_of(PyObject *self) {
    return ((core_forest *)self)->forest;
}

static int has_levels(const sporf_forest *forest) {
    size_t features = sporf_forest_features(forest);
    for (size_t i = 0; i < features; i++)
        if (sporf_schema_levels(sporf_forest_schema(forest), i) > 0) return 1;
    return 0;
}

static int needs_numbers(const sporf_forest *forest) {
    const char *method = sporf_forest_setting(forest, "method");
    return method && core_method_needs_numbers(method);
}

PyObject *core_forest_new(PyTypeObject *type, sporf_forest *forest) {
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    core_forest *self = (core_forest *)alloc(type, 0);
    if (!self) {
        sporf_forest_free(forest);
        return NULL;
    }
    self->forest = forest;
    self->leaf_nodes = NULL;
    Py_BEGIN_ALLOW_THREADS self->has_levels = has_levels(forest);
    self->needs_numbers = needs_numbers(forest);
    Py_END_ALLOW_THREADS return (PyObject *)self;
}

static void dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    sporf_forest_free(((core_forest *)self)->forest);
    Py_XDECREF(((core_forest *)self)->leaf_nodes);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/* ---- files and bytes ------------------------------------------------------------------------- */

static PyObject *load(PyObject *type, PyObject *path) {
    PyObject *bytes;
    sporf_forest *forest = NULL;
    if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
    const char *name = PyBytes_AsString(bytes);
    sporf_status status;
    Py_BEGIN_ALLOW_THREADS status = sporf_forest_load(name, &forest);
    Py_END_ALLOW_THREADS Py_DECREF(bytes);
    if (status != SPORF_OK) return core_raise_last(status);
    return core_forest_new((PyTypeObject *)type, forest);
}

static PyObject *from_bytes(PyObject *type, PyObject *object) {
    Py_buffer buffer;
    sporf_forest *forest = NULL;
    if (PyObject_GetBuffer(object, &buffer, PyBUF_SIMPLE) != 0) return NULL;
    sporf_status status;
    Py_BEGIN_ALLOW_THREADS status =
        sporf_forest_load_bytes(buffer.buf, (size_t)buffer.len, &forest);
    Py_END_ALLOW_THREADS PyBuffer_Release(&buffer);
    if (status != SPORF_OK) return core_raise_last(status);
    return core_forest_new((PyTypeObject *)type, forest);
}

static PyObject *save(PyObject *self, PyObject *path) {
    PyObject *bytes;
    if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
    const char *name = PyBytes_AsString(bytes);
    sporf_status status;
    Py_BEGIN_ALLOW_THREADS status = sporf_forest_save(forest_of(self), name);
    Py_END_ALLOW_THREADS Py_DECREF(bytes);
    if (status != SPORF_OK) return core_raise_last(status);
    Py_RETURN_NONE;
}

static PyObject *to_bytes(PyObject *self, PyObject *ignored) {
    (void)ignored;
    void *bytes;
    size_t size;
    sporf_status status;
    Py_BEGIN_ALLOW_THREADS status = sporf_forest_save_bytes(forest_of(self), &bytes, &size);
    Py_END_ALLOW_THREADS if (status != SPORF_OK) return core_raise_last(status);
    PyObject *result = PyBytes_FromStringAndSize(bytes, (Py_ssize_t)size);
    sporf_free(bytes);
    return result;
}

static PyObject *reduce(PyObject *self, PyObject *ignored) {
    PyObject *maker = PyObject_GetAttrString((PyObject *)Py_TYPE(self), "from_bytes");
    PyObject *bytes = maker ? to_bytes(self, ignored) : NULL;
    if (bytes) return Py_BuildValue("(N(N))", maker, bytes);
    Py_XDECREF(bytes);
    Py_XDECREF(maker);
    return NULL;
}

/* A forest never changes, so its copy may be itself. */
static PyObject *copy(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return Py_NewRef(self);
}

/* ---- what is in it --------------------------------------------------------------------------- */

static const char *class_name(const void *object, size_t index) {
    return sporf_schema_class_name(sporf_forest_schema(object), index);
}

static PyObject *get_class_names(PyObject *self, void *closure) {
    (void)closure;
    const sporf_forest *forest = forest_of(self);
    return core_names(forest, sporf_forest_classes(forest), class_name);
}

static const char *feature_name(const void *object, size_t index) {
    return sporf_schema_feature_name(sporf_forest_schema(object), index);
}

static PyObject *get_feature_names(PyObject *self, void *closure) {
    (void)closure;
    const sporf_forest *forest = forest_of(self);
    return core_names(forest, sporf_forest_features(forest), feature_name);
}

static PyObject *get_settings(PyObject *self, void *closure) {
    (void)closure;
    const sporf_forest *forest = forest_of(self);
    PyObject *settings = PyDict_New();
    const char *name, *value;
    for (size_t i = 0; settings && (name = sporf_forest_setting_at(forest, i, &value)); i++) {
        PyObject *key = core_text(name), *item = core_text(value);
        if (!key || !item || PyDict_SetItem(settings, key, item) != 0) Py_CLEAR(settings);
        Py_XDECREF(key);
        Py_XDECREF(item);
    }
    return settings;
}

static PyObject *get_trees(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromSize_t(sporf_forest_trees(forest_of(self)));
}
static PyObject *get_features(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromSize_t(sporf_forest_features(forest_of(self)));
}
static PyObject *get_classes(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromSize_t(sporf_forest_classes(forest_of(self)));
}
static PyObject *get_targets(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromSize_t(sporf_forest_targets(forest_of(self)));
}

static PyObject *get_has_levels(PyObject *self, void *closure) {
    (void)closure;
    return PyBool_FromLong(((core_forest *)self)->has_levels);
}

static PyObject *get_needs_numbers(PyObject *self, void *closure) {
    (void)closure;
    return PyBool_FromLong(((core_forest *)self)->needs_numbers);
}

/* The features that are not numbers. */
static PyObject *get_typed_features(PyObject *self, void *closure) {
    (void)closure;
    const sporf_forest *forest = forest_of(self);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < sporf_forest_features(forest); i++) {
        if (sporf_schema_levels(sporf_forest_schema(forest), i) == 0) continue;
        PyObject *number = PyLong_FromSize_t(i);
        if (!number || PyList_Append(list, number) != 0) Py_CLEAR(list);
        Py_XDECREF(number);
    }
    return list;
}

static const char *const kind_names[] = {
    [SPORF_KIND_NUMBER] = "number",
    [SPORF_KIND_CATEGORY] = "category",
    [SPORF_KIND_ORDINAL] = "ordinal",
};

/* (kind, names of levels) of each feature that is not numbers: {feature: (kind, [name])}. */
static PyObject *get_levels(PyObject *self, void *closure) {
    (void)closure;
    const sporf_forest *forest = forest_of(self);
    PyObject *all = PyDict_New();
    for (size_t i = 0; all && i < sporf_forest_features(forest); i++) {
        size_t count = sporf_schema_levels(sporf_forest_schema(forest), i);
        if (count == 0) continue;
        PyObject *list = PyList_New((Py_ssize_t)count), *number = PyLong_FromSize_t(i), *pair;
        for (size_t k = 0; list && k < count; k++) {
            PyObject *name = core_text(sporf_schema_level_name(sporf_forest_schema(forest), i, k));
            if (!name || PyList_SetItem(list, (Py_ssize_t)k, name) != 0) Py_CLEAR(list);
        }
        pair = list ? Py_BuildValue("(sN)",
                                    kind_names[sporf_schema_kind(sporf_forest_schema(forest), i)],
                                    list)
                    : NULL;
        if (!number || !pair || PyDict_SetItem(all, number, pair) != 0) Py_CLEAR(all);
        Py_XDECREF(number);
        Py_XDECREF(pair);
    }
    return all;
}

/* Out-of-bag results: (rows, error, kappa or R2, curve, votes), the last two as bytes of float64
 * and uint32, or None. */
static PyObject *oob(PyObject *self, PyObject *ignored) {
    (void)ignored;
    const sporf_forest *forest = forest_of(self);
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    size_t votes = oob.training_rows * sporf_forest_classes(forest);
    return Py_BuildValue(
        "(nddy#y#)", (Py_ssize_t)oob.rows, oob.error,
        sporf_forest_targets(forest) > 0 ? oob.r2 : oob.kappa, (const char *)oob.curve,
        (Py_ssize_t)(oob.curve ? sporf_forest_trees(forest) * sizeof(double) : 0),
        (const char *)oob.votes, (Py_ssize_t)(oob.votes ? votes * sizeof(uint32_t) : 0));
}

/* Each row's out-of-bag prediction for each target as bytes of float64, or None. */
static PyObject *oob_predictions(PyObject *self, PyObject *ignored) {
    (void)ignored;
    const sporf_forest *forest = forest_of(self);
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    if (!oob.predictions) Py_RETURN_NONE;
    size_t count = oob.training_rows * sporf_forest_targets(forest);
    return PyBytes_FromStringAndSize((const char *)oob.predictions,
                                     (Py_ssize_t)(count * sizeof *oob.predictions));
}

/* The names of the classes of a label column, as a list. */
static PyObject *label_classes(const sporf_schema *schema, size_t column) {
    size_t count = sporf_schema_label_column_classes(schema, column);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t k = 0; list && k < count; k++) {
        PyObject *name = core_text(sporf_schema_label_column_class(schema, column, k));
        if (!name || PyList_SetItem(list, (Py_ssize_t)k, name) != 0) Py_CLEAR(list);
    }
    return list;
}

/* (name, names of classes) of each of several labels; an empty list if there is one label. */
static PyObject *get_label_columns(PyObject *self, void *closure) {
    (void)closure;
    const sporf_schema *schema = sporf_forest_schema(forest_of(self));
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < sporf_schema_label_columns(schema); i++) {
        PyObject *classes = label_classes(schema, i);
        PyObject *pair =
            classes ? Py_BuildValue("(NN)", core_text(sporf_schema_label_column_name(schema, i)),
                                    classes)
                    : NULL;
        if (!pair || PyList_Append(list, pair) != 0) Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    return list;
}

/* The out-of-bag error of each of several labels, and the share of rows with a wrong one, as bytes
 * of float64, or None. */
static PyObject *oob_labels(PyObject *self, PyObject *ignored) {
    (void)ignored;
    const sporf_forest *forest = forest_of(self);
    const double *errors = sporf_forest_oob_labels(forest);
    if (!errors) Py_RETURN_NONE;
    size_t count = sporf_schema_label_columns(sporf_forest_schema(forest)) + 1;
    return PyBytes_FromStringAndSize((const char *)errors, (Py_ssize_t)(count * sizeof *errors));
}

/* Adds (feature, rows, level) where a feature of a dataset has levels that the forest does not
 * know: in how many rows, and the first of them. */
static int add_unknown(const sporf_forest *forest, const sporf_dataset *data, size_t feature,
                       PyObject *list) {
    size_t rows;
    const char *level;
    sporf_status status = sporf_forest_unknown_levels(forest, data, feature, &rows, &level);
    if (status != SPORF_OK) core_raise_last(status);
    if (status != SPORF_OK || rows == 0) return status == SPORF_OK ? 0 : -1;
    PyObject *found =
        Py_BuildValue("(nnN)", (Py_ssize_t)feature, (Py_ssize_t)rows, core_text(level));
    int added = found ? PyList_Append(list, found) : -1;
    Py_XDECREF(found);
    return added;
}

/* All of them, as a list. */
static PyObject *unknown_levels(PyObject *self, PyObject *dataset) {
    const sporf_forest *forest = forest_of(self);
    const sporf_dataset *data = core_data(core_state_of(self), dataset);
    PyObject *list = data ? PyList_New(0) : NULL;
    for (size_t i = 0; list && i < sporf_forest_features(forest); i++)
        if (sporf_schema_levels(sporf_forest_schema(forest), i) > 0 &&
            add_unknown(forest, data, i, list) != 0)
            Py_CLEAR(list);
    return list;
}

static PyMethodDef methods[] = {
    {"train", core_forest_train, METH_VARARGS | METH_CLASS, "Trains a forest."},
    {"search", core_forest_search, METH_VARARGS | METH_CLASS, "Searches settings."},
    {"settle", core_forest_settle, METH_VARARGS | METH_CLASS, "Resolves the settings."},
    {"train_part", core_forest_train_part, METH_VARARGS | METH_CLASS, "Grows some trees."},
    {"load", load, METH_O | METH_CLASS, "Reads a model file."},
    {"from_bytes", from_bytes, METH_O | METH_CLASS, "Reads the bytes of a model file."},
    {"save", save, METH_O, "Writes a model file."},
    {"to_bytes", to_bytes, METH_NOARGS, "The bytes of the model file."},
    {"__reduce__", reduce, METH_NOARGS, NULL},
    {"__copy__", copy, METH_NOARGS, NULL},
    {"__deepcopy__", copy, METH_O, NULL},
    {"predict", core_forest_predict, METH_VARARGS, "Writes predictions into an array."},
    {"oob", oob, METH_NOARGS, "Out-of-bag results."},
    {"oob_probabilities", core_forest_oob_probabilities, METH_NOARGS,
     "Out-of-bag probabilities of classes."},
    {"oob_classes", core_forest_oob_classes, METH_NOARGS,
     "Classes that the forest decides for out of bag."},
    {"oob_predictions", oob_predictions, METH_NOARGS, "Out-of-bag predictions of numbers."},
    {"oob_labels", oob_labels, METH_NOARGS, "Out-of-bag errors of several labels."},
    {"boosting", core_forest_boosting, METH_NOARGS, "What is known of a boosted model."},
    {"leaf_values", core_forest_leaf_values, METH_NOARGS, "What leaves add to scores."},
    {"importances", core_forest_importances, METH_NOARGS, "Importances of the features."},
    {"ranking", core_forest_ranking, METH_O, "The most important projections."},
    {"explain", core_forest_explain, METH_VARARGS, "Shapley values of rows."},
    {"report", core_forest_report, METH_VARARGS, "A page of HTML."},
    {"permutation_importances", core_forest_permutation_importances, METH_VARARGS,
     "Importances by shuffling features among the rows out of bag."},
    {"corrected_importances", core_forest_corrected_importances, METH_VARARGS,
     "Importances minus those of shuffled copies, and p-values."},
    {"drop_column_importances", core_forest_drop_column, METH_VARARGS,
     "Importances by training without features."},
    {"strength", core_forest_strength, METH_VARARGS, "Strength and correlation of the trees."},
    {"dependence", core_forest_dependence, METH_VARARGS, "Dependence on one or two features."},
    {"interactions", core_forest_interactions, METH_VARARGS, "Interactions of pairs of features."},
    {"unknown_levels", unknown_levels, METH_O, "Levels of a dataset that are not known."},
    {"bags", core_forest_bags, METH_VARARGS, "How often rows were drawn for the trees."},
    {"tree", core_forest_tree, METH_O, "The arrays of a tree."},
    {"leaf_nodes", core_forest_leaf_nodes, METH_NOARGS, "Which nodes are leaves."},
    {"node", core_forest_node, METH_VARARGS, "A node of a tree."},
    {"level_set", core_forest_level_set, METH_O, "A set of levels that terms name."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"trees", get_trees, NULL, NULL, NULL},
    {"features", get_features, NULL, NULL, NULL},
    {"classes", get_classes, NULL, NULL, NULL},
    {"targets", get_targets, NULL, NULL, NULL},
    {"class_names", get_class_names, NULL, NULL, NULL},
    {"label_columns", get_label_columns, NULL, NULL, NULL},
    {"feature_names", get_feature_names, NULL, NULL, NULL},
    {"has_levels", get_has_levels, NULL, NULL, NULL},
    {"needs_numbers", get_needs_numbers, NULL, NULL, NULL},
    {"typed_features", get_typed_features, NULL, NULL, NULL},
    {"levels", get_levels, NULL, NULL, NULL},
    {"settings", get_settings, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A trained forest."},
    {Py_tp_dealloc, dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {0, NULL},
};

PyType_Spec core_forest_spec = {
    .name = "sporf._core.Forest",
    .basicsize = sizeof(core_forest),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
