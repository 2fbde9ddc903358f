/* Structs of another version. */
#include "base/versioned.h"

#include <string.h>

static void set_size(void *object, size_t size) {
    memcpy(object, &size, sizeof size);
}

void sporf_init_sized(void *options, size_t struct_size) {
    memset(options, 0, struct_size);
    set_size(options, struct_size);
}

void spf_versioned_fill(void *theirs, size_t their_size, const void *defaults, size_t own_size) {
    size_t common = their_size < own_size ? their_size : own_size;
    memset(theirs, 0, their_size);
    memcpy(theirs, defaults, common);
    set_size(theirs, common);
}

sporf_status spf_versioned_read(const void *theirs, void *own, size_t own_size, const char *init) {
    size_t size;
    if (!theirs) return SPORF_OK;
    memcpy(&size, theirs, sizeof size);
    if (size < sizeof size)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "struct_size is %zu" SPF_HINT "fill the struct with %s first", size, init);
    if (size > own_size)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "struct_size is %zu, but this library knows %zu bytes: the program was "
                         "compiled for a newer one, or the struct was not filled" SPF_HINT
                         "fill the struct with %s, and run with that library",
                         size, own_size, init);
    memcpy(own, theirs, size);
    set_size(own, own_size);
    return SPORF_OK;
}

void spf_versioned_write(const void *own, void *theirs) {
    size_t size;
    memcpy(&size, theirs, sizeof size);
    memcpy((char *)theirs + sizeof size, (const char *)own + sizeof size, size - sizeof size);
}
