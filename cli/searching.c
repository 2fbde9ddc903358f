/* Lists of amounts are parsed item by item, as the library parses one. */
#include "searching.h"

#include "cli.h"
#include "method_options.h"
#include "out.h"
#include "printed.h"

#include <stdlib.h>
#include <string.h>

void searching_declare(opt_list *options) {
    const opt_spec spec = {.name = "search",
                           .value = "NAME",
                           .range = "race|all",
                           .fallback = "race",
                           .help =
                               "race compares all settings with a part of the trees, drops those "
                               "that are clearly worse than the best, and goes on with more trees; "
                               "all grows every setting to the end, as in the paper"};
    opt_add(options, &spec, 1);
}

static int out_of_memory(const opt_list *options) {
    out_error(options->verb, "out of memory");
    return EXIT_FAILED;
}

/* One item of a list, `length` bytes long. */
static int read_item(const opt_list *options, const char *name, const char *text, size_t length,
                     sporf_amount *amount) {
    sporf_params params;
    char *copy = malloc(length + 1);
    if (!copy) return out_of_memory(options);
    memcpy(copy, text, length);
    copy[length] = '\0';
    sporf_params_init(&params);
    sporf_status status = sporf_params_set(&params, name, copy);
    free(copy);
    if (status != SPORF_OK) return out_failure(options->verb, status, NULL);
    *amount = strcmp(name, "density") == 0 ? params.density : params.projections;
    return EXIT_DONE;
}

static int read_list(const opt_list *options, const char *name, sporf_amount **list,
                     size_t *count) {
    const char *text = opt_value(options, name);
    size_t items = 1;
    if (!text) return EXIT_DONE;
    for (const char *p = text; *p; p++) items += *p == ',';
    *list = calloc(items, sizeof **list);
    if (!*list) return out_of_memory(options);
    for (*count = 0; *count < items; (*count)++) {
        size_t blanks = strspn(text, " "), length = strcspn(text, ",");
        size_t end = length;
        while (end > blanks && text[end - 1] == ' ') end--;
        if (blanks > end) blanks = end;
        int code = read_item(options, name, text + blanks, end - blanks, &(*list)[*count]);
        if (code != EXIT_DONE) return code;
        text += length + 1;
    }
    return EXIT_DONE;
}

int searching_has_density(const sporf_params *params) {
    return sporf_method_uses(params->method, "density");
}

int searching_read(const opt_list *options, searching *s) {
    unsigned way;
    *s = (searching){0};
    sporf_search_options_init(&s->options);
    if (opt_choice(options, "search", &way)) return EXIT_USAGE;
    s->options.way = (sporf_search_way)way;
    int code = read_list(options, "projections", &s->projections, &s->options.projections_count);
    if (code == EXIT_DONE)
        code = read_list(options, "density", &s->densities, &s->options.densities_count);
    s->options.projections = s->projections;
    s->options.densities = s->densities;
    return code;
}

void searching_free(searching *s) {
    free(s->projections);
    free(s->densities);
}

static const char *amount(char *buffer, const char *name, const sporf_trial *setting) {
    sporf_params params;
    sporf_params_init(&params);
    params.projections = setting->projections;
    params.density = setting->density;
    if (sporf_params_get(&params, name, buffer, TEXT_NUMBER) != SPORF_OK) strcpy(buffer, "-");
    return buffer;
}

const char *searching_projections(char *buffer, const sporf_trial *setting) {
    return amount(buffer, "projections", setting);
}

const char *searching_density(char *buffer, const sporf_trial *setting) {
    return amount(buffer, "density", setting);
}

void searching_json(json *writer, const sporf_trial *setting, const outcome *outcome) {
    char text[TEXT_NUMBER];
    json_text(writer, "projections", searching_projections(text, setting));
    json_text(writer, "density", searching_density(text, setting));
    json_count(writer, "d", setting->d);
    json_double(writer, "nonzeros", setting->nonzeros);
    json_count(writer, "trees", setting->trees);
    json_double(writer, outcome->error, setting->error);
    json_double(writer, "auc", setting->auc);
    json_double(writer, "seconds", setting->seconds);
}
