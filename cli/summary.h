/* Summaries of a forest, the same for train and inspect. */
#ifndef SPORF_CLI_SUMMARY_H
#define SPORF_CLI_SUMMARY_H

#include "json.h"
#include "sporf.h"
#include "summary_line.h"

/* Size of a file in bytes; 0 if unknown. */
uint64_t summary_file_bytes(const char *path);

/* Adds the keys that both verbs report, including out-of-bag results, or losses of a boosted model,
 * and the list of classes. */
void summary_json(json *writer, const sporf_forest *forest, const sporf_forest_summary *summary);

/* Adds the key "targets": the names of regression targets. */
void summary_targets_json(json *writer, const sporf_forest *forest);

/* The kinds of the features of a forest or a table. */
typedef struct summary_kinds {
    size_t features, numbers, categories, ordinals;
    size_t least_levels, most_levels;
    size_t missing; /* features with missing values; only for a table */
} summary_kinds;

void summary_forest_kinds(const sporf_forest *forest, summary_kinds *kinds);
void summary_data_kinds(const sporf_dataset *data, summary_kinds *kinds);

/* Adds the key "weights", and prints a line such as "w: 0 to 3 for a row, 212.5 in all", about the
 * row weights in the given column; null, or nothing, without weights. */
void summary_weights_json(json *writer, const sporf_dataset *data, const char *column);
void summary_weights_line(FILE *stream, const sporf_dataset *data, const char *column);

/* Prints the lines that both verbs show: trees, out-of-bag results or losses, settings. */
void summary_lines(FILE *stream, const sporf_forest *forest, const sporf_forest_summary *summary);

/* Whether an option limits what a run uses, and says nothing of the model. */
int summary_is_limit(const char *name);

/* Prints the line "settings" of params, without those named and without limits. */
void summary_params_line(FILE *stream, const sporf_params *params, const char *const *without,
                         size_t count);

/* Adds the key "chosen", and prints a line such as "projections 20, density 2/p, min-leaf 5: by
 * pilot forests, from out-of-bag errors": the settings chosen in training; nothing if there are
 * none. */
void summary_chosen_json(json *writer, const char *const *names, size_t count);
void summary_chosen_line(FILE *stream, const sporf_forest *forest, const char *const *names,
                         size_t count);

/* Prints the line "chosen" for settings that were auto, with their values. */
void summary_auto_line(FILE *stream, const sporf_forest *forest, const char *const *names,
                       size_t count);

/* Prints the lines about features, their kinds, classes and the label's name; with the rows of each
 * class if there are data and few classes. */
void summary_schema(FILE *stream, const sporf_forest *forest, const summary_kinds *kinds,
                    const sporf_dataset *data);

#endif
