/* Rows are taken in blocks, and each block through one tree after the other. The size of blocks
 * depends on the numbers of points and outputs alone, and the sums of blocks are added in order, so
 * that the number of threads changes no bit. */
#include "predict/curves.h"

#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_BYTES = 4 << 20, /* of sums */
    BLOCK_ROWS = SPF_CURVE_ROWS_MAX,
    BLOCKS_OF_WORKER = 4, /* in a wave, after which the sums of its blocks are added */
};

typedef struct {
    const sporf_forest *forest;
    const spf_values *values;
    const float *weights;
    spf_points points;
    spf_curve_options options;
    spf_curves out;
    int together;       /* the sums of rows are added before they are finished */
    int has_missing;    /* some value of the rows or the points may be missing */
    double unit;        /* of shares; 0: none */
    size_t block, wave; /* rows of a block, blocks of a wave */
    size_t first;       /* block of the current wave */
    spf_curve_tree *trees;
    unsigned workers;
    spf_curve_walker **walkers; /* [workers] */
    double **sums;              /* [workers], each of a block */
    double *outputs;            /* [workers x outputs]: of one point */
    double
        *means;    /* [wave x sums of a row]: weighted sums over the rows of blocks, of outputs
                      [points x outputs] or, if rows are taken together, as spf_curve_block has them */
    double *total; /* [sums of a row]: of all blocks so far */
    int *monotone; /* [trees] */
} making;

size_t spf_curve_outputs(const sporf_forest *forest, const spf_curve_options *options) {
    return options->scores ? forest->boosting.outputs : spf_outputs(forest);
}

/* The number of sums of a row. */
static size_t sums_of_row(const making *m) {
    return spf_outputs(m->forest) * m->points.count;
}

static size_t results_of_row(const making *m) {
    return spf_curve_outputs(m->forest, &m->options) * m->points.count;
}

static int misses_points(const spf_points *points) {
    int found = 0;
    for (size_t f = 0; f < points->features_count; f++)
        for (size_t i = 0; i < points->count; i++) found |= isnan(points->values[f][i]);
    return found;
}

/* Whether a row's outputs are a linear function of its sums, so that the mean of rows can be taken
 * before. */
static int is_linear(const making *m) {
    if (spf_is_boosted(m->forest))
        return m->options.scores || m->forest->boosting.link == SPF_LINK_NONE;
    return !m->options.how.trust;
}

/* Shares of a row's leaves may be rounded if only the mean of many rows is wanted: to units of
 * which a double holds as many as there are trees. */
static double unit_of_shares(const making *m) {
    double unit = 0x1p-52;
    if (m->together || m->out.individual || m->options.how.adds != SPF_LEAF_SHARES) return 0;
    for (size_t trees = 1; trees < m->forest->trees_count; trees *= 2) unit *= 2;
    return unit;
}

/* ---- trees ----------------------------------------------------------------------------------- */

static sporf_status open_tree(void *context, size_t number, unsigned worker) {
    making *m = context;
    (void)worker;
    m->monotone[number] = 1;
    return spf_curve_tree_open(m->forest, number, &m->points, &m->trees[number],
                               &m->monotone[number]);
}

static int ascends(const float *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (isnan(values[i]) || (i > 0 && values[i] < values[i - 1])) return 0;
    return 1;
}

