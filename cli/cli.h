/* The verbs of the command. */
#ifndef SPORF_CLI_CLI_H
#define SPORF_CLI_CLI_H

#include "opt.h"
#include "out.h"
#include "sporf.h"

typedef struct cli_verb {
    const char *name;
    const char *summary; /* one line, for the list of verbs */
    const char *usage;   /* what follows "Usage: ", with its line breaks */
    const char *text;    /* one paragraph, wrapped when printed */
    const char *example; /* one command per line */
    /* Placeholder of the one positional argument, or, if it ends in dots, of any number of them;
     * NULL if none is taken. */
    const char *argument;
    void (*declare)(opt_list *options);
    int (*run)(const opt_list *options);
} cli_verb;

extern const cli_verb cmd_train, cmd_boost, cmd_predict, cmd_evaluate, cmd_inspect, cmd_importance,
    cmd_export, cmd_simulate, cmd_bench_predict, cmd_tune, cmd_crossval, cmd_strength, cmd_noise,
    cmd_prepare, cmd_join, cmd_dependence, cmd_explain, cmd_plot, cmd_report;

#endif
