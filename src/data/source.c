/* A whole file's bytes in memory, and what they and the table made of them may take. */
#include "data/reader.h"

#include "data/text.h"
#include "data/window.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

uint64_t spf_memory_limit(uint64_t max_memory) {
    if (max_memory > 0) return max_memory;
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
}

sporf_status spf_source_open(const char *path, uint64_t max_memory, spf_source *source) {
    spf_window window;
    *source = (spf_source){0};
    sporf_status status = spf_window_open(path, max_memory, &window);
    if (status == SPORF_OK) status = spf_window_need_all(&window);
    if (status == SPORF_OK) {
        *source = window.source;
        window.source = (spf_source){0};
    }
    spf_window_close(&window);
    return status;
}

void spf_source_close(spf_source *source) {
    free(source->owned);
    if (source->mapped) munmap(source->mapped, source->mapped_size);
    *source = (spf_source){0};
}

void spf_source_release(const spf_source *source, const void *begin, size_t size) {
    if (!source || !source->mapped) return;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)begin + page - 1) / page * page;
    uintptr_t last = ((uintptr_t)begin + size) / page * page;
    if (first < last) madvise((void *)first, last - first, MADV_DONTNEED);
}

sporf_status spf_source_check_table(const spf_source *source, size_t rows, size_t features,
                                    uint64_t max_memory) {
    char need[SPF_BYTES_TEXT_MAX], limit[SPF_BYTES_TEXT_MAX];
    uint64_t allowed = spf_memory_limit(max_memory), held = source->owned ? source->size : 0;
    uint64_t bytes = spf_dataset_bytes(rows, features);
    if (bytes <= allowed && held <= allowed - bytes) return SPORF_OK;
    bytes = bytes > UINT64_MAX - held ? UINT64_MAX : bytes + held;
    return spf_raise(SPORF_ERROR_MEMORY,
                     "%s: %zu rows x %zu features take %s%s, more than the %s %s", source->name,
                     rows, features, spf_bytes_text(bytes, need),
                     held > 0 ? " with the unpacked file" : "", spf_bytes_text(allowed, limit),
                     max_memory ? "that max_memory allows" : "of memory in this machine");
}
