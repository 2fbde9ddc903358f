/* Words for error messages: offending text made fit to print, sizes in readable units, and what is
 * wrong with a cell. */
#ifndef SPF_DATA_TEXT_H
#define SPF_DATA_TEXT_H

#include "base/error.h"

enum { SPF_EXCERPT_MAX = 64, SPF_BYTES_TEXT_MAX = 32, SPF_PLACE_MAX = 320 };

/* The text, cut to about 40 bytes, with control characters and what is not UTF-8 escaped. Returns
 * out. */
const char *spf_excerpt(const char *text, size_t length, char out[SPF_EXCERPT_MAX]);

/* "3.1 GB". Returns out. */
const char *spf_bytes_text(uint64_t bytes, char out[SPF_BYTES_TEXT_MAX]);

/* Whether a cell stands for a missing value, in text as in numbers: empty, NA, ?, NaN, NULL, \N and
 * other spellings that are hardly anything else. */
int spf_is_missing(const char *text, size_t length);

/* Whether a cell stands for a missing value among numbers, but may be a text like others where
 * texts are: none, nil, a dash, a point. */
int spf_may_be_missing(const char *text, size_t length);

/* Whether a cell is an infinite number. */
int spf_is_infinite(const char *text, size_t length);

/* Raises SPORF_ERROR_DATA for a cell, without blanks around it, that cannot be a feature's value:
 * says at which place and why. */
sporf_status spf_raise_cell(const char *place, const char *text, size_t length);

/* Where the text begins: after a UTF-8 byte order mark, if there is one. */
const char *spf_skip_mark(const char *begin, size_t size);

#endif
