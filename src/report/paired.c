/* Models compared row by row: the mean difference of their losses and its standard error, which is
 * smaller than that of either, since hard rows are hard for both. */
#include "report/paired.h"

#include "base/portable_math.h"
#include "report/labels.h"

#include <math.h>

enum { ERROR_RATE, BRIER, LOG_LOSS, WRONG_LABELS, SQUARED_ERROR, ABSOLUTE_ERROR };
enum { CLASSES, LABELS, VALUES };

static const struct {
    const char *name;
    int kind; /* of what is predicted */
} losses[] = {
    [ERROR_RATE] = {"error rate", CLASSES},      [BRIER] = {"Brier score", CLASSES},
    [LOG_LOSS] = {"log loss", CLASSES},          [WRONG_LABELS] = {"share of wrong labels", LABELS},
    [SQUARED_ERROR] = {"squared error", VALUES}, [ABSOLUTE_ERROR] = {"absolute error", VALUES}};

static double loss_of(const spf_report *report, const spf_report_model *model, size_t row,
                      int loss) {
    const double *outputs = &model->outputs[row * model->width];
    double sum = 0;
    if (loss == ERROR_RATE) return model->predicted[row] != report->truth[row];
    if (loss == WRONG_LABELS) return spf_labels_wrong(report, model, row, 0);
    if (loss == LOG_LOSS) {
        double p = report->truth[row] < model->classes ? outputs[report->truth[row]] : 0;
        return -spf_log(p > 0x1p-52 ? p : 0x1p-52);
    }
    for (size_t k = 0; k < model->width; k++) {
        double truth =
            loss == BRIER ? report->truth[row] == k : report->true_values[row * model->width + k];
        double error = outputs[k] - truth;
        sum += loss == ABSOLUTE_ERROR ? fabs(error) : error * error;
    }
    return loss == BRIER ? sum : sum / (double)model->width;
}

static void put_difference(spf_report *report, const spf_report_model *model, int loss) {
    const spf_report_model *first = &report->models[0];
    double weight = 0, mean = 0, spread = 0, squares = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < report->scored; i++) {
            double w = report->weights ? report->weights[i] : 1;
            if (isnan(first->outputs[i * first->width]) || isnan(model->outputs[i * model->width]))
                continue;
            double d = loss_of(report, model, i, loss) - loss_of(report, first, i, loss);
            if (pass == 0)
                weight += w, mean += w * d, squares += w * w;
            else
                spread += w * w * (d - mean) * (d - mean);
        }
        if (pass == 0) mean /= weight;
    }
    double error = sqrt(spread) / weight, rows = weight * weight / squares;
    if (!(rows > 1)) error = NAN;
    spf_row_open(&report->page);
    spf_cell_head(&report->page, model->name);
    spf_cell_text(&report->page, losses[loss].name);
    spf_cell_interval(&report->page, mean, mean - 1.96 * error, mean + 1.96 * error);
    spf_cell_text(&report->page, !(fabs(mean) > 1.96 * error) ? "no clear difference"
                                 : mean < 0                   ? "better"
                                                              : "worse");
    spf_row_close(&report->page);
}

/* A model that is scored on rows it was trained on has no fair difference to one that is not. */
static void put_no_difference(spf_report *report, const spf_report_model *model) {
    spf_row_open(&report->page);
    spf_cell_head(&report->page, model->name);
    spf_cell_text(&report->page, "");
    spf_cell_number(&report->page, NAN, 4);
    spf_cell_text(&report->page, "not compared: only one of both is scored out of bag");
    spf_row_close(&report->page);
}

sporf_status spf_paired_table(spf_report *report) {
    static const char *const heads[] = {"model", "loss", "difference", "verdict"};
    const spf_report_model *first = &report->models[0];
    int kind = first->classes > 0 ? CLASSES : first->labels > 0 ? LABELS : VALUES;
    if (report->count < 2) return SPORF_OK;
    spf_page_heading_name(&report->page, "Compared with ", report->models[0].name);
    spf_table_open(&report->page,
                   "Mean differences on the same rows, with 95% confidence intervals; below 0 is "
                   "better",
                   heads, 4, "ttnt");
    for (size_t m = 1; m < report->count; m++) {
        const spf_report_model *model = &report->models[m];
        if (!model->out_of_bag != !first->out_of_bag) put_no_difference(report, model);
        for (int loss = 0; loss <= ABSOLUTE_ERROR; loss++)
            if (losses[loss].kind == kind && !model->out_of_bag == !first->out_of_bag)
                put_difference(report, model, loss);
    }
    spf_table_close(&report->page);
    return SPORF_OK;
}
