/* A path is refused if it cannot be written, and if a file of another kind would be lost. */
#include "model_path.h"

#include "base/place.h"
#include "base/system.h"
#include "cli.h"
#include "out.h"
#include "table_input.h"

#include <stdio.h>
#include <string.h>

enum { PART_VERSION = 5 };

/* The format version of a model file, which follows magic and checksum; 0 if it is none. */
static uint32_t version_of(const char *path) {
    static const char magic[] = "\x89SPORF";
    unsigned char start[20];
    FILE *file = spf_system_read_stream(path);
    size_t count = file ? fread(start, 1, sizeof start, file) : 0;
    if (file) fclose(file);
    if (count < sizeof magic - 1 || memcmp(start, magic, sizeof magic - 1) != 0) return 0;
    return count == sizeof start ? start[16] | (uint32_t)start[17] << 8 : 1;
}

static int is_model(const char *path) {
    uint32_t version = version_of(path);
    return version > 0 && version != PART_VERSION;
}

static int is_part(const char *path) {
    return version_of(path) == PART_VERSION;
}

const path_kind path_of_model = {"model", "a sporf model", is_model};
const path_kind path_of_part = {"model", "a part of a forest", is_part};

static int refuse(const char *verb, const path_kind *kind, const char *path, int error) {
    if (error == SPF_READ_ONLY)
        out_error(verb, "--%s %s: the file is read-only; make it writable or name another one",
                  kind->option, path);
    else
        out_error(verb, "--%s %s: cannot write: %s", kind->option, path, spf_place_error(error));
    return EXIT_FAILED;
}

static int check_place(const char *verb, const path_kind *kind, const char *path,
                       const spf_place *place) {
    int regular = place->kind == SPF_PLACE_FILE || place->kind == SPF_PLACE_NEW;
    if (!regular) {
        out_error(verb, "--%s %s is %s; name a file", kind->option, path,
                  place->kind == SPF_PLACE_DIRECTORY ? "a directory" : "not a regular file");
        return EXIT_FAILED;
    }
    int error = spf_place_check(place), length = (int)spf_place_directory(place->target);
    if (error == 0 || error == SPF_READ_ONLY)
        return error == 0 ? EXIT_DONE : refuse(verb, kind, path, error);
    out_error(verb, "--%s %s: cannot write to the directory %.*s: %s", kind->option, path,
              length > 0 ? length : 1, length > 0 ? place->target : ".", spf_place_error(error));
    return EXIT_FAILED;
}

static int check_content(const char *verb, const path_kind *kind, const char *path,
                         const spf_place *place) {
    if (place->kind != SPF_PLACE_FILE || place->info.size == 0 || kind->is_one(path))
        return EXIT_DONE;
    out_error(verb, "--%s %s exists and is not %s; remove it or name another file", kind->option,
              path, kind->name);
    return EXIT_FAILED;
}

int path_check(const opt_list *options, const path_kind *kind) {
    const char *verb = options->verb, *path = opt_value(options, kind->option);
    spf_place place;
    if (*path == '\0' || strcmp(path, "-") == 0) {
        out_error(verb, "--%s must name a file, got '%s'", kind->option, path);
        return EXIT_USAGE;
    }
    int error = spf_place_find(path, &place);
    int code = error == 0 ? input_protect(options, kind->option) : refuse(verb, kind, path, error);
    if (code == EXIT_DONE) code = check_content(verb, kind, path, &place);
    if (code == EXIT_DONE) code = check_place(verb, kind, path, &place);
    spf_place_free(&place);
    return code;
}

int model_path_check(const opt_list *options) {
    return path_check(options, &path_of_model);
}
