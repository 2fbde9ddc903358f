/* Options that only some methods have a use for: asked for with another one, they would change
 * nothing. */
#include "method_options.h"

#include "cli.h"
#include "out.h"
#include "printed.h"

#include <string.h>

static const struct {
    const char *option, *methods;
} uses[] = {
    {"density", "sporf|frc"}, {"weights", "sporf|frc|patch"}, {"nonzeros", "sporf"},
    {"image-width", "patch"}, {"patch-min", "patch"},         {"patch-max", "patch"},
};

/* The methods that an option is for, parted by bars; NULL: all of them. */
static const char *methods_of(const char *option) {
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (strcmp(uses[i].option, option) == 0) return uses[i].methods;
    return NULL;
}

int method_options_used(const char *method, const char *option) {
    const char *methods = methods_of(option);
    if (!methods || !method) return 1;
    for (size_t length; *methods; methods += length + (methods[length] == '|')) {
        length = strcspn(methods, "|");
        if (strlen(method) == length && strncmp(method, methods, length) == 0) return 1;
    }
    return 0;
}

int method_options_check(const opt_list *options, const sporf_params *params) {
    char method[TEXT_NUMBER];
    if (sporf_params_get(params, "method", method, sizeof method) != SPORF_OK) return EXIT_DONE;
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        const char *name = uses[i].option, *value = opt_value(options, name);
        if (!value || strcmp(value, "auto") == 0 || method_options_used(method, name)) continue;
        out_error(options->verb, "--%s is for --method %s, %s has no use for it; leave it out",
                  name, uses[i].methods, method);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}
