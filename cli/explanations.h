/* Shapley values of the rows of a table, block by block. */
#ifndef SPORF_CLI_EXPLANATIONS_H
#define SPORF_CLI_EXPLANATIONS_H

#include "opt.h"
#include "progress.h"
#include "sporf.h"

typedef struct explanations {
    sporf_forest *forest;
    sporf_dataset *data, *background;
    sporf_ranking *ranking; /* NULL: features are explained */
    sporf_explain_options options;
    size_t rows, background_rows, places, outputs;
    size_t skipped;        /* rows of the table before the first: with --row */
    size_t first, count;   /* the current block */
    double *values;        /* [count x places x outputs] */
    double *base;          /* [outputs] */
    uint32_t *classes;     /* [count]: what predict says; in classification */
    double *probabilities; /* [classes]: likewise, of the row of --row; NULL without */
    double *predictions;   /* [count x outputs] */
    double *absolute;      /* [places x outputs]: sums over the blocks so far */
    double estimated;      /* likewise, by row */
    double seconds;
    int has_begun;
    size_t most; /* rows in a block */
    progress bar;
} explanations;

/* Reads model and tables, as options say. Returns 0, or an exit code after a message. Free in
 * either case. */
int explanations_open(const opt_list *options, explanations *e);
void explanations_free(explanations *e);

/* Whether there are rows to explain, and the next of them. */
int explanations_left(const explanations *e);
int explanations_next(const char *verb, explanations *e);

/* Over all rows: the share of estimated values, and the mean absolute value of a place. */
double explanations_estimated(const explanations *e);
double explanations_mean_absolute(const explanations *e, size_t place, size_t output);

/* The name of a feature or projection; to be freed. NULL if memory runs out. */
char *explanations_place_name(const explanations *e, size_t place);

/* Says how much was estimated, if anything was. */
void explanations_report(const char *verb, const explanations *e);

#endif
