/* sporf simulate: draws one of the paper's problems. */
#include "cli.h"
#include "out.h"

#include <string.h>

static const char verb[] = "simulate";

static void declare(opt_list *options) {
    const opt_spec specs[] = {
        {.help = "Options"},
        {.name = "rows", .value = "N", .required = 1, .help = "rows to draw"},
        {.name = "features",
         .value = "P",
         .help = "features of a row [default: the paper's, 20, 6, 10 and 2 in the order above]"},
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
    static const char *const problems[] = {"sparse-parity", "orthant", "trunk", "consistency"};
    static const char list[] = "sparse-parity, orthant, trunk or consistency";
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

static int write_table(const sporf_dataset *data, const char *path) {
    int to_output = !path || strcmp(path, "-") == 0;
    sporf_status status = sporf_dataset_write_csv(data, to_output ? "-" : path);
    if (status == SPORF_OK) return EXIT_DONE;
    return to_output && out_reader_gone() ? EXIT_FAILED : out_failure(verb, status, NULL);
}

static int run(const opt_list *options) {
    uint64_t rows = 0, features = 0, seed = 1;
    if (check_problem(options->argument) || opt_count(options, "rows", 1, &rows) ||
        opt_count(options, "features", 1, &features) || opt_count(options, "seed", 0, &seed))
        return EXIT_USAGE;
    sporf_dataset *data = NULL;
    sporf_status status = sporf_simulate(options->argument, rows, features, seed, &data);
    if (status != SPORF_OK) return out_failure(verb, status, NULL);
    int code = write_table(data, opt_value(options, "output"));
    sporf_dataset_free(data);
    return code;
}

const cli_verb cmd_simulate = {
    .name = verb,
    .summary = "draws one of the paper's simulated problems",
    .usage = "sporf simulate sparse-parity|orthant|trunk|consistency --rows N\n"
             "                      [--features P] [--seed S] [--output F]",
    .text = "Draws rows of one of the problems of the paper and writes them as CSV with a header; "
            "the last column holds the class. sparse-parity: whether an odd number of the first "
            "three features is positive. orthant: which orthant the row lies in. trunk: two normal "
            "classes whose means differ less and less from feature to feature. consistency: the "
            "problem on which axis-aligned trees of limited depth stay wrong.",
    .example = "  sporf simulate sparse-parity --rows 5000 --seed 1 --output train.csv\n",
    .argument = "PROBLEM",
    .declare = declare,
    .run = run,
};
