/* Single rows: those that the model is most and least certain of, and rows that it takes for
 * similar. */
#include "report/report.h"

#include "report/rank.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LISTED = 5, FEATURES_MOST = 5, SIMILAR_TO = 3, SIMILAR = 4, REFERENCE_MOST = 2000 };

/* ---- tables of rows -------------------------------------------------------------------------- */

typedef struct columns {
    size_t features; /* shown */
    size_t feature[FEATURES_MOST];
    spf_column column[FEATURES_MOST];
    char names[FEATURES_MOST][SPF_REPORT_NAME_MAX];
    const char *heads[6 + FEATURES_MOST];
} columns;

static columns choose_columns(const spf_report *report) {
    const spf_report_model *model = &report->models[0];
    columns c = {.features = model->features < FEATURES_MOST ? model->features : FEATURES_MOST};
    for (size_t i = 0; i < c.features; i++) {
        c.feature[i] = model->order[i];
        c.column[i] = spf_column_of(model, report->rows, model->order[i]);
    }
    return c;
}

/* The heads: row, perhaps another number, truth, prediction, perhaps its probability, features. */
static size_t set_heads(const spf_report *report, columns *c, const char *extra, char *kinds) {
    const spf_report_model *model = &report->models[0];
    size_t n = 0;
    kinds[n] = 'n', c->heads[n++] = "row";
    if (extra) kinds[n] = 'n', c->heads[n++] = extra;
    if (report->truth || report->true_values)
        kinds[n] = model->classes > 0 ? 't' : 'n', c->heads[n++] = "true";
    kinds[n] = model->classes > 0 ? 't' : 'n', c->heads[n++] = "predicted";
    if (model->classes > 0) kinds[n] = 'n', c->heads[n++] = "probability";
    kinds[n] = 't', kinds[n + 1] = '\0';
    for (size_t i = 0; i < c->features; i++)
        c->heads[n++] =
            spf_feature_name(sporf_forest_schema(model->forest), c->feature[i], c->names[i]);
    return n;
}

static void put_class(spf_report *report, size_t class_index) {
    const spf_report_model *model = &report->models[0];
    char name[SPF_REPORT_NAME_MAX];
    spf_cell_text(&report->page, class_index < model->classes
                                     ? spf_output_name(model, class_index, name)
                                     : "unknown class");
}

static void put_row(spf_report *report, const columns *c, size_t row, const double *extra) {
    const spf_report_model *model = &report->models[0];
    const double *outputs = &model->outputs[row * model->width];
    size_t number = report->row_numbers ? report->row_numbers[row] : row;
    spf_row_open(&report->page);
    spf_markup_format(&report->page.body, "<th scope='row' class='n'>%zu</th>", number + 1);
    if (extra) spf_cell_number(&report->page, *extra, 3);
    if (report->truth) put_class(report, report->truth[row]);
    if (report->true_values)
        spf_cell_number(&report->page, report->true_values[row * model->targets], 5);
    if (model->classes > 0) {
        uint32_t k = model->predicted[row];
        put_class(report, k);
        spf_cell_number(&report->page, k < model->classes ? outputs[k] : NAN, 3);
    } else {
        spf_cell_number(&report->page, outputs[0], 5);
    }
    for (size_t i = 0; i < c->features; i++) {
        char text[SPF_REPORT_NAME_MAX];
        spf_value_text(&c->column[i], row, text);
        spf_cell_text(&report->page, text);
    }
    spf_row_close(&report->page);
}

static void put_rows(spf_report *report, columns *c, const char *caption, const spf_rank *ranks,
                     size_t count) {
    char kinds[16];
    size_t heads = set_heads(report, c, NULL, kinds);
    if (count == 0) return;
    spf_table_open(&report->page, caption, c->heads, heads, kinds);
    for (size_t i = 0; i < count; i++) put_row(report, c, ranks[i].index, NULL);
    spf_table_close(&report->page);
}

/* ---- which rows ------------------------------------------------------------------------------ */

/* The probability of the most probable class less that of the next. */
static double margin(const double *p, size_t classes) {
    double best = -1, next = -1;
    for (size_t k = 0; k < classes; k++) {
        if (p[k] > best)
            next = best, best = p[k];
        else if (p[k] > next)
            next = p[k];
    }
    return best - (next > 0 ? next : 0);
}

typedef enum choice { MOST_CERTAIN, CERTAIN_AND_WRONG, LEAST_CERTAIN, LARGEST_ERROR } choice;

static double key_of(const spf_report *report, size_t row, choice which) {
    const spf_report_model *model = &report->models[0];
    const double *outputs = &model->outputs[row * model->width];
    if (which == LARGEST_ERROR) return fabs(outputs[0] - report->true_values[row * model->targets]);
    if (which == CERTAIN_AND_WRONG && model->predicted[row] == report->truth[row]) return NAN;
    double m = margin(outputs, model->classes);
    return which == LEAST_CERTAIN ? -m : m;
}

