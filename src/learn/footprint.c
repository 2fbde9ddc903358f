/* Adds up the sizes of all arrays of a training. Sizes that depend on chance, such as the rows in a
 * bag or the terms of winning projections, are bounds that hold on average over a tree's nodes.
 * Arrays that grow by doubling count twice. */
#include "learn/footprint.h"

#include "base/parallel.h"
#include "base/portable_math.h"
#include "learn/growing/grow.h"
#include "learn/growing/honest.h"
#include "learn/growing/layout.h"
#include "learn/splitting/criterion.h"
#include "learn/splitting/histogram.h"

#include <math.h>

typedef struct {
    double rows, features, classes;
    double targets;        /* number of regression targets */
    double slots;          /* number that candidates are drawn from */
    double levels;         /* of the category with most levels; 0 without categories */
    double categories;     /* share of terms that are categories */
    double basis;          /* terms of a direction of the tree's basis; 0 without a basis */
    int weighted, repeats; /* rows have weights; these are integers, as if rows were repeated */
    int relative;          /* rows have other weights, but are drawn with equal probability */
    double weight;         /* total weight of a bag, in rows */
    double candidates;     /* per node */
    double drawn, terms;   /* terms of a candidate, in slots and in features */
    double in_bag, leaves; /* distinct rows that choose splits, and leaves of a tree */
    double apart;          /* rows that only fill the leaves of an honest tree */
    double entries;        /* classes in all leaves */
    int samples;           /* leaves store the targets of their rows */
} sizes;

enum { ALLOCATION = SPF_ALLOCATION_BYTES };

/* A bootstrap draws as many rows as the weights add up to or, for non-integer weights, as there
 * are; or a share of that, rounded up in each class. */
static double weight_of_bag(const sizes *s, const sporf_params *params, sporf_bag bag) {
    if (bag == SPORF_BAG_NONE || bag == SPORF_BAG_SUBSAMPLE) return s->weight;
    double draws = s->repeats ? s->weight : s->rows + s->classes;
    return fmin(draws, params->bag_fraction * draws + s->classes);
}

static double rows_in_bag(const sizes *s, const sporf_params *params, sporf_bag bag) {
    if (bag == SPORF_BAG_NONE) return s->rows;
    if (bag == SPORF_BAG_SUBSAMPLE)
        return s->weighted && !s->relative
                   ? s->rows
                   : fmin(s->rows, spf_round_up(params->bag_fraction * s->rows));
    double most = fmin(s->rows, s->weight);
    if (s->weighted && s->repeats && !s->relative) return most;
    return fmin(most, 0.64 * s->rows + 2 * sqrt(s->rows) + s->classes);
}

static double leaves_at_most(const sizes *s, const sporf_params *params) {
    double leaves = fmin(s->in_bag, fmax(1, floor(s->weight / params->min_leaf)));
    if (params->min_leaf_weight > 0) leaves = fmin(leaves, ceil(1 / params->min_leaf_weight));
    return params->max_depth > 0 ? fmin(leaves, pow(2, params->max_depth)) : leaves;
}

/* In an honest tree, leaves without rows repeat those of an ancestor: up to five on average if
 * there are many classes and the labels are noise. */
static double rows_in_leaves(const sizes *s) {
    enum { REPEATED = 8 };
    return s->apart > 0 ? s->apart + REPEATED * s->leaves : s->in_bag;
}

static double terms_of_candidate(const spf_settings *settings) {
    const spf_method *method = settings->method;
    if (!method || method->info.traits.makes_basis) return 1;
    return method->terms ? method->terms(&settings->sampling) : settings->sampling.nonzeros;
}

static double candidates_of(const spf_settings *settings, double classes) {
    const spf_method *method = settings->method;
    return method && method->candidates ? method->candidates(&settings->sampling, classes)
                                        : settings->sampling.projections;
}

/* Terms of a direction of the tree's basis; 0 without a basis. */
static double terms_of_basis(const spf_settings *settings) {
    if (!settings->sampler.traits.makes_basis) return 0;
    return settings->method ? settings->method->terms(&settings->sampling)
                            : (double)settings->data->features;
}

