/* Shared by the verbs that train: options, the table, memory, Ctrl-C. */
#include "training.h"

#include "cli.h"
#include "column_notes.h"
#include "data_notes.h"
#include "held_out.h"
#include "interrupt.h"
#include "method_options.h"
#include "out.h"
#include "printed.h"
#include "table_input.h"

#include <stdio.h>
#include <string.h>

/* ---- options --------------------------------------------------------------------------------- */

void training_declare_data(opt_list *options) {
    input_declare(
        options, "the class column: a name, a number from 1 or 'last'; not needed for svmlight", 1);
    input_declare_labels(options);
    input_declare_target(options);
    input_declare_columns(options);
    input_declare_weight(options);
}

static const char *placeholder(const sporf_option *option) {
    static const char *const known[][2] = {{"integer", "N"},  {"real", "X"},
                                           {"amount", "A"},   {"choice", "NAME"},
                                           {"bytes", "SIZE"}, {"duration", "TIME"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(option->type, known[i][0]) == 0) return known[i][1];
    return "VALUE";
}

static const opt_spec list_specs[] = {
    {.name = "projections",
     .value = "A,...",
     .help = "number of candidates in each node (d): the values to try",
     .range = "numbers, p, sqrt, p^E or Kp such as 0.5p",
     .fallback = "the paper's"},
    {.name = "density",
     .value = "A,...",
     .help = "mean share of the features in a projection (lambda), for sporf and frc: the values "
             "to try",
     .range = "K/p or fractions",
     .fallback = "the paper's"},
};

static const opt_spec *list_spec(const char *name) {
    for (size_t i = 0; i < sizeof list_specs / sizeof *list_specs; i++)
        if (strcmp(list_specs[i].name, name) == 0) return &list_specs[i];
    return NULL;
}

/* What the library's table says of forests, as boosting does it. */
static const char *const boosting_help[][2] = {
    {"method", "how the sums of features of a round are drawn; single features are candidates with "
               "every method; rf: only these; ccf is for forests"},
    {"projections",
     "number of sums of features in each round (d); auto: p, the number of features; "
     "512 at most"},
    {"density",
     "mean share of the features in a projection (lambda), for sporf and frc; auto: 2/p"},
    {"max-depth", "maximum depth; 0: by the number of rows, 3 to 6, or no limit with --max-leaves"},
    {"min-leaf", "minimum number of rows in a leaf; larger for noisy data; auto: 5"},
    {"scale", "divide features by their spread when projecting; the model still takes raw units; "
              "auto: sd"},
    {"seed", "seed; the same seed gives the same model"},
    {"threads", "number of threads; 0 for one per core; never changes the model"},
};

/* A search tries neither leaf sizes nor what pilot forests would choose. */
static const char *help_of(const sporf_option *option, training_takes takes) {
    if (takes.lists && strcmp(option->name, "min-leaf") == 0)
        return "minimum number of rows in a leaf, counted in the same way; larger for noisy data; "
               "not searched; auto: 1";
    for (size_t i = 0; !takes.forest && i < sizeof boosting_help / sizeof *boosting_help; i++)
        if (strcmp(boosting_help[i][0], option->name) == 0) return boosting_help[i][1];
    return option->help;
}

static int is_learner(const char *name) {
    return strcmp(name, "learner") == 0;
}

static int is_time(const char *name) {
    return strcmp(name, "time") == 0;
}

/* A search of its own leaves nothing to pilot forests, and only a single training has a time. */
static int is_declared(const sporf_option *option, training_takes takes) {
    if (takes.lists && strcmp(option->name, "effort") == 0) return 0;
    if (is_learner(option->name)) return takes.forest && takes.boosting;
    if (is_time(option->name)) return !(takes.forest && takes.boosting);
    return (takes.forest && sporf_learner_uses(SPORF_LEARNER_FOREST, option->name)) ||
           (takes.boosting && sporf_learner_uses(SPORF_LEARNER_BOOSTING, option->name));
}

/* What to do instead of giving an option of the other learner; NULL if it is none. */
static const char *advice_of(const sporf_option *option, training_takes takes) {
    if (takes.forest && takes.boosting)
        return is_time(option->name) ? "it is for one training: see 'sporf train --help'" : NULL;
    if (is_learner(option->name))
        return "'sporf train' grows a forest, 'sporf boost' trains by boosting";
    if (takes.forest) return "it is for boosting; see 'sporf boost --help'";
    if (strcmp(option->name, "trees") == 0)
        return "boosting adds trees in rounds; --rounds N is how many there are at most";
    return "it is for forests; see 'sporf train --help'";
}

static opt_spec spec_of(const sporf_option *option, training_takes takes) {
    if (takes.lists && list_spec(option->name)) return *list_spec(option->name);
    if (takes.valid_file && strcmp(option->name, "valid") == 0) return held_out_spec(option);
    return (opt_spec){.name = option->name,
                      .value = placeholder(option),
                      .alone = strcmp(option->name, "honest") == 0 ? "0.5" : NULL,
                      .help = help_of(option, takes),
                      .range = option->choices,
                      .fallback = option->default_value};
}

/* The options that forests use, or those that only boosting uses. */
static void declare_part(opt_list *options, training_takes takes, int of_forests) {
    for (size_t i = 0; sporf_option_at(i); i++) {
        const sporf_option *option = sporf_option_at(i);
        if (sporf_learner_uses(SPORF_LEARNER_FOREST, option->name) != of_forests) continue;
        opt_spec spec = spec_of(option, takes);
        int declared = is_declared(option, takes);
        if (!declared) spec.elsewhere = advice_of(option, takes);
        if (declared || spec.elsewhere) opt_add(options, &spec, 1);
    }
}

void training_declare(opt_list *options, training_takes takes) {
    const opt_spec trees = {.help = "Trees"}, boosting = {.help = "Boosting"};
    if (!takes.forest) {
        declare_part(options, takes, 0);
        opt_add(options, &trees, 1);
    }
    declare_part(options, takes, 1);
    if (!takes.forest) return;
    if (takes.boosting) opt_add(options, &boosting, 1);
    declare_part(options, takes, 0);
}

static const char *list_hint(const opt_list *options, const char *name, const char *value) {
    if (!list_spec(name) || !strchr(value, ',')) return NULL;
    return strcmp(options->verb, "crossval") == 0 ? "lists of values to try need --tune"
                                                  : "sporf tune takes lists of values to try";
}

/* Whether an option's value is one of params, not a list or a file. */
static int is_set(const opt_list *options, const char *name, training_takes takes) {
    if (takes.lists && list_spec(name)) return 0;
    return !takes.valid_file || strcmp(name, "valid") != 0 || !held_out_path(options);
}

static int set_options(const opt_list *options, training_takes takes, sporf_params *params) {
    for (size_t i = 0; sporf_option_at(i); i++) {
        const char *name = sporf_option_at(i)->name, *value = opt_value(options, name);
        if (!is_set(options, name, takes)) continue;
        sporf_status status = value ? sporf_params_set(params, name, value) : SPORF_OK;
        if (status != SPORF_OK)
            return out_failure(options->verb, status, list_hint(options, name, value));
    }
    return EXIT_DONE;
}

int training_params(const opt_list *options, training_takes takes, const sporf_forest *old,
                    sporf_params *params) {
    sporf_params_init(params);
    sporf_status status = old ? sporf_forest_params(old, params) : SPORF_OK;
    if (status != SPORF_OK) return out_failure(options->verb, status, NULL);
    if (!takes.forest) params->learner = SPORF_LEARNER_BOOSTING;
    int code = set_options(options, takes, params);
    return code == EXIT_DONE ? method_options_check(options, params) : code;
}

/* ---- the table ------------------------------------------------------------------------------- */

static void report_columns(const char *verb, const sporf_dataset *data) {
    column_notes(verb, data);
    if (column_notes_have(data, SPORF_LEFT_OUT_IDENTIFIER))
        out_error(verb, "to keep an identifier, name it in --categorical");
}

/* Reads a table with targets or several labels. */
static int read_targets(const opt_list *options, const sporf_read_options *read,
                        sporf_dataset **data) {
    const char *label = read->label ? "label" : read->label_file ? "label-file" : "labels";
    if (read->labels_count > 0 && strcmp(label, "labels") != 0) {
        out_error(options->verb, "--labels and --%s exclude each other; leave one of them out",
                  label);
        return EXIT_USAGE;
    }
    if (read->targets_count > 0 && (read->labels_count > 0 || strcmp(label, "labels") != 0)) {
        out_error(options->verb,
                  "give --%s or --target, not both: a forest is for classification or for "
                  "regression",
                  label);
        return EXIT_USAGE;
    }
    sporf_status status = input_read(options, read, data);
    return status == SPORF_OK ? EXIT_DONE : out_failure(options->verb, status, NULL);
}

int training_read(const opt_list *options, const sporf_read_options *read, sporf_dataset **data) {
    int several = read->targets_count + read->labels_count > 0;
    int code =
        several ? read_targets(options, read, data) : input_read_labelled(options, read, data);
    if (code != EXIT_DONE) return code;
    report_columns(options->verb, *data);
    data_notes(options->verb, *data);
    return EXIT_DONE;
}

static sporf_status memory_of(const sporf_dataset *data, const sporf_params *params,
                              uint64_t *bytes) {
    sporf_preview preview = {.struct_size = sizeof preview};
    sporf_status status = sporf_train_preview(data, params, &preview);
    *bytes = preview.memory;
    return status;
}

int training_check_memory(const opt_list *options, uint64_t limit, const sporf_dataset *data,
                          unsigned tables, const sporf_search_options *search,
                          sporf_params *params) {
    uint64_t table = tables * input_bytes(data), training = 0;
    if (limit == 0) return EXIT_DONE;
    if (table < limit) params->max_memory = limit - table;
    sporf_status status = search ? sporf_search_memory(data, params, search, &training)
                                 : memory_of(data, params, &training);
    if (status != SPORF_OK) return out_failure(options->verb, status, NULL);
    if (table < limit && training <= limit - table) return EXIT_DONE;
    char limits[TEXT_NUMBER], held[TEXT_NUMBER], trainings[TEXT_NUMBER];
    out_error(options->verb,
              "--max-memory %s is too little: the table takes %s and training may take %s more; "
              "raise the limit, or grow fewer or shallower trees with fewer threads",
              text_bytes(limits, limit), text_bytes(held, table), text_bytes(trainings, training));
    return EXIT_FAILED;
}

/* ---- the work -------------------------------------------------------------------------------- */

int training_stopped(void *payload) {
    (void)payload;
    return interrupt_seen();
}

/* Several trainings may have the same to tell. */
void training_note(const char *verb, progress *bar, const char *text) {
    static char last[512];
    if (strncmp(last, text, sizeof last - 1) == 0) return;
    snprintf(last, sizeof last, "%s", text);
    progress_wipe(bar);
    out_error(verb, "%s", text);
}

const char *training_hint(const sporf_params *params, sporf_status status) {
    static const char balanced[] = "balanced,";
    const char *classes = params->class_weights;
    if (status == SPORF_ERROR_ARGUMENT && classes &&
        strncmp(classes, balanced, strlen(balanced)) == 0)
        return "'balanced' stands alone: instead of adding to it, give all classes their weights, "
               "as in no=1,yes=3";
    return NULL;
}
