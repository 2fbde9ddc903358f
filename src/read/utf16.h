/* Text in UTF-16, as spreadsheets save it, made UTF-8 while it is read. */
#ifndef SPF_READ_UTF16_H
#define SPF_READ_UTF16_H

#include "base/error.h"

/* How many of the first bytes tell what they are. */
enum { SPF_UTF16_HEAD = 4 };

typedef enum spf_encoding_kind {
    SPF_TEXT_BYTES, /* UTF-8, or no text: taken as it is */
    SPF_TEXT_UTF16_LE,
    SPF_TEXT_UTF16_BE,
    SPF_TEXT_UTF32,
} spf_encoding_kind;

/* By the byte order mark or, without one, by NULs beside the first two characters. */
spf_encoding_kind spf_text_encoding(const unsigned char *head, size_t size);

/* What is left over between two pieces of a text. */
typedef struct spf_utf16 {
    const char *name; /* of the file, for messages */
    int big_endian;
    unsigned odd;   /* 256 + a byte that waits for the second one of its unit; 0 for none */
    unsigned first; /* of a surrogate pair, which waits for the second; 0 for none */
    size_t lines;   /* line ends so far */
    size_t units;   /* 16-bit units so far */
} spf_utf16;

/* Bytes that come out of `size` that go in, at most. */
static inline size_t spf_utf16_room(size_t size) {
    return size / 2 * 3 + 8;
}

/* Converts the next piece; a byte order mark in front is left out. */
sporf_status spf_utf16_convert(spf_utf16 *text, const unsigned char *bytes, size_t size,
                               unsigned char *out, size_t *used);

/* To be called at the end: raises SPORF_ERROR_DATA where half a character is left. */
sporf_status spf_utf16_finish(const spf_utf16 *text);

#endif
