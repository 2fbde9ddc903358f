/* Edit distances with insertions, deletions and changes. */
#include "base/spelling.h"

#include <string.h>

enum { WORD_MAX = 64 };

static size_t least_of(size_t a, size_t b) {
    return a < b ? a : b;
}

static char fold(char letter) {
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

/* Edits from a to b: insertions, deletions, changes; capitals are no other letters. */
static size_t edit_distance(const char *a, size_t m, const char *b, size_t n) {
    size_t row[WORD_MAX + 1];
    if (m > WORD_MAX || n > WORD_MAX) return SIZE_MAX;
    for (size_t j = 0; j <= n; j++) row[j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t above = row[j];
            row[j] = least_of(least_of(above, row[j - 1]) + 1,
                              corner + (fold(a[i - 1]) != fold(b[j - 1])));
            corner = above;
        }
    }
    return row[n];
}

/* Fewer edits than half of the letters, and one for each three: short words are near to hardly any
 * other. */
static int is_near(size_t distance, size_t length, size_t other) {
    size_t longer = length > other ? length : other;
    return distance == 0 || (2 * distance < longer && distance <= 1 + length / 3);
}

const char *spf_nearest_name(const char *word, size_t length, const spf_strings *names) {
    const char *nearest = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < names->count; i++) {
        const char *name = spf_strings_at(names, i);
        size_t other = strlen(name), apart = length > other ? length - other : other - length;
        if (!is_near(apart, length, other)) continue;
        size_t distance = edit_distance(word, length, name, other);
        if (distance < least && is_near(distance, length, other)) {
            least = distance;
            nearest = name;
        }
    }
    return nearest;
}
