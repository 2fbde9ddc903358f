/* Refuses options that the method does not use, since they would change nothing. */
#include "method_options.h"

#include "cli.h"
#include "out.h"

#include <stdio.h>
#include <string.h>

int method_options_used(const char *method, const char *option) {
    const sporf_method_info *info;
    for (size_t i = 0; method && (info = sporf_method_at(i)); i++)
        if (strcmp(info->name, method) == 0) return sporf_method_uses((sporf_method)i, option);
    return 1;
}

/* The methods that use an option, separated by bars. */
static const char *methods_of(const char *option, char *text, size_t size) {
    const sporf_method_info *info;
    size_t used = 0;
    for (size_t i = 0; used < size && (info = sporf_method_at(i)); i++)
        if (sporf_method_uses((sporf_method)i, option))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "|" : "", info->name);
    return text;
}

int method_options_check(const opt_list *options, const sporf_params *params) {
    char methods[256];
    const sporf_option *option;
    for (size_t i = 0; (option = sporf_option_at(i)); i++) {
        const char *name = option->name, *value = opt_value(options, name);
        if (!value || strcmp(value, "auto") == 0 || sporf_method_uses(params->method, name))
            continue;
        out_error(options->verb, "--%s is for --method %s, %s does not use it; leave it out", name,
                  methods_of(name, methods, sizeof methods), sporf_method_at(params->method)->name);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}
