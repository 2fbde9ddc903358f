/* A plain file on disk, read into pages as a whole, that can be read again. */
#ifndef SPF_READ_ORIGINAL_H
#define SPF_READ_ORIGINAL_H

#include "read/input.h"

#include <stdatomic.h>

typedef struct spf_original {
    spf_input input; /* open */
    char *pages;     /* the bytes of the file, followed by at least one NUL */
    size_t size, pages_size;
    atomic_int released; /* some pages were given back */
} spf_original;

/* Takes over a plain input. On failure *original stays NULL and the input stays the caller's. */
sporf_status spf_original_read(spf_input *input, spf_original **original);
void spf_original_free(spf_original *original);

void spf_original_release(spf_original *original, const void *begin, size_t size);
sporf_status spf_original_restore(spf_original *original);

#endif
