/* A training in a thread of its own, while the caller's waits, without the GIL, and looks from time
 * to time whether Ctrl-C was pressed and whether there are new trees to report. So no thread of the
 * library ever needs Python, but to call a sampler, a loss or what comes after a round, written in
 * it. */
#ifndef TRAINING_H
#define TRAINING_H

#include "core.h"

#include <pthread.h>
#include <stdatomic.h>

enum { CORE_NOTE_MAX = 1536 };

typedef struct core_training core_training;

struct core_training {
    sporf_status (*work)(core_training *t); /* what the thread does */
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
    uint32_t part_first, part_trees; /* the trees of a part */
    void *bytes;                     /* of a part that was grown */
    size_t bytes_size;
    int watches; /* the report is called each time the caller looks around */
    sporf_status status;
    core_error error; /* where the status says so */
    atomic_int stop;
    atomic_size_t trees_done, pilots_done;
    _Atomic double share;     /* of the work that pilot forests may take */
    double search_seconds;    /* that they took */
    char note[CORE_NOTE_MAX]; /* the last one of the library; "" for none */
    pthread_mutex_t lock;
    pthread_cond_t finished;
    int done; /* under the lock */
};

/* Hooks for the library: progress, interruption, and the functions of the user's. */
sporf_hooks core_training_hooks(core_training *t);

/* Fills the parameters from a dictionary of texts. Returns what keeps the texts that they borrow;
 * NULL with an exception. */
PyObject *core_training_options(core_training *t, PyObject *options);

/* Does the work, waits for its end, and warns of what the library noted. *raised is what Ctrl-C,
 * the report or the warning raised, or NULL. Returns 0, or -1 with an exception. */
int core_training_run(core_training *t, PyObject *progress, PyObject **raised);

/* What functions of the user's raised; NULL if nothing. */
PyObject *core_training_error(const core_training *t);

/* What training left behind, and what was raised meanwhile: (Forest or None, exception or None).
 * The exception of a user's function says more than the library's message about it. */
PyObject *core_training_outcome(core_training *t, PyTypeObject *type, PyObject *raised);

#endif