/* Informative categories may win twice as often as they are drawn. */
static double share_of_categories(const sporf_dataset *data, const sizes *s) {
    double numbers = 0;
    for (size_t i = 0; i < data->features; i++)
        numbers += spf_schema_kind(&data->schema, i) != SPORF_KIND_CATEGORY;
    return fmin(1, 2 * (1 - numbers / s->slots));
}

/* Sets of a tree: each term may be one level, and a split may be a set of levels, stored from its
 * first level to its last. A third of that range in a third of the splits is twice what a noise
 * feature with as many levels as rows needs. */
static double bytes_of_sets(const sizes *s) {
    double splits = s->leaves - 1, word = sizeof(uint32_t), words = s->levels / 32;
    if (s->levels == 0) return 0;
    return splits * fmax(s->terms * s->categories, 1) * (sizeof(spf_set) + word) +
           splits / 3 * words / 3 * word + 2 * ALLOCATION;
}

/* The predictions of a tree's leaves. */
static double bytes_of_values(const sizes *s) {
    return s->leaves * s->targets * sizeof(float);
}

/* The samples of leaves whose rows differ, with weights. */
static double bytes_of_samples(const sizes *s) {
    if (!s->samples) return 0;
    return s->leaves * sizeof(uint32_t) + rows_in_leaves(s) * (s->targets + 1) * sizeof(float) +
           3 * ALLOCATION;
}

static double bytes_of_tree(const sizes *s) {
    double splits = s->leaves - 1, terms = splits * s->terms;
    if (s->basis > 0) terms = fmin(splits, s->features) * s->basis;
    return (splits + s->leaves) * (sizeof(spf_node) + sizeof(uint32_t)) +
           (s->entries + terms) * 2 * sizeof(uint32_t) + bytes_of_values(s) + bytes_of_samples(s) +
           bytes_of_sets(s) + sizeof(spf_grown) + 7 * ALLOCATION;
}

/* The packed form of a tree (model/packed.h), in which short projections are not shared. */
static double bytes_of_packed(const sizes *s) {
    enum { NODES_MAX = SPF_SHORT_TERMS / SPF_PACKED_TERMS };
    int rotated = s->basis > 0;
    double splits = s->leaves - 1, terms = rotated ? s->features : s->terms;
    double node = sizeof(spf_packed_node);
    double inside = node * fmin(terms / SPF_PACKED_TERMS + 1, NODES_MAX);
    double aside = terms > SPF_SHORT_TERMS ? terms * sizeof(uint64_t) : 0, shared = 0;
    if (rotated) {
        shared = fmin(splits, s->features) * aside;
        aside = 0;
    }
    double mixed = s->entries > s->leaves ? s->leaves + s->entries : 0;
    return splits * fmax(inside, node + aside) + shared + s->leaves * sizeof(uint32_t) +
           mixed * sizeof(uint64_t) + bytes_of_values(s) + bytes_of_samples(s) +
           2 * bytes_of_sets(s) + sizeof(spf_packed_tree) + sizeof(void *);
}

/* The weights of nodes while a bin of trees is packed. */
static double bytes_of_packing(const sizes *s, const sporf_params *params) {
    return fmin(SPF_BIN_TREES, params->trees) * 2 * s->leaves * sizeof(float);
}

/* The sampler's own arrays, its candidates, and its basis. */
static double bytes_of_sampler(const sizes *s, const spf_settings *settings) {
    double word = sizeof(uint32_t), terms = s->candidates * s->drawn;
    double bytes = 4 * word * (s->candidates + terms);
    if (s->basis > 0) bytes += spf_basis_bytes(s->rows, s->features, s->basis);
    return settings->method
               ? bytes + settings->method->bytes(&settings->sampling, s->weight, s->classes)
               : bytes;
}

