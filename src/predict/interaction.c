/* Partial dependences at the rows' own values, centred. What that of a pair has beyond the sum of
 * both single ones is their interaction: H^2 is its mean square, divided by that of the pair. The
 * curves of all rows over the values of one feature give the dependence on all others, too: their
 * means over the values instead of the rows. Several outputs are summed in both mean squares. */
#include "predict/interaction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Mean squares below this share of that of the predictions are rounding errors. */
static const double nothing = 1e-20;

typedef struct {
    const sporf_forest *forest;
    const spf_values *values;
    const float *weights;
    const uint32_t *features;
    size_t count, rows, outputs;
    spf_curve_options options; /* with hooks that show no progress: it counts steps, not rows */
    const sporf_hooks *hooks;  /* the caller's */
    double *single;            /* [count x rows x outputs]: dependence on each feature, centred */
    double *pair;              /* [rows x outputs] */
    double *rest;              /* [rows x outputs]: on all features but one */
    double *whole;             /* [rows x outputs]: the predictions, centred */
    double *individual;        /* [rows x rows x outputs] */
    uint32_t *order;           /* [rows]: by the value of a feature */
    float *sorted;             /* [rows] */
    double weight;             /* of all rows */
    double scale;              /* mean square of whole */
    spf_interactions out;
} finding;

static double weight_of(const finding *f, size_t row) {
    return f->weights ? (double)f->weights[row] : 1;
}

/* Subtracts the mean over the rows. */
static void centre(const finding *f, double *values) {
    for (size_t k = 0; k < f->outputs; k++) {
        double sum = 0;
        for (size_t i = 0; i < f->rows; i++) sum += weight_of(f, i) * values[i * f->outputs + k];
        for (size_t i = 0; i < f->rows; i++) values[i * f->outputs + k] -= sum / f->weight;
    }
}

/* The mean over rows and outputs of (a - b - c)^2; b and c may be NULL. */
static double mean_square(const finding *f, const double *a, const double *b, const double *c) {
    double sum = 0;
    for (size_t i = 0; i < f->rows; i++)
        for (size_t k = 0; k < f->outputs; k++) {
            size_t at = i * f->outputs + k;
            double left = a[at] - (b ? b[at] : 0) - (c ? c[at] : 0);
            sum += weight_of(f, i) * left * left;
        }
    return sum / f->weight / (double)f->outputs;
}

/* H: the root of a share of variance, 0 if there is next to none. */
static double root_share(const finding *f, double part, double all) {
    return all > nothing * f->scale ? sqrt(part / all) : 0;
}

/* ---- single features ------------------------------------------------------------------------- */

/* Sorts the rows by the value of a feature; missing ones are the last. */
static void sort_rows(const finding *f, const float *column) {
    for (size_t i = 0; i < f->rows; i++) {
        size_t at = i;
        for (; at > 0; at--) {
            float before = column[f->order[at - 1]];
            if (!(before > column[i] || (isnan(before) && !isnan(column[i])))) break;
            f->order[at] = f->order[at - 1];
        }
        f->order[at] = (uint32_t)i;
    }
    for (size_t i = 0; i < f->rows; i++) f->sorted[i] = column[f->order[i]];
}

/* Means of the curves over rows at each point, and over points for each row. */
static void take_means(const finding *f, double *single) {
    size_t outputs = f->outputs;
    memset(single, 0, f->rows * outputs * sizeof *single);
    memset(f->rest, 0, f->rows * outputs * sizeof *f->rest);
    for (size_t i = 0; i < f->rows; i++)
        for (size_t c = 0; c < f->rows; c++) {
            const double *value = f->individual + (i * f->rows + c) * outputs;
            size_t point = f->order[c];
            for (size_t k = 0; k < outputs; k++) {
                single[point * outputs + k] += weight_of(f, i) * value[k];
                f->rest[i * outputs + k] += weight_of(f, point) * value[k];
                if (i == point) f->whole[i * outputs + k] = value[k];
            }
        }
    for (size_t i = 0; i < f->rows * outputs; i++) single[i] /= f->weight;
    for (size_t i = 0; i < f->rows * outputs; i++) f->rest[i] /= f->weight;
    centre(f, single);
    centre(f, f->rest);
    centre(f, f->whole);
}

