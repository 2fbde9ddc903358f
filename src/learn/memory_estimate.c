/* Estimates the sizes of what training makes. The bytes of each are computed by a function
 * ..._bytes, beside the code that allocates them. Sizes that depend on chance are bounds
 * that hold on average. */
#include "learn/memory_estimate.h"

#include "base/parallel.h"
#include "learn/growing/expected.h"
#include "learn/growing/grow.h"
#include "learn/growing/layout.h"
#include "learn/sampling/scale.h"
#include "learn/settings/checks.h"
#include "learn/splitting/criterion.h"

#include <math.h>

/* ---- candidates ------------------------------------------------------------------------------ */

/* Terms of a candidate in a tree with that many rows in a leaf. */
static double terms_of_candidate(const spf_settings *settings, double leaf_rows) {
    const spf_method *method = settings->method;
    if (!method || method->info.traits.makes_basis) return 1;
    return method->terms ? method->terms(&settings->sampling, leaf_rows)
                         : settings->sampling.nonzeros;
}

static double candidates_of(const spf_settings *settings, double classes) {
    const spf_method *method = settings->method;
    return method && method->candidates ? method->candidates(&settings->sampling, classes)
                                        : settings->sampling.projections;
}

/* Terms of a direction of the tree's basis; 0 without a basis. */
static double terms_of_basis(const spf_settings *settings) {
    if (!settings->sampler.traits.makes_basis) return 0;
    double rows = (double)settings->data->rows, features = (double)settings->data->features;
    return settings->method ? settings->method->terms(&settings->sampling, rows) : features;
}

/* ---- a tree ---------------------------------------------------------------------------------- */

static double leaves_of_tree(const spf_expected *e, const sporf_params *params) {
    double leaves = fmin(e->in_bag, fmax(1, floor(e->weight / params->min_leaf)));
    if (params->min_leaf_weight > 0) leaves = fmin(leaves, ceil(1 / params->min_leaf_weight));
    return params->max_depth > 0 ? fmin(leaves, pow(2, params->max_depth)) : leaves;
}

/* In an honest tree, leaves without rows repeat those of an ancestor: up to five on average if
 * there are many classes and the labels are noise. */
static double rows_in_leaves(const spf_expected *e, double apart) {
    enum { REPEATED = 8 };
    return apart > 0 ? apart + REPEATED * e->tree.leaves : e->in_bag;
}

/* The share of terms that are categories. Informative categories may win twice as often as they are
 * drawn. */
static double share_of_categories(const spf_settings *settings) {
    const sporf_dataset *data = settings->data;
    double numbers = 0, slots = fmax((double)data->features, settings->sampling.slots);
    for (size_t i = 0; i < data->features; i++)
        numbers += spf_schema_kind(&data->schema, i) != SPORF_KIND_CATEGORY;
    return fmin(1, 2 * (1 - numbers / slots));
}

/* The share of features whose missing values are filled in sums of several terms. */
static double share_of_filled(const spf_settings *settings) {
    const sporf_dataset *data = settings->data;
    double filled = 0;
    if (!data->has_missing || !settings->sampler.traits.draws_slots) return 0;
    for (size_t i = 0; i < data->features; i++)
        filled += spf_schema_kind(&data->schema, i) != SPORF_KIND_CATEGORY &&
                  spf_column_has_missing(data, i);
    return filled / (double)data->features;
}

/* Each term may be one level, and a split may be a set of levels, stored from its first level to
 * its last. A third of that range in a third of the splits is twice what a noise feature with as
 * many levels as rows needs. */
static void expect_sets(const spf_settings *settings, spf_expected *e) {
    double splits = e->tree.leaves - 1;
    double filled = e->terms > 1 ? e->terms * share_of_filled(settings) : 0;
    e->tree.sets = splits * filled;
    if (e->levels == 0) return;
    double sets = splits * fmax(e->terms * share_of_categories(settings), 1);
    e->tree.sets += sets;
    e->tree.words = sets + splits / 3 * e->levels / 32 / 3;
}

