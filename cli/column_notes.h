/* The library's notes on a table: columns that are left out, and others. */
#ifndef SPORF_CLI_COLUMN_NOTES_H
#define SPORF_CLI_COLUMN_NOTES_H

#include "json.h"
#include "sporf.h"

/* Prints them on standard error, left-out columns first. */
void column_notes(const char *verb, const sporf_dataset *data);

/* The lists "left_out" and "notes". */
void column_notes_json(json *writer, const sporf_dataset *data);

/* Whether a column was left out for this reason. */
int column_notes_have(const sporf_dataset *data, sporf_left_out reason);

#endif
