/* Search for settings, and cross-validation. */
#include "job.h"
#include "routines.h"

#include <string.h>

/* ---- amounts, as text ------------------------------------------------------------------------ */

static sporf_status read_amount(const char *option, const char *text, sporf_amount *amount) {
    sporf_params params;
    sporf_params_init(&params);
    sporf_status status = sporf_params_set(&params, option, text);
    *amount = strcmp(option, "density") == 0 ? params.density : params.projections;
    return status;
}

static sporf_status read_amounts(const char *option, SEXP texts, const sporf_amount **amounts,
                                 size_t *count) {
    sporf_status status = SPORF_OK;
    *count = (size_t)Rf_xlength(texts);
    sporf_amount *list = (sporf_amount *)(void *)R_alloc(*count + 1, sizeof *list);
    for (size_t i = 0; status == SPORF_OK && i < *count; i++)
        status = read_amount(option, core_utf8(texts, (R_xlen_t)i), &list[i]);
    *amounts = list;
    return status;
}

static sporf_status read_search(SEXP all, SEXP projections, SEXP densities,
                                sporf_search_options *search) {
    sporf_search_options_init(search);
    search->way = Rf_asLogical(all) ? SPORF_SEARCH_ALL : SPORF_SEARCH_RACE;
    sporf_status status =
        read_amounts("projections", projections, &search->projections, &search->projections_count);
    if (status != SPORF_OK) return status;
    return read_amounts("density", densities, &search->densities, &search->densities_count);
}

/* The settings of trials, a column for each part. */
static SEXP trials_of(const sporf_trial *trials, size_t count) {
    const char *names[] = {"mtry",  "density", "candidates", "nonzeros", "trees",
                           "error", "auc",     "seconds",    ""};
    SEXP result = PROTECT(Rf_mkNamed(VECSXP, names));
    for (int k = 0; k < 8; k++)
        SET_VECTOR_ELT(result, k, Rf_allocVector(k < 2 ? STRSXP : REALSXP, (R_xlen_t)count));
    for (size_t i = 0; i < count; i++) {
        const sporf_trial *t = &trials[i];
        char text[96];
        sporf_params params;
        sporf_params_init(&params);
        params.projections = t->projections;
        params.density = t->density;
        sporf_params_get(&params, "projections", text, sizeof text);
        SET_STRING_ELT(VECTOR_ELT(result, 0), (R_xlen_t)i, core_text(text));
        sporf_params_get(&params, "density", text, sizeof text);
        SET_STRING_ELT(VECTOR_ELT(result, 1), (R_xlen_t)i, core_text(text));
        double values[] = {t->d, t->nonzeros, (double)t->trees, t->error, t->auc, t->seconds};
        for (int k = 0; k < 6; k++) REAL(VECTOR_ELT(result, k + 2))[i] = values[k];
    }
    UNPROTECT(1);
    return result;
}

/* ---- search ---------------------------------------------------------------------------------- */

typedef struct {
    core_job job; /* first */
    const sporf_dataset *data;
    sporf_params params;
    sporf_search_options options;
    sporf_search *found;
} searching;

static sporf_status search(core_job *job) {
    searching *s = (searching *)job;
    s->options.payload = job;
    s->options.progress = core_job_progress;
    s->options.interrupt = core_job_interrupt;
    s->options.note = core_job_note;
    return sporf_search_run(s->data, &s->params, &s->options, &s->found);
}

static void discard_search(core_job *job) {
    sporf_search_free(((searching *)job)->found);
}

static SEXP search_result(void *job) {
    const char *names[] = {"trials", "best", "interrupted", "model", ""};
    sporf_search *found = ((searching *)job)->found;
    SEXP model = PROTECT(core_model_new(found->forest));
    found->forest = NULL; /* it is the model's */
    SEXP result = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(result, 0, trials_of(found->trials, found->count));
    SET_VECTOR_ELT(result, 1, Rf_ScalarInteger((int)found->best + 1));
    SET_VECTOR_ELT(result, 2, Rf_ScalarLogical(found->interrupted));
    SET_VECTOR_ELT(result, 3, model);
    UNPROTECT(2);
    return result;
}

SEXP core_search(SEXP data, SEXP options, SEXP all, SEXP projections, SEXP densities, SEXP folds,
                 SEXP verbose) {
    searching s = {.job = {.work = search,
                           .discard = discard_search,
                           .unit = "trees",
                           .verbose = Rf_asInteger(verbose)},
                   .data = core_data(data)};
    sporf_status status = core_params(options, &s.params);
    if (status == SPORF_OK) status = read_search(all, projections, densities, &s.options);
    if (status != SPORF_OK) return core_failure(status);
    s.options.folds_count = (size_t)Rf_asReal(folds);
    if (!core_job_run(&s.job))
        return core_failure_text(SPORF_ERROR_MEMORY, "the system refused a thread");
    return s.job.status == SPORF_OK ? core_job_result(&s.job, search_result)
                                    : core_job_failure(&s.job);
}

/* ---- cross-validation ------------------------------------------------------------------------ */

typedef struct {
    core_job job; /* first */
    const sporf_dataset *data;
    sporf_params params;
    sporf_crossval_options options;
    sporf_folds *folds;
    sporf_crossval *result;
} validating;

static sporf_status validate(core_job *job) {
    validating *v = (validating *)job;
    v->options.payload = job;
    v->options.progress = core_job_progress;
    v->options.interrupt = core_job_interrupt;
    v->options.note = core_job_note;
    return sporf_crossval_run(v->data, v->folds, &v->params, &v->options, &v->result);
}

