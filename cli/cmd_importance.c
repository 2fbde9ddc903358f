/* sporf importance: which features and projections a forest uses. */
#include "cli.h"
#include "importance_table.h"
#include "measuring.h"
#include "outputs.h"
#include "table_input.h"
#include "training.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char verb[] = "importance";

enum { SHOWN = 20 }; /* by default */

typedef struct {
    sporf_forest *forest;
    importance_table table;
    sporf_ranking *ranking;
    size_t dropped;              /* with --drop-column: how many lines */
    sporf_feature_group *groups; /* [dropped] */
    double *found;               /* [2 x dropped]: importances, standard errors */
    uint64_t repeats;
    double time; /* seconds of --time; 0 for no limit */
    measuring m;
} work;

static void declare(opt_list *options) {
    const opt_spec specs[] = {
        {.help = "Options"},
        {.name = "model", .value = "M", .required = 1, .help = "the model file"},
        {.name = "top",
         .value = "K",
         .fallback = "20",
         .help = "how many to print, the most important first, or 'all'; a CSV file has all by "
                 "default"},
        {.name = "projections", .help = "also print the projections that splits use"},
        feature_lines_group,
        {.name = "permutation",
         .help = "also print permutation importances, from out-of-bag rows; needs the table that "
                 "the model was trained on, as the next three do"},
        {.name = "corrected",
         .help = "also print impurity importances without bias: minus those of shuffled copies of "
                 "the features; trains a forest"},
        {.name = "p-values",
         .value = "N",
         .alone = "99",
         .help = "also print p-values of corrected importances, which are at least 1/(N + 1); "
                 "trains N forests, by default 99"},
        {.name = "drop-column",
         .help = "also print drop-column importances of the K most important features: the error "
                 "of a forest trained without the feature; trains K + 1 forests"},
        {.name = "time",
         .value = "T",
         .help = "with --p-values and --drop-column: the time after which no further training "
                 "begins, such as 90s or 5m"},
        {.name = "seed",
         .value = "S",
         .fallback = "1",
         .help =
             "seed of the permutations; the same seed gives the same numbers, on every machine"},
        {.name = "output",
         .value = "F",
         .fallback = "-",
         .help = "CSV file to write; - prints a table to standard output"},
        {.name = "json", .help = "print one JSON object, or write it to the file of --output"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
    measuring_declare(options, 1);
    input_data_optional(options);
}

/* ---- options --------------------------------------------------------------------------------- */

static int writes_csv(const opt_list *options) {
    const char *output = opt_value(options, "output");
    return output && strcmp(output, "-") != 0 && !opt_value(options, "json");
}

static int read_top(const opt_list *options, work *w) {
    const char *value = opt_value(options, "top");
    uint64_t number = SHOWN;
    int all = value && strcmp(value, "all") == 0;
    int code = all ? EXIT_DONE : opt_count(options, "top", 1, &number);
    size_t top = all || number > SIZE_MAX ? SIZE_MAX : (size_t)number;
    w->dropped = top;
    w->table.top = !value && writes_csv(options) ? SIZE_MAX : top;
    return code;
}

static int read_time(const opt_list *options, work *w) {
    const char *value = opt_value(options, "time");
    sporf_params params;
    if (!value) return EXIT_DONE;
    if (!opt_value(options, "p-values") && !opt_value(options, "drop-column")) {
        out_error(verb, "--time is for --p-values and --drop-column; leave it out");
        return EXIT_USAGE;
    }
    sporf_params_init(&params);
    sporf_status status = sporf_params_set(&params, "time", value);
    w->time = params.time;
    return status == SPORF_OK ? EXIT_DONE : out_failure(verb, status, NULL);
}

/* The first option that needs the training table; NULL if none does. */
static const char *needs_table(const opt_list *options) {
    static const char *const names[] = {"permutation", "corrected", "p-values", "drop-column"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (opt_value(options, names[i])) return names[i];
    return NULL;
}

static int read_table(const opt_list *options, work *w) {
    const char *name = needs_table(options);
    if (!name && opt_value(options, "data")) {
        out_error(verb, "--data is for --permutation, --corrected, --p-values and --drop-column: "
                        "add one of these, or leave --data out");
        return EXIT_USAGE;
    }
    if (!name) return EXIT_DONE;
    if (!opt_value(options, "data")) {
        out_error(verb, "--%s needs --data F, the table that the model was trained on", name);
        return EXIT_USAGE;
    }
    int code = measuring_read(options, w->forest, &w->m);
    return code == EXIT_DONE ? opt_count(options, "seed", 0, &w->m.options.seed) : code;
}

/* ---- columns --------------------------------------------------------------------------------- */

/* A column for each of two kinds of numbers. Returns 0 if memory runs out. */
static int add_columns(work *w, importance_column one, importance_column other) {
    double **values = w->table.values;
    values[one] = calloc(w->table.lines.count, sizeof **values);
    if (other != one) values[other] = calloc(w->table.lines.count, sizeof **values);
    return values[one] && values[other];
}

static sporf_status weigh_impurity(work *w, double *shares) {
    const feature_lines *lines = &w->table.lines;
    sporf_status status = sporf_forest_importances(w->forest, shares);
    for (size_t i = 0; status == SPORF_OK && i < lines->count; i++)
        for (size_t k = 0; k < lines->groups[i].count; k++)
            w->table.values[COLUMN_IMPURITY][i] += shares[lines->groups[i].features[k]];
    return status;
}

static sporf_status permute(work *w) {
    const feature_lines *lines = &w->table.lines;
    return sporf_forest_group_importances(
        w->forest, w->m.data, &w->m.options, &w->m.hooks, lines->groups, lines->count,
        w->table.values[COLUMN_PERMUTATION], w->table.values[COLUMN_PERMUTATION_ERROR]);
}

static sporf_retrain_options retrain_options(const work *w) {
    sporf_retrain_options options;
    sporf_retrain_options_init(&options);
    options.seed = w->m.options.seed;
    options.threads = w->m.options.threads;
    options.repeats = w->repeats <= SIZE_MAX ? (size_t)w->repeats : SIZE_MAX;
    options.time = w->time;
    return options;
}

static sporf_status correct(work *w) {
    const feature_lines *lines = &w->table.lines;
    sporf_retrain_options options = retrain_options(w);
    return sporf_corrected_importances(w->forest, w->m.data, &options, &w->m.hooks, lines->groups,
                                       lines->count, w->table.values[COLUMN_CORRECTED],
                                       w->table.values[COLUMN_P_VALUE]);
}

/* Fills the columns of the most important lines; the others have no numbers. */
static sporf_status drop(work *w) {
    importance_table *table = &w->table;
    size_t count = w->dropped;
    sporf_retrain_options options = retrain_options(w);
    for (size_t i = 0; i < count; i++) w->groups[i] = table->lines.groups[table->order[i]];
    sporf_status status = sporf_drop_column(w->forest, w->m.data, &options, &w->m.hooks, w->groups,
                                            count, w->found, w->found + count);
    for (size_t i = 0; status == SPORF_OK && i < table->lines.count; i++) {
        table->values[COLUMN_DROP][table->order[i]] = i < count ? w->found[i] : NAN;
        table->values[COLUMN_DROP_ERROR][table->order[i]] = i < count ? w->found[count + i] : NAN;
    }
    return status;
}

static int refuse_memory(const work *w) {
    out_error(verb, "out of memory for %zu features", sporf_forest_features(w->forest));
    return EXIT_FAILED;
}

static void show_note(void *payload, const char *text) {
    training_note(verb, payload, text);
}

/* Runs one measure with a progress bar. */
static int measure(work *w, sporf_status (*find)(work *)) {
    w->m.hooks.note = show_note;
    measuring_start(&w->m);
    sporf_status status = find(w);
    measuring_end(&w->m);
    return status == SPORF_OK ? EXIT_DONE : out_failure(verb, status, NULL);
}

static int find_impurity(work *w) {
    double *shares = calloc(sporf_forest_features(w->forest), sizeof *shares);
    int whole = shares && add_columns(w, COLUMN_IMPURITY, COLUMN_IMPURITY);
    sporf_status status = whole ? weigh_impurity(w, shares) : SPORF_OK;
    free(shares);
    if (!whole) return refuse_memory(w);
    return status == SPORF_OK ? EXIT_DONE : out_failure(verb, status, NULL);
}

static int find_corrected(const opt_list *options, work *w) {
    int tests = opt_value(options, "p-values") != NULL;
    if (!tests && !opt_value(options, "corrected")) return EXIT_DONE;
    int code = opt_count(options, "p-values", 1, &w->repeats);
    if (code != EXIT_DONE) return code;
    if (!add_columns(w, COLUMN_CORRECTED, tests ? COLUMN_P_VALUE : COLUMN_CORRECTED))
        return refuse_memory(w);
    return measure(w, correct);
}

static int find_permutation(const opt_list *options, work *w) {
    if (!opt_value(options, "permutation")) return EXIT_DONE;
    if (!add_columns(w, COLUMN_PERMUTATION, COLUMN_PERMUTATION_ERROR)) return refuse_memory(w);
    return measure(w, permute);
}

static int find_dropped(const opt_list *options, work *w) {
    if (!opt_value(options, "drop-column")) return EXIT_DONE;
    if (w->dropped > w->table.lines.count) w->dropped = w->table.lines.count;
    w->groups = calloc(w->dropped, sizeof *w->groups);
    w->found = calloc(2 * w->dropped, sizeof *w->found);
    if (!w->groups || !w->found || !importance_table_sort(&w->table) ||
        !add_columns(w, COLUMN_DROP, COLUMN_DROP_ERROR))
        return refuse_memory(w);
    return measure(w, drop);
}

static int find_importances(const opt_list *options, work *w) {
    int code = feature_lines_read(options, w->forest, &w->table.lines);
    if (code == EXIT_DONE) code = read_table(options, w);
    if (code != EXIT_DONE) return code;
    w->table.order = malloc(w->table.lines.count * sizeof *w->table.order);
    code = w->table.order ? find_impurity(w) : refuse_memory(w);
    if (code == EXIT_DONE) code = find_corrected(options, w);
    if (code == EXIT_DONE) code = find_permutation(options, w);
    if (code == EXIT_DONE) code = find_dropped(options, w);
    if (code == EXIT_DONE && !importance_table_sort(&w->table)) code = refuse_memory(w);
    if (code != EXIT_DONE || !opt_value(options, "projections")) return code;
    sporf_status status = sporf_ranking_create(w->forest, w->table.top, &w->ranking);
    w->table.ranking = w->ranking;
    return status == SPORF_OK ? EXIT_DONE : out_failure(verb, status, NULL);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int print(const opt_list *options, const work *w) {
    out_file file;
    int code = out_open(&file, verb, opt_value(options, "output"));
    if (code != EXIT_DONE) return code;
    if (opt_value(options, "json"))
        importance_table_json(&file, &w->table);
    else if (writes_csv(options))
        code = importance_table_csv(&file, &w->table);
    else
        importance_table_text(&file, &w->table);
    return out_close(&file, code == EXIT_DONE);
}

static int run(const opt_list *options) {
    work w = {.table.path = opt_value(options, "model")};
    int code = input_protect(options, "output");
    if (code == EXIT_DONE) code = outputs_check(verb, opt_value(options, "output"));
    if (code == EXIT_DONE) code = read_top(options, &w);
    if (code == EXIT_DONE) code = read_time(options, &w);
    if (code != EXIT_DONE) return code;
    sporf_status status = sporf_forest_load(w.table.path, &w.forest);
    w.table.forest = w.forest;
    code = status == SPORF_OK ? find_importances(options, &w) : out_failure(verb, status, NULL);
    if (code == EXIT_DONE) code = print(options, &w);
    measuring_free(&w.m);
    for (size_t c = 0; c < IMPORTANCE_COLUMNS; c++) free(w.table.values[c]);
    free(w.table.order);
    free(w.groups);
    free(w.found);
    feature_lines_free(&w.table.lines);
    sporf_ranking_free(w.ranking);
    sporf_forest_free(w.forest);
    return code;
}

const cli_verb cmd_importance = {
    .name = verb,
    .summary = "shows which features and projections matter",
    .usage = "sporf importance --model M [--top K|all] [--projections] [--output F]\n"
             "                        [--json] [--group NAME=C,...]\n"
             "                        [--permutation] [--corrected] [--p-values [N]]\n"
             "                        [--drop-column] [--data F [--label C]]",
    .text = "Prints the importance of each feature: its share of the total decrease in impurity "
            "over all splits (Gini for classification, variance for regression). A split divides "
            "its decrease among its features in proportion to their weights. --projections adds "
            "the projections that splits use, such as '+1 height -1 [colour in red]'. "
            "--permutation adds the increase of the out-of-bag error when the values of a feature "
            "are shuffled, averaged over the trees, with its standard error, and sorts features by "
            "it. The error is the error rate or, for regression, the mean squared error in squared "
            "units of the target (several targets are divided by their variances). --corrected "
            "removes the bias of impurity importance towards features with many values: noise has "
            "about 0. --p-values tests whether a feature is noise: independent of the class or "
            "target and of all other features. --drop-column adds the increase of the error "
            "when the forest is trained without the feature.",
    .example = "  sporf importance --model iris.sporf --projections\n"
               "  sporf importance --model iris.sporf --permutation --data iris.csv\n"
               "  sporf importance --model iris.sporf --p-values --data iris.csv\n"
               "  sporf importance --model iris.sporf --group 'petal=petal_*' --drop-column \\\n"
               "      --data iris.csv\n",
    .declare = declare,
    .run = run,
};
