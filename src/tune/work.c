/* Trainings that count their trees together. */
#include "tune/work.h"

#include "base/system.h"
#include "base/versioned.h"

double spf_work_clock(void) {
    return 1e-9 * (double)spf_system_clock();
}

sporf_status spf_work_params(const sporf_params *given, sporf_params *params) {
    sporf_params_init(params);
    SPF_TRY(spf_versioned_read(given, params, sizeof *params, "sporf_params_init"));
    if (params->time == 0) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     SPF_OPTION("time") " is for one training, not for several that are compared "
                                        "with each other" SPF_HINT "leave it out");
}

static void show_progress(void *payload, size_t done, size_t trees) {
    const spf_work *work = payload;
    (void)trees;
    work->progress(work->payload, work->done + done, work->total);
}

static int asked_to_stop(void *payload) {
    spf_work *work = payload;
    if (!work->interrupt(work->payload)) return 0;
    atomic_store(&work->asked, 1);
    return 1;
}

static void pass_on(void *payload, const char *text) {
    const spf_work *work = payload;
    work->note(work->payload, text);
}

/* How far a model has come. One that was boosted, or whose trees are auto, may have stopped by
 * itself. */
static size_t size_of(const spf_work *work, const sporf_params *params, const sporf_forest *model) {
    sporf_boosting boosting;
    int boosted = sporf_forest_boosting(model, &boosting), asked = atomic_load(&work->asked);
    if ((boosted || params->trees == 0) && !asked) return spf_work_size(params);
    return boosted ? boosting.rounds : sporf_forest_trees(model);
}

sporf_status spf_work_train(spf_work *work, const sporf_dataset *data, const sporf_params *params,
                            const sporf_forest *from, sporf_forest **out) {
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.payload = work;
    hooks.progress = work->progress ? show_progress : NULL;
    hooks.interrupt = work->interrupt ? asked_to_stop : NULL;
    hooks.note = work->note ? pass_on : NULL;
    sporf_status status = from ? sporf_forest_extend(from, data, params, &hooks, out)
                               : sporf_forest_train(data, params, &hooks, out);
    if (status == SPORF_ERROR_CANCELLED) work->stopped = 1;
    if (status != SPORF_OK) return status;
    size_t size = size_of(work, params, *out);
    work->done += size - (from ? size_of(work, params, from) : 0);
    if (size < spf_work_size(params)) work->stopped = 1;
    return SPORF_OK;
}
