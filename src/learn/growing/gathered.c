/* Leaves whose rows differ store all samples, the others none. */
#include "learn/growing/gathered.h"

#include <stdlib.h>

void spf_gathered_free(spf_gathered *gathered) {
    free(gathered->end);
    free(gathered->value);
    free(gathered->weight);
    *gathered = (spf_gathered){0};
}

void spf_gathered_hand_over(spf_gathered *gathered, spf_tree *tree) {
    tree->sample_end = gathered->end;
    tree->sample_value = gathered->value;
    tree->sample_weight = gathered->weight;
    *gathered = (spf_gathered){0};
}

static int differ(const spf_leaf_rows *rows, spf_extent leaf) {
    for (size_t t = 0; t < rows->outcome->targets; t++) {
        const float *value = spf_outcome_values(rows->outcome, t);
        for (uint32_t i = leaf.begin + 1; i < leaf.end; i++)
            if (value[rows->row[i]] != value[rows->row[leaf.begin]]) return 1;
    }
    return 0;
}

typedef struct {
    size_t count;   /* of samples */
    uint32_t units; /* of the last one */
    int weights;    /* weights are not all equal */
} survey;

static void look_at(const spf_leaf_rows *rows, spf_extent leaf, survey *s) {
    for (uint32_t i = leaf.begin; i < leaf.end; i++) {
        uint32_t units = rows->units[rows->row[i]];
        s->weights |= s->count > 0 && units != s->units;
        s->units = units;
        s->count++;
    }
}

/* Adds the samples of a leaf behind the first `count`. */
static void add(const spf_leaf_rows *rows, spf_extent leaf, size_t count, spf_gathered *out) {
    const spf_outcome *outcome = rows->outcome;
    float *value = out->value + count * outcome->targets;
    for (uint32_t i = leaf.begin; i < leaf.end; i++) {
        uint32_t row = rows->row[i];
        for (size_t t = 0; t < outcome->targets; t++)
            *value++ = spf_outcome_values(outcome, t)[row];
        if (out->weight) out->weight[count++] = (float)(rows->units[row] / rows->unit_of_leaf);
    }
}

sporf_status spf_samples_gather(const spf_leaf_rows *rows, spf_gathered *out) {
    survey s = {0};
    uint32_t count = 0;
    *out = (spf_gathered){0};
    for (size_t k = 0; k < rows->leaves; k++)
        if (differ(rows, rows->of_leaf[k])) look_at(rows, rows->of_leaf[k], &s);
    if (s.count == 0) return SPORF_OK;
    if (s.count > UINT32_MAX)
        return spf_raise(
            SPORF_ERROR_DATA,
            "the leaves of a tree hold more than 2^32 rows to take quantiles from" SPF_HINT
            "keep no samples (" SPF_OPTION_AS("samples", "drop") ")");
    out->end = spf_alloc(rows->leaves, sizeof *out->end);
    out->value = spf_alloc(s.count * rows->outcome->targets, sizeof *out->value);
    out->weight = s.weights ? spf_alloc(s.count, sizeof *out->weight) : NULL;
    if (!out->end || !out->value || (s.weights && !out->weight)) {
        spf_gathered_free(out);
        return spf_raise_memory();
    }
    for (size_t k = 0; k < rows->leaves; k++) {
        spf_extent leaf = rows->of_leaf[k];
        if (differ(rows, leaf)) {
            add(rows, leaf, count, out);
            count += leaf.end - leaf.begin;
        }
        out->end[k] = count;
    }
    return SPORF_OK;
}
