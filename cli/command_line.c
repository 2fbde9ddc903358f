/* Command lines that make a thing again. */
#include "command_line.h"

#include "console.h"
#include "method_options.h"

#include <string.h>

/* A word of a shell, in quotes if it needs them. */
static void put_word(FILE *stream, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "._:,=+-/^%@";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, stream);
        return;
    }
    fputc('\'', stream);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", stream);
        else
            fputc(*word, stream);
    }
    fputc('\'', stream);
}

static void put_option(FILE *stream, const char *name, const char *value) {
    fprintf(stream, " --%s", name);
    if (!*value) return;
    fputc(' ', stream);
    put_word(stream, value);
}

/* ---- training -------------------------------------------------------------------------------- */

static const char *setting(const sporf_forest *forest, const char *name) {
    const char *value = sporf_forest_setting(forest, name);
    return value ? value : "";
}

/* An option that training takes only with a value of another one. */
static int is_refused(const sporf_forest *forest, const char *name) {
    if (strcmp(name, "quantile") == 0) return strcmp(setting(forest, "loss"), "quantile") != 0;
    if (strcmp(name, "patience") == 0) return strcmp(setting(forest, "valid"), "0") == 0;
    return strcmp(name, "learner") == 0; /* a verb of its own */
}

/* Whether the learner and the method use an option whose value is not the default. */
static int is_needed(const sporf_forest *forest, const sporf_option *option, const char *value) {
    sporf_boosting boosting;
    sporf_learner learner =
        sporf_forest_boosting(forest, &boosting) ? SPORF_LEARNER_BOOSTING : SPORF_LEARNER_FOREST;
    if (!sporf_learner_uses(learner, option->name) || is_refused(forest, option->name) ||
        !method_options_used(setting(forest, "method"), option->name))
        return 0;
    return strcmp(option->name, "seed") == 0 || strcmp(value, option->default_value) != 0;
}

static void put_settings(FILE *stream, const sporf_forest *forest) {
    const sporf_option *option;
    int found_enough = strcmp(setting(forest, "stopped"), "enough") == 0;
    for (size_t i = 0; (option = sporf_option_at(i)); i++) {
        const char *value = sporf_forest_setting(forest, option->name);
        if (found_enough && strcmp(option->name, "trees") == 0) value = "auto";
        if (value && is_needed(forest, option, value)) put_option(stream, option->name, value);
    }
}

/* Settings of the table. */
static void put_table(FILE *stream, const sporf_forest *forest) {
    static const char *const names[] = {"weight", "decimal"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (*setting(forest, names[i])) put_option(stream, names[i], setting(forest, names[i]));
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
        if (t == 0) {
            put_option(stream, labels ? "labels" : "target", name);
        } else {
            fputc(',', stream);
            put_word(stream, name);
        }
}

static void print_train(FILE *stream, const void *context) {
    const sporf_forest *forest = context;
    sporf_boosting boosting;
    fputs(sporf_forest_boosting(forest, &boosting) ? "sporf boost" : "sporf train", stream);
    fputs(" --data TABLE", stream);
    put_truth(stream, forest);
    put_table(stream, forest);
    put_settings(stream, forest);
    fputs(" --model MODEL", stream);
}

char *command_line_train(const sporf_forest *forest) {
    return console_printed(print_train, forest);
}

/* ---- the given line -------------------------------------------------------------------------- */

static void print_given(FILE *stream, const void *context) {
    static const char *const left_out[] = {"output", "threads", "device", "max-memory"};
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
    fputs(" --output report.html", stream);
}

char *command_line_given(const opt_list *options) {
    return console_printed(print_given, options);
}
