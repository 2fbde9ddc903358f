/* Texts of Arrow arrays: contiguous with offsets of 32 or 64 bits, or views of 16 bytes. */
#ifndef SPF_READ_ARROW_TEXT_H
#define SPF_READ_ARROW_TEXT_H

#include "base/error.h"
#include "read/arrow_abi.h"

typedef struct spf_arrow_text {
    const char *format; /* "u", "U" or "vu" */
    const struct ArrowArray *array;
    const char *place; /* for messages */
} spf_arrow_text;

/* Whether a format is text; NULL is not. */
int spf_arrow_is_text_format(const char *format);

/* Opens the texts of an array with a text format. */
sporf_status spf_arrow_text_open(const char *format, const struct ArrowArray *array,
                                 const char *place, spf_arrow_text *text);

/* Text number `element`, counted from the start of the buffers; it has no NUL. */
sporf_status spf_arrow_text_at(const spf_arrow_text *text, size_t element, const char **bytes,
                               size_t *length);

#endif
