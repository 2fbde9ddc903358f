/* sporf boost: reads a table, trains a boosted model, saves it, reports on it. */
#include "boosting_report.h"
#include "cli.h"
#include "console.h"
#include "fitting.h"
#include "held_out.h"
#include "interrupt.h"
#include "more_trees.h"
#include "out.h"
#include "printed.h"
#include "progress.h"
#include "quantile_levels.h"
#include "summary.h"
#include "train_notes.h"

#include <math.h>
#include <string.h>

static const char verb[] = "boost";
static const training_takes takes = {.boosting = 1, .valid_file = 1};

enum { CHOSEN_MAX = 32 };

/* What only boost knows. */
typedef struct {
    sporf_dataset *valid;           /* the rows of the file of --valid; NULL without */
    const char *chosen[CHOSEN_MAX]; /* names of the settings that are auto */
    size_t chosen_count;
    size_t first; /* rounds that the old model has */
    progress bar;
} work;

static void declare(opt_list *options) {
    const opt_spec heading = {.help = "Boosting"};
    training_declare_data(options);
    fitting_declare(options, NULL);
    opt_add(options, &heading, 1);
    extend_declare(options, SPORF_LEARNER_BOOSTING);
    quantiles_declare_elsewhere(options);
    training_declare(options, takes);
}

/* ---- the work -------------------------------------------------------------------------------- */

static sporf_boosting boosting_of(const sporf_forest *forest) {
    sporf_boosting boosting = {0};
    sporf_forest_boosting(forest, &boosting);
    return boosting;
}

/* A depth of 0 is auto, unless leaves are limited. */
static int is_auto_depth(const sporf_params *params, const char *name) {
    return strcmp(name, "max-depth") == 0 && params->max_depth == 0 && params->max_leaves == 0;
}

/* The settings that training chooses, since they are auto. */
static void note_chosen(const fitting *f, work *w) {
    char value[TEXT_NUMBER];
    for (size_t i = 0; sporf_option_at(i) && w->chosen_count < CHOSEN_MAX; i++) {
        const char *name = sporf_option_at(i)->name;
        if (sporf_learner_uses(SPORF_LEARNER_BOOSTING, name) &&
            sporf_method_uses(f->params.method, name) &&
            sporf_params_get(&f->params, name, value, sizeof value) == SPORF_OK &&
            (strcmp(value, "auto") == 0 || is_auto_depth(&f->params, name)))
            w->chosen[w->chosen_count++] = name;
    }
}

/* Leaves those whose values the model records. */
static void keep_recorded(const fitting *f, work *w) {
    size_t kept = 0;
    for (size_t i = 0; i < w->chosen_count; i++) {
        const char *value = sporf_forest_setting(f->forest, w->chosen[i]);
        if (value && strcmp(value, "auto") != 0) w->chosen[kept++] = w->chosen[i];
    }
    w->chosen_count = kept;
}

static int prepare(const opt_list *options, fitting *f) {
    work *w = f->own;
    if (f->old) w->first = boosting_of(f->old).rounds;
    note_chosen(f, w);
    return held_out_read(options, &f->read, f->data, &w->valid);
}

static void show_round(void *payload, const sporf_boost_round *round) {
    work *w = payload;
    char text[128], loss[TEXT_NUMBER];
    size_t all = round->rounds - w->first;
    int held_out = !isnan(round->valid_loss);
    text_score(loss, held_out ? round->valid_loss : round->train_loss);
    snprintf(text, sizeof text, "%zu/%zu rounds, %s loss %s", round->round, round->rounds,
             held_out ? "held-out" : "training", loss);
    progress_show_text(&w->bar, text,
                       all > 0 ? (double)(round->round - w->first) / (double)all : 1);
}

