/* Paths are compared by the file they lead to, not by their spelling. */
#include "outputs.h"

#include "cli.h"
#include "out.h"

#include <stddef.h>
#include <string.h>

enum { STANDARD_OUTPUT = 1 }; /* its descriptor */

int outputs_check(const char *verb, const char *path) {
    spf_place place;
    if (!path || strcmp(path, "-") == 0) return EXIT_DONE;
    int error = spf_place_find(path, &place);
    if (error == 0) error = spf_place_check(&place);
    spf_place_free(&place);
    if (error == 0) return EXIT_DONE;
    out_error(verb, "%s: cannot write: %s%s", path, spf_place_error(error),
              error == SPF_READ_ONLY ? "; make it writable or name another one" : "");
    return EXIT_FAILED;
}

/* "-" leads to standard output, as /dev/stdout does. Returns 0 or an errno. */
static int find(const char *path, spf_place *place) {
    return spf_place_find(strcmp(path, "-") == 0 ? "/dev/fd/1" : path, place);
}

static int same(const char *path, const char *other) {
    spf_place one, two;
    if (!path || !other) return 0;
    int found = find(path, &one) == 0, both = find(other, &two) == 0 && found;
    int result = (both && spf_place_same(&one, &two)) || strcmp(path, other) == 0;
    int devices = both && one.kind == SPF_PLACE_OTHER;
    spf_place_free(&one);
    spf_place_free(&two);
    return result && !devices;
}

int outputs_differ(const char *verb, const char *one, const char *path, const char *other,
                   const char *other_path) {
    if (!same(path, other_path)) return EXIT_DONE;
    out_error(verb, "%s and %s are the same file, %s; name another one", one, other, path);
    return EXIT_USAGE;
}

int outputs_not_standard(const char *verb, const char *name, const char *path) {
    spf_place place;
    if (!path) return EXIT_DONE;
    int standard =
        strcmp(path, "-") == 0 || (find(path, &place) == 0 && place.descriptor == STANDARD_OUTPUT);
    if (strcmp(path, "-") != 0) spf_place_free(&place);
    if (!standard) return EXIT_DONE;
    out_error(verb,
              "%s %s: standard output has the report, and both would be mixed; name a file, or a "
              "pipe such as /dev/fd/3",
              name, path);
    return EXIT_USAGE;
}
