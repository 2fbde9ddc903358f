/* If pilot forests choose the projections, they also choose those of density and min-leaf that are
 * auto. */
#include "choosing.h"

#include "out.h"

size_t choosing_names(const sporf_dataset *data, const sporf_params *params,
                      const char *names[CHOOSING_MAX]) {
    sporf_preview preview = {.struct_size = sizeof preview};
    size_t count = 0;
    if (sporf_train_preview(data, params, &preview) != SPORF_OK || !preview.chooses) return 0;
    names[count++] = "projections";
    if (params->density.factor == 0) names[count++] = "density";
    if (params->min_leaf == 0) names[count++] = "min-leaf";
    return count;
}

/* Why nothing is chosen. */
static const char *why_none(const opt_list *options) {
    if (opt_value(options, "extend")) return "the model has them";
    if (opt_value(options, "tune")) return "--tune has its own";
    if (opt_value(options, "projections")) return "--projections is given";
    return "this method, bag, table or number of trees needs none";
}

void choosing_check_effort(const opt_list *options, const sporf_params *params, size_t chosen) {
    if (!opt_value(options, "effort") || params->effort == SPORF_EFFORT_LOW || chosen > 0) return;
    out_error(options->verb, "--effort has no effect, because there is no search for settings: %s",
              why_none(options));
}

static const char pilots[] = "pilot trees to choose settings", trees_of_forest[] = "trees";

void choosing_start(progress *bar, int chooses) {
    if (chooses) progress_note(bar, "choosing", "settings");
    progress_start(bar, chooses ? pilots : trees_of_forest);
}

void choosing_show(progress *bar, size_t pilot_trees, double share) {
    progress_show_share(bar, pilot_trees, share);
}

void choosing_trees(progress *bar, size_t done, size_t trees) {
    if (bar->unit == pilots) progress_go_on(bar, trees_of_forest);
    progress_show(bar, done, trees);
}
