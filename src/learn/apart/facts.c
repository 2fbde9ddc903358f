/* Sums are exact, so that they do not depend on how rows are divided among shards. */
#include "learn/apart/facts.h"

#include "base/parallel.h"
#include "learn/apart/asks.h"
#include "learn/sampling/scale.h"

#include <math.h>
#include <stdlib.h>

sporf_status spf_facts_create(size_t features, spf_facts *facts) {
    *facts = (spf_facts){.features = features};
    facts->column = spf_alloc_zero(features, sizeof *facts->column);
    facts->squares = spf_alloc_zero(features, sizeof *facts->squares);
    facts->mean = spf_alloc_zero(features, sizeof *facts->mean);
    if (!facts->column || !facts->squares || !facts->mean) return spf_raise_memory();
    for (size_t j = 0; j < features; j++) {
        facts->column[j].low = INFINITY;
        facts->column[j].high = -INFINITY;
    }
    return SPORF_OK;
}

void spf_facts_free(spf_facts *facts) {
    free(facts->column);
    free(facts->squares);
    free(facts->mean);
    *facts = (spf_facts){0};
}

/* ---- shards ---------------------------------------------------------------------------------- */

typedef struct {
    const spf_row_weights *weights;
    const spf_some_rows *rows;
    spf_facts *facts;
} facts_job;

static uint32_t units_at(const facts_job *job, size_t i) {
    return spf_row_units(job->weights, job->rows->first + i);
}

static sporf_status find_facts(void *context, size_t feature, unsigned worker) {
    (void)worker;
    const facts_job *job = context;
    const float *column = job->rows->data->columns[feature];
    spf_column_facts *facts = &job->facts->column[feature];
    for (size_t i = 0; i < job->rows->data->rows; i++) {
        float value = column[i];
        uint32_t units = units_at(job, i);
        int missing = isnan(value);
        facts->missing |= (uint32_t)missing;
        facts->lacks |= missing && units > 0;
        facts->beyond_bytes |= !(value >= 0 && value <= UINT8_MAX && value == floorf(value));
        if (missing || units == 0) continue;
        facts->units += units;
        spf_exact_sum_add(&facts->sum, units * (double)value);
        facts->low = value < facts->low ? value : facts->low;
        facts->high = value > facts->high ? value : facts->high;
    }
    return SPORF_OK;
}

static sporf_status find_squares(void *context, size_t feature, unsigned worker) {
    (void)worker;
    const facts_job *job = context;
    const float *column = job->rows->data->columns[feature];
    spf_exact_sum *squares = &job->facts->squares[feature];
    for (size_t i = 0; i < job->rows->data->rows; i++) {
        uint32_t units = units_at(job, i);
        double apart = column[i] - job->facts->mean[feature];
        if (units > 0 && !isnan(column[i])) spf_exact_sum_add(squares, units * (apart * apart));
    }
    return SPORF_OK;
}

/* A sum is sent with its carries propagated; without them, adding up could overflow. */
sporf_status spf_facts_write(spf_facts *facts, spf_writer *w) {
    for (size_t j = 0; j < facts->features; j++) spf_exact_sum_carry(&facts->column[j].sum);
    return spf_write(w, facts->column, facts->features * sizeof *facts->column);
}

sporf_status spf_spread_write(spf_facts *facts, spf_writer *w) {
    for (size_t j = 0; j < facts->features; j++) spf_exact_sum_carry(&facts->squares[j]);
    return spf_write(w, facts->squares, facts->features * sizeof *facts->squares);
}

sporf_status spf_facts_answer(const spf_frame *frame, const spf_some_rows *rows, unsigned threads,
                              spf_writer *w) {
    size_t features = frame->data->features;
    spf_facts facts;
    facts_job job = {frame->usual.weights, rows, &facts};
    sporf_status status = spf_facts_create(features, &facts);
    if (status == SPORF_OK)
        status = spf_parallel(features, spf_thread_count(threads), find_facts, &job);
    if (status == SPORF_OK) status = spf_facts_write(&facts, w);
    spf_facts_free(&facts);
    return status;
}

