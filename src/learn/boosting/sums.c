/* Drawing and binning of sums. */
#include "learn/boosting/sums.h"

#include "base/sort.h"
#include "learn/sampling/scale.h"
#include "learn/settings/checks.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_ROWS = 256,   /* projected at a time */
    CHUNK_ROWS = 8192,  /* of one item of a parallel loop */
    SAMPLE_ROWS = 1024, /* that choose the bins */
    TAIL_SHARE = 128,   /* one in so many sampled values lies outside the cells, on either side */
    TRIES = 4,          /* to find a row whose level is not missing */
};

/* ---- set-up ---------------------------------------------------------------------------------- */

/* Levels are never missing in sums, and need no number. */
static sporf_status find_fill(const spf_settings *settings, float **fill) {
    const sporf_dataset *data = settings->data;
    if (!data->has_missing) return SPORF_OK;
    *fill = spf_alloc(data->features, sizeof **fill);
    if (!*fill) return spf_raise_memory();
    for (size_t j = 0; j < data->features; j++)
        (*fill)[j] = spf_column_has_missing(data, j)
                         ? (float)spf_mean_of(data->columns[j], settings->weights, data->rows)
                         : NAN;
    return SPORF_OK;
}

static size_t drawn_from(const spf_sums *sums) {
    return sums->settings->sampler.traits.draws_slots ? sums->slots.count
                                                      : sums->settings->data->features;
}

static sporf_status make_room(spf_sums *sums) {
    const spf_settings *s = sums->settings;
    size_t features = s->data->features;
    sums->single = spf_alloc_zero(features, sizeof *sums->single);
    if (!sums->single) return spf_raise_memory();
    if (s->sampler.prepare && !(sums->dense = spf_alloc_zero(features, sizeof *sums->dense)))
        return spf_raise_memory();
    return SPORF_OK;
}

sporf_status spf_sums_create(const spf_settings *settings, const float *scale,
                             const int8_t *monotone, spf_sums *sums) {
    *sums = (spf_sums){.settings = settings, .scale = scale, .monotone = monotone};
    SPF_TRY(find_fill(settings, &sums->fill));
    if (settings->sampler.traits.draws_slots)
        SPF_TRY(spf_slots_create(settings->data, scale, &sums->slots));
    return make_room(sums);
}

