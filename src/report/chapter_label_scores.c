/* Scores of several labels: how often each is wrong, and how often some is. */
#include "report/labels.h"
#include "report/paired.h"
#include "report/share.h"

#include <math.h>

enum { LABELS_IN_TABLE = 50 };

/* The error of predicting the most frequent class of a label for every row. */
static double error_of_guess(const spf_report *report, const spf_report_model *model,
                             size_t label) {
    const sporf_schema *schema = sporf_forest_schema(model->forest);
    size_t first = sporf_schema_label_column_target(schema, label);
    double most = 0, total = 0;
    for (size_t k = 0; k < sporf_schema_label_column_classes(schema, label); k++) {
        double sum = 0;
        total = 0;
        for (size_t i = 0; i < report->scored; i++) {
            double w = report->weights ? report->weights[i] : 1;
            sum += w * report->true_values[i * model->targets + first + k];
            total += w;
        }
        most = fmax(most, sum);
    }
    return 1 - most / total;
}

static void put_error(spf_report *report, const char *name, spf_label_loss *loss, size_t label,
                      double guess) {
    int is_share = loss != spf_labels_wrong;
    for (size_t m = 0; m < report->count; m++) {
        const spf_report_model *model = &report->models[m];
        spf_mean mean = spf_labels_mean(report, model, loss, label);
        double low = fmax(mean.value - 1.96 * mean.error, 0);
        double high = fmin(mean.value + 1.96 * mean.error, 1);
        if (is_share) spf_share_interval(mean.value, mean.rows, &low, &high);
        spf_row_open(&report->page);
        spf_cell_head(&report->page, name);
        spf_cell_text(&report->page, model->name);
        spf_cell_interval(&report->page, mean.value, low, high);
        spf_cell_number(&report->page, guess, 4);
        spf_row_close(&report->page);
    }
}

sporf_status spf_chapter_label_scores(spf_report *report) {
    static const char *const heads[] = {"label", "model", "error rate",
                                        "most frequent class for every row"};
    const spf_report_model *model = &report->models[0];
    if (!report->true_values || model->labels == 0) return SPORF_OK;
    spf_page_chapter(&report->page, "scores", "Scores",
                     "How often the predicted class of each label is wrong.");
    spf_report_note_rows(report, report->scored);
    spf_table_open(&report->page, "Error rates, with 95% confidence intervals", heads, 4, "ttn");
    put_error(report, "all labels", spf_labels_wrong, 0, NAN);
    put_error(report, "rows with some wrong label", spf_labels_any, 0, NAN);
    for (size_t c = 0; c < model->labels && c < LABELS_IN_TABLE; c++)
        put_error(report, sporf_schema_label_column_name(sporf_forest_schema(model->forest), c),
                  spf_label_wrong, c, error_of_guess(report, model, c));
    spf_table_close(&report->page);
    if (model->labels > LABELS_IN_TABLE)
        spf_markup_format(&report->page.body, "<p class='note'>The first %d of %zu labels.</p>\n",
                          (int)LABELS_IN_TABLE, model->labels);
    return spf_paired_table(report);
}
