/* Settings of the training, and how to make the same again. */
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- settings -------------------------------------------------------------------------------- */

/* The value of a setting; NULL if there is none, or the method does not use it. */
static const char *used_setting(const sporf_forest *forest, const char *name) {
    const char *method = sporf_forest_setting(forest, "method");
    const sporf_method_info *info;
    for (size_t i = 0; method && (info = sporf_method_at(i)); i++)
        if (strcmp(info->name, method) == 0 && !sporf_method_uses((sporf_method)i, name))
            return NULL;
    return sporf_forest_setting(forest, name);
}

static int differs(const spf_report *report, const char *name) {
    const char *first = used_setting(report->models[0].forest, name);
    for (size_t m = 1; m < report->count; m++) {
        const char *other = used_setting(report->models[m].forest, name);
        if (!first != !other || (first && strcmp(first, other) != 0)) return 1;
    }
    return 0;
}

static void put_setting(spf_report *report, const char *name) {
    spf_row_open(&report->page);
    spf_cell_head(&report->page, name);
    for (size_t m = 0; m < report->count; m++) {
        const char *value = used_setting(report->models[m].forest, name);
        spf_cell_text(&report->page, value ? value : "");
    }
    if (report->count > 1) spf_cell_text(&report->page, differs(report, name) ? "differs" : "");
    spf_row_close(&report->page);
}

static int is_used(const spf_report *report, size_t models, const char *name) {
    for (size_t m = 0; m < models; m++)
        if (used_setting(report->models[m].forest, name)) return 1;
    return 0;
}

sporf_status spf_chapter_settings(spf_report *report) {
    const char *heads[2 + SPF_REPORT_MODELS] = {"setting"}, *name, *value;
    size_t count = 1;
    for (size_t m = 0; m < report->count; m++) heads[count++] = report->models[m].name;
    if (report->count > 1) heads[count++] = "compared";
    spf_page_chapter(&report->page, "settings", "Settings",
                     "What the training was told, or chose by itself.");
    spf_table_open(&report->page, "Settings of the training", heads, count, "t");
    for (size_t m = 0; m < report->count; m++)
        for (size_t i = 0; (name = sporf_forest_setting_at(report->models[m].forest, i, &value));
             i++)
            if (used_setting(report->models[m].forest, name) && !is_used(report, m, name))
                put_setting(report, name);
    spf_table_close(&report->page);
    return SPORF_OK;
}

/* ---- how to make it again -------------------------------------------------------------------- */

static void put_command(spf_report *report, const char *about, const char *command) {
    if (!command) return;
    spf_markup_format(&report->page.body, "<p>%s</p>\n<pre tabindex='0'><code>", about);
    spf_markup_text(&report->page.body, command, 4000);
    spf_markup_put(&report->page.body, "</code></pre>\n");
}

static sporf_status put_checksum(spf_report *report) {
    uint64_t checksum;
    char text[32];
    if (!report->data) return SPORF_OK;
    SPF_TRY(sporf_dataset_checksum(report->data, report->options.threads, &checksum));
    snprintf(text, sizeof text, "%016" PRIx64, checksum);
    spf_row_open(&report->page);
    spf_cell_head(&report->page, "checksum of the table");
    spf_cell_text(&report->page, text);
    spf_row_close(&report->page);
    return SPORF_OK;
}

static void put_fact(spf_report *report, const char *name, const char *value) {
    if (!value) return;
    spf_row_open(&report->page);
    spf_cell_head(&report->page, name);
    spf_cell_text(&report->page, value);
    spf_row_close(&report->page);
}

static void put_seconds(spf_report *report) {
    for (size_t m = 0; m < report->count && report->data && report->options.timing; m++) {
        char text[SPF_NUMBER_SHOWN_MAX + 64];
        size_t length = spf_number_shown(report->models[m].seconds, 3, text);
        snprintf(text + length, 64, " s for %zu rows", report->scored);
        put_fact(report, report->count > 1 ? report->models[m].name : "predicting the table", text);
    }
}

/* What a command cannot give, in a sentence; NULL if it gives the same bytes. */
static const char *missing_from_command(const sporf_forest *forest) {
    const char *stopped = sporf_forest_setting(forest, "stopped");
    if (sporf_forest_setting(forest, "sampler") || sporf_forest_setting(forest, "user-loss"))
        return "The model was trained by a program with functions of its own, which the command "
               "does not have: it gives another model.";
    if (stopped && strcmp(stopped, "time") == 0)
        return "The training ended when its time was over. The command has no such limit, so its "
               "model differs, at least in the record of that.";
    return NULL;
}

static void put_trainings(spf_report *report) {
    int any = 0;
    for (size_t m = 0; m < report->count && report->options.commands; m++) {
        const char *missing = missing_from_command(report->models[m].forest);
        any |= report->options.commands[m] != NULL;
        put_command(report,
                    report->count > 1 ? "A model is trained with" : "The model is trained with",
                    report->options.commands[m]);
        if (report->options.commands[m] && missing) spf_page_note(&report->page, missing);
    }
    if (any)
        spf_page_note(&report->page,
                      "TABLE stands for the table of the training, read in the same way (kinds of "
                      "columns, those that are left out, the label if it has no name), and MODEL "
                      "for the file to write. Options that are not there have their defaults.");
}

sporf_status spf_chapter_reproduce(spf_report *report) {
    static const char *const heads[] = {"fact", "value"};
    char seed[32];
    spf_page_chapter(&report->page, "reproduce", "How to reproduce it",
                     "The same table, settings, seed and version give the same model, byte for "
                     "byte, on any machine and with any number of threads.");
    spf_table_open(&report->page, "Versions and seeds", heads, 2, "t");
    put_fact(report, "version of sporf", sporf_version());
    for (size_t m = 0; m < report->count; m++) {
        char name[SPF_REPORT_NAME_MAX];
        snprintf(name, sizeof name, "seed of %.100s", report->models[m].name);
        put_fact(report, name, sporf_forest_setting(report->models[m].forest, "seed"));
    }
    snprintf(seed, sizeof seed, "%" PRIu64, report->options.seed);
    put_fact(report, "seed of the samples in this report", seed);
    put_fact(report, "table", report->options.data_name);
    put_seconds(report);
    SPF_TRY(put_checksum(report));
    spf_table_close(&report->page);
    put_trainings(report);
    put_command(report, "This report is made with", report->options.command);
    return SPORF_OK;
}
