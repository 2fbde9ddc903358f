/* Messages whose options and places are marked, so that a program can put them into its own words.
 * Marks are bytes that no printed text has; a message is written with one printf format and split
 * into parts when somebody asks for it. */
#ifndef SPF_BASE_MESSAGE_H
#define SPF_BASE_MESSAGE_H

#include "sporf.h"

/* Pieces of formats. What a piece takes from the arguments is said beside it. */
#define SPF_OPTION(name) "\1o" name "\2"
#define SPF_OPTION_AS(name, value) "\1o" name "=" value "\2" /* what the format `value` takes */
#define SPF_FILE "\1f%s\2"                                   /* its name */
#define SPF_FILE_CUT "\1f%.200s\2"                           /* the same, cut if it is long */
#define SPF_LINE "\1l%zu\2"                                  /* numbers count from 1 */
#define SPF_ROW "\1r%zu\2"
#define SPF_COLUMN "\1c%zu\2"
#define SPF_FEATURE "\1nfeature=%zu\2"
#define SPF_NUMBERED "\1n%s=%zu\2" /* "class", and its number */
#define SPF_HINT "\3"              /* "; ": what follows says what to do */

enum { SPF_PARTS_MAX = 64 };

/* Splits a marked message, in place, into parts that point into it; returns how many there are. A
 * mark that is not whole is text. */
size_t spf_message_split(char *text, sporf_part parts[SPF_PARTS_MAX]);

/* The message in the library's words: options by name, numbers from 1. */
void spf_message_plain(const sporf_part *parts, size_t count, char *out, size_t size);

#endif
