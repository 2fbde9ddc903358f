/* Units at the end of names. */
#include "read/units.h"

#include <string.h>

/* The start of a unit in brackets at the end of a name; the name's end if there is none. */
static const char *unit_of(const char *name, size_t length) {
    const char *end = name + length, *open = end;
    if (length == 0 || end[-1] != ']') return end;
    while (open > name && *open != '[') open--;
    return open > name ? open : end;
}

size_t spf_base_length(const char *name, size_t length) {
    const char *end = unit_of(name, length);
    while (end > name && end[-1] == ' ') end--;
    return (size_t)(end - name);
}

int spf_units_differ(const char *one, const char *other) {
    const char *a = unit_of(one, strlen(one)), *b = unit_of(other, strlen(other));
    return *a && *b && strcmp(a, b) != 0;
}

int spf_means_name(const char *text, size_t length, const char *name) {
    size_t other = strlen(name), base = spf_base_length(text, length);
    size_t bare = spf_base_length(name, other);
    if (base != bare || memcmp(text, name, base) != 0) return 0;
    return base == length || bare == other || (length == other && memcmp(text, name, length) == 0);
}
