/* The library's table of methods as a dictionary. */
#include "core.h"

#include <string.h>

/* A list separated by '|' as a tuple of texts. */
static PyObject *words(const char *list) {
    PyObject *text = PyUnicode_FromString(list), *bar = PyUnicode_FromString("|");
    PyObject *parts = text && bar && *list ? PyUnicode_Split(text, bar, -1) : PyList_New(0);
    Py_XDECREF(text);
    Py_XDECREF(bar);
    PyObject *tuple = parts ? PyList_AsTuple(parts) : NULL;
    Py_XDECREF(parts);
    return tuple;
}

PyObject *core_methods(void) {
    PyObject *methods = PyDict_New();
    const sporf_method_info *info;
    for (size_t i = 0; methods && (info = sporf_method_at(i)); i++) {
        PyObject *row = Py_BuildValue("{s:N,s:N,s:N,s:N,s:N}", "options", words(info->options),
                                      "fills_sums", PyBool_FromLong(info->traits.draws_slots),
                                      "needs_numbers", PyBool_FromLong(info->traits.needs_numbers),
                                      "classes_only", PyBool_FromLong(info->traits.classes_only),
                                      "has_bags", PyBool_FromLong(info->bag != SPORF_BAG_NONE));
        if (!row || PyDict_SetItemString(methods, info->name, row) != 0) Py_CLEAR(methods);
        Py_XDECREF(row);
    }
    return methods;
}

int core_method_needs_numbers(const char *name) {
    const sporf_method_info *info;
    for (size_t i = 0; (info = sporf_method_at(i)); i++)
        if (strcmp(info->name, name) == 0) return info->traits.needs_numbers;
    return 0;
}
