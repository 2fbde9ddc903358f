/* The library's errors as Python's exceptions. */
#include "core.h"

static PyObject *exception_of(sporf_status status) {
    switch (status) {
    case SPORF_ERROR_IO:
        return PyExc_OSError;
    case SPORF_ERROR_MEMORY:
        return PyExc_MemoryError;
    case SPORF_ERROR_CANCELLED:
        return PyExc_KeyboardInterrupt;
    default:
        return PyExc_ValueError;
    }
}

PyObject *core_raise(sporf_status status, const char *message) {
    PyErr_SetString(exception_of(status), message);
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