sporf_status spf_spread_answer(const spf_frame *frame, const spf_some_rows *rows, unsigned threads,
                               spf_reader *question, spf_writer *w) {
    size_t features = frame->data->features;
    spf_facts facts;
    facts_job job = {frame->usual.weights, rows, &facts};
    sporf_status status = spf_facts_create(features, &facts);
    if (status == SPORF_OK) status = spf_read(question, facts.mean, features * sizeof *facts.mean);
    for (size_t j = 0; status == SPORF_OK && j < features; j++)
        if (!spf_double_ok(facts.mean[j])) status = spf_raise_message();
    if (status == SPORF_OK)
        status = spf_parallel(features, spf_thread_count(threads), find_squares, &job);
    if (status == SPORF_OK) status = spf_spread_write(&facts, w);
    spf_facts_free(&facts);
    return status;
}

/* ---- all of them together -------------------------------------------------------------------- */

static sporf_status check_sum(const spf_exact_sum *sum) {
    int good =
        sum->limb[SPF_EXACT_LIMBS - 1] >= INT32_MIN && sum->limb[SPF_EXACT_LIMBS - 1] <= INT32_MAX;
    for (int i = 0; i + 1 < SPF_EXACT_LIMBS; i++)
        good &= sum->limb[i] >= 0 && sum->limb[i] <= UINT32_MAX;
    return good ? SPORF_OK : spf_raise_message();
}

static sporf_status check_facts(const spf_column_facts *some) {
    int empty = some->low == INFINITY && some->high == -INFINITY;
    if (!empty && !(spf_value_ok(some->low) && spf_value_ok(some->high)))
        return spf_raise_message();
    if (some->missing > 1 || some->lacks > 1 || some->beyond_bytes > 1) return spf_raise_message();
    return check_sum(&some->sum);
}

sporf_status spf_facts_hear(spf_facts *facts, spf_reader *answer) {
    for (size_t j = 0; j < facts->features; j++) {
        spf_column_facts *all = &facts->column[j], some;
        SPF_TRY(spf_read(answer, &some, sizeof some));
        SPF_TRY(check_facts(&some));
        spf_exact_sum_merge(&all->sum, &some.sum);
        all->units += some.units;
        all->low = some.low < all->low ? some.low : all->low;
        all->high = some.high > all->high ? some.high : all->high;
        all->missing |= some.missing;
        all->lacks |= some.lacks;
        all->beyond_bytes |= some.beyond_bytes;
    }
    return SPORF_OK;
}

/* As given, or as the outcome has it: AUTO depends on the columns. */
static sporf_scale scale_of(const spf_frame *frame) {
    sporf_scale given = frame->params.scale;
    return given != SPORF_SCALE_AUTO ? given : frame->usual.outcome->scale;
}

/* A scale that is not given depends on the spread, if features are added up at all. */
int spf_facts_need_spread(const spf_frame *frame) {
    sporf_scale scale = scale_of(frame);
    return scale == SPORF_SCALE_SD ||
           (scale == SPORF_SCALE_AUTO && frame->usual.sampler.traits.mixes_features);
}

static double over_units(const spf_facts *facts, size_t feature, const spf_exact_sum *sum) {
    uint64_t units = facts->column[feature].units;
    return units > 0 ? spf_exact_sum_value(sum) / (double)units : 0;
}

sporf_status spf_spread_ask(spf_facts *facts, spf_writer *w) {
    for (size_t j = 0; j < facts->features; j++)
        facts->mean[j] = over_units(facts, j, &facts->column[j].sum);
    return spf_write(w, facts->mean, facts->features * sizeof *facts->mean);
}

