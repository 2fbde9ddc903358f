/* How predictions change with features: partial dependence, local effects, interactions. */
#include "job.h"
#include "routines.h"

#include <string.h>

enum { MOST_FEATURES = 2 };

typedef struct {
    core_job job; /* first */
    const sporf_forest *forest;
    const sporf_dataset *data;
    sporf_dependence_options options;
    const size_t *features; /* [count] */
    size_t count;
    sporf_dependence *dependence;
    sporf_interactions *interactions;
} asking;

static sporf_status find_dependence(core_job *job) {
    asking *a = (asking *)job;
    sporf_hooks hooks = core_job_hooks(job);
    return sporf_dependence_create(a->forest, a->data, &a->options, &hooks, a->features, a->count,
                                   &a->dependence);
}

static sporf_status find_interactions(core_job *job) {
    asking *a = (asking *)job;
    sporf_hooks hooks = core_job_hooks(job);
    return sporf_interactions_create(a->forest, a->data, &a->options, &hooks, a->features, a->count,
                                     &a->interactions);
}

static void discard(core_job *job) {
    asking *a = (asking *)job;
    sporf_dependence_free(a->dependence);
    sporf_interactions_free(a->interactions);
}

/* ---- what is asked --------------------------------------------------------------------------- */

static sporf_dependence_kind kind_of(SEXP name) {
    const char *text = CHAR(STRING_ELT(name, 0));
    if (strcmp(text, "ale") == 0) return SPORF_DEPENDENCE_ALE;
    return strcmp(text, "ice") == 0 ? SPORF_DEPENDENCE_ICE : SPORF_DEPENDENCE_PDP;
}

static void read_settings(SEXP settings, sporf_dependence_options *o) {
    int posteriors = Rf_asLogical(core_element(settings, "posteriors"));
    int raw = Rf_asLogical(core_element(settings, "raw"));
    sporf_dependence_options_init(o);
    o->sample = (size_t)Rf_asReal(core_element(settings, "sample"));
    o->seed = (uint64_t)Rf_asReal(core_element(settings, "seed"));
    o->combine = posteriors ? SPORF_COMBINE_POSTERIORS : SPORF_COMBINE_VOTES;
    o->calibration = raw ? SPORF_CALIBRATE_NONE : SPORF_CALIBRATE_AUTO;
    o->scores = Rf_asLogical(core_element(settings, "scores"));
    o->threads = (unsigned)Rf_asInteger(core_element(settings, "threads"));
}

static void read_grid(SEXP kind, SEXP grid, SEXP range, SEXP values, sporf_dependence_options *o) {
    o->kind = kind_of(kind);
    o->grid = (size_t)Rf_asReal(grid);
    o->from = REAL(range)[0];
    o->to = REAL(range)[1];
    for (R_xlen_t i = 0; i < Rf_xlength(values) && i < MOST_FEATURES; i++) {
        SEXP given = VECTOR_ELT(values, i);
        o->values[i] = REAL(given);
        o->values_count[i] = (size_t)Rf_xlength(given);
    }
}

/* Features from 1. */
static void read_features(SEXP numbers, asking *a) {
    a->count = (size_t)Rf_xlength(numbers);
    size_t *features = (size_t *)(void *)R_alloc(a->count + 1, sizeof *features);
    for (size_t i = 0; i < a->count; i++) features[i] = (size_t)INTEGER(numbers)[i] - 1;
    a->features = features;
}

/* Whether a feature has neither values in the rows nor given ones. */
static int lacks_values(const asking *a, size_t i) {
    if (i < MOST_FEATURES && a->options.values_count[i] > 0) return 0;
    return sporf_dataset_missing(a->data, a->features[i]) == sporf_dataset_rows(a->data);
}

static SEXP without_values(const asking *a, size_t feature) {
    int can_be_given = a->job.work == find_dependence;
    core_error error = {.status = SPORF_ERROR_DATA, .count = 2};
    error.parts[0] = (sporf_part){
        .kind = SPORF_PART_NUMBERED, .text = "column", .number = (uint64_t)feature + 1};
    error.parts[1] = (sporf_part){
        .kind = SPORF_PART_TEXT,
        .text = can_be_given ? " has no values in the rows, all are missing: give other rows, or "
                               "give the values"
                             : " has no values in the rows, all are missing: give other rows"};
    return core_failure_of(&error);
}

