/* Kept columns of a CSV file: their fields are copied from the records once these are parsed. */
#include "read/csv_parts.h"
#include "read/kept.h"

#include <stdlib.h>
#include <string.h>

/* A field keeps its quotes, and gets them if it needs them between commas. */
static sporf_status keep_field(const spf_csv_layout *layout, const spf_csv_field *field,
                               spf_strings *fields) {
    size_t length = (size_t)(field->end - field->begin);
    if (memchr(field->begin, '\0', length))
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: a NUL byte in a kept column" SPF_HINT "is this a text file?",
                         layout->source->name);
    int quoted = field->quoted || memchr(field->begin, ',', length) ||
                 memchr(field->begin, '\r', length) || memchr(field->begin, '\n', length);
    if (!quoted) return spf_strings_add(fields, field->begin, length);
    char *text = spf_alloc(length + 2, 1);
    if (!text) return spf_raise_memory();
    text[0] = text[length + 1] = '"';
    memcpy(text + 1, field->begin, length);
    sporf_status status = spf_strings_add(fields, text, length + 2);
    free(text);
    return status;
}

/* Copies the fields of a record up to the last kept one; of[columns] is scratch memory. */
static sporf_status keep_record(const spf_csv_layout *layout, const char *record, spf_csv_field *of,
                                spf_strings *fields) {
    const char *p = record;
    size_t last = 0;
    for (size_t i = 0; i < layout->kept_count; i++)
        if (layout->kept[i] > last) last = layout->kept[i];
    for (size_t j = 0; j <= last; j++) {
        spf_csv_scan_field(p, layout->end, &layout->dialect, &of[j]);
        p = of[j].next;
    }
    for (size_t i = 0; i < layout->kept_count; i++)
        SPF_TRY(keep_field(layout, &of[layout->kept[i]], fields));
    return SPORF_OK;
}

sporf_status spf_csv_keep(const spf_csv_layout *layout, const char *const *records,
                          sporf_dataset *data) {
    spf_csv_field *of = spf_alloc(layout->columns, sizeof *of);
    if (!of) return spf_raise_memory();
    sporf_status status = spf_kept_name(&layout->names, layout->kept, layout->kept_count, data);
    for (size_t i = 0; status == SPORF_OK && i < data->rows; i++)
        status = keep_record(layout, records[i], of, &data->kept_fields);
    free(of);
    return status;
}
