/* The bytes of a file or pipe, in order, unpacked where gzip packed them. */
#ifndef SPF_DATA_INPUT_H
#define SPF_DATA_INPUT_H

#include "data/gunzip.h"

typedef struct spf_input {
    const char *name; /* for messages */
    int file;
    int is_standard;      /* standard input, which stays open */
    int mappable;         /* a file on disk, not packed */
    uint64_t size;        /* of the file on disk, packed or not; 0 where nobody knows */
    uint64_t read;        /* of it so far */
    unsigned char *ahead; /* bytes begin .. end-1 were read and not yet handed on */
    size_t begin, end;    /* in ahead */
    spf_gunzip *unpacker; /* NULL where nothing is packed */
    int between_members;  /* the unpacker has finished one and not started another */
} spf_input;

/* Opens a file ("-": standard input); spf_input_close afterwards, also on failure. The path must
 * outlive the input. */
sporf_status spf_input_open(const char *path, spf_input *input);

/* Puts at least one byte and at most room > 0 of them into out; none only at the end. */
sporf_status spf_input_read(spf_input *input, unsigned char *out, size_t room, size_t *got);

void spf_input_close(spf_input *input);

#endif
