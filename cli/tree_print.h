/* One tree of a forest, as indented text or as JSON. */
#ifndef SPORF_CLI_TREE_PRINT_H
#define SPORF_CLI_TREE_PRINT_H

#include "json.h"
#include "out.h"
#include "sporf.h"

/* Trees are numbered from 0 here, from 1 in the output. Both stop early if writing fails, and
 * return 0, or an exit code after a message. */
int tree_print_text(out_file *file, const sporf_forest *forest, size_t tree);
int tree_print_json(out_file *file, json *writer, const sporf_forest *forest, size_t tree);

#endif
