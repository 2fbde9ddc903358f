/* A forest in a few lines, or as keys of a JSON object. */
#include "summary.h"

#include "base/system.h"
#include "boosting_report.h"
#include "decision_report.h"
#include "method_options.h"
#include "outcome.h"
#include "printed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 2048 };

uint64_t summary_file_bytes(const char *path) {
    spf_file_info file;
    return spf_system_look(path, &file) == 0 ? file.size : 0;
}

/* ---- kinds of features
 * --------------------------------------------------------------------------- */

static void count_kind(summary_kinds *kinds, sporf_kind kind, size_t levels) {
    kinds->features++;
    kinds->numbers += kind == SPORF_KIND_NUMBER;
    kinds->categories += kind == SPORF_KIND_CATEGORY;
    kinds->ordinals += kind == SPORF_KIND_ORDINAL;
    if (kind == SPORF_KIND_NUMBER) return;
    if (kinds->least_levels == 0 || levels < kinds->least_levels) kinds->least_levels = levels;
    if (levels > kinds->most_levels) kinds->most_levels = levels;
}

void summary_forest_kinds(const sporf_forest *forest, summary_kinds *kinds) {
    *kinds = (summary_kinds){0};
    for (size_t j = 0; j < sporf_forest_features(forest); j++)
        count_kind(kinds, sporf_schema_kind(sporf_forest_schema(forest), j),
                   sporf_schema_levels(sporf_forest_schema(forest), j));
}

void summary_data_kinds(const sporf_dataset *data, summary_kinds *kinds) {
    *kinds = (summary_kinds){0};
    for (size_t j = 0; j < sporf_dataset_features(data); j++) {
        count_kind(kinds, sporf_schema_kind(sporf_dataset_schema(data), j),
                   sporf_schema_levels(sporf_dataset_schema(data), j));
        kinds->missing += sporf_dataset_missing(data, j) > 0;
    }
}

static void kinds_json(json *writer, const summary_kinds *kinds) {
    json_object(writer, "kinds");
    json_line(writer);
    json_count(writer, "numbers", kinds->numbers);
    json_count(writer, "categories", kinds->categories);
    json_count(writer, "ordinals", kinds->ordinals);
    json_count(writer, "least_levels", kinds->least_levels);
    json_count(writer, "most_levels", kinds->most_levels);
    json_end(writer);
}

/* Adds "6 numbers" to a list; nothing if there are none. */
static void add_count(char *text, size_t size, size_t count, const char *one, const char *many) {
    char number[TEXT_NUMBER];
    size_t used = strlen(text);
    if (count == 0) return;
    snprintf(text + used, size - used, "%s%s %s", used > 0 ? ", " : "", text_count(number, count),
             count == 1 ? one : many);
}

static void add_levels(char *text, size_t size, const summary_kinds *kinds) {
    char least[TEXT_NUMBER], most[TEXT_NUMBER];
    size_t used = strlen(text);
    text_count(least, kinds->least_levels);
    text_count(most, kinds->most_levels);
    if (kinds->least_levels == kinds->most_levels)
        snprintf(text + used, size - used, " (%s %s)", most,
                 kinds->most_levels == 1 ? "level" : "levels");
    else
        snprintf(text + used, size - used, " (%s to %s levels)", least, most);
}

/* A line such as "6 numbers, 8 categories (2 to 41 levels), 3 with missing values"; nothing if all
 * are numbers. */