sporf_status spf_spread_hear(spf_facts *facts, spf_reader *answer) {
    for (size_t j = 0; j < facts->features; j++) {
        spf_exact_sum some;
        SPF_TRY(spf_read(answer, &some, sizeof some));
        SPF_TRY(check_sum(&some));
        spf_exact_sum_merge(&facts->squares[j], &some);
    }
    return SPORF_OK;
}

/* ---- settling -------------------------------------------------------------------------------- */

static int is_constant(const spf_column_facts *column) {
    return column->low > column->high || (column->low == column->high && !column->lacks);
}

static double spread_of(const spf_facts *facts, const sporf_dataset *data, size_t feature,
                        sporf_scale kind) {
    const spf_column_facts *column = &facts->column[feature];
    if (kind == SPORF_SCALE_NONE) return 1;
    if (spf_schema_kind(&data->schema, feature) == SPORF_KIND_CATEGORY) return SPF_LEVEL_SPREAD;
    if (kind == SPORF_SCALE_SD) return sqrt(over_units(facts, feature, &facts->squares[feature]));
    return column->high > column->low ? (double)column->high - (double)column->low : 0;
}

static void find_factors(const spf_facts *facts, const sporf_dataset *data, sporf_scale kind,
                         float *factors) {
    for (size_t j = 0; j < facts->features; j++)
        factors[j] =
            spf_scale_factor(spread_of(facts, data, j, kind), is_constant(&facts->column[j]));
}

/* As spf_settings_create does for a table. */
static sporf_scale choose_scale(const spf_facts *facts, const spf_frame *frame, int bytes,
                                float *factors) {
    sporf_scale scale = scale_of(frame);
    if (scale != SPORF_SCALE_AUTO) return scale;
    if (!spf_facts_need_spread(frame)) return SPORF_SCALE_NONE;
    find_factors(facts, frame->data, SPORF_SCALE_SD, factors);
    return spf_scale_is_mixed(frame->data, factors) && !bytes ? SPORF_SCALE_SD : SPORF_SCALE_NONE;
}

static void find_fill(const spf_facts *facts, float *fill) {
    for (size_t j = 0; j < facts->features; j++)
        fill[j] =
            facts->column[j].missing ? (float)over_units(facts, j, &facts->column[j].sum) : NAN;
}

static sporf_status settle(const spf_facts *facts, spf_frame *frame, float *scale, float *fill) {
    const sporf_params *usual = &frame->usual.params;
    unsigned missing = 0, beyond = 0, constant = 0;
    for (size_t j = 0; j < facts->features; j++) {
        missing |= facts->column[j].missing;
        beyond |= facts->column[j].beyond_bytes;
        constant |= (unsigned)is_constant(&facts->column[j]);
    }
    sporf_scale kind = choose_scale(facts, frame, !beyond, scale);
    spf_settled settled = {.projections = usual->projections,
                           .density = usual->density,
                           .bag_fraction = usual->bag_fraction,
                           .min_leaf = usual->min_leaf,
                           .bag = usual->bag,
                           .scale_kind = (uint32_t)kind,
                           .has_missing = missing != 0,
                           .whole = !beyond};
    int scales = kind != SPORF_SCALE_NONE || constant;
    int fills = missing && frame->usual.sampler.traits.draws_slots;
    if (scales) find_factors(facts, frame->data, kind, scale);
    if (fills) find_fill(facts, fill);
    for (size_t j = 0; j < facts->features; j++)
        if ((scales && !isfinite(scale[j])) || (fills && !spf_value_ok(fill[j]) && !isnan(fill[j])))
            return spf_raise_message();
    return spf_frame_settle(frame, &settled, scales ? scale : NULL, fills ? fill : NULL);
}

sporf_status spf_facts_settle(const spf_facts *facts, spf_frame *frame) {
    float *scale = spf_alloc(facts->features, sizeof *scale);
    float *fill = spf_alloc(facts->features, sizeof *fill);
    sporf_status status = scale && fill ? settle(facts, frame, scale, fill) : spf_raise_memory();
    free(scale);
    free(fill);
    return status;
}
