/* Shared by the verbs that predict: a model, and how its trees are combined. */
#ifndef SPORF_CLI_PREDICTING_H
#define SPORF_CLI_PREDICTING_H

#include "opt.h"
#include "sporf.h"

/* Declares --model, --combine and --calibration; --decision, for verbs that name classes; and
 * --device, for those that may predict large tables. */
void predicting_declare(opt_list *options);
void predicting_declare_decision(opt_list *options);
void predicting_declare_device(opt_list *options);

/* Both return 0, or an exit code after a message. */
int predicting_options(const opt_list *options, sporf_predict_options *how);
int predicting_load(const opt_list *options, sporf_forest **forest);

/* How the trees are combined, in a word: votes, posteriors, means or scores. */
const char *predicting_combine(const sporf_forest *forest, const sporf_predict_options *how);

/* Refuses options of classification for a regression model, and options of forests for a boosted
 * one, or the other way round. Returns 0, or an exit code after a
 * message. */
int predicting_check(const opt_list *options, const sporf_forest *forest);

/* Asks for the columns that the model was trained with, so that other columns may hold anything,
 * and for as many columns of an svmlight file as it has. */
void predicting_columns(const sporf_forest *forest, sporf_read_options *read);

/* The same for rows whose label or target does not matter: a target column that --label names is
 * ignored. `given` gets the list that another one replaced, or NULL: free it with free() after the
 * reading. Returns 0 if memory runs out. */
int predicting_features(const sporf_forest *forest, sporf_read_options *read,
                        const char *const **given);

/* What to do if such a table cannot be read, and if it has one column more than the model has
 * features; NULL if that is not the reason. */
const char *predicting_table_hint(const sporf_forest *forest, const sporf_read_options *read,
                                  sporf_status status);
const char *predicting_surplus_hint(const sporf_forest *forest, const sporf_read_options *read,
                                    const sporf_dataset *data);

/* The columns of the model and, if options do not name them, those of the label or the targets by
 * their names in training. Returns 0, or an exit code after a message. */
int predicting_truth(const opt_list *options, const sporf_forest *forest, sporf_read_options *read);

/* The same for the training table, with the weight column. */
int predicting_training(const opt_list *options, const sporf_forest *forest,
                        sporf_read_options *read);

/* Cells of a feature that are not missing, those with a level that the forest does not know, and
 * the first of these levels. */
typedef struct predicting_cells {
    size_t cells, unknown;
    char example[64];
} predicting_cells;

/* Counts the cells of data read for the forest: counts[features]. */
void predicting_count_unknown(const sporf_forest *forest, const sporf_dataset *data,
                              predicting_cells *counts);

/* Reports such cells. */
void predicting_report_unknown(const char *verb, const sporf_forest *forest,
                               const predicting_cells *counts);

/* Counts and reports those of a whole table. Returns 0, or an exit code after a message. */
int predicting_note_unknown(const char *verb, const sporf_forest *forest,
                            const sporf_dataset *data);

#endif
