/* A mark is \1, a letter for its kind, its content, and \2. The content of an option or a numbered
 * thing is a name, '=' and the rest. */
#include "base/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN = '\1', CLOSE = '\2', HINT = '\3' };

/* Cuts the text at its first '=' and returns the rest; NULL without one. */
static char *cut_value(char *text) {
    char *equals = strchr(text, '=');
    if (!equals) return NULL;
    *equals = '\0';
    return equals + 1;
}

static sporf_part counted(sporf_part_kind kind, const char *noun, const char *number) {
    return (sporf_part){.kind = kind, .text = noun, .number = strtoul(number, NULL, 10)};
}

/* The part of a mark that holds `text`; one of kind SPORF_PART_TEXT if there is no such mark. */
static sporf_part part_of(char letter, char *text) {
    char *value;
    switch (letter) {
    case 'o':
        value = cut_value(text);
        return (sporf_part){.kind = SPORF_PART_OPTION, .text = text, .value = value};
    case ',':
        return (sporf_part){.kind = SPORF_PART_CELL, .text = ", "};
    case 'f':
        return (sporf_part){.kind = SPORF_PART_FILE, .text = text};
    case 'l':
        return counted(SPORF_PART_LINE, "line", text);
    case 'r':
        return counted(SPORF_PART_ROW, "row", text);
    case 'c':
        return counted(SPORF_PART_COLUMN, "column", text);
    case 'n':
        value = cut_value(text);
        return counted(SPORF_PART_NUMBERED, text, value ? value : "");
    default:
        return (sporf_part){.kind = SPORF_PART_TEXT, .text = text};
    }
}

static int is_mark(const char *p) {
    const char *close = *p == OPEN ? strchr(p, CLOSE) : NULL;
    return close && close > p + 1;
}

static char *text_end(char *p) {
    for (p++; *p && *p != HINT && !is_mark(p);) p++;
    return p;
}

/* The next part at *p, which moves behind it; its mark bytes are overwritten with NULs. */
static sporf_part next_part(char **p) {
    char *begin = *p, *close = is_mark(begin) ? strchr(begin, CLOSE) : NULL;
    if (close) {
        *p = close + 1;
        *begin = *close = '\0';
        return part_of(begin[1], begin + 2);
    }
    if (*begin == HINT) {
        *p = begin + 1;
        *begin = '\0';
        return (sporf_part){.kind = SPORF_PART_HINT, .text = "; "};
    }
    *p = text_end(begin);
    return (sporf_part){.kind = SPORF_PART_TEXT, .text = begin};
}

size_t spf_message_split(char *text, sporf_part parts[SPF_PARTS_MAX]) {
    size_t count = 0;
    while (*text && count < SPF_PARTS_MAX) parts[count++] = next_part(&text);
    *text = '\0';
    return count;
}

/* Returns what snprintf does. */
static int put_part(const sporf_part *part, char *out, size_t size) {
    switch (part->kind) {
    case SPORF_PART_OPTION:
        return part->value ? snprintf(out, size, "%s '%s'", part->text, part->value)
                           : snprintf(out, size, "%s", part->text);
    case SPORF_PART_LINE:
    case SPORF_PART_ROW:
    case SPORF_PART_COLUMN:
    case SPORF_PART_NUMBERED:
        return snprintf(out, size, "%s %zu", part->text, part->number);
    default:
        return snprintf(out, size, "%s", part->text);
    }
}

void spf_message_plain(const sporf_part *parts, size_t count, char *out, size_t size) {
    size_t used = 0;
    *out = '\0';
    for (size_t i = 0; i < count && used < size; i++)
        used += (size_t)put_part(&parts[i], out + used, size - used);
}
