/* A group is NAME=C,...: names or numbers of features, or patterns in which * is any text. */
#include "feature_lines.h"

#include "cli.h"
#include "named.h"
#include "printed.h"
#include "table_input.h"
#include "terms.h"

#include <stdlib.h>
#include <string.h>

const opt_spec feature_lines_group = {
    .name = "group",
    .value = "NAME=C,...",
    .listed = 1,
    .help = "lists these features as one line, in place of their own; names, numbers from 1, or "
            "patterns such as pixel*; may be repeated",
};

static int refuse_memory(const opt_list *options) {
    out_error(options->verb, "out of memory for groups of features");
    return EXIT_FAILED;
}

/* Whether text matches a pattern in which * is any text. */
static int matches(const char *pattern, const char *text) {
    const char *star = NULL, *from = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            from = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++from;
        } else {
            return 0;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == '\0';
}

/* ---- members --------------------------------------------------------------------------------- */

/* Marks the features that a pattern matches; returns their number. */
static size_t mark_pattern(const sporf_forest *forest, const char *pattern, unsigned char *in) {
    const sporf_schema *schema = sporf_forest_schema(forest);
    size_t count = 0;
    for (size_t j = 0; j < sporf_forest_features(forest); j++) {
        const char *name = sporf_schema_feature_name(schema, j);
        if (!name || !matches(pattern, name)) continue;
        in[j] = 1;
        count++;
    }
    return count;
}

static int mark_member(const opt_list *options, const sporf_forest *forest, const char *member,
                       unsigned char *in) {
    size_t place = 0;
    if (strchr(member, '*') && mark_pattern(forest, member, in) > 0) return EXIT_DONE;
    if (strchr(member, '*')) {
        out_error(options->verb, "--group: no feature of the model matches '%s'", member);
        return EXIT_USAGE;
    }
    int code = named_feature(options, forest, member, &place);
    if (code == EXIT_DONE) in[place] = 1;
    return code;
}

/* Marks the features of a list; its commas become ends of text. */
static int mark_members(const opt_list *options, const sporf_forest *forest, char *list,
                        unsigned char *in) {
    int code = EXIT_DONE;
    while (list && code == EXIT_DONE) {
        const char *member = input_take_item(&list, ',');
        if (*member == '\0') {
            out_error(options->verb, "--group names a feature without a name; it is "
                                     "--group NAME=C,...");
            return EXIT_USAGE;
        }
        code = mark_member(options, forest, member, in);
    }
    return code;
}

/* ---- groups ---------------------------------------------------------------------------------- */

static int take_members(const opt_list *options, const unsigned char *in, size_t features,
                        sporf_feature_group *group) {
    size_t *list = malloc(features * sizeof *list);
    if (!list) return refuse_memory(options);
    group->features = list;
    for (size_t j = 0; j < features; j++)
        if (in[j]) list[group->count++] = j;
    return EXIT_DONE;
}

static int refuse_double(const opt_list *options, const feature_lines *lines) {
    const char *name = lines->names[lines->named - 1];
    for (size_t i = 0; i + 1 < lines->named; i++) {
        if (strcmp(lines->names[i], name) != 0) continue;
        out_error(options->verb, "--group names '%s' twice; give one of them another name", name);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

static int add_group(const opt_list *options, const char *text, feature_lines *lines,
                     unsigned char *in, unsigned char *grouped) {
    size_t features = sporf_forest_features(lines->forest);
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) {
        out_error(options->verb, "--group must be NAME=C,..., got '%s'", text);
        return EXIT_USAGE;
    }
    char *copy = malloc(strlen(text) + 1);
    if (!copy) return refuse_memory(options);
    strcpy(copy, text);
    copy[equals - text] = '\0';
    lines->names[lines->named++] = copy;
    memset(in, 0, features);
    int code = refuse_double(options, lines);
    if (code == EXIT_DONE)
        code = mark_members(options, lines->forest, copy + (equals - text) + 1, in);
    for (size_t j = 0; j < features; j++) grouped[j] |= in[j];
    return code == EXIT_DONE ? take_members(options, in, features, &lines->groups[lines->count++])
                             : code;
}

int feature_lines_read(const opt_list *options, const sporf_forest *forest, feature_lines *lines) {
    size_t features = sporf_forest_features(forest), groups = options->listed_count;
    unsigned char *marks = calloc(2, features);
    *lines = (feature_lines){.forest = forest};
    lines->groups = calloc(groups + features, sizeof *lines->groups);
    lines->names = calloc(groups + 1, sizeof *lines->names);
    lines->features = malloc(features * sizeof *lines->features);
    int whole = marks && lines->groups && lines->names && lines->features;
    int code = whole ? EXIT_DONE : refuse_memory(options);
    for (size_t i = 0; code == EXIT_DONE && i < groups; i++)
        code = add_group(options, options->listed[i], lines, marks, marks + features);
    for (size_t j = 0; code == EXIT_DONE && j < features; j++) {
        lines->features[j] = j;
        if (!marks[features + j])
            lines->groups[lines->count++] = (sporf_feature_group){&lines->features[j], 1};
    }
    free(marks);
    return code;
}

void feature_lines_free(feature_lines *lines) {
    for (size_t i = 0; i < lines->named; i++) {
        free((void *)lines->groups[i].features);
        free(lines->names[i]);
    }
    free(lines->groups);
    free(lines->names);
    free(lines->features);
    *lines = (feature_lines){0};
}

void feature_lines_print(FILE *stream, const feature_lines *lines, size_t line) {
    char text[256];
    if (line < lines->named) {
        text_printable(text, sizeof text, lines->names[line]);
        fputs(text, stream);
    } else {
        terms_print_feature(stream, lines->forest, (uint32_t)lines->groups[line].features[0]);
    }
}

void feature_lines_csv(FILE *stream, const feature_lines *lines, size_t line) {
    if (line < lines->named)
        text_csv_field(stream, lines->names[line]);
    else
        terms_csv_feature(stream, lines->forest, lines->groups[line].features[0]);
}
