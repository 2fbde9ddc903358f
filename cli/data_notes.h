/* Notes, on standard error, on tables that can be trained on but hardly learned from. */
#ifndef SPORF_CLI_DATA_NOTES_H
#define SPORF_CLI_DATA_NOTES_H

#include "sporf.h"

/* Reports a label with very many classes, which may be a target or an identifier; classes with a
 * single row; a table in which no feature varies; and very few rows. */
void data_notes(const char *verb, const sporf_dataset *data);

#endif
