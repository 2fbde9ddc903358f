/* Characters of names and cells, which come from files and may be anything. */
#ifndef SPORF_CLI_CHARACTERS_H
#define SPORF_CLI_CHARACTERS_H

#include <stddef.h>
#include <stdint.h>

/* The length of the UTF-8 character that text starts with, and its code point; 0 if it is not UTF-8
 * (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF). */
size_t character_read(const char *text, uint32_t *point);

/* Whether a character controls a terminal or misleads its reader: control characters, including
 * U+0080 to U+009F, line separators and direction marks. */
int character_drives(uint32_t point);

/* How many bytes of text to take at once, and whether they may be printed. A byte that is not UTF-8
 * is taken alone; one that older terminals take for a control character is not printed. */
size_t character_shown(const char *text, int *shown);

#endif
