/* Out-of-bag shares of several labels, added tree by tree: those of regression, and the labels that
 * they get wrong. */
#include "learn/growing/grow.h"
#include "learn/outcome/several_labels.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    spf_tally tally;
    const spf_outcome *outcome;
    spf_tally *means; /* the shares */
    uint32_t *wrong;  /* [rows]: how many labels of a row are wrong */
    double voted;     /* weight of the rows that a tree predicts */
    double all_wrong; /* sum over them of weight times wrong labels */
} labels;

static int is_wrong(const labels *all, const double *sums, uint32_t row, size_t column) {
    const spf_labels_state *state = all->outcome->state;
    const spf_label_targets targets = spf_schema_label_targets(state->schema, column);
    size_t decided = targets.begin + spf_label_decide(&targets, sums);
    return decided != spf_labels_truth(state, row)[column];
}

static const double *sums_of(const labels *all, const spf_means_view *means, size_t row) {
    return means->sums + row * all->outcome->targets;
}

static void judge_row(labels *all, const spf_means_view *means, uint32_t row) {
    const spf_labels_state *state = all->outcome->state;
    double weight = spf_row_units(all->outcome->weights, row);
    uint32_t wrong = 0;
    for (size_t c = 0; c < state->columns; c++)
        wrong += (uint32_t)is_wrong(all, sums_of(all, means, row), row, c);
    if (means->trees[row] == 1) all->voted += weight;
    all->all_wrong += weight * ((double)wrong - (double)all->wrong[row]);
    all->wrong[row] = wrong;
}

/* The error is the share of wrong labels (the Hamming loss). */
static double add_labels(spf_tally *tally, const spf_grown *grown) {
    labels *all = (labels *)tally;
    const spf_labels_state *state = all->outcome->state;
    all->means->add(all->means, grown);
    const spf_means_view means = spf_means_so_far(all->means);
    for (size_t i = 0; i < grown->oob_count; i++) judge_row(all, &means, grown->oob_row[i]);
    return all->voted > 0 ? all->all_wrong / (all->voted * (double)state->columns) : NAN;
}

static void weigh_labels(const spf_tally *tally, struct spf_evidence *evidence) {
    const labels *all = (const labels *)tally;
    all->means->weigh(all->means, evidence);
}

/* The error of each label, and behind them the share of rows with some wrong label. */
static sporf_status find_errors(const labels *all, double **errors) {
    const spf_labels_state *state = all->outcome->state;
    const spf_means_view means = spf_means_so_far(all->means);
    double *wrong = spf_alloc_zero(state->columns + 1, sizeof *wrong);
    if (!wrong) return spf_raise_memory();
    for (size_t i = 0; i < all->outcome->rows; i++) {
        double weight = spf_row_units(all->outcome->weights, i);
        if (means.trees[i] == 0) continue;
        for (size_t c = 0; c < state->columns; c++)
            if (is_wrong(all, sums_of(all, &means, i), (uint32_t)i, c)) wrong[c] += weight;
        if (all->wrong[i] > 0) wrong[state->columns] += weight;
    }
    for (size_t c = 0; c <= state->columns; c++)
        wrong[c] = all->voted > 0 ? wrong[c] / all->voted : NAN;
    *errors = wrong;
    return SPORF_OK;
}

static sporf_status hand_over_labels(spf_tally *tally, unsigned threads, sporf_forest *forest) {
    const labels *all = (const labels *)tally;
    SPF_TRY(find_errors(all, &forest->oob_labels));
    return all->means->hand_over(all->means, threads, forest);
}

static void free_labels(spf_tally *tally) {
    labels *all = (labels *)tally;
    if (all->means) all->means->free(all->means);
    free(all->wrong);
    free(all);
}

double spf_labels_tally_bytes(size_t rows, const spf_leaf_size *leaf, int calibrates) {
    (void)calibrates;
    return spf_means_bytes(rows, leaf, 0) + (double)rows * sizeof(uint32_t);
}

sporf_status spf_labels_tally_create(const spf_outcome *outcome, spf_tally **tally) {
    labels *all = spf_alloc_zero(1, sizeof *all);
    if (!all) return spf_raise_memory();
    *tally = &all->tally;
    all->tally = (spf_tally){.add = add_labels,
                             .weigh = weigh_labels,
                             .hand_over = hand_over_labels,
                             .free = free_labels};
    all->outcome = outcome;
    all->wrong = spf_alloc_zero(outcome->rows, sizeof *all->wrong);
    if (!all->wrong) return spf_raise_memory();
    return spf_means_create(outcome, &all->means);
}
