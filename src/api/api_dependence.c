/* The public functions for the dependence on features. */
#include "api/dependence_rows.h"
#include "predict/ale.h"
#include "predict/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FEATURES = 2, GRID_OF_ONE = 100, GRID_OF_TWO = 20, BINS = 40 };

/* A dependence and the memory it points to. */
typedef struct {
    sporf_dependence shown;
    size_t features[MOST_FEATURES], values_count[MOST_FEATURES];
    spf_grid grids[MOST_FEATURES];
    const double *values[MOST_FEATURES];
    double *mean, *individual;
    uint32_t *rows;
} parts;

void sporf_dependence_free(sporf_dependence *dependence) {
    parts *p = (parts *)dependence;
    if (!p) return;
    for (size_t i = 0; i < MOST_FEATURES; i++) free(p->grids[i].values);
    free(p->mean);
    free(p->individual);
    free(p->rows);
    free(p);
}

/* ---- values ---------------------------------------------------------------------------------- */

static int is_category(const sporf_forest *forest, size_t feature) {
    return spf_schema_kind(&forest->schema, feature) == SPORF_KIND_CATEGORY;
}

static sporf_status check_value(const sporf_forest *forest, size_t feature, double value) {
    size_t levels = spf_schema_levels(&forest->schema, feature);
    if (isnan(value)) return SPORF_OK;
    if (levels > 0 && !(value >= 0 && value < (double)levels && value == floor(value)))
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "%g is not a level of feature %zu: its levels have the numbers 0 to %zu",
                         value, feature, levels - 1);
    if (!spf_double_ok(value))
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "a value of the grid is %g, but must be at most 1e30", value);
    return SPORF_OK;
}

static sporf_status copy_values(const sporf_forest *forest, size_t feature, const double *values,
                                size_t count, spf_grid *grid) {
    if (count == 0)
        return spf_raise(SPORF_ERROR_ARGUMENT, "the grid of feature %zu has no values", feature);
    for (size_t i = 0; i < count; i++) SPF_TRY(check_value(forest, feature, values[i]));
    grid->count = count;
    return spf_copy_array(values, count, sizeof *values, &grid->values);
}

static sporf_status choose_values(const sporf_forest *forest, const spf_dependence_rows *r,
                                  size_t feature, size_t count, spf_grid *grid) {
    const sporf_dependence_options *o = &r->options;
    const float *column = r->columns[feature];
    size_t rows = r->data->rows, wanted = count == 1 ? GRID_OF_ONE : GRID_OF_TWO;
    int unset = o->from == 0 && o->to == 0;
    if (o->grid > 0) wanted = o->grid;
    if (o->kind == SPORF_DEPENDENCE_ALE)
        return spf_grid_of_bins(column, rows, o->grid > 0 ? o->grid : BINS, grid);
    if (spf_schema_levels(&forest->schema, feature) > 0)
        return spf_grid_of_values(column, rows, grid);
    return spf_grid_of_range(column, rows, wanted, unset ? 0.05 : o->from, unset ? 0.95 : o->to,
                             grid);
}

static sporf_status find_values(const sporf_forest *forest, const spf_dependence_rows *r,
                                size_t place, parts *p) {
    const double *given = r->options.values[place];
    size_t feature = p->features[place], count = p->shown.features_count;
    spf_grid *grid = &p->grids[place];
    if (given)
        SPF_TRY(copy_values(forest, feature, given, r->options.values_count[place], grid));
    else
        SPF_TRY(choose_values(forest, r, feature, count, grid));
    if (grid->count == 0)
        return spf_raise(SPORF_ERROR_DATA,
                         "feature %zu has no values in the rows: all are missing" SPF_HINT
                         "use other rows, or give the values of the grid",
                         feature);
    p->values[place] = grid->values;
    p->values_count[place] = grid->count;
    return SPORF_OK;
}

/* ---- curves ---------------------------------------------------------------------------------- */

/* All combinations of the values; free with free(). */
static sporf_status make_points(const parts *p, float **values) {
    const sporf_dependence *shown = &p->shown;
    size_t inner = shown->features_count > 1 ? p->values_count[1] : 1;
    *values = spf_alloc(shown->points, shown->features_count * sizeof **values);
    if (!*values) return spf_raise_memory();
    for (size_t i = 0; i < shown->points; i++) {
        (*values)[i] = (float)p->values[0][i / inner];
        if (shown->features_count > 1)
            (*values)[shown->points + i] = (float)p->values[1][i % inner];
    }
    return SPORF_OK;
}

