/* Notes on a table: what a program should report to its user about columns. */
#ifndef SPF_DATA_NOTES_H
#define SPF_DATA_NOTES_H

#include "base/memory.h"

typedef struct spf_notes {
    sporf_note *items;
    size_t count, capacity;
} spf_notes;

/* Adds a note on a column (NULL: the whole table). The text is marked as errors are
 * (base/message.h). */
sporf_status spf_notes_add(spf_notes *notes, sporf_note_kind kind, const char *column,
                           const char *format, ...) __attribute__((format(SPF_PRINTF, 4, 5)));

/* Adds the note that a column is left out, with the reason and its text. */
sporf_status spf_notes_leave_out(spf_notes *notes, sporf_left_out reason, const char *column,
                                 const char *words);

/* Copies a note of another list, or all of them. */
sporf_status spf_notes_repeat(const sporf_note *note, spf_notes *to);
sporf_status spf_notes_copy(const spf_notes *from, spf_notes *to);

/* The text of a note with its marks. */
const char *spf_note_marked(const sporf_note *note);

void spf_notes_free(spf_notes *notes);

#endif
