/* Lines of a name and a value, so that people can read and compare them. */
#include "settled.h"

#include "base/system.h"
#include "cli.h"
#include "out.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char title[] = "# settings of a forest, from 'sporf train --settle'";

enum { VALUE_MAX = 256, OPTIONS_MAX = 64, ROOM = 1 << 12 };

static int is_settings(const char *path) {
    char start[sizeof title - 1];
    FILE *file = spf_system_read_stream(path);
    size_t count = file ? fread(start, 1, sizeof start, file) : 0;
    if (file) fclose(file);
    return count == sizeof start && memcmp(start, title, sizeof start) == 0;
}

const path_kind path_of_settings = {"settle", "a file of settings", is_settings};

/* Whether a setting shapes the forest. Others are for one run. The method comes first. */
static int is_settled(const sporf_params *params, const char *name) {
    static const char *const of_a_run[] = {"learner",    "threads", "device",
                                           "max-memory", "effort",  "time"};
    for (size_t i = 0; i < sizeof of_a_run / sizeof *of_a_run; i++)
        if (strcmp(name, of_a_run[i]) == 0) return 0;
    return sporf_learner_uses(SPORF_LEARNER_FOREST, name) &&
           sporf_method_uses(params->method, name);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The text of a setting: a copy, or that of class weights or costs, which may be long. */
static int text_of(const char *verb, const sporf_params *params, const char *name,
                   char copy[VALUE_MAX], const char **text) {
    *text = strcmp(name, "class-weights") == 0 ? params->class_weights
            : strcmp(name, "cost") == 0        ? params->cost
                                               : NULL;
    if (*text) return EXIT_DONE;
    sporf_status status = sporf_params_get(params, name, copy, VALUE_MAX);
    *text = copy;
    return status == SPORF_OK ? EXIT_DONE : out_failure(verb, status, NULL);
}

static int write_settings(FILE *stream, const char *verb, const sporf_params *params) {
    char copy[VALUE_MAX];
    const char *text;
    for (size_t i = 0; sporf_option_at(i); i++) {
        const char *name = sporf_option_at(i)->name;
        if (!is_settled(params, name)) continue;
        int code = text_of(verb, params, name, copy, &text);
        if (code != EXIT_DONE) return code;
        if (strpbrk(text, "\r\n")) {
            out_error(verb, "--%s has a line break, which a file of settings cannot hold", name);
            return EXIT_USAGE;
        }
        fprintf(stream, "%s %s\n", name, text);
    }
    return EXIT_DONE;
}

int settled_write(const char *verb, const char *path, const sporf_params *params, uint64_t table) {
    out_file file;
    int code = out_open(&file, verb, path);
    if (code != EXIT_DONE) return code;
    fprintf(file.stream, "%s\nversion %s\ntable %016" PRIx64 "\n", title, sporf_version(), table);
    code = write_settings(file.stream, verb, params);
    int closed = out_close(&file, code == EXIT_DONE);
    return code == EXIT_DONE ? closed : code;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The whole file, with a NUL. */
static char *read_text(FILE *file) {
    size_t size = 0, room = ROOM;
    char *text = malloc(room);
    while (text) {
        size += fread(text + size, 1, room - size - 1, file);
        if (size < room - 1) break;
        char *more = realloc(text, room *= 2);
        if (!more) free(text);
        text = more;
    }
    if (text) text[size] = '\0';
    if (text && (ferror(file) || strlen(text) != size)) *text = '\0'; /* no file of settings */
    return text;
}

static int refuse_open(const char *verb, const char *path, int error) {
    if (error == ENOENT)
        out_error(verb,
                  "--settle %s: there is no such file; run the same command without --part and "
                  "--model first: it chooses the settings and writes them there",
                  path);
    else
        out_error(verb, "--settle %s: cannot read: %s", path, strerror(error));
    return EXIT_FAILED;
}

typedef struct {
    const opt_list *options;
    const char *path;
    sporf_params *params;
    uint64_t *table;
    int has_version, has_table;
    char seen[OPTIONS_MAX]; /* by option */
} reading;

static int refuse_line(const reading *r, const char *name, const char *what) {
    out_error(r->options->verb, "--settle %s: %s %s; settle the settings again", r->path, name,
              what);
    return EXIT_FAILED;
}

/* A setting that an option gives, too, must be the same, or be chosen there. */
static int check_option(const reading *r, const char *name, const char *value) {
    char copy[VALUE_MAX];
    const char *given = opt_value(r->options, name);
    if (!given || strcmp(given, "auto") == 0) return EXIT_DONE;
    int code = text_of(r->options->verb, r->params, name, copy, &given);
    if (code != EXIT_DONE || strcmp(given, value) == 0) return code;
    out_error(r->options->verb, "--%s is %s, but --settle %s has %s; leave the option out", name,
              given, r->path, value);
    return EXIT_USAGE;
}

static int take_version(reading *r, const char *value) {
    r->has_version = 1;
    if (strcmp(value, sporf_version()) == 0) return EXIT_DONE;
    out_error(r->options->verb,
              "--settle %s is of sporf %s, and this is sporf %s; settle the settings again",
              r->path, value, sporf_version());
    return EXIT_FAILED;
}

static int take_table(reading *r, const char *value) {
    char *end;
    *r->table = strtoull(value, &end, 16);
    r->has_table = end == value + 16 && *end == '\0';
    return r->has_table ? EXIT_DONE : refuse_line(r, "table", "is no checksum");
}

static int take_setting(reading *r, const char *name, const char *value) {
    size_t i = 0;
    if (strcmp(name, "version") == 0) return take_version(r, value);
    if (strcmp(name, "table") == 0) return take_table(r, value);
    while (sporf_option_at(i) && strcmp(sporf_option_at(i)->name, name) != 0) i++;
    if (!sporf_option_at(i) || !is_settled(r->params, name))
        return refuse_line(r, name, "is no setting");
    if (r->seen[i]++) return refuse_line(r, name, "is there twice");
    int code = check_option(r, name, value);
    if (code != EXIT_DONE) return code;
    sporf_status status = sporf_params_set(r->params, name, value);
    return status == SPORF_OK ? EXIT_DONE : out_failure(r->options->verb, status, r->path);
}

/* Nothing is filled in. */
static int check_complete(const reading *r) {
    if (!r->has_version) return refuse_line(r, "version", "is missing");
    if (!r->has_table) return refuse_line(r, "table", "is missing");
    for (size_t i = 0; sporf_option_at(i); i++) {
        const char *name = sporf_option_at(i)->name;
        if (is_settled(r->params, name) && !r->seen[i]) return refuse_line(r, name, "is missing");
    }
    return EXIT_DONE;
}

static int refuse_file(const reading *r) {
    out_error(r->options->verb,
              "--settle %s is not a file of settings; 'sporf train ... --settle FILE' writes one",
              r->path);
    return EXIT_FAILED;
}

static int take_line(reading *r, char *line) {
    size_t length = strlen(line);
    char *blank = strchr(line, ' ');
    if (length > 0 && line[length - 1] == '\r') line[length - 1] = '\0';
    if (*line == '#' || *line == '\0') return EXIT_DONE;
    if (!blank) return refuse_line(r, line, "has no value");
    *blank = '\0';
    return take_setting(r, line, blank + 1);
}

static int take_lines(reading *r, char *text) {
    int code = EXIT_DONE;
    if (strncmp(text, title, sizeof title - 1) != 0) return refuse_file(r);
    for (char *line = text, *next; code == EXIT_DONE && line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        code = take_line(r, line);
    }
    return code == EXIT_DONE ? check_complete(r) : code;
}

int settled_read(const opt_list *options, const char *path, sporf_params *params, uint64_t *table,
                 char **text) {
    reading r = {.options = options, .path = path, .params = params, .table = table};
    FILE *file = spf_system_read_stream(path);
    if (!file) return refuse_open(options->verb, path, errno);
    *text = read_text(file);
    fclose(file);
    if (!*text) {
        out_error(options->verb, "out of memory");
        return EXIT_FAILED;
    }
    return take_lines(&r, *text);
}
