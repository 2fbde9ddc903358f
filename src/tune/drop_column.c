/* Drop-column importances: the losses of rows without some features are compared with those with
 * all, as a search compares settings. */
#include "tune/retrain.h"
#include "tune/trial.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    spf_retrain retrain;
    spf_comparison whole;       /* all features */
    float *loss;                /* [rows]: with all features */
    spf_column_source *columns; /* [features]: those that are left */
} dropping;

/* The loss of each row for a forest on some columns: loss[rows]. */
static sporf_status find_loss(dropping *d, const sporf_dataset *data, spf_comparison *comparison,
                              float *loss) {
    spf_retrain *r = &d->retrain;
    sporf_search_options options;
    sporf_search_options_init(&options);
    SPF_TRY(spf_comparison_create(data, &r->params, &options, &r->work, comparison));
    sporf_trial setting = {.projections = r->params.projections, .density = r->params.density};
    spf_trial trial = {.setting = &setting};
    if (r->work.total == 0)
        r->work.total = (1 + r->groups.count) * comparison->parts * spf_work_size(&r->params);
    sporf_status status = spf_trial_grow(comparison, &trial, spf_work_size(&r->params));
    if (status == SPORF_OK && r->work.stopped) status = spf_retrain_cancel();
    for (size_t i = 0; status == SPORF_OK && i < data->rows; i++) loss[i] = trial.loss[i];
    spf_trial_free(comparison, &trial);
    return status;
}

static size_t list_others(const dropping *d, size_t group) {
    const spf_feature_groups *groups = &d->retrain.groups;
    uint32_t next = groups->start[group], end = groups->start[group + 1];
    size_t count = 0;
    for (size_t j = 0; j < d->retrain.data->features; j++) {
        if (next < end && groups->member[next] == j)
            next++;
        else
            d->columns[count++] = (spf_column_source){j, NULL};
    }
    return count;
}

static sporf_status compare_without(dropping *d, size_t count, float *loss, double *increase,
                                    double *error) {
    sporf_dataset *others = NULL;
    spf_comparison comparison = {0};
    SPF_TRY(spf_dataset_of_columns(d->retrain.data, d->columns, count, &others));
    sporf_status status = find_loss(d, others, &comparison, loss);
    if (status == SPORF_OK) spf_comparison_compare(&d->whole, loss, d->loss, increase, error);
    spf_comparison_free(&comparison);
    sporf_dataset_free(others);
    return status;
}

static sporf_status drop(dropping *d, size_t group, double *increase, double *error) {
    size_t count = list_others(d, group);
    if (count == 0)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "group %zu has all features, and nothing would be left to train on",
                         group);
    float *loss = spf_alloc(d->retrain.data->rows, sizeof *loss);
    sporf_status status =
        loss ? compare_without(d, count, loss, increase, error) : spf_raise_memory();
    free(loss);
    return status;
}

static sporf_status run(dropping *d, double *importances, double *errors) {
    const sporf_dataset *data = d->retrain.data;
    size_t groups = d->retrain.groups.count;
    d->loss = spf_alloc(data->rows, sizeof *d->loss);
    d->columns = spf_alloc(data->features, sizeof *d->columns);
    if (!d->loss || !d->columns) return spf_raise_memory();
    SPF_TRY(find_loss(d, data, &d->whole, d->loss));
    for (size_t g = 0; g < groups; g++) {
        double error = NAN;
        importances[g] = NAN;
        if (!spf_retrain_late(&d->retrain)) SPF_TRY(drop(d, g, &importances[g], &error));
        if (errors) errors[g] = error;
    }
    return SPORF_OK;
}

sporf_status sporf_drop_column(const sporf_forest *forest, const sporf_dataset *data,
                               const sporf_retrain_options *options, const sporf_hooks *hooks,
                               const sporf_feature_group *groups, size_t count, double *importances,
                               double *standard_errors) {
    dropping d = {0};
    if (!forest || !data || !importances)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "drop-column importances need a forest, its data and a place for them");
    sporf_status status = spf_retrain_open(forest, data, options, hooks, groups, count, &d.retrain);
    if (status == SPORF_OK) status = run(&d, importances, standard_errors);
    spf_comparison_free(&d.whole);
    free(d.loss);
    free(d.columns);
    spf_retrain_close(&d.retrain);
    return status;
}
