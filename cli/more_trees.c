/* The old model, and how many trees it lacks. */
#include "more_trees.h"

#include "cli.h"
#include "out.h"

/* A learner in the words of --extend, by sporf_learner. */
static const struct {
    const char *help;
    const char *total; /* the option of the new total, and what it counts */
    const char *other; /* what a model of the other learner is, and who takes it */
} learners[] = {
    {"add trees to this model (warm start): --trees is the new total; the other settings are the "
     "model's, and the data must be those it was trained on",
     "trees", "a boosted model: 'sporf boost --extend' adds rounds to it"},
    {"add rounds to this boosted model (warm start): --rounds is the new maximum; the other "
     "settings are the model's, and the data must be those it was trained on",
     "rounds", "a forest: 'sporf train --extend' adds trees to it"},
};

void extend_declare(opt_list *options, sporf_learner learner) {
    const opt_spec spec = {.name = "extend", .value = "OLD", .help = learners[learner].help};
    opt_add(options, &spec, 1);
}

static int check_learner(const opt_list *options, sporf_learner learner, const sporf_forest *old) {
    sporf_boosting boosting;
    if (sporf_forest_boosting(old, &boosting) == (learner == SPORF_LEARNER_BOOSTING))
        return EXIT_DONE;
    out_error(options->verb, "--extend %s is %s", opt_value(options, "extend"),
              learners[learner].other);
    return EXIT_USAGE;
}

int extend_load(const opt_list *options, sporf_learner learner, sporf_forest **old) {
    const char *path = opt_value(options, "extend"), *total = learners[learner].total;
    if (!path) return EXIT_DONE;
    if (!opt_value(options, total)) {
        out_error(options->verb, "--extend %s needs --%s N: the total number of %s", path, total,
                  total);
        return EXIT_USAGE;
    }
    sporf_status status = sporf_forest_load(path, old);
    return status == SPORF_OK ? check_learner(options, learner, *old)
                              : out_failure(options->verb, status, NULL);
}

size_t extend_trees(const sporf_forest *old, const sporf_params *params) {
    size_t kept = old ? sporf_forest_trees(old) : 0;
    size_t trees = params->trees > 0 ? params->trees : SPORF_TREES_MOST;
    return trees > kept ? trees - kept : 0;
}
