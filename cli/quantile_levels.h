/* --quantiles and --interval of predict and evaluate, in regression. */
#ifndef SPORF_CLI_QUANTILE_LEVELS_H
#define SPORF_CLI_QUANTILE_LEVELS_H

#include "opt.h"
#include "sporf.h"

enum { QUANTILES_MAX = 256, QUANTILE_TEXT = 32 };

typedef struct quantiles {
    size_t count;
    double level[QUANTILES_MAX];
    char text[QUANTILES_MAX][QUANTILE_TEXT]; /* as given */
    double interval;                         /* 0 if none is asked for */
} quantiles;

void quantiles_declare(opt_list *options);

/* For train: explains that both are options of predict and evaluate. */
void quantiles_declare_elsewhere(opt_list *options);

/* Returns 0, or an exit code after a message. */
int quantiles_read(const opt_list *options, quantiles *q);

/* Whether there are any. */
int quantiles_asked(const quantiles *q);

/* Whether a model can predict them. Returns 0, or an exit code after a message. */
int quantiles_check(const char *verb, const sporf_forest *forest);

#endif