/* The workspace of one thread; its arrays over rows grow by doubling. */
static double bytes_of_workspace(const sizes *s, const spf_settings *settings) {
    const sporf_params *params = &settings->params;
    double word = sizeof(uint32_t), most = fmax(s->in_bag, s->rows - s->in_bag);
    double of_bag = 2 * sizeof(uint64_t) + word;                    /* keys twice, tags */
    if (s->relative && params->min_leaf > 1) of_bag += word;        /* draws */
    double of_most = sizeof(uint64_t) + word;                       /* pairs, values */
    if (!settings->sampler.traits.ignores_rows) of_bag += 2 * word; /* labels and weights */
    of_bag += s->targets * sizeof(float);
    double ends = s->relative ? fmin(params->min_leaf, s->rows) * sizeof(spf_end) : 0;
    return ends + 2 * (s->in_bag * of_bag + most * of_most) + s->classes * 6 * word +
           spf_histogram_bytes(s->in_bag, s->classes) + bytes_of_sampler(s, settings) +
           spf_categories_bytes(s->levels, s->features, s->candidates, s->candidates * s->terms) +
           40 * ALLOCATION;
}

/* A tree while it grows: its rows, its branches, and the joined tree. */
static double bytes_of_growing(const sizes *s) {
    double honest = s->apart > 0 ? spf_honest_bytes(s->rows, s->leaves) : 0;
    return spf_tree_rows_bytes(s->rows, s->in_bag, s->relative) + honest + 5 * bytes_of_tree(s) +
           30 * ALLOCATION;
}

/* Memory for row weights: their units and the weighted draw, in class order; with entropy the table
 * of x ln x, which is as long as the largest weight of a bag. */
static double bytes_of_weights(const sizes *s, const spf_row_weights *weights,
                               const sporf_params *params) {
    if (!s->weighted) return 0;
    double heaviest = s->relative ? s->rows * weights->largest : (double)weights->total;
    double table = spf_criterion_of(params->criterion)->logarithms ? spf_xlogx_bytes(heaviest) : 0;
    return spf_row_weights_bytes(s->rows) + table;
}

spf_footprint spf_training_footprint(const spf_settings *settings) {
    const sporf_dataset *data = settings->data;
    const spf_row_weights *weights = settings->weights;
    const sporf_params *params = &settings->params;
    sporf_bag bag = params->bag;
    sizes s = {.rows = (double)data->rows,
               .features = (double)data->features,
               .classes = (double)settings->leaf.classes,
               .targets = (double)settings->leaf.targets,
               .slots = fmax((double)data->features, settings->sampling.features),
               .levels = (double)spf_schema_most_levels(&data->schema),
               .samples = spf_settings_samples(settings),
               .weighted = weights->units != NULL,
               .repeats = weights->whole,
               .relative = weights->relative,
               .weight =
                   fmax((double)data->rows, (double)weights->total / spf_units_of_row(weights)),
               .basis = terms_of_basis(settings)};
    s.categories = share_of_categories(data, &s);
    s.candidates = candidates_of(settings, s.classes);
    s.weight = weight_of_bag(&s, params, bag);
    s.in_bag = rows_in_bag(&s, params, bag);
    s.apart = floor(params->honest * s.in_bag);
    s.in_bag -= s.apart;
    s.leaves = leaves_at_most(&s, params);
    s.entries = fmin(rows_in_leaves(&s), s.leaves * s.classes);
    s.drawn = terms_of_candidate(settings);
    s.terms = fmin(s.drawn, s.features);
    double threads = spf_thread_count(params->threads), under_way = fmin(threads, params->trees);
    double sorting = params->scale == SPORF_SCALE_IQR ? s.rows * 2 * sizeof(uint64_t) : 0;
    double tally = bag == SPORF_BAG_NONE
                       ? 0
                       : settings->outcome->tally_bytes(data->rows, &settings->leaf, s.samples);
    double forest = params->trees * (bytes_of_tree(&s) + sizeof(spf_tree) + sizeof(double)) +
                    spf_schema_bytes(&data->schema);
    double growing = s.features * sizeof(float) + s.slots * 2 * sizeof(float) +
                     fmin(threads, s.features) * sorting +
                     threads * bytes_of_workspace(&s, settings) + under_way * bytes_of_growing(&s) +
                     spf_layout_most_bytes(data) + bytes_of_weights(&s, weights, params);
    double packing = params->trees * bytes_of_packed(&s) + bytes_of_packing(&s, params);
    return (spf_footprint){forest, forest + tally + fmax(growing, packing)}; /* never both */
}
