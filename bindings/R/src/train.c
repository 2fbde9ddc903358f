/* Training. */
#include "job.h"
#include "routines.h"

sporf_status core_params(SEXP options, sporf_params *params) {
    SEXP names = PROTECT(Rf_getAttrib(options, R_NamesSymbol));
    sporf_status status = SPORF_OK;
    sporf_params_init(params);
    for (R_xlen_t i = 0; status == SPORF_OK && i < Rf_xlength(options); i++)
        status = sporf_params_set(params, core_utf8(names, i), core_utf8(options, i));
    UNPROTECT(1);
    return status;
}

typedef struct {
    core_job job; /* first */
    const sporf_dataset *data, *valid;
    sporf_params params;
    sporf_forest *forest;
    double search_seconds;
} training;

static sporf_status train(core_job *job) {
    training *t = (training *)job;
    sporf_hooks hooks = core_job_hooks(job);
    hooks.search_seconds = &t->search_seconds;
    hooks.valid = t->valid;
    return sporf_forest_train(t->data, &t->params, &hooks, &t->forest);
}

static void discard(core_job *job) {
    sporf_forest_free(((training *)job)->forest);
}

/* A model, what only a training knows, and whether it was interrupted. */
static SEXP outcome(training *t) {
    const char *names[] = {"model", "interrupted", "search.seconds", ""};
    SEXP model = PROTECT(core_model_new(t->forest));
    SEXP result = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(result, 0, model);
    SET_VECTOR_ELT(result, 1, Rf_ScalarLogical(core_job_stopped(&t->job)));
    SET_VECTOR_ELT(result, 2, Rf_ScalarReal(t->search_seconds));
    UNPROTECT(2);
    return result;
}

SEXP core_train(SEXP data, SEXP options, SEXP valid, SEXP verbose) {
    training t = {.job = {.work = train, .discard = discard, .verbose = Rf_asInteger(verbose)}};
    t.data = core_data(data);
    if (valid != R_NilValue) t.valid = core_data(valid);
    sporf_status status = core_params(options, &t.params);
    if (status != SPORF_OK) return core_failure(status);
    t.job.unit = t.params.learner == SPORF_LEARNER_BOOSTING ? "rounds" : "trees";
    if (!core_job_run(&t.job))
        return core_failure_text(SPORF_ERROR_MEMORY, "the system refused a thread to train in");
    return t.job.status == SPORF_OK ? outcome(&t) : core_job_failure(&t.job);
}
