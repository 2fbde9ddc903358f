/* Set-up and release of a boosting. */
#include "learn/boosting/booster.h"

#include "base/parallel.h"
#include "learn/boosting/feature_bins.h"
#include "learn/boosting/held_out.h"
#include "learn/boosting/monotone.h"
#include "learn/sampling/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_ROWS = 1024,     /* whose loss is derived at a time */
    CHUNK_CELLS = 1 << 16, /* fewer rows if there are many outputs */
};

static sporf_status make_weights(spf_booster *b) {
    const spf_row_weights *weights = b->settings->weights;
    size_t rows = b->settings->data->rows;
    if (!weights->units) return SPORF_OK;
    b->weight = spf_alloc(rows, sizeof *b->weight);
    if (!b->weight) return spf_raise_memory();
    double unit = spf_units_of_row(weights);
    for (size_t i = 0; i < rows; i++) b->weight[i] = (float)(weights->units[i] / unit);
    return SPORF_OK;
}

static sporf_status make_scale(spf_booster *b) {
    const spf_settings *s = b->settings;
    if (s->params.scale == SPORF_SCALE_NONE && !spf_has_constant(s->data, s->weights))
        return SPORF_OK;
    b->scale = spf_alloc(s->data->features, sizeof *b->scale);
    if (!b->scale) return spf_raise_memory();
    return spf_scale_factors(s->data, s->weights, s->params.scale, s->params.threads, b->scale);
}

static sporf_status make_targets(spf_booster *b) {
    const sporf_dataset *data = b->settings->data;
    b->target = spf_alloc(data->targets, sizeof *b->target);
    if (!b->target) return spf_raise_memory();
    for (size_t k = 0; k < data->targets; k++) b->target[k] = spf_target_of(data, k);
    b->table = (spf_scored_table){data->rows, data->targets > 0 ? NULL : data->labels,
                                  (const float *const *)b->target, b->weight};
    for (size_t k = 0; b->valid->rows > 0 && k < data->targets; k++)
        SPF_TRY(spf_boost_loss_check(&b->loss, b->valid->target[k], b->valid->rows,
                                     " of the validation table"));
    b->other =
        (spf_scored_table){b->valid->rows, b->valid->labels, b->valid->target, b->valid->weight};
    return SPORF_OK;
}

static void make_rules(spf_booster *b) {
    const sporf_params *params = &b->settings->params;
    const spf_method *method = b->settings->method;
    b->rules = (spf_tree_rules){
        .features = &b->features,
        .sums = &b->sums,
        .chosen = &b->chosen,
        .all_features = !method || method->info.traits.mixes_features ||
                        b->settings->sampling.projections >= b->settings->sampling.features,
        .max_depth = params->max_depth,
        .max_leaves = params->max_leaves,
        .min_leaf = params->min_leaf,
        .l2 = params->l2,
        .bounded = b->monotone != NULL,
        .histogram_bytes = SPF_HISTOGRAM_BYTES / b->trees_at_once,
    };
}

static size_t chunks_of(const spf_booster *b, size_t rows) {
    return (rows + b->chunk_rows - 1) / b->chunk_rows;
}

static void fill_base(const double *base, size_t outputs, size_t rows, double *scores) {
    for (size_t i = 0; i < rows; i++) memcpy(scores + i * outputs, base, outputs * sizeof *base);
}

static sporf_status make_bag(spf_booster *b, size_t number, spf_booster_bag *own) {
    const spf_settings *s = b->settings;
    size_t rows = s->data->rows, cells = rows * b->outputs;
    own->scores = spf_alloc(cells, sizeof *own->scores);
    own->gradient = spf_alloc(cells, sizeof *own->gradient);
    own->hessian = spf_alloc(cells, sizeof *own->hessian);
    own->parts = spf_alloc(b->chunks, sizeof *own->parts);
    own->valid_scores = spf_alloc(b->valid->rows * b->outputs, sizeof *own->valid_scores);
    own->valid_parts = spf_alloc(b->valid_chunks, sizeof *own->valid_parts);
    if (!own->scores || !own->gradient || !own->hessian || !own->parts || !own->valid_scores ||
        !own->valid_parts)
        return spf_raise_memory();
    fill_base(b->base, b->outputs, rows, own->scores);
    fill_base(b->base, b->outputs, b->valid->rows, own->valid_scores);
    if (s->params.valid == 0 || b->valid->rows > 0) return SPORF_OK;
    own->held = spf_alloc(rows, sizeof *own->held);
    if (!own->held) return spf_raise_memory();
    return spf_hold_out(s->classes, s->weights, s->params.valid, s->params.seed, number, own->held);
}

