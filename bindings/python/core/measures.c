/* Forest.permutation_importances and Forest.strength: what the rows out of the bags say, from the
 * data that the forest was trained on. */
#include "core.h"

/* (dataset, seed, threads): importances and then standard errors, a number for each feature, as
 * bytes of float64. */
PyObject *core_forest_permutation_importances(PyObject *self, PyObject *args) {
    const sporf_forest *forest = ((core_forest *)self)->forest;
    PyObject *dataset;
    unsigned long long seed;
    sporf_measure_options options;
    sporf_measure_options_init(&options);
    if (!PyArg_ParseTuple(args, "OKI", &dataset, &seed, &options.threads)) return NULL;
    const sporf_dataset *data = core_data(core_state_of(self), dataset);
    if (!data) return NULL;
    options.seed = seed;
    size_t features = sporf_forest_features(forest);
    PyObject *result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(2 * features * sizeof(double)));
    if (!result) return NULL;
    double *numbers = (double *)(void *)PyBytes_AsString(result);
    core_watch w = {0};
    sporf_hooks hooks = core_watch_hooks(&w);
    sporf_status status;
    Py_BEGIN_ALLOW_THREADS status = sporf_forest_permutation_importances(
        forest, data, &options, &hooks, numbers, numbers + features);
    Py_END_ALLOW_THREADS if (status == SPORF_OK) return result;
    Py_DECREF(result);
    return core_watch_fail(&w, status);
}

/* (dataset, threads): (strength, correlation, bound). */
PyObject *core_forest_strength(PyObject *self, PyObject *args) {
    const sporf_forest *forest = ((core_forest *)self)->forest;
    PyObject *dataset;
    sporf_measure_options options;
    sporf_measure_options_init(&options);
    if (!PyArg_ParseTuple(args, "OI", &dataset, &options.threads)) return NULL;
    const sporf_dataset *data = core_data(core_state_of(self), dataset);
    if (!data) return NULL;
    sporf_strength strength;
    core_watch w = {0};
    sporf_hooks hooks = core_watch_hooks(&w);
    sporf_status status;
    Py_BEGIN_ALLOW_THREADS status =
        sporf_forest_strength(forest, data, &options, &hooks, &strength);
    Py_END_ALLOW_THREADS if (status != SPORF_OK) return core_watch_fail(&w, status);
    return Py_BuildValue("(ddd)", strength.strength, strength.correlation, strength.bound);
}
