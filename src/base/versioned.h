/* Structs that programs compiled against an older or newer header share with the library. Their
 * first member is a size_t struct_size: how much of the struct both sides know. */
#ifndef SPF_BASE_VERSIONED_H
#define SPF_BASE_VERSIONED_H

#include "base/error.h"

/* Fills a caller's struct of their_size bytes with defaults of own_size bytes, as far as both
 * reach. */
void spf_versioned_fill(void *theirs, size_t their_size, const void *defaults, size_t own_size);

/* Copies a caller's struct over *own, which holds the defaults; NULL changes nothing. A struct that
 * its init function, named `init`, has not filled is an error. */
sporf_status spf_versioned_read(const void *theirs, void *own, size_t own_size, const char *init);

/* Copies a struct of the library back to the caller's, which keeps its struct_size. */
void spf_versioned_write(const void *own, void *theirs);

#endif
