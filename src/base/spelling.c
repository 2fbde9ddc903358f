/* Edit distances with insertions, deletions and changes. */
#include "base/spelling.h"

#include <string.h>

enum { LENGTH_MAX = 32, NAMES_MAX = 10000 }; /* beyond these nobody is helped by a guess */

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t distance(const char *a, size_t a_length, const char *b) {
    size_t b_length = strlen(b), row[LENGTH_MAX + 1];
    if (a_length > LENGTH_MAX || b_length > LENGTH_MAX) return SIZE_MAX;
    for (size_t j = 0; j <= b_length; j++) row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t change = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = smaller(change, 1 + smaller(row[j], row[j - 1]));
        }
    }
    return row[b_length];
}

const char *spf_nearest_name(const char *word, size_t length, const spf_strings *names) {
    const char *nearest = NULL;
    size_t least = 2 + length / 4; /* so many edits are too many */
    for (size_t i = 0; i < names->count && i < NAMES_MAX; i++) {
        size_t edits = distance(word, length, spf_strings_at(names, i));
        if (edits >= least) continue;
        least = edits;
        nearest = spf_strings_at(names, i);
    }
    return nearest;
}
