/* The notes on a table: those on columns that are left out, and the others. */
#ifndef TEST_NOTES_H
#define TEST_NOTES_H

#include "sporf.h"

/* The note of this index among those of one sort; one without words where there are fewer. */
static inline const sporf_note *note_of_sort(const sporf_dataset *data, int left_out,
                                             size_t index) {
    static const sporf_note none = {.column = "", .text = ""};
    for (size_t i = 0; sporf_dataset_note(data, i); i++) {
        const sporf_note *note = sporf_dataset_note(data, i);
        if ((note->kind == SPORF_NOTE_LEFT_OUT) == left_out && index-- == 0) return note;
    }
    return &none;
}

static inline const sporf_note *left_out_note(const sporf_dataset *data, size_t index) {
    return note_of_sort(data, 1, index);
}

static inline const sporf_note *other_note(const sporf_dataset *data, size_t index) {
    return note_of_sort(data, 0, index);
}

static inline size_t left_out_count(const sporf_dataset *data) {
    size_t count = 0;
    for (size_t i = 0; sporf_dataset_note(data, i); i++)
        count += sporf_dataset_note(data, i)->kind == SPORF_NOTE_LEFT_OUT;
    return count;
}

static inline size_t other_note_count(const sporf_dataset *data) {
    size_t count = 0;
    while (sporf_dataset_note(data, count)) count++;
    return count - left_out_count(data);
}

#endif
