/* Edit distances with insertions, deletions, changes and swaps. */
#include "base/spelling.h"

#include <string.h>

enum { WORD_MAX = 64 };

static size_t least_of(size_t a, size_t b) {
    return a < b ? a : b;
}

static char fold(char letter) {
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

/* Whether the two letters before these positions are equal but swapped. */
static int are_swapped(const char *a, const char *b) {
    return fold(a[-1]) == fold(b[-2]) && fold(a[-2]) == fold(b[-1]);
}

/* Edits from a to b: insertions, deletions, changes, swaps of neighbours; case is ignored. */
static size_t edit_distance(const char *a, size_t m, const char *b, size_t n) {
    size_t rows[3][WORD_MAX + 1];
    if (m > WORD_MAX || n > WORD_MAX) return SIZE_MAX;
    for (size_t j = 0; j <= n; j++) rows[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            row[j] = least_of(least_of(above[j], row[j - 1]) + 1,
                              above[j - 1] + (fold(a[i - 1]) != fold(b[j - 1])));
            if (i > 1 && j > 1 && are_swapped(a + i, b + j))
                row[j] = least_of(row[j], before[j - 2] + 1);
        }
    }
    return rows[m % 3][n];
}

/* Near: fewer edits than half of the letters, and at most one for each three, so that short words
 * are near to hardly any other. */
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
