/* The library's errors as Python's exceptions. Their text is the library's; its parts go with them,
 * so that Python can put options and places into its own words. */
#include "core.h"

#include <stdio.h>
#include <string.h>

static PyObject *as_text(const char *text) {
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

PyObject *core_raise_as(PyObject *exception, const char *message) {
    PyObject *text = as_text(message);
    if (text) PyErr_SetObject(exception, text);
    Py_XDECREF(text);
    return NULL;
}

/* ---- keeping an error ------------------------------------------------------------------------ */

/* Copies a text to *to, which moves behind it. */
static const char *keep_text(const char *text, char **to, const char *end) {
    char *begin = *to;
    if (!text) return NULL;
    int length = snprintf(begin, (size_t)(end - begin), "%s", text);
    *to = length + 1 < end - begin ? begin + length + 1 : begin + strlen(begin);
    return begin;
}

void core_error_keep(sporf_status status, core_error *kept) {
    const sporf_error *error = sporf_error_details();
    char *to = kept->text, *end = kept->text + sizeof kept->text;
    kept->status = status;
    kept->count = error->parts_count < CORE_PARTS_MAX ? error->parts_count : CORE_PARTS_MAX;
    for (size_t i = 0; i < kept->count; i++) {
        kept->parts[i] = error->parts[i];
        kept->parts[i].text = keep_text(error->parts[i].text, &to, end);
        kept->parts[i].value = keep_text(error->parts[i].value, &to, end);
    }
    snprintf(kept->message, sizeof kept->message, "%s", sporf_last_error());
}

/* ---- raising it ------------------------------------------------------------------------------ */

/* What the library refuses is a ValueError of its own kind, and a GPU that fails a RuntimeError, so
 * that Python can tell its messages from others'. */
static PyObject *exception_of(sporf_status status) {
    PyObject *known = status == SPORF_ERROR_IO          ? PyExc_OSError
                      : status == SPORF_ERROR_MEMORY    ? PyExc_MemoryError
                      : status == SPORF_ERROR_CANCELLED ? PyExc_KeyboardInterrupt
                                                        : NULL;
    if (known) return Py_NewRef(known);
    PyObject *module = PyImport_ImportModule("sporf._core");
    const char *name = status == SPORF_ERROR_DEVICE ? "DeviceFailed" : "Refused";
    PyObject *own = module ? PyObject_GetAttrString(module, name) : NULL;
    Py_XDECREF(module);
    return own;
}

/* (kind, text, value or None, number). */
static PyObject *part_tuple(const sporf_part *part) {
    static const char *const kinds[] = {
        [SPORF_PART_TEXT] = "text",     [SPORF_PART_HINT] = "hint",
        [SPORF_PART_OPTION] = "option", [SPORF_PART_FILE] = "file",
        [SPORF_PART_LINE] = "line",     [SPORF_PART_ROW] = "row",
        [SPORF_PART_COLUMN] = "column", [SPORF_PART_NUMBERED] = "numbered",
        [SPORF_PART_CELL] = "cell"};
    PyObject *text = as_text(part->text);
    PyObject *value = part->value ? as_text(part->value) : Py_NewRef(Py_None);
    if (text && value)
        return Py_BuildValue("(sNNn)", kinds[part->kind], text, value, (Py_ssize_t)part->number);
    Py_XDECREF(text);
    Py_XDECREF(value);
    return NULL;
}

static PyObject *part_list(const core_error *error) {
    PyObject *list = PyList_New((Py_ssize_t)error->count);
    for (size_t i = 0; list && i < error->count; i++) {
        PyObject *part = part_tuple(&error->parts[i]);
        if (!part || PyList_SetItem(list, (Py_ssize_t)i, part) != 0) Py_CLEAR(list);
    }
    return list;
}

PyObject *core_raise(const core_error *error) {
    PyObject *type = exception_of(error->status), *text = type ? as_text(error->message) : NULL;
    PyObject *exception = text ? PyObject_CallFunctionObjArgs(type, text, NULL) : NULL;
    PyObject *parts = exception ? part_list(error) : NULL;
    if (parts && PyObject_SetAttrString(exception, "parts", parts) == 0)
        PyErr_SetObject(type, exception);
    Py_XDECREF(parts);
    Py_XDECREF(exception);
    Py_XDECREF(text);
    Py_XDECREF(type);
    return NULL;
}

PyObject *core_raise_last(sporf_status status) {
    core_error error;
    core_error_keep(status, &error);
    return core_raise(&error);
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
