/* The option parser and the help screen. */
#include "opt.h"

#include "out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { HELP_COLUMN = 24, WORD_MAX = 32 };

void opt_add(opt_list *list, const opt_spec *specs, size_t count) {
    for (size_t i = 0; i < count && list->count < OPT_MAX; i++)
        list->spec[list->count++] = specs[i];
}

/* ---- suggestions ----------------------------------------------------------------------------- */

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Edits from a to b: insertions, deletions, changes, swaps of neighbours. The two previous rows are
 * kept, the older one for swaps. */
static size_t edit_distance(const char *a, const char *b) {
    size_t rows[3][WORD_MAX + 1], m = strlen(a), n = strlen(b);
    if (m > WORD_MAX || n > WORD_MAX) return SIZE_MAX;
    for (size_t j = 0; j <= n; j++) rows[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *older = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            row[j] = smaller(above[j], row[j - 1]) + 1;
            row[j] = smaller(row[j], above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = smaller(row[j], older[j - 2] + 1);
        }
    }
    return rows[m % 3][n];
}

const char *opt_nearest(const char *word, const char *const *words, size_t count) {
    const char *nearest = NULL;
    size_t least = SIZE_MAX, length = strlen(word);
    for (size_t i = 0; i < count; i++) {
        int prefix = length > 1 && strncmp(word, words[i], length) == 0;
        size_t distance = prefix ? 1 : edit_distance(word, words[i]);
        if (distance < least) {
            least = distance;
            nearest = words[i];
        }
    }
    return least <= 1 + length / 4 ? nearest : NULL;
}

/* ---- parsing --------------------------------------------------------------------------------- */

static int refuse_unknown(const opt_list *list, const char *word, size_t length) {
    const char *names[OPT_MAX];
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->spec[i].name && !list->spec[i].elsewhere) names[count++] = list->spec[i].name;
    char name[WORD_MAX + 1];
    snprintf(name, sizeof name, "%.*s", (int)smaller(length, WORD_MAX), word);
    const char *nearest = opt_nearest(name, names, count);
    if (nearest)
        out_error(list->verb, "unknown option --%.*s; did you mean --%s?", (int)length, word,
                  nearest);
    else
        out_error(list->verb, "unknown option --%.*s; 'sporf %s --help' lists the options",
                  (int)length, word, list->verb);
    return EXIT_USAGE;
}

static size_t find(const opt_list *list, const char *name, size_t length) {
    for (size_t i = 0; i < list->count; i++) {
        const char *known = list->spec[i].name;
        if (known && strlen(known) == length && memcmp(known, name, length) == 0) return i;
    }
    return OPT_MAX;
}

/* Takes argv[*at], which starts with two dashes, and its value, which may be the next argument. */
static int take_option(opt_list *list, int argc, char **argv, int *at) {
    const char *name = argv[*at] + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    size_t place = find(list, name, length);
    if (place == OPT_MAX) return refuse_unknown(list, name, length);
    const opt_spec *spec = &list->spec[place];
    if (spec->elsewhere) {
        out_error(list->verb, "--%s is not an option of %s: %s", spec->name, list->verb,
                  spec->elsewhere);
        return EXIT_USAGE;
    }
    if (list->given[place] && !spec->repeats && !spec->listed) {
        out_error(list->verb, "--%s is given twice; leave one of them out", spec->name);
        return EXIT_USAGE;
    }
    if (!spec->value && equals) {
        out_error(list->verb, "--%s takes no value, got '%s'", spec->name, equals + 1);
        return EXIT_USAGE;
    }
    int missing = *at + 1 >= argc || strncmp(argv[*at + 1], "--", 2) == 0;
    if (spec->value && !spec->alone && !equals && missing) {
        out_error(list->verb, "--%s needs a value: --%s %s", spec->name, spec->name, spec->value);
        return EXIT_USAGE;
    }
    const char *value = !spec->value ? ""
                        : equals     ? equals + 1
                        : missing    ? spec->alone
                                     : argv[++*at];
    if (spec->listed) list->listed[list->listed_count++] = value;
    if (!list->given[place])
        list->given[place] = value;
    else if (spec->repeats)
        list->more[list->more_count++] = value;
    return EXIT_DONE;
}

/* Further files after the value of an option, as from a shell pattern, each need the option. */
static int refuse_argument(const opt_list *list, const char *argument) {
    size_t i = 0;
    while (i < list->count && !(list->spec[i].repeats && list->given[i])) i++;
    if (i == list->count)
        out_error(list->verb, "'%s' belongs to no option; files are named with --data, --model...",
                  argument);
    else
        out_error(list->verb,
                  "'%s' belongs to no option; of several files each is named: --%s %s --%s %s",
                  argument, list->spec[i].name, list->given[i], list->spec[i].name, argument);
    return EXIT_USAGE;
}

static int takes_many(const opt_list *list) {
    return strstr(list->argument_name, "...") != NULL;
}

static int take_argument(opt_list *list, const char *argument) {
    if (argument[0] == '-' && argument[1] != '\0') {
        out_error(list->verb, "unknown option %s; 'sporf %s --help' lists the options", argument,
                  list->verb);
        return EXIT_USAGE;
    }
    if (!list->argument_name) return refuse_argument(list, argument);
    list->arguments[list->arguments_count++] = argument;
    if (list->argument && !takes_many(list)) {
        out_error(list->verb, "only one %s is taken, got '%s' and '%s'", list->argument_name,
                  list->argument, argument);
        return EXIT_USAGE;
    }
    if (!list->argument) list->argument = argument;
    return EXIT_DONE;
}

