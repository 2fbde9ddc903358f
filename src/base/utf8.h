/* Characters of UTF-8, and whether a text is UTF-8 at all. */
#ifndef SPF_BASE_UTF8_H
#define SPF_BASE_UTF8_H

#include <stdint.h>

enum { SPF_UTF8_REPLACEMENT = 0xFFFD };

/* Reads one character. Returns the byte after it, or the next byte and U+FFFD if this is none.
 * *text must not be the end. */
const char *spf_utf8_next(const char *text, uint32_t *character);

int spf_is_utf8(const char *text);

#endif
