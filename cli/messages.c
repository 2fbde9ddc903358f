/* The library calls options by their names in its table, and other programs rewrite them in their
 * own way. A message about an option begins with its name; names that are joined by a dash are no
 * words of anything else and may be anywhere. */
#include "messages.h"

#include "sporf.h"

#include <stdio.h>
#include <string.h>

/* The option that text begins with as a whole word; "" for none. */
static const char *option_at(const char *text) {
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz-");
    if (text[length] != '\0' && !strchr(" ,;:", text[length])) return "";
    for (size_t i = 0; sporf_option_at(i); i++) {
        const char *name = sporf_option_at(i)->name;
        if (strlen(name) == length && memcmp(name, text, length) == 0) return name;
    }
    return "";
}

static int says_something(const char *text) {
    static const char *const verbs[] = {" is ", " must ", " comes ", " names ", " has no value"};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strncmp(text, verbs[i], strlen(verbs[i])) == 0) return 1;
    return 0;
}

void message_options(char *buffer, size_t size, const char *message) {
    size_t used = 0;
    for (const char *p = message; *p && used + 1 < size;) {
        const char *name = p == message || p[-1] == ' ' ? option_at(p) : "";
        size_t length = strlen(name);
        int meant = strchr(name, '-') || (p == message && says_something(p + length));
        if (length == 0 || !meant || used + length + 3 > size) {
            buffer[used++] = *p++;
            continue;
        }
        used += (size_t)snprintf(buffer + used, size - used, "--%s", name);
        p += length;
    }
    buffer[used] = '\0';
}
