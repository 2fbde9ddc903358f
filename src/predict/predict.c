/* Prediction of many rows. A tree walks all rows of a block before the next tree is touched, so
 * that it stays in the cache; sums over trees are in tree order, so that threads change no bit. */
#include "predict/predict.h"

#include "base/parallel.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_ROWS = 256 };

typedef struct {
    const sporf_forest *forest;
    const float *const *columns;
    size_t rows;
    sporf_combine combine;
    uint32_t *classes;
    double *probabilities;
    double **totals; /* [workers]: BLOCK_ROWS x classes, where probabilities is NULL */
} prediction;

static void add_leaf(const spf_tree *tree, uint32_t leaf, sporf_combine combine, double *totals) {
    if (combine == SPORF_COMBINE_VOTES)
        totals[spf_leaf_vote(tree, leaf)] += 1;
    else
        spf_leaf_add_posterior(tree, leaf, totals);
}

static void divide(double *totals, size_t classes, size_t trees) {
    for (size_t k = 0; k < classes; k++) totals[k] /= (double)trees;
}

static sporf_status predict_block(void *context, size_t block, unsigned worker) {
    const prediction *p = context;
    size_t classes = p->forest->classes, begin = block * BLOCK_ROWS;
    size_t end = begin + BLOCK_ROWS < p->rows ? begin + BLOCK_ROWS : p->rows;
    double *totals = p->probabilities ? p->probabilities + begin * classes : p->totals[worker];
    memset(totals, 0, (end - begin) * classes * sizeof *totals);
    for (size_t t = 0; t < p->forest->trees_count; t++) {
        const spf_tree *tree = &p->forest->trees[t];
        for (size_t i = begin; i < end; i++)
            add_leaf(tree, spf_tree_walk_columns(tree, p->columns, i), p->combine,
                     totals + (i - begin) * classes);
    }
    for (size_t i = begin; i < end; i++) {
        double *own = totals + (i - begin) * classes;
        divide(own, classes, p->forest->trees_count);
        if (p->classes) p->classes[i] = spf_argmax(own, classes);
    }
    return SPORF_OK;
}

sporf_status spf_predict(const sporf_forest *forest, const float *const *columns, size_t rows,
                         sporf_combine combine, unsigned threads, uint32_t *classes,
                         double *probabilities) {
    unsigned workers = spf_thread_count(threads);
    size_t blocks = (rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
    if (workers > blocks) workers = blocks > 0 ? (unsigned)blocks : 1;
    prediction p = {forest, columns, rows, combine, classes, probabilities, NULL};
    sporf_status status = SPORF_OK;
    p.totals = spf_alloc_zero(workers, sizeof *p.totals);
    if (!p.totals) return spf_raise_memory();
    for (unsigned i = 0; !probabilities && i < workers; i++)
        if (!(p.totals[i] = spf_alloc(BLOCK_ROWS, forest->classes * sizeof **p.totals))) {
            status = spf_raise_memory();
            goto out;
        }
    status = spf_parallel(blocks, workers, predict_block, &p);
out:
    for (unsigned i = 0; i < workers; i++) free(p.totals[i]);
    free(p.totals);
    return status;
}

uint32_t spf_predict_row(const sporf_forest *forest, const float *row, sporf_combine combine,
                         double *totals) {
    memset(totals, 0, forest->classes * sizeof *totals);
    for (size_t t = 0; t < forest->trees_count; t++) {
        const spf_tree *tree = &forest->trees[t];
        add_leaf(tree, spf_tree_walk_row(tree, row), combine, totals);
    }
    divide(totals, forest->classes, forest->trees_count);
    return spf_argmax(totals, forest->classes);
}
