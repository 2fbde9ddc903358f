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

/* Whether a cell stands for a missing value: empty, NA, N/A, n/a, ?, NaN, nan, NAN, null, NULL. */
int spf_is_missing(const char *text, size_t length);

/* Whether a cell is a number, or one that cannot be used as it stands: infinite, with a decimal
 * comma, or with marks between thousands. text[length] must be readable and no part of a number. */
int spf_means_number(const char *text, size_t length);

/* Whether a cell is a number with a decimal comma, as in 1,5 and 1.234,56. */
int spf_has_decimal_comma(const char *text, size_t length);

/* What to do about a number with a decimal comma or marks between thousands (1,234.56; 1'234;
 * 1.234.567, but not the address 192.168.100.101); NULL for any other cell. */
const char *spf_marks_advice(const char *text, size_t length);

/* Raises SPORF_ERROR_DATA for a cell, without blanks around it, that cannot be a feature's value:
 * says at which place and why. */
sporf_status spf_raise_cell(const char *place, const char *text, size_t length);

/* Where the text begins: after a UTF-8 byte order mark, if there is one. */
const char *spf_skip_mark(const char *begin, size_t size);

#endif
