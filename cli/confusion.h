/* The confusion matrix: counts [true class][predicted class], with one more row for labels that the
 * model does not know. */
#ifndef SPORF_CLI_CONFUSION_H
#define SPORF_CLI_CONFUSION_H

#include "json.h"
#include "sporf.h"

/* Adds the keys "classes", "confusion", "unknown_confusion" and "recall". */
void confusion_json(json *writer, const sporf_forest *forest, const size_t *counts);

/* Prints the whole matrix if it fits the line width, otherwise a line for each class; with many
 * classes only those with the lowest recall. */
void confusion_text(FILE *stream, const sporf_forest *forest, const size_t *counts);

#endif
