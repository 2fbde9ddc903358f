/* Work in a thread of its own, while R's waits: it looks from time to time whether the user
 * interrupts, and shows how far the work is. No other thread ever calls R. */
#ifndef JOB_H
#define JOB_H

#include "core.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct core_job core_job;

struct core_job {
    sporf_status (*work)(core_job *job); /* what the thread does */
    void (*discard)(core_job *job);      /* frees what it made */
    const char *unit;                    /* what is counted: "trees" */
    int verbose;                         /* 0: silent; 1: lines; 2: one line that is redrawn */
    atomic_size_t total;                 /* how many there will be, once the first is done */
    sporf_status status;
    core_error error; /* if the status is not SPORF_OK */
    atomic_int stop;
    atomic_size_t done_units;
    _Atomic double share; /* of what choosing settings may take; below 0: it is over */
    char note[1536];      /* the last one of the library; "" for none */
    pthread_mutex_t lock;
    pthread_cond_t finished;
    int done; /* under the lock */
};

/* Does the work, waits for its end, and tells what the library noted as a message; an interrupt
 * sets `stop`. Returns 0 if the system refuses a thread. */
int core_job_run(core_job *job);

/* Whether the user interrupted. */
int core_job_stopped(const core_job *job);

/* Hooks whose payload is the job. */
void core_job_progress(void *job, size_t done, size_t total);
int core_job_interrupt(void *job);
void core_job_choosing(void *job, size_t pilot_trees, double share);
void core_job_note(void *job, const char *text);
sporf_hooks core_job_hooks(core_job *job);

/* R's result of a job that ended well, which make(job) makes. What the job made is discarded, also
 * if R runs out of memory meanwhile. */
SEXP core_job_result(core_job *job, SEXP (*make)(void *job));

/* The failure of a job that did not end well. */
SEXP core_job_failure(const core_job *job);

#endif
