/* A note is one block: its parts, its marked text, the texts of its parts, the plain text and the
 * name of the column. */
#include "data/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTE_MAX = 640 };

/* Copies a text to *to, which moves behind it. */
static char *put_text(char **to, const char *text) {
    char *begin = *to;
    size_t size = strlen(text) + 1;
    memcpy(begin, text, size);
    *to += size;
    return begin;
}

static sporf_status make_note(const char *marked, const char *column, sporf_note *note) {
    sporf_part parts[SPF_PARTS_MAX];
    char text[NOTE_MAX], plain[NOTE_MAX];
    snprintf(text, sizeof text, "%s", marked);
    size_t count = spf_message_split(text, parts), bytes = count * sizeof *parts;
    spf_message_plain(parts, count, plain, sizeof plain);
    char *block = spf_alloc(bytes + 2 * (strlen(marked) + 1) + strlen(plain) + 1 +
                                (column ? strlen(column) + 1 : 0),
                            1),
         *end = block + bytes;
    if (!block) return spf_raise_memory();
    put_text(&end, marked);
    spf_message_split(put_text(&end, marked), parts);
    memcpy(block, parts, bytes);
    note->parts = (const sporf_part *)block;
    note->parts_count = count;
    note->text = put_text(&end, plain);
    note->column = column ? put_text(&end, column) : NULL;
    return SPORF_OK;
}

const char *spf_note_marked(const sporf_note *note) {
    return (const char *)(note->parts + note->parts_count);
}

static sporf_status add(spf_notes *notes, sporf_note note, const char *column, const char *marked) {
    SPF_TRY(SPF_RESERVE(notes->items, notes->capacity, notes->count + 1));
    SPF_TRY(make_note(marked, column, &note));
    notes->items[notes->count++] = note;
    return SPORF_OK;
}

sporf_status spf_notes_add(spf_notes *notes, sporf_note_kind kind, const char *column,
                           const char *format, ...) {
    char marked[NOTE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(marked, sizeof marked, format, arguments);
    va_end(arguments);
    return add(notes, (sporf_note){.kind = kind}, column, marked);
}

sporf_status spf_notes_leave_out(spf_notes *notes, sporf_left_out reason, const char *column,
                                 const char *words) {
    return add(notes, (sporf_note){.kind = SPORF_NOTE_LEFT_OUT, .left_out = reason}, column, words);
}

sporf_status spf_notes_repeat(const sporf_note *note, spf_notes *to) {
    return add(to, *note, note->column, spf_note_marked(note));
}

sporf_status spf_notes_copy(const spf_notes *from, spf_notes *to) {
    for (size_t i = 0; i < from->count; i++) SPF_TRY(spf_notes_repeat(&from->items[i], to));
    return SPORF_OK;
}

void spf_notes_free(spf_notes *notes) {
    for (size_t i = 0; i < notes->count; i++) free((void *)notes->items[i].parts);
    free(notes->items);
}
