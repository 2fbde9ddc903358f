/* The report of one or several models: the chapters in order. */
#include "report/report.h"

#include "base/versioned.h"

#include <stdio.h>

static sporf_status (*const chapters[])(spf_report *) = {
    spf_chapter_glance,       spf_chapter_data,         spf_chapter_training,
    spf_chapter_class_scores, spf_chapter_label_scores, spf_chapter_value_scores,
    spf_chapter_calibration,  spf_chapter_importance,   spf_chapter_dependence,
    spf_chapter_projections,  spf_chapter_rows,         spf_chapter_settings,
    spf_chapter_reproduce,
};

enum { CHAPTERS = sizeof chapters / sizeof *chapters };

static int is_interrupted(const spf_report *report) {
    return report->hooks.interrupt && report->hooks.interrupt(report->hooks.payload);
}

static sporf_status put_chapters(spf_report *report) {
    /* Chapters that need long count rows and features in their own way. */
    void (*progress)(void *, size_t, size_t) = report->hooks.progress;
    report->hooks.progress = NULL;
    for (size_t i = 0; i < CHAPTERS; i++) {
        if (is_interrupted(report)) return spf_raise(SPORF_ERROR_CANCELLED, "interrupted");
        SPF_TRY(chapters[i](report));
        if (report->page.body.status != SPORF_OK) return report->page.body.status;
        if (progress) progress(report->hooks.payload, i + 1, CHAPTERS);
    }
    return SPORF_OK;
}

static void default_title(const spf_report *report, char text[SPF_REPORT_NAME_MAX]) {
    if (report->count == 1)
        snprintf(text, SPF_REPORT_NAME_MAX, "Report on %.200s", report->models[0].name);
    else
        snprintf(text, SPF_REPORT_NAME_MAX, "%zu models compared", report->count);
}

static void subtitle(const spf_report *report, char text[2 * SPF_REPORT_NAME_MAX]) {
    const char *data = report->options.data_name;
    snprintf(text, 2 * SPF_REPORT_NAME_MAX, "%s%s%.200s",
             report->models[0].targets > 0 && report->models[0].labels == 0 ? "Regression"
                                                                            : "Classification",
             !report->data ? ", without a table"
             : data        ? ", on the table "
                           : ", on a table",
             report->data && data ? data : "");
}

sporf_status sporf_report_html(const sporf_forest *const *forests, size_t count,
                               const sporf_dataset *data, const sporf_report_options *options,
                               const sporf_hooks *hooks, char **html, size_t *size) {
    spf_report report = {.options = {.struct_size = sizeof report.options},
                         .hooks = {.struct_size = sizeof report.hooks}};
    char title[SPF_REPORT_NAME_MAX], about[2 * SPF_REPORT_NAME_MAX];
    spf_markup whole = {0};
    if (!forests || !html || !size)
        return spf_raise(SPORF_ERROR_ARGUMENT, "forests, html and size must not be NULL");
    *html = NULL;
    for (size_t m = 0; m < count; m++)
        if (!forests[m]) return spf_raise(SPORF_ERROR_ARGUMENT, "forest %zu is NULL", m);
    SPF_TRY(spf_versioned_read(options, &report.options, sizeof report.options,
                               "sporf_report_options_init"));
    SPF_TRY(spf_versioned_read(hooks, &report.hooks, sizeof report.hooks, "sporf_hooks_init"));
    sporf_status status = spf_report_gather(&report, forests, count, data);
    if (status == SPORF_OK) status = put_chapters(&report);
    if (status == SPORF_OK) {
        default_title(&report, title);
        subtitle(&report, about);
        status = spf_page_finish(&report.page, report.options.title ? report.options.title : title,
                                 about, &whole);
    }
    spf_report_free(&report);
    if (status != SPORF_OK) {
        spf_markup_free(&whole);
        return status;
    }
    *html = whole.text;
    *size = whole.length;
    return SPORF_OK;
}