static sporf_status make_curves(const sporf_forest *forest, const spf_dependence_rows *r,
                                const uint32_t *features, parts *p) {
    float *values = NULL;
    size_t points = p->shown.points;
    if (r->options.kind == SPORF_DEPENDENCE_ICE) {
        p->individual = spf_alloc(r->data->rows, points * p->shown.outputs * sizeof(double));
        if (!p->individual) return spf_raise_memory();
    }
    sporf_status status = make_points(p, &values);
    if (status == SPORF_OK) {
        const float *columns[MOST_FEATURES] = {values, values + points};
        const spf_points all = {p->shown.features_count, features, columns, points, 0};
        status = spf_curves_make(forest, &r->values, r->data->weights, &all, &r->curves,
                                 &(spf_curves){p->mean, p->individual});
    }
    free(values);
    return status;
}

static sporf_status check_ale(const sporf_forest *forest, const parts *p) {
    size_t feature = p->features[0];
    const double *ends = p->values[0];
    if (p->shown.features_count > 1)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "accumulated local effects are of one feature, not of %zu" SPF_HINT
                         "use partial dependence for two",
                         p->shown.features_count);
    if (is_category(forest, feature))
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "accumulated local effects need an order, but feature %zu is a "
                         "category" SPF_HINT "use partial dependence, or make it ordinal",
                         feature);
    for (size_t i = 0; i < p->values_count[0]; i++)
        if (isnan(ends[i]) || (i > 0 && !(ends[i] > ends[i - 1])))
            return spf_raise(SPORF_ERROR_ARGUMENT, "the ends of bins must ascend");
    return SPORF_OK;
}

static sporf_status count_points(parts *p) {
    size_t points = p->values_count[0];
    if (p->shown.features_count > 1 && __builtin_mul_overflow(points, p->values_count[1], &points))
        return spf_raise_memory();
    if (points > SPF_CURVE_POINTS_MAX)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "the grid has %zu points, more than %d" SPF_HINT
                         "lower " SPF_OPTION("grid"),
                         points, SPF_CURVE_POINTS_MAX);
    p->shown.points = points;
    p->mean = spf_alloc(points, p->shown.outputs * sizeof *p->mean);
    return p->mean ? SPORF_OK : spf_raise_memory();
}

static sporf_status find_dependence(const sporf_forest *forest, spf_dependence_rows *r, parts *p) {
    uint32_t features[MOST_FEATURES];
    SPF_TRY(spf_dependence_features(forest, p->features, p->shown.features_count, features));
    for (size_t i = 0; i < p->shown.features_count; i++) SPF_TRY(find_values(forest, r, i, p));
    p->shown.outputs = spf_curve_outputs(forest, &r->curves);
    if (r->options.kind == SPORF_DEPENDENCE_ALE) SPF_TRY(check_ale(forest, p));
    SPF_TRY(count_points(p));
    if (r->options.kind != SPORF_DEPENDENCE_ALE) return make_curves(forest, r, features, p);
    return spf_ale(forest, &r->values, r->data->weights, features[0], p->values[0],
                   p->values_count[0], &r->curves, p->mean);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void show(spf_dependence_rows *r, parts *p) {
    sporf_dependence *shown = &p->shown;
    p->rows = r->rows;
    r->rows = NULL;
    shown->features = p->features;
    shown->values_count = p->values_count;
    shown->values = p->values;
    shown->mean = p->mean;
    shown->individual = p->individual;
    shown->rows_count = r->data->rows;
    shown->rows = p->rows;
}

sporf_status sporf_dependence_create(const sporf_forest *forest, const sporf_dataset *data,
                                     const sporf_dependence_options *options,
                                     const sporf_hooks *hooks, const size_t *features, size_t count,
                                     sporf_dependence **out) {
    spf_dependence_rows rows;
    if (!forest || !data || !features || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "dependence needs a forest, data, features and a place for the result");
    *out = NULL;
    if (count == 0 || count > MOST_FEATURES)
        return spf_raise(SPORF_ERROR_ARGUMENT, "dependence is on 1 or 2 features, got %zu", count);
    parts *p = spf_alloc_zero(1, sizeof *p);
    if (!p) return spf_raise_memory();
    p->shown.features_count = count;
    memcpy(p->features, features, count * sizeof *features);
    sporf_status status = spf_dependence_rows_open(forest, data, options, hooks, 0, &rows);
    if (status == SPORF_OK) status = find_dependence(forest, &rows, p);
    if (status == SPORF_OK) show(&rows, p);
    spf_dependence_rows_close(&rows);
    if (status == SPORF_OK)
        *out = &p->shown;
    else
        sporf_dependence_free(&p->shown);
    return status;
}
