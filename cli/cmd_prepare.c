/* sporf prepare: the table preparation of the paper's appendix. */
#include "cli.h"
#include "column_notes.h"
#include "json.h"
#include "out.h"
#include "outputs.h"
#include "printed.h"
#include "table_input.h"

#include <stdlib.h>

static const char verb[] = "prepare";

typedef struct {
    sporf_dataset *data, *made;
    size_t *feature; /* the data's feature that each column was made of */
} work;

static void declare(opt_list *options) {
    const opt_spec specs[] = {
        {.help = "Preparation"},
        {.name = "standardise",
         .help = "bring each column to mean 0 and standard deviation 1, over all rows"},
        {.name = "output",
         .value = "F",
         .fallback = "-",
         .help = "CSV file to write; - is standard output"},
        {.name = "names",
         .help = "write a header; the class has the name of its column, or 'class'"},
        {.name = "catmap",
         .value = "F",
         .help = "write a line for each category: the numbers of its columns, from 1"},
    };
    input_declare(options,
                  "the class column: a name, a number from 1 or 'last'; it becomes the last "
                  "column, with integers from 0 in the order of the classes",
                  1);
    input_declare_target(options);
    input_declare_columns(options);
    opt_add(options, specs, sizeof specs / sizeof *specs);
    input_declare_limits(options);
}

/* ---- work ------------------------------------------------------------------------------------ */

static int read_table(const opt_list *options, work *w) {
    sporf_read_options read;
    int code = input_options(options, &read);
    sporf_status status = code == EXIT_DONE ? input_read(options, &read, &w->data) : SPORF_OK;
    input_free(&read);
    return status == SPORF_OK ? code : out_failure(verb, status, NULL);
}

static int prepare(const opt_list *options, work *w) {
    sporf_prepare_options how;
    sporf_prepare_options_init(&how);
    how.standardise = opt_value(options, "standardise") != NULL;
    sporf_status status = sporf_dataset_prepare(w->data, &how, &w->made, &w->feature);
    if (status != SPORF_OK) return out_failure(verb, status, NULL);
    column_notes(verb, w->made);
    return EXIT_DONE;
}

/* ---- output ---------------------------------------------------------------------------------- */

static void write_names(FILE *stream, const sporf_dataset *made) {
    size_t features = sporf_dataset_features(made);
    for (size_t j = 0; j < features; j++) {
        if (j > 0) fputc(',', stream);
        text_csv_field(stream, sporf_schema_feature_name(sporf_dataset_schema(made), j));
    }
    if (sporf_dataset_labels(made)) {
        const char *name = sporf_schema_label_name(sporf_dataset_schema(made));
        fputc(',', stream);
        text_csv_field(stream, name ? name : "class");
    }
    for (size_t t = 0; t < sporf_dataset_targets(made); t++) {
        const char *name = sporf_schema_target_name(sporf_dataset_schema(made), t);
        fputc(',', stream);
        if (name)
            text_csv_field(stream, name);
        else
            fprintf(stream, "y%zu", t + 1);
    }
    fputc('\n', stream);
}

static void write_row(FILE *stream, const sporf_dataset *made, size_t row) {
    char number[TEXT_NUMBER];
    for (size_t j = 0; j < sporf_dataset_features(made); j++) {
        if (j > 0) fputc(',', stream);
        fputs(text_float(number, sporf_dataset_feature(made, j)[row]), stream);
    }
    if (sporf_dataset_labels(made))
        fprintf(stream, ",%lu", (unsigned long)sporf_dataset_labels(made)[row]);
    for (size_t t = 0; t < sporf_dataset_targets(made); t++)
        fprintf(stream, ",%s", text_float(number, sporf_dataset_target(made, t)[row]));
    fputc('\n', stream);
}

static int write_table(const opt_list *options, const work *w) {
    out_file file;
    int code = out_open(&file, verb, opt_value(options, "output"));
    if (code != EXIT_DONE) return code;
    if (opt_value(options, "names")) write_names(file.stream, w->made);
    for (size_t i = 0; i < sporf_dataset_rows(w->made) && out_ok(&file); i++)
        write_row(file.stream, w->made, i);
    return out_close(&file, 1);
}

/* Columns of a category are contiguous. */
static int write_catmap(const opt_list *options, const work *w) {
    out_file file;
    size_t features = sporf_dataset_features(w->made);
    if (!opt_value(options, "catmap")) return EXIT_DONE;
    int code = out_open(&file, verb, opt_value(options, "catmap"));
    if (code != EXIT_DONE) return code;
    for (size_t j = 0; j < features; j++) {
        if (sporf_schema_kind(sporf_dataset_schema(w->data), w->feature[j]) != SPORF_KIND_CATEGORY)
            continue;
        int last = j + 1 == features || w->feature[j + 1] != w->feature[j];
        fprintf(file.stream, "%zu%c", j + 1, last ? '\n' : ',');
    }
    return out_close(&file, 1);
}

static int check_outputs(const opt_list *options) {
    const char *output = opt_value(options, "output"), *catmap = opt_value(options, "catmap");
    int code = input_protect(options, "output");
    if (code == EXIT_DONE) code = input_protect(options, "catmap");
    if (code == EXIT_DONE)
        code = outputs_differ(verb, "--output", output ? output : "-", "--catmap", catmap);
    if (code == EXIT_DONE) code = outputs_check(verb, output);
    return code == EXIT_DONE ? outputs_check(verb, catmap) : code;
}

static int run(const opt_list *options) {
    work w = {0};
    int code = check_outputs(options);
    if (code == EXIT_DONE) code = read_table(options, &w);
    if (code == EXIT_DONE) code = prepare(options, &w);
    if (code == EXIT_DONE) code = write_table(options, &w);
    if (code == EXIT_DONE) code = write_catmap(options, &w);
    sporf_free(w.feature);
    sporf_dataset_free(w.made);
    sporf_dataset_free(w.data);
    return code;
}

const cli_verb cmd_prepare = {
    .name = verb,
    .summary = "makes a numeric table as the paper's appendix describes",
    .usage = "sporf prepare --data F [--label C] [--output F] [--catmap F] [options]",
    .text = "Prepares a table as the paper's appendix describes, for those who need that protocol. "
            "Constant columns, identifiers and dates are left out. Missing values become the "
            "median of their column, or its most frequent level; labels are not used, unlike in "
            "the authors' imputation. Ordinal levels (--ordinal) become integers from 1. "
            "Categories become a column of 0 and 1 for each level, after all others. Classes "
            "become integers from 0, in the last column: numeric classes in the order of their "
            "values, others in the order of their bytes. Use it only if you need it: train takes "
            "tables as they are, with categories and missing values, and is no less accurate. The "
            "values depend on all rows, so prepare training rows and new rows together.",
    .example = "  sporf prepare --data shop.csv --label bought --output num.csv --catmap num.map\n",
    .declare = declare,
    .run = run,
};
