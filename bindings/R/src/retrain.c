/* Importances by training again: minus those of shuffled copies, and without features. */
#include "job.h"
#include "routines.h"

typedef struct {
    core_job job; /* first */
    const sporf_forest *forest;
    const sporf_dataset *data;
    sporf_retrain_options options;
    const sporf_feature_group *groups; /* [count] */
    size_t count;
    double *importances, *others; /* R's */
} retraining;

static sporf_status correct(core_job *job) {
    retraining *r = (retraining *)job;
    sporf_hooks hooks = core_job_hooks(job);
    return sporf_corrected_importances(r->forest, r->data, &r->options, &hooks, r->groups, r->count,
                                       r->importances, r->others);
}

static sporf_status drop(core_job *job) {
    retraining *r = (retraining *)job;
    sporf_hooks hooks = core_job_hooks(job);
    return sporf_drop_column(r->forest, r->data, &r->options, &hooks, r->groups, r->count,
                             r->importances, r->others);
}

static void discard(core_job *job) {
    (void)job; /* all results are R's */
}

/* A list of vectors of features, from 1. */
static void read_groups(SEXP lists, retraining *r) {
    size_t members = 0, at = 0;
    r->count = (size_t)Rf_xlength(lists);
    for (size_t g = 0; g < r->count; g++)
        members += (size_t)Rf_xlength(VECTOR_ELT(lists, (R_xlen_t)g));
    sporf_feature_group *groups =
        (sporf_feature_group *)(void *)R_alloc(r->count + 1, sizeof *groups);
    size_t *features = (size_t *)(void *)R_alloc(members + 1, sizeof *features);
    for (size_t g = 0; g < r->count; g++) {
        SEXP list = VECTOR_ELT(lists, (R_xlen_t)g);
        size_t count = (size_t)Rf_xlength(list);
        groups[g] = (sporf_feature_group){features + at, count};
        for (size_t i = 0; i < count; i++) features[at++] = (size_t)INTEGER(list)[i] - 1;
    }
    r->groups = groups;
}

/* A matrix with a row for each group: the importance, and a second number. */
static SEXP retrain(retraining *r, SEXP model, SEXP data, SEXP lists, SEXP threads, SEXP verbose) {
    SEXP failure = R_NilValue;
    if (!(r->forest = core_forest(model, &failure))) return failure;
    SEXP result = PROTECT(Rf_allocMatrix(REALSXP, Rf_length(lists), 2));
    r->data = core_data(data);
    r->job.unit = "trees";
    r->job.discard = discard;
    r->job.verbose = Rf_asInteger(verbose);
    r->options.struct_size = sizeof r->options;
    r->options.threads = (unsigned)Rf_asInteger(threads);
    r->importances = REAL(result);
    r->others = r->importances + Rf_length(lists);
    read_groups(lists, r);
    int ran = core_job_run(&r->job);
    UNPROTECT(1);
    if (!ran) return core_failure_text(SPORF_ERROR_MEMORY, "the system refused a thread");
    return r->job.status == SPORF_OK ? result : core_job_failure(&r->job);
}

SEXP core_corrected(SEXP model, SEXP data, SEXP groups, SEXP repeats, SEXP seed, SEXP threads,
                    SEXP verbose) {
    retraining r = {
        .job = {.work = correct},
        .options = {.seed = (uint64_t)Rf_asReal(seed), .repeats = (size_t)Rf_asReal(repeats)}};
    return retrain(&r, model, data, groups, threads, verbose);
}

SEXP core_drop_column(SEXP model, SEXP data, SEXP groups, SEXP seconds, SEXP threads,
                      SEXP verbose) {
    retraining r = {.job = {.work = drop}, .options = {.time = Rf_asReal(seconds)}};
    return retrain(&r, model, data, groups, threads, verbose);
}
