/* Forest.permutation_importances and Forest.strength: what the rows out of the bags say, from the
 * data that the forest was trained on. Ctrl-C is looked for by the thread that called. */
#include "core.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { LOOK_AROUND_NS = 50 * 1000 * 1000 };

typedef struct {
    pthread_t caller;
    struct timespec looked; /* only the caller's thread touches it */
    atomic_int stop;
} watch;

static int is_time(struct timespec *looked) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double passed =
        (double)(now.tv_sec - looked->tv_sec) * 1e9 + (double)(now.tv_nsec - looked->tv_nsec);
    if (passed < LOOK_AROUND_NS) return 0;
    *looked = now;
    return 1;
}

/* The exception stays set in the caller's thread. */
static int is_stopped(void *payload) {
    watch *w = payload;
    if (atomic_load_explicit(&w->stop, memory_order_relaxed)) return 1;
    if (!pthread_equal(w->caller, pthread_self()) || !is_time(&w->looked)) return 0;
    PyGILState_STATE state = PyGILState_Ensure();
    int stop = PyErr_CheckSignals() != 0;
    PyGILState_Release(state);
    if (stop) atomic_store(&w->stop, 1);
    return stop;
}

static sporf_hooks hooks_for(watch *w) {
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    w->caller = pthread_self();
    clock_gettime(CLOCK_MONOTONIC, &w->looked);
    hooks.payload = w;
    hooks.interrupt = is_stopped;
    return hooks;
}

static PyObject *fail(const watch *w, sporf_status status) {
    return atomic_load(&w->stop) ? NULL : core_raise_last(status);
}

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
    watch w = {0};
    sporf_hooks hooks = hooks_for(&w);
    sporf_status status;
    Py_BEGIN_ALLOW_THREADS status = sporf_forest_permutation_importances(
        forest, data, &options, &hooks, numbers, numbers + features);
    Py_END_ALLOW_THREADS if (status == SPORF_OK) return result;
    Py_DECREF(result);
    return fail(&w, status);
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
    watch w = {0};
    sporf_hooks hooks = hooks_for(&w);
    sporf_status status;
    Py_BEGIN_ALLOW_THREADS status =
        sporf_forest_strength(forest, data, &options, &hooks, &strength);
    Py_END_ALLOW_THREADS if (status != SPORF_OK) return fail(&w, status);
    return Py_BuildValue("(ddd)", strength.strength, strength.correlation, strength.bound);
}
