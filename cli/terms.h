/* The terms of projections, as text and as JSON. */
#ifndef SPORF_CLI_TERMS_H
#define SPORF_CLI_TERMS_H

#include "json.h"
#include "out.h"
#include "sporf.h"

/* A feature by its name, or "x3" without one. */
void terms_print_feature(FILE *stream, const sporf_forest *forest, uint32_t feature);

/* The same as a field of a CSV file. */
void terms_csv_feature(FILE *stream, const sporf_forest *forest, size_t feature);

/* "+1 height -1 [colour in red, green]" */
void terms_print(FILE *stream, const sporf_forest *forest, const uint32_t *features,
                 const float *weights, size_t terms);

/* The same of a ranked projection; to be freed. NULL if memory runs out. */
char *terms_text(const sporf_forest *forest, const sporf_ranked *ranked);

/* Adds the keys "features" and "weights". */
void terms_json(json *writer, const uint32_t *features, const float *weights, size_t terms);

/* Adds the key "sets": the meaning of features beyond the forest's own. */
void terms_sets_json(out_file *file, json *writer, const sporf_forest *forest);

#endif
