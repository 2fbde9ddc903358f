/* sporf export: a model as C source to build into other programs. */
#include "base/place.h"
#include "base/system.h"
#include "cli.h"
#include "decision_report.h"
#include "export_c.h"
#include "out.h"
#include "outputs.h"
#include "printed.h"
#include "summary.h"
#include "table_input.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char verb[] = "export";
static const char default_limit[] = "64M";

typedef struct {
    const char *source; /* path of the source */
    char *header;       /* path of the header */
    uint64_t limit;     /* bytes of source; 0 for none */
    sporf_forest *forest;
    export_c plan;
} work;

static void declare(opt_list *options) {
    const opt_spec specs[] = {
        {.help = "Options"},
        {.name = "c", .help = "write C99 source and header (required)"},
        {.name = "model", .value = "M", .required = 1, .help = "the model file"},
        {.name = "output",
         .value = "F.c",
         .required = 1,
         .help = "the source file to write; the header F.h is written beside it"},
        {.name = "name",
         .value = "NAME",
         .help =
             "prefix of the functions, as in NAME_predict [default: the name of the source file]"},
        {.name = "max-size",
         .value = "SIZE",
         .range = "bytes, or with K, M or G; 0 for no limit",
         .fallback = default_limit,
         .help = "do not write a source file that may be larger"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
}

/* ---- options --------------------------------------------------------------------------------- */

static int check_language(const opt_list *options) {
    if (opt_value(options, "c")) return EXIT_DONE;
    out_error(verb, "--c is required: C is the only export format");
    return EXIT_USAGE;
}

/* Whether a name can be quoted in an #include. */
static int is_quotable(const char *name) {
    for (; *name; name++)
        if (*name == '"' || *name == '\\' || iscntrl((unsigned char)*name)) return 0;
    return 1;
}

static int name_files(const opt_list *options, work *w) {
    w->source = opt_value(options, "output");
    const char *file = w->source + spf_place_directory(w->source);
    size_t length = strlen(file);
    if (length < 3 || strcmp(file + length - 2, ".c") != 0 || !is_quotable(file)) {
        out_error(verb,
                  "--output must name a C source, as in forest.c, without quotes, got '%s'; the "
                  "header goes beside it",
                  w->source);
        return EXIT_USAGE;
    }
    w->header = strdup(w->source);
    if (!w->header) {
        out_error(verb, "out of memory");
        return EXIT_FAILED;
    }
    w->header[strlen(w->header) - 1] = 'h';
    w->plan.header = w->header + (file - w->source);
    return EXIT_DONE;
}

static int is_name(const char *name) {
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || name[length] == '_') length++;
    return isalpha((unsigned char)name[0]) && !name[length] && length < EXPORT_NAME;
}

/* The file's name without its extension, with underscores for characters that C names cannot
 * have. */
static void derive_name(const char *file, char *name) {
    snprintf(name, EXPORT_NAME, "%.*s", (int)strlen(file) - 2, file);
    for (; *name; name++)
        if (!isalnum((unsigned char)*name)) *name = '_';
}

static int name_functions(const opt_list *options, work *w) {
    const char *given = opt_value(options, "name");
    char *name = w->plan.name, *macro = w->plan.macro;
    if (given)
        snprintf(name, EXPORT_NAME, "%s", given);
    else
        derive_name(w->plan.header, name);
    if (!is_name(given ? given : name)) {
        out_error(
            verb,
            "--name must be a C identifier of at most %d characters that starts with a letter, "
            "got '%s'%s",
            EXPORT_NAME - 1, given ? given : name,
            given ? "" : " from the name of the source; give another with --name");
        return EXIT_USAGE;
    }
    for (size_t i = 0; name[i]; i++) macro[i] = (char)toupper((unsigned char)name[i]);
    return EXIT_DONE;
}

static int read_limit(const opt_list *options, work *w) {
    const char *value = opt_value(options, "max-size");
    sporf_params params;
    sporf_params_init(&params);
    if (sporf_params_set(&params, "max-memory", value ? value : default_limit) != SPORF_OK) {
        out_error(verb, "max-size must be bytes, or with K, M or G; 0 for no limit, got '%s'",
                  value);
        return EXIT_USAGE;
    }
    w->limit = params.max_memory;
    return EXIT_DONE;
}

static int protect_model(const opt_list *options, const work *w) {
    const char *model = opt_value(options, "model");
    if (!input_same_file(model, w->header)) return input_protect(options, "output");
    out_error(verb,
              "the header and --model are the same file, %s, which would be lost; name another "
              "--output",
              w->header);
    return EXIT_USAGE;
}

/* ---- work ------------------------------------------------------------------------------------ */

/* A file written by hand must not be overwritten because of a typing error. */
static int protect_own(const char *path, const char *beginning) {
    char start[128] = {0};
    spf_file_info info;
    if (spf_system_look(path, &info) != 0 || info.kind != SPF_FILE_REGULAR || info.size == 0)
        return EXIT_DONE;
    FILE *file = spf_system_read_stream(path);
    if (file) {
        start[fread(start, 1, strlen(beginning), file)] = '\0';
        fclose(file);
    }
    if (strcmp(start, beginning) == 0) return EXIT_DONE;
    out_error(verb, "%s exists and was not written by sporf export; delete it or name another file",
              path);
    return EXIT_USAGE;
}

static int protect_files(const work *w) {
    int code = outputs_differ(verb, "the source", w->source, "the header", w->header);
    if (code == EXIT_DONE) code = protect_own(w->source, EXPORT_SOURCE_BEGINS);
    return code == EXIT_DONE ? protect_own(w->header, EXPORT_HEADER_BEGINS) : code;
}

static int load(const opt_list *options, work *w) {
    sporf_status status = sporf_forest_load(opt_value(options, "model"), &w->forest);
    if (status != SPORF_OK) return out_failure(verb, status, NULL);
    if (decision_is_own(w->forest)) {
        out_error(verb,
                  "the model decides by --%s which class it predicts, and exported source cannot; "
                  "export a model that was trained without it, and decide by its probabilities",
                  sporf_forest_setting(w->forest, "cost") ? "cost" : "recall");
        return EXIT_FAILED;
    }
    w->plan.forest = w->forest;
    return export_tables_fill(&w->plan.tables, w->forest, verb);
}

static int check_size(const work *w) {
    char size[TEXT_NUMBER], limit[TEXT_NUMBER];
    uint64_t bytes = export_c_size(&w->plan);
    if (w->limit == 0 || bytes <= w->limit) return EXIT_DONE;
    uint64_t enough = (bytes >> 20) + 1;
    out_error(verb,
              "%s may take %s, more than the %s that --max-size allows; raise it with --max-size "
              "%lluM if your compiler can take that much, or train fewer or smaller trees",
              w->source, text_bytes(size, bytes), text_bytes(limit, w->limit),
              (unsigned long long)enough);
    return EXIT_FAILED;
}

/* Neither file is replaced before both are on disk. */
static int write_files(const work *w) {
    out_file source, header;
    int code = out_open(&source, verb, w->source);
    if (code != EXIT_DONE) return code;
    code = out_open(&header, verb, w->header);
    if (code != EXIT_DONE) {
        out_close(&source, 0);
        return code;
    }
    export_c_source(&source, &w->plan);
    export_c_header(&header, &w->plan);
    return out_close_both(&source, &header);
}

static int report(const work *w) {
    out_file file;
    char size[TEXT_NUMBER];
    out_open(&file, verb, NULL);
    summary_line(file.stream, "source", "%s (%s)", w->source,
                 text_bytes(size, summary_file_bytes(w->source)));
    summary_line(file.stream, "header", "%s, which declares %s_predict", w->header, w->plan.name);
    return out_close(&file, 1);
}

static int run(const opt_list *options) {
    work w = {0};
    int code = check_language(options);
    if (code == EXIT_DONE) code = name_files(options, &w);
    if (code == EXIT_DONE) code = name_functions(options, &w);
    if (code == EXIT_DONE) code = read_limit(options, &w);
    if (code == EXIT_DONE) code = protect_model(options, &w);
    if (code == EXIT_DONE) code = protect_files(&w);
    if (code == EXIT_DONE) code = load(options, &w);
    if (code == EXIT_DONE) code = check_size(&w);
    if (code == EXIT_DONE) code = write_files(&w);
    if (code == EXIT_DONE) code = report(&w);
    export_tables_free(&w.plan.tables);
    sporf_forest_free(w.forest);
    free(w.header);
    return code;
}

const cli_verb cmd_export = {
    .name = verb,
    .summary = "writes a model as C source that needs no library",
    .usage = "sporf export --c --model M --output F.c [--name NAME] [--max-size SIZE]",
    .text =
        "Writes a model as C99 source, constant tables and functions, and a header. They need no "
        "library and allocate nothing. NAME_predict returns the same as 'sporf predict', for every "
        "row; NAME_level returns the index of a category's level. The header explains the rest.",
    .example = "  sporf export --c --model iris.sporf --output iris.c\n"
               "  cc -O2 -c iris.c\n",
    .declare = declare,
    .run = run,
};
