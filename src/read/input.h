/* The bytes of a file or pipe, in order, unpacked where gzip packed them and made UTF-8 where they
 * are text in UTF-16. */
#ifndef SPF_READ_INPUT_H
#define SPF_READ_INPUT_H

#include "base/file_mark.h"
#include "read/gunzip.h"
#include "read/utf16.h"

typedef struct spf_input {
    const char *name; /* for messages */
    int file;
    int is_standard;      /* standard input, which stays open */
    int plain;            /* a file on disk whose bytes are handed on as they are */
    spf_file_mark mark;   /* of the file when it was opened */
    uint64_t size;        /* of the file on disk, packed or not; 0 where nobody knows */
    uint64_t read;        /* of it so far */
    unsigned char *ahead; /* bytes begin .. end-1 were read and not yet handed on */
    size_t begin, end;    /* in ahead */
    spf_gunzip *unpacker; /* NULL where nothing is packed */
    int between_members;  /* the unpacker has finished one and not started another */
    unsigned char head[SPF_UTF16_HEAD]; /* the first bytes, unpacked, that are not yet handed on */
    size_t head_begin, head_end;        /* in head */
    spf_utf16 wide;                     /* where text is in UTF-16 */
    unsigned char *text;                /* such text as UTF-8; NULL for any other */
    size_t text_begin, text_end;        /* in text: not yet handed on */
} spf_input;

/* Opens a file ("-": standard input); spf_input_close afterwards, also on failure. The path must
 * outlive the input. */
sporf_status spf_input_open(const char *path, spf_input *input);

/* Puts at least one byte and at most room > 0 of them into out; none only at the end. A file that
 * somebody else changed meanwhile is an error. */
sporf_status spf_input_read(spf_input *input, unsigned char *out, size_t room, size_t *got);

/* The same for a plain input from any place, all bytes or an error; reading in order goes on where
 * it was. */
sporf_status spf_input_read_at(const spf_input *input, uint64_t from, unsigned char *out,
                               size_t size);

/* Whether bytes, or the end, can be read without waiting longer than that. */
int spf_input_ready(const spf_input *input, int milliseconds);

/* Reads what is left of packed bytes, whose checksum comes last, and lets it go: an error tells
 * that they are damaged, and those before may be wrong, too. Does not wait for a pipe that pauses.
 */
sporf_status spf_input_verify(spf_input *input);

void spf_input_close(spf_input *input);

#endif
