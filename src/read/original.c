/* Pages for the bytes of a file, mapped so that they can be given back one by one while the table
 * is made of them. */
#include "read/original.h"

#include "base/memory.h"
#include "base/system.h"

#include <stdlib.h>

static sporf_status create(spf_input *input, spf_original **out) {
    size_t page = spf_system_page_size();
    if (input->size > PTRDIFF_MAX - 2 * page) return spf_raise_memory();
    spf_original *original = spf_alloc_zero(1, sizeof *original);
    if (!original) return spf_raise_memory();
    original->size = (size_t)input->size;
    original->pages_size = original->size / page * page + page;
    original->pages = spf_system_pages(original->pages_size);
    if (!original->pages) {
        free(original);
        return spf_raise_memory();
    }
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
    spf_system_free_pages(original->pages, original->pages_size);
    spf_input_close(&original->input);
    free(original);
}

void spf_original_release(spf_original *original, const void *begin, size_t size) {
    uintptr_t page = spf_system_page_size();
    uintptr_t first = ((uintptr_t)begin + page - 1) / page * page;
    uintptr_t last = ((uintptr_t)begin + size) / page * page;
    if (first >= last) return;
    atomic_store(&original->released, 1);
    spf_system_release_pages((void *)first, last - first);
}

sporf_status spf_original_restore(spf_original *original) {
    if (!atomic_load(&original->released)) return SPORF_OK;
    SPF_TRY(read_all(original));
    atomic_store(&original->released, 0);
    return SPORF_OK;
}