static int asks_for_help(int argc, char **argv) {
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return 1;
    return 0;
}

static int check_required(const opt_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        const opt_spec *spec = &list->spec[i];
        if (!spec->name || !spec->required || list->given[i]) continue;
        if (spec->unless && opt_value(list, spec->unless)) continue;
        out_error(list->verb, "--%s is missing: --%s %s, %s", spec->name, spec->name, spec->value,
                  spec->help);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

int opt_parse(opt_list *list, int argc, char **argv) {
    list->help = asks_for_help(argc, argv);
    if (list->help) return EXIT_DONE;
    list->more = malloc((size_t)(argc + 1) * sizeof *list->more);
    list->listed = malloc((size_t)(argc + 1) * sizeof *list->listed);
    list->arguments = malloc((size_t)(argc + 1) * sizeof *list->arguments);
    int code = list->more && list->listed && list->arguments ? EXIT_DONE : EXIT_FAILED;
    if (code != EXIT_DONE) out_error(list->verb, "out of memory");
    for (int i = 0; i < argc && code == EXIT_DONE; i++) {
        if (strncmp(argv[i], "--", 2) == 0)
            code = take_option(list, argc, argv, &i);
        else
            code = take_argument(list, argv[i]);
    }
    return code == EXIT_DONE ? check_required(list) : code;
}

void opt_free(opt_list *list) {
    free(list->more);
    free(list->listed);
    free(list->arguments);
}

/* ---- values ---------------------------------------------------------------------------------- */

const char *opt_value(const opt_list *list, const char *name) {
    size_t place = find(list, name, strlen(name));
    return place == OPT_MAX ? NULL : list->given[place];
}

int opt_choice(const opt_list *list, const char *name, unsigned *place) {
    size_t at = find(list, name, strlen(name));
    const opt_spec *spec = &list->spec[at];
    const char *value = list->given[at] ? list->given[at] : spec->fallback;
    size_t length = strlen(value);
    *place = 0;
    for (const char *word = spec->range; word; word = strchr(word, '|'), (*place)++) {
        if (*word == '|') word++;
        if (strcspn(word, "|") == length && strncmp(word, value, length) == 0) return EXIT_DONE;
    }
    out_error(list->verb, "--%s must be one of %s, got '%s'", name, spec->range, value);
    return EXIT_USAGE;
}

int opt_count(const opt_list *list, const char *name, uint64_t least, uint64_t *number) {
    const char *value = opt_value(list, name);
    if (!value) return EXIT_DONE;
    char *end = NULL;
    errno = 0;
    unsigned long long parsed = strtoull(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 || parsed < least) {
        out_error(list->verb, "--%s must be a whole number, at least %llu, got '%s'", name,
                  (unsigned long long)least, value);
        return EXIT_USAGE;
    }
    *number = parsed;
    return EXIT_DONE;
}

/* ---- help ------------------------------------------------------------------------------------ */

void opt_wrap(FILE *stream, const char *text, size_t at, size_t indent) {
    size_t column = at;
    while (*text) {
        size_t length = strcspn(text, " ");
        if (column > at && column + 1 + length > OPT_COLUMNS) {
            fprintf(stream, "\n%*s", (int)indent, "");
            column = at = indent;
        } else if (column > at) {
            fputc(' ', stream);
            column++;
        }
        fprintf(stream, "%.*s", (int)length, text);
        column += length;
        text += length + strspn(text + length, " ");
    }
    fputc('\n', stream);
}

/* The help, with range and default in brackets. */
static void compose_help(const opt_spec *spec, char *text, size_t size) {
    const char *range = spec->range ? spec->range : "", *fallback = spec->fallback;
    if (spec->range && fallback)
        snprintf(text, size, "%s [%s; default %s]", spec->help, range, fallback);
    else if (spec->range)
        snprintf(text, size, "%s [%s]", spec->help, range);
    else if (fallback)
        snprintf(text, size, "%s [default %s]", spec->help, fallback);
    else
        snprintf(text, size, "%s", spec->help);
}

static void print_option(FILE *stream, const opt_spec *spec) {
    char left[64], text[1024];
    const char *value = spec->value ? spec->value : "";
    const char *before = spec->alone ? " [" : *value ? " " : "", *after = spec->alone ? "]" : "";
    int width = snprintf(left, sizeof left, "  --%s%s%s%s", spec->name, before, value, after);
    compose_help(spec, text, sizeof text);
    if (width + 2 > HELP_COLUMN)
        fprintf(stream, "%s\n%*s", left, HELP_COLUMN, "");
    else
        fprintf(stream, "%-*s", HELP_COLUMN, left);
    opt_wrap(stream, text, HELP_COLUMN, HELP_COLUMN);
}

void opt_print(FILE *stream, const opt_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->spec[i].elsewhere) continue;
        if (list->spec[i].name)
            print_option(stream, &list->spec[i]);
        else
            fprintf(stream, "\n%s:\n", list->spec[i].help);
    }
}
