/* Messages whose options and places are marked, so that each program can word them in its own way.
 * A message is written with one printf format and is split into parts only on request. Marks are
 * control characters; base/text.h escapes these in cells and names from files. The texts themselves
 * are at the calls of spf_raise (errors) and spf_notes_add (notes). */
#ifndef SPF_BASE_MESSAGE_H
#define SPF_BASE_MESSAGE_H

#include "sporf.h"

/* Pieces of formats, with the arguments that each takes beside it. */
#define SPF_OPTION(name) "\1o" name "\2"
#define SPF_OPTION_AS(name, value) "\1o" name "=" value "\2" /* the arguments of `value` */
#define SPF_FILE "\1f%s\2"                                   /* a file's name */
#define SPF_FILE_CUT "\1f%.200s\2"                           /* the same, cut if it is long */
#define SPF_LINE "\1l%zu\2"                                  /* numbered from 1 */
#define SPF_ROW "\1r%zu\2"
#define SPF_COLUMN "\1c%zu\2"
#define SPF_FEATURE "\1nfeature=%zu\2"
#define SPF_NUMBERED "\1n%s=%zu\2" /* a word such as "class", and its number */
/* A cell: its row, and its column or feature. */
#define SPF_CELL_COMMA "\1,\2"
#define SPF_CELL SPF_ROW SPF_CELL_COMMA SPF_COLUMN
#define SPF_FEATURE_CELL SPF_ROW SPF_CELL_COMMA SPF_FEATURE
#define SPF_HINT "\3" /* printed as "; ": what to do follows */

enum { SPF_PARTS_MAX = 64 };

/* Splits a marked message, in place, into parts that point into it; returns how many there are. An
 * incomplete mark is text. */
size_t spf_message_split(char *text, sporf_part parts[SPF_PARTS_MAX]);

/* The message in the library's own words: options by name, numbers from 1. */
void spf_message_plain(const sporf_part *parts, size_t count, char *out, size_t size);

#endif
