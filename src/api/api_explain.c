/* The public functions for explanations. */
#include "api/match.h"
#include "base/versioned.h"
#include "model/importance.h"
#include "predict/explain.h"

#include <stdlib.h>

/* Defaults. */
enum { STEPS = 1000000, STEPS_MOST = 1000000000, PAIRS = 8 };

static sporf_status read_options(const sporf_explain_options *given, const sporf_hooks *given_hooks,
                                 sporf_explain_options *options, sporf_hooks *hooks) {
    sporf_explain_options_init(options);
    sporf_hooks_init(hooks);
    SPF_TRY(spf_versioned_read(given, options, sizeof *options, "sporf_explain_options_init"));
    SPF_TRY(spf_versioned_read(given_hooks, hooks, sizeof *hooks, "sporf_hooks_init"));
    if (options->combine != SPORF_COMBINE_VOTES && options->combine != SPORF_COMBINE_POSTERIORS)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION("combine") " must be votes or posteriors");
    if (options->pairs == 1)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION("pairs") " must be at least 2: one has no standard error");
    if (options->steps > STEPS_MOST)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION("steps") " must be at most %d: with more, "
                                             "a row would take minutes in a single tree",
                         STEPS_MOST);
    if (options->steps == 0) options->steps = STEPS;
    if (options->pairs == 0) options->pairs = PAIRS;
    return SPORF_OK;
}

/* ---- projections ----------------------------------------------------------------------------- */

/* Those of a ranking are the first lines. */
static sporf_status list_projections(const sporf_forest *forest, const sporf_ranking *ranking,
                                     spf_lines *lines) {
    SPF_TRY(spf_lines_create(forest, lines));
    for (size_t i = 0; i < ranking->count; i++) {
        const sporf_ranked *one = &ranking->projections[i];
        SPF_TRY(spf_lines_add_terms(lines, one->terms, one->features, one->weights));
    }
    return SPORF_OK;
}

static sporf_status find_lines(void *context, const spf_tree *tree, uint32_t *line, size_t *count) {
    spf_lines *lines = context;
    for (uint32_t p = 0; p < tree->projections_count; p++)
        SPF_TRY(spf_lines_number(lines, tree, p, &line[p]));
    *count = lines->known.words.count;
    return SPORF_OK;
}

/* ---- what is explained ----------------------------------------------------------------------- */

/* The outputs that values add up to. */
static sporf_status predict(const spf_explaining *e, const spf_values *rows, double *outputs) {
    spf_predictions out = {.outputs = spf_is_boosted(e->forest) ? NULL : outputs,
                           .scores = spf_is_boosted(e->forest) ? outputs : NULL};
    return spf_predict(e->forest, rows, (spf_combining){e->adds, NULL}, e->threads, &out);
}

static sporf_status find_base(const spf_explaining *e, double *base) {
    size_t outputs = spf_explained_outputs(e->forest), rows = e->background.rows;
    double *all = spf_alloc(rows, outputs * sizeof *all);
    sporf_status status = all ? predict(e, &e->background, all) : spf_raise_memory();
    for (size_t k = 0; status == SPORF_OK && k < outputs; k++) {
        base[k] = 0;
        for (size_t i = 0; i < rows; i++) base[k] += all[i * outputs + k];
        base[k] /= (double)rows;
    }
    free(all);
    return status;
}

static sporf_status explain(const spf_explaining *e, const sporf_explanation *out) {
    double estimated;
    SPF_TRY(spf_explain(e, &estimated));
    if (out->estimated) *out->estimated = estimated;
    if (out->predictions) SPF_TRY(predict(e, &e->rows, out->predictions));
    return out->base ? find_base(e, out->base) : SPORF_OK;
}

static sporf_status match(const sporf_forest *forest, const sporf_dataset *data,
                          const float ***columns, spf_values *values) {
    values->rows = data->rows;
    SPF_TRY(spf_match_columns(forest, data, columns, &values->has_missing));
    values->columns = *columns;
    return SPORF_OK;
}

static sporf_status match_and_explain(spf_explaining *e, const sporf_dataset *data,
                                      const sporf_dataset *background,
                                      const sporf_explanation *out) {
    const float **columns = NULL, **others = NULL;
    sporf_status status = match(e->forest, data, &columns, &e->rows);
    if (status == SPORF_OK) status = match(e->forest, background, &others, &e->background);
    if (status == SPORF_OK) status = explain(e, out);
    free(columns);
    free(others);
    return status;
}

static sporf_status run(const sporf_forest *forest, const sporf_dataset *data,
                        const sporf_dataset *background, const sporf_explain_options *given,
                        const sporf_hooks *given_hooks, const spf_line_finder *projections,
                        size_t places, const sporf_explanation *wanted) {
    sporf_explain_options options;
    sporf_hooks hooks;
    sporf_explanation out = {.struct_size = sizeof out};
    SPF_TRY(spf_versioned_read(wanted, &out, sizeof out, "sporf_explanation_init"));
    SPF_TRY(read_options(given, given_hooks, &options, &hooks));
    if (!out.values)
        return spf_raise(SPORF_ERROR_ARGUMENT, "an explanation needs a place for the values");
    if (background->rows == 0)
        return spf_raise(SPORF_ERROR_DATA, "the background has no rows to compare with");
    spf_explaining e = {.forest = forest,
                        .adds =
                            spf_combining_of(forest, options.combine, SPORF_CALIBRATE_NONE).adds,
                        .projections = projections,
                        .places = places,
                        .budget = options.steps,
                        .pairs = options.pairs,
                        .seed = options.seed,
                        .first_row = options.first_row,
                        .threads = options.threads,
                        .hooks = &hooks,
                        .values = out.values,
                        .errors = out.errors};
    return match_and_explain(&e, data, background, &out);
}

/* ---- public ---------------------------------------------------------------------------------- */

static sporf_status raise_missing(void) {
    return spf_raise(SPORF_ERROR_ARGUMENT, "an explanation needs a forest, data, background rows "
                                           "and a place for the values");
}

size_t sporf_forest_explained_outputs(const sporf_forest *forest) {
    return spf_explained_outputs(forest);
}

sporf_status sporf_forest_explain(const sporf_forest *forest, const sporf_dataset *data,
                                  const sporf_dataset *background,
                                  const sporf_explain_options *options, const sporf_hooks *hooks,
                                  const sporf_explanation *out) {
    if (!forest || !data || !background || !out) return raise_missing();
    return run(forest, data, background, options, hooks, NULL, forest->features, out);
}

sporf_status sporf_forest_explain_projections(const sporf_forest *forest, const sporf_dataset *data,
                                              const sporf_dataset *background,
                                              const sporf_ranking *ranking,
                                              const sporf_explain_options *options,
                                              const sporf_hooks *hooks,
                                              const sporf_explanation *out) {
    if (!forest || !data || !background || !ranking || !out) return raise_missing();
    spf_lines lines = {0};
    sporf_status status = list_projections(forest, ranking, &lines);
    const spf_line_finder finder = {find_lines, &lines};
    if (status == SPORF_OK)
        status = run(forest, data, background, options, hooks, &finder, ranking->count + 1, out);
    spf_lines_free(&lines);
    return status;
}
