/* Scores with their intervals, and classes with the lowest F1 first. */
#include "class_report.h"

#include "out.h"
#include "outputs.h"
#include "printed.h"
#include "summary_line.h"
#include "table_input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void class_report_declare(opt_list *options) {
    const opt_spec specs[] = {
        {.name = "intervals",
         .value = "N",
         .fallback = "auto",
         .help = "how often rows are drawn for the confidence intervals of scores, up to 100000; "
                 "none: only the area under the curve has one; auto: 1000 times if that takes "
                 "about a second, otherwise none"},
        {.name = "curves",
         .value = "F",
         .help = "CSV file for the ROC and the precision-recall curve of each class"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
}

/* Replicates are chosen when the rows are known. */
enum { AUTO = UINT32_MAX, MOST = 100000 };

static int check_curves(const opt_list *options) {
    const char *path = opt_value(options, "curves");
    int code = input_protect(options, "curves");
    if (code == EXIT_DONE) code = outputs_not_standard(options->verb, "--curves", path);
    return code == EXIT_DONE ? outputs_check(options->verb, path) : code;
}

int class_report_options(const opt_list *options, sporf_score_options *how) {
    const char *value = opt_value(options, "intervals");
    uint64_t number = 0;
    sporf_score_options_init(how);
    how->replicates = AUTO;
    int code = check_curves(options);
    if (code != EXIT_DONE || !value || strcmp(value, "auto") == 0) return code;
    int none = strcmp(value, "none") == 0;
    code = none ? EXIT_DONE : opt_count(options, "intervals", 1, &number);
    if (code == EXIT_DONE && number > MOST) {
        out_error(options->verb, "--intervals is up to %d, not %s", MOST, value);
        return EXIT_USAGE;
    }
    how->replicates = (uint32_t)number;
    return code;
}

/* About a second on one core; fewer draws than 200 would give poor ends. */
static uint32_t affordable(size_t rows, size_t classes) {
    const double steps = 1e8;
    double most = steps / ((double)rows * (double)(classes + 1));
    return most >= 1000 ? 1000 : most >= 200 ? (uint32_t)most : 0;
}

/* ---- making it ------------------------------------------------------------------------------- */

static int copy_weights(class_report *report, const sporf_dataset *data) {
    const float *weights = sporf_dataset_weights(data);
    size_t rows = sporf_dataset_rows(data);
    if (!weights) return 1;
    report->weights = calloc(rows, sizeof *report->weights);
    for (size_t i = 0; report->weights && i < rows; i++) report->weights[i] = (double)weights[i];
    return report->weights != NULL;
}

int class_report_make(const char *verb, class_report *report, const sporf_dataset *data,
                      const double *probabilities, const uint32_t *labels,
                      const uint32_t *predicted) {
    size_t rows = sporf_dataset_rows(data), classes = report->classes;
    sporf_scored_rows_init(&report->rows);
    sporf_class_scores_init(&report->scores);
    if (report->how.struct_size == 0) sporf_score_options_init(&report->how);
    if (report->how.replicates == AUTO) report->how.replicates = affordable(rows, classes);
    report->by_class = calloc(classes, sizeof *report->by_class);
    if (!report->by_class || !copy_weights(report, data)) {
        out_error(verb, "out of memory");
        return EXIT_FAILED;
    }
    report->rows.rows = rows;
    report->rows.classes = classes;
    report->rows.probabilities = probabilities;
    report->rows.labels = labels;
    report->rows.predicted = predicted;
    report->rows.weights = report->weights;
    report->scores.by_class = report->by_class;
    sporf_status status = sporf_score_classes(&report->rows, &report->how, &report->scores);
    if (status == SPORF_OK && !baseline_find(report->forest, &report->rows, &report->guess))
        status = SPORF_ERROR_MEMORY;
    if (status == SPORF_OK) return EXIT_DONE;
    free(report->by_class);
    report->by_class = NULL;
    return status == SPORF_ERROR_DATA ? EXIT_DONE : out_failure(verb, status, NULL);
}

void class_report_free(class_report *report) {
    free(report->by_class);
    free(report->weights);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void score_json(json *writer, const char *name, const sporf_score *score) {
    json_object(writer, name);
    json_line(writer);
    json_double(writer, "value", score->value);
    json_double(writer, "low", score->low);
    json_double(writer, "high", score->high);
    json_end(writer);
}

static void class_json(json *writer, const class_report *report, size_t k) {
    const sporf_by_class *own = &report->by_class[k];
    json_object(writer, NULL);
    json_line(writer);
    json_text(writer, "class", sporf_schema_class_name(report->schema, k));
    json_count(writer, "rows", own->rows);
    json_double(writer, "weight", own->weight);
    json_double(writer, "precision", own->precision);
    json_double(writer, "recall", own->recall);
    json_double(writer, "f1", own->f1);
    json_double(writer, "auc", own->auc);
    json_double(writer, "auc_low", own->auc_low);
    json_double(writer, "auc_high", own->auc_high);
    json_double(writer, "average_precision", own->average_precision);
    json_end(writer);
}

void class_report_json(json *writer, const class_report *report, const char *prefix) {
    char scores[32], by_class[32];
    sporf_score score;
    const char *name;
    snprintf(scores, sizeof scores, "%sscores", prefix);
    snprintf(by_class, sizeof by_class, "%sby_class", prefix);
    if (!report->by_class) {
        json_text(writer, scores, NULL);
        json_text(writer, by_class, NULL);
        return;
    }
    baseline_json(writer, report->schema, prefix, &report->guess);
    json_object(writer, scores);
    json_count(writer, "rows", report->scores.rows);
    json_double(writer, "confidence", 0.95);
    json_count(writer, "replicates", report->how.replicates);
    json_count(writer, "top_k", report->scores.top_k);
    for (size_t i = 0; (name = sporf_class_scores_at(&report->scores, i, &score)); i++)
        score_json(writer, name, &score);
    json_end(writer);
    json_list(writer, by_class);
    for (size_t k = 0; k < report->classes; k++) class_json(writer, report, k);
    json_end(writer);
}

/* ---- text ------------------------------------------------------------------------------------ */

const char *class_report_interval(char *buffer, const sporf_score *score) {
    char low[TEXT_NUMBER], high[TEXT_NUMBER];
    *buffer = '\0';
    if (!isnan(score->low))
        snprintf(buffer, CLASS_REPORT_INTERVAL, " (%s to %s)", text_rate(low, score->low),
                 text_rate(high, score->high));
    return buffer;
}

static void line(FILE *stream, const char *label, const sporf_score *score, const char *note) {
    char value[TEXT_NUMBER], interval[CLASS_REPORT_INTERVAL];
    summary_line(stream, label, "%s%s%s", text_rate(value, score->value),
                 class_report_interval(interval, score), note);
}

void class_report_lines(FILE *stream, const class_report *report) {
    const sporf_class_scores *scores = &report->scores;
    char note[160] = "", name[100];
    if (!report->by_class) return;
    baseline_lines(stream, report->schema, &report->guess);
    text_printable(name, sizeof name, sporf_schema_class_name(report->schema, 1));
    if (report->classes == 2)
        snprintf(note, sizeof note, ", of %s", name);
    else
        snprintf(note, sizeof note, ", mean over classes against the rest");
    line(stream, "AUC", &scores->auc, note);
    if (report->classes > 2)
        line(stream, "", &scores->auc_hand_till, ", mean over pairs of classes (Hand and Till)");
    line(stream, "avg precision", &scores->average_precision, note);
    line(stream, "F1", &scores->f1_macro, ", mean over classes");
    line(stream, "MCC", &scores->mcc, "");
    line(stream, "balanced acc", &scores->balanced_accuracy, ", mean recall of the classes");
    if (report->classes > scores->top_k) {
        snprintf(name, sizeof name, "top %lu", (unsigned long)scores->top_k);
        line(stream, name, &scores->top_k_accuracy, "");
    }
    summary_line(stream, "intervals",
                 report->how.replicates > 0
                     ? "in brackets, 95%%: AUC by DeLong, others by the bootstrap, %lu draws"
                     : "in brackets, 95%%: AUC by DeLong",
                 (unsigned long)report->how.replicates);
}

typedef struct {
    double f1;
    size_t index;
} ranked;

static int lower_f1(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->f1 != y->f1) return x->f1 < y->f1 ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

/* Classes by F1, those without one last; in their own order if all are shown. NULL without
 * memory. */
static ranked *rank(const class_report *report, size_t most) {
    size_t classes = report->classes;
    ranked *order = calloc(classes, sizeof *order);
    for (size_t k = 0; order && k < classes; k++) {
        double f1 = report->by_class[k].f1;
        order[k] = (ranked){isnan(f1) ? 2 : f1, k};
    }
    if (order && classes > most) qsort(order, classes, sizeof *order, lower_f1);
    return order;
}

static void print_class(FILE *stream, const class_report *report, size_t k, int width) {
    const sporf_by_class *own = &report->by_class[k];
    char rows[TEXT_NUMBER], precision[TEXT_NUMBER], recall[TEXT_NUMBER], f1[TEXT_NUMBER],
        auc[TEXT_NUMBER], average[TEXT_NUMBER];
    text_cell(stream, sporf_schema_class_name(report->schema, k), -width);
    fprintf(stream, "%12s%11s%9s%9s%9s%10s\n", text_count(rows, own->rows),
            text_rate(precision, own->precision), text_rate(recall, own->recall),
            text_rate(f1, own->f1), text_rate(auc, own->auc),
            text_rate(average, own->average_precision));
}

void class_report_table(FILE *stream, const class_report *report, size_t most) {
    enum { NAME_COLUMNS = 20 };
    size_t classes = report->classes, shown = classes < most ? classes : most;
    ranked *order = report->by_class ? rank(report, most) : NULL;
    if (!order) return;
    if (shown < classes)
        fprintf(stream, "The %zu of %zu classes with the lowest F1 (--json has all):\n", shown,
                classes);
    text_cell(stream, "class", -NAME_COLUMNS);
    fprintf(stream, "%12s%11s%9s%9s%9s%10s\n", "rows", "precision", "recall", "F1", "AUC",
            "avg prec");
    for (size_t i = 0; i < shown; i++) print_class(stream, report, order[i].index, NAME_COLUMNS);
    free(order);
}

/* ---- curves ---------------------------------------------------------------------------------- */

static void write_points(FILE *stream, const char *name, const sporf_curve_point *points,
                         size_t count) {
    char number[TEXT_NUMBER];
    for (size_t i = 0; i < count; i++) {
        const double values[] = {points[i].threshold, points[i].false_positive_rate,
                                 points[i].recall, points[i].precision};
        text_csv_field(stream, name);
        for (size_t j = 0; j < sizeof values / sizeof *values; j++)
            fprintf(stream, ",%s", isnan(values[j]) ? "" : text_double(number, values[j]));
        fputc('\n', stream);
    }
}

int class_report_curves(const opt_list *options, const class_report *report) {
    const char *path = opt_value(options, "curves"), *verb = options->verb;
    out_file file;
    sporf_status status = SPORF_OK;
    if (!path) return EXIT_DONE;
    if (!report->by_class) {
        out_error(verb, "the table is too large for --curves; leave it out");
        return EXIT_FAILED;
    }
    int code = out_open(&file, verb, path);
    if (code != EXIT_DONE) return code;
    sporf_curve_point *points = calloc(report->rows.rows + 1, sizeof *points);
    if (!points) {
        out_error(verb, "out of memory");
        out_close(&file, 0);
        return EXIT_FAILED;
    }
    fprintf(file.stream, "class,threshold,false_positive_rate,recall,precision\n");
    for (size_t k = 0; status == SPORF_OK && k < report->classes && out_ok(&file); k++) {
        size_t count;
        status = sporf_score_curve(&report->rows, (uint32_t)k, points, &count);
        if (status == SPORF_OK)
            write_points(file.stream, sporf_schema_class_name(report->schema, k), points, count);
    }
    free(points);
    code = out_close(&file, status == SPORF_OK);
    return status == SPORF_OK ? code : out_failure(verb, status, NULL);
}
