/* What a model predicts over two of its features: a grid of predictions, the rows of a table as
 * points, and all other features at the values that are usual in it. */
#include "api/match.h"
#include "draw/chart.h"
#include "picture/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 120, POINTS_MOST = 1000, NAMES_MOST = SPF_TONES };

typedef struct boundary {
    const sporf_forest *forest;
    const sporf_dataset *data;
    size_t across, up;
    size_t label, classes; /* the label column that is drawn, if there are several; its classes */
    const float **columns;
    float *row, *sorted; /* [features], [rows] */
    double *out;         /* [classes or targets] */
    unsigned *tones;     /* [STEPS x STEPS] */
    double *shares;
    double *points; /* [2 x POINTS_MOST x series] */
    double low[2], high[2];
    double least, most; /* predicted values, in regression */
} boundary;

static void boundary_free(boundary *b) {
    free(b->columns);
    free(b->row);
    free(b->sorted);
    free(b->out);
    free(b->tones);
    free(b->shares);
    free(b->points);
}

static size_t outputs_of(const sporf_forest *forest) {
    size_t classes = sporf_forest_classes(forest), targets = sporf_forest_targets(forest);
    return classes > targets ? classes : targets;
}

static sporf_status check_feature(const sporf_forest *forest, size_t feature) {
    const sporf_schema *schema = sporf_forest_schema(forest);
    if (feature >= sporf_forest_features(forest))
        return spf_raise(SPORF_ERROR_ARGUMENT, "there is no feature %zu: the model has %zu",
                         feature, sporf_forest_features(forest));
    if (sporf_schema_kind(schema, feature) == SPORF_KIND_NUMBER) return SPORF_OK;
    const char *name = sporf_schema_feature_name(schema, feature);
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "feature %s is not numeric: a boundary needs two numeric features",
                     name ? name : "of that number");
}

static sporf_status check(const boundary *b) {
    if (!b->forest || !b->data)
        return spf_raise(SPORF_ERROR_ARGUMENT, "a boundary needs a model, data and a place");
    SPF_TRY(check_feature(b->forest, b->across));
    SPF_TRY(check_feature(b->forest, b->up));
    if (b->across == b->up)
        return spf_raise(SPORF_ERROR_ARGUMENT, "a boundary needs two different features");
    if (sporf_dataset_rows(b->data) == 0)
        return spf_raise(SPORF_ERROR_DATA, "a boundary needs a table with rows");
    return SPORF_OK;
}

static sporf_status allocate(boundary *b) {
    size_t series = NAMES_MOST + 1;
    b->row = spf_alloc(sporf_forest_features(b->forest), sizeof *b->row);
    b->sorted = spf_alloc(sporf_dataset_rows(b->data), sizeof *b->sorted);
    b->out = spf_alloc(outputs_of(b->forest), sizeof *b->out);
    b->tones = spf_alloc((size_t)STEPS * STEPS, sizeof *b->tones);
    b->shares = spf_alloc((size_t)STEPS * STEPS, sizeof *b->shares);
    b->points = spf_alloc(2 * POINTS_MOST * series, sizeof *b->points);
    return b->row && b->sorted && b->out && b->tones && b->shares && b->points ? SPORF_OK
                                                                               : spf_raise_memory();
}

/* ---- classes --------------------------------------------------------------------------------- */

static int has_labels(const boundary *b) {
    return sporf_schema_label_columns(sporf_forest_schema(b->forest)) > 0;
}

/* Of several labels, the one that the table has, or the first. */
static void choose_label(boundary *b) {
    const sporf_schema *schema = sporf_forest_schema(b->forest);
    const char *given = sporf_schema_label_name(sporf_dataset_schema(b->data));
    size_t count = sporf_schema_label_columns(schema);
    for (size_t i = count; i-- > 0 && given;)
        if (strcmp(given, sporf_schema_label_column_name(schema, i)) == 0) b->label = i;
    b->classes = count > 0 ? sporf_schema_label_column_classes(schema, b->label)
                           : sporf_forest_classes(b->forest);
}

static const char *class_name(const boundary *b, size_t k) {
    const sporf_schema *schema = sporf_forest_schema(b->forest);
    return has_labels(b) ? sporf_schema_label_column_class(schema, b->label, k)
                         : sporf_schema_class_name(schema, k);
}

/* The largest share among the classes of the label. */
static unsigned largest_class(const boundary *b) {
    const double *share =
        b->out + sporf_schema_label_column_target(sporf_forest_schema(b->forest), b->label);
    unsigned best = 0;
    for (unsigned k = 1; k < b->classes; k++)
        if (share[k] > share[best]) best = k;
    return best;
}

