/* Scores of classification: with intervals, curves, by class, and the confusion matrix. */
#include "report/report.h"

#include "report/baseline.h"
#include "report/paired.h"
#include "report/rank.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CLASSES_IN_TABLE = 30, CLASSES_IN_HEAT = 20, CURVES_MOST = 5 };

static const struct {
    const char *name, *label, *about;
} named[] = {
    {"accuracy", "accuracy", "share of rows whose class is predicted right"},
    {"balanced_accuracy", "balanced accuracy", "mean recall of the classes"},
    {"f1_macro", "F1, mean of classes", "harmonic mean of precision and recall"},
    {"mcc", "Matthews' correlation", "1 is perfect, 0 is chance"},
    {"auc", "area under the ROC curve", "1 is perfect, 0.5 is chance"},
    {"auc_hand_till", "area by Hand and Till", "mean over pairs of classes"},
    {"average_precision", "average precision", "area under the precision-recall curve"},
    {"log_loss", "log loss", "smaller is better"},
    {"brier", "Brier score", "smaller is better, from 0 to 2"},
    {"top_k_accuracy", "top-k accuracy", "share of rows whose class is among the most probable"},
};

static int is_named(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}

static void put_baseline(spf_report *report) {
    int any = 0;
    spf_row_open(&report->page);
    spf_cell_head(&report->page, "accuracy of a guess");
    for (size_t m = 0; m < report->count; m++) {
        spf_cell_number(&report->page, report->models[m].baseline.accuracy, 4);
        any |= report->models[m].baseline.has_cost;
    }
    spf_cell_text(&report->page, "if every row were predicted as the most frequent class");
    spf_row_close(&report->page);
    if (!any) return;
    spf_row_open(&report->page);
    spf_cell_head(&report->page, "mean cost of a row");
    for (size_t m = 0; m < report->count; m++) {
        const spf_baseline *b = &report->models[m].baseline;
        spf_cell_interval(&report->page, b->has_cost ? b->cost : NAN,
                          b->has_cost ? fmax(b->cost - 1.96 * b->cost_error, 0) : NAN,
                          b->cost + 1.96 * b->cost_error);
    }
    spf_cell_text(&report->page, "by the costs of the model; smaller is better");
    spf_row_close(&report->page);
}

/* Models that do not predict the most probable class. */
static void note_decisions(spf_report *report) {
    for (size_t m = 0; m < report->count; m++) {
        char text[SPF_REPORT_NAME_MAX];
        if (!spf_decides_by_itself(&report->models[m])) continue;
        spf_markup_put(&report->page.body, "<p class='note'>");
        spf_markup_text(&report->page.body, report->models[m].name, SPF_PAGE_NAME_MOST);
        spf_markup_put(&report->page.body, " predicts ");
        spf_markup_text(&report->page.body, spf_decision_text(&report->models[m], text), 200);
        spf_markup_put(&report->page.body, ". It may give up accuracy for that.</p>\n");
    }
}

static void put_scores(spf_report *report) {
    const char *heads[2 + SPF_REPORT_MODELS] = {"score"};
    size_t columns = 1;
    for (size_t m = 0; m < report->count; m++) heads[columns++] = report->models[m].name;
    heads[columns] = "meaning";
    char kinds[SPF_REPORT_MODELS + 3] = "t";
    for (size_t m = 0; m < report->count; m++) kinds[1 + m] = 'n';
    kinds[1 + report->count] = 't';
    spf_table_open(&report->page, "Scores, with 95% confidence intervals", heads, columns + 1,
                   kinds);
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        sporf_score score;
        const char *name;
        size_t at = 0;
        while ((name = sporf_class_scores_at(&report->models[0].scores, at, &score)) &&
               !is_named(name, named[i].name))
            at++;
        if (!name || isnan(score.value)) continue;
        if (report->models[0].classes == 2 && (i == 5 || i == 9)) continue; /* say the same again */
        spf_row_open(&report->page);
        spf_cell_head(&report->page, named[i].label);
        for (size_t m = 0; m < report->count; m++) {
            sporf_class_scores_at(&report->models[m].scores, at, &score);
            spf_cell_interval(&report->page, score.value, score.low, score.high);
        }
        spf_cell_text(&report->page, named[i].about);
        spf_row_close(&report->page);
        if (i == 0) put_baseline(report);
    }
    spf_table_close(&report->page);
}

