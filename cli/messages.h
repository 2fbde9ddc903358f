/* The library's messages in the words of the command line. */
#ifndef SPORF_CLI_MESSAGES_H
#define SPORF_CLI_MESSAGES_H

#include <stddef.h>

/* Copies a message in which options are called as they are typed: "trees must be" becomes "--trees
 * must be". */
void message_options(char *buffer, size_t size, const char *message);

#endif
