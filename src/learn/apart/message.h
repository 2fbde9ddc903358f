/* Messages between machines: numbers one after the other, as they are in memory. They come from
 * other processes, so a reader never reads behind their end. */
#ifndef SPF_LEARN_APART_MESSAGE_H
#define SPF_LEARN_APART_MESSAGE_H

#include "base/memory.h"

typedef struct spf_writer {
    unsigned char *bytes; /* freed by the owner */
    size_t size, capacity;
} spf_writer;

sporf_status spf_write(spf_writer *writer, const void *from, size_t size);
sporf_status spf_write_number(spf_writer *writer, uint32_t number);

typedef struct spf_reader {
    const unsigned char *at;
    size_t left;
} spf_reader;

/* Copies the next bytes; SPORF_ERROR_DATA if the message ends before. */
sporf_status spf_read(spf_reader *reader, void *to, size_t size);
sporf_status spf_read_number(spf_reader *reader, uint32_t *number);

/* The next `count` elements, as bytes that need not be aligned. */
sporf_status spf_read_in_place(spf_reader *reader, size_t count, size_t size,
                               const unsigned char **bytes);

/* The next `count` elements in new memory. */
sporf_status spf_read_array(spf_reader *reader, size_t count, size_t size, void *to);

/* A message that is not what was expected. */
sporf_status spf_raise_message(void);

#endif
