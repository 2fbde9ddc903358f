/* How a model decides which class it predicts, if it was trained with --cost or --recall. */
#ifndef SPORF_CLI_DECISION_REPORT_H
#define SPORF_CLI_DECISION_REPORT_H

#include "json.h"
#include "sporf.h"

#include <stdio.h>

/* Whether it is not the class with most votes, or the most probable one. */
int decision_is_own(const sporf_forest *forest);

/* Whether it was trained with class weights, which errors out of bag then count by. */
int decision_weighs_classes(const sporf_forest *forest);

/* Prints a line on it; nothing otherwise. */
void decision_line(FILE *stream, const sporf_forest *forest);

/* Adds the key "decision"; null otherwise. */
void decision_json(json *writer, const sporf_forest *forest);

#endif
