/* Refuses options that the learner or the method does not use, since they would change nothing. */
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

static int refuse_learner(const opt_list *options, const char *name, sporf_learner learner) {
    static const char *const names[] = {"forest", "boosting"};
    out_error(options->verb, "--%s is for --learner %s, %s does not use it; leave it out", name,
              names[learner == SPORF_LEARNER_FOREST], names[learner]);
    return EXIT_USAGE;
}

static int refuse_method(const opt_list *options, const char *name, sporf_method method) {
    char methods[256];
    out_error(options->verb, "--%s is for --method %s, %s does not use it; leave it out", name,
              methods_of(name, methods, sizeof methods), sporf_method_at(method)->name);
    return EXIT_USAGE;
}

/* Options of boosting that change nothing without another one. */
static int check_companions(const opt_list *options, const sporf_params *params) {
    if (opt_value(options, "quantile") && params->loss != SPORF_LOSS_QUANTILE) {
        out_error(options->verb, "--quantile is for --loss quantile; add that, or leave it out");
        return EXIT_USAGE;
    }
    if (opt_value(options, "patience") && opt_value(options, "valid") && params->valid == 0) {
        out_error(options->verb, "--patience needs held-out rows, and --valid 0 holds out none; "
                                 "leave one of them out");
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

int method_options_check(const opt_list *options, const sporf_params *params) {
    const sporf_option *option;
    for (size_t i = 0; (option = sporf_option_at(i)); i++) {
        const char *name = option->name, *value = opt_value(options, name);
        if (!value || strcmp(value, "auto") == 0) continue;
        if (!sporf_learner_uses(params->learner, name))
            return refuse_learner(options, name, params->learner);
        if (!sporf_method_uses(params->method, name))
            return refuse_method(options, name, params->method);
    }
    return check_companions(options, params);
}
