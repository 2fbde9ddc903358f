/* Pages for the bytes of a file, mapped so that they can be given back one by one while the table
 * is made of them. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "read/original.h"

#include "base/memory.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t page_size(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

static sporf_status create(spf_input *input, spf_original **out) {
    size_t page = page_size();
    if (input->size > PTRDIFF_MAX - 2 * page) return spf_raise_memory();
    spf_original *original = spf_alloc_zero(1, sizeof *original);
    if (!original) return spf_raise_memory();
    original->size = (size_t)input->size;
    original->pages_size = original->size / page * page + page;
    void *pages = mmap(NULL, original->pages_size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
        free(original);
        return spf_raise_memory();
    }
#ifdef MADV_HUGEPAGE
    madvise(pages, original->pages_size, MADV_HUGEPAGE); /* only advice: failure is harmless */
#endif
    original->pages = pages;
    original->input = *input;
    *input = (spf_input){.file = -1};
    *out = original;
    return SPORF_OK;
}

static sporf_status read_all(spf_original *original) {
    return spf_input_read_at(&original->input, 0, (unsigned char *)original->pages, original->size);
}

sporf_status spf_original_read(spf_input *input, spf_original **out) {
    SPF_TRY(create(input, out));
    sporf_status status = read_all(*out);
    if (status == SPORF_OK) return status;
    spf_original_free(*out);
    *out = NULL;
    return status;
}

void spf_original_free(spf_original *original) {
    if (!original) return;
    munmap(original->pages, original->pages_size);
    spf_input_close(&original->input);
    free(original);
}

void spf_original_release(spf_original *original, const void *begin, size_t size) {
    uintptr_t page = page_size();
    uintptr_t first = ((uintptr_t)begin + page - 1) / page * page;
    uintptr_t last = ((uintptr_t)begin + size) / page * page;
    if (first >= last) return;
    atomic_store(&original->released, 1);
    madvise((void *)first, last - first, MADV_DONTNEED);
}

sporf_status spf_original_restore(spf_original *original) {
    if (!atomic_load(&original->released)) return SPORF_OK;
    SPF_TRY(read_all(original));
    atomic_store(&original->released, 0);
    return SPORF_OK;
}