void spf_sums_free(spf_sums *sums) {
    free(sums->fill);
    spf_slots_free(&sums->slots);
    spf_projections_free(&sums->drawn);
    spf_projections_free(&sums->basis);
    spf_projections_free(&sums->list);
    spf_set_list_free(&sums->sets);
    free(sums->single);
    free(sums->dense);
    free(sums->cells);
    spf_binned_free(&sums->binned);
    *sums = (spf_sums){0};
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* What a sampler sees that does not look at rows. */
static sporf_view view_of(const spf_sums *sums, uint32_t round) {
    const spf_settings *s = sums->settings;
    return (sporf_view){.tree = round,
                        .features = drawn_from(sums),
                        .columns = (const float *const *)s->data->columns,
                        .scale = sums->slots.scale ? sums->slots.scale : sums->scale,
                        .classes = s->outcome->labelled ? s->classes.count : 0};
}

/* A user's sampler may fail without a message. */
static sporf_status raise_for_sampler(const sporf_sampler *sampler, sporf_status status,
                                      unsigned raised) {
    if (status == SPORF_OK || spf_raise_count() != raised) return status;
    return spf_raise(status, "the sampler '%s' failed with status %d",
                     sampler->name ? sampler->name : "", (int)status);
}

static sporf_status run_sampler(spf_sums *sums, uint32_t round) {
    const sporf_sampler *sampler = &sums->settings->sampler;
    uint64_t key = spf_tree_key(sums->settings->params.seed, round);
    sporf_random random = spf_random_start(key, SPF_ROOT_KEY, SPF_USE_PREPARE);
    sporf_view view = view_of(sums, round);
    void *state = NULL;
    spf_projections_clear(&sums->basis);
    spf_projections_clear(&sums->drawn);
    sums->basis.features = view.features;
    sums->basis.scale = view.scale;
    unsigned raised = spf_raise_count();
    if (sampler->prepare)
        SPF_TRY(raise_for_sampler(
            sampler, sampler->prepare(sampler->payload, &view, &random, &sums->basis, &state),
            raised));
    if (sums->basis.count > 0) view.features = sums->basis.count;
    if (sums->basis.count > 0) view.scale = NULL;
    sums->drawn.features = view.features;
    sums->drawn.scale = view.scale;
    random = spf_random_start(key, SPF_ROOT_KEY, SPF_USE_DRAW);
    sporf_status status = sampler->draw(sampler->payload, state, &view, &random, &sums->drawn);
    if (sampler->prepare && sampler->finish) sampler->finish(sampler->payload, state);
    return raise_for_sampler(sampler, status, raised);
}

static int is_category(const spf_sums *sums, uint32_t feature) {
    return spf_schema_kind(&sums->settings->data->schema, feature) == SPORF_KIND_CATEGORY;
}

/* The level of a random row: frequent levels are drawn more often. */
static uint32_t draw_level(const spf_sums *sums, uint32_t feature, sporf_random *random) {
    const sporf_dataset *data = sums->settings->data;
    for (int i = 0; i < TRIES; i++) {
        uint32_t row = spf_random_below(random, (uint32_t)data->rows);
        float level = data->columns[feature][row];
        if (!isnan(level) && spf_row_units(sums->settings->weights, row) > 0)
            return (uint32_t)level;
    }
    return 0;
}

/* The features of some slots, ascending; a category counts once. */
static size_t find_features(const spf_sums *sums, uint32_t *slot, float *weight, size_t terms) {
    size_t kept = 0;
    for (size_t i = 0; i < terms; i++) {
        uint32_t feature = sums->slots.feature ? sums->slots.feature[slot[i]] : slot[i];
        if (kept > 0 && slot[kept - 1] == feature) continue;
        slot[kept] = feature;
        weight[kept++] = weight[i];
    }
    return kept;
}

/* Whether the constraints allow a sum: all constrained features push it in one direction. */
static int allows(const spf_sums *sums, const uint32_t *feature, const float *weight, size_t terms,
                  int8_t *direction) {
    *direction = 0;
    for (size_t i = 0; sums->monotone && i < terms; i++) {
        int own = sums->monotone[feature[i]] * (weight[i] > 0 ? 1 : -1);
        if (own == 0) continue;
        if (*direction != 0 && *direction != own) return 0;
        *direction = (int8_t)own;
    }
    return 1;
}

/* A category becomes one of its levels; missing values of numbers are filled in. */
static sporf_status resolve_term(spf_sums *sums, sporf_random *random, uint32_t *feature) {
    uint32_t set;
    if (is_category(sums, *feature))
        SPF_TRY(spf_set_list_add_level(&sums->sets, *feature, draw_level(sums, *feature, random),
                                       &set));
    else if (sums->fill && !isnan(sums->fill[*feature]))
        SPF_TRY(spf_set_list_add_filled(&sums->sets, *feature, sums->fill[*feature], &set));
    else
        return SPORF_OK;
    *feature = (uint32_t)sums->settings->data->features + set;
    return SPORF_OK;
}

/* Whether the last sum of the list is stored with the opposite signs of the one that was put, whose
 * first term is given. */
static int is_mirrored(const sporf_projections *list, uint32_t feature, float weight) {
    uint32_t at = list->start[list->count - 1];
    while (list->feature[at] != feature) at++;
    return list->weight[at] * weight < 0;
}

static sporf_status add_sum(spf_sums *sums, sporf_random *random, uint32_t *feature, float *weight,
                            size_t terms) {
    int8_t direction;
    size_t number = sums->list.count;
    if (terms == 1) sums->single[feature[0]] = 1;
    if (terms < 2 || !allows(sums, feature, weight, terms, &direction)) return SPORF_OK;
    for (size_t i = 0; i < terms; i++) SPF_TRY(resolve_term(sums, random, &feature[i]));
    SPF_TRY(spf_projections_put(&sums->list, terms, feature, weight));
    spf_bin_column *column = &sums->binned.columns[number];
    column->source = (uint32_t)number;
    column->monotone = is_mirrored(&sums->list, feature[0], weight[0]) ? -direction : direction;
    return SPORF_OK;
}

/* A projection of directions as one of features. */
static sporf_status add_directions(spf_sums *sums, sporf_random *random, size_t candidate) {
    const sporf_projections *drawn = &sums->drawn, *basis = &sums->basis;
    size_t features = sums->settings->data->features, terms = 0;
    memset(sums->dense, 0, features * sizeof *sums->dense);
    for (uint32_t i = drawn->start[candidate]; i < drawn->start[candidate + 1]; i++) {
        uint32_t direction = drawn->feature[i];
        for (uint32_t t = basis->start[direction]; t < basis->start[direction + 1]; t++)
            sums->dense[basis->feature[t]] += (double)drawn->weight[i] * basis->weight[t];
    }
    uint32_t *feature = spf_alloc(features, sizeof *feature);
    float *weight = spf_alloc(features, sizeof *weight);
    for (size_t j = 0; feature && weight && j < features; j++) {
        feature[terms] = (uint32_t)j;
        weight[terms] = (float)sums->dense[j];
        terms += weight[terms] != 0;
    }
    sporf_status status =
        feature && weight ? add_sum(sums, random, feature, weight, terms) : spf_raise_memory();
    free(feature);
    free(weight);
    return status;
}

static int has_sums(const spf_sums *sums) {
    for (size_t i = 0; i < sums->drawn.count; i++)
        if (spf_projection_terms(&sums->drawn, i) > 1) return 1;
    return sums->basis.count > 0;
}

/* Makes room for the columns of what was drawn. Methods draw the same number in every round; a
 * user's sampler may draw more later. */
static sporf_status make_columns(spf_sums *sums) {
    size_t drawn = sums->drawn.count;
    if (drawn <= sums->binned.columns_count || !has_sums(sums)) return SPORF_OK;
    free(sums->cells);
    spf_binned_free(&sums->binned);
    sums->cells = spf_alloc(drawn, sizeof *sums->cells);
    if (!sums->cells) return spf_raise_memory();
    return spf_binned_create(sums->settings->data->rows, drawn, &sums->binned);
}

static sporf_status take_drawn(spf_sums *sums, uint32_t round) {
    uint64_t key = spf_tree_key(sums->settings->params.seed, round);
    sporf_random random = spf_random_start(key, SPF_ROOT_KEY, SPF_USE_LEVELS);
    sporf_projections *drawn = &sums->drawn;
    memset(sums->single, 0, sums->settings->data->features);
    for (size_t i = 0; i < drawn->count; i++) {
        uint32_t start = drawn->start[i];
        if (sums->basis.count > 0) {
            SPF_TRY(add_directions(sums, &random, i));
            continue;
        }
        size_t terms = find_features(sums, drawn->feature + start, drawn->weight + start,
                                     spf_projection_terms(drawn, i));
        SPF_TRY(add_sum(sums, &random, drawn->feature + start, drawn->weight + start, terms));
    }
    return SPORF_OK;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* The values of a term for rows from `begin` on, in place or in `own`. */
static const float *term_values(const spf_sums *sums, uint32_t term, size_t begin, size_t count,
                                float *own) {
    const sporf_dataset *data = sums->settings->data;
    if (term < data->features) return data->columns[term] + begin;
    spf_sets sets = spf_set_list_view(&sums->sets);
    const spf_set *set = &sets.sets[term - data->features];
    const float *column = data->columns[set->feature] + begin;
    for (size_t i = 0; i < count; i++) own[i] = spf_set_value(&sets, set, column[i]);
    return own;
}

/* The same bits as spf_tree_project gives: terms are added in order. */
static void project(const spf_sums *sums, size_t sum, size_t begin, size_t count, float *value) {
    float own[BLOCK_ROWS];
    uint32_t start = sums->list.start[sum], end = sums->list.start[sum + 1];
    const float *first = term_values(sums, sums->list.feature[start], begin, count, own);
    for (size_t i = 0; i < count; i++) value[i] = sums->list.weight[start] * first[i];
    for (uint32_t t = start + 1; t < end; t++) {
        const float *next = term_values(sums, sums->list.feature[t], begin, count, own);
        for (size_t i = 0; i < count; i++) value[i] += sums->list.weight[t] * next[i];
    }
}

static size_t sort_sample(const spf_sums *sums, size_t sum, float *sample) {
    size_t rows = sums->settings->data->rows, count = 0;
    uint64_t keys[2 * SAMPLE_ROWS];
    size_t wanted = rows < SAMPLE_ROWS ? rows : SAMPLE_ROWS;
    for (size_t i = 0; i < wanted; i++) {
        size_t row = i * rows / wanted;
        float value;
        if (spf_row_units(sums->settings->weights, row) == 0) continue;
        project(sums, sum, row, 1, &value);
        keys[count++] = (uint64_t)spf_float_order(value) << 32;
    }
    spf_sort_keys(keys, keys + SAMPLE_ROWS, count);
    for (size_t i = 0; i < count; i++) sample[i] = spf_float_unorder((uint32_t)(keys[i] >> 32));
    return count;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static inline unsigned cell_of(const spf_sum_cells *cells, float value) {
    float place = (value - cells->low) * cells->inverse;
    place = place > 0 ? place : 0;
    return (unsigned)(place < SPF_SUM_CELLS - 1 ? place : SPF_SUM_CELLS - 1);
}

/* Without extreme values, unless nothing else varies. Returns 0 if the sample is constant. */
static int place_cells(const float *sample, size_t count, spf_sum_cells *cells) {
    size_t tail = count / TAIL_SHARE;
    float low = sample[tail], high = sample[count - 1 - tail];
    if (!(high > low)) {
        low = sample[0];
        high = sample[count - 1];
    }
    cells->low = low;
    cells->inverse = SPF_SUM_CELLS / (high - low);
    return high > low && isfinite(cells->inverse);
}

/* Each cell gets the bin of the middle of its sampled values. */
static void number_bins(const float *sample, size_t count, spf_sum_cells *cells) {
    size_t before = 0, i = 0;
    for (unsigned c = 0; c < SPF_SUM_CELLS; c++) {
        while (i < count && cell_of(cells, sample[i]) == c) i++;
        cells->bin[c] = (uint8_t)((before + i) * SPF_SUM_BINS / (2 * count + 1));
        before = i;
    }
}

static sporf_status choose_bins(void *context, size_t sum, unsigned worker) {
    (void)worker;
    spf_sums *sums = context;
    float sample[SAMPLE_ROWS];
    size_t count = sort_sample(sums, sum, sample);
    spf_sum_cells *cells = &sums->cells[sum];
    int varies = count > 1 && place_cells(sample, count, cells);
    sums->binned.columns[sum].bins = varies ? SPF_SUM_BINS : 1;
    if (varies) number_bins(sample, count, cells);
    return SPORF_OK;
}

/* Numbers are searched in their order: near 0 there are very many between two cells. */
float spf_sums_threshold(const spf_sums *sums, size_t sum, unsigned cut) {
    const spf_sum_cells *cells = &sums->cells[sum];
    unsigned last = SPF_SUM_CELLS - 1;
    while (cells->bin[last] > cut) last--;
    uint32_t low = spf_float_order(cells->low), high = spf_float_order(FLT_MAX);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2 + 1;
        if (cell_of(cells, spf_float_unorder(middle)) <= last)
            low = middle;
        else
            high = middle - 1;
    }
    return spf_float_unorder(low);
}

/* ---- bins of rows ---------------------------------------------------------------------------- */

static void put_block(const spf_sums *sums, size_t sum, size_t begin, size_t count) {
    float value[BLOCK_ROWS];
    uint16_t cell[BLOCK_ROWS];
    const spf_sum_cells *cells = &sums->cells[sum];
    size_t width = spf_bin_group_of(&sums->binned, sum)->width;
    uint8_t *bytes = spf_bin_bytes(&sums->binned, sum) + begin * width;
    project(sums, sum, begin, count, value);
    for (size_t i = 0; i < count; i++) cell[i] = (uint16_t)cell_of(cells, value[i]);
    for (size_t i = 0; i < count; i++) bytes[i * width] = cells->bin[cell[i]];
}

static size_t groups_of(const spf_sums *sums) {
    return (sums->list.count + SPF_GROUP_COLUMNS - 1) / SPF_GROUP_COLUMNS;
}

/* One chunk of rows of one group. */
static sporf_status put_chunk(void *context, size_t item, unsigned worker) {
    (void)worker;
    spf_sums *sums = context;
    size_t rows = sums->binned.rows, groups = groups_of(sums);
    size_t first = item % groups * SPF_GROUP_COLUMNS, end = first + SPF_GROUP_COLUMNS;
    size_t begin = item / groups * CHUNK_ROWS;
    size_t stop = rows - begin < CHUNK_ROWS ? rows : begin + CHUNK_ROWS;
    if (end > sums->list.count) end = sums->list.count;
    for (size_t row = begin; row < stop; row += BLOCK_ROWS)
        for (size_t sum = first; sum < end; sum++)
            if (sums->binned.columns[sum].bins > 1)
                put_block(sums, sum, row, stop - row < BLOCK_ROWS ? stop - row : BLOCK_ROWS);
    return SPORF_OK;
}

sporf_status spf_sums_draw(spf_sums *sums, uint32_t round, spf_pool *pool, unsigned worker) {
    spf_projections_clear(&sums->list);
    spf_set_list_clear(&sums->sets);
    SPF_TRY(run_sampler(sums, round));
    SPF_TRY(make_columns(sums));
    SPF_TRY(take_drawn(sums, round));
    size_t count = sums->list.count, chunks = (sums->binned.rows + CHUNK_ROWS - 1) / CHUNK_ROWS;
    for (size_t i = count; i < sums->binned.columns_count; i++) sums->binned.columns[i].bins = 1;
    SPF_TRY(spf_pool_for(pool, worker, count, choose_bins, sums));
    spf_binned_lay_out(&sums->binned, SPF_SUM_BINS);
    return spf_pool_for(pool, worker, chunks * groups_of(sums), put_chunk, sums);
}
