/* The thread of a training, and Forest.train. */
#include "training.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

enum { LOOK_AROUND_NS = 50 * 1000 * 1000 };

static void note_progress(void *payload, size_t trees_done, size_t trees) {
    core_training *t = payload;
    (void)trees;
    atomic_store(&t->trees_done, trees_done);
}

static void note_choosing(void *payload, size_t pilot_trees, double share) {
    core_training *t = payload;
    atomic_store(&t->share, share);
    atomic_store(&t->pilots_done, pilot_trees);
}

static void note_round(void *payload, const sporf_boost_round *round) {
    core_training *t = payload;
    if (t->rounds.call && core_rounds_call(&t->rounds, round)) atomic_store(&t->stop, 1);
}

static int is_stopped(void *payload) {
    core_training *t = payload;
    return atomic_load_explicit(&t->stop, memory_order_relaxed);
}

static void note_text(void *payload, const char *text) {
    core_training *t = payload;
    snprintf(t->note, sizeof t->note, "%s", text);
}

sporf_hooks core_training_hooks(core_training *t) {
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.payload = t;
    hooks.progress = note_progress;
    hooks.interrupt = is_stopped;
    hooks.choosing = note_choosing;
    hooks.search_seconds = &t->search_seconds;
    hooks.round = note_round;
    hooks.note = note_text;
    hooks.valid = t->valid;
    hooks.loss = t->loss.derive ? &t->loss.loss : NULL;
    hooks.sampler = t->sampler.draw ? &t->sampler.sampler : NULL;
    return hooks;
}

static void *grow(void *argument) {
    core_training *t = argument;
    t->status = t->work(t);
    if (t->status != SPORF_OK) core_error_keep(t->status, &t->error);
    pthread_mutex_lock(&t->lock);
    t->done = 1;
    pthread_cond_signal(&t->finished);
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* Waits until training is done or it is time to look around; returns whether it is done. */
static int wait_a_little(core_training *t) {
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
static int report(const core_training *t, PyObject *progress, reported *last) {
    reported now = {.trees = atomic_load(&t->trees_done), .pilots = atomic_load(&t->pilots_done)};
    reported before = *last;
    *last = now;
    if (progress == Py_None) return 0;
    if (now.pilots != before.pilots &&
        answered(PyObject_CallFunction(progress, "nd", (Py_ssize_t)now.pilots,
                                       atomic_load(&t->share))) != 0)
        return -1;
    if (now.trees == before.trees && !t->watches) return 0;
    return answered(PyObject_CallFunction(progress, "n", (Py_ssize_t)now.trees));
}

/* Waits to the end. Returns what Ctrl-C or the report raised, or NULL. */
static PyObject *await_end(core_training *t, PyObject *progress) {
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

/* The package knows whose line to warn of. Returns what the warning raised, or NULL. */
static PyObject *warn(const char *note) {
    PyObject *messages = PyImport_ImportModule("sporf._messages");
    PyObject *answer = messages ? PyObject_CallMethod(messages, "warn", "s", note) : NULL;
    Py_XDECREF(messages);
    return answered(answer) == 0 ? NULL : core_take_exception();
}

int core_training_run(core_training *t, PyObject *progress, PyObject **raised) {
    pthread_t thread;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->finished, NULL);
    int refused = pthread_create(&thread, NULL, grow, t);
    if (refused) {
        PyErr_SetString(PyExc_RuntimeError, "the system refused a thread to train in");
    } else {
        *raised = await_end(t, progress);
        pthread_join(thread, NULL);
        if (!*raised && t->note[0]) *raised = warn(t->note);
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

PyObject *core_training_options(core_training *t, PyObject *options) {
    PyObject *name, *value, *kept = PyList_New(0);
    Py_ssize_t place = 0;
    if (!kept) return NULL;
    sporf_params_init(&t->params);
    int failed = 0;
    while (!failed && PyDict_Next(options, &place, &name, &value))
        failed = set_option(&t->params, name, value, kept) != 0;
    if (failed) Py_CLEAR(kept);
    return kept;
}

PyObject *core_training_error(const core_training *t) {
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

PyObject *core_training_outcome(core_training *t, PyTypeObject *type, PyObject *raised) {
    PyObject *error = core_training_error(t);
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

static sporf_status train(core_training *t) {
    sporf_hooks hooks = core_training_hooks(t);
    return t->first ? sporf_forest_extend(t->first, t->data, &t->params, &hooks, &t->forest)
                    : sporf_forest_train(t->data, &t->params, &hooks, &t->forest);
}

PyObject *core_forest_train(PyObject *type, PyObject *args) {
    core_state *state = PyType_GetModuleState((PyTypeObject *)type);
    PyObject *dataset, *options, *progress, *sampler, *first, *kept, *raised = NULL, *result = NULL;
    PyObject *valid = Py_None, *loss = Py_None, *rounds = Py_None;
    const char *sampler_name;
    core_training t = {.work = train};
    if (!PyArg_ParseTuple(args, "OO!OOsO|OOO", &dataset, &PyDict_Type, &options, &progress,
                          &sampler, &sampler_name, &first, &valid, &loss, &rounds))
        return NULL;
    if (!(t.data = core_data(state, dataset))) return NULL;
    if (valid != Py_None && !(t.valid = core_data(state, valid))) return NULL;
    if (Py_IS_TYPE(first, state->forest_type)) t.first = ((core_forest *)first)->forest;
    if (rounds != Py_None) t.rounds.call = rounds;
    if (loss != Py_None && core_loss_init(&t.loss, loss) != 0) return NULL;
    if (!(kept = core_training_options(&t, options))) {
        core_loss_free(&t.loss);
        return NULL;
    }
    if (sampler != Py_None)
        core_sampler_init(&t.sampler, sampler, sampler_name,
                          t.params.learner == SPORF_LEARNER_BOOSTING);
    if (core_training_run(&t, progress, &raised) == 0)
        result = core_training_outcome(&t, (PyTypeObject *)type, raised);
    core_loss_free(&t.loss);
    Py_DECREF(kept);
    return result ? Py_BuildValue("(Nd)", result, t.search_seconds) : NULL;
}
