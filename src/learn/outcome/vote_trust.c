/* Rows are looked at in blocks of equal length, one of each, so that the work is bounded whatever
 * the size of the table. Their shares are kept in single precision: sums are in the order of the
 * trees, and more digits would not change what is learned. */
#include "learn/outcome/vote_trust.h"

#include "learn/outcome/trust_fit.h"

#include <stdlib.h>

enum { MOST_ROWS = 1 << 14 };

static size_t stride_of(size_t rows) {
    return rows > MOST_ROWS ? (rows + MOST_ROWS - 1) / MOST_ROWS : 1;
}

static size_t blocks_of(size_t rows) {
    return (rows + stride_of(rows) - 1) / stride_of(rows);
}

/* The row of a block that is looked at: another place in each, should rows repeat in a pattern. It
 * may be beyond the last row of the table. */
static size_t row_of_block(const spf_vote_trust *trust, size_t block) {
    uint64_t mixed = (uint64_t)block * 0x9E3779B97F4A7C15u;
    return block * trust->stride + (size_t)((mixed >> 32) % trust->stride);
}

double spf_vote_trust_bytes(size_t rows, size_t classes) {
    double blocks = (double)blocks_of(rows), cells = blocks * (double)classes;
    return 2 * spf_alloc_bytes(cells, sizeof(float)) + spf_alloc_bytes((double)rows / 8 + 1, 1) +
           spf_alloc_bytes(blocks + 1, sizeof(spf_voted_row)) + spf_trust_fit_bytes(blocks);
}

sporf_status spf_vote_trust_create(const spf_outcome *outcome, spf_vote_trust *trust) {
    size_t blocks = blocks_of(outcome->rows);
    *trust = (spf_vote_trust){.outcome = outcome, .stride = stride_of(outcome->rows)};
    trust->looked = spf_alloc_zero(outcome->rows / 8 + 1, 1);
    if (!trust->looked) return spf_raise_memory();
    for (size_t block = 0; block < blocks; block++) {
        size_t row = row_of_block(trust, block);
        if (row < outcome->rows) trust->looked[row / 8] |= (uint8_t)(1u << row % 8);
    }
    trust->shares = spf_alloc_zero(blocks, outcome->classes * sizeof *trust->shares);
    return trust->shares ? SPORF_OK : spf_raise_memory();
}

void spf_vote_trust_free(spf_vote_trust *trust) {
    free(trust->looked);
    free(trust->shares);
    trust->looked = NULL;
    trust->shares = NULL;
}

void spf_vote_trust_add_looked(spf_vote_trust *trust, size_t row, const spf_tree *tree,
                               uint32_t leaf) {
    size_t block = row / trust->stride;
    float *shares = trust->shares + block * trust->outcome->classes, sum = 0;
    uint32_t first = tree->leaf_start[leaf], end = tree->leaf_start[leaf + 1];
    if (end - first == 1) {
        shares[tree->leaf_class[first]] += 1;
        return;
    }
    trust->has_mixed = 1;
    for (uint32_t i = first; i < end; i++) sum += tree->leaf_weight[i];
    for (uint32_t i = first; i < end; i++)
        shares[tree->leaf_class[i]] += tree->leaf_weight[i] / sum;
}

/* ---- rows to learn from ---------------------------------------------------------------------- */

/* Votes or shares, of which one is given. */
typedef struct {
    const uint32_t *votes; /* [rows x classes] */
    const float *shares;   /* [blocks x classes] */
} source;

static float votes_of(const source *from, size_t row, size_t block, size_t classes, size_t k) {
    return from->votes ? (float)from->votes[row * classes + k] : from->shares[block * classes + k];
}

/* Appends a row, unless no tree left it out or it has no weight. */
static void append(spf_voted_rows *rows, const spf_vote_trust *trust, const source *from,
                   size_t block) {
    const spf_outcome *outcome = trust->outcome;
    size_t row = row_of_block(trust, block), classes = outcome->classes;
    spf_voted_row *own = &rows->row[rows->count];
    if (row >= outcome->rows) return;
    uint32_t label = outcome->labels[row];
    size_t end = own->start;
    float trees = 0;
    rows->votes[end++] = votes_of(from, row, block, classes, label);
    for (size_t k = 0; k < classes; k++) {
        float votes = votes_of(from, row, block, classes, k);
        trees += votes;
        if (votes > 0 && k != label) rows->votes[end++] = votes;
    }
    own->trees = trees;
    own->none = (uint32_t)(classes - (end - own->start));
    own->weight = spf_row_units(outcome->weights, row) / spf_units_of_row(outcome->weights);
    if (!(trees > 0) || !(own->weight > 0)) return;
    rows->count++;
    own[1].start = end;
}

static sporf_status learn_from(const spf_vote_trust *trust, const source *from, unsigned threads,
                               spf_trust *out) {
    size_t blocks = blocks_of(trust->outcome->rows);
    spf_voted_rows rows = {.row = spf_alloc_zero(blocks + 1, sizeof *rows.row),
                           .votes =
                               spf_alloc(blocks, trust->outcome->classes * sizeof *rows.votes)};
    sporf_status status = rows.row && rows.votes ? SPORF_OK : spf_raise_memory();
    for (size_t block = 0; status == SPORF_OK && block < blocks; block++)
        append(&rows, trust, from, block);
    if (status == SPORF_OK && rows.count > 0) status = spf_trust_fit(&rows, threads, out);
    free(rows.row);
    free(rows.votes);
    return status;
}

sporf_status spf_vote_trust_learn(const spf_vote_trust *trust, const uint32_t *votes,
                                  unsigned threads, sporf_forest *forest) {
    spf_trust *of = forest->trust;
    if (!trust->shares) return SPORF_OK;
    SPF_TRY(learn_from(trust, &(source){.votes = votes}, threads, &of[SPORF_COMBINE_VOTES]));
    of[SPORF_COMBINE_POSTERIORS] = of[SPORF_COMBINE_VOTES];
    if (!trust->has_mixed) return SPORF_OK;
    return learn_from(trust, &(source){.shares = trust->shares}, threads,
                      &of[SPORF_COMBINE_POSTERIORS]);
}
