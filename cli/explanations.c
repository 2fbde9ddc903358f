/* Blocks are as large as memory for their values allows: each prepares all trees anew. */
#include "explanations.h"

#include "cli.h"
#include "interrupt.h"
#include "out.h"
#include "predicting.h"
#include "printed.h"
#include "table_input.h"
#include "terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 << 20 };

/* ---- reading --------------------------------------------------------------------------------- */

/* A dataset of at most `most` rows, drawn without replacement: each row is taken with the chance
 * that makes all samples equally likely (Knuth's algorithm S). */
static sporf_status draw_rows(const sporf_dataset *data, uint64_t seed, size_t most,
                              sporf_dataset **out) {
    size_t rows = sporf_dataset_rows(data), count = 0;
    if (most > rows) most = rows;
    uint32_t *chosen = malloc(most * sizeof *chosen + 1);
    if (!chosen) return SPORF_ERROR_MEMORY;
    uint64_t state = (seed * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u) | 1; /* of a xorshift */
    for (size_t i = 0; i < rows; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        if (state % (rows - i) < most - count) chosen[count++] = (uint32_t)i;
    }
    sporf_status status = sporf_dataset_select(data, chosen, count, out);
    free(chosen);
    return status;
}

static int read_options(const opt_list *options, explanations *e, uint64_t *sample,
                        uint64_t *projections) {
    unsigned combine = 0;
    uint64_t seed = 1;
    int code = opt_choice(options, "combine", &combine);
    *sample = 100;
    *projections = 0;
    sporf_explain_options_init(&e->options);
    e->options.combine = (sporf_combine)combine;
    if (code == EXIT_DONE) code = opt_count(options, "sample", 1, sample);
    if (code == EXIT_DONE) code = opt_count(options, "projections", 1, projections);
    if (code == EXIT_DONE) code = opt_count(options, "steps", 1, &e->options.steps);
    if (code == EXIT_DONE) code = opt_count(options, "seed", 0, &seed);
    e->options.seed = seed;
    return code;
}

/* Without a background, rows of the table are. */
static sporf_status read_both(const opt_list *options, const sporf_read_options *read,
                              explanations *e, size_t sample) {
    const char *path = opt_value(options, "background");
    sporf_dataset *others = NULL;
    sporf_status status = input_read(options, read, &e->data);
    if (status == SPORF_OK && path) status = input_read_file(path, read, &others);
    if (status == SPORF_OK)
        status = draw_rows(others ? others : e->data, e->options.seed, sample, &e->background);
    sporf_dataset_free(others);
    return status;
}

static int read_tables(const opt_list *options, explanations *e, size_t sample) {
    sporf_read_options read;
    int code = input_options(options, &read);
    if (code == EXIT_DONE) {
        predicting_columns(e->forest, &read);
        e->options.threads = read.threads;
        sporf_status status = read_both(options, &read, e, sample);
        if (status != SPORF_OK) code = out_failure(options->verb, status, NULL);
    }
    input_free(&read);
    return code;
}

static int allocate(const char *verb, explanations *e) {
    size_t row = e->places * e->outputs * sizeof(double);
    e->most = row > 0 && BLOCK_BYTES / row > 0 ? BLOCK_BYTES / row : 1;
    if (e->most > e->rows) e->most = e->rows;
    e->values = malloc(e->most * row + 1);
    e->base = malloc(e->outputs * sizeof *e->base);
    e->predictions = malloc(e->most * e->outputs * sizeof *e->predictions + 1);
    e->classes = malloc(e->most * sizeof *e->classes + 1);
    e->absolute = calloc(e->places * e->outputs + 1, sizeof *e->absolute);
    if (e->values && e->base && e->predictions && e->classes && e->absolute) return EXIT_DONE;
    out_error(verb, "out of memory for the values of %zu rows", e->most);
    return EXIT_FAILED;
}

/* With --row, the others are only background. */
static int keep_row(const opt_list *options, explanations *e) {
    uint64_t row = 0;
    int code = opt_count(options, "row", 1, &row);
    if (code != EXIT_DONE || row == 0) return code;
    if (row > sporf_dataset_rows(e->data)) {
        out_error(options->verb, "--row %llu: the table has %zu rows", (unsigned long long)row,
                  sporf_dataset_rows(e->data));
        return EXIT_USAGE;
    }
    uint32_t chosen = (uint32_t)(row - 1);
    sporf_dataset *all = e->data;
    e->data = NULL;
    e->skipped = chosen;
    sporf_status status = sporf_dataset_select(all, &chosen, 1, &e->data);
    sporf_dataset_free(all);
    if (status != SPORF_OK) return out_failure(options->verb, status, NULL);
    e->probabilities = calloc(sporf_forest_classes(e->forest) + 1, sizeof *e->probabilities);
    if (e->probabilities) return EXIT_DONE;
    out_error(options->verb, "out of memory");
    return EXIT_FAILED;
}

int explanations_open(const opt_list *options, explanations *e) {
    uint64_t sample, projections;
    int code = read_options(options, e, &sample, &projections);
    if (code == EXIT_DONE) code = predicting_load(options, &e->forest);
    if (code == EXIT_DONE) code = predicting_check(options, e->forest);
    if (code == EXIT_DONE) code = read_tables(options, e, (size_t)sample);
    if (code == EXIT_DONE && projections > 0) {
        sporf_status status = sporf_ranking_create(e->forest, (size_t)projections, &e->ranking);
        if (status != SPORF_OK) code = out_failure(options->verb, status, NULL);
    }
    if (code != EXIT_DONE) return code;
    if (sporf_dataset_rows(e->data) == 1 && !opt_value(options, "background")) {
        out_error(options->verb, "the only row would be compared with itself: give rows to compare "
                                 "with, such as the training table, as --background F");
        return EXIT_USAGE;
    }
    code = keep_row(options, e);
    if (code != EXIT_DONE) return code;
    e->rows = sporf_dataset_rows(e->data);
    e->background_rows = sporf_dataset_rows(e->background);
    e->outputs = sporf_forest_explained_outputs(e->forest);
    e->places = e->ranking ? e->ranking->count + 1 : sporf_forest_features(e->forest);
    return allocate(options->verb, e);
}