/* ---- the usual row --------------------------------------------------------------------------- */

static int compare_values(const void *left, const void *right) {
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

/* The values that are not missing, ascending; returns how many. */
static size_t sort_column(const boundary *b, size_t feature) {
    size_t count = 0;
    for (size_t i = 0; i < sporf_dataset_rows(b->data); i++)
        if (!isnan(b->columns[feature][i])) b->sorted[count++] = b->columns[feature][i];
    qsort(b->sorted, count, sizeof *b->sorted, compare_values);
    return count;
}

/* Of sorted values, the first in a tie. */
static float most_frequent(const float *sorted, size_t count) {
    size_t most = 0, found = 0;
    for (size_t i = 0, begin = 0; i < count; i++) {
        if (sorted[i] != sorted[begin]) begin = i;
        if (i - begin < most) continue;
        most = i - begin + 1;
        found = i;
    }
    return sorted[found];
}

static void find_usual(boundary *b) {
    const sporf_schema *schema = sporf_forest_schema(b->forest);
    for (size_t j = 0; j < sporf_forest_features(b->forest); j++) {
        size_t count = sort_column(b, j);
        if (count == 0)
            b->row[j] = NAN;
        else if (sporf_schema_kind(schema, j) == SPORF_KIND_NUMBER)
            b->row[j] = b->sorted[count / 2];
        else
            b->row[j] = most_frequent(b->sorted, count);
    }
}

static sporf_status find_range(boundary *b, size_t which, size_t feature) {
    size_t count = sort_column(b, feature);
    if (count == 0)
        return spf_raise(SPORF_ERROR_DATA, "a feature of the boundary has no values in the table: "
                                           "all are missing");
    double low = b->sorted[0], high = b->sorted[count - 1];
    double margin = high > low ? 0.05 * (high - low) : 1;
    b->low[which] = low - margin;
    b->high[which] = high + margin;
    return SPORF_OK;
}

/* ---- the grid -------------------------------------------------------------------------------- */

static sporf_status predict_cell(boundary *b, size_t cell, double *value) {
    uint32_t found = sporf_forest_predict_row(b->forest, b->row, SPORF_COMBINE_VOTES, b->out);
    if (found == SPORF_NO_CLASS) return spf_raise(SPORF_ERROR_MODEL, "the model is damaged");
    b->tones[cell] = has_labels(b) ? largest_class(b) : found;
    *value = b->out[0];
    return SPORF_OK;
}

static sporf_status predict_grid(boundary *b) {
    b->least = INFINITY, b->most = -INFINITY;
    for (size_t cell = 0; cell < (size_t)STEPS * STEPS; cell++) {
        size_t column = cell % STEPS, row = cell / STEPS;
        double x = ((double)column + 0.5) / STEPS, y = ((double)row + 0.5) / STEPS;
        b->row[b->across] = (float)(b->low[0] + x * (b->high[0] - b->low[0]));
        b->row[b->up] = (float)(b->low[1] + y * (b->high[1] - b->low[1]));
        SPF_TRY(predict_cell(b, cell, &b->shares[cell]));
        b->least = fmin(b->least, b->shares[cell]);
        b->most = fmax(b->most, b->shares[cell]);
    }
    /* Twenty shades, so that equal neighbours are one box. */
    for (size_t cell = 0; cell < (size_t)STEPS * STEPS; cell++)
        b->shares[cell] = b->most > b->least
                              ? round(20 * (b->shares[cell] - b->least) / (b->most - b->least)) / 20
                              : 0.5;
    return SPORF_OK;
}

/* ---- the picture ----------------------------------------------------------------------------- */

/* The model's number of a class of the table, or that of no class. */
static size_t class_of(const boundary *b, size_t row) {
    const uint32_t *labels = sporf_dataset_labels(b->data);
    if (!labels) return SIZE_MAX;
    const char *name = sporf_schema_class_name(sporf_dataset_schema(b->data), labels[row]);
    for (size_t k = 0; name && k < b->classes; k++)
        if (strcmp(name, class_name(b, k)) == 0) return k;
    return SIZE_MAX;
}

/* One series for each class, and the last for rows without one. */
static void fill_points(const boundary *b, size_t classes, spf_series *series) {
    size_t rows = sporf_dataset_rows(b->data);
    size_t step = rows > POINTS_MOST ? (rows + POINTS_MOST - 1) / POINTS_MOST : 1;
    for (size_t k = 0; k <= classes; k++) {
        double *x = b->points + 2 * POINTS_MOST * k;
        series[k] = (spf_series){
            .mark = SPF_MARK_POINTS, .tone = (unsigned)k, .x = x, .y = x + POINTS_MOST};
        if (k < classes)
            series[k].name = class_name(b, k);
        else
            series[k].tone = SPF_TONES - 1;
    }
    for (size_t i = 0; i < rows; i += step) {
        size_t own = class_of(b, i);
        size_t k = own < classes ? own : classes;
        double *x = b->points + 2 * POINTS_MOST * k;
        x[series[k].count] = b->columns[b->across][i];
        x[POINTS_MOST + series[k].count++] = b->columns[b->up][i];
    }
}

/* "Decision boundary of colour", "Prediction of y1 from 3 (pale) to 21" */
static void put_title(const boundary *b, spf_markup *title) {
    const sporf_schema *schema = sporf_forest_schema(b->forest);
    size_t more = sporf_forest_features(b->forest) - 2;
    const char *name = has_labels(b) ? sporf_schema_label_column_name(schema, b->label)
                       : sporf_forest_targets(b->forest) > 1 ? sporf_schema_target_name(schema, 0)
                                                             : NULL;
    spf_markup_put(title, b->classes > 0 ? "Decision boundary" : "Prediction");
    if (name) {
        spf_markup_put(title, " of ");
        spf_markup_plain(title, name, SPF_NAME_MOST);
    }
    if (b->classes == 0) {
        spf_markup_put(title, " from ");
        spf_markup_number(title, b->least, 4);
        spf_markup_put(title, " (pale) to ");
        spf_markup_number(title, b->most, 4);
    }
    if (more > 0)
        spf_markup_format(title, "; %lu other feature%s at the median or most frequent level",
                          (unsigned long)more, more == 1 ? "" : "s");
}

static sporf_status draw_boundary(const boundary *b, const char *across, const char *up,
                                  spf_markup *m) {
    size_t classes = b->classes, named = classes <= NAMES_MOST ? classes : 0;
    spf_series series[NAMES_MOST + 1];
    spf_markup title = {0};
    fill_points(b, named, series);
    put_title(b, &title);
    spf_chart chart = {
        .svg = {.width = 560,
                .height = 460,
                .title = title.text,
                .alone = 1,
                .description = "What the model predicts over two features. Other features are at "
                               "their median, or most frequent level. Points are rows."},
        .x_label = across,
        .y_label = up,
        .count = named + 1,
        .series = series,
        .x_from = b->low[0],
        .x_to = b->high[0],
        .y_from = b->low[1],
        .y_to = b->high[1],
        .cells = &(spf_cells){STEPS, STEPS, classes > 0 ? b->tones : NULL,
                              classes > 0 ? NULL : b->shares}};
    if (title.status == SPORF_OK) spf_chart_draw(m, &chart);
    sporf_status status = title.status == SPORF_OK ? m->status : title.status;
    spf_markup_free(&title);
    return status;
}

static sporf_status make_picture(boundary *b, char **svg) {
    spf_markup m = {0}, across = {0}, up = {0};
    spf_words_feature(&across, b->forest, b->across);
    spf_words_feature(&up, b->forest, b->up);
    sporf_status status = across.status == SPORF_OK ? up.status : across.status;
    if (status == SPORF_OK) status = draw_boundary(b, across.text, up.text, &m);
    if (status == SPORF_OK)
        *svg = m.text;
    else
        spf_markup_free(&m);
    spf_markup_free(&across);
    spf_markup_free(&up);
    return status;
}

sporf_status sporf_forest_draw_boundary(const sporf_forest *forest, const sporf_dataset *data,
                                        size_t across, size_t up, char **svg) {
    boundary b = {.forest = forest, .data = data, .across = across, .up = up};
    int has_missing;
    if (!svg) return spf_raise(SPORF_ERROR_ARGUMENT, "a boundary needs a model, data and a place");
    *svg = NULL;
    SPF_TRY(check(&b));
    choose_label(&b);
    sporf_status status = allocate(&b);
    if (status == SPORF_OK) status = spf_match_columns(forest, data, &b.columns, &has_missing);
    if (status == SPORF_OK) status = find_range(&b, 0, across);
    if (status == SPORF_OK) status = find_range(&b, 1, up);
    if (status == SPORF_OK) find_usual(&b);
    if (status == SPORF_OK) status = predict_grid(&b);
    if (status == SPORF_OK) status = make_picture(&b, svg);
    boundary_free(&b);
    return status;
}
