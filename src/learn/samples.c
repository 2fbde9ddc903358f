/* Leaves whose rows differ keep all of them, the others none. */
#include "learn/samples.h"

#include <math.h>
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

/* Where the rows end that are in the leaf of row number `begin`. */
static size_t end_of_leaf(const spf_leaf_rows *rows, size_t begin) {
    size_t end = begin + 1;
    while (end < rows->count && rows->leaf[end] == rows->leaf[begin]) end++;
    return end;
}

static int differ(const spf_leaf_rows *rows, size_t begin, size_t end) {
    for (size_t t = 0; t < rows->data->targets; t++) {
        const float *value = spf_target_of(rows->data, t);
        for (size_t i = begin + 1; i < end; i++)
            if (value[rows->row[i]] != value[rows->row[begin]]) return 1;
    }
    return 0;
}

typedef struct {
    size_t count;   /* of samples */
    uint32_t units; /* of the last one */
    int weights;    /* not all weigh the same */
} survey;

static void look_at(const spf_leaf_rows *rows, size_t begin, size_t end, survey *s) {
    for (size_t i = begin; i < end; i++) {
        uint32_t units = rows->units[rows->row[i]];
        s->weights |= s->count > 0 && units != s->units;
        s->units = units;
        s->count++;
    }
}

/* Adds the samples of a leaf behind the first `count`. */
static void add(const spf_leaf_rows *rows, size_t begin, size_t end, size_t count,
                spf_gathered *out) {
    const sporf_dataset *data = rows->data;
    float *value = out->value + count * data->targets;
    for (size_t i = begin; i < end; i++) {
        uint32_t row = rows->row[i];
        for (size_t t = 0; t < data->targets; t++)
            value[(i - begin) * data->targets + t] = spf_target_of(data, t)[row];
        if (out->weight)
            out->weight[count + i - begin] = ldexpf((float)rows->units[row], -rows->exponent);
    }
}

static void fill(const spf_leaf_rows *rows, uint32_t leaves, spf_gathered *out) {
    uint32_t next = 0, count = 0;
    for (size_t begin = 0, end; begin < rows->count; begin = end) {
        end = end_of_leaf(rows, begin);
        while (next < rows->leaf[begin]) out->end[next++] = count;
        if (!differ(rows, begin, end)) continue;
        add(rows, begin, end, count, out);
        count += (uint32_t)(end - begin); /* the leaf's own end is set with those that follow */
    }
    while (next < leaves) out->end[next++] = count;
}

sporf_status spf_samples_gather(const spf_leaf_rows *rows, uint32_t leaves, spf_gathered *out) {
    survey s = {0};
    for (size_t begin = 0, end; begin < rows->count; begin = end) {
        end = end_of_leaf(rows, begin);
        if (differ(rows, begin, end)) look_at(rows, begin, end, &s);
    }
    *out = (spf_gathered){0};
    if (s.count == 0) return SPORF_OK;
    out->end = spf_alloc(leaves, sizeof *out->end);
    out->value = spf_alloc(s.count * rows->data->targets, sizeof *out->value);
    out->weight = s.weights ? spf_alloc(s.count, sizeof *out->weight) : NULL;
    if (!out->end || !out->value || (s.weights && !out->weight)) {
        spf_gathered_free(out);
        return spf_raise_memory();
    }
    fill(rows, leaves, out);
    return SPORF_OK;
}
