/* Forest.explain: Shapley values of features, or of projections. */
#include "core.h"

/* Arrays that Python has made. */
enum { VALUES, ERRORS, BASE, PREDICTIONS, ARRAYS };

typedef struct {
    Py_buffer buffer[ARRAYS];
    int taken;
} arrays;

static int take_arrays(PyObject *const *objects, const size_t *counts, arrays *a) {
    static const char *const names[] = {"values", "errors", "base", "predictions"};
    for (; a->taken < ARRAYS; a->taken++)
        if (core_items(objects[a->taken], "d", counts[a->taken], 1, names[a->taken],
                       &a->buffer[a->taken]) != 0)
            return -1;
    return 0;
}

static void release_arrays(arrays *a) {
    while (a->taken > 0) PyBuffer_Release(&a->buffer[--a->taken]);
}

typedef struct {
    const sporf_forest *forest;
    const sporf_dataset *data, *background;
    const sporf_ranking *ranking; /* NULL: features */
    sporf_explain_options options;
    sporf_explanation out;
} request;

static PyObject *explain(const request *r, const double *estimated) {
    core_watch w = {0};
    sporf_hooks hooks = core_watch_hooks(&w);
    sporf_status status;
    Py_BEGIN_ALLOW_THREADS if (r->ranking) status = sporf_forest_explain_projections(
        r->forest, r->data, r->background, r->ranking, &r->options, &hooks, &r->out);
    else status =
        sporf_forest_explain(r->forest, r->data, r->background, &r->options, &hooks, &r->out);
    Py_END_ALLOW_THREADS return status == SPORF_OK ? PyFloat_FromDouble(*estimated)
                                                   : core_watch_fail(&w, status);
}

static PyObject *explain_into(request *r, PyObject *const *objects) {
    size_t rows = sporf_dataset_rows(r->data), outputs = sporf_forest_explained_outputs(r->forest);
    size_t places = r->ranking ? r->ranking->count + 1 : sporf_forest_features(r->forest);
    const size_t counts[ARRAYS] = {rows * places * outputs, rows * places * outputs, outputs,
                                   rows * outputs};
    arrays a = {.taken = 0};
    double estimated = 0;
    PyObject *result = NULL;
    if (take_arrays(objects, counts, &a) == 0) {
        sporf_explanation_init(&r->out);
        r->out.values = a.buffer[VALUES].buf;
        r->out.errors = a.buffer[ERRORS].buf;
        r->out.base = a.buffer[BASE].buf;
        r->out.predictions = a.buffer[PREDICTIONS].buf;
        r->out.estimated = &estimated;
        result = explain(r, &estimated);
    }
    release_arrays(&a);
    return result;
}

/* (dataset, background, projections or 0, posteriors, steps, seed, threads, values, errors, base,
 * predictions): fills the arrays; the share of values that are estimated. */
PyObject *core_forest_explain(PyObject *self, PyObject *args) {
    request r = {.forest = ((core_forest *)self)->forest};
    PyObject *data, *background, *objects[ARRAYS], *result = NULL;
    Py_ssize_t projections;
    int posteriors;
    unsigned long long steps, seed;
    sporf_ranking *ranking = NULL;
    sporf_explain_options_init(&r.options);
    if (!PyArg_ParseTuple(args, "OOnpKKIOOOO", &data, &background, &projections, &posteriors,
                          &steps, &seed, &r.options.threads, &objects[VALUES], &objects[ERRORS],
                          &objects[BASE], &objects[PREDICTIONS]))
        return NULL;
    r.data = core_data(core_state_of(self), data);
    r.background = r.data ? core_data(core_state_of(self), background) : NULL;
    if (!r.background) return NULL;
    r.options.combine = posteriors ? SPORF_COMBINE_POSTERIORS : SPORF_COMBINE_VOTES;
    r.options.steps = steps;
    r.options.seed = seed;
    if (projections > 0) {
        sporf_status status = sporf_ranking_create(r.forest, (size_t)projections, &ranking);
        if (status != SPORF_OK) return core_raise_last(status);
        r.ranking = ranking;
    }
    result = explain_into(&r, objects);
    sporf_ranking_free(ranking);
    return result;
}
