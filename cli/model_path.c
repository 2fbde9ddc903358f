/* A path is refused where nothing can be written, and where something else than a model would be
 * lost. */
#include "model_path.h"

#include "cli.h"
#include "input.h"
#include "out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int check_directory(const char *verb, const char *model) {
    const char *slash = strrchr(model, '/');
    char *directory = slash ? strndup(model, (size_t)(slash - model) + 1) : strdup(".");
    if (!directory) {
        out_error(verb, "out of memory");
        return EXIT_FAILED;
    }
    int code = EXIT_DONE;
    if (access(directory, W_OK | X_OK) != 0) {
        out_error(verb, "--model %s: cannot write to the directory %s: %s", model, directory,
                  strerror(errno));
        code = EXIT_FAILED;
    }
    free(directory);
    return code;
}

/* Whether a file begins as model files do, whatever their version. */
static int is_model(const char *path) {
    static const char magic[] = "\x89SPORF";
    char start[sizeof magic - 1];
    FILE *file = fopen(path, "rb");
    size_t count = file ? fread(start, 1, sizeof start, file) : 0;
    if (file) fclose(file);
    return count == sizeof start && memcmp(start, magic, sizeof start) == 0;
}

int model_path_check(const opt_list *options) {
    const char *verb = options->verb, *model = opt_value(options, "model");
    struct stat old = {0};
    if (*model == '\0' || strcmp(model, "-") == 0) {
        out_error(verb, "--model must name a file, got '%s'", model);
        return EXIT_USAGE;
    }
    if (stat(model, &old) == 0 && !S_ISREG(old.st_mode)) {
        out_error(verb, "--model %s is %s; name a file", model,
                  S_ISDIR(old.st_mode) ? "a directory" : "not a regular file");
        return EXIT_FAILED;
    }
    int code = input_protect(options, "model");
    if (code != EXIT_DONE) return code;
    if (S_ISREG(old.st_mode) && old.st_size > 0 && !is_model(model)) {
        out_error(verb,
                  "--model %s exists and is not a sporf model; remove it or name another file",
                  model);
        return EXIT_FAILED;
    }
    return check_directory(verb, model);
}
