/* Forest.search: a search of settings, which trains the best. */
#include "training.h"

#include <string.h>

static sporf_status search(core_training *t) {
    sporf_hooks hooks = core_training_hooks(t);
    t->search->payload = hooks.payload;
    t->search->progress = hooks.progress;
    t->search->interrupt = hooks.interrupt;
    t->search->note = hooks.note;
    t->search->all_or_nothing = 1; /* Ctrl-C raises: what it kept would be lost */
    sporf_status status = sporf_search_run(t->data, &t->params, t->search, &t->found);
    if (status == SPORF_OK) {
        t->forest = t->found->forest;
        t->found->forest = NULL;
    }
    return status;
}

/* The amounts of a list of texts, as the option `name` takes them; NULL with an exception. */
static sporf_amount *amounts(PyObject *list, const char *name, size_t *count) {
    PyObject *kept;
    const char **texts = core_texts(list, &kept, count);
    if (!texts) return NULL;
    sporf_amount *powers = PyMem_Calloc(*count + 1, sizeof *powers);
    sporf_status status = SPORF_OK;
    for (size_t i = 0; powers && status == SPORF_OK && i < *count; i++) {
        sporf_params params;
        sporf_params_init(&params);
        status = sporf_params_set(&params, name, texts[i]);
        powers[i] = strcmp(name, "density") == 0 ? params.density : params.projections;
    }
    PyMem_Free(texts);
    Py_DECREF(kept);
    if (powers && status == SPORF_OK) return powers;
    if (status != SPORF_OK)
        core_raise_last(status);
    else
        PyErr_NoMemory();
    PyMem_Free(powers);
    return NULL;
}

static PyObject *setting_tuple(const sporf_trial *setting) {
    char projections[96] = "", density[96] = "";
    sporf_params params;
    sporf_params_init(&params);
    params.projections = setting->projections;
    params.density = setting->density;
    sporf_params_get(&params, "projections", projections, sizeof projections);
    sporf_params_get(&params, "density", density, sizeof density);
    return Py_BuildValue("(sskdnddd)", projections, density, (unsigned long)setting->d,
                         setting->nonzeros, (Py_ssize_t)setting->trees, setting->error,
                         setting->auc, setting->seconds);
}

static PyObject *tried(const sporf_search *found) {
    size_t count = found ? found->count : 0;
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *setting = setting_tuple(&found->trials[i]);
        if (!setting || PyList_SetItem(list, (Py_ssize_t)i, setting) != 0) Py_CLEAR(list);
    }
    return list;
}

/* (forest or None, exception or None), list of settings, number of the best. */
static PyObject *search_outcome(core_training *t, PyTypeObject *type, PyObject *raised) {
    PyObject *trained = core_training_outcome(t, type, raised),
             *list = trained ? tried(t->found) : NULL;
    size_t best = t->found ? t->found->best : 0;
    sporf_search_free(t->found);
    if (list) return Py_BuildValue("(NNn)", trained, list, (Py_ssize_t)best);
    Py_XDECREF(trained);
    return NULL;
}

PyObject *core_forest_search(PyObject *type, PyObject *args) {
    core_state *state = PyType_GetModuleState((PyTypeObject *)type);
    PyObject *dataset, *options, *projections, *densities, *kept, *raised = NULL, *result = NULL;
    int all;
    Py_ssize_t folds;
    sporf_search_options how;
    core_training t = {.work = search, .search = &how};
    sporf_search_options_init(&how);
    if (!PyArg_ParseTuple(args, "OO!pOOn", &dataset, &PyDict_Type, &options, &all, &projections,
                          &densities, &folds))
        return NULL;
    if (!(t.data = core_data(state, dataset))) return NULL;
    if (!(kept = core_training_options(&t, options))) return NULL;
    sporf_amount *d = amounts(projections, "projections", &how.projections_count);
    sporf_amount *lambda = d ? amounts(densities, "density", &how.densities_count) : NULL;
    how.way = all ? SPORF_SEARCH_ALL : SPORF_SEARCH_RACE;
    how.projections = d;
    how.densities = lambda;
    how.folds_count = folds < 0 ? 0 : (size_t)folds;
    if (lambda && core_training_run(&t, Py_None, &raised) == 0)
        result = search_outcome(&t, (PyTypeObject *)type, raised);
    PyMem_Free(d);
    PyMem_Free(lambda);
    Py_DECREF(kept);
    return result;
}