static int grow(const opt_list *options, fitting *f) {
    (void)options;
    work *w = f->own;
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.payload = w;
    hooks.round = show_round;
    hooks.valid = w->valid;
    progress_start(&w->bar, "rounds");
    sporf_status status = fitting_train(f, &hooks);
    progress_end(&w->bar);
    if (status != SPORF_OK) return fitting_failure(f, status);
    keep_recorded(f, w);
    return EXIT_DONE;
}

/* Whether training ended since no further round lowered the loss. */
static int lost_patience(const fitting *f, const sporf_boosting *boosting) {
    return boosting->valid_losses && boosting->tried - boosting->rounds >= f->params.patience;
}

static int is_incomplete(const fitting *f) {
    sporf_boosting boosting = boosting_of(f->forest);
    return interrupt_seen() && boosting.tried < f->params.rounds && !lost_patience(f, &boosting);
}

static int was_stopped(const fitting *f, char *what, size_t size) {
    snprintf(what, size, "stopped after %zu of %lu rounds", boosting_of(f->forest).tried,
             (unsigned long)f->params.rounds);
    return is_incomplete(f);
}

/* ---- after the work -------------------------------------------------------------------------- */

static void write_json(json *writer, const fitting *f) {
    const work *w = f->own;
    fitting_model_json(writer, f);
    summary_chosen_json(writer, w->chosen, w->chosen_count);
    fitting_data_json(writer, f);
    json_count(writer, "rounds_requested", f->params.rounds);
    json_bool(writer, "interrupted", is_incomplete(f));
    json_double(writer, "read_seconds", f->read_seconds);
    json_double(writer, "seconds", f->seconds);
    json_count(writer, "peak_memory_bytes", console_peak_memory());
}

static void write_text(FILE *stream, const fitting *f) {
    const work *w = f->own;
    fitting_model_lines(stream, f);
    summary_auto_line(stream, f->forest, w->chosen, w->chosen_count);
    fitting_time_line(stream, f);
    fitting_file_lines(stream, f);
}

/* With the maximum of rounds reached, further ones may have lowered the loss. */
static void write_notes(const fitting *f) {
    sporf_boosting boosting = boosting_of(f->forest);
    char loss[TEXT_NUMBER];
    int at_end = boosting.tried - boosting.rounds <= boosting.tried / 20;
    if (!boosting.valid_losses || boosting.tried < f->params.rounds || !at_end) return;
    out_error(verb,
              "the loss on held-out rows still fell, to %s in round %zu of at most %lu; raise "
              "--rounds or --rate",
              text_score(loss, boosting_loss(&boosting, boosting.rounds)), boosting.rounds,
              (unsigned long)f->params.rounds);
}

static const fitting_steps steps = {.takes = &takes,
                                    .prepare = prepare,
                                    .grow = grow,
                                    .was_stopped = was_stopped,
                                    .json = write_json,
                                    .text = write_text,
                                    .notes = write_notes};

static int run(const opt_list *options) {
    work w = {0};
    int code = fitting_run(options, &steps, &w);
    sporf_dataset_free(w.valid);
    return code;
}

const cli_verb cmd_boost = {
    .name = verb,
    .summary = "trains a boosted model: trees that correct those before them",
    .usage = "sporf boost --data F (--label C | --target C) --model M [options]",
    .text =
        "Trains a model by gradient boosting on a table with known classes (--label: "
        "classification) or targets (--target: regression), saves it and prints a summary. In "
        "each round, trees are added that lower the loss of those before them. A part of the "
        "rows, or the table of --valid, is held out: training stops when their loss no longer "
        "falls, and the best number of rounds is kept. Ctrl-C ends the training early and keeps "
        "the rounds so far. The same seed gives the same model file, with any number of "
        "threads.",
    .example = "  sporf boost --data iris.csv --label species --model iris.sporf\n"
               "  sporf boost --data house.csv --target price --model house.sporf --rate 0.05 \\\n"
               "      --valid later.csv --rounds 5000\n"
               "  sporf boost --data claims.csv --target count --loss poisson --model c.sporf\n",
    .declare = declare,
    .run = run,
};
