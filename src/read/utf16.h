/* Text in UTF-16, as spreadsheets save it, is converted to UTF-8 while it is read. */
#ifndef SPF_READ_UTF16_H
#define SPF_READ_UTF16_H

#include "base/error.h"

/* How many of the first bytes decide the encoding. */
enum { SPF_UTF16_HEAD = 4 };

typedef enum spf_encoding_kind {
    SPF_TEXT_BYTES, /* UTF-8 or binary: not converted */
    SPF_TEXT_UTF16_LE,
    SPF_TEXT_UTF16_BE,
    SPF_TEXT_UTF32,
} spf_encoding_kind;

/* By the byte order mark or, without one, by NULs beside the first two characters. */
spf_encoding_kind spf_text_encoding(const unsigned char *head, size_t size);

/* The state between two pieces of a text. */
typedef struct spf_utf16 {
    const char *name; /* of the file, for messages */
    int big_endian;
    unsigned odd;   /* 256 + the first byte of an incomplete unit; 0 for none */
    unsigned first; /* the first unit of an incomplete surrogate pair; 0 for none */
    size_t lines;   /* line ends so far */
    size_t units;   /* 16-bit units so far */
} spf_utf16;

/* The most bytes that `size` bytes are converted to. */
static inline size_t spf_utf16_room(size_t size) {
    return size / 2 * 3 + 8;
}

/* Converts the next piece; a byte order mark at the start is left out. */
sporf_status spf_utf16_convert(spf_utf16 *text, const unsigned char *bytes, size_t size,
                               unsigned char *out, size_t *used);

/* Call it at the end: raises SPORF_ERROR_DATA if half a character is left. */
sporf_status spf_utf16_finish(const spf_utf16 *text);

#endif
