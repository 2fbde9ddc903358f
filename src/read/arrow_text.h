/* Texts of Arrow arrays: one after the other with offsets of 32 or 64 bits, or views of 16 bytes.
 */
#ifndef SPF_READ_ARROW_TEXT_H
#define SPF_READ_ARROW_TEXT_H

#include "base/error.h"
#include "read/arrow_abi.h"

typedef struct spf_arrow_text {
    const char *format; /* "u", "U" or "vu" */
    const struct ArrowArray *array;
    const char *place; /* for messages */
} spf_arrow_text;

/* Whether a format is one of text; NULL is none. */
int spf_arrow_is_text_format(const char *format);

/* Takes the texts of an array, whose format is one of text. */
sporf_status spf_arrow_text_open(const char *format, const struct ArrowArray *array,
                                 const char *place, spf_arrow_text *text);

/* Text number `element`, counted from the start of the buffers; its bytes are not closed. */
sporf_status spf_arrow_text_at(const spf_arrow_text *text, size_t element, const char **bytes,
                               size_t *length);

#endif
