/* A table without values, and a plan for it. */
#include "learn/apart/frame.h"

#include "base/checksum.h"
#include "base/text.h"
#include "learn/settings/start_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ------------------------------------------------------------------------------- */

static sporf_status fill_table(const sporf_dataset *outcomes, const sporf_dataset *like,
                               sporf_dataset *data) {
    data->borrows = 0; /* no column is read */
    SPF_TRY(spf_schema_copy(&like->schema, &data->schema));
    SPF_TRY(spf_schema_exchange_outcome(&outcomes->schema, &data->schema));
    SPF_TRY(sporf_dataset_set_weight_name(data, outcomes->weight_name));
    data->labels = outcomes->labels; /* these are borrowed */
    data->weights = outcomes->weights;
    data->targets = outcomes->targets;
    data->target_storage = outcomes->target_storage;
    return SPORF_OK;
}

/* ---- what cannot be grown -------------------------------------------------------------------- */

static sporf_status refuse(const char *what, const char *why) {
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "rows on several machines, or in a file, cannot be used with %s: %s", what,
                     why);
}

static sporf_status check_data(const sporf_dataset *outcomes) {
    if (outcomes->targets > 1)
        return refuse("several targets", "all values of a node would have to be sorted" SPF_HINT
                                         "train a forest for each");
    return SPORF_OK;
}

static sporf_status check_params(const spf_settings *settings) {
    const sporf_params *params = &settings->params;
    const sporf_traits *traits = &settings->sampler.traits;
    if (!traits->ignores_rows || traits->makes_basis)
        return refuse("this method", "it looks at all rows of a node, or rotates the whole table");
    if (params->split == SPORF_SPLIT_EXACT)
        return refuse("exact splits", "all values of a node would have to be sorted");
    if (params->honest > 0)
        return refuse("honest trees", "the rows that fill leaves are drawn one after the other");
    if (params->scale == SPORF_SCALE_IQR)
        return refuse(SPF_OPTION_AS("scale", "iqr"), "all values of a column would be sorted");
    return SPORF_OK;
}

/* ---- what comes from other machines ---------------------------------------------------------- */

/* Whether an amount is as given or, for auto, one that can be chosen: no absurd number of
 * candidates in a node. */
static int is_choice_of(const sporf_amount *given, const sporf_amount *chosen, size_t features) {
    if (!spf_is_auto(*given)) return memcmp(given, chosen, sizeof *given) == 0;
    return chosen->factor > 0 && chosen->factor <= 1000 * ((double)features + 1) &&
           fabs(chosen->exponent) <= 1;
}

/* The same for bags. */
static int is_bag_of(const spf_frame *f, const spf_settled *settled) {
    const sporf_params *usual = &f->usual.params;
    if (settled->bag == usual->bag) return settled->bag_fraction == usual->bag_fraction;
    return settled->bag == SPORF_BAG_SUBSAMPLE && f->params.bag == SPORF_BAG_AUTO &&
           settled->bag_fraction > 0 && settled->bag_fraction <= 1;
}

static int are_factors(const float *scale, size_t features) {
    for (size_t j = 0; scale && j < features; j++)
        if (!(scale[j] >= 0 && isfinite(scale[j]))) return 0;
    return 1;
}

static int are_means(const float *fill, size_t features) {
    for (size_t j = 0; fill && j < features; j++)
        if (!spf_value_ok(fill[j]) && !isnan(fill[j])) return 0;
    return 1;
}

static sporf_status check_settled(const spf_frame *f, const spf_settled *settled,
                                  const float *scale, const float *fill) {
    size_t features = f->data->features;
    int good = is_choice_of(&f->params.projections, &settled->projections, features) &&
               is_choice_of(&f->params.density, &settled->density, features) &&
               settled->min_leaf > 0 && is_bag_of(f, settled) &&
               settled->scale_kind <= SPORF_SCALE_RANGE && are_factors(scale, features) &&
               are_means(fill, features);
    return good ? SPORF_OK : spf_raise_message();
}

static int is_level(float value, size_t levels) {
    return value >= 0 && value < (float)levels && value == floorf(value);
}

sporf_status spf_frame_check_values(const spf_frame *f, size_t feature, const float *values,
                                    size_t count) {
    const sporf_schema *schema = &f->data->schema;
    int category = spf_schema_kind(schema, feature) == SPORF_KIND_CATEGORY, good = 1;
    int whole = f->settled.whole != 0, has_missing = f->settled.has_missing && !whole;
    size_t levels = whole ? UINT8_MAX + 1 : 0;
    if (category) levels = spf_schema_levels(schema, feature);
    for (size_t i = 0; i < count; i++) {
        int is_number = category || whole ? is_level(values[i], levels) : spf_value_ok(values[i]);
        good &= is_number | (has_missing & isnan(values[i]));
    }
    return good ? SPORF_OK : spf_raise_message();
}

