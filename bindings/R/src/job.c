/* Threads for long work, interrupts and progress. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "job.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

enum { LOOK_AROUND_NS = 50 * 1000 * 1000 };
static const double silent_seconds = 2, line_seconds = 30, redraw_seconds = 0.5;

/* ---- hooks: called by threads of the library ------------------------------------------------- */

void core_job_progress(void *job, size_t done, size_t total) {
    atomic_store(&((core_job *)job)->total, total);
    atomic_store(&((core_job *)job)->share, -1);
    atomic_store(&((core_job *)job)->done_units, done);
}

int core_job_interrupt(void *job) {
    return atomic_load_explicit(&((core_job *)job)->stop, memory_order_relaxed);
}

void core_job_choosing(void *job, size_t pilot_trees, double share) {
    (void)pilot_trees;
    atomic_store(&((core_job *)job)->share, share);
}

void core_job_note(void *job, const char *text) {
    core_job *of = job;
    snprintf(of->note, sizeof of->note, "%s", text);
}

sporf_hooks core_job_hooks(core_job *job) {
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.payload = job;
    hooks.progress = core_job_progress;
    hooks.interrupt = core_job_interrupt;
    hooks.choosing = core_job_choosing;
    hooks.note = core_job_note;
    return hooks;
}

/* ---- progress -------------------------------------------------------------------------------- */

typedef struct {
    double started, shown, trees_started; /* seconds */
    int drawn;
} progress;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void time_left(char *text, size_t size, double seconds) {
    unsigned whole = seconds < 1e8 ? (unsigned)(seconds + 0.5) : 100000000;
    if (whole >= 3600)
        snprintf(text, size, "%uh %02um", whole / 3600, whole / 60 % 60);
    else if (whole >= 60)
        snprintf(text, size, "%um %02us", whole / 60, whole % 60);
    else
        snprintf(text, size, "%us", whole);
}

static void say(const core_job *job, progress *p, const char *text) {
    REprintf(job->verbose > 1 ? "\r%-60s" : "%s\n", text);
    p->drawn = job->verbose > 1;
}

/* A line after a while: how much is done, and how long the rest will take. */
static void show(const core_job *job, progress *p) {
    char text[96], left[32];
    double time = now(), every = job->verbose > 1 ? redraw_seconds : line_seconds;
    size_t done = atomic_load(&job->done_units);
    double share = atomic_load(&job->share);
    if (done == 0 && share >= 0) p->trees_started = time;
    if (job->verbose == 0 || time - p->started < silent_seconds || time - p->shown < every) return;
    if (done == 0 && share < 0) return;
    p->shown = time;
    if (done == 0) {
        snprintf(text, sizeof text, "sporf: choosing settings, %.0f%% of the time for it",
                 100 * (share < 1 ? share : 1));
    } else {
        size_t total = atomic_load(&job->total);
        double rest = (double)(total - (done < total ? done : total));
        time_left(left, sizeof left, (time - p->trees_started) / (double)done * rest);
        snprintf(text, sizeof text, "sporf: %zu of %zu %s, %s left", done, total, job->unit, left);
    }
    say(job, p, text);
}

/* ---- the thread, and waiting for it ---------------------------------------------------------- */

static void *run(void *argument) {
    core_job *job = argument;
    job->status = job->work(job);
    if (job->status != SPORF_OK) core_error_keep(job->status, &job->error);
    pthread_mutex_lock(&job->lock);
    job->done = 1;
    pthread_cond_signal(&job->finished);
    pthread_mutex_unlock(&job->lock);
    return NULL;
}

/* Waits until the work is done or it is time to look around; returns whether it is done. */
static int wait_a_little(core_job *job) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_AROUND_NS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    int done, late = 0;
    pthread_mutex_lock(&job->lock);
    while (!job->done && late != ETIMEDOUT)
        late = pthread_cond_timedwait(&job->finished, &job->lock, &until);
    done = job->done;
    pthread_mutex_unlock(&job->lock);
    return done;
}

typedef struct {
    core_job *job;
    pthread_t thread;
    progress progress;
    int ended; /* not by an error in R */
} waiting;

static SEXP look_for_interrupt(void *ignored) {
    (void)ignored;
    R_CheckUserInterrupt();
    return R_NilValue;
}

static SEXP note_interrupt(SEXP condition, void *job) {
    (void)condition;
    atomic_store(&((core_job *)job)->stop, 1);
    return R_NilValue;
}

static void tell_note(const core_job *job) {
    if (!job->note[0]) return;
    SEXP text = PROTECT(Rf_ScalarString(Rf_mkCharCE(job->note, CE_UTF8)));
    SEXP call = PROTECT(Rf_lang2(Rf_install("message"), text));
    Rf_eval(call, R_BaseEnv);
    UNPROTECT(2);
}

/* An interrupt stops the work, whose result so far is kept; any other error, such as that of a time
 * limit, leaves this function. */
static SEXP wait_for_end(void *argument) {
    waiting *w = argument;
    SEXP conditions = PROTECT(Rf_mkString("interrupt"));
    while (!wait_a_little(w->job)) {
        show(w->job, &w->progress);
        R_tryCatch(look_for_interrupt, NULL, conditions, note_interrupt, w->job, NULL, NULL);
    }
    tell_note(w->job);
    w->ended = 1;
    UNPROTECT(1);
    return R_NilValue;
}

static void end(void *argument) {
    waiting *w = argument;
    if (!w->ended) atomic_store(&w->job->stop, 1);
    pthread_join(w->thread, NULL);
    if (w->progress.drawn) REprintf("\r%-60s\r", "");
    pthread_mutex_destroy(&w->job->lock);
    pthread_cond_destroy(&w->job->finished);
    if (!w->ended && w->job->status == SPORF_OK) w->job->discard(w->job);
}

/* Signals are for R's thread, whose handlers call R. */
static int create_thread(pthread_t *thread, core_job *job) {
#ifdef _WIN32
    return pthread_create(thread, NULL, run, job);
#else
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int refused = pthread_create(thread, NULL, run, job);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return refused;
#endif
}

int core_job_run(core_job *job) {
    double start = now();
    waiting w = {.job = job,
                 .progress = {.started = start, .shown = start, .trees_started = start}};
    atomic_store(&job->share, -1);
    pthread_mutex_init(&job->lock, NULL);
    pthread_cond_init(&job->finished, NULL);
    if (create_thread(&w.thread, job) != 0) {
        pthread_mutex_destroy(&job->lock);
        pthread_cond_destroy(&job->finished);
        return 0;
    }
    R_ExecWithCleanup(wait_for_end, &w, end, &w);
    return 1;
}

int core_job_stopped(const core_job *job) {
    return atomic_load(&job->stop);
}

static void discard(void *argument) {
    core_job *job = argument;
    job->discard(job);
}

SEXP core_job_result(core_job *job, SEXP (*make)(void *job)) {
    return R_ExecWithCleanup(make, job, discard, job);
}

SEXP core_job_failure(const core_job *job) {
    return core_failure_of(&job->error);
}