static void kinds_line(FILE *stream, const summary_kinds *kinds) {
    char text[256] = "";
    if (kinds->numbers == kinds->features && kinds->missing == 0) return;
    add_count(text, sizeof text, kinds->numbers, "number", "numbers");
    add_count(text, sizeof text, kinds->ordinals, "order", "orders");
    add_count(text, sizeof text, kinds->categories, "category", "categories");
    if (kinds->most_levels > 0) add_levels(text, sizeof text, kinds);
    add_count(text, sizeof text, kinds->missing, "with missing values", "with missing values");
    summary_line(stream, "kinds", "%s", text);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void settings_json(json *writer, const sporf_forest *forest) {
    json_object(writer, "settings");
    const char *name, *value;
    for (size_t i = 0; (name = sporf_forest_setting_at(forest, i, &value)); i++)
        json_text(writer, name, value);
    json_end(writer);
}

static size_t label_columns(const sporf_forest *forest) {
    return sporf_schema_label_columns(sporf_forest_schema(forest));
}

/* The second of the two numbers that tell how good the forest is. */
static double score_of(const sporf_forest *forest, const sporf_oob *oob) {
    const double *labels = sporf_forest_oob_labels(forest);
    if (label_columns(forest) > 0) return labels ? labels[label_columns(forest)] : NAN;
    return sporf_forest_targets(forest) > 0 ? oob->r2 : oob->kappa;
}

static void oob_json(json *writer, const sporf_forest *forest) {
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    json_count(writer, "oob_rows", oob.rows);
    const outcome *outcome = outcome_of_forest(forest);
    json_double(writer, outcome->oob_error, oob.rows > 0 ? oob.error : NAN);
    double score = score_of(forest, &oob);
    json_double(writer, outcome->oob_score, oob.rows > 0 ? score : NAN);
    json_list(writer, "oob_curve");
    json_line(writer);
    for (size_t i = 0; oob.curve && i < sporf_forest_trees(forest); i++)
        json_double(writer, NULL, oob.curve[i]);
    json_end(writer);
}

static void calibration_of_json(json *writer, const sporf_forest *forest, const char *name,
                                sporf_combine combine) {
    sporf_calibration_map map;
    if (!sporf_forest_calibration(forest, combine, &map)) return;
    json_object(writer, name);
    json_line(writer);
    json_double(writer, "smoothing", map.smoothing);
    json_double(writer, "power", map.power);
    json_double(writer, "oob_log_loss", map.log_loss);
    json_double(writer, "oob_brier", map.brier);
    json_end(writer);
}

/* Nothing in regression, null without a calibration. */
static void calibration_json(json *writer, const sporf_forest *forest) {
    sporf_calibration_map map;
    if (sporf_forest_targets(forest) > 0) return;
    int is = sporf_forest_calibration(forest, SPORF_COMBINE_VOTES, &map);
    json_double(writer, "oob_log_loss", is ? map.log_loss : NAN);
    json_double(writer, "oob_brier", is ? map.brier : NAN);
    if (!is) {
        json_double(writer, "calibration", NAN); /* null */
        return;
    }
    json_object(writer, "calibration");
    calibration_of_json(writer, forest, "votes", SPORF_COMBINE_VOTES);
    calibration_of_json(writer, forest, "posteriors", SPORF_COMBINE_POSTERIORS);
    json_end(writer);
}

static void oob_targets_json(json *writer, const sporf_forest *forest) {
    const sporf_target_scores none = {NAN, NAN, NAN};
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    if (sporf_forest_targets(forest) == 0) return;
    json_list(writer, "oob_targets");
    for (size_t t = 0; t < sporf_forest_targets(forest); t++) {
        const sporf_target_scores *scores = oob.targets ? &oob.targets[t] : &none;
        json_object(writer, NULL);
        json_line(writer);
        json_text(writer, "name", sporf_schema_target_name(sporf_forest_schema(forest), t));
        json_double(writer, "rmse", scores->rmse);
        json_double(writer, "mae", scores->mae);
        json_double(writer, "r2", scores->r2);
        json_end(writer);
    }
    json_end(writer);
}

/* The label columns, with their classes and out-of-bag errors. */
static void labels_json(json *writer, const sporf_forest *forest) {
    const sporf_schema *schema = sporf_forest_schema(forest);
    const double *errors = sporf_forest_oob_labels(forest);
    if (label_columns(forest) == 0) return;
    json_list(writer, "labels");
    for (size_t i = 0; i < label_columns(forest); i++) {
        json_object(writer, NULL);
        json_text(writer, "name", sporf_schema_label_column_name(schema, i));
        json_double(writer, "oob_error", errors ? errors[i] : NAN);
        json_list(writer, "class_names");
        json_line(writer);
        for (size_t k = 0; k < sporf_schema_label_column_classes(schema, i); k++)
            json_text(writer, NULL, sporf_schema_label_column_class(schema, i, k));
        json_end(writer);
        json_end(writer);
    }
    json_end(writer);
}

void summary_targets_json(json *writer, const sporf_forest *forest) {
    json_list(writer, "targets");
    json_line(writer);
    for (size_t i = 0; i < sporf_forest_targets(forest); i++)
        json_text(writer, NULL, sporf_schema_target_name(sporf_forest_schema(forest), i));
    json_end(writer);
}

/* What training found out about the errors of a forest. */
static void forest_json(json *writer, const sporf_forest *forest) {
    oob_json(writer, forest);
    calibration_json(writer, forest);
    if (label_columns(forest) == 0) oob_targets_json(writer, forest);
    json_bool(writer, "samples", sporf_forest_has_samples(forest));
}

void summary_json(json *writer, const sporf_forest *forest, const sporf_forest_summary *summary) {
    summary_kinds kinds;
    sporf_boosting boosting;
    summary_forest_kinds(forest, &kinds);
    json_count(writer, "features", sporf_forest_features(forest));
    kinds_json(writer, &kinds);
    json_count(writer, "classes", sporf_forest_classes(forest));
    json_count(writer, "trees", sporf_forest_trees(forest));
    json_text(writer, "stopped", sporf_forest_stopped(forest));
    json_text(writer, "method", sporf_forest_setting(forest, "method"));
    settings_json(writer, forest);
    if (sporf_forest_targets(forest) == 0) decision_json(writer, forest);
    json_count(writer, "nodes", summary->nodes);
    json_count(writer, "leaves", summary->leaves);
    json_double(writer, "mean_depth", summary->mean_depth);
    json_count(writer, "max_depth", summary->max_depth);
    json_double(writer, "mean_nonzeros", summary->mean_nonzeros);
    if (sporf_forest_boosting(forest, &boosting))
        boosting_json(writer, &boosting);
    else
        forest_json(writer, forest);
    labels_json(writer, forest);
    summary_targets_json(writer, forest);
    json_list(writer, "class_names");
    json_line(writer);
    for (size_t i = 0; i < sporf_forest_classes(forest); i++)
        json_text(writer, NULL, sporf_schema_class_name(sporf_forest_schema(forest), i));
    json_end(writer);
}

/* ---- lines ----------------------------------------------------------------------------------- */

enum { COUNTED_MAX = 10 };

/* "3: a, b, c", as many names as fit; each with its rows, unless rows is NULL. */
static void names_line(FILE *stream, const char *label, const sporf_schema *schema, size_t count,
                       const char *(*name)(const sporf_schema *schema, size_t index),
                       const size_t *rows) {
    enum { LISTED_MAX = 200 };
    char text[512] = "", number[TEXT_NUMBER];
    size_t used = 0, i = 0;
    for (; i < count && used < LISTED_MAX && name(schema, i); i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.60s", i > 0 ? ", " : ": ",
                                 name(schema, i));
        if (rows)
            used += (size_t)snprintf(text + used, sizeof text - used, " (%s)",
                                     text_count(number, rows[i]));
    }
    summary_line(stream, label, "%s%s%s", text_count(number, count), text,
                 i > 0 && i < count ? ", ..." : "");
}