static void discard_folds(core_job *job) {
    sporf_crossval_free(((validating *)job)->result);
    sporf_folds_free(((validating *)job)->folds);
}

/* A column for each score; rows are folds, then the mean and the standard error. */
static SEXP scores_of(const sporf_crossval *c) {
    const char *names[] = {"error", "kappa", "kappa.paper", "log.loss", "rmse",
                           "mae",   "r2",    "seconds",     ""};
    SEXP result = PROTECT(Rf_mkNamed(VECSXP, names));
    for (int k = 0; k < 8; k++)
        SET_VECTOR_ELT(result, k, Rf_allocVector(REALSXP, (R_xlen_t)c->folds + 2));
    for (size_t i = 0; i < c->folds + 2; i++) {
        const sporf_crossval_scores *s = i < c->folds    ? &c->scores[i]
                                         : i == c->folds ? &c->mean
                                                         : &c->se;
        double values[] = {s->error, s->kappa, s->kappa_paper, s->log_loss,
                           s->rmse,  s->mae,   s->r2,          s->seconds};
        for (int k = 0; k < 8; k++) REAL(VECTOR_ELT(result, k))[i] = values[k];
    }
    UNPROTECT(1);
    return result;
}

static SEXP matrix_of(const double *values, size_t rows, size_t columns) {
    if (!values) return R_NilValue;
    SEXP matrix = Rf_allocMatrix(REALSXP, (int)rows, (int)columns);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) REAL(matrix)[j * rows + i] = values[i * columns + j];
    return matrix;
}

static SEXP classes_of(const uint32_t *classes, size_t rows) {
    if (!classes) return R_NilValue;
    SEXP result = Rf_allocVector(INTSXP, (R_xlen_t)rows);
    for (size_t i = 0; i < rows; i++)
        INTEGER(result)[i] = classes[i] == SPORF_NO_CLASS ? NA_INTEGER : (int)classes[i] + 1;
    return result;
}

static SEXP validated(void *job) {
    const char *names[] = {"scores",        "classes", "class.names",
                           "probabilities", "values",  "fold",
                           "interrupted",   "trials",  ""};
    const validating *v = job;
    const sporf_crossval *c = v->result;
    size_t rows = sporf_dataset_rows(v->data), classes = sporf_dataset_classes(v->data);
    const sporf_schema *schema = sporf_dataset_schema(v->data);
    SEXP result = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(result, 0, scores_of(c));
    SET_VECTOR_ELT(result, 1, classes_of(c->classes, rows));
    SET_VECTOR_ELT(result, 2, Rf_allocVector(STRSXP, (R_xlen_t)classes));
    for (size_t k = 0; k < classes; k++)
        SET_STRING_ELT(VECTOR_ELT(result, 2), (R_xlen_t)k,
                       core_text(sporf_schema_class_name(schema, k)));
    SET_VECTOR_ELT(result, 3, matrix_of(c->probabilities, rows, classes));
    SET_VECTOR_ELT(result, 4, matrix_of(c->values, rows, sporf_dataset_targets(v->data)));
    SET_VECTOR_ELT(result, 5, classes_of(v->folds->fold, rows));
    SET_VECTOR_ELT(result, 6, Rf_ScalarLogical(c->interrupted));
    if (c->trials) SET_VECTOR_ELT(result, 7, trials_of(c->trials, c->folds));
    UNPROTECT(1);
    return result;
}

/* Folds that are given as a number for each row, from 1 on, or drawn: a single number. */
static sporf_status make_folds(const validating *v, SEXP folds, sporf_folds **out) {
    size_t rows = sporf_dataset_rows(v->data);
    if (Rf_xlength(folds) == 1)
        return sporf_folds_draw(v->data, (size_t)Rf_asReal(folds), v->params.seed, out);
    uint32_t *fold = (uint32_t *)(void *)R_alloc(rows + 1, sizeof *fold);
    for (size_t i = 0; i < rows; i++) fold[i] = (uint32_t)INTEGER(folds)[i] - 1;
    return sporf_folds_create(fold, rows, out);
}

SEXP core_crossval(SEXP data, SEXP options, SEXP folds, SEXP posteriors, SEXP tune, SEXP all,
                   SEXP projections, SEXP densities, SEXP verbose) {
    validating v = {.job = {.work = validate,
                            .discard = discard_folds,
                            .unit = "trees",
                            .verbose = Rf_asInteger(verbose)},
                    .data = core_data(data)};
    sporf_search_options search;
    sporf_crossval_options_init(&v.options);
    v.options.combine = Rf_asLogical(posteriors) ? SPORF_COMBINE_POSTERIORS : SPORF_COMBINE_VOTES;
    if (Rf_asLogical(tune)) v.options.search = &search;
    sporf_status status = core_params(options, &v.params);
    if (status == SPORF_OK) status = read_search(all, projections, densities, &search);
    if (status == SPORF_OK) status = make_folds(&v, folds, &v.folds);
    if (status != SPORF_OK) return core_failure(status);
    int ran = core_job_run(&v.job);
    if (ran && v.job.status == SPORF_OK) return core_job_result(&v.job, validated);
    discard_folds(&v.job);
    if (!ran) return core_failure_text(SPORF_ERROR_MEMORY, "the system refused a thread");
    return core_job_failure(&v.job);
}