/* ---- the largest classes --------------------------------------------------------------------- */

/* The classes with most rows, [*count] of at most `most`, in the order of their numbers. */
static sporf_status largest_classes(const spf_report *report, size_t most, size_t **classes,
                                    size_t *count) {
    const spf_report_model *model = &report->models[0];
    spf_rank *ranks = spf_alloc(model->classes, sizeof *ranks);
    *classes = spf_alloc(model->classes, sizeof **classes);
    *count = model->classes < most ? model->classes : most;
    if (!ranks || !*classes) {
        free(ranks);
        return spf_raise_memory();
    }
    for (size_t k = 0; k < model->classes; k++)
        ranks[k] = (spf_rank){(double)model->by_class[k].rows, k};
    spf_rank_sort(ranks, model->classes);
    for (size_t i = 0; i < *count; i++) ranks[i].key = -(double)ranks[i].index;
    spf_rank_sort(ranks, *count);
    for (size_t i = 0; i < *count; i++) (*classes)[i] = ranks[i].index;
    free(ranks);
    return SPORF_OK;
}

static void note_left_out(spf_report *report, size_t shown, size_t all) {
    if (shown < all)
        spf_markup_format(&report->page.body,
                          "<p class='note'>The %zu classes with most rows, of %zu.</p>\n", shown,
                          all);
}

static sporf_status put_by_class(spf_report *report) {
    static const char *const heads[] = {"class", "rows",           "precision",        "recall",
                                        "F1",    "area under ROC", "average precision"};
    size_t *classes = NULL, count;
    sporf_status status = largest_classes(report, CLASSES_IN_TABLE, &classes, &count);
    for (size_t m = 0; m < report->count && status == SPORF_OK; m++) {
        char caption[SPF_REPORT_NAME_MAX], name[SPF_REPORT_NAME_MAX];
        snprintf(caption, sizeof caption, "Scores by class%s%.100s", report->count > 1 ? ", " : "",
                 report->count > 1 ? report->models[m].name : "");
        spf_table_open(&report->page, caption, heads, 7, "tn");
        for (size_t i = 0; i < count; i++) {
            const sporf_by_class *c = &report->models[m].by_class[classes[i]];
            spf_row_open(&report->page);
            spf_cell_head(&report->page, spf_output_name(&report->models[m], classes[i], name));
            spf_cell_number(&report->page, (double)c->rows, 12);
            spf_cell_number(&report->page, c->precision, 3);
            spf_cell_number(&report->page, c->recall, 3);
            spf_cell_number(&report->page, c->f1, 3);
            spf_cell_interval(&report->page, c->auc, c->auc_low, c->auc_high);
            spf_cell_number(&report->page, c->average_precision, 3);
            spf_row_close(&report->page);
        }
        spf_table_close(&report->page);
    }
    if (status == SPORF_OK) note_left_out(report, count, report->models[0].classes);
    free(classes);
    return status;
}

/* ---- curves ---------------------------------------------------------------------------------- */

typedef struct curve {
    char name[SPF_REPORT_NAME_MAX];
    size_t roc_count, pr_count;
    double roc_x[256], roc_y[256], pr_x[256], pr_y[256];
} curve;

/* Keeps a point if it is visibly apart from the one before, and the last one. */
static void thin(const sporf_curve_point *points, size_t count, curve *c) {
    const double apart = 1.0 / 110;
    for (size_t i = 0; i < count; i++) {
        const sporf_curve_point *p = &points[i];
        int last = i + 1 == count;
        size_t n = c->roc_count;
        if (n == 0 || last || fabs(p->false_positive_rate - c->roc_x[n - 1]) > apart ||
            fabs(p->recall - c->roc_y[n - 1]) > apart)
            if (n < 256)
                c->roc_x[n] = p->false_positive_rate, c->roc_y[n] = p->recall, c->roc_count++;
        n = c->pr_count;
        if (n == 0 || last || fabs(p->recall - c->pr_x[n - 1]) > apart)
            if (n < 256) c->pr_x[n] = p->recall, c->pr_y[n] = p->precision, c->pr_count++;
    }
}

