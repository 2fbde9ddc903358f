/* The bytes of a whole file in memory, and the memory limit for them and the table made of them. */
#include "read/reader.h"

#include "base/machine_memory.h"
#include "base/text.h"
#include "read/original.h"
#include "read/window.h"

#include <stdlib.h>
#include <string.h>

/* Which limit applies, for messages. */
static const char *limit_reason(uint64_t max_memory) {
    return max_memory ? "that " SPF_OPTION("max-memory") " allows" : "of memory there is here";
}

static sporf_status raise_limit(const char *name, uint64_t bytes, uint64_t max_memory) {
    char need[SPF_BYTES_TEXT_MAX], limit[SPF_BYTES_TEXT_MAX];
    return spf_raise(SPORF_ERROR_MEMORY, SPF_FILE ": the file takes %s, more than the %s %s", name,
                     spf_bytes_text(bytes, need),
                     spf_bytes_text(spf_memory_limit(max_memory), limit), limit_reason(max_memory));
}

static sporf_status read_from_disk(spf_input *input, uint64_t max_memory, spf_source *source) {
    if (input->size > spf_memory_limit(max_memory))
        return raise_limit(input->name, input->size, max_memory);
    SPF_TRY(spf_original_read(input, &source->original));
    source->name = source->original->input.name;
    source->bytes = source->original->pages;
    source->size = source->original->size;
    return SPORF_OK;
}

sporf_status spf_source_open(const char *path, uint64_t max_memory, spf_source *source) {
    spf_window window;
    *source = (spf_source){0};
    sporf_status status = spf_window_open(path, max_memory, &window);
    if (status == SPORF_OK && window.input.plain) {
        status = read_from_disk(&window.input, max_memory, source);
    } else if (status == SPORF_OK) {
        status = spf_window_need_all(&window);
        if (status == SPORF_OK) *source = window.source;
        if (status == SPORF_OK) window.source = (spf_source){0};
    }
    spf_window_close(&window);
    return status;
}

void spf_source_close(spf_source *source) {
    free(source->owned);
    spf_original_free(source->original);
    *source = (spf_source){0};
}

void spf_source_release(const spf_source *source, const void *begin, size_t size) {
    if (source && source->original) spf_original_release(source->original, begin, size);
}

sporf_status spf_source_restore(const spf_source *source) {
    return source && source->original ? spf_original_restore(source->original) : SPORF_OK;
}

size_t spf_source_line(const spf_source *source, char line_end, const char *at, const char **name) {
    size_t line = source->lines + 1, offset = (size_t)(at - source->bytes);
    const char *p = source->bytes;
    *name = source->name;
    for (size_t i = 0; i < source->parts_count && source->parts[i].begin <= offset; i++) {
        p = source->bytes + source->parts[i].begin;
        line = source->parts[i].lines + 1;
        *name = source->parts[i].name;
    }
    for (; (p = memchr(p, line_end, (size_t)(at - p))); p++) line++;
    return line;
}

static uint64_t add(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t bytes_held(const spf_source *source) {
    return source->owned || source->original ? source->size : 0;
}

sporf_status spf_source_check_memory(const spf_source *source, size_t rows, size_t features,
                                     uint64_t beside, uint64_t max_memory) {
    char need[SPF_BYTES_TEXT_MAX], limit[SPF_BYTES_TEXT_MAX];
    uint64_t allowed = spf_memory_limit(max_memory), held = bytes_held(source);
    uint64_t bytes = add(add(spf_dataset_bytes(rows, features), beside), held);
    if (bytes <= allowed) return SPORF_OK;
    return spf_raise(SPORF_ERROR_MEMORY,
                     SPF_FILE ": %zu rows x %zu features take %s%s, more than the %s %s",
                     source->name, rows, features, spf_bytes_text(bytes, need),
                     held > 0 ? " with the file itself" : "", spf_bytes_text(allowed, limit),
                     limit_reason(max_memory));
}

sporf_status spf_source_check_table(const spf_source *source, size_t rows, size_t features,
                                    uint64_t max_memory) {
    return spf_source_check_memory(source, rows, features, 0, max_memory);
}

uint64_t spf_source_memory_left(const spf_source *source, size_t rows, size_t features,
                                uint64_t max_memory) {
    uint64_t allowed = spf_memory_limit(max_memory);
    uint64_t used = add(spf_dataset_bytes(rows, features), bytes_held(source));
    return used < allowed ? allowed - used : 0;
}

sporf_status spf_source_raise_texts(const spf_source *source, uint64_t max_memory) {
    char limit[SPF_BYTES_TEXT_MAX];
    return spf_raise(SPORF_ERROR_MEMORY,
                     SPF_FILE
                     ": its different texts take, with the table, more than the %s %s" SPF_HINT
                     "leave out columns of texts that are all different (" SPF_OPTION("ignore") ")",
                     source->name, spf_bytes_text(spf_memory_limit(max_memory), limit),
                     limit_reason(max_memory));
}
