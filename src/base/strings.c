/* A list of strings in one block. */
#include "base/strings.h"

#include <stdlib.h>
#include <string.h>

sporf_status spf_strings_add(spf_strings *list, const char *text, size_t length) {
    size_t used = list->count ? (size_t)list->offsets[list->count] : 0;
    SPF_TRY(SPF_RESERVE(list->offsets, list->offsets_capacity, list->count + 2));
    SPF_TRY(SPF_RESERVE(list->bytes, list->bytes_capacity, used + length + 1));
    memcpy(list->bytes + used, text, length);
    list->bytes[used + length] = '\0';
    list->offsets[list->count] = used;
    list->count++;
    list->offsets[list->count] = used + length + 1;
    return SPORF_OK;
}

sporf_status spf_strings_copy(const spf_strings *from, spf_strings *to) {
    spf_strings copy = {0};
    for (size_t i = 0; i < from->count; i++) {
        const char *text = spf_strings_at(from, i);
        sporf_status status = spf_strings_add(&copy, text, strlen(text));
        if (status != SPORF_OK) {
            spf_strings_free(&copy);
            return status;
        }
    }
    *to = copy;
    return SPORF_OK;
}

void spf_strings_free(spf_strings *list) {
    free(list->bytes);
    free(list->offsets);
    *list = (spf_strings){0};
}

size_t spf_strings_mismatch(const spf_strings *a, const spf_strings *b) {
    size_t i = 0;
    while (i < a->count && i < b->count && strcmp(spf_strings_at(a, i), spf_strings_at(b, i)) == 0)
        i++;
    return i;
}

int spf_strings_equal(const spf_strings *a, const spf_strings *b) {
    return a->count == b->count && spf_strings_mismatch(a, b) == a->count;
}

double spf_strings_bytes(const spf_strings *list) {
    if (list->count == 0) return 0;
    double offsets = ((double)list->count + 1) * sizeof *list->offsets;
    return 2 * ((double)list->offsets[list->count] + offsets) + 2 * SPF_ALLOCATION_BYTES;
}

const char *spf_strings_value(const spf_strings *list, const char *name) {
    for (size_t i = 0; i + 1 < list->count; i += 2)
        if (strcmp(spf_strings_at(list, i), name) == 0) return spf_strings_at(list, i + 1);
    return NULL;
}
