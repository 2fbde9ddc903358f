/* Bytes at hand: regular files mapped, all else read piece by piece into a block that is emptied
 * from the front. Each way closes them with a NUL, so that scanners need not look where the end is
 * at every byte. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "data/window.h"

#include "data/text.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { READ_BYTES = 1 << 20 };

/* Maps a regular file of size > 0 over the start of zero pages, one more than it needs. Leaves the
 * window without bytes where the system cannot. */
static void map_file(spf_window *window) {
    spf_source *source = &window->source;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (window->input.size > PTRDIFF_MAX - 2 * page) return;
    size_t size = (size_t)window->input.size;
    size_t whole = (size + page - 1) / page * page + page;
    void *area = mmap(NULL, whole, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (area == MAP_FAILED) return;
    if (mmap(area, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, window->input.file, 0) == MAP_FAILED) {
        munmap(area, whole);
        return;
    }
    source->mapped = area;
    source->mapped_size = whole;
    source->bytes = area;
    source->size = size;
    window->complete = 1;
}

sporf_status spf_window_open(const char *path, uint64_t max_memory, spf_window *window) {
    *window = (spf_window){.limit = spf_memory_limit(max_memory)};
    sporf_status status = spf_input_open(path, &window->input);
    window->source.name = window->input.name;
    if (status == SPORF_OK && window->input.mappable) map_file(window);
    return status;
}

/* Asks the system to have these bytes of a mapped file ready. */
static void announce(const spf_window *window, size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), left = spf_window_left(window);
    size_t begin = window->at / page * page, end = window->at + (bytes < left ? bytes : left);
    if (begin < end) madvise((char *)window->source.mapped + begin, end - begin, MADV_WILLNEED);
}

static void drop_used(spf_window *window) {
    if (window->at == 0) return;
    window->source.size -= window->at;
    memmove(window->source.owned, spf_window_begin(window), window->source.size);
    window->at = 0;
}

/* Reads up to `bytes` more, and a NUL behind them. */
static sporf_status read_more(spf_window *window, size_t bytes) {
    spf_source *source = &window->source;
    char limit[SPF_BYTES_TEXT_MAX];
    size_t got = 0;
    if (source->size > window->limit)
        return spf_raise(SPORF_ERROR_MEMORY,
                         "%s: what it holds, unpacked, is more than the memory allowed, %s",
                         source->name, spf_bytes_text(window->limit, limit));
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

sporf_status spf_window_need(spf_window *window, size_t bytes) {
    if (window->source.mapped) announce(window, bytes);
    if (window->complete || spf_window_left(window) >= bytes) return SPORF_OK;
    drop_used(window);
    while (!window->complete && window->source.size < bytes)
        SPF_TRY(read_more(window, bytes - window->source.size));
    return SPORF_OK;
}

sporf_status spf_window_need_all(spf_window *window) {
    if (window->source.mapped) announce(window, SIZE_MAX);
    while (!window->complete) SPF_TRY(read_more(window, READ_BYTES));
    return SPORF_OK;
}

void spf_window_use(spf_window *window, size_t bytes) {
    spf_source_release(&window->source, spf_window_begin(window), bytes);
    window->at += bytes;
}

void spf_window_progress(const spf_window *window, uint64_t *done, uint64_t *total) {
    *done = window->source.mapped ? window->at : window->input.read;
    *total = window->input.size;
}

void spf_window_close(spf_window *window) {
    spf_source_close(&window->source);
    spf_input_close(&window->input);
}
