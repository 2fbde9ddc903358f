/* Numbers to and from bytes. */
#include "learn/apart/message.h"

#include <string.h>

sporf_status spf_raise_message(void) {
    return spf_raise(SPORF_ERROR_DATA,
                     "a message between machines is damaged, or from another training" SPF_HINT
                     "is the same version of sporf installed on all of them?");
}

sporf_status spf_write(spf_writer *w, const void *from, size_t size) {
    SPF_TRY(SPF_RESERVE(w->bytes, w->capacity, w->size + size));
    if (size > 0) memcpy(w->bytes + w->size, from, size);
    w->size += size;
    return SPORF_OK;
}

sporf_status spf_write_number(spf_writer *w, uint32_t number) {
    return spf_write(w, &number, sizeof number);
}

sporf_status spf_read_in_place(spf_reader *r, size_t count, size_t size,
                               const unsigned char **bytes) {
    if (count > r->left / size) return spf_raise_message();
    *bytes = r->at;
    r->at += count * size;
    r->left -= count * size;
    return SPORF_OK;
}

sporf_status spf_read(spf_reader *r, void *to, size_t size) {
    const unsigned char *bytes = NULL;
    SPF_TRY(spf_read_in_place(r, size, 1, &bytes));
    if (size > 0) memcpy(to, bytes, size);
    return SPORF_OK;
}

sporf_status spf_read_number(spf_reader *r, uint32_t *number) {
    return spf_read(r, number, sizeof *number);
}

sporf_status spf_read_array(spf_reader *r, size_t count, size_t size, void *to) {
    const unsigned char *bytes = NULL;
    SPF_TRY(spf_read_in_place(r, count, size, &bytes));
    return spf_copy_array(bytes, count, size, to);
}
