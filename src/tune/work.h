/* Many trainings as one piece of work, with a common progress and a common way to stop. */
#ifndef SPF_TUNE_WORK_H
#define SPF_TUNE_WORK_H

#include "base/error.h"

#include <stdatomic.h>

typedef struct spf_work {
    void *payload; /* of the caller, for the hooks, which may be NULL */
    void (*progress)(void *payload, size_t trees_done, size_t trees);
    int (*interrupt)(void *payload);
    void (*note)(void *payload, const char *text);
    size_t done, total; /* trees, or rounds of boosted models */
    int stopped;        /* the interrupt hook has ended a training */
    atomic_int asked;   /* the interrupt hook has asked to stop */
} spf_work;

/* How long a training is: in trees, or in rounds, at most. */
static inline size_t spf_work_size(const sporf_params *params) {
    if (params->learner == SPORF_LEARNER_BOOSTING) return params->rounds;
    return params->trees > 0 ? params->trees : SPORF_TREES_MOST;
}

static inline void spf_work_set_size(sporf_params *params, size_t size) {
    *(params->learner == SPORF_LEARNER_BOOSTING ? &params->rounds : &params->trees) =
        (uint32_t)size;
}

/* The caller's parameters, of any version; for NULL the defaults. A limited time is refused. */
sporf_status spf_work_params(const sporf_params *given, sporf_params *params);

/* Trains a forest, or adds trees to `from` unless it is NULL. If the work is stopped, the forest
 * has fewer trees than it should, or the status is SPORF_ERROR_CANCELLED. */
sporf_status spf_work_train(spf_work *work, const sporf_dataset *data, const sporf_params *params,
                            const sporf_forest *from, sporf_forest **out);

/* Seconds on a monotonic clock. */
double spf_work_clock(void);

#endif
