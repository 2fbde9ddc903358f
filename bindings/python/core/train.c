/* Forest.train and Forest.search: training in a thread of its own, while the caller's waits,
 * without the GIL, and looks from time to time whether Ctrl-C was pressed and whether there are new
 * trees to report. So no thread of the library ever needs Python, but to call a sampler, a loss or
 * what comes after a round, written in it. */
#include "core.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { LOOK_AROUND_NS = 50 * 1000 * 1000 };

typedef struct {
    const sporf_dataset *data;
    const sporf_forest *first; /* trees to keep; NULL for none */
    sporf_params params;
    core_sampler sampler;
    const sporf_dataset *valid; /* rows to stop boosting by; NULL: some of the data */
    core_loss loss;
    core_rounds rounds;
    sporf_search_options *search; /* settings are searched; NULL: they are given */
    sporf_search *found;          /* what came of it */
    sporf_forest *forest;
    sporf_status status;
    core_error error; /* where the status says so */
    atomic_int stop;
    atomic_size_t trees_done, pilots_done;
    _Atomic double share;  /* of the work that pilot forests may take */
    double search_seconds; /* that they took */
    pthread_mutex_t lock;
    pthread_cond_t finished;
    int done; /* under the lock */
} training;

static void note_progress(void *payload, size_t trees_done, size_t trees) {
    training *t = payload;
    (void)trees;
    atomic_store(&t->trees_done, trees_done);
}

static void note_choosing(void *payload, size_t pilot_trees, double share) {
    training *t = payload;
    atomic_store(&t->share, share);
    atomic_store(&t->pilots_done, pilot_trees);
}

static void note_round(void *payload, const sporf_boost_round *round) {
    training *t = payload;
    if (t->rounds.call && core_rounds_call(&t->rounds, round)) atomic_store(&t->stop, 1);
}

static int is_stopped(void *payload) {
    training *t = payload;
    return atomic_load_explicit(&t->stop, memory_order_relaxed);
}

static sporf_status search(training *t) {
    t->search->payload = t;
    t->search->progress = note_progress;
    t->search->interrupt = is_stopped;
    t->search->all_or_nothing = 1; /* Ctrl-C raises: what it kept would be lost */
    sporf_status status = sporf_search_run(t->data, &t->params, t->search, &t->found);
    if (status == SPORF_OK) {
        t->forest = t->found->forest;
        t->found->forest = NULL;
    }
    return status;
}

static sporf_status train(training *t) {
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.payload = t;
    hooks.progress = note_progress;
    hooks.interrupt = is_stopped;
    hooks.choosing = note_choosing;
    hooks.search_seconds = &t->search_seconds;
    hooks.round = note_round;
    hooks.valid = t->valid;
    hooks.loss = t->loss.derive ? &t->loss.loss : NULL;
    hooks.sampler = t->sampler.draw ? &t->sampler.sampler : NULL;
    return t->first ? sporf_forest_extend(t->first, t->data, &t->params, &hooks, &t->forest)
                    : sporf_forest_train(t->data, &t->params, &hooks, &t->forest);
}

static void *grow(void *argument) {
    training *t = argument;
    t->status = t->search ? search(t) : train(t);
    if (t->status != SPORF_OK) core_error_keep(t->status, &t->error);
    pthread_mutex_lock(&t->lock);
    t->done = 1;
    pthread_cond_signal(&t->finished);
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* Waits until training is done or it is time to look around; returns whether it is done. */
static int wait_a_little(training *t) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_AROUND_NS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    int done, late = 0;
    pthread_mutex_lock(&t->lock);
    while (!t->done && late != ETIMEDOUT)
        late = pthread_cond_timedwait(&t->finished, &t->lock, &until);
    done = t->done;
    pthread_mutex_unlock(&t->lock);
    return done;
}

/* What the report was last told. */
typedef struct {
    size_t trees, pilots;
} reported;

static int answered(PyObject *answer) {
    Py_XDECREF(answer);
    return answer ? 0 : -1;
}

/* Calls progress(pilot trees, share) while settings are chosen, then progress(trees). */
static int report(const training *t, PyObject *progress, reported *last) {
    reported now = {.trees = atomic_load(&t->trees_done), .pilots = atomic_load(&t->pilots_done)};
    reported before = *last;
    *last = now;
    if (progress == Py_None) return 0;
    if (now.pilots != before.pilots &&
        answered(PyObject_CallFunction(progress, "nd", (Py_ssize_t)now.pilots,
                                       atomic_load(&t->share))) != 0)
        return -1;
    if (now.trees == before.trees) return 0;
    return answered(PyObject_CallFunction(progress, "n", (Py_ssize_t)now.trees));
}

/* Waits to the end. Returns what Ctrl-C or the report raised, or NULL. */
static PyObject *await_end(training *t, PyObject *progress) {
    PyObject *raised = NULL;
    reported last = {0};
    for (int done = 0; !done;) {
        Py_BEGIN_ALLOW_THREADS done = wait_a_little(t);
        Py_END_ALLOW_THREADS if (raised) continue;
        if (PyErr_CheckSignals() == 0 && report(t, progress, &last) == 0) continue;
        raised = core_take_exception();
        atomic_store(&t->stop, 1);
    }
    return raised;
}

static int run(training *t, PyObject *progress, PyObject **raised) {
    pthread_t thread;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->finished, NULL);
    int refused = pthread_create(&thread, NULL, grow, t);
    if (refused) {
        PyErr_SetString(PyExc_RuntimeError, "the system refused a thread to train in");
    } else {
        *raised = await_end(t, progress);
        pthread_join(thread, NULL);
    }
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->finished);
    return refused ? -1 : 0;
}

