/* Columns that are left out come before other notes. */
#include "column_notes.h"

#include "messages.h"
#include "out.h"

/* Whether note i is about a column that is left out; out becomes its text. */
static int read_note(const sporf_dataset *data, size_t i, char out[MESSAGE_MAX]) {
    const sporf_note *note = sporf_dataset_note(data, i);
    message_words(note->parts, note->parts_count, out);
    return note->kind == SPORF_NOTE_LEFT_OUT;
}

void column_notes(const char *verb, const sporf_dataset *data) {
    char text[MESSAGE_MAX];
    for (size_t i = 0; sporf_dataset_note(data, i); i++)
        if (read_note(data, i, text))
            out_error(verb, "column '%s' is left out: %s", sporf_dataset_note(data, i)->column,
                      text);
    for (size_t i = 0; sporf_dataset_note(data, i); i++)
        if (!read_note(data, i, text)) out_error(verb, "%s", text);
}

void column_notes_json(json *writer, const sporf_dataset *data) {
    char text[MESSAGE_MAX];
    json_list(writer, "left_out");
    for (size_t i = 0; sporf_dataset_note(data, i); i++) {
        if (!read_note(data, i, text)) continue;
        json_object(writer, NULL);
        json_line(writer);
        json_text(writer, "name", sporf_dataset_note(data, i)->column);
        json_text(writer, "reason", text);
        json_end(writer);
    }
    json_end(writer);
    json_list(writer, "notes");
    for (size_t i = 0; sporf_dataset_note(data, i); i++)
        if (!read_note(data, i, text)) json_text(writer, NULL, text);
    json_end(writer);
}

int column_notes_have(const sporf_dataset *data, sporf_left_out reason) {
    for (size_t i = 0; sporf_dataset_note(data, i); i++)
        if (sporf_dataset_note(data, i)->left_out == reason) return 1;
    return 0;
}
