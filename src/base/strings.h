/* A list of strings in one block, such as the names of features and classes; model files store the
 * same bytes. */
#ifndef SPF_BASE_STRINGS_H
#define SPF_BASE_STRINGS_H

#include "base/memory.h"

/* String i is bytes + offsets[i], with a NUL; offsets[count] is the length of all. */
typedef struct spf_strings {
    size_t count;
    char *bytes;
    uint64_t *offsets; /* [count + 1]; NULL while empty */
    size_t bytes_capacity, offsets_capacity;
} spf_strings;

sporf_status spf_strings_add(spf_strings *list, const char *text, size_t length);
sporf_status spf_strings_copy(const spf_strings *from, spf_strings *to);
void spf_strings_free(spf_strings *list);
/* Memory of a copy, at most. */
double spf_strings_bytes(const spf_strings *list);

/* The first index at which two lists differ, or at which the shorter one ends. */
size_t spf_strings_mismatch(const spf_strings *a, const spf_strings *b);
int spf_strings_equal(const spf_strings *a, const spf_strings *b);

/* The text after a name in a list of names and values; NULL if the name is not there. */
const char *spf_strings_value(const spf_strings *list, const char *name);

static inline const char *spf_strings_at(const spf_strings *list, size_t index) {
    return list->bytes + list->offsets[index];
}

static inline size_t spf_strings_length(const spf_strings *list, size_t index) {
    return (size_t)(list->offsets[index + 1] - list->offsets[index]) - 1;
}

#endif
