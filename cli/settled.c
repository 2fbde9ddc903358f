/* Lines of a name and a value, so that people can read and compare them. */
#include "settled.h"

#include "cli.h"
#include "out.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char title[] = "# settings of a forest, from 'sporf train --settle'";

enum { VALUE_MAX = 1 << 16 };

/* Whether a setting shapes the forest. Others are for one run. */
static int is_settled(const sporf_params *params, const char *name) {
    static const char *const of_a_run[] = {"learner", "threads", "max-memory", "effort"};
    for (size_t i = 0; i < sizeof of_a_run / sizeof *of_a_run; i++)
        if (strcmp(name, of_a_run[i]) == 0) return 0;
    return sporf_learner_uses(SPORF_LEARNER_FOREST, name) &&
           sporf_method_uses(params->method, name);
}

/* ---- writing --------------------------------------------------------------------------------- */

static int write_settings(FILE *stream, const char *verb, const sporf_params *params) {
    static char value[VALUE_MAX];
    for (size_t i = 0; sporf_option_at(i); i++) {
        const char *name = sporf_option_at(i)->name;
        if (!is_settled(params, name)) continue;
        sporf_status status = sporf_params_get(params, name, value, sizeof value);
        if (status != SPORF_OK) return out_failure(verb, status, NULL);
        fprintf(stream, "%s %s\n", name, value);
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
    size_t size = 0, room = VALUE_MAX;
    char *text = malloc(room);
    while (text) {
        size += fread(text + size, 1, room - size - 1, file);
        if (size < room - 1) break;
        char *more = realloc(text, room *= 2);
        if (!more) free(text);
        text = more;
    }
    if (text) text[size] = '\0';
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
    int has_table;
} reading;

/* A setting that an option gives, too, must be the same. */
static int check_option(const reading *r, const char *name, const char *value) {
    static char given[VALUE_MAX];
    if (!opt_value(r->options, name)) return EXIT_DONE;
    sporf_status status = sporf_params_get(r->params, name, given, sizeof given);
    if (status != SPORF_OK) return out_failure(r->options->verb, status, NULL);
    if (strcmp(given, value) == 0) return EXIT_DONE;
    out_error(r->options->verb, "--%s is %s, but --settle %s has %s; leave the option out", name,
              given, r->path, value);
    return EXIT_USAGE;
}

static int take_setting(reading *r, const char *name, const char *value) {
    const char *verb = r->options->verb;
    if (strcmp(name, "table") == 0) {
        r->has_table = sscanf(value, "%16" SCNx64, r->table) == 1;
        return EXIT_DONE;
    }
    if (strcmp(name, "version") == 0) {
        if (strcmp(value, sporf_version()) == 0) return EXIT_DONE;
        out_error(verb, "--settle %s is of sporf %s, and this is sporf %s; settle them again",
                  r->path, value, sporf_version());
        return EXIT_FAILED;
    }
    int code = check_option(r, name, value);
    if (code != EXIT_DONE) return code;
    sporf_status status = sporf_params_set(r->params, name, value);
    return status == SPORF_OK ? EXIT_DONE : out_failure(verb, status, r->path);
}

static int refuse_file(const reading *r) {
    out_error(r->options->verb,
              "--settle %s is not a file of settings; 'sporf train ... --settle FILE' writes one",
              r->path);
    return EXIT_FAILED;
}

static int take_lines(reading *r, char *text) {
    int code = EXIT_DONE;
    if (strncmp(text, title, sizeof title - 1) != 0) return refuse_file(r);
    for (char *line = text, *next; code == EXIT_DONE && line && *line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        char *blank = strchr(line, ' ');
        if (*line == '#' || *line == '\0') continue;
        if (!blank) return refuse_file(r);
        *blank = '\0';
        code = take_setting(r, line, blank + 1);
    }
    return code == EXIT_DONE && !r->has_table ? refuse_file(r) : code;
}

int settled_read(const opt_list *options, const char *path, sporf_params *params, uint64_t *table,
                 char **text) {
    reading r = {.options = options, .path = path, .params = params, .table = table};
    FILE *file = fopen(path, "rb");
    if (!file) return refuse_open(options->verb, path, errno);
    *text = read_text(file);
    fclose(file);
    if (!*text) {
        out_error(options->verb, "out of memory");
        return EXIT_FAILED;
    }
    return take_lines(&r, *text);
}