static void expect_tree(const spf_settings *settings, double apart, spf_expected *e) {
    spf_tree_size *tree = &e->tree;
    tree->leaves = leaves_of_tree(e, &settings->params);
    double splits = tree->leaves - 1, rows = rows_in_leaves(e, apart);
    double terms = fmin(e->terms, terms_of_candidate(settings, e->in_bag / tree->leaves));
    tree->projections = e->basis > 0 ? fmin(splits, e->features) : splits;
    tree->terms = tree->projections * (e->basis > 0 ? e->basis : terms);
    tree->entries = fmin(rows, tree->leaves * e->classes);
    tree->targets = e->targets;
    if (spf_settings_samples(settings)) {
        tree->samples = rows;
        tree->sample_weights =
            settings->weights->units != NULL || settings->params.bag == SPORF_BAG_BOOTSTRAP;
    }
    expect_sets(settings, e);
}

static void expect_levels(const sporf_schema *schema, spf_expected *e) {
    for (size_t i = 0; e->levels > 0 && i < schema->count; i++) {
        if (schema->kinds[i] != SPORF_KIND_CATEGORY) continue;
        e->categories++;
        e->all_levels += (double)spf_schema_levels(schema, i);
    }
}

static spf_expected expect(const spf_settings *settings, double threads) {
    const sporf_dataset *data = settings->data;
    const sporf_params *params = &settings->params;
    const spf_row_weights *weights = settings->weights;
    spf_bag_size bag =
        spf_bag_expected(settings->classes, weights, settings->params.bag, params->bag_fraction);
    double apart = floor(params->honest * bag.rows);
    spf_expected e = {.rows = (double)data->rows,
                      .features = (double)data->features,
                      .classes = (double)settings->leaf.classes,
                      .targets = (double)settings->leaf.targets,
                      .levels = (double)spf_schema_most_levels(&data->schema),
                      .in_bag = bag.rows - apart,
                      .weight = bag.weight,
                      .honest = params->honest > 0,
                      .drawn = terms_of_candidate(settings, (double)data->rows),
                      .basis = terms_of_basis(settings),
                      .relative = weights->relative,
                      .looks_at_rows = !settings->sampler.traits.ignores_rows,
                      .shared = threads > 1};
    expect_levels(&data->schema, &e);
    e.candidates = candidates_of(settings, e.classes);
    e.terms = fmin(e.drawn, e.features);
    if (weights->relative && params->min_leaf > 1) e.counted = fmin(params->min_leaf, e.rows);
    expect_tree(settings, apart, &e);
    return e;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static double sampler_bytes(const spf_settings *settings, const spf_expected *e) {
    const spf_method *method = settings->method;
    return method ? method->bytes(&settings->sampling, e->weight, e->classes) : 0;
}

/* Memory that all trees share. */
static double plan_bytes(const spf_settings *settings, double spare) {
    const sporf_dataset *data = settings->data;
    const sporf_params *params = &settings->params;
    int logarithms = spf_criterion_of(params->criterion)->logarithms;
    return spf_layout_most_bytes(data, &settings->sampler.traits, spf_thread_count(params->threads),
                                 spare) +
           spf_slots_bytes(data) + spf_scale_bytes(data, params->scale, params->threads) +
           spf_bagger_bytes(settings->classes, settings->weights, settings->params.bag) +
           (logarithms ? spf_xlogx_bytes(spf_bag_heaviest(settings->weights)) : 0);
}

/* Memory that is freed only after packing. */
static double lasting_bytes(const spf_settings *settings) {
    const sporf_dataset *data = settings->data;
    int calibrates = spf_settings_calibrate(settings);
    double tally = settings->params.bag == SPORF_BAG_NONE
                       ? 0
                       : settings->outcome->tally_bytes(data->rows, &settings->leaf, calibrates);
    return tally + spf_row_weights_bytes(settings->weights, (double)data->rows);
}

spf_memory_estimate spf_estimate_memory(const spf_settings *settings, double spare) {
    double threads = spf_thread_count(settings->params.threads), trees = settings->params.trees;
    double lasting = lasting_bytes(settings);
    spf_expected e = expect(settings, threads);
    return (spf_memory_estimate){
        .forest = trees * spf_tree_bytes(&e.tree) + spf_schema_bytes(&settings->data->schema) +
                  2 * spf_trust_bytes(trees),
        .growing = lasting + plan_bytes(settings, spare) +
                   threads * (spf_workspace_bytes(&e) + sampler_bytes(settings, &e)) +
                   spf_growing_bytes(&e, trees, fmin(threads, trees)),
        .packing = lasting + spf_packed_bytes(&e.tree, trees) +
                   spf_packing_bytes(&e.tree, trees, threads)};
}
