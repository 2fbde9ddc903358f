/* sporf simulate: draws one of the paper's problems, or of Friedman's. */
#include "cli.h"
#include "out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char verb[] = "simulate";

static void declare(opt_list *options) {
    const opt_spec specs[] = {
        {.help = "Options"},
        {.name = "rows", .value = "N", .required = 1, .help = "number of rows"},
        {.name = "features",
         .value = "P",
         .help = "number of features [default: 20, 6, 10, 2, 10, 4 and 4 in the order above]"},
        {.name = "noise",
         .value = "SD",
         .help = "standard deviation of the noise of a friedman problem [default: 1, 125 and 0.1]"},
        {.name = "seed",
         .value = "S",
         .fallback = "1",
         .help = "the same seed gives the same table, on every machine"},
        {.name = "output",
         .value = "F",
         .fallback = "-",
         .help = "CSV file to write; - is standard output"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
}

static int check_problem(const char *problem) {
    static const char *const problems[] = {"sparse-parity", "orthant",   "trunk",    "consistency",
                                           "friedman1",     "friedman2", "friedman3"};
    static const char list[] = "sparse-parity, orthant, trunk or consistency, with classes; "
                               "friedman1, friedman2 or friedman3, with numbers";
    enum { COUNT = sizeof problems / sizeof *problems };
    if (!problem) {
        out_error(verb, "say which problem: %s", list);
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(problem, problems[i]) == 0) return EXIT_DONE;
    const char *nearest = opt_nearest(problem, problems, COUNT);
    if (nearest)
        out_error(verb, "unknown problem '%s'; did you mean %s?", problem, nearest);
    else
        out_error(verb, "unknown problem '%s'; there are %s", problem, list);
    return EXIT_USAGE;
}

/* NaN if none was given. */
static int read_noise(const opt_list *options, double *noise) {
    const char *value = opt_value(options, "noise");
    char *end;
    *noise = NAN;
    if (!value) return EXIT_DONE;
    *noise = strtod(value, &end);
    if (end != value && *end == '\0' && *noise >= 0 && isfinite(*noise)) return EXIT_DONE;
    out_error(verb, "--noise must be a number of at least 0, got '%s'", value);
    return EXIT_USAGE;
}

static int write_table(const sporf_dataset *data, const char *path) {
    out_file file;
    int code = out_lend(&file, verb, path);
    return code == EXIT_DONE ? out_lent(&file, sporf_dataset_write_csv(data, "-")) : code;
}

static int run(const opt_list *options) {
    uint64_t rows = 0, features = 0, seed = 1;
    double noise;
    if (check_problem(options->argument) || opt_count(options, "rows", 1, &rows) ||
        opt_count(options, "features", 1, &features) || opt_count(options, "seed", 0, &seed) ||
        read_noise(options, &noise))
        return EXIT_USAGE;
    sporf_dataset *data = NULL;
    sporf_status status = sporf_simulate(options->argument, rows, features, seed,
                                         isnan(noise) ? NULL : &noise, &data);
    if (status != SPORF_OK) return out_failure(verb, status, NULL);
    int code = write_table(data, opt_value(options, "output"));
    sporf_dataset_free(data);
    return code;
}

const cli_verb cmd_simulate = {
    .name = verb,
    .summary = "draws a table of a simulated problem: the paper's or Friedman's",
    .usage = "sporf simulate sparse-parity|orthant|trunk|consistency|\n"
             "                      friedman1|friedman2|friedman3 --rows N\n"
             "                      [--features P] [--noise SD] [--seed S] [--output F]",
    .text = "Draws rows of a problem and writes them as CSV with a header; the last column is the "
            "class or, for a friedman problem, the target y. sparse-parity: whether an odd number "
            "of the first three features is positive. orthant: the orthant of the row. trunk: two "
            "normal classes whose means differ less and less from feature to feature. consistency: "
            "the problem on which axis-aligned trees of limited depth stay wrong. friedman1: a "
            "smooth function of five features, and features without any effect. friedman2 and "
            "friedman3: the impedance and the phase of a circuit.",
    .example = "  sporf simulate sparse-parity --rows 5000 --seed 1 --output train.csv\n",
    .argument = "PROBLEM",
    .declare = declare,
    .run = run,
};
