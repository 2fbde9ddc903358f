/* The meaning of single cells: missing or infinite values, and errors in others. */
#ifndef SPF_DATA_CELL_H
#define SPF_DATA_CELL_H

#include "base/error.h"

enum { SPF_PLACE_MAX = 320 };

/* Whether a cell is missing in any column: empty, NA, ?, NaN, NULL, \N and other spellings that
 * hardly mean anything else. */
int spf_is_missing(const char *text, size_t length);

/* Whether a cell is missing in a column of numbers, although it could be a value in a column of
 * text: none, nil, a dash, a point. */
int spf_may_be_missing(const char *text, size_t length);

/* Whether a cell is an infinite number. */
int spf_is_infinite(const char *text, size_t length);

/* Raises SPORF_ERROR_DATA for a cell, without blanks around it, that cannot be a feature's value,
 * with the place and the reason. */
sporf_status spf_raise_cell(const char *place, const char *text, size_t length);

/* The beginning of the text, after a UTF-8 byte order mark if there is one. */
const char *spf_skip_mark(const char *begin, size_t size);

#endif
