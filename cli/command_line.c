/* Command lines that make a thing again. */
#include "command_line.h"

#include "console.h"

#include <string.h>

/* A word of a shell, in quotes if it needs them. */
static void put_word(FILE *stream, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "._:,=+-/^%@";
    if (*word && strspn(word, plain) == strlen(word)) {
        fprintf(stream, " %s", word);
        return;
    }
    fputs(" '", stream);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", stream);
        else
            fputc(*word, stream);
    }
    fputc('\'', stream);
}

static void put_option(FILE *stream, const char *name, const char *value) {
    fprintf(stream, " --");
    for (; *name; name++) fputc(*name == '_' ? '-' : *name, stream);
    if (*value) put_word(stream, value);
}

/* ---- training -------------------------------------------------------------------------------- */

static int is_option(const char *name) {
    const sporf_option *option;
    for (size_t i = 0; (option = sporf_option_at(i)); i++)
        if (strcmp(option->name, name) == 0) return strcmp(name, "learner") != 0;
    return 0;
}

static const char *label_column(const sporf_schema *schema, size_t column) {
    return column < sporf_schema_label_columns(schema)
               ? sporf_schema_label_column_name(schema, column)
               : NULL;
}

static void put_truth(FILE *stream, const sporf_forest *forest) {
    const sporf_schema *schema = sporf_forest_schema(forest);
    const char *label = sporf_schema_label_name(schema), *name;
    int labels = sporf_schema_label_columns(schema) > 0;
    const char *(*name_of)(const sporf_schema *, size_t) =
        labels ? label_column : sporf_schema_target_name;
    if (sporf_forest_targets(forest) == 0 && label) put_option(stream, "label", label);
    for (size_t t = 0; (name = name_of(schema, t)); t++)
        if (t == 0)
            put_option(stream, labels ? "labels" : "target", name);
        else
            fprintf(stream, ",%s", name);
}

static void print_train(FILE *stream, const void *context) {
    const sporf_forest *forest = context;
    const char *name, *value;
    sporf_boosting boosting;
    fputs(sporf_forest_boosting(forest, &boosting) ? "sporf boost" : "sporf train", stream);
    fputs(" --data TABLE", stream);
    put_truth(stream, forest);
    for (size_t i = 0; (name = sporf_forest_setting_at(forest, i, &value)); i++)
        if (is_option(name) || strcmp(name, "weight") == 0) put_option(stream, name, value);
    fputs(" --model MODEL", stream);
}

char *command_line_train(const sporf_forest *forest) {
    return console_printed(print_train, forest);
}

/* ---- the given line -------------------------------------------------------------------------- */

static void print_given(FILE *stream, const void *context) {
    static const char *const left_out[] = {"output", "threads", "max-memory"};
    const opt_list *options = context;
    fprintf(stream, "sporf %s", options->verb);
    for (size_t i = 0; i < options->count; i++) {
        int is_shown = options->given[i] != NULL;
        for (size_t k = 0; k < sizeof left_out / sizeof *left_out && is_shown; k++)
            is_shown = strcmp(options->spec[i].name, left_out[k]) != 0;
        if (!is_shown) continue;
        put_option(stream, options->spec[i].name, options->given[i]);
        for (size_t k = 0; k < options->more_count && options->spec[i].repeats; k++)
            put_option(stream, options->spec[i].name, options->more[k]);
    }
}

char *command_line_given(const opt_list *options) {
    return console_printed(print_given, options);
}