/* ---- the frame ------------------------------------------------------------------------------- */

/* Levels are known by their numbers, so all machines must have numbered them alike. */
static void add_levels(const sporf_dataset *data, spf_checksum *sum) {
    for (size_t j = 0; j < data->features; j++) {
        size_t levels = spf_schema_levels(&data->schema, j);
        if (levels == 0) continue;
        const spf_strings *names = &data->schema.levels[j];
        const uint64_t column[] = {j, spf_schema_kind(&data->schema, j), levels};
        spf_checksum_add(sum, column, sizeof column);
        spf_checksum_add(sum, names->bytes, names->offsets[levels]);
    }
}

/* Settings of boosting, and those that change nothing in a forest, are left out. */
static void add_settings(const sporf_params *p, spf_checksum *sum) {
    const uint64_t numbers[] = {
        p->seed,        p->trees,     p->method,    p->weights, p->nonzeros,  p->criterion,
        p->max_depth,   p->min_split, p->min_leaf,  p->bag,     p->scale,     p->split,
        p->image_width, p->patch_min, p->patch_max, p->samples, p->weight_is, p->calibration};
    const double shares[] = {p->projections.factor, p->projections.exponent, p->density.factor,
                             p->density.exponent,   p->bag_fraction,         p->min_leaf_weight};
    spf_checksum_add(sum, numbers, sizeof numbers);
    spf_checksum_add(sum, shares, sizeof shares);
    if (p->class_weights) spf_checksum_add(sum, p->class_weights, strlen(p->class_weights));
}

static uint64_t identify(const spf_frame *f) {
    const sporf_dataset *data = f->data;
    const uint64_t shape[] = {data->rows, data->features};
    spf_checksum sum;
    spf_checksum_start(&sum);
    spf_checksum_add(&sum, shape, sizeof shape);
    add_settings(&f->params, &sum);
    if (data->labels) spf_checksum_add(&sum, data->labels, data->rows * sizeof *data->labels);
    spf_checksum_add(&sum, data->target_storage,
                     data->targets * data->rows * sizeof *data->target_storage);
    if (data->weights) spf_checksum_add(&sum, data->weights, data->rows * sizeof *data->weights);
    add_levels(data, &sum);
    return spf_checksum_value(&sum);
}

static sporf_status make_settings(const spf_frame *other, spf_frame *f) {
    if (other) {
        SPF_TRY(spf_settings_vary(&other->usual, &other->usual.params, &f->usual));
        f->usual.data = f->data;
        return SPORF_OK;
    }
    sporf_params usual = f->params;
    if (usual.scale == SPORF_SCALE_AUTO) usual.scale = SPORF_SCALE_NONE;
    return spf_settings_create(f->data, &usual, NULL, &f->usual);
}

static sporf_status make(const sporf_dataset *outcomes, const sporf_dataset *like,
                         const spf_frame *other, spf_frame *f) {
    SPF_TRY(spf_dataset_create_borrowing(outcomes->rows, like->features, &f->data));
    SPF_TRY(fill_table(outcomes, like, f->data));
    SPF_TRY(make_settings(other, f));
    f->training = identify(f);
    return check_params(&f->usual);
}

/* The caller's texts need not live as long. */
static sporf_status copy_texts(const sporf_params *params, spf_frame *f) {
    if (params->class_weights) f->class_weights = spf_strdup(params->class_weights);
    if (params->cost) f->cost = spf_strdup(params->cost);
    if (!f->class_weights != !params->class_weights || !f->cost != !params->cost)
        return spf_raise_memory();
    f->params.class_weights = f->class_weights;
    f->params.cost = f->cost;
    return SPORF_OK;
}

static sporf_status create(const sporf_dataset *outcomes, const sporf_dataset *like,
                           const sporf_params *params, const spf_frame *other, spf_frame *f) {
    *f = (spf_frame){.params = *params};
    SPF_TRY(check_data(outcomes));
    sporf_status status = copy_texts(params, f);
    if (status == SPORF_OK) status = make(outcomes, like, other, f);
    if (status != SPORF_OK) spf_frame_free(f);
    return status;
}

sporf_status spf_frame_create(const sporf_dataset *outcomes, const sporf_dataset *like,
                              const sporf_params *params, spf_frame *f) {
    return create(outcomes, like, params, NULL, f);
}

sporf_status spf_frame_create_beside(const spf_frame *other, const sporf_dataset *like,
                                     spf_frame *f) {
    SPF_TRY(create(other->data, like, &other->params, other, f));
    if (f->training == other->training) return SPORF_OK;
    spf_frame_free(f);
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "rows apart: shards of one training must have the same columns and levels");
}

