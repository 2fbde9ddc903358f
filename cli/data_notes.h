/* Notes, on standard error, about a table that can be trained on but hardly learned from. */
#ifndef SPORF_CLI_DATA_NOTES_H
#define SPORF_CLI_DATA_NOTES_H

#include "sporf.h"

/* Says where a label of very many classes may be a target or an identifier, where classes have a
 * single row, where no feature varies, and if there are very few rows. */
void data_notes(const char *verb, const sporf_dataset *data);

#endif
