/* What single cells of a table stand for: missing and infinite values, and what is wrong with
 * others. */
#ifndef SPF_DATA_CELL_H
#define SPF_DATA_CELL_H

#include "base/error.h"

enum { SPF_PLACE_MAX = 320 };

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