/* Fills rows[COUNTED_MAX] with those of each class; returns NULL if there are no classes, or more.
 */
static const size_t *count_classes(const sporf_dataset *data, size_t *rows) {
    const uint32_t *labels = data ? sporf_dataset_labels(data) : NULL;
    if (!labels || sporf_dataset_classes(data) > COUNTED_MAX) return NULL;
    for (size_t i = 0; i < sporf_dataset_rows(data); i++) rows[labels[i]]++;
    return rows;
}

void summary_schema(FILE *stream, const sporf_forest *forest, const summary_kinds *kinds,
                    const sporf_dataset *data) {
    size_t rows[COUNTED_MAX] = {0};
    const sporf_schema *schema = sporf_forest_schema(forest);
    const outcome *outcome = outcome_of_forest(forest);
    const char *label = sporf_schema_label_name(schema);
    names_line(stream, "features", schema, sporf_forest_features(forest), sporf_schema_feature_name,
               NULL);
    kinds_line(stream, kinds);
    names_line(stream, outcome->names, schema, outcome->count(forest), outcome->name,
               count_classes(data, rows));
    if (label) summary_line(stream, "label", "%s", label);
}

/* A list such as "method sporf, trees 500" while it is written. */
typedef struct {
    char text[TEXT_MAX];
    size_t used;
} list;

