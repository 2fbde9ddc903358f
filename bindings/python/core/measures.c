/* Forest.permutation_importances, Forest.strength and Forest.bags: what the rows out of the bags
 * say, and which they are, from the data that the forest was trained on. */
#include "core.h"

static PyObject *permute(const sporf_forest *forest, const sporf_dataset *data,
                         const sporf_measure_options *options, const core_groups *groups) {
    size_t count = groups->results;
    PyObject *result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(2 * count * sizeof(double)));
    if (!result) return NULL;
    double *numbers = (double *)(void *)PyBytes_AsString(result);
    core_watch w = {0};
    sporf_hooks hooks = core_watch_hooks(&w);
    sporf_status status;
    Py_BEGIN_ALLOW_THREADS status = sporf_forest_group_importances(
        forest, data, options, &hooks, groups->groups, groups->count, numbers, numbers + count);
    Py_END_ALLOW_THREADS if (status == SPORF_OK) return result;
    Py_DECREF(result);
    return core_watch_fail(&w, status);
}

/* (dataset, groups, seed, threads): importances and then standard errors, a number for each feature
 * or group, as bytes of float64. */
PyObject *core_forest_permutation_importances(PyObject *self, PyObject *args) {
    const sporf_forest *forest = ((core_forest *)self)->forest;
    PyObject *dataset, *lists, *result = NULL;
    unsigned long long seed;
    core_groups groups;
    sporf_measure_options options;
    sporf_measure_options_init(&options);
    if (!PyArg_ParseTuple(args, "OOKI", &dataset, &lists, &seed, &options.threads)) return NULL;
    const sporf_dataset *data = core_data(core_state_of(self), dataset);
    if (!data) return NULL;
    options.seed = seed;
    if (core_groups_read(lists, sporf_forest_features(forest), &groups) == 0)
        result = permute(forest, data, &options, &groups);
    core_groups_free(&groups);
    return result;
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

/* (dataset, threads): how often each row was drawn for each tree, trees x rows, as bytes of uint32.
 */
PyObject *core_forest_bags(PyObject *self, PyObject *args) {
    const sporf_forest *forest = ((core_forest *)self)->forest;
    PyObject *dataset;
    sporf_measure_options options;
    sporf_measure_options_init(&options);
    if (!PyArg_ParseTuple(args, "OI", &dataset, &options.threads)) return NULL;
    const sporf_dataset *data = core_data(core_state_of(self), dataset);
    if (!data) return NULL;
    size_t count = sporf_forest_trees(forest) * sporf_dataset_rows(data);
    PyObject *result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * sizeof(uint32_t)));
    if (!result) return NULL;
    uint32_t *counts = (uint32_t *)(void *)PyBytes_AsString(result);
    core_watch w = {0};
    sporf_hooks hooks = core_watch_hooks(&w);
    sporf_status status;
    Py_BEGIN_ALLOW_THREADS status = sporf_forest_bags(forest, data, &options, &hooks, counts);
    Py_END_ALLOW_THREADS if (status == SPORF_OK) return result;
    Py_DECREF(result);
    return core_watch_fail(&w, status);
}
