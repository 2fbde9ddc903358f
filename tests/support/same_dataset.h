/* Whether two datasets are the same to the last bit; in a header so that fuzz targets have it too.
 */
#ifndef TEST_SAME_DATASET_H
#define TEST_SAME_DATASET_H

#include "data/dataset.h"

#include <string.h>

static inline int same_strings(const spf_strings *a, const spf_strings *b) {
    if (a->count != b->count) return 0;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(spf_strings_at(a, i), spf_strings_at(b, i)) != 0) return 0;
    return 1;
}

static inline int same_schema(const sporf_schema *a, const sporf_schema *b) {
    if (!same_strings(&a->names, &b->names) || !a->kinds != !b->kinds) return 0;
    if (a->kinds && a->count != b->count) return 0;
    for (size_t i = 0; a->kinds && i < a->count; i++)
        if (a->kinds[i] != b->kinds[i] || !same_strings(&a->levels[i], &b->levels[i])) return 0;
    return 1;
}

static inline int same_notes(const spf_notes *a, const spf_notes *b) {
    if (a->count != b->count) return 0;
    for (size_t i = 0; i < a->count; i++) {
        const sporf_note *one = &a->items[i], *other = &b->items[i];
        if (one->kind != other->kind || one->left_out != other->left_out ||
            strcmp(spf_note_marked(one), spf_note_marked(other)) != 0 ||
            strcmp(one->column ? one->column : "", other->column ? other->column : "") != 0)
            return 0;
    }
    return 1;
}

static inline int same_dataset(const sporf_dataset *a, const sporf_dataset *b) {
    if (a->rows != b->rows || a->features != b->features || !a->labels != !b->labels) return 0;
    for (size_t j = 0; j < a->features; j++)
        if (memcmp(a->columns[j], b->columns[j], a->rows * sizeof(float)) != 0) return 0;
    if (a->labels && memcmp(a->labels, b->labels, a->rows * sizeof *a->labels) != 0) return 0;
    if (!a->schema.label_name != !b->schema.label_name) return 0;
    if (a->schema.label_name && strcmp(a->schema.label_name, b->schema.label_name) != 0) return 0;
    return a->has_missing == b->has_missing && same_schema(&a->schema, &b->schema) &&
           same_strings(&a->schema.classes, &b->schema.classes) && same_notes(&a->notes, &b->notes);
}

#endif
