/* The library's errors as Python's exceptions. */
#include "core.h"

#include <string.h>

PyObject *core_raise_as(PyObject *exception, const char *message) {
    PyObject *text = PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace");
    if (text) PyErr_SetObject(exception, text);
    Py_XDECREF(text);
    return NULL;
}

/* What the library refuses is a ValueError of its own kind, so that Python can tell its messages
 * from others'. */
static void raise_refused(const char *message) {
    PyObject *module = PyImport_ImportModule("sporf._core");
    PyObject *refused = module ? PyObject_GetAttrString(module, "Refused") : NULL;
    if (refused) core_raise_as(refused, message);
    Py_XDECREF(refused);
    Py_XDECREF(module);
}

static PyObject *exception_of(sporf_status status) {
    switch (status) {
    case SPORF_ERROR_IO:
        return PyExc_OSError;
    case SPORF_ERROR_MEMORY:
        return PyExc_MemoryError;
    case SPORF_ERROR_CANCELLED:
        return PyExc_KeyboardInterrupt;
    default:
        return NULL;
    }
}

PyObject *core_raise(sporf_status status, const char *message) {
    PyObject *exception = exception_of(status);
    if (exception) return core_raise_as(exception, message);
    raise_refused(message);
    return NULL;
}

PyObject *core_raise_last(sporf_status status) {
    return core_raise(status, sporf_last_error());
}

PyObject *core_take_exception(void) {
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (value && traceback) PyException_SetTraceback(value, traceback);
    Py_XDECREF(type);
    Py_XDECREF(traceback);
    return value;
}