static void unsettle(spf_frame *f) {
    if (f->is_settled) spf_plan_end(&f->plan);
    free(f->scale);
    free(f->fill);
    f->scale = f->fill = NULL;
    f->is_settled = 0;
}

void spf_frame_free(spf_frame *f) {
    unsettle(f);
    spf_settings_free(&f->usual);
    if (f->data) { /* borrowed */
        f->data->labels = NULL;
        f->data->weights = f->data->target_storage = NULL;
    }
    sporf_dataset_free(f->data);
    free(f->class_weights);
    free(f->cost);
    *f = (spf_frame){0};
}

static sporf_status make_plan(spf_frame *f) {
    static const sporf_hooks none = {0};
    spf_plan *plan = &f->plan;
    sporf_params params = f->usual.params;
    params.projections = f->settled.projections;
    params.density = f->settled.density;
    params.min_leaf = f->settled.min_leaf;
    params.bag = (sporf_bag)f->settled.bag;
    params.bag_fraction = f->settled.bag_fraction;
    params.scale = (sporf_scale)f->settled.scale_kind;
    SPF_TRY(spf_settings_vary(&f->usual, &params, &f->settings));
    SPF_TRY(check_params(&f->settings));
    f->is_settled = 1; /* the plan is to be ended from here on */
    SPF_TRY(spf_plan_start(&f->settings, &none, plan));
    plan->table.features = f->data->features;
    plan->has_missing = f->settled.has_missing != 0;
    plan->whole = f->settled.whole != 0;
    plan->scale = f->scale;
    plan->fill = f->fill;
    if (!plan->sampler.traits.draws_slots) return SPORF_OK;
    return spf_slots_create(f->data, f->scale, &plan->slots);
}

/* The arrays may be the frame's own. */
sporf_status spf_frame_settle(spf_frame *f, const spf_settled *settled, const float *scale,
                              const float *fill) {
    size_t features = f->data->features;
    float *new_scale = NULL, *new_fill = NULL;
    sporf_status status = spf_copy_array(scale, features, sizeof *scale, &new_scale);
    if (status == SPORF_OK) status = spf_copy_array(fill, features, sizeof *fill, &new_fill);
    unsettle(f);
    f->settled = *settled;
    f->settled.has_scale = new_scale != NULL;
    f->settled.has_fill = new_fill != NULL;
    f->scale = new_scale;
    f->fill = new_fill;
    if (status == SPORF_OK) status = make_plan(f);
    if (status != SPORF_OK) unsettle(f);
    return status;
}

sporf_status spf_frame_choose(spf_frame *f, const sporf_params *chosen) {
    spf_settled settled = f->settled;
    settled.projections = chosen->projections;
    settled.density = chosen->density;
    settled.min_leaf = chosen->min_leaf;
    settled.bag = chosen->bag;
    settled.bag_fraction = chosen->bag_fraction;
    return spf_frame_settle(f, &settled, f->scale, f->fill);
}

/* ---- messages -------------------------------------------------------------------------------- */

sporf_status spf_frame_write(const spf_frame *f, spf_writer *w) {
    size_t bytes = f->data->features * sizeof(float);
    SPF_TRY(spf_write(w, &f->settled, sizeof f->settled));
    if (f->scale) SPF_TRY(spf_write(w, f->scale, bytes));
    return f->fill ? spf_write(w, f->fill, bytes) : SPORF_OK;
}

static int is_settled_so(const spf_frame *f, const spf_settled *settled, const float *scale,
                         const float *fill) {
    size_t bytes = f->data->features * sizeof(float);
    return memcmp(&f->settled, settled, sizeof *settled) == 0 &&
           (!scale || memcmp(f->scale, scale, bytes) == 0) &&
           (!fill || memcmp(f->fill, fill, bytes) == 0);
}

sporf_status spf_frame_read(spf_frame *f, spf_reader *r) {
    spf_settled settled;
    float *scale = NULL, *fill = NULL;
    size_t features = f->data->features;
    SPF_TRY(spf_read(r, &settled, sizeof settled));
    sporf_status status =
        settled.has_scale ? spf_read_array(r, features, sizeof *scale, &scale) : SPORF_OK;
    if (status == SPORF_OK && settled.has_fill)
        status = spf_read_array(r, features, sizeof *fill, &fill);
    if (status == SPORF_OK) status = check_settled(f, &settled, scale, fill);
    if (status == SPORF_OK && !f->is_settled) status = spf_frame_settle(f, &settled, scale, fill);
    if (status == SPORF_OK && !is_settled_so(f, &settled, scale, fill))
        status = spf_raise_message();
    free(scale);
    free(fill);
    return status;
}