static sporf_status open_trees(making *m) {
    size_t trees = m->forest->trees_count;
    m->trees = spf_alloc_zero(trees, sizeof *m->trees);
    m->monotone = spf_alloc(trees, sizeof *m->monotone);
    if (!m->trees || !m->monotone) return spf_raise_memory();
    SPF_TRY(spf_parallel(trees, m->workers, open_tree, m));
    m->points.ordered =
        m->points.features_count == 1 && ascends(m->points.values[0], m->points.count);
    for (size_t i = 0; i < trees; i++) m->points.ordered &= m->monotone[i];
    return SPORF_OK;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

sporf_status spf_curve_check_interrupt(const sporf_hooks *hooks) {
    if (!hooks->interrupt || !hooks->interrupt(hooks->payload)) return SPORF_OK;
    return spf_raise(SPORF_ERROR_CANCELLED, "interrupted before all rows were looked at");
}

/* Turns the sums of a row at a point into outputs. */
static void finish_point(const making *m, const double *sums, double *outputs) {
    size_t count = spf_outputs(m->forest), points = m->points.count;
    for (size_t k = 0; k < count; k++) outputs[k] = sums[k * points];
    if (m->options.scores)
        spf_boosting_score(&m->forest->boosting, outputs);
    else
        spf_outputs_finish(m->forest, &m->options.how, 1, outputs);
}

static void finish_row(const making *m, const double *sums, size_t row, double *outputs,
                       double *mean) {
    size_t count = spf_curve_outputs(m->forest, &m->options);
    double weight = m->weights ? (double)m->weights[row] : 1;
    double *own = m->out.individual ? m->out.individual + row * results_of_row(m) : NULL;
    for (size_t c = 0; c < m->points.count; c++) {
        finish_point(m, sums + c, outputs);
        if (own) memcpy(own + c * count, outputs, count * sizeof *own);
        for (size_t k = 0; mean && k < count; k++) mean[c * count + k] += weight * outputs[k];
    }
}

static sporf_status make_block(void *context, size_t number, unsigned worker) {
    const making *m = context;
    size_t begin = (m->first + number) * m->block, left = m->values->rows - begin;
    double *outputs = m->outputs + worker * spf_outputs(m->forest);
    double *mean = m->means ? m->means + number * sums_of_row(m) : NULL;
    spf_curve_block block = {m->values->columns,
                             begin,
                             left < m->block ? left : m->block,
                             m->weights,
                             m->together ? mean : m->sums[worker],
                             m->has_missing};
    memset(block.sums, 0, (m->together ? 1 : block.rows) * sums_of_row(m) * sizeof *block.sums);
    for (size_t t = 0; t < m->forest->trees_count; t++) {
        SPF_TRY(spf_curve_check_interrupt(m->options.hooks));
        SPF_TRY(spf_curve_walk(m->walkers[worker], &m->trees[t], &block));
    }
    spf_curve_finish(m->walkers[worker], &block);
    if (m->together) return SPORF_OK;
    if (mean) memset(mean, 0, sums_of_row(m) * sizeof *mean);
    for (size_t i = 0; i < block.rows; i++)
        finish_row(m, block.sums + i * sums_of_row(m), begin + i, outputs, mean);
    return SPORF_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static size_t choose_block(const making *m) {
    size_t fit = m->together ? BLOCK_ROWS : BLOCK_BYTES / sizeof(double) / sums_of_row(m);
    size_t lists =
        m->points.ordered ? BLOCK_ROWS : BLOCK_BYTES / sizeof(uint32_t) / m->points.count;
    if (lists < fit) fit = lists;
    size_t rows = fit < BLOCK_ROWS ? fit : BLOCK_ROWS;
    return rows > 0 ? rows : 1;
}

static sporf_status create_walkers(making *m) {
    m->walkers = spf_alloc_zero(m->workers, sizeof *m->walkers);
    m->sums = spf_alloc_zero(m->workers, sizeof *m->sums);
    m->outputs = spf_alloc(m->workers, spf_outputs(m->forest) * sizeof *m->outputs);
    if (m->out.mean) {
        m->means = spf_alloc(m->wave, sums_of_row(m) * sizeof *m->means);
        m->total = spf_alloc_zero(sums_of_row(m), sizeof *m->total);
    }
    if (!m->walkers || !m->sums || !m->outputs || (m->out.mean && !(m->means && m->total)))
        return spf_raise_memory();
    size_t rows = m->values->rows < m->block ? m->values->rows : m->block;
    for (unsigned i = 0; i < m->workers; i++) {
        m->sums[i] = m->together ? NULL : spf_alloc(rows, sums_of_row(m) * sizeof **m->sums);
        if (!m->together && !m->sums[i]) return spf_raise_memory();
        SPF_TRY(spf_curve_walker_create(m->forest, &m->points,
                                        (spf_curve_sums){m->options.how.adds, m->together, m->unit},
                                        rows, &m->walkers[i]));
    }
    return SPORF_OK;
}

static void release(making *m) {
    for (unsigned i = 0; m->walkers && i < m->workers; i++) spf_curve_walker_free(m->walkers[i]);
    for (unsigned i = 0; m->sums && i < m->workers; i++) free(m->sums[i]);
    for (size_t i = 0; m->trees && i < m->forest->trees_count; i++)
        spf_curve_tree_close(&m->trees[i]);
    free(m->walkers);
    free(m->sums);
    free(m->outputs);
    free(m->means);
    free(m->total);
    free(m->trees);
    free(m->monotone);
}

static void show_progress(const making *m, size_t rows) {
    const sporf_hooks *hooks = m->options.hooks;
    if (hooks->progress) hooks->progress(hooks->payload, rows, m->values->rows);
}

static sporf_status make_waves(making *m) {
    size_t rows = m->values->rows, blocks = (rows + m->block - 1) / m->block;
    size_t results = sums_of_row(m);
    for (m->first = 0; m->first < blocks; m->first += m->wave) {
        size_t left = blocks - m->first, count = left < m->wave ? left : m->wave;
        SPF_TRY(spf_parallel(count, m->workers, make_block, m));
        for (size_t b = 0; m->out.mean && b < count; b++)
            for (size_t i = 0; i < results; i++) m->total[i] += m->means[b * results + i];
        size_t done = (m->first + count) * m->block;
        show_progress(m, done < rows ? done : rows);
    }
    return SPORF_OK;
}

static double total_weight(const making *m) {
    if (!m->weights) return (double)m->values->rows;
    double sum = 0;
    for (size_t i = 0; i < m->values->rows; i++) sum += m->weights[i];
    return sum;
}

/* The means from the sums of all rows. */
static void finish_means(const making *m) {
    size_t count = spf_curve_outputs(m->forest, &m->options);
    double weight = total_weight(m);
    for (size_t i = 0; i < sums_of_row(m); i++) m->total[i] /= weight;
    if (!m->together) memcpy(m->out.mean, m->total, results_of_row(m) * sizeof *m->total);
    for (size_t c = 0; m->together && c < m->points.count; c++) {
        finish_point(m, m->total + c, m->outputs);
        memcpy(m->out.mean + c * count, m->outputs, count * sizeof *m->outputs);
    }
}

static sporf_status make_all(making *m) {
    SPF_TRY(open_trees(m));
    SPF_TRY(create_walkers(m));
    SPF_TRY(make_waves(m));
    if (m->out.mean) finish_means(m);
    return SPORF_OK;
}

sporf_status spf_curves_make(const sporf_forest *forest, const spf_values *values,
                             const float *weights, const spf_points *points,
                             const spf_curve_options *options, const spf_curves *out) {
    making m = {.forest = forest,
                .values = values,
                .weights = weights,
                .points = *points,
                .options = *options,
                .out = *out};
    m.together = !out->individual && is_linear(&m);
    m.has_missing = values->has_missing || misses_points(points);
    m.unit = unit_of_shares(&m);
    m.block = choose_block(&m);
    m.workers = spf_thread_count(options->threads);
    m.wave = (size_t)m.workers * BLOCKS_OF_WORKER;
    sporf_status status = make_all(&m);
    release(&m);
    return status;
}