/* How much the rows weigh that losses are means over. */
static void weigh(spf_booster *b) {
    for (size_t i = 0; i < b->bags_count; i++)
        for (size_t row = 0; row < b->table.rows; row++) {
            int held = b->bags[i].held && b->bags[i].held[row];
            *(held ? &b->valid_weight : &b->train_weight) += spf_weight_at(&b->table, row);
            b->valid_rows += (size_t)held;
        }
    if (b->valid->rows == 0) return;
    b->valid_rows = b->valid->rows * b->bags_count;
    for (size_t row = 0; row < b->valid->rows; row++)
        b->valid_weight += (double)b->bags_count * spf_weight_at(&b->other, row);
}

static sporf_status make_bags(spf_booster *b) {
    size_t most = CHUNK_CELLS / b->outputs;
    b->chunk_rows = most > CHUNK_ROWS ? CHUNK_ROWS : most > 0 ? most : 1;
    b->chunks = chunks_of(b, b->table.rows);
    b->valid_chunks = chunks_of(b, b->valid->rows);
    b->bags = spf_alloc_zero(b->bags_count, sizeof *b->bags);
    if (!b->bags) return spf_raise_memory();
    for (size_t i = 0; i < b->bags_count; i++) SPF_TRY(make_bag(b, i, &b->bags[i]));
    weigh(b);
    return SPORF_OK;
}

/* Room for the derivatives of so many rows. */
static sporf_status make_chunk(const spf_booster *b, size_t rows, spf_desk *own) {
    size_t cells = rows * b->outputs;
    own->gradients = spf_alloc(cells, sizeof *own->gradients);
    own->hessians = spf_alloc(cells, sizeof *own->hessians);
    own->losses = spf_alloc(rows, sizeof *own->losses);
    own->target = spf_alloc(b->settings->data->targets, sizeof *own->target);
    return own->gradients && own->hessians && own->losses && own->target ? SPORF_OK
                                                                         : spf_raise_memory();
}

static sporf_status make_tree_desk(const spf_booster *b, spf_tree_desk *own) {
    size_t rows = b->table.rows;
    SPF_TRY(spf_boosted_tree_create(&b->rules, rows, b->workers, &own->tree));
    if (!(own->seen = spf_alloc(rows, sizeof *own->seen))) return spf_raise_memory();
    if (isnan(b->loss.refit)) return SPORF_OK;
    own->keys = spf_alloc(rows, 2 * sizeof *own->keys);
    own->residual = spf_alloc(rows, sizeof *own->residual);
    own->weight = spf_alloc(rows, sizeof *own->weight);
    return own->keys && own->residual && own->weight ? SPORF_OK : spf_raise_memory();
}

/* The memory of threads, and of the trees that grow at the same time. */
static sporf_status make_desks(spf_booster *b) {
    b->desks = spf_alloc_zero(b->workers, sizeof *b->desks);
    b->tree_desks = spf_alloc_zero(b->trees_at_once, sizeof *b->tree_desks);
    b->scratch = spf_alloc_zero(b->workers, sizeof *b->scratch);
    if (!b->desks || !b->tree_desks || !b->scratch) return spf_raise_memory();
    for (unsigned i = 0; i < b->workers; i++) {
        SPF_TRY(make_chunk(b, b->chunk_rows, &b->desks[i]));
        b->scratch[i] = spf_alloc(SPF_SCRATCH_BINS, sizeof **b->scratch);
        if (!b->scratch[i]) return spf_raise_memory();
    }
    b->rules.scratch = b->scratch;
    for (size_t i = 0; i < b->trees_at_once; i++) SPF_TRY(make_tree_desk(b, &b->tree_desks[i]));
    if (!b->loss.user) return SPORF_OK;
    return make_chunk(b, b->table.rows > b->other.rows ? b->table.rows : b->other.rows, &b->users);
}

static sporf_status check_bags(const spf_booster *b) {
    const sporf_params *params = &b->settings->params;
    if (params->bags == 1 || params->subsample < 1 || (params->valid > 0 && b->valid->rows == 0))
        return SPORF_OK;
    return spf_raise(
        SPORF_ERROR_ARGUMENT,
        SPF_OPTION("bags") " is %lu, but all bags would be the same" SPF_HINT
                           "hold out a share of the rows (" SPF_OPTION(
                               "valid") "), or grow trees on a " SPF_OPTION("subsample"),
        (unsigned long)params->bags);
}