void explanations_free(explanations *e) {
    sporf_ranking_free(e->ranking);
    sporf_dataset_free(e->data);
    sporf_dataset_free(e->background);
    sporf_forest_free(e->forest);
    free(e->values);
    free(e->base);
    free(e->predictions);
    free(e->classes);
    free(e->probabilities);
    free(e->absolute);
    *e = (explanations){0};
}

/* ---- explaining ------------------------------------------------------------------------------ */

static void show_progress(void *payload, size_t done, size_t trees) {
    explanations *e = payload;
    double rows = (double)e->first + (double)e->count * (double)done / (double)trees;
    progress_show_share(&e->bar, e->first + e->count, rows / (double)e->rows);
}

static int asked_to_stop(void *payload) {
    (void)payload;
    return interrupt_seen();
}

static sporf_status explain_rows(explanations *e, const sporf_dataset *block, double *estimated) {
    sporf_hooks hooks;
    sporf_explanation out;
    sporf_hooks_init(&hooks);
    sporf_explanation_init(&out);
    hooks.payload = e;
    e->options.first_row = e->skipped + e->first;
    hooks.progress = show_progress;
    hooks.interrupt = asked_to_stop;
    out.values = e->values;
    out.base = e->base;
    out.predictions = e->predictions;
    out.estimated = estimated;
    if (e->ranking)
        return sporf_forest_explain_projections(e->forest, block, e->background, e->ranking,
                                                &e->options, &hooks, &out);
    return sporf_forest_explain(e->forest, block, e->background, &e->options, &hooks, &out);
}

/* With the decision of the model, if it has one. */
static sporf_status predict_classes(explanations *e, const sporf_dataset *block) {
    sporf_predict_options how;
    sporf_predictions out;
    sporf_predict_options_init(&how);
    sporf_predictions_init(&out);
    how.combine = e->options.combine;
    how.threads = e->options.threads;
    out.classes = e->classes;
    out.probabilities = e->probabilities;
    return sporf_forest_predict(e->forest, block, &how, &out);
}

static sporf_status select_block(const explanations *e, sporf_dataset **block) {
    uint32_t *rows = malloc(e->count * sizeof *rows);
    if (!rows) return SPORF_ERROR_MEMORY;
    for (size_t i = 0; i < e->count; i++) rows[i] = (uint32_t)(e->first + i);
    sporf_status status = sporf_dataset_select(e->data, rows, e->count, block);
    free(rows);
    return status;
}

int explanations_left(const explanations *e) {
    return e->first + e->count < e->rows || !e->has_begun;
}

static void add_up(explanations *e, double estimated) {
    size_t width = e->places * e->outputs;
    for (size_t i = 0; i < e->count; i++)
        for (size_t j = 0; j < width; j++) e->absolute[j] += fabs(e->values[i * width + j]);
    e->estimated += estimated * (double)e->count;
}

int explanations_next(const char *verb, explanations *e) {
    sporf_dataset *block = NULL;
    double estimated = 0, start = progress_clock();
    e->has_begun = 1;
    e->first += e->count;
    e->count = e->rows - e->first < e->most ? e->rows - e->first : e->most;
    interrupt_catch();
    progress_start(&e->bar, "rows");
    sporf_status status = select_block(e, &block);
    if (status == SPORF_OK) status = explain_rows(e, block, &estimated);
    if (status == SPORF_OK && sporf_forest_classes(e->forest) > 0)
        status = predict_classes(e, block);
    progress_end(&e->bar);
    sporf_dataset_free(block);
    e->seconds += progress_since(start);
    if (status != SPORF_OK) {
        int code = out_failure(verb, status, NULL);
        return interrupt_seen() ? 128 + interrupt_seen() : code;
    }
    add_up(e, estimated);
    return EXIT_DONE;
}

/* ---- results --------------------------------------------------------------------------------- */

static const char others[] = "all other projections";

char *explanations_place_name(const explanations *e, size_t place) {
    char number[TEXT_NUMBER];
    const char *name = others;
    if (e->ranking && place < e->ranking->count)
        return terms_text(e->forest, &e->ranking->projections[place]);
    if (!e->ranking) name = sporf_schema_feature_name(sporf_forest_schema(e->forest), place);
    if (!name) snprintf(number, sizeof number, "x%zu", place + 1);
    return strdup(name ? name : number);
}

double explanations_estimated(const explanations *e) {
    return e->rows > 0 ? e->estimated / (double)e->rows : 0;
}

double explanations_mean_absolute(const explanations *e, size_t place, size_t output) {
    return e->rows > 0 ? e->absolute[place * e->outputs + output] / (double)e->rows : 0;
}

void explanations_report(const char *verb, const explanations *e) {
    double estimated = explanations_estimated(e);
    if (estimated > 0)
        fprintf(stderr,
                "sporf %s: note: %.3g%% of the values, by tree and background rows, are estimated "
                "from random orders: exact ones would take too many steps\n",
                verb, 100 * estimated);
}
