/* A part of a file's bytes in memory that moves along the file: for reading what is larger than
 * memory. As much is held as is asked for. Nothing is mapped: a file that becomes shorter while it
 * is read gives an error, not a signal. */
#ifndef SPF_READ_WINDOW_H
#define SPF_READ_WINDOW_H

#include "read/input.h"
#include "read/reader.h"

typedef struct spf_window {
    spf_source source; /* the bytes at hand */
    size_t at;         /* those before it have been used */
    int complete;      /* whether the bytes at hand reach to the end of the file */
    spf_input input;
    size_t capacity; /* of source.owned */
    uint64_t limit;  /* of bytes to hold */
} spf_window;

/* Opens a file ("-": standard input) with nothing at hand; spf_window_close afterwards, also on
 * failure. Bytes that are held count against max_memory, 0 for no limit. The path must outlive the
 * window. */
sporf_status spf_window_open(const char *path, uint64_t max_memory, spf_window *window);

/* Brings at hand at least `bytes` > 0 that are not yet used, or all there are. This may move the
 * bytes at hand, and drops those used. */
sporf_status spf_window_need(spf_window *window, size_t bytes);
sporf_status spf_window_need_all(spf_window *window);

/* The same for at least `least` and at most `most` bytes: of a pipe that pauses, those that have
 * come. */
sporf_status spf_window_gather(spf_window *window, size_t least, size_t most);

/* What is at hand and not yet used. */
static inline const char *spf_window_begin(const spf_window *window) {
    return window->source.bytes + window->at;
}
static inline size_t spf_window_left(const spf_window *window) {
    return window->source.size - window->at;
}

/* Tells that bytes at hand have been used. */
void spf_window_use(spf_window *window, size_t bytes);

/* How many bytes of the file have been read, of how many; 0 where nobody knows. */
void spf_window_progress(const spf_window *window, uint64_t *done, uint64_t *total);

void spf_window_close(spf_window *window);

#endif