/* Sums are drawn once for all nodes of a round. */
static sporf_status check_sampler(const sporf_sampler *sampler) {
    if (sampler->traits.ignores_rows) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "%s looks at the rows of each node, which boosting does not offer" SPF_HINT
                     "use " SPF_OPTION_AS("method", "sporf") "; a sampler of your own must set "
                                                             "ignores_rows among its traits",
                     spf_sampler_name(sampler));
}

/* Sums of derivatives have 31 bits, and every row needs some of them. */
static sporf_status check_rows(size_t rows) {
    const size_t most = (size_t)1 << 30;
    if (rows <= most) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA, "the data have %zu rows; boosting takes at most %zu", rows,
                     most);
}

sporf_status spf_booster_prepare(spf_booster *b) {
    const spf_settings *s = b->settings;
    const sporf_dataset *data = s->data;
    SPF_TRY(check_rows(data->rows));
    SPF_TRY(check_sampler(&s->sampler));
    SPF_TRY(spf_boost_loss_create(data, &s->params, b->hooks->loss, &b->loss));
    b->outputs = b->loss.outputs;
    b->bags_count = s->params.bags;
    b->workers = spf_thread_count(s->params.threads);
    b->trees_at_once = spf_trees_at_once(b->bags_count * b->outputs, b->workers);
    SPF_TRY(check_bags(b));
    SPF_TRY(spf_monotone_create(data, s->params.monotone, &b->loss, &b->monotone));
    SPF_TRY(make_weights(b));
    SPF_TRY(make_scale(b));
    SPF_TRY(make_targets(b));
    SPF_TRY(spf_feature_bins_create(data, s->weights, s->params.threads, &b->features));
    for (size_t j = 0; b->monotone && j < b->features.columns_count; j++)
        b->features.columns[j].monotone = b->monotone[b->features.columns[j].source];
    SPF_TRY(spf_sums_create(s, b->scale, b->monotone, &b->sums));
    int all = s->method && !s->sampler.traits.mixes_features;
    SPF_TRY(spf_round_features_create(&b->features, all, &b->chosen));
    make_rules(b);
    b->base = spf_alloc(b->outputs, sizeof *b->base);
    b->train_losses = spf_alloc(s->params.rounds, sizeof *b->train_losses);
    b->valid_losses = spf_alloc(s->params.rounds, sizeof *b->valid_losses);
    if (!b->base || !b->train_losses || !b->valid_losses) return spf_raise_memory();
    SPF_TRY(spf_boost_loss_base(&b->loss, data, b->weight, b->base));
    SPF_TRY(make_bags(b));
    return make_desks(b);
}

static void free_bag(spf_booster_bag *own) {
    free(own->held);
    free(own->scores);
    free(own->gradient);
    free(own->hessian);
    free(own->parts);
    free(own->valid_scores);
    free(own->valid_parts);
}

static void free_desk(spf_desk *own) {
    free(own->gradients);
    free(own->hessians);
    free(own->losses);
    free(own->target);
}

static void free_tree_desk(spf_tree_desk *own) {
    spf_boosted_tree_free(&own->tree);
    free(own->seen);
    free(own->keys);
    free(own->residual);
    free(own->weight);
}

void spf_booster_release(spf_booster *b) {
    for (size_t i = 0; b->bags && i < b->bags_count; i++) free_bag(&b->bags[i]);
    for (unsigned i = 0; b->desks && i < b->workers; i++) free_desk(&b->desks[i]);
    for (size_t i = 0; i < b->trees_count; i++) spf_tree_free(&b->trees[i]);
    for (size_t i = 0; b->tree_desks && i < b->trees_at_once; i++)
        free_tree_desk(&b->tree_desks[i]);
    for (unsigned i = 0; b->scratch && i < b->workers; i++) free(b->scratch[i]);
    free_desk(&b->users);
    free(b->bags);
    free(b->desks);
    free(b->tree_desks);
    free(b->scratch);
    free(b->trees);
    free(b->monotone);
    free(b->scale);
    free(b->weight);
    free(b->target);
    free(b->base);
    free(b->train_losses);
    free(b->valid_losses);
    spf_round_features_free(&b->chosen);
    spf_sums_free(&b->sums);
    spf_binned_free(&b->features);
}
