/* Forest.report: a page of HTML on this forest and others. */
#include "core.h"

enum { MODELS_MOST = 8 };

/* The forests of a tuple after the first; returns how many there are in all, or 0 with an
 * exception. */
static size_t take_forests(PyObject *self, PyObject *others, const sporf_forest **forests) {
    Py_ssize_t count = PyTuple_Size(others);
    forests[0] = ((core_forest *)self)->forest;
    if (count < 0) return 0;
    if (count >= MODELS_MOST) {
        PyErr_Format(PyExc_ValueError, "at most %d models are compared, not %zd", MODELS_MOST,
                     count + 1);
        return 0;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *other = PyTuple_GetItem(others, i);
        if (!other || !PyObject_TypeCheck(other, core_state_of(self)->forest_type)) {
            PyErr_SetString(PyExc_TypeError, "others must be Forests");
            return 0;
        }
        forests[1 + i] = ((core_forest *)other)->forest;
    }
    return 1 + (size_t)count;
}

static PyObject *make(const sporf_forest *const *forests, size_t count, const sporf_dataset *data,
                      const sporf_report_options *options) {
    core_watch w = {0};
    sporf_hooks hooks = core_watch_hooks(&w);
    char *html = NULL;
    size_t size = 0;
    sporf_status status;
    Py_BEGIN_ALLOW_THREADS status =
        sporf_report_html(forests, count, data, options, &hooks, &html, &size);
    Py_END_ALLOW_THREADS if (status != SPORF_OK) return core_watch_fail(&w, status);
    PyObject *result = PyUnicode_FromStringAndSize(html, (Py_ssize_t)size);
    sporf_free(html);
    return result;
}

/* (dataset or None, other forests, names of all, title or None, seed, threads, posteriors, raw):
 * the page.
 */
PyObject *core_forest_report(PyObject *self, PyObject *args) {
    PyObject *dataset, *others, *names, *title, *kept = NULL, *kept_title = NULL, *result = NULL;
    const sporf_forest *forests[MODELS_MOST];
    unsigned long long seed;
    int posteriors, raw;
    size_t named = 0;
    sporf_report_options options;
    sporf_report_options_init(&options);
    if (!PyArg_ParseTuple(args, "OO!OOKIpp", &dataset, &PyTuple_Type, &others, &names, &title,
                          &seed, &options.threads, &posteriors, &raw))
        return NULL;
    const sporf_dataset *data = dataset == Py_None ? NULL : core_data(core_state_of(self), dataset);
    if (!data && dataset != Py_None) return NULL;
    size_t count = take_forests(self, others, forests);
    if (count == 0) return NULL;
    options.seed = seed;
    options.combine = posteriors ? SPORF_COMBINE_POSTERIORS : SPORF_COMBINE_VOTES;
    options.calibration = raw ? SPORF_CALIBRATE_NONE : SPORF_CALIBRATE_AUTO;
    if (title != Py_None && !(options.title = core_bytes(title, &kept_title))) return NULL;
    const char **texts = core_texts(names, &kept, &named);
    if (texts && named == count) {
        options.names = texts;
        result = make(forests, count, data, &options);
    } else if (texts) {
        PyErr_SetString(PyExc_ValueError, "a name for each model is needed");
    }
    PyMem_Free((void *)texts);
    Py_XDECREF(kept);
    Py_XDECREF(kept_title);
    return result;
}
