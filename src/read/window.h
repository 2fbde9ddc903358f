/* A buffer that moves along a file, for files larger than memory. It holds as much as is asked for.
 * Nothing is mapped: a file that shrinks while it is read gives an error, not a signal. */
#ifndef SPF_READ_WINDOW_H
#define SPF_READ_WINDOW_H

#include "read/input.h"
#include "read/reader.h"

typedef struct spf_window {
    spf_source source; /* the bytes in memory */
    size_t at;         /* bytes before it have been used */
    int complete;      /* the bytes reach the end of the file */
    spf_input input;
    size_t capacity; /* of source.owned */
    uint64_t limit;  /* of the bytes held */
} spf_window;

/* Opens a file ("-": standard input) without reading; spf_window_close afterwards, also on failure.
 * The bytes held count against max_memory (0: the memory of the machine). The path must outlive the
 * window. */
sporf_status spf_window_open(const char *path, uint64_t max_memory, spf_window *window);

/* Makes at least `bytes` > 0 unused bytes available, or all that are left. May move bytes, and
 * drops used ones. */
sporf_status spf_window_need(spf_window *window, size_t bytes);
sporf_status spf_window_need_all(spf_window *window);

/* The same for at least `least` and at most `most` bytes: if a pipe pauses, those that have
 * come. */
sporf_status spf_window_gather(spf_window *window, size_t least, size_t most);

/* The unused bytes. */
static inline const char *spf_window_begin(const spf_window *window) {
    return window->source.bytes + window->at;
}
static inline size_t spf_window_left(const spf_window *window) {
    return window->source.size - window->at;
}

/* Marks bytes as used. */
void spf_window_use(spf_window *window, size_t bytes);

/* How many bytes of the file have been read, and the total; 0 if unknown. */
void spf_window_progress(const spf_window *window, uint64_t *done, uint64_t *total);

void spf_window_close(spf_window *window);

#endif
