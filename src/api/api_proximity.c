/* The public functions for proximities. */
#include "api/match.h"
#include "api/predict_options.h"
#include "predict/proximity.h"

#include <stdlib.h>

/* Two tables with their columns in the model's order. */
typedef struct {
    const float **first, **second;
    int first_missing, second_missing;
} matched;

static sporf_status match_both(const sporf_forest *forest, const sporf_dataset *first,
                               const sporf_dataset *second, matched *m) {
    SPF_TRY(spf_match_columns(forest, first, &m->first, &m->first_missing));
    return spf_match_columns(forest, second, &m->second, &m->second_missing);
}

static void release(matched *m) {
    free(m->first);
    free(m->second);
}

static sporf_status check_rows(const uint32_t *rows, size_t pairs, const sporf_dataset *data) {
    for (size_t i = 0; i < pairs; i++)
        if (rows[i] >= data->rows)
            return spf_raise(SPORF_ERROR_ARGUMENT,
                             "pair %zu names row %u, but the data have %zu rows", i, rows[i],
                             data->rows);
    return SPORF_OK;
}

sporf_status sporf_forest_proximities(const sporf_forest *forest, const sporf_dataset *first,
                                      const sporf_dataset *second,
                                      const sporf_predict_options *given, size_t pairs,
                                      const uint32_t *first_rows, const uint32_t *second_rows,
                                      double *proximities) {
    sporf_predict_options options;
    matched m = {0};
    if (!forest || !first || !second ||
        (pairs > 0 && (!first_rows || !second_rows || !proximities)))
        return spf_raise(SPORF_ERROR_ARGUMENT, "proximities need a forest, two tables, pairs of "
                                               "rows and a place for the results");
    SPF_TRY(spf_predict_options_resolve(given, &options));
    SPF_TRY(check_rows(first_rows, pairs, first));
    SPF_TRY(check_rows(second_rows, pairs, second));
    sporf_status status = match_both(forest, first, second, &m);
    if (status == SPORF_OK)
        status = spf_proximities(forest, &(spf_values){m.first, first->rows, m.first_missing},
                                 &(spf_values){m.second, second->rows, m.second_missing},
                                 options.threads, pairs, first_rows, second_rows, proximities);
    release(&m);
    return status;
}

sporf_status sporf_forest_nearest(const sporf_forest *forest, const sporf_dataset *reference,
                                  const sporf_dataset *data, const sporf_predict_options *given,
                                  size_t count, uint32_t *rows, double *proximities) {
    sporf_predict_options options;
    matched m = {0};
    if (!forest || !reference || !data || !rows || !proximities)
        return spf_raise(SPORF_ERROR_ARGUMENT, "the nearest rows need a forest, two tables and a "
                                               "place for the results");
    if (count == 0 || count > reference->rows)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "%zu nearest rows were asked for, but the reference has %zu rows", count,
                         reference->rows);
    SPF_TRY(spf_predict_options_resolve(given, &options));
    sporf_status status = match_both(forest, reference, data, &m);
    if (status == SPORF_OK)
        status = spf_nearest(forest, &(spf_values){m.first, reference->rows, m.first_missing},
                             &(spf_values){m.second, data->rows, m.second_missing}, options.threads,
                             count, rows, proximities);
    release(&m);
    return status;
}
