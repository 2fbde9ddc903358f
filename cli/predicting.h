/* What predict and evaluate have in common: a model, and how its trees are combined. */
#ifndef SPORF_CLI_PREDICTING_H
#define SPORF_CLI_PREDICTING_H

#include "opt.h"
#include "sporf.h"

/* Declares --model and --combine. */
void predicting_declare(opt_list *options);

/* Both return 0, or an exit code after a message. */
int predicting_options(const opt_list *options, sporf_predict_options *how);
int predicting_load(const opt_list *options, sporf_forest **forest);

/* Refuses options that only mean something for classes, where the model predicts numbers. Returns
 * 0, or an exit code after a message. */
int predicting_check(const opt_list *options, const sporf_forest *forest);

/* Asks for the columns that the model was trained with, so that others may hold what they like, and
 * as many of an svmlight file as it has. */
void predicting_columns(const sporf_forest *forest, sporf_read_options *read);

/* The same, and if nothing was said about it, the columns of the label or the targets by the
 * names they had in training. Returns 0, or an exit code after a message. */
int predicting_truth(const opt_list *options, const sporf_forest *forest, sporf_read_options *read);

/* The same for the table that the model was trained on, and the column of its weights likewise. */
int predicting_training(const opt_list *options, const sporf_forest *forest,
                        sporf_read_options *read);

/* Cells of a feature that hold something, those of them whose level the forest does not know, and
 * the first of these levels. */
typedef struct predicting_cells {
    size_t cells, unknown;
    char example[64];
} predicting_cells;

/* Adds up the cells of data that was read for the forest: counts[features]. */
void predicting_count_unknown(const sporf_forest *forest, const sporf_dataset *data,
                              predicting_cells *counts);

/* Tells of such cells. */
void predicting_tell_unknown(const char *verb, const sporf_forest *forest,
                             const predicting_cells *counts);

#endif
