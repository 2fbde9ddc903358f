/* Formatting for error messages: offending text made printable, sizes in readable units. */
#ifndef SPF_BASE_TEXT_H
#define SPF_BASE_TEXT_H

#include "base/error.h"

enum { SPF_EXCERPT_MAX = 64, SPF_BYTES_TEXT_MAX = 32 };

/* The text, cut to about 40 bytes, with control characters and bytes that are not UTF-8 escaped.
 * Returns out. */
const char *spf_excerpt(const char *text, size_t length, char out[SPF_EXCERPT_MAX]);

/* "3.1 GB". Returns out. */
const char *spf_bytes_text(uint64_t bytes, char out[SPF_BYTES_TEXT_MAX]);

#endif
