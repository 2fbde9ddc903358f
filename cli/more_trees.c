/* The old model, and how many trees it lacks. */
#include "more_trees.h"

#include "cli.h"
#include "out.h"

void extend_declare(opt_list *options) {
    const opt_spec spec = {
        .name = "extend",
        .value = "OLD",
        .help = "add trees to this model (warm start): --trees is the new total; the other "
                "settings are the model's, and the data must be those it was trained on"};
    opt_add(options, &spec, 1);
}

int extend_load(const opt_list *options, sporf_forest **old) {
    const char *path = opt_value(options, "extend");
    if (!path) return EXIT_DONE;
    if (!opt_value(options, "trees")) {
        out_error(options->verb, "--extend %s needs --trees N: the total number of trees", path);
        return EXIT_USAGE;
    }
    sporf_status status = sporf_forest_load(path, old);
    return status == SPORF_OK ? EXIT_DONE : out_failure(options->verb, status, NULL);
}

size_t extend_trees(const sporf_forest *old, const sporf_params *params) {
    size_t kept = old ? sporf_forest_trees(old) : 0;
    return params->trees > kept ? params->trees - kept : 0;
}
