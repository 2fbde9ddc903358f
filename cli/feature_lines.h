/* What a table of features lists: the groups that --group names, and each feature that is in none
 * of them. */
#ifndef SPORF_CLI_FEATURE_LINES_H
#define SPORF_CLI_FEATURE_LINES_H

#include "opt.h"
#include "out.h"
#include "sporf.h"

typedef struct feature_lines {
    const sporf_forest *forest;
    size_t count;
    sporf_feature_group *groups; /* [count]: the features of each line */
    size_t named;                /* the first so many are groups */
    char **names;                /* [named] */
    size_t *features;            /* memory of the single ones */
} feature_lines;

extern const opt_spec feature_lines_group; /* --group */

/* Reads --group. Returns 0, or an exit code after a message. Free with feature_lines_free in either
 * case. */
int feature_lines_read(const opt_list *options, const sporf_forest *forest, feature_lines *lines);
void feature_lines_free(feature_lines *lines);

/* The name of a line, as text and as a field of a CSV file. */
void feature_lines_print(FILE *stream, const feature_lines *lines, size_t line);
void feature_lines_csv(FILE *stream, const feature_lines *lines, size_t line);

#endif