/* The bytes of an option's name or value, which `kept`, a list, keeps: the library borrows some. */
static const char *keep_bytes(PyObject *text, PyObject *kept) {
    PyObject *holder;
    const char *bytes = core_bytes(text, &holder);
    if (bytes && PyList_Append(kept, holder) != 0) bytes = NULL;
    Py_XDECREF(holder);
    return bytes;
}

static int set_option(sporf_params *params, PyObject *name, PyObject *value, PyObject *kept) {
    const char *name_text = keep_bytes(name, kept),
               *value_text = name_text ? keep_bytes(value, kept) : NULL;
    if (!value_text) return -1;
    sporf_status status = sporf_params_set(params, name_text, value_text);
    if (status == SPORF_OK) return 0;
    core_raise_last(status);
    return -1;
}

/* Returns what keeps the texts that the parameters borrow; NULL with an exception. */
static PyObject *set_options(sporf_params *params, PyObject *options) {
    PyObject *name, *value, *kept = PyList_New(0);
    Py_ssize_t place = 0;
    if (!kept) return NULL;
    sporf_params_init(params);
    int failed = 0;
    while (!failed && PyDict_Next(options, &place, &name, &value))
        failed = set_option(params, name, value, kept) != 0;
    if (failed) Py_CLEAR(kept);
    return kept;
}

/* What functions of the user's raised; NULL if nothing. */
static PyObject *error_of_user(const training *t) {
    PyObject *const errors[] = {t->sampler.error, t->loss.error, t->rounds.error};
    PyObject *first = NULL;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (first)
            Py_XDECREF(errors[i]);
        else
            first = errors[i];
    }
    return first;
}

/* What training left behind, and what was raised meanwhile: (Forest or None, exception or None).
 * The exception of a user's function says more than the library's message about it. */
static PyObject *outcome(training *t, PyTypeObject *type, PyObject *raised) {
    PyObject *error = error_of_user(t);
    if (error) {
        sporf_forest_free(t->forest);
        Py_XDECREF(raised);
        return Py_BuildValue("(ON)", Py_None, error);
    }
    if (t->status != SPORF_OK && raised) return Py_BuildValue("(ON)", Py_None, raised);
    if (t->status != SPORF_OK) return core_raise(&t->error);
    PyObject *forest = core_forest_new(type, t->forest);
    if (!forest) {
        Py_XDECREF(raised);
        return NULL;
    }
    if (raised) return Py_BuildValue("(NN)", forest, raised);
    return Py_BuildValue("(NO)", forest, Py_None);
}

PyObject *core_forest_train(PyObject *type, PyObject *args) {
    core_state *state = PyType_GetModuleState((PyTypeObject *)type);
    PyObject *dataset, *options, *progress, *sampler, *first, *kept, *raised = NULL, *result = NULL;
    PyObject *valid = Py_None, *loss = Py_None, *rounds = Py_None;
    const char *sampler_name;
    training t = {.status = SPORF_OK};
    if (!PyArg_ParseTuple(args, "OO!OOsO|OOO", &dataset, &PyDict_Type, &options, &progress,
                          &sampler, &sampler_name, &first, &valid, &loss, &rounds))
        return NULL;
    if (!(t.data = core_data(state, dataset))) return NULL;
    if (valid != Py_None && !(t.valid = core_data(state, valid))) return NULL;
    if (Py_IS_TYPE(first, state->forest_type)) t.first = ((core_forest *)first)->forest;
    if (rounds != Py_None) t.rounds.call = rounds;
    if (loss != Py_None && core_loss_init(&t.loss, loss) != 0) return NULL;
    if (!(kept = set_options(&t.params, options))) {
        core_loss_free(&t.loss);
        return NULL;
    }
    if (sampler != Py_None)
        core_sampler_init(&t.sampler, sampler, sampler_name,
                          t.params.learner == SPORF_LEARNER_BOOSTING);
    if (run(&t, progress, &raised) == 0) result = outcome(&t, (PyTypeObject *)type, raised);
    core_loss_free(&t.loss);
    Py_DECREF(kept);
    return result ? Py_BuildValue("(Nd)", result, t.search_seconds) : NULL;
}

/* ---- searching ------------------------------------------------------------------------------- */

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
static PyObject *search_outcome(training *t, PyTypeObject *type, PyObject *raised) {
    PyObject *trained = outcome(t, type, raised), *list = trained ? tried(t->found) : NULL;
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
    training t = {.status = SPORF_OK, .search = &how};
    sporf_search_options_init(&how);
    if (!PyArg_ParseTuple(args, "OO!pOOn", &dataset, &PyDict_Type, &options, &all, &projections,
                          &densities, &folds))
        return NULL;
    if (!(t.data = core_data(state, dataset))) return NULL;
    if (!(kept = set_options(&t.params, options))) return NULL;
    sporf_amount *d = amounts(projections, "projections", &how.projections_count);
    sporf_amount *lambda = d ? amounts(densities, "density", &how.densities_count) : NULL;
    how.way = all ? SPORF_SEARCH_ALL : SPORF_SEARCH_RACE;
    how.projections = d;
    how.densities = lambda;
    how.folds_count = folds < 0 ? 0 : (size_t)folds;
    if (lambda && run(&t, Py_None, &raised) == 0)
        result = search_outcome(&t, (PyTypeObject *)type, raised);
    PyMem_Free(d);
    PyMem_Free(lambda);
    Py_DECREF(kept);
    return result;
}
