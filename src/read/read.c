/* sporf_dataset_read: opens the file or files, and adds labels from a second file. */
#include "base/text.h"
#include "base/versioned.h"
#include "read/columns.h"
#include "read/joined.h"
#include "read/reader.h"

#include <string.h>

sporf_status spf_read_options_complete(const sporf_read_options *given,
                                       sporf_read_options *options) {
    sporf_read_options_init(options);
    SPF_TRY(spf_versioned_read(given, options, sizeof *options, "sporf_read_options_init"));
    if ((unsigned)options->format > SPORF_FORMAT_SVMLIGHT ||
        (unsigned)options->header > SPORF_HEADER_NO)
        return spf_raise(SPORF_ERROR_ARGUMENT, "read options: format %d, header %d: not known",
                         (int)options->format, (int)options->header);
    if ((unsigned)options->decimal > SPORF_DECIMAL_COMMA ||
        (unsigned)options->dates > SPORF_DATES_MDY)
        return spf_raise(SPORF_ERROR_ARGUMENT, "read options: decimal %d, dates %d: not known",
                         (int)options->decimal, (int)options->dates);
    if (options->label && options->label_file)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "read options: a label column and a label file" SPF_HINT
                         "give only one of them");
    return SPORF_OK;
}

static sporf_status open_and_read(const char *path, const sporf_read_options *options, int single,
                                  sporf_dataset **out) {
    spf_source source;
    if (options->more_files_count > 0) return spf_read_joined(path, options, out);
    SPF_TRY(spf_source_open(path, options->max_memory, &source));
    source.single = single;
    sporf_status status = spf_read_source(&source, options, out);
    spf_source_close(&source);
    return status;
}

/* Reads a file of labels as a table with only a label column. */
static sporf_status read_label_file(const sporf_read_options *options, sporf_dataset *data) {
    sporf_read_options of_labels = *options;
    of_labels.format = SPORF_FORMAT_AUTO;
    of_labels.label = "1";
    of_labels.columns_count = 0;
    of_labels.svmlight_features = 0;
    of_labels.more_files_count = 0;
    of_labels.categorical_count = of_labels.ignored_count = of_labels.ordinal_count = 0;
    of_labels.targets_count = of_labels.labels_count = of_labels.kept_count = 0;
    of_labels.weight = NULL;
    of_labels.schema = NULL;
    of_labels.separator = of_labels.comment = NULL;
    of_labels.skip_lines = 0;
    sporf_dataset *labels = NULL;
    SPF_TRY(open_and_read(options->label_file, &of_labels, 1, &labels));
    sporf_status status = SPORF_OK;
    if (labels->features > 0)
        status = spf_raise(SPORF_ERROR_DATA,
                           SPF_FILE ": a file of labels has one column, this one has %zu",
                           options->label_file, labels->features + 1);
    else if (labels->rows != data->rows)
        status = spf_raise(SPORF_ERROR_DATA, SPF_FILE ": %zu labels for %zu rows",
                           options->label_file, labels->rows, data->rows);
    else
        spf_dataset_move_labels(labels, data);
    sporf_dataset_free(labels);
    return status;
}

/* The first note on a column that is left out; NULL without one. */
static const sporf_note *first_left_out(const sporf_dataset *data) {
    for (size_t i = 0; i < data->notes.count; i++)
        if (data->notes.items[i].kind == SPORF_NOTE_LEFT_OUT) return &data->notes.items[i];
    return NULL;
}

static sporf_status raise_left_out(const sporf_note *first, const char *name) {
    char column[SPF_NAME_TEXT_MAX];
    int useless =
        first->left_out == SPORF_LEFT_OUT_EMPTY || first->left_out == SPORF_LEFT_OUT_DATES;
    return spf_raise(SPORF_ERROR_DATA,
                     SPF_FILE ": no column can be used as a feature: '%s' and others are left out "
                              "(%s)%s",
                     name, spf_name_text(first->column, column), spf_note_marked(first),
                     useless ? ""
                             : SPF_HINT
                         "read them as categories if they are (" SPF_OPTION("categorical") ")");
}

sporf_status spf_check_features(const sporf_dataset *data, const sporf_read_options *options,
                                const char *name) {
    if (data->features > 0) return SPORF_OK;
    const sporf_note *left_out = first_left_out(data);
    if (left_out) return raise_left_out(left_out, name);
    if (options->targets_count > 0 || options->labels_count > 0 || options->weight ||
        options->ignored_count > 0)
        return spf_raise(
            SPORF_ERROR_DATA,
            SPF_FILE
            ": no feature is left: every column is ignored, or the label, the weight or a target",
            name);
    return spf_raise(SPORF_ERROR_DATA,
                     SPF_FILE ": one column, the label, and no features" SPF_HINT
                              "columns are separated by commas, semicolons or tabs",
                     name);
}

sporf_status sporf_dataset_read(const char *path, const sporf_read_options *given,
                                sporf_dataset **out) {
    sporf_read_options options;
    sporf_dataset *data = NULL;
    if (!path || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "reading: path and out must not be NULL");
    *out = NULL;
    SPF_TRY(spf_read_options_complete(given, &options));
    SPF_TRY(open_and_read(path, &options, 0, &data));
    sporf_status status = spf_check_features(data, &options, path);
    if (status == SPORF_OK && options.label_file) status = read_label_file(&options, data);
    if (status != SPORF_OK)
        sporf_dataset_free(data);
    else
        *out = data;
    return status;
}
