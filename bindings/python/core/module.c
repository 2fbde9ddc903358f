/* The module: its types, and what the library tells of itself and the machine. */
#include "core.h"

#include <string.h>

core_state *core_state_of(PyObject *self) {
    return PyType_GetModuleState(Py_TYPE(self));
}

static PyObject *cores(PyObject *module, PyObject *ignored) {
    (void)module, (void)ignored;
    return PyLong_FromUnsignedLong(sporf_cores());
}

static PyMethodDef functions[] = {
    {"cores", cores, METH_NOARGS, "The cores that this process may use."},
    {"score_classes", core_score_classes, METH_VARARGS, "Scores of predicted probabilities."},
    {"score_curve", core_score_curve, METH_VARARGS, "The curves of a class."},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject *add_type(PyObject *module, PyType_Spec *spec) {
    PyTypeObject *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    if (type && PyModule_AddType(module, type) != 0) Py_CLEAR(type);
    return type;
}

/* An exception of the library's own kind, sporf._core.NAME. */
static int add_exception(PyObject *module, const char *full_name, PyObject *base) {
    PyObject *exception = PyErr_NewException(full_name, base, NULL);
    int added =
        exception ? PyModule_AddObjectRef(module, strrchr(full_name, '.') + 1, exception) : -1;
    Py_XDECREF(exception);
    return added;
}

static int start(PyObject *module) {
    core_state *state = PyModule_GetState(module);
    state->dataset_type = add_type(module, &core_dataset_spec);
    state->forest_type = state->dataset_type ? add_type(module, &core_forest_spec) : NULL;
    state->shard_type = state->forest_type ? add_type(module, &core_shard_spec) : NULL;
    state->crown_type = state->shard_type ? add_type(module, &core_crown_spec) : NULL;
    state->joining_type = state->crown_type ? add_type(module, &core_joining_spec) : NULL;
    if (!state->joining_type) return -1;
    if (add_exception(module, "sporf._core.Refused", PyExc_ValueError) != 0) return -1;
    if (add_exception(module, "sporf._core.DeviceFailed", PyExc_RuntimeError) != 0) return -1;
    PyObject *methods = core_methods();
    int added = methods ? PyModule_AddObjectRef(module, "methods", methods) : -1;
    Py_XDECREF(methods);
    if (added != 0) return -1;
    return PyModule_AddStringConstant(module, "version", sporf_version());
}

static int traverse(PyObject *module, visitproc visit, void *arg) {
    core_state *state = PyModule_GetState(module);
    Py_VISIT(state->dataset_type);
    Py_VISIT(state->forest_type);
    Py_VISIT(state->shard_type);
    Py_VISIT(state->crown_type);
    Py_VISIT(state->joining_type);
    return 0;
}

static int clear(PyObject *module) {
    core_state *state = PyModule_GetState(module);
    Py_CLEAR(state->dataset_type);
    Py_CLEAR(state->forest_type);
    Py_CLEAR(state->shard_type);
    Py_CLEAR(state->crown_type);
    Py_CLEAR(state->joining_type);
    return 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, start}, {0, NULL}};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "sporf._core",
    .m_doc = "Datasets and forests of the C library.",
    .m_size = sizeof(core_state),
    .m_methods = functions,
    .m_slots = slots,
    .m_traverse = traverse,
    .m_clear = clear,
};

PyMODINIT_FUNC PyInit__core(void) {
    return PyModuleDef_Init(&definition);
}
