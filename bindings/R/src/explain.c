/* Why rows are predicted as they are: Shapley values of features, or of projections. */
#include "job.h"
#include "routines.h"

typedef struct {
    core_job job; /* first */
    const sporf_forest *forest;
    const sporf_dataset *data, *background;
    size_t projections; /* 0: features */
    sporf_explain_options options;
    sporf_explanation out;
} explaining;

static sporf_status explain_features(core_job *job) {
    explaining *e = (explaining *)job;
    sporf_hooks hooks = core_job_hooks(job);
    return sporf_forest_explain(e->forest, e->data, e->background, &e->options, &hooks, &e->out);
}

static sporf_status explain_projections(core_job *job) {
    explaining *e = (explaining *)job;
    sporf_hooks hooks = core_job_hooks(job);
    sporf_ranking *ranking = NULL;
    sporf_status status = sporf_ranking_create(e->forest, e->projections, &ranking);
    if (status == SPORF_OK)
        status = sporf_forest_explain_projections(e->forest, e->data, e->background, ranking,
                                                  &e->options, &hooks, &e->out);
    sporf_ranking_free(ranking);
    return status;
}

static void discard(core_job *job) {
    (void)job; /* all results are R's */
}

/* An array whose first dimension is that of the outputs, as the library fills it. */
static double *array(SEXP result, int element, int outputs, int places, int rows) {
    SEXP values = Rf_alloc3DArray(REALSXP, outputs, places, rows);
    SET_VECTOR_ELT(result, element, values);
    return REAL(values);
}

/* A list of arrays [outputs, features or projections, rows] of values and standard errors, the
 * base [outputs], predictions [outputs, 1, rows], and the share that is estimated. All projections
 * but the most important ones are one place. */
SEXP core_explain(SEXP model, SEXP data, SEXP background, SEXP projections, SEXP posteriors,
                  SEXP steps, SEXP seed, SEXP threads, SEXP verbose) {
    const char *names[] = {"values", "errors", "base", "predictions", "estimated", ""};
    SEXP failure = R_NilValue;
    explaining e = {.forest = core_forest(model, &failure),
                    .data = core_data(data),
                    .background = core_data(background),
                    .projections = (size_t)Rf_asReal(projections)};
    if (!e.forest) return failure;
    int outputs = (int)sporf_forest_explained_outputs(e.forest);
    int rows = (int)sporf_dataset_rows(e.data);
    int places = (int)(e.projections > 0 ? e.projections + 1 : sporf_forest_features(e.forest));
    SEXP result = PROTECT(Rf_mkNamed(VECSXP, names));
    sporf_explanation_init(&e.out);
    e.out.values = array(result, 0, outputs, places, rows);
    e.out.errors = array(result, 1, outputs, places, rows);
    e.out.base = array(result, 2, outputs, 1, 1);
    e.out.predictions = array(result, 3, outputs, 1, rows);
    e.out.estimated = array(result, 4, 1, 1, 1);
    sporf_explain_options_init(&e.options);
    e.options.combine = Rf_asLogical(posteriors) ? SPORF_COMBINE_POSTERIORS : SPORF_COMBINE_VOTES;
    e.options.steps = (uint64_t)Rf_asReal(steps);
    e.options.seed = (uint64_t)Rf_asReal(seed);
    e.options.threads = (unsigned)Rf_asInteger(threads);
    e.job.work = e.projections > 0 ? explain_projections : explain_features;
    e.job.discard = discard;
    e.job.unit = "trees";
    e.job.verbose = Rf_asInteger(verbose);
    int ran = core_job_run(&e.job);
    UNPROTECT(1);
    if (!ran) return core_failure_text(SPORF_ERROR_MEMORY, "the system refused a thread");
    return e.job.status == SPORF_OK ? result : core_job_failure(&e.job);
}