static sporf_status make_curve(const spf_report *report, size_t m, size_t class_index,
                               sporf_curve_point *points, curve *c) {
    const spf_report_model *model = &report->models[m];
    sporf_scored_rows scored;
    size_t count;
    sporf_scored_rows_init(&scored);
    scored.rows = report->scored;
    scored.classes = model->classes;
    scored.probabilities = model->outputs;
    scored.labels = report->truth;
    scored.weights = report->weights;
    SPF_TRY(sporf_score_curve(&scored, (uint32_t)class_index, points, &count));
    c->roc_count = c->pr_count = 0;
    thin(points, count, c);
    return SPORF_OK;
}

static void put_curves(spf_report *report, const curve *curves, size_t count) {
    static const double ends[] = {0, 1};
    spf_series roc[1 + SPF_TONES], pr[SPF_TONES];
    roc[0] =
        (spf_series){.name = "chance", .mark = SPF_MARK_DASHED, .count = 2, .x = ends, .y = ends};
    for (size_t i = 0; i < count; i++) {
        const curve *c = &curves[i];
        roc[1 + i] = pr[i] = (spf_series){.name = c->name,
                                          .mark = SPF_MARK_LINE,
                                          .tone = (unsigned)i,
                                          .count = c->roc_count,
                                          .x = c->roc_x,
                                          .y = c->roc_y};
        pr[i].count = c->pr_count, pr[i].x = c->pr_x, pr[i].y = c->pr_y;
    }
    size_t lines = (count + 1) / 2; /* of the legend */
    double height = SPF_CHART_HEIGHT + 14 * (double)lines;
    spf_chart chart = {.svg = {.height = height},
                       .x_label = "false positive rate",
                       .y_label = "recall",
                       .count = 1 + count,
                       .series = roc,
                       .x_to = 1,
                       .y_to = 1};
    spf_figures_open(&report->page);
    spf_figure_chart(&report->page, "ROC curve", &chart);
    chart.x_label = "recall", chart.y_label = "precision", chart.count = count, chart.series = pr;
    spf_figure_chart(&report->page, "Precision-recall curve", &chart);
    spf_figures_close(&report->page);
}

/* Two classes: the second, of each model. More: the largest classes of the only model, or the
 * largest class of each model. */
static sporf_status choose_curves(spf_report *report, sporf_curve_point *points, curve *curves,
                                  size_t *made) {
    size_t *classes = NULL, count, several = report->count > 1,
           two = report->models[0].classes == 2;
    sporf_status status = largest_classes(report, several ? 1 : CURVES_MOST, &classes, &count);
    if (status == SPORF_OK && two) classes[0] = 1, count = 1;
    size_t most = several ? report->count : count;
    for (size_t i = 0; i < most && status == SPORF_OK; i++) {
        curve *c = &curves[*made];
        size_t class_index = several ? classes[0] : classes[i];
        char name[SPF_REPORT_NAME_MAX];
        if (several)
            snprintf(c->name, sizeof c->name, "%.200s", report->models[i].name);
        else
            snprintf(c->name, sizeof c->name, "%.200s",
                     spf_output_name(&report->models[0], class_index, name));
        status = make_curve(report, several ? i : 0, class_index, points, c);
        *made +=
            status == SPORF_OK && c->roc_count > 1 && !isnan(c->roc_x[1]) && !isnan(c->roc_y[1]);
    }
    char name[SPF_REPORT_NAME_MAX];
    if (status == SPORF_OK && *made > 0) {
        spf_markup_put(&report->page.body, "<p class='note'>");
        if (several || two) {
            spf_markup_put(&report->page.body, "Curves of the class ");
            spf_markup_text(&report->page.body,
                            spf_output_name(&report->models[0], classes[0], name),
                            SPF_PAGE_NAME_MOST);
            spf_markup_put(&report->page.body, " against the rest.</p>\n");
        } else {
            spf_markup_format(&report->page.body,
                              "Curves of %zu of %zu classes, those with most rows, each against "
                              "the rest.</p>\n",
                              *made, report->models[0].classes);
        }
    }
    free(classes);
    return status;
}

