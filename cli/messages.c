/* The library names options by name and returns messages in parts; here options become what has to
 * be typed, with values quoted for the shell. */
#include "messages.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    char *out;
    size_t used;
} message;

static void put(message *m, const char *text) {
    size_t length = strlen(text), room = MESSAGE_MAX - 1 - m->used;
    if (length > room) length = room;
    memcpy(m->out + m->used, text, length);
    m->used += length;
    m->out[m->used] = '\0';
}

static void put_value(message *m, const char *value) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./,:=+%@-";
    if (*value && value[strspn(value, plain)] == '\0') {
        put(m, value);
        return;
    }
    put(m, "'");
    for (; *value; value++) put(m, *value == '\'' ? "'\\''" : (char[]){*value, '\0'});
    put(m, "'");
}

static void put_option(message *m, const sporf_part *part) {
    put(m, "--");
    put(m, part->text);
    if (!part->value) return;
    put(m, " ");
    put_value(m, part->value);
}

void message_words(const sporf_part *parts, size_t count, char out[MESSAGE_MAX]) {
    message m = {.out = out};
    char number[32];
    put(&m, "");
    for (size_t i = 0; i < count; i++) {
        const sporf_part *part = &parts[i];
        if (part->kind == SPORF_PART_OPTION) {
            put_option(&m, part);
            continue;
        }
        put(&m, part->text);
        snprintf(number, sizeof number, " %zu", part->number);
        if (part->number > 0) put(&m, number);
    }
}
