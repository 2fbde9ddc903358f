/* Characters of names and cells, which come from files and may be anything. */
#ifndef SPORF_CLI_CHARACTERS_H
#define SPORF_CLI_CHARACTERS_H

#include <stddef.h>
#include <stdint.h>

/* The length of the UTF-8 character that text starts with, and which one it is; 0 if it is none
 * (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF). */
size_t character_read(const char *text, uint32_t *point);

/* Whether a character drives a terminal, or misleads who reads it there: control characters, those
 * of U+0080 to U+009F among them, and marks that end lines or turn the direction of text. */
int character_drives(uint32_t point);

/* How many bytes to take of text at once, and whether a terminal may get them. A byte that is not
 * UTF-8 is taken alone; one that an older terminal takes for a control character is not shown. */
size_t character_shown(const char *text, int *shown);

#endif