/* The first rows by the key: returns how many there are, at most LISTED. */
static size_t choose_rows(const spf_report *report, choice which, spf_rank ranks[LISTED + 1]) {
    const spf_report_model *model = &report->models[0];
    size_t count = 0;
    for (size_t i = 0; i < report->scored; i++) {
        if (isnan(model->outputs[i * model->width])) continue;
        double key = key_of(report, i, which);
        if (isnan(key) || (count == LISTED && key <= ranks[LISTED - 1].key)) continue;
        ranks[count] = (spf_rank){key, i};
        spf_rank_sort(ranks, count + 1);
        if (count < LISTED) count++;
    }
    return count;
}

/* ---- similar rows ---------------------------------------------------------------------------- */

static void put_similar(spf_report *report, columns *c, const uint32_t *reference, size_t row,
                        const uint32_t *nearest, const double *proximities, size_t count) {
    char caption[128], kinds[16];
    size_t heads = set_heads(report, c, "proximity", kinds), put = 0;
    size_t number = report->row_numbers ? report->row_numbers[row] : row;
    snprintf(caption, sizeof caption, "Rows similar to row %zu", number + 1);
    spf_table_open(&report->page, caption, c->heads, heads, kinds);
    for (size_t i = 0; i < count && put < SIMILAR; i++) {
        size_t other = reference[nearest[i]];
        if (other == row) continue;
        put_row(report, c, other, &proximities[i]);
        put++;
    }
    spf_table_close(&report->page);
}

static sporf_status find_similar(spf_report *report, columns *c, const uint32_t *asked,
                                 size_t count, const uint32_t *reference, size_t references) {
    sporf_dataset *rows = NULL, *others = NULL;
    uint32_t nearest[SIMILAR_TO * (SIMILAR + 1)];
    double proximities[SIMILAR_TO * (SIMILAR + 1)];
    size_t each = references < SIMILAR + 1 ? references : SIMILAR + 1;
    sporf_predict_options how;
    sporf_predict_options_init(&how);
    how.threads = report->options.threads;
    sporf_status status = sporf_dataset_select(report->rows, asked, count, &rows);
    if (status == SPORF_OK)
        status = sporf_dataset_select(report->rows, reference, references, &others);
    if (status == SPORF_OK)
        status = sporf_forest_nearest(report->models[0].forest, others, rows, &how, each, nearest,
                                      proximities);
    for (size_t i = 0; i < count && status == SPORF_OK; i++)
        put_similar(report, c, reference, asked[i], &nearest[i * each], &proximities[i * each],
                    each);
    sporf_dataset_free(rows);
    sporf_dataset_free(others);
    return status;
}

static sporf_status put_all_similar(spf_report *report, columns *c, const spf_rank *ranks,
                                    size_t count) {
    uint32_t asked[SIMILAR_TO], *reference = NULL;
    size_t references;
    if (count > SIMILAR_TO) count = SIMILAR_TO;
    if (count == 0 || report->scored < 2) return SPORF_OK;
    for (size_t i = 0; i < count; i++) asked[i] = (uint32_t)ranks[i].index;
    SPF_TRY(spf_report_sample(report, report->scored, REFERENCE_MOST, &reference, &references));
    spf_page_heading(&report->page, "Similar rows");
    spf_markup_format(&report->page.body,
                      "<p class='note'>Proximity is the share of trees in which two rows end in "
                      "the same leaf; the nearest of %zu rows are shown.</p>\n",
                      references);
    sporf_status status = find_similar(report, c, asked, count, reference, references);
    free(reference);
    return status;
}

sporf_status spf_chapter_rows(spf_report *report) {
    spf_rank ranks[LISTED + 1];
    int classes = report->models[0].classes > 0;
    if (!report->data || (!classes && (!report->true_values || report->models[0].labels > 0)))
        return SPORF_OK;
    columns c = choose_columns(report);
    spf_page_chapter(&report->page, "rows", "Rows",
                     "Single rows to look at: where the model is sure, where it hesitates, where "
                     "it is wrong, and which rows it takes for similar.");
    if (report->count > 1)
        spf_page_heading_name(&report->page, "As seen by ", report->models[0].name);
    if (classes) {
        put_rows(report, &c, "Most certain", ranks, choose_rows(report, MOST_CERTAIN, ranks));
        if (report->truth)
            put_rows(report, &c, "Most certain of those that are wrong", ranks,
                     choose_rows(report, CERTAIN_AND_WRONG, ranks));
    }
    size_t count = choose_rows(report, classes ? LEAST_CERTAIN : LARGEST_ERROR, ranks);
    put_rows(report, &c, classes ? "Least certain" : "Largest errors", ranks, count);
    return put_all_similar(report, &c, ranks, count);
}