/* Whether a setting is printed: the method, its two amounts, and everything that is not the
 * default. */
static int is_telling(const char *name, const char *value, const char *method, const char *bag) {
    static const char *const always[] = {"method",      "trees",   "rounds", "rate",
                                         "projections", "density", "seed"};
    if (!method_options_used(method, name) || strcmp(name, "stopped") == 0) return 0;
    if (strcmp(name, "bag-fraction") == 0) /* recorded as the value of auto */
        return strcmp(value, "1") != 0 || (bag && strcmp(bag, "subsample") == 0);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (strcmp(name, always[i]) == 0) return 1;
    for (size_t i = 0; sporf_option_at(i); i++)
        if (strcmp(name, sporf_option_at(i)->name) == 0)
            return strcmp(value, sporf_option_at(i)->default_value) != 0;
    return 1;
}

static void add(list *l, const char *name, const char *value) {
    if (l->used < sizeof l->text)
        l->used += (size_t)snprintf(l->text + l->used, sizeof l->text - l->used, "%s%s %s",
                                    l->used > 0 ? ", " : "", name, value);
}

static void settings_line(FILE *stream, const sporf_forest *forest) {
    const char *method = sporf_forest_setting(forest, "method"),
               *bag = sporf_forest_setting(forest, "bag");
    const char *name, *value;
    list l = {0};
    for (size_t i = 0; (name = sporf_forest_setting_at(forest, i, &value)); i++)
        if (is_telling(name, value, method, bag)) add(&l, name, value);
    summary_line(stream, "settings", "%s; others default", l.text);
}

static int is_among(const char *name, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0) return 1;
    return 0;
}

int summary_is_limit(const char *name) {
    static const char *const limits[] = {"threads", "device", "max-memory"};
    return is_among(name, limits, sizeof limits / sizeof *limits);
}

void summary_params_line(FILE *stream, const sporf_params *params, const char *const *without,
                         size_t count) {
    char method[TEXT_NUMBER], bag[TEXT_NUMBER], value[TEXT_MAX];
    list l = {0};
    sporf_params_get(params, "method", method, sizeof method);
    sporf_params_get(params, "bag", bag, sizeof bag);
    for (size_t i = 0; sporf_option_at(i); i++) {
        const char *name = sporf_option_at(i)->name;
        if (summary_is_limit(name) || is_among(name, without, count) ||
            !sporf_learner_uses(params->learner, name))
            continue;
        if (sporf_params_get(params, name, value, sizeof value) == SPORF_OK &&
            is_telling(name, value, method, bag))
            add(&l, name, value);
    }
    summary_line(stream, "settings", "%s; others default", l.text);
}

void summary_chosen_json(json *writer, const char *const *names, size_t count) {
    json_list(writer, "chosen");
    json_line(writer);
    for (size_t i = 0; i < count; i++) json_text(writer, NULL, names[i]);
    json_end(writer);
}

