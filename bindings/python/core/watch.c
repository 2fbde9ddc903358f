/* Ctrl-C while the library works: the thread that called looks for it from time to time. */
#include "core.h"

enum { LOOK_AROUND_NS = 50 * 1000 * 1000 };

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
    core_watch *w = payload;
    if (atomic_load_explicit(&w->stop, memory_order_relaxed)) return 1;
    if (!pthread_equal(w->caller, pthread_self()) || !is_time(&w->looked)) return 0;
    PyGILState_STATE state = PyGILState_Ensure();
    int stop = PyErr_CheckSignals() != 0;
    PyGILState_Release(state);
    if (stop) atomic_store(&w->stop, 1);
    return stop;
}

sporf_hooks core_watch_hooks(core_watch *w) {
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    w->caller = pthread_self();
    clock_gettime(CLOCK_MONOTONIC, &w->looked);
    hooks.payload = w;
    hooks.interrupt = is_stopped;
    return hooks;
}

PyObject *core_watch_fail(const core_watch *w, sporf_status status) {
    return atomic_load(&w->stop) ? NULL : core_raise_last(status);
}
