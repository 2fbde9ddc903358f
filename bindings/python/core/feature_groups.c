/* Groups of features: a list of lists of whole numbers, or None for each feature by itself. */
#include "core.h"

static size_t count_members(PyObject *lists, size_t groups) {
    size_t members = 0;
    for (size_t g = 0; g < groups; g++)
        members += (size_t)PyList_Size(PyList_GetItem(lists, (Py_ssize_t)g));
    return members;
}

/* Returns -1 after an exception. */
static int fill(PyObject *lists, core_groups *out) {
    size_t at = 0;
    for (size_t g = 0; g < out->count; g++) {
        PyObject *members = PyList_GetItem(lists, (Py_ssize_t)g);
        size_t count = (size_t)PyList_Size(members);
        out->groups[g] = (sporf_feature_group){out->features + at, count};
        for (size_t i = 0; i < count; i++)
            out->features[at++] = PyLong_AsSize_t(PyList_GetItem(members, (Py_ssize_t)i));
    }
    return PyErr_Occurred() ? -1 : 0;
}

static int check(PyObject *lists) {
    int good = PyList_Check(lists);
    for (Py_ssize_t g = 0; good && g < PyList_Size(lists); g++)
        good = PyList_Check(PyList_GetItem(lists, g));
    if (!good) PyErr_SetString(PyExc_TypeError, "groups must be a list of lists, or None");
    return good ? 0 : -1;
}

int core_groups_read(PyObject *lists, size_t features, core_groups *out) {
    *out = (core_groups){.results = features};
    if (lists == Py_None) return 0;
    if (check(lists) < 0) return -1;
    out->results = out->count = (size_t)PyList_Size(lists);
    out->groups = PyMem_Calloc(out->count + 1, sizeof *out->groups);
    out->features = PyMem_Calloc(count_members(lists, out->count) + 1, sizeof *out->features);
    if (out->groups && out->features) return fill(lists, out);
    PyErr_NoMemory();
    return -1;
}

void core_groups_free(core_groups *groups) {
    PyMem_Free(groups->groups);
    PyMem_Free(groups->features);
}