/* Runs the job of the model and the data. Returns R_NilValue, or a failure. */
static SEXP ask(asking *a, SEXP model, SEXP data, SEXP verbose) {
    SEXP failure = R_NilValue;
    if (!(a->forest = core_forest(model, &failure))) return failure;
    a->data = core_data(data);
    for (size_t i = 0; i < a->count; i++)
        if (lacks_values(a, i)) return without_values(a, a->features[i]);
    a->job.discard = discard;
    a->job.verbose = Rf_asInteger(verbose);
    if (!core_job_run(&a->job))
        return core_failure_text(SPORF_ERROR_MEMORY, "the system refused a thread");
    return a->job.status == SPORF_OK ? R_NilValue : core_job_failure(&a->job);
}

/* ---- what is found --------------------------------------------------------------------------- */

static void put_reals(SEXP values, const double *from) {
    memcpy(REAL(values), from, (size_t)Rf_xlength(values) * sizeof *from);
}

static SEXP dependence_of(void *job) {
    const char *names[] = {"values", "mean", "individual", "rows", ""};
    const sporf_dependence *d = ((asking *)job)->dependence;
    int outputs = (int)d->outputs, points = (int)d->points, rows = (int)d->rows_count;
    SEXP result = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(result, 0, Rf_allocVector(VECSXP, (R_xlen_t)d->features_count));
    for (size_t i = 0; i < d->features_count; i++) {
        SEXP values = Rf_allocVector(REALSXP, (R_xlen_t)d->values_count[i]);
        SET_VECTOR_ELT(VECTOR_ELT(result, 0), (R_xlen_t)i, values);
        put_reals(values, d->values[i]);
    }
    SET_VECTOR_ELT(result, 1, Rf_allocMatrix(REALSXP, outputs, points));
    put_reals(VECTOR_ELT(result, 1), d->mean);
    if (d->individual) {
        SET_VECTOR_ELT(result, 2, Rf_alloc3DArray(REALSXP, outputs, points, rows));
        put_reals(VECTOR_ELT(result, 2), d->individual);
    }
    SEXP used = Rf_allocVector(INTSXP, rows);
    SET_VECTOR_ELT(result, 3, used);
    for (int i = 0; i < rows; i++) INTEGER(used)[i] = (int)d->rows[i] + 1;
    UNPROTECT(1);
    return result;
}

/* A list: the values of each feature, the mean [outputs, points], predictions of single rows
 * [outputs, points, rows] or NULL, and the rows that were used, from 1. */
SEXP core_dependence(SEXP model, SEXP data, SEXP features, SEXP kind, SEXP grid, SEXP range,
                     SEXP values, SEXP settings, SEXP verbose) {
    asking a = {.job = {.work = find_dependence, .unit = "rows"}};
    read_settings(settings, &a.options);
    read_grid(kind, grid, range, values, &a.options);
    read_features(features, &a);
    SEXP failure = ask(&a, model, data, verbose);
    return failure == R_NilValue ? core_job_result(&a.job, dependence_of) : failure;
}

static SEXP interactions_of(void *job) {
    const char *names[] = {"first", "second", "h", "strength", "total", "rows", ""};
    const sporf_interactions *found = ((asking *)job)->interactions;
    R_xlen_t pairs = (R_xlen_t)found->count;
    SEXP result = PROTECT(Rf_mkNamed(VECSXP, names));
    for (int i = 0; i < 4; i++)
        SET_VECTOR_ELT(result, i, Rf_allocVector(i < 2 ? INTSXP : REALSXP, pairs));
    for (R_xlen_t i = 0; i < pairs; i++) {
        const sporf_interaction *one = &found->pairs[i];
        INTEGER(VECTOR_ELT(result, 0))[i] = (int)one->first + 1;
        INTEGER(VECTOR_ELT(result, 1))[i] = (int)one->second + 1;
        REAL(VECTOR_ELT(result, 2))[i] = one->h;
        REAL(VECTOR_ELT(result, 3))[i] = one->strength;
    }
    SET_VECTOR_ELT(result, 4, Rf_allocVector(REALSXP, (R_xlen_t)found->features_count));
    put_reals(VECTOR_ELT(result, 4), found->total);
    SET_VECTOR_ELT(result, 5, Rf_ScalarReal((double)found->rows_count));
    UNPROTECT(1);
    return result;
}

/* A list: of each pair its features, from 1, and how strongly they interact; H of each feature with
 * all others; and how many rows were used. */
SEXP core_interactions(SEXP model, SEXP data, SEXP features, SEXP settings, SEXP verbose) {
    asking a = {.job = {.work = find_interactions, .unit = "features and pairs"}};
    read_settings(settings, &a.options);
    read_features(features, &a);
    SEXP failure = ask(&a, model, data, verbose);
    return failure == R_NilValue ? core_job_result(&a.job, interactions_of) : failure;
}
