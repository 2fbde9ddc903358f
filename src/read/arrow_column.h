/* One column of an Arrow batch, and its texts as numbered words. */
#ifndef SPF_READ_ARROW_COLUMN_H
#define SPF_READ_ARROW_COLUMN_H

#include "base/text.h"
#include "data/cell.h"
#include "read/arrow_text.h"
#include "read/typed.h"

/* The word of a null. */
#define SPF_ARROW_NULL UINT32_MAX

/* One child; the offsets of batch and child are included. */
typedef struct spf_arrow_column {
    const struct ArrowSchema *schema;
    const struct ArrowArray *array;
    size_t number; /* from 0 */
    size_t first;  /* element of row 0 */
    size_t rows;
    char place[SPF_EXCERPT_MAX + 32]; /* for messages */
} spf_arrow_column;

static inline int spf_arrow_bit(const void *bits, size_t index) {
    return ((const unsigned char *)bits)[index / 8] >> (index % 8) & 1;
}

/* Whether some elements may be null. */
static inline int spf_arrow_nullable(const struct ArrowArray *array) {
    return array->null_count != 0 && array->n_buffers > 0 && array->buffers && array->buffers[0];
}

static inline int spf_arrow_is_null(const struct ArrowArray *array, size_t element) {
    return spf_arrow_nullable(array) && !spf_arrow_bit(array->buffers[0], element);
}

/* The type of a one-letter format. Booleans, which are stored in bits, are not among them. */
int spf_arrow_number_type(const char *format, spf_type *type);

/* The numbers of a column, or the indices of a dictionary. */
spf_typed spf_arrow_typed(const spf_arrow_column *column, spf_type type);

/* Checks that a column has values. */
sporf_status spf_arrow_check(const spf_arrow_column *column);

/* Whether a column is text, or dictionary-encoded text. */
int spf_arrow_is_text(const spf_arrow_column *column);

/* Whether the type of a column is null. */
int spf_arrow_is_nothing(const spf_arrow_column *column);

/* Raises that a column cannot be used, with its type and what to do; `fault` is "not a number" or
 * the like. */
sporf_status spf_arrow_raise_type(const spf_arrow_column *column, const char *fault);

/* Numbers the texts of a column, or its booleans as 0 and 1: codes[rows], SPF_ARROW_NULL for nulls
 * and empty texts. */
sporf_status spf_arrow_code(const spf_arrow_column *column, spf_dictionary *words, uint32_t *codes);

/* All texts of a column's dictionary, in its order. */
sporf_status spf_arrow_dictionary(const spf_arrow_column *column, spf_dictionary *words);

#endif
