/* A text is taken apart into what stands before a number, the number, and what stands after it. */
#include "data/measure.h"

#include "data/number.h"

#include <ctype.h>
#include <string.h>

enum { TEXTS_MIN = 3, UNIT_MAX = 12 };

typedef struct {
    const char *before, *after;
    size_t before_length, after_length;
} surroundings;

static int is_foreign(char byte) { /* a part of a letter or sign beyond ASCII */
    return (unsigned char)byte >= 0x80;
}

/* Whether a text is a number with a sign before it, or a sign or unit after it. */
static int take_apart(const char *text, surroundings *found) {
    const char *p = text;
    while (*p == '$' || is_foreign(*p)) p++;
    *found = (surroundings){.before = text, .before_length = (size_t)(p - text)};
    while (*p == ' ') p++;
    if (*p == '-' || *p == '+') p++;
    if (!spf_is_digit(*p)) return 0;
    p += strspn(p, "0123456789.,");
    while (*p == ' ') p++;
    found->after = p;
    found->after_length = strlen(p);
    if (*p == '\0') return found->before_length > 0;
    return found->after_length <= UNIT_MAX &&
           (strchr("%$", *p) || isalpha((unsigned char)*p) || is_foreign(*p));
}

static int are_equal(const surroundings *a, const surroundings *b) {
    return a->before_length == b->before_length && a->after_length == b->after_length &&
           memcmp(a->before, b->before, a->before_length) == 0 &&
           memcmp(a->after, b->after, a->after_length) == 0;
}

const char *spf_find_measure(const spf_strings *texts) {
    surroundings first = {0}, other;
    const char *measure = NULL;
    size_t count = 0;
    for (size_t i = 0; i < texts->count; i++) {
        const char *text = spf_strings_at(texts, i);
        if (!take_apart(text, &other)) continue;
        if (!measure) first = other;
        if (!measure) measure = text;
        count += (size_t)are_equal(&first, &other);
    }
    return count >= TEXTS_MIN && count * 10 >= texts->count * 9 ? measure : NULL;
}
