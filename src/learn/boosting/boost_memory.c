/* How much memory boosting may need. */
#include "learn/boosting/boost_memory.h"
#include "learn/boosting/booster.h"

#include "base/parallel.h"
#include "base/text.h"

#include <math.h>

/* Bytes of a row in the groups of that many columns. */
static double group_bytes(double columns) {
    return ceil(columns / SPF_GROUP_PART) * SPF_GROUP_PART;
}

/* Plain trees, and the packed form that replaces them. */
static double tree_bytes(const spf_settings *s, double rows) {
    const sporf_params *params = &s->params;
    double leaves = params->max_leaves > 0
                        ? params->max_leaves
                        : ldexp(1, params->max_depth < 30 ? (int)params->max_depth : 30);
    spf_tree_size size = {.leaves = fmin(leaves, fmax(1, rows / params->min_leaf)), .targets = 1};
    size.projections = size.leaves - 1;
    size.entries = size.leaves;
    size.terms = size.projections * fmax(1, s->sampling.nonzeros);
    if (spf_schema_has_categories(&s->data->schema)) {
        size.sets = size.terms;
        size.words = size.terms * (1 + (double)spf_schema_most_levels(&s->data->schema) / 32);
    }
    return spf_tree_bytes(&size) + spf_packed_bytes(&size, 1);
}

uint64_t spf_boost_memory(const spf_settings *s, size_t valid_rows) {
    const sporf_params *params = &s->params;
    double rows = (double)s->data->rows, features = (double)s->data->features;
    double outputs = s->data->targets > 0 ? (double)s->data->targets : (double)s->classes.count;
    double sums = s->method && !s->sampler.traits.mixes_features ? 0 : s->sampling.projections;
    double at_once = (double)spf_trees_at_once((size_t)(params->bags * outputs),
                                               spf_thread_count(params->threads));
    double bins = rows * (group_bytes(features) + group_bytes(sums));
    double of_bag = rows * outputs * (sizeof(double) + 2 * sizeof(float)) + rows +
                    (double)valid_rows * outputs * sizeof(double);
    double refit = 2 * sizeof(uint64_t) + 2 * sizeof(float); /* of leaves by quantiles */
    double of_tree = rows * (3 * sizeof(uint32_t) + sizeof(uint64_t) + refit);
    double scratch =
        spf_thread_count(params->threads) * (double)SPF_SCRATCH_BINS * sizeof(uint64_t);
    double cuts = (features + sums) * (SPF_BINS_MOST * sizeof(float) + sizeof(spf_bin_column)) +
                  sums * sizeof(spf_sum_cells);
    double trees = params->rounds * params->bags * outputs * tree_bytes(s, rows);
    double bytes = bins + params->bags * of_bag + at_once * of_tree + cuts + trees + scratch +
                   2 * (double)SPF_HISTOGRAM_BYTES;
    return bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX;
}

sporf_status spf_boost_check_memory(const spf_settings *settings, size_t valid_rows) {
    uint64_t most = settings->params.max_memory, bytes = spf_boost_memory(settings, valid_rows);
    char all[SPF_BYTES_TEXT_MAX], limit[SPF_BYTES_TEXT_MAX];
    if (most == 0 || bytes <= most) return SPORF_OK;
    return spf_raise(
        SPORF_ERROR_MEMORY,
        "training may need up to %s besides the table, but only %s are allowed" SPF_HINT
        "raise " SPF_OPTION("max-memory") ", or lower " SPF_OPTION("rounds") ", " SPF_OPTION(
            "bags") " or " SPF_OPTION("projections"),
        spf_bytes_text(bytes, all), spf_bytes_text(most, limit));
}
