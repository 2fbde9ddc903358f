/* A page of HTML on a model, or on several that are compared. */
#include "job.h"
#include "routines.h"

#include <string.h>

enum { MODELS_MOST = 8 };

typedef struct {
    core_job job; /* first */
    const sporf_forest *forests[MODELS_MOST];
    size_t count;
    const sporf_dataset *data; /* NULL: none */
    sporf_report_options options;
    char *html;
    size_t size;
} reporting;

static sporf_status make(core_job *job) {
    reporting *r = (reporting *)job;
    sporf_hooks hooks = core_job_hooks(job);
    return sporf_report_html(r->forests, r->count, r->data, &r->options, &hooks, &r->html,
                             &r->size);
}

static void discard(core_job *job) {
    sporf_free(((reporting *)job)->html);
}

static SEXP page_of(void *job) {
    const reporting *r = job;
    SEXP page = Rf_allocVector(RAWSXP, (R_xlen_t)r->size);
    memcpy(RAW(page), r->html, r->size);
    return page;
}

static const char *text_or_null(SEXP text) {
    return text == R_NilValue ? NULL : core_utf8(text, 0);
}

/* The bytes of the page on models, a list of at most eight. */
SEXP core_report(SEXP models, SEXP data, SEXP names, SEXP title, SEXP data_name, SEXP settings,
                 SEXP verbose) {
    SEXP failure = R_NilValue;
    reporting r = {.job = {.work = make, .discard = discard, .unit = "chapters"},
                   .count = (size_t)Rf_xlength(models),
                   .data = data == R_NilValue ? NULL : core_data(data)};
    for (size_t i = 0; i < r.count && i < MODELS_MOST; i++)
        if (!(r.forests[i] = core_forest(VECTOR_ELT(models, (R_xlen_t)i), &failure)))
            return failure;
    int posteriors = Rf_asLogical(core_element(settings, "posteriors"));
    int raw = Rf_asLogical(core_element(settings, "raw"));
    sporf_report_options_init(&r.options);
    r.options.title = text_or_null(title);
    r.options.names = core_texts(names);
    r.options.data_name = text_or_null(data_name);
    r.options.seed = (uint64_t)Rf_asReal(core_element(settings, "seed"));
    r.options.threads = (unsigned)Rf_asInteger(core_element(settings, "threads"));
    r.options.combine = posteriors ? SPORF_COMBINE_POSTERIORS : SPORF_COMBINE_VOTES;
    r.options.calibration = raw ? SPORF_CALIBRATE_NONE : SPORF_CALIBRATE_AUTO;
    r.job.verbose = Rf_asInteger(verbose);
    if (!core_job_run(&r.job))
        return core_failure_text(SPORF_ERROR_MEMORY, "the system refused a thread");
    return r.job.status == SPORF_OK ? core_job_result(&r.job, page_of) : core_job_failure(&r.job);
}
