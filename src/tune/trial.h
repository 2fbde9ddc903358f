/* A setting on trial: its forests so far, and their losses on rows that they have not seen. */
#ifndef SPF_TUNE_TRIAL_H
#define SPF_TUNE_TRIAL_H

#include "tune/work.h"

/* The rows on which all settings of a search are compared: out-of-bag rows or, if there are none,
 * the test rows of folds. */
typedef struct spf_comparison {
    const sporf_dataset *data;
    sporf_params params;
    const sporf_folds *folds;      /* NULL: out of bag */
    sporf_folds *drawn;            /* the same, if they were drawn here */
    size_t parts;                  /* forests of a setting: 1, or one for each fold */
    sporf_dataset **train, **test; /* [parts] if there are folds, otherwise NULL */
    double *weights;               /* [rows]: row weights, times the weight of the class */
    spf_work *work;
} spf_comparison;

typedef struct spf_trial {
    sporf_trial *setting;
    sporf_forest **forests; /* [parts]; all NULL at first */
    float *loss;            /* [rows]: 0 or 1, or the squared error; NaN: unknown */
    float *before;          /* the same with fewer trees; NULL at first */
    int dropped;
} spf_trial;

/* Sets up the rows of the comparison. Free with spf_comparison_free, also on failure. */
sporf_status spf_comparison_create(const sporf_dataset *data, const sporf_params *params,
                                   const sporf_search_options *options, spf_work *work,
                                   spf_comparison *comparison);
void spf_comparison_free(spf_comparison *comparison);

/* The parameters of a setting, for that many trees. */
sporf_params spf_comparison_params(const spf_comparison *comparison, const sporf_trial *setting,
                                   size_t trees);

/* Grows all forests of a trial to that many trees, and scores them. If the work is stopped before,
 * the trial stays as it was, and work->stopped is set. */
sporf_status spf_trial_grow(const spf_comparison *comparison, spf_trial *trial, size_t trees);
void spf_trial_free(const spf_comparison *comparison, spf_trial *trial);

/* Frees forests and losses of a trial that is dropped; its setting stays. */
void spf_trial_drop(const spf_comparison *comparison, spf_trial *trial);

/* The mean of a - b over the rows where both are known, and its standard error; both are NaN if
 * there are none. */
void spf_comparison_compare(const spf_comparison *comparison, const float *a, const float *b,
                            double *mean, double *error);

#endif
