/* The command: finds the verb, reads its options, runs it. */
#include "cli.h"
#include "console.h"
#include "out.h"

#include <string.h>

static const cli_verb *const verbs[] = {
    &cmd_train,         &cmd_boost,      &cmd_predict,  &cmd_evaluate, &cmd_inspect,
    &cmd_importance,    &cmd_dependence, &cmd_explain,  &cmd_export,   &cmd_simulate,
    &cmd_bench_predict, &cmd_tune,       &cmd_crossval, &cmd_strength, &cmd_noise,
    &cmd_prepare,       &cmd_join,       &cmd_plot,     &cmd_report};
enum { VERBS = sizeof verbs / sizeof *verbs };

static const cli_verb *find_verb(const char *name) {
    for (size_t i = 0; i < VERBS; i++)
        if (strcmp(verbs[i]->name, name) == 0) return verbs[i];
    return NULL;
}

static int refuse_verb(const char *name) {
    enum { OTHERS = 3 };
    const char *names[OTHERS + VERBS] = {"help", "--help", "--version"};
    for (size_t i = 0; i < VERBS; i++) names[OTHERS + i] = verbs[i]->name;
    const char *nearest = opt_nearest(name, names, OTHERS + VERBS);
    const char *kind = name[0] == '-' ? "option" : "verb";
    if (nearest)
        out_error(NULL, "unknown %s '%s'; did you mean '%s'?", kind, name, nearest);
    else
        out_error(NULL, "unknown %s '%s'; 'sporf help' lists the verbs", kind, name);
    return EXIT_USAGE;
}

static void print_overview(FILE *stream) {
    fputs("Usage: sporf VERB [options]\n\n", stream);
    for (size_t i = 0; i < VERBS; i++)
        fprintf(stream, "  %-15s%s\n", verbs[i]->name, verbs[i]->summary);
    fputs("  help           explains a verb: 'sporf help train'\n", stream);
}

static int print_general_help(void) {
    out_file file;
    out_open(&file, NULL, NULL);
    opt_wrap(
        file.stream,
        "sporf trains random forests and boosted trees with oblique splits, for classification "
        "and regression: splits look at sparse sums of features (SPORF, Tomita et al. 2020). "
        "It also has the methods that the paper compares with.",
        0, 0);
    fputc('\n', file.stream);
    print_overview(file.stream);
    fputs("\nTry it:\n"
          "  sporf simulate sparse-parity --rows 5000 --seed 1 --output train.csv\n"
          "  sporf simulate sparse-parity --rows 5000 --seed 2 --output test.csv\n"
          "  sporf train --data train.csv --label last --projections 400 --model m.sporf\n"
          "  sporf evaluate --model m.sporf --data test.csv --label last\n"
          "\n'sporf VERB --help' lists the options of a verb, 'sporf --version' prints the\n"
          "version.\n",
          file.stream);
    return out_close(&file, 1);
}

static void declare(const cli_verb *verb, opt_list *options) {
    *options = (opt_list){.verb = verb->name, .argument_name = verb->argument};
    verb->declare(options);
    const opt_spec help = {.name = "help", .help = "show this text; -h does the same"};
    opt_add(options, &help, 1);
}

static int print_verb_help(const cli_verb *verb) {
    opt_list options;
    out_file file;
    declare(verb, &options);
    out_open(&file, verb->name, NULL);
    fprintf(file.stream, "Usage: %s\n\n", verb->usage);
    opt_wrap(file.stream, verb->text, 0, 0);
    opt_print(file.stream, &options);
    fprintf(file.stream, "\nExample:\n%s", verb->example);
    return out_close(&file, 1);
}

static int help(int argc, char **argv) {
    if (argc == 0) return print_general_help();
    const cli_verb *verb = find_verb(argv[0]);
    return verb ? print_verb_help(verb) : refuse_verb(argv[0]);
}

static int print_version(void) {
    out_file file;
    out_open(&file, NULL, NULL);
    fprintf(file.stream, "sporf %s\n", sporf_version());
    return out_close(&file, 1);
}

static int run_verb(const cli_verb *verb, int argc, char **argv) {
    opt_list options;
    declare(verb, &options);
    int code = opt_parse(&options, argc, argv);
    if (code == EXIT_DONE) code = options.help ? print_verb_help(verb) : verb->run(&options);
    opt_free(&options);
    return code;
}

int main(int argc, char **argv) {
    if (!console_start(&argc, &argv)) return EXIT_FAILED;
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) return print_version();
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return print_general_help();
    if (strcmp(name, "help") == 0) return help(argc - 2, argv + 2);
    const cli_verb *verb = find_verb(name);
    return verb ? run_verb(verb, argc - 2, argv + 2) : refuse_verb(name);
}
