/* Joining: parts of a forest, joined as they come. Parts travel as bytes. Work is done without the
 * GIL, so that other threads can go on meanwhile; but not with the same object. */
#include "core.h"

typedef struct core_joining {
    PyObject_HEAD sporf_joining *joining;
    int busy; /* a thread is working with it */
} core_joining;

static PyObject *joining_start(PyObject *type, PyObject *args) {
    unsigned threads;
    if (!PyArg_ParseTuple(args, "I", &threads)) return NULL;
    allocfunc alloc = (allocfunc)PyType_GetSlot((PyTypeObject *)type, Py_tp_alloc);
    core_joining *self = (core_joining *)alloc((PyTypeObject *)type, 0);
    if (!self) return NULL;
    sporf_status status = sporf_joining_create(threads, &self->joining);
    if (status == SPORF_OK) return (PyObject *)self;
    Py_DECREF(self);
    return core_raise_last(status);
}

static void joining_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    sporf_joining *joining = ((core_joining *)self)->joining;
    Py_BEGIN_ALLOW_THREADS sporf_joining_free(joining);
    Py_END_ALLOW_THREADS freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/* Returns 0, or -1 with an exception. */
static int enter(core_joining *self) {
    if (self->busy) {
        PyErr_SetString(PyExc_RuntimeError, "another thread is joining");
        return -1;
    }
    self->busy = 1;
    return 0;
}

static sporf_status load_and_add(sporf_joining *joining, const Py_buffer *bytes) {
    sporf_forest_part *part = NULL;
    sporf_status status = sporf_forest_part_load_bytes(bytes->buf, (size_t)bytes->len, &part);
    return status == SPORF_OK ? sporf_joining_add(joining, part, NULL) : status;
}

static PyObject *joining_add(PyObject *object, PyObject *bytes) {
    core_joining *self = (core_joining *)object;
    Py_buffer buffer;
    sporf_status status;
    if (PyObject_GetBuffer(bytes, &buffer, PyBUF_SIMPLE) != 0) return NULL;
    if (enter(self) != 0) {
        PyBuffer_Release(&buffer);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS status = load_and_add(self->joining, &buffer);
    Py_END_ALLOW_THREADS self->busy = 0;
    PyBuffer_Release(&buffer);
    if (status != SPORF_OK) return core_raise_last(status);
    Py_RETURN_NONE;
}

static PyObject *joining_end(PyObject *object, PyObject *args) {
    core_joining *self = (core_joining *)object;
    sporf_forest *forest = NULL;
    sporf_status status;
    int first_trees;
    if (!PyArg_ParseTuple(args, "p", &first_trees) || enter(self) != 0) return NULL;
    Py_BEGIN_ALLOW_THREADS status = sporf_joining_end(self->joining, first_trees, &forest);
    Py_END_ALLOW_THREADS self->busy = 0;
    if (status != SPORF_OK) return core_raise_last(status);
    return core_forest_new(core_state_of(object)->forest_type, forest);
}

static PyObject *get_trees(PyObject *object, void *closure) {
    (void)closure;
    core_joining *self = (core_joining *)object;
    if (enter(self) != 0) return NULL;
    self->busy = 0;
    return PyLong_FromUnsignedLong(sporf_joining_trees(self->joining));
}

static PyMethodDef methods[] = {
    {"start", joining_start, METH_VARARGS | METH_CLASS, "Nothing is joined yet."},
    {"add", joining_add, METH_O, "Joins a part."},
    {"end", joining_end, METH_VARARGS, "The forest, or that of its first trees."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"trees", get_trees, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Parts of a forest that are joined as they come."},
    {Py_tp_dealloc, joining_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {0, NULL},
};

PyType_Spec core_joining_spec = {
    .name = "sporf._core.Joining",
    .basicsize = sizeof(core_joining),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
