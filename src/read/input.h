/* The bytes of a file or pipe in order: gzip is unpacked, and UTF-16 converted to UTF-8. */
#ifndef SPF_READ_INPUT_H
#define SPF_READ_INPUT_H

#include "base/file_mark.h"
#include "read/gunzip.h"
#include "read/utf16.h"

typedef struct spf_input {
    const char *name; /* for messages */
    int file;
    int is_standard;      /* standard input, which stays open */
    int plain;            /* a file on disk whose bytes are returned as they are */
    spf_file_mark mark;   /* of the file when it was opened */
    uint64_t size;        /* of the file on disk, packed or not; 0 if unknown */
    uint64_t read;        /* bytes of it read so far */
    unsigned char *ahead; /* buffer: bytes begin .. end-1 were read and not yet returned */
    size_t begin, end;    /* in ahead */
    spf_gunzip *unpacker; /* NULL if nothing is packed */
    int between_members;  /* one member is finished and the next not started */
    unsigned char head[SPF_UTF16_HEAD]; /* the first bytes, unpacked, not yet returned */
    size_t head_begin, head_end;        /* in head */
    spf_utf16 wide;                     /* if the text is UTF-16 */
    unsigned char *text;                /* that text in UTF-8; NULL for any other */
    size_t text_begin, text_end;        /* in text: not yet returned */
} spf_input;

/* Opens a file ("-": standard input); spf_input_close afterwards, also on failure. The path must
 * outlive the input. */
sporf_status spf_input_open(const char *path, spf_input *input);

/* Puts between one and room > 0 bytes into out; none only at the end. A file that was changed
 * meanwhile is an error. */
sporf_status spf_input_read(spf_input *input, unsigned char *out, size_t room, size_t *got);

/* Reads all of `size` bytes at an offset of a plain input, or fails; the position of spf_input_read
 * does not change. */
sporf_status spf_input_read_at(const spf_input *input, uint64_t from, unsigned char *out,
                               size_t size);

/* Whether bytes, or the end, can be read within that time. */
int spf_input_ready(const spf_input *input, int milliseconds);

/* Reads the rest of packed bytes, whose checksum comes last, and drops it. An error means that the
 * file is damaged and that earlier bytes may be wrong, too. Does not wait for a paused pipe. */
sporf_status spf_input_verify(spf_input *input);

void spf_input_close(spf_input *input);

#endif
