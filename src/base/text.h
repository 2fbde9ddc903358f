/* Formatting for error messages: offending text made printable, sizes in readable units. */
#ifndef SPF_BASE_TEXT_H
#define SPF_BASE_TEXT_H

#include "base/error.h"

enum { SPF_EXCERPT_MAX = 64, SPF_NAME_TEXT_MAX = 128, SPF_BYTES_TEXT_MAX = 32 };

/* The text, cut to about 40 bytes, with control characters and bytes that are not UTF-8 escaped.
 * Returns out. */
const char *spf_excerpt(const char *text, size_t length, char out[SPF_EXCERPT_MAX]);

/* The same for a name, which is cut to about 100 bytes. */
const char *spf_name_text(const char *name, char out[SPF_NAME_TEXT_MAX]);

/* A name between two texts, such as " ('" and "')"; "" for NULL. */
const char *spf_named(const char *before, const char *name, const char *after,
                      char out[SPF_NAME_TEXT_MAX]);

/* "3.1 GB". Returns out. */
const char *spf_bytes_text(uint64_t bytes, char out[SPF_BYTES_TEXT_MAX]);

#endif