void summary_chosen_line(FILE *stream, const sporf_forest *forest, const char *const *names,
                         size_t count) {
    list l = {0};
    for (size_t i = 0; i < count; i++) add(&l, names[i], sporf_forest_setting(forest, names[i]));
    if (count > 0)
        summary_line(stream, "chosen", "%s: by pilot forests, from out-of-bag errors", l.text);
}

void summary_auto_line(FILE *stream, const sporf_forest *forest, const char *const *names,
                       size_t count) {
    list l = {0};
    for (size_t i = 0; i < count; i++) add(&l, names[i], sporf_forest_setting(forest, names[i]));
    if (count > 0) summary_line(stream, "chosen", "%s: since they are auto", l.text);
}

static void oob_line(FILE *stream, const sporf_forest *forest) {
    char error[TEXT_NUMBER], score[TEXT_NUMBER], rows[TEXT_NUMBER];
    const char *classes = sporf_forest_setting(forest, "class-weights");
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    if (oob.rows == 0) {
        summary_line(stream, "out of bag", "none: every tree saw every row");
        return;
    }
    if (label_columns(forest) > 0)
        summary_line(stream, "out of bag",
                     "error %s over %s rows and all labels, %s of rows with some wrong label",
                     text_rate(error, oob.error), text_count(rows, oob.rows),
                     text_rate(score, score_of(forest, &oob)));
    else if (sporf_forest_targets(forest) > 0)
        summary_line(stream, "out of bag", "RMSE %s, R2 %s over %s rows%s",
                     text_score(error, oob.error), text_rate(score, oob.r2),
                     text_count(rows, oob.rows),
                     sporf_forest_targets(forest) > 1 ? " and all targets" : "");
    else
        summary_line(stream, "out of bag", "error %s, kappa %s over %s rows%s",
                     text_rate(error, oob.error), text_rate(score, oob.kappa),
                     text_count(rows, oob.rows),
                     classes && strcmp(classes, "none") != 0 ? ", weighted by class" : "");
}

static void calibration_line(FILE *stream, const sporf_forest *forest) {
    char loss[TEXT_NUMBER], brier[TEXT_NUMBER];
    sporf_calibration_map map;
    if (sporf_forest_targets(forest) > 0) return;
    if (sporf_forest_calibration(forest, SPORF_COMBINE_VOTES, &map))
        summary_line(stream, "probabilities",
                     "calibrated out of bag: log loss %s, Brier score %s (smoothing %.3g, power "
                     "%.3g)",
                     text_rate(loss, map.log_loss), text_rate(brier, map.brier), map.smoothing,
                     map.power);
    else
        summary_line(stream, "probabilities", "shares of votes, not calibrated");
}

/* A line for each target, if there are several. */
static void oob_target_lines(FILE *stream, const sporf_forest *forest) {
    char rmse[TEXT_NUMBER], r2[TEXT_NUMBER];
    size_t targets = sporf_forest_targets(forest);
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    for (size_t t = 0; targets > 1 && oob.targets && t < targets; t++)
        summary_line(stream, "", "%s: RMSE %s, R2 %s",
                     sporf_schema_target_name(sporf_forest_schema(forest), t),
                     text_score(rmse, oob.targets[t].rmse), text_rate(r2, oob.targets[t].r2));
}

/* A line for each label. */
static void oob_label_lines(FILE *stream, const sporf_forest *forest) {
    const sporf_schema *schema = sporf_forest_schema(forest);
    const double *errors = sporf_forest_oob_labels(forest);
    char error[TEXT_NUMBER];
    for (size_t i = 0; errors && i < label_columns(forest); i++)
        summary_line(stream, "", "%s: error %s, %zu classes",
                     sporf_schema_label_column_name(schema, i), text_rate(error, errors[i]),
                     sporf_schema_label_column_classes(schema, i));
}

