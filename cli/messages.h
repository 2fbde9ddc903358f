/* The library's messages in the words of the command line. */
#ifndef SPORF_CLI_MESSAGES_H
#define SPORF_CLI_MESSAGES_H

#include "sporf.h"

enum { MESSAGE_MAX = 2048 };

/* A message in which options are written as they are typed: --trees 500. */
void message_words(const sporf_part *parts, size_t count, char out[MESSAGE_MAX]);

#endif
