/* Forest.settle and Forest.train_part: a forest whose trees several processes grow. Parts travel as
 * bytes; joining.c joins them. */
#include "training.h"

#include <string.h>

/* ---- settings -------------------------------------------------------------------------------- */

static sporf_status settle(core_training *t) {
    sporf_hooks hooks = core_training_hooks(t);
    return sporf_train_settle(t->data, &t->params, &hooks, &t->params);
}

/* Puts a setting into the dictionary; texts, which are never chosen, stay as they are in it. */
static int put_setting(const sporf_params *params, const sporf_option *option, PyObject *settings) {
    char value[128];
    if (strcmp(option->type, "text") == 0) return 0;
    sporf_status status = sporf_params_get(params, option->name, value, sizeof value);
    if (status != SPORF_OK) {
        core_raise_last(status);
        return -1;
    }
    PyObject *text = core_text(value);
    int put = text ? PyDict_SetItemString(settings, option->name, text) : -1;
    Py_XDECREF(text);
    return put;
}

static PyObject *settings_of(const sporf_params *params, PyObject *options) {
    PyObject *settings = PyDict_Copy(options);
    const sporf_option *option;
    for (size_t i = 0; settings && (option = sporf_option_at(i)); i++)
        if (put_setting(params, option, settings) != 0) Py_CLEAR(settings);
    return settings;
}

/* What went wrong: NULL with an exception; releases what was raised. */
static PyObject *fail(core_training *t, PyObject *raised) {
    PyObject *error = core_training_error(t);
    if (error) {
        Py_XDECREF(raised);
        raised = error;
    }
    if (!raised) return core_raise(&t->error);
    PyErr_SetObject((PyObject *)Py_TYPE(raised), raised);
    Py_DECREF(raised);
    return NULL;
}

/* Data, options, and the function and name of a sampler, from the arguments of a training. */
static PyObject *prepare(core_training *t, PyObject *type, PyObject *dataset, PyObject *options,
                         PyObject *sampler, const char *sampler_name) {
    core_state *state = PyType_GetModuleState((PyTypeObject *)type);
    if (!(t->data = core_data(state, dataset))) return NULL;
    PyObject *kept = core_training_options(t, options);
    if (kept && sampler != Py_None) core_sampler_init(&t->sampler, sampler, sampler_name, 0);
    return kept;
}

/* The options as texts with nothing left to choose, and the seconds that choosing took. */
PyObject *core_forest_settle(PyObject *type, PyObject *args) {
    PyObject *dataset, *options, *progress, *sampler, *kept, *raised = NULL, *settings = NULL;
    const char *sampler_name;
    core_training t = {.work = settle, .watches = 1};
    if (!PyArg_ParseTuple(args, "OO!OOs", &dataset, &PyDict_Type, &options, &progress, &sampler,
                          &sampler_name))
        return NULL;
    if (!(kept = prepare(&t, type, dataset, options, sampler, sampler_name))) return NULL;
    if (core_training_run(&t, progress, &raised) == 0)
        settings =
            t.status != SPORF_OK || raised ? fail(&t, raised) : settings_of(&t.params, options);
    Py_DECREF(kept);
    return settings ? Py_BuildValue("(Nd)", settings, t.search_seconds) : NULL;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static sporf_status grow_part(core_training *t) {
    sporf_hooks hooks = core_training_hooks(t);
    sporf_forest_part *part = NULL;
    sporf_status status =
        sporf_forest_part_train(t->data, &t->params, &hooks, t->part_first, t->part_trees, &part);
    if (status == SPORF_OK) status = sporf_forest_part_save_bytes(part, &t->bytes, &t->bytes_size);
    sporf_forest_part_free(part);
    return status;
}

/* The bytes of a part; the report is called often, also without new trees, and may raise to stop.
 */
PyObject *core_forest_train_part(PyObject *type, PyObject *args) {
    PyObject *dataset, *options, *progress, *sampler, *kept, *raised = NULL, *bytes = NULL;
    const char *sampler_name;
    unsigned first, trees;
    core_training t = {.work = grow_part, .watches = 1};
    if (!PyArg_ParseTuple(args, "OO!OOsII", &dataset, &PyDict_Type, &options, &progress, &sampler,
                          &sampler_name, &first, &trees))
        return NULL;
    t.part_first = first;
    t.part_trees = trees;
    if (!(kept = prepare(&t, type, dataset, options, sampler, sampler_name))) return NULL;
    if (core_training_run(&t, progress, &raised) == 0)
        bytes = t.status != SPORF_OK || raised
                    ? fail(&t, raised)
                    : PyBytes_FromStringAndSize(t.bytes, (Py_ssize_t)t.bytes_size);
    sporf_free(t.bytes);
    Py_DECREF(kept);
    return bytes;
}
