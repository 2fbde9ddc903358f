/* The confusion of classes: counts [true class][predicted class], with one more row of true classes
 * for labels that the model has never seen. */
#ifndef SPORF_CLI_CONFUSION_H
#define SPORF_CLI_CONFUSION_H

#include "json.h"
#include "sporf.h"

/* Adds the keys "classes", "confusion", "unknown_confusion" and "recall". */
void confusion_json(json *writer, const sporf_forest *forest, const size_t *counts);

/* Prints the whole matrix where it fits in a line's width, otherwise a line for each class, of many
 * classes those with the lowest recall. */
void confusion_text(FILE *stream, const sporf_forest *forest, const size_t *counts);

#endif
