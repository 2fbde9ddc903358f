/* The public functions for interactions. */
#include "api/dependence_rows.h"
#include "predict/interaction.h"

#include <stdlib.h>

enum { SAMPLE = 200 }; /* rows by default */

/* Interactions and the memory they point to. */
typedef struct {
    sporf_interactions shown;
    sporf_interaction *pairs;
    size_t *features;
    uint32_t *numbers; /* the same, as the walks take them */
    double *total;
    double *h, *strength; /* [pairs], before they are sorted */
} parts;

void sporf_interactions_free(sporf_interactions *interactions) {
    parts *p = (parts *)interactions;
    if (!p) return;
    free(p->pairs);
    free(p->features);
    free(p->numbers);
    free(p->total);
    free(p->h);
    free(p->strength);
    free(p);
}

static sporf_status allocate(const size_t *features, size_t count, parts *p) {
    size_t pairs = count * (count - 1) / 2;
    p->shown.features_count = count;
    p->shown.count = pairs;
    p->pairs = spf_alloc(pairs, sizeof *p->pairs);
    p->numbers = spf_alloc(count, sizeof *p->numbers);
    p->total = spf_alloc(count, sizeof *p->total);
    p->h = spf_alloc(pairs, sizeof *p->h);
    p->strength = spf_alloc(pairs, sizeof *p->strength);
    SPF_TRY(spf_copy_array(features, count, sizeof *features, &p->features));
    return p->pairs && p->numbers && p->total && p->h && p->strength ? SPORF_OK
                                                                     : spf_raise_memory();
}

static int by_strength(const void *a, const void *b) {
    const sporf_interaction *left = a, *right = b;
    if (left->strength != right->strength) return left->strength > right->strength ? -1 : 1;
    if (left->first != right->first) return left->first < right->first ? -1 : 1;
    return left->second < right->second ? -1 : left->second > right->second;
}

static void show(const spf_dependence_rows *rows, parts *p) {
    size_t pair = 0, count = p->shown.features_count;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++, pair++)
            p->pairs[pair] =
                (sporf_interaction){p->features[i], p->features[j], p->h[pair], p->strength[pair]};
    qsort(p->pairs, pair, sizeof *p->pairs, by_strength);
    p->shown.pairs = p->pairs;
    p->shown.features = p->features;
    p->shown.total = p->total;
    p->shown.rows_count = rows->data->rows;
}

static sporf_status find(const sporf_forest *forest, const sporf_dataset *data,
                         const sporf_dependence_options *options, const sporf_hooks *hooks,
                         parts *p) {
    spf_dependence_rows rows;
    size_t count = p->shown.features_count;
    SPF_TRY(spf_dependence_features(forest, p->features, count, p->numbers));
    sporf_status status = spf_dependence_rows_open(forest, data, options, hooks, SAMPLE, &rows);
    if (status == SPORF_OK)
        status =
            spf_interactions_find(forest, &rows.values, rows.data->weights, p->numbers, count,
                                  &rows.curves, &(spf_interactions){p->h, p->strength, p->total});
    if (status == SPORF_OK) show(&rows, p);
    spf_dependence_rows_close(&rows);
    return status;
}

sporf_status sporf_interactions_create(const sporf_forest *forest, const sporf_dataset *data,
                                       const sporf_dependence_options *options,
                                       const sporf_hooks *hooks, const size_t *features,
                                       size_t count, sporf_interactions **out) {
    if (!forest || !data || !features || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "interactions need a forest, data, features and a place for the result");
    *out = NULL;
    if (count < 2 || count > forest->features)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "interactions are of at least 2 different features, got %zu of %zu", count,
                         forest->features);
    parts *p = spf_alloc_zero(1, sizeof *p);
    if (!p) return spf_raise_memory();
    sporf_status status = allocate(features, count, p);
    if (status == SPORF_OK) status = find(forest, data, options, hooks, p);
    if (status == SPORF_OK)
        *out = &p->shown;
    else
        sporf_interactions_free(&p->shown);
    return status;
}
