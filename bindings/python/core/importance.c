/* Forest.importances and Forest.ranking: which features, and which projections, matter. */
#include "core.h"

/* A share for each feature, as bytes of float64. */
PyObject *core_forest_importances(PyObject *self, PyObject *ignored) {
    (void)ignored;
    const sporf_forest *forest = ((core_forest *)self)->forest;
    size_t bytes = sporf_forest_features(forest) * sizeof(double);
    PyObject *result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)bytes);
    if (!result) return NULL;
    double *shares = (double *)(void *)PyBytes_AsString(result);
    sporf_status status;
    Py_BEGIN_ALLOW_THREADS status = sporf_forest_importances(forest, shares);
    Py_END_ALLOW_THREADS if (status == SPORF_OK) return result;
    Py_DECREF(result);
    return core_raise_last(status);
}

static PyObject *projection(const sporf_ranked *ranked) {
    return Py_BuildValue("(dKNN)", ranked->importance, (unsigned long long)ranked->splits,
                         core_whole_numbers(ranked->features, ranked->terms),
                         core_floats(ranked->weights, ranked->terms));
}

static PyObject *list_of(const sporf_ranking *ranking) {
    size_t count = ranking->count;
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *one = projection(&ranking->projections[i]);
        if (!one || PyList_SetItem(list, (Py_ssize_t)i, one) != 0) Py_CLEAR(list);
    }
    return list;
}

/* The first `count` projections: [(importance, splits, features, weights)]. */
PyObject *core_forest_ranking(PyObject *self, PyObject *number) {
    const sporf_forest *forest = ((core_forest *)self)->forest;
    size_t count = PyLong_AsSize_t(number);
    sporf_ranking *ranking = NULL;
    sporf_status status;
    if (PyErr_Occurred()) return NULL;
    Py_BEGIN_ALLOW_THREADS status = sporf_ranking_create(forest, count, &ranking);
    Py_END_ALLOW_THREADS if (status != SPORF_OK) return core_raise_last(status);
    PyObject *list = list_of(ranking);
    sporf_ranking_free(ranking);
    return list;
}