static sporf_status put_all_curves(spf_report *report) {
    size_t made = 0;
    sporf_curve_point *points = spf_alloc(report->scored + 1, sizeof *points);
    curve *curves = spf_alloc_zero(SPF_TONES, sizeof *curves);
    sporf_status status =
        points && curves ? choose_curves(report, points, curves, &made) : spf_raise_memory();
    if (status == SPORF_OK && made > 0) put_curves(report, curves, made);
    free(points);
    free(curves);
    return status;
}

/* ---- the confusion matrix -------------------------------------------------------------------- */

static void count_confusion(const spf_report *report, const spf_report_model *model,
                            const size_t *classes, size_t count, double *values) {
    for (size_t i = 0; i < report->scored; i++) {
        size_t row = 0, column = 0;
        while (row < count && classes[row] != report->truth[i]) row++;
        while (column < count && classes[column] != model->predicted[i]) column++;
        if (row < count && column < count)
            values[row * count + column] += report->weights ? report->weights[i] : 1;
    }
}

static sporf_status put_one_confusion(spf_report *report, size_t m, const size_t *classes,
                                      size_t count) {
    const spf_report_model *model = &report->models[m];
    char texts[CLASSES_IN_HEAT][SPF_REPORT_NAME_MAX], caption[SPF_REPORT_NAME_MAX];
    const char *names[CLASSES_IN_HEAT];
    double *values = spf_alloc_zero(2 * count * count, sizeof *values);
    if (!values) return spf_raise_memory();
    double *shares = values + count * count;
    count_confusion(report, model, classes, count, values);
    for (size_t i = 0; i < count; i++) {
        double all = 0;
        names[i] = spf_output_name(model, classes[i], texts[i]);
        for (size_t k = 0; k < count; k++) all += values[i * count + k];
        for (size_t k = 0; k < count && all > 0; k++)
            shares[i * count + k] = values[i * count + k] / all;
    }
    snprintf(caption, sizeof caption, "Confusion matrix%s%.100s", report->count > 1 ? ", " : "",
             report->count > 1 ? model->name : "");
    spf_heat heat = {.svg = {.width = count > 12 ? 560 : 0},
                     .row_label = "true class",
                     .column_label = "predicted class",
                     .rows = count,
                     .columns = count,
                     .row_names = names,
                     .column_names = names,
                     .shares = shares,
                     .values = values};
    spf_figure_heat(&report->page, caption, &heat);
    free(values);
    return SPORF_OK;
}

static sporf_status put_confusion(spf_report *report) {
    size_t *classes = NULL, count;
    sporf_status status = largest_classes(report, CLASSES_IN_HEAT, &classes, &count);
    spf_page_note(&report->page,
                  "Confusion: rows are true classes, columns predicted ones; shades are shares "
                  "of the true class. What is off the diagonal is wrong.");
    spf_figures_open(&report->page);
    for (size_t m = 0; m < report->count && status == SPORF_OK; m++)
        status = put_one_confusion(report, m, classes, count);
    spf_figures_close(&report->page);
    if (status == SPORF_OK) note_left_out(report, count, report->models[0].classes);
    free(classes);
    return status;
}

sporf_status spf_chapter_class_scores(spf_report *report) {
    if (!report->truth || report->models[0].scores.rows == 0) return SPORF_OK;
    spf_page_chapter(&report->page, "scores", "Scores",
                     "How well the predicted classes and probabilities agree with the truth.");
    spf_report_note_rows(report, report->models[0].scores.rows);
    note_decisions(report);
    put_scores(report);
    SPF_TRY(spf_paired_table(report));
    SPF_TRY(put_all_curves(report));
    SPF_TRY(put_confusion(report));
    return put_by_class(report);
}
