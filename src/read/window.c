/* A buffer that is filled at the end and emptied from the front. A NUL follows the bytes, so that
 * scanners need not check for the end at every byte. */
#include "read/window.h"

#include "base/machine_memory.h"
#include "base/system.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    READ_BYTES = 1 << 20,
    PAUSE = 10,   /* a pipe pauses after so many milliseconds without a byte */
    PATIENCE = 50 /* how long rows of a pipe wait for more before they are answered */
};

sporf_status spf_window_open(const char *path, uint64_t max_memory, spf_window *window) {
    *window = (spf_window){.limit = spf_memory_limit(max_memory)};
    sporf_status status = spf_input_open(path, &window->input);
    window->source.name = window->input.name;
    return status;
}

/* Moves the unread bytes to the front, if no more bytes are moved than were used. */
static void drop_used(spf_window *window) {
    size_t left = spf_window_left(window);
    if (window->at == 0 || left > window->at) return;
    memmove(window->source.owned, spf_window_begin(window), left);
    window->source.size = left;
    window->at = 0;
}

/* Reads up to `bytes` more, and adds a NUL. */
static sporf_status read_more(spf_window *window, size_t bytes) {
    spf_source *source = &window->source;
    char limit[SPF_BYTES_TEXT_MAX];
    size_t got = 0;
    if (spf_window_left(window) > window->limit)
        return spf_raise(SPORF_ERROR_MEMORY,
                         SPF_FILE ": its contents%s take more than the memory allowed, %s",
                         source->name, window->input.unpacker ? ", unpacked," : "",
                         spf_bytes_text(window->limit, limit));
    SPF_TRY(spf_reserve(&source->owned, &window->capacity, source->size + bytes + 1, 1));
    unsigned char *end = (unsigned char *)source->owned + source->size;
    source->bytes = source->owned;
    *end = '\0';
    SPF_TRY(spf_input_read(&window->input, end, bytes, &got));
    end[got] = '\0';
    source->size += got;
    window->complete = got == 0;
    return SPORF_OK;
}

static int64_t clock_milliseconds(void) {
    return spf_system_clock() / 1000000;
}

/* Whether more comes before rows have waited too long. */
static int goes_on(const spf_window *window, int64_t *since) {
    if (window->input.mark.on_disk) return 1;
    int64_t now = clock_milliseconds();
    if (*since < 0) *since = now;
    int64_t left = *since + PATIENCE - now;
    return left > 0 && spf_input_ready(&window->input, left < PAUSE ? (int)left : PAUSE);
}

sporf_status spf_window_gather(spf_window *window, size_t least, size_t most) {
    int64_t since = -1;
    if (window->complete || spf_window_left(window) >= most) return SPORF_OK;
    drop_used(window);
    while (!window->complete && spf_window_left(window) < most) {
        if (spf_window_left(window) >= least && !goes_on(window, &since)) break;
        SPF_TRY(read_more(window, most - spf_window_left(window)));
    }
    return SPORF_OK;
}

sporf_status spf_window_need(spf_window *window, size_t bytes) {
    return spf_window_gather(window, bytes, bytes);
}

sporf_status spf_window_need_all(spf_window *window) {
    while (!window->complete) SPF_TRY(read_more(window, READ_BYTES));
    return SPORF_OK;
}

void spf_window_use(spf_window *window, size_t bytes) {
    window->at += bytes;
}

void spf_window_progress(const spf_window *window, uint64_t *done, uint64_t *total) {
    const spf_input *input = &window->input;
    *done = input->read;
    if (input->plain) *done -= input->end - input->begin + spf_window_left(window);
    *total = input->size;
}

void spf_window_close(spf_window *window) {
    free(window->source.owned);
    window->source = (spf_source){0};
    spf_input_close(&window->input);
}
