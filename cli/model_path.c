/* A path is refused if it cannot be written, and if a file that is not a model would be lost. */
#include "model_path.h"

#include "base/place.h"
#include "cli.h"
#include "out.h"
#include "table_input.h"

#include <stdio.h>
#include <string.h>

/* Whether a file begins like a model file of any version. */
static int is_model(const char *path) {
    static const char magic[] = "\x89SPORF";
    char start[sizeof magic - 1];
    FILE *file = fopen(path, "rb");
    size_t count = file ? fread(start, 1, sizeof start, file) : 0;
    if (file) fclose(file);
    return count == sizeof start && memcmp(start, magic, sizeof start) == 0;
}

static int refuse(const char *verb, const char *model, int error) {
    if (error == SPF_READ_ONLY)
        out_error(verb, "--model %s: the file is read-only; make it writable or name another one",
                  model);
    else
        out_error(verb, "--model %s: cannot write: %s", model, spf_place_error(error));
    return EXIT_FAILED;
}

static int check_place(const char *verb, const char *model, const spf_place *place) {
    int regular = place->kind == SPF_PLACE_FILE || place->kind == SPF_PLACE_NEW;
    if (!regular) {
        out_error(verb, "--model %s is %s; name a file", model,
                  place->kind == SPF_PLACE_DIRECTORY ? "a directory" : "not a regular file");
        return EXIT_FAILED;
    }
    int error = spf_place_check(place), length = (int)spf_place_directory(place->target);
    if (error == 0 || error == SPF_READ_ONLY)
        return error == 0 ? EXIT_DONE : refuse(verb, model, error);
    out_error(verb, "--model %s: cannot write to the directory %.*s: %s", model,
              length > 0 ? length : 1, length > 0 ? place->target : ".", spf_place_error(error));
    return EXIT_FAILED;
}

static int check_content(const char *verb, const char *model, const spf_place *place) {
    if (place->kind != SPF_PLACE_FILE || place->info.st_size == 0 || is_model(model))
        return EXIT_DONE;
    out_error(verb, "--model %s exists and is not a sporf model; remove it or name another file",
              model);
    return EXIT_FAILED;
}

int model_path_check(const opt_list *options) {
    const char *verb = options->verb, *model = opt_value(options, "model");
    spf_place place;
    if (*model == '\0' || strcmp(model, "-") == 0) {
        out_error(verb, "--model must name a file, got '%s'", model);
        return EXIT_USAGE;
    }
    int error = spf_place_find(model, &place);
    int code = error == 0 ? input_protect(options, "model") : refuse(verb, model, error);
    if (code == EXIT_DONE) code = check_content(verb, model, &place);
    if (code == EXIT_DONE) code = check_place(verb, model, &place);
    spf_place_free(&place);
    return code;
}