static void samples_line(FILE *stream, const sporf_forest *forest) {
    if (sporf_forest_targets(forest) == 0 || label_columns(forest) > 0) return;
    summary_line(stream, "samples", "%s",
                 sporf_forest_has_samples(forest)
                     ? "kept: quantiles and intervals can be predicted"
                     : "none: neither quantiles nor intervals can be predicted");
}

/* Why training ended before all trees were grown. */
static void stopped_line(FILE *stream, const sporf_forest *forest) {
    static const char *const reasons[][2] = {
        {"enough", "with enough trees: more would hardly lower the out-of-bag error"},
        {"time", "when the time was over (--time)"},
        {"interrupt", "by an interrupt"}};
    const char *why = sporf_forest_stopped(forest);
    for (size_t i = 0; why && i < sizeof reasons / sizeof *reasons; i++)
        if (strcmp(why, reasons[i][0]) == 0) summary_line(stream, "ended", "%s", reasons[i][1]);
}

static void forest_lines(FILE *stream, const sporf_forest *forest) {
    samples_line(stream, forest);
    oob_line(stream, forest);
    calibration_line(stream, forest);
    if (label_columns(forest) > 0)
        oob_label_lines(stream, forest);
    else
        oob_target_lines(stream, forest);
}

void summary_lines(FILE *stream, const sporf_forest *forest, const sporf_forest_summary *summary) {
    sporf_boosting boosting;
    char trees[TEXT_NUMBER], nodes[TEXT_NUMBER], leaves[TEXT_NUMBER];
    summary_line(stream, "trees", "%s with %s nodes, %s of them leaves",
                 text_count(trees, sporf_forest_trees(forest)), text_count(nodes, summary->nodes),
                 text_count(leaves, summary->leaves));
    stopped_line(stream, forest);
    summary_line(stream, "depth", "leaves at depth %.1f on average, %u at most",
                 summary->mean_depth, (unsigned)summary->max_depth);
    summary_line(stream, "splits", "%.2f features on average", summary->mean_nonzeros);
    if (sporf_forest_boosting(forest, &boosting))
        boosting_lines(stream, forest, &boosting);
    else
        forest_lines(stream, forest);
    decision_line(stream, forest);
    settings_line(stream, forest);
}

/* ---- weights of rows
 * ----------------------------------------------------------------------------- */

typedef struct {
    double sum;
    float least, largest;
    size_t zeros; /* rows of weight 0 */
} spread;

static spread measure(const float *weights, size_t rows) {
    spread found = {.least = weights[0], .largest = weights[0]};
    for (size_t i = 0; i < rows; i++) {
        found.sum += weights[i];
        if (weights[i] < found.least) found.least = weights[i];
        if (weights[i] > found.largest) found.largest = weights[i];
        found.zeros += weights[i] == 0;
    }
    return found;
}

void summary_weights_json(json *writer, const sporf_dataset *data, const char *column) {
    const float *weights = sporf_dataset_weights(data);
    if (!weights) {
        json_text(writer, "weights", NULL);
        return;
    }
    spread found = measure(weights, sporf_dataset_rows(data));
    json_object(writer, "weights");
    json_line(writer);
    json_text(writer, "column", column);
    json_double(writer, "sum", found.sum);
    json_float(writer, "least", found.least);
    json_float(writer, "largest", found.largest);
    json_count(writer, "zero_rows", found.zeros);
    json_end(writer);
}

void summary_weights_line(FILE *stream, const sporf_dataset *data, const char *column) {
    char least[TEXT_NUMBER], largest[TEXT_NUMBER], zeros[TEXT_NUMBER];
    const float *weights = sporf_dataset_weights(data);
    if (!weights) return;
    spread found = measure(weights, sporf_dataset_rows(data));
    summary_line(stream, "weights", "%s: %s to %s for a row, %.10g in all%s%s%s", column,
                 text_float(least, found.least), text_float(largest, found.largest), found.sum,
                 found.zeros > 0 ? "; " : "", found.zeros > 0 ? text_count(zeros, found.zeros) : "",
                 found.zeros > 0 ? " of weight 0 take no part" : "");
}
