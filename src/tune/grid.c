/* The grid of the paper's benchmark (its section on UCI data sets, or its programs if these
 * differ): d and lambda as powers of p, so that a model can be trained again by what it records. */
#include "tune/grid.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { LIST_MAX = 8, FEW_FEATURES = 5, MANY_FEATURES = 100, NONZEROS_MAX = 5 };

typedef struct {
    sporf_amount storage[LIST_MAX]; /* for the default lists */
    const sporf_amount *item;
    size_t count;
} list;

static void add(list *to, double factor, double exponent) {
    to->storage[to->count++] = (sporf_amount){factor, exponent};
    to->item = to->storage;
}

/* Whether a method has a lambda, and may draw more candidates than there are features. */
static int is_sparse(const sporf_params *params) {
    return sporf_method_uses(params->method, "density");
}

static void paper_projections(size_t p, int sparse, list *d) {
    if (p < FEW_FEATURES)
        for (size_t k = 1; k < p; k++) add(d, (double)k, 0);
    else
        for (int quarter = 1; quarter < 4; quarter++) add(d, 1, quarter / 4.0);
    add(d, 1, 1);
    if (sparse) add(d, 1, p > MANY_FEATURES ? 1.5 : 2);
}

/* Projections of a single feature each are not tried if all have the same number of terms: that
 * would be another method. */
static void paper_densities(size_t p, int equal_terms, list *lambda) {
    size_t first = equal_terms ? 2 : 1, last = equal_terms ? p : p - 1;
    if (last > NONZEROS_MAX) last = NONZEROS_MAX;
    for (size_t k = first; k <= last; k++) add(lambda, (double)k, -1);
    if (lambda->count == 0) add(lambda, 1, -1); /* a single feature */
}

/* Methods without lambda keep the parameters' value, which they ignore. */
static void find_lists(size_t p, const sporf_params *params, const sporf_search_options *options,
                       list *d, list *lambda) {
    *d = (list){.item = options->projections, .count = options->projections_count};
    *lambda = (list){.item = options->densities, .count = options->densities_count};
    if (d->count == 0) paper_projections(p, is_sparse(params), d);
    if (!is_sparse(params)) {
        *lambda = (list){0};
        add(lambda, params->density.factor, params->density.exponent);
    } else if (lambda->count == 0) {
        paper_densities(p, sporf_method_at(params->method)->equal_terms, lambda);
    }
}

static int is_new(const spf_grid *grid, const sporf_preview *preview) {
    for (size_t i = 0; i < grid->count; i++)
        if (grid->settings[i].d == preview->projections &&
            grid->settings[i].nonzeros == preview->nonzeros)
            return 0;
    return 1;
}

/* The values to try must be numbers: auto is refused. */
static sporf_status check_list(const list *values, const char *name) {
    for (size_t i = 0; i < values->count; i++)
        if (values->item[i].factor == 0)
            return spf_raise(SPORF_ERROR_ARGUMENT,
                             SPF_OPTION("%s") ": auto is not a value to try" SPF_HINT
                                              "without the option, the paper's values are tried",
                             name);
    return SPORF_OK;
}

static sporf_status add_setting(const sporf_dataset *data, const sporf_params *params,
                                spf_grid *grid) {
    sporf_preview preview;
    sporf_preview_init(&preview);
    SPF_TRY(sporf_train_preview(data, params, &preview));
    if (!is_new(grid, &preview)) return SPORF_OK;
    grid->settings[grid->count++] = (sporf_trial){.projections = params->projections,
                                                  .density = params->density,
                                                  .d = preview.projections,
                                                  .nonzeros = preview.nonzeros,
                                                  .error = NAN,
                                                  .auc = NAN};
    return SPORF_OK;
}

/* p, for any d and lambda. */
static sporf_status count_features(const sporf_dataset *data, const sporf_params *params,
                                   size_t *p) {
    sporf_params plain = *params;
    sporf_preview preview;
    sporf_preview_init(&preview);
    plain.projections = (sporf_amount){1, 0};
    plain.density = (sporf_amount){1, -1};
    SPF_TRY(sporf_train_preview(data, &plain, &preview));
    *p = preview.features;
    return SPORF_OK;
}

sporf_status spf_grid_create(const sporf_dataset *data, const sporf_params *params,
                             const sporf_search_options *options, spf_grid *grid) {
    list d, lambda;
    size_t p, most;
    *grid = (spf_grid){0};
    SPF_TRY(count_features(data, params, &p));
    find_lists(p, params, options, &d, &lambda);
    SPF_TRY(check_list(&d, "projections"));
    if (is_sparse(params)) SPF_TRY(check_list(&lambda, "density"));
    if (!__builtin_mul_overflow(d.count, lambda.count, &most))
        grid->settings = spf_alloc(most, sizeof *grid->settings);
    if (!grid->settings) return spf_raise_memory();
    sporf_params tried = *params;
    for (size_t i = 0; i < d.count; i++)
        for (size_t j = 0; j < lambda.count; j++) {
            tried.projections = d.item[i];
            tried.density = lambda.item[j];
            SPF_TRY(add_setting(data, &tried, grid));
        }
    return SPORF_OK;
}

void spf_grid_free(spf_grid *grid) {
    free(grid->settings);
    *grid = (spf_grid){0};
}
