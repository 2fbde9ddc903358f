/* Forest.corrected_importances and Forest.drop_column_importances: measures that train forests with
 * the settings of this one. */
#include "core.h"

typedef sporf_status measure(const sporf_forest *forest, const sporf_dataset *data,
                             const sporf_retrain_options *options, const sporf_hooks *hooks,
                             const sporf_feature_group *groups, size_t count, double *importances,
                             double *others);

/* Importances and then, if wanted, the other numbers, one for each group, as bytes of float64. */
static PyObject *run(PyObject *self, const sporf_dataset *data,
                     const sporf_retrain_options *options, const core_groups *groups,
                     measure *measure, int others) {
    const sporf_forest *forest = ((core_forest *)self)->forest;
    size_t bytes = (others ? 2 : 1) * groups->results * sizeof(double);
    PyObject *result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)bytes);
    if (!result) return NULL;
    double *numbers = (double *)(void *)PyBytes_AsString(result);
    core_watch w = {0};
    sporf_hooks hooks = core_watch_hooks(&w);
    sporf_status status;
    Py_BEGIN_ALLOW_THREADS status =
        measure(forest, data, options, &hooks, groups->groups, groups->count, numbers,
                others ? numbers + groups->results : NULL);
    Py_END_ALLOW_THREADS if (status == SPORF_OK) return result;
    Py_DECREF(result);
    return core_watch_fail(&w, status);
}

static PyObject *retrain(PyObject *self, PyObject *dataset, PyObject *lists,
                         const sporf_retrain_options *options, measure *measure, int others) {
    const sporf_dataset *data = core_data(core_state_of(self), dataset);
    core_groups groups;
    PyObject *result = NULL;
    if (!data) return NULL;
    size_t features = sporf_forest_features(((core_forest *)self)->forest);
    if (core_groups_read(lists, features, &groups) == 0)
        result = run(self, data, options, &groups, measure, others);
    core_groups_free(&groups);
    return result;
}

/* Seconds of a text such as "5m"; NULL is no limit. Returns -1 after an exception. */
static int read_time(const char *text, double *seconds) {
    sporf_params params;
    sporf_params_init(&params);
    sporf_status status = text ? sporf_params_set(&params, "time", text) : SPORF_OK;
    *seconds = params.time;
    if (status == SPORF_OK) return 0;
    core_raise_last(status);
    return -1;
}

/* (dataset, groups, repeats, p_values, time, seed, threads) */
PyObject *core_forest_corrected_importances(PyObject *self, PyObject *args) {
    PyObject *dataset, *lists;
    Py_ssize_t repeats;
    int p_values;
    const char *time;
    unsigned long long seed;
    sporf_retrain_options options;
    sporf_retrain_options_init(&options);
    if (!PyArg_ParseTuple(args, "OOnpzKI", &dataset, &lists, &repeats, &p_values, &time, &seed,
                          &options.threads) ||
        read_time(time, &options.time) < 0)
        return NULL;
    options.repeats = (size_t)repeats;
    options.seed = seed;
    return retrain(self, dataset, lists, &options, sporf_corrected_importances, p_values);
}

/* (dataset, groups, time, threads) */
PyObject *core_forest_drop_column(PyObject *self, PyObject *args) {
    PyObject *dataset, *lists;
    const char *time;
    sporf_retrain_options options;
    sporf_retrain_options_init(&options);
    if (!PyArg_ParseTuple(args, "OOzI", &dataset, &lists, &time, &options.threads) ||
        read_time(time, &options.time) < 0)
        return NULL;
    return retrain(self, dataset, lists, &options, sporf_drop_column, 1);
}
