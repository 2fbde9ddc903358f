/* Arrays and lists of Python as the library takes them. */
#include "core.h"

#include <string.h>

char core_letter(const Py_buffer *buffer) {
    const char *format = buffer->format ? buffer->format : "B";
    if (*format == '@' || *format == '=') format++;
    return format[0] != '\0' && format[1] == '\0' ? format[0] : '\0';
}

static int refuse(Py_buffer *buffer, const char *name, const char *why) {
    PyErr_Format(PyExc_TypeError, "%s %s", name, why);
    PyBuffer_Release(buffer);
    return -1;
}

/* The library counts strides in items, forwards. */
static int has_usable_strides(const Py_buffer *buffer) {
    for (int i = 0; i < buffer->ndim; i++)
        if (buffer->shape[i] > 1 &&
            (buffer->strides[i] < 0 || buffer->strides[i] % buffer->itemsize != 0))
            return 0;
    return (uintptr_t)buffer->buf % (uintptr_t)buffer->itemsize == 0;
}

int core_buffer(PyObject *object, const char *letters, int dimensions, int writable,
                const char *name, Py_buffer *buffer) {
    int flags = PyBUF_STRIDES | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(object, buffer, flags) != 0) return -1;
    char letter = core_letter(buffer);
    if (letter == '\0' || !strchr(letters, letter))
        return refuse(buffer, name, "has another type of items");
    if (buffer->ndim != dimensions) return refuse(buffer, name, "has another number of dimensions");
    if (!has_usable_strides(buffer)) return refuse(buffer, name, "is not laid out in whole items");
    return 0;
}

int core_contiguous(PyObject *object, const char *letters, int writable, const char *name,
                    Py_buffer *buffer) {
    int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(object, buffer, flags) != 0) return -1;
    char letter = core_letter(buffer);
    if (letter == '\0' || !strchr(letters, letter))
        return refuse(buffer, name, "has another type of items");
    return 0;
}

int core_items(PyObject *object, const char *letters, size_t count, int writable, const char *name,
               Py_buffer *buffer) {
    if (core_contiguous(object, letters, writable, name, buffer) != 0) return -1;
    if ((size_t)(buffer->len / buffer->itemsize) == count) return 0;
    PyErr_Format(PyExc_ValueError, "%s has %zd items where %zu are needed", name,
                 buffer->len / buffer->itemsize, count);
    PyBuffer_Release(buffer);
    return -1;
}

sporf_matrix core_matrix(const Py_buffer *buffer, size_t first, size_t rows) {
    size_t size = (size_t)buffer->itemsize;
    return (sporf_matrix){
        .values = (const char *)buffer->buf + first * (size_t)buffer->strides[0],
        .type = core_letter(buffer) == 'f' ? SPORF_FLOAT32 : SPORF_FLOAT64,
        .rows = rows,
        .columns = (size_t)buffer->shape[1],
        .row_stride = (size_t)buffer->strides[0] / size,
        .column_stride = (size_t)buffer->strides[1] / size,
    };
}

/* Most texts are UTF-8, which Python keeps with the str; others are copied. */
const char *core_bytes(PyObject *text, PyObject **kept) {
    Py_ssize_t size;
    *kept = NULL;
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &size);
    if (bytes) {
        *kept = Py_NewRef(text);
    } else if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
        PyErr_Clear();
        *kept = PyUnicode_AsEncodedString(text, "utf-8", "surrogateescape");
        bytes = *kept ? PyBytes_AsString(*kept) : NULL;
        size = *kept ? PyBytes_Size(*kept) : 0;
    }
    if (!bytes || strlen(bytes) == (size_t)size) return bytes;
    PyErr_SetString(PyExc_ValueError, "names and labels must not hold the character NUL");
    Py_CLEAR(*kept);
    return NULL;
}

const char **core_texts(PyObject *sequence, PyObject **kept, size_t *count) {
    PyObject *list = PySequence_List(sequence);
    if (!list) return NULL;
    Py_ssize_t length = PyList_Size(list);
    const char **texts = PyMem_Malloc((size_t)(length > 0 ? length : 1) * sizeof *texts);
    if (!texts) PyErr_NoMemory();
    for (Py_ssize_t i = 0; texts && i < length; i++) {
        PyObject *holder;
        texts[i] = core_bytes(PyList_GetItem(list, i), &holder);
        if (texts[i] && PyList_SetItem(list, i, holder) == 0) continue;
        PyMem_Free(texts);
        texts = NULL;
    }
    if (!texts) {
        Py_DECREF(list);
        return NULL;
    }
    *kept = list;
    *count = (size_t)length;
    return texts;
}

PyObject *core_text(const char *text) {
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "surrogateescape");
}

PyObject *core_names(const void *object, size_t count, core_name_of name_of) {
    if (count > 0 && !name_of(object, 0)) Py_RETURN_NONE;
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        const char *text = name_of(object, i);
        if (!text) {
            Py_DECREF(list);
            Py_RETURN_NONE;
        }
        PyObject *name = core_text(text);
        if (!name || PyList_SetItem(list, (Py_ssize_t)i, name) != 0) Py_CLEAR(list);
    }
    return list;
}

PyObject *core_whole_numbers(const uint32_t *values, size_t count) {
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *number = PyLong_FromUnsignedLong(values[i]);
        if (!number || PyList_SetItem(list, (Py_ssize_t)i, number) != 0) Py_CLEAR(list);
    }
    return list;
}

PyObject *core_floats(const float *values, size_t count) {
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *number = PyFloat_FromDouble(values[i]);
        if (!number || PyList_SetItem(list, (Py_ssize_t)i, number) != 0) Py_CLEAR(list);
    }
    return list;
}
