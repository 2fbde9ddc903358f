/* The file is read as predictions read theirs: with the schema of the training table. */
#include "held_out.h"

#include "cli.h"
#include "out.h"
#include "table_input.h"

#include <stdlib.h>

opt_spec held_out_spec(const sporf_option *option) {
    return (opt_spec){.name = option->name,
                      .value = "F|SHARE",
                      .range = "a file, or a number from 0 to 0.9",
                      .fallback = option->default_value,
                      .help = "rows to stop by: a table with the columns of --data, or the share "
                              "of its rows to hold out; 0: none, and all rounds are kept; a file "
                              "named like a number is written ./0.1"};
}

static int is_number(const char *text) {
    char *end;
    strtod(text, &end);
    return end > text && *end == '\0';
}

const char *held_out_path(const opt_list *options) {
    const char *value = opt_value(options, "valid");
    return value && !is_number(value) ? value : NULL;
}

static int refuse_label_file(const opt_list *options) {
    out_error(options->verb,
              "--valid %s needs the classes in a column, but --label-file names a "
              "separate file; give a share, such as --valid 0.1",
              opt_value(options, "valid"));
    return EXIT_USAGE;
}

/* Without a name the label is that of the training table, which is in an svmlight file. */
static sporf_read_options as_trained(const sporf_read_options *read, const sporf_dataset *data) {
    sporf_read_options how = *read;
    how.schema = sporf_dataset_schema(data);
    how.svmlight_features = sporf_dataset_features(data);
    how.more_files = NULL;
    how.more_files_count = 0;
    return how;
}

int held_out_read(const opt_list *options, const sporf_read_options *read,
                  const sporf_dataset *data, sporf_dataset **valid) {
    const char *path = held_out_path(options);
    if (!path) return EXIT_DONE;
    if (read->label_file) return refuse_label_file(options);
    sporf_read_options how = as_trained(read, data);
    sporf_status status = input_read_file(path, &how, valid);
    return status == SPORF_OK ? EXIT_DONE : out_failure(options->verb, status, NULL);
}
