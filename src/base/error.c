/* The thread-local error: its status and its message, which is marked (base/message.h). */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local sporf_status error_status;
static _Thread_local char error_text[SPF_ERROR_TEXT_MAX];
static _Thread_local unsigned raise_count;

sporf_status spf_raise(sporf_status code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error_text, sizeof error_text, format, arguments);
    va_end(arguments);
    error_status = code;
    raise_count++;
    return code;
}

unsigned spf_raise_count(void) {
    return raise_count;
}

const char *spf_error_marked(void) {
    return error_text;
}

sporf_status spf_raise_memory(void) {
    return spf_raise(SPORF_ERROR_MEMORY,
                     "out of memory" SPF_HINT "use fewer rows, trees or threads");
}

/* The first of each kind counts; options after the hint are advice. */
static void note_part(sporf_error *error, const sporf_part *part, int is_hint) {
    if (part->kind == SPORF_PART_FILE && !error->file) error->file = part->text;
    if (part->kind == SPORF_PART_LINE && error->line == 0) error->line = part->number;
    if (part->kind == SPORF_PART_ROW && error->row == 0) error->row = part->number;
    if (part->kind == SPORF_PART_COLUMN && error->column == 0) error->column = part->number;
    if (part->kind == SPORF_PART_OPTION && !error->option && !is_hint) error->option = part->text;
}

const sporf_error *sporf_error_details(void) {
    static _Thread_local sporf_error error;
    static _Thread_local sporf_part parts[SPF_PARTS_MAX];
    static _Thread_local char text[SPF_ERROR_TEXT_MAX];
    int is_hint = 0;
    memcpy(text, error_text, sizeof text);
    error = (sporf_error){
        .status = error_status, .parts = parts, .parts_count = spf_message_split(text, parts)};
    for (size_t i = 0; i < error.parts_count; i++) {
        is_hint |= parts[i].kind == SPORF_PART_HINT;
        note_part(&error, &parts[i], is_hint);
    }
    return &error;
}

const char *sporf_last_error(void) {
    static _Thread_local char plain[SPF_ERROR_TEXT_MAX];
    const sporf_error *error = sporf_error_details();
    spf_message_plain(error->parts, error->parts_count, plain, sizeof plain);
    return plain;
}

void spf_note(void (*note)(void *payload, const char *text), void *payload, const char *format,
              ...) {
    char text[SPF_ERROR_TEXT_MAX + 100]; /* an error, and words around it */
    va_list arguments;
    if (!note) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    note(payload, text);
}