static sporf_status find_single(finding *f, size_t number) {
    const float *sorted = f->sorted;
    spf_points points = {1, &f->features[number], &sorted, f->rows, 0};
    double *single = f->single + number * f->rows * f->outputs;
    sort_rows(f, f->values->columns[f->features[number]]);
    SPF_TRY(spf_curves_make(f->forest, f->values, NULL, &points, &f->options,
                            &(spf_curves){.individual = f->individual}));
    take_means(f, single);
    f->scale = mean_square(f, f->whole, NULL, NULL);
    f->out.total[number] = root_share(f, mean_square(f, f->whole, single, f->rest), f->scale);
    return SPORF_OK;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static sporf_status find_pair(finding *f, size_t first, size_t second, size_t pair) {
    const uint32_t features[2] = {f->features[first], f->features[second]};
    const float *columns[2] = {f->values->columns[features[0]], f->values->columns[features[1]]};
    spf_points points = {2, features, columns, f->rows, 0};
    size_t cells = f->rows * f->outputs;
    SPF_TRY(spf_curves_make(f->forest, f->values, f->weights, &points, &f->options,
                            &(spf_curves){.mean = f->pair}));
    centre(f, f->pair);
    double part = mean_square(f, f->pair, f->single + first * cells, f->single + second * cells);
    double all = mean_square(f, f->pair, NULL, NULL);
    f->out.h[pair] = root_share(f, part, all);
    f->out.strength[pair] = sqrt(part);
    return SPORF_OK;
}

static void show_progress(const finding *f, size_t done) {
    size_t pairs = f->count * (f->count - 1) / 2;
    if (f->hooks->progress) f->hooks->progress(f->hooks->payload, done, f->count + pairs);
}

static sporf_status find_all(finding *f) {
    size_t pair = 0;
    for (size_t i = 0; i < f->count; i++) {
        SPF_TRY(find_single(f, i));
        show_progress(f, i + 1);
    }
    for (size_t i = 0; i < f->count; i++)
        for (size_t j = i + 1; j < f->count; j++, pair++) {
            SPF_TRY(find_pair(f, i, j, pair));
            show_progress(f, f->count + pair + 1);
        }
    return SPORF_OK;
}

sporf_status spf_interactions_find(const sporf_forest *forest, const spf_values *values,
                                   const float *weights, const uint32_t *features, size_t count,
                                   const spf_curve_options *options, const spf_interactions *out) {
    size_t rows = values->rows, outputs = spf_curve_outputs(forest, options);
    finding f = {forest, values, weights, features, count, rows, outputs, *options, .out = *out};
    sporf_hooks quiet = *options->hooks;
    quiet.progress = NULL;
    f.options.hooks = &quiet;
    f.hooks = options->hooks;
    f.single = spf_alloc(count * rows, outputs * sizeof *f.single);
    f.pair = spf_alloc(rows, outputs * sizeof *f.pair);
    f.rest = spf_alloc(rows, outputs * sizeof *f.rest);
    f.whole = spf_alloc(rows, outputs * sizeof *f.whole);
    f.individual = spf_alloc(rows * rows, outputs * sizeof *f.individual);
    f.order = spf_alloc(rows, sizeof *f.order);
    f.sorted = spf_alloc(rows, sizeof *f.sorted);
    sporf_status status = SPORF_OK;
    if (!f.single || !f.pair || !f.rest || !f.whole || !f.individual || !f.order || !f.sorted)
        status = spf_raise_memory();
    for (size_t i = 0; i < rows; i++) f.weight += weight_of(&f, i);
    if (status == SPORF_OK) status = find_all(&f);
    free(f.single);
    free(f.pair);
    free(f.rest);
    free(f.whole);
    free(f.individual);
    free(f.order);
    free(f.sorted);
    return status;
}
