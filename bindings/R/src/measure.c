/* Measures that need the training data again: permutation importance, strength, bags. */
#include "job.h"
#include "routines.h"

typedef struct {
    core_job job; /* first */
    const sporf_forest *forest;
    const sporf_dataset *data;
    sporf_measure_options options;
    double *importances, *standard_errors;
    sporf_strength strength;
    uint32_t *bags;
} measuring;

static sporf_status permute(core_job *job) {
    measuring *m = (measuring *)job;
    sporf_hooks hooks = core_job_hooks(job);
    return sporf_forest_permutation_importances(m->forest, m->data, &m->options, &hooks,
                                                m->importances, m->standard_errors);
}

static sporf_status measure_strength(core_job *job) {
    measuring *m = (measuring *)job;
    sporf_hooks hooks = core_job_hooks(job);
    return sporf_forest_strength(m->forest, m->data, &m->options, &hooks, &m->strength);
}

static sporf_status draw_bags(core_job *job) {
    measuring *m = (measuring *)job;
    sporf_hooks hooks = core_job_hooks(job);
    return sporf_forest_bags(m->forest, m->data, &m->options, &hooks, m->bags);
}

static void discard(core_job *job) {
    (void)job; /* all results are R's */
}

/* Returns R_NilValue, or a failure. */
static SEXP measure(measuring *m, SEXP model, SEXP data, SEXP threads) {
    SEXP failure = R_NilValue;
    if (!(m->forest = core_forest(model, &failure))) return failure;
    m->data = core_data(data);
    m->job.unit = "trees";
    m->job.discard = discard;
    m->options.struct_size = sizeof m->options;
    m->options.threads = (unsigned)Rf_asInteger(threads);
    if (!core_job_run(&m->job))
        return core_failure_text(SPORF_ERROR_MEMORY, "the system refused a thread");
    return m->job.status == SPORF_OK ? R_NilValue : core_job_failure(&m->job);
}

/* A matrix with a row for each feature: the importance and its standard error. */
SEXP core_permutation(SEXP model, SEXP data, SEXP seed, SEXP threads, SEXP verbose) {
    size_t features = sporf_dataset_features(core_data(data));
    measuring m = {.job = {.work = permute, .verbose = Rf_asInteger(verbose)},
                   .options = {.seed = (uint64_t)Rf_asReal(seed)}};
    SEXP result = PROTECT(Rf_allocMatrix(REALSXP, (int)features, 2));
    m.importances = REAL(result);
    m.standard_errors = REAL(result) + features;
    SEXP failure = measure(&m, model, data, threads);
    UNPROTECT(1);
    return failure == R_NilValue ? result : failure;
}

SEXP core_strength(SEXP model, SEXP data, SEXP threads) {
    const char *names[] = {"strength", "correlation", "bound", ""};
    measuring m = {.job = {.work = measure_strength}};
    SEXP failure = measure(&m, model, data, threads);
    if (failure != R_NilValue) return failure;
    SEXP result = PROTECT(Rf_mkNamed(REALSXP, names));
    REAL(result)[0] = m.strength.strength;
    REAL(result)[1] = m.strength.correlation;
    REAL(result)[2] = m.strength.bound;
    UNPROTECT(1);
    return result;
}

/* A matrix with a row for each row of the data and a column for each tree. */
SEXP core_bags(SEXP model, SEXP data, SEXP trees, SEXP threads) {
    size_t rows = sporf_dataset_rows(core_data(data));
    measuring m = {.job = {.work = draw_bags}};
    SEXP result = PROTECT(Rf_allocMatrix(INTSXP, (int)rows, Rf_asInteger(trees)));
    m.bags = (uint32_t *)INTEGER(result);
    SEXP failure = measure(&m, model, data, threads);
    UNPROTECT(1);
    return failure == R_NilValue ? result : failure;
}
